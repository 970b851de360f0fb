/*
 * Conditions on the integrators of a run, all of which must hold:
 *
 *   where: {order: 0 to 2, adaptive: no, quad: yes, supports: [forces], claims: [symplectic],
 *           plugin: yes, plugin-solver: no, takes-none-of: [pendulum], is: [rattle(linear=lu)]}
 */
#include "harness/study/study_choices.h"
#include "harness/study/study_numbers.h"
#include "harness/study/study_runs.h"

#include "engine/names.h"
#include "foundation/memory.h"
#include "foundation/number.h"
#include "foundation/specifications/claims.h"

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
  const struct shk_integrator_info *const info = shk_find_integrator(context, integrator);
  if (!info || !shk_inspect(context, &inspection, "double", problem, &unused) ||
      (inspection.features & ~info->supports) != 0)
    return false;
  char rounded[32];
  snprintf(rounded, sizeof rounded, "%.0e", inspection.time_scale / 5);
  char *const step = shk_number_canonical(rounded, false);
  const struct shk_cell cell = {.kind = (char *)"run",
                                .problem = (char *)problem,
                                .integrator = (char *)integrator,
                                .precision = (char *)"double",
                                .step = info->adaptive ? NULL : step,
                                .tolerance = info->adaptive ? (char *)"1e-4" : NULL,
                                .until = step};
  const bool refused = !step || shk_refuses(context, &cell);
  free(step);
  return !refused;
}

bool shk_method_class(struct shk_method_class *class, const struct shk_yaml *yaml,
                      const struct fy_node *node, const char *integrator)
{
  struct shk_claims claims;
  struct shk_message reason = {.text = ""};
  const struct shk_integrator_info *const info = shk_find_integrator(yaml->user, integrator);
  *class = (struct shk_method_class){.integrator = integrator};
  if (!shk_finest_claims(yaml->user, &claims, &class->in_quad, integrator, &reason))
    return shk_yaml_fail(yaml, node, "%s: %s", integrator, reason.text);
  class->adaptive = info && info->adaptive;
  const int order = claims.order_q > claims.order_p ? claims.order_q : claims.order_p;
  class->order = class->adaptive || order < 0 ? 0 : order;
  return true;
}

/* ---- conditions ---- */

/* A method, for which all conditions read so far hold or not. */
struct candidate {
  struct shk_method_class class;
  struct shk_claims claims;
  unsigned supports;
  bool plugin, solver, holds;
};

static bool read_orders(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                        void *into)
{
  struct candidate *const its = into;
  char *const text = shk_yaml_text(yaml, value, expected), rest;
  int least, most;
  const bool ok = text && sscanf(text, "%3d to %3d%c", &least, &most, &rest) == 2 && least >= 0 &&
                  most >= least;
  free(text);
  its->holds = its->holds && ok && its->class.order >= least && its->class.order <= most;
  return ok || (text && shk_yaml_fail_kind(yaml, value, expected));
}

/* Compares an answer with that of the method at the key's offset. */
static bool read_answer(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                        void *into)
{
  struct candidate *const its = into;
  const bool answers[] = {its->class.adaptive, its->class.in_quad, its->plugin, its->solver};
  bool yes = false;
  const bool ok = shk_read_yes_or_no(yaml, value, expected, &yes);
  its->holds = its->holds && yes == answers[shk_word_number(yaml->key->words, yaml->key->name)];
  return ok;
}

static bool read_features(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                          void *into)
{
  struct candidate *const its = into;
  const char *words[SHK_FEATURE_COUNT + 1] = {NULL};
  char **list = NULL;
  int count = 0;
  memcpy(words, shk_feature_words, SHK_FEATURE_COUNT * sizeof *words);
  const bool ok = shk_read_known(yaml, value, expected, "feature", words, &list, &count);
  for (int i = 0; i < SHK_FEATURE_COUNT; i++)
    its->holds = its->holds && (its->supports & 1u << i || !shk_in_list(list, count, words[i]));
  shk_free_texts(list, count);
  return ok;
}

