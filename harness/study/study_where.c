/*
 * Conditions on the integrators of a run, all of which must hold:
 *
 *   where: {order: 0 to 2, adaptive: no, quad: yes, supports: [forces], claims: [symplectic],
 *           plugin: yes, plugin-solver: no, takes-none-of: [pendulum]}
 */
#include "harness/study/study_choices.h"
#include "harness/study/study_runs.h"

#include "engine/names.h"
#include "foundation/memory.h"
#include "foundation/specifications/claims.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool shk_finest_claims(const struct shk_context *context, struct shk_claims *claims, bool *in_quad,
                       const char *integrator, struct shk_message *error)
{
  const struct shk_integrator_info *const info = shk_find_integrator(context, integrator);
  if (!shk_claims_of(context, claims, "double", integrator, error))
    return false;
  *in_quad = info && !info->double_only;
  if (!*in_quad)
    return true;
  struct shk_claims quad;
  if (!shk_claims_of(context, &quad, "quad", integrator, error))
    return false;
  *in_quad = shk_is_claimed(&quad, SHK_CLAIM_ORDER_Q) || !shk_is_claimed(claims, SHK_CLAIM_ORDER_Q);
  if (*in_quad)
    *claims = quad;
  return true;
}

bool shk_pair_applies(const struct shk_context *context, const char *problem,
                      const char *integrator)
{
  struct shk_message unused;
  struct shk_inspection inspection;
  struct shk_decimal step;
  const struct shk_integrator_info *const info = shk_find_integrator(context, integrator);
  if (!info || !shk_inspect(context, &inspection, "double", problem, &unused) ||
      (inspection.features & ~info->supports) != 0 ||
      !shk_decimal_round(&step, inspection.time_scale / 5, 1))
    return false;
  char *const text = shk_decimal_text(step);
  const struct shk_cell cell = {.kind = (char *)"run",
                                .problem = (char *)problem,
                                .integrator = (char *)integrator,
                                .precision = (char *)"double",
                                .step = info->adaptive ? NULL : text,
                                .tolerance = info->adaptive ? (char *)"1e-4" : NULL,
                                .until = text};
  const bool refused = shk_refuses(context, &cell);
  free(text);
  return !refused;
}

bool shk_method_class(struct shk_method_class *class, const struct shk_context *context,
                      const char *integrator, struct shk_message *error)
{
  struct shk_claims claims;
  const struct shk_integrator_info *const info = shk_find_integrator(context, integrator);
  *class = (struct shk_method_class){.integrator = integrator};
  if (!shk_finest_claims(context, &claims, &class->in_quad, integrator, error))
    return false;
  class->adaptive = info && info->adaptive;
  const int order = claims.order_q > claims.order_p ? claims.order_q : claims.order_p;
  class->order = class->adaptive || order < 0 ? 0 : order;
  return true;
}

/* ---- conditions ---- */

enum { EITHER = -1 };

struct conditions {
  int least, most;                    /* range of orders */
  int adaptive, quad, plugin, solver; /* yes, no or EITHER */
  struct shk_texts features, claims;  /* all of these are required */
  struct shk_study_run refused;       /* its problems: the integrator must apply to none of them */
};

static bool read_orders(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                        void *into)
{
  struct conditions *const its = into;
  char *const text = shk_yaml_text(yaml, value, expected);
  char rest;
  const bool ok = text && sscanf(text, "%3d to %3d%c", &its->least, &its->most, &rest) == 2 &&
                  its->least >= 0 && its->most >= its->least;
  if (text && !ok)
    shk_yaml_fail_kind(yaml, value, expected);
  free(text);
  return ok;
}

static bool read_answer(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                        void *answer)
{
  bool yes = false;
  const bool ok = shk_read_yes_or_no(yaml, value, expected, &yes);
  *(int *)answer = yes;
  return ok;
}

static bool read_features(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                          void *list)
{
  const char *words[SHK_FEATURE_COUNT + 1] = {NULL};
  for (int i = 0; i < SHK_FEATURE_COUNT; i++)
    words[i] = shk_feature_words[i];
  return shk_read_known(yaml, value, expected, "feature", words, list);
}