/* The method must claim an order, or yes, for each of these. */
static bool read_claims(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                        void *into)
{
  struct candidate *const its = into;
  const char *words[SHK_CLAIMS] = {NULL};
  char **list = NULL;
  int count = 0;
  for (int i = 1; i < SHK_CLAIMS; i++)
    words[i - 1] = shk_claim_entries[i].words;
  const bool ok = shk_read_known(yaml, value, expected, "claim", words, &list, &count);
  for (int i = 1; i < SHK_CLAIMS; i++)
    if (shk_in_list(list, count, words[i - 1]))
      its->holds = its->holds && shk_is_claimed(&its->claims, (enum shk_claim)i) &&
                   (shk_claim_entries[i].order ||
                    shk_claim_value(&its->claims, (enum shk_claim)i) == SHK_YES);
  shk_free_texts(list, count);
  return ok;
}

static bool read_refused(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                         void *into)
{
  struct candidate *const its = into;
  struct shk_study_run run = {.problem_count = 0};
  const bool ok = shk_read_problems(yaml, value, expected, &run);
  for (int i = 0; i < run.problem_count; i++)
    its->holds =
        its->holds && !shk_pair_applies(yaml->user, run.problems[i].problem, its->class.integrator);
  shk_run_clear(&run);
  return ok;
}

static bool read_these(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                       void *into)
{
  struct candidate *const its = into;
  struct shk_study_run run = {.problem_count = 0};
  const bool ok = shk_read_integrators(yaml, value, expected, &run);
  its->holds =
      its->holds && shk_in_list(run.integrators, run.integrator_count, its->class.integrator);
  shk_run_clear(&run);
  return ok;
}

#define CONDITION(name, reader, expected)                                                          \
  {                                                                                                \
    name, false, reader, expected, 0, answered, NULL                                               \
  }
static const char *const answered[] = {"adaptive", "quad", "plugin", "plugin-solver", NULL};
static const struct shk_yaml_key keys[] = {
    CONDITION("is", read_these, "a list of integrators"),
    CONDITION("order", read_orders, "orders, as in 1 to 2"),
    CONDITION("adaptive", read_answer, "yes or no"),
    CONDITION("quad", read_answer, "yes or no"),
    CONDITION("plugin", read_answer, "yes or no"),
    CONDITION("plugin-solver", read_answer, "yes or no"),
    CONDITION("supports", read_features, "a list of features"),
    CONDITION("claims", read_claims, "a list of claims"),
    CONDITION("takes-none-of", read_refused, "a list of problems")};

/* Reads the conditions for a method. Returns false with the message set. */
static bool examine(struct candidate *its, const struct shk_yaml *yaml, struct fy_node *node,
                    const char *integrator)
{
  const struct shk_context *const context = yaml->user;
  const struct shk_integrator_info *const info = shk_find_integrator(context, integrator);
  struct shk_message unused;
  bool in_quad;
  *its = (struct candidate){.holds = info != NULL, .supports = info ? info->supports : 0};
  if (!shk_method_class(&its->class, yaml, node, integrator))
    return false;
  shk_finest_claims(context, &its->claims, &in_quad, integrator, &unused);
  its->plugin = shk_is_remote_integrator(context, integrator);
  its->solver = shk_has_plugin_solver(context, integrator);
  return shk_yaml_mapping(yaml, node, "conditions: {order: 1 to 2, adaptive: no}", keys,
                          sizeof keys / sizeof keys[0], its);
}

bool shk_read_where(const struct shk_yaml *yaml, struct fy_node *node, struct shk_study_run *run)
{
  bool ok = true;
  int kept = 0;
  for (int i = 0; i < run->integrator_count; i++) {
    struct candidate its = {.holds = false};
    ok = ok && examine(&its, yaml, node, run->integrators[i]);
    if (ok && its.holds)
      run->integrators[kept++] = run->integrators[i];
    else
      free(run->integrators[i]);
  }
  run->integrator_count = kept;
  return ok;
}