static bool read_claims(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                        void *list)
{
  const char *words[SHK_CLAIMS] = {NULL};
  for (int i = 1; i < SHK_CLAIMS; i++)
    words[i - 1] = shk_claim_entries[i].words;
  return shk_read_known(yaml, value, expected, "claim", words, list);
}

/* True if it claims an order, or yes, for each of these. */
static bool claims_all(const struct shk_claims *claims, const struct shk_texts *all)
{
  bool ok = true;
  for (int i = 1; i < SHK_CLAIMS; i++)
    if (shk_in_list(all->all, all->count, shk_claim_entries[i].words))
      ok = ok && shk_is_claimed(claims, (enum shk_claim)i) &&
           (shk_claim_entries[i].order || shk_claim_value(claims, (enum shk_claim)i) == SHK_YES);
  return ok;
}

static bool supports_all(unsigned supports, const struct shk_texts *features)
{
  bool ok = true;
  for (int i = 0; i < SHK_FEATURE_COUNT; i++)
    ok = ok &&
         (supports & 1u << i || !shk_in_list(features->all, features->count, shk_feature_words[i]));
  return ok;
}

static bool is_so(int wanted, bool is)
{
  return wanted == EITHER || wanted == is;
}

static bool hold(const struct conditions *its, const struct shk_context *context,
                 const struct shk_method_class *class)
{
  const char *const spec = class->integrator;
  const struct shk_integrator_info *const info = shk_find_integrator(context, spec);
  struct shk_claims claims;
  struct shk_message unused;
  bool in_quad;
  if (!info || !shk_finest_claims(context, &claims, &in_quad, spec, &unused) ||
      class->order < its->least || class->order > its->most ||
      !is_so(its->adaptive, class->adaptive) || !is_so(its->quad, class->in_quad) ||
      !is_so(its->plugin, shk_is_remote_integrator(context, spec)) ||
      !is_so(its->solver, shk_has_plugin_solver(context, spec)) ||
      !supports_all(info->supports, &its->features) || !claims_all(&claims, &its->claims))
    return false;
  for (int i = 0; i < its->refused.problem_count; i++)
    if (shk_pair_applies(context, its->refused.problems[i].problem, spec))
      return false;
  return true;
}

#define CONDITION(name, field, reader, expected)                                                   \
  SHK_YAML_FIELD(name, false, struct conditions, field, reader, expected)
static const struct shk_yaml_key keys[] = {
    {"order", false, read_orders, "orders, as in 1 to 2", 0},
    CONDITION("adaptive", adaptive, read_answer, "yes or no"),
    CONDITION("quad", quad, read_answer, "yes or no"),
    CONDITION("plugin", plugin, read_answer, "yes or no"),
    CONDITION("plugin-solver", solver, read_answer, "yes or no"),
    CONDITION("supports", features, read_features, "a list of features"),
    CONDITION("claims", claims, read_claims, "a list of claims"),
    CONDITION("takes-none-of", refused, shk_read_problems, "a list of problems")};

bool shk_read_where(const struct shk_yaml *yaml, struct fy_node *node, struct shk_study_run *run)
{
  struct conditions its = {0, INT_MAX, EITHER, EITHER, EITHER, EITHER, {0}, {0}, {0}};
  bool ok = shk_yaml_mapping(yaml, node, "conditions: {order: 1 to 2, adaptive: no}", keys,
                             sizeof keys / sizeof keys[0], &its);
  int kept = 0;
  for (int i = 0; i < run->integrator_count; i++) {
    struct shk_method_class class;
    struct shk_message reason = {.text = ""};
    if (ok && !shk_method_class(&class, yaml->user, run->integrators[i], &reason))
      ok = shk_yaml_fail(yaml, node, "%s: %s", run->integrators[i], reason.text);
    if (ok && hold(&its, yaml->user, &class))
      run->integrators[kept++] = run->integrators[i];
    else
      free(run->integrators[i]);
  }
  run->integrator_count = kept;
  shk_free_texts(its.features.all, its.features.count);
  shk_free_texts(its.claims.all, its.claims.count);
  shk_run_clear(&its.refused);
  return ok;
}
