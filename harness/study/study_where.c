/*
 * Conditions that every integrator of a run must satisfy. `quad` requires the method's finest
 * precision to be quad, and `takes-none-of` requires that the method apply to none of the listed
 * problems.
 *
 *   where: {order: 0 to 2, adaptive: no, quad: yes, supports: [forces], claims: [symplectic],
 *           plugin: yes, program: no, plugin-solver: no, program-solver: no,
 *           takes-none-of: [pendulum], is: [rattle(linear=lu)]}
 */
#include "harness/study/study_runs.h"

#include "engine/names.h"
#include "foundation/number.h"
#include "foundation/specifications/claims.h"
#include "foundation/specifications/spec.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool shk_finest_claims(const struct shk_context *context, struct shk_claims *claims, bool *in_quad,
                       const char *integrator, struct shk_message *error)
{
  if (!shk_claims_of(context, claims, "double", integrator, error))
    return false;
  *in_quad = shk_find_integrator(context, integrator) && !claims->double_only;
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
                                .precision = (char *)(info->in_single ? "single" : "double"),
                                .step = info->adaptive ? NULL : step,
                                .tolerance = info->adaptive ? (char *)"1e-4" : NULL,
                                .until = step};
  const bool refused = !step || shk_code_of(context, &cell, &unused) == SHK_REFUSED;
  free(step);
  return !refused;
}

bool shk_method_class(struct shk_method_class *class, const struct shk_yaml *yaml,
                      const struct fy_node *node, const char *integrator)
{
  struct shk_claims *const claims = &class->claims;
  struct shk_message reason = {.text = ""};
  const struct shk_integrator_info *const info = shk_find_integrator(yaml->user, integrator);
  *class = (struct shk_method_class){.order = 0};
  if (!shk_finest_claims(yaml->user, claims, &class->in_quad, integrator, &reason))
    return shk_yaml_fail(yaml, node, "%s: %s", integrator, reason.text);
  class->adaptive = info && info->adaptive;
  const int order = claims->order_q > claims->order_p ? claims->order_q : claims->order_p;
  class->order = class->adaptive || order < 0 ? 0 : order;
  return true;
}

/* ---- conditions ---- */

enum question { ADAPTIVE, QUAD, PLUGIN, PROGRAM, PLUGIN_SOLVER, PROGRAM_SOLVER, QUESTIONS };

/* The conditions, all of which a method must satisfy. */
struct conditions {
  struct shk_index is, supports, claims; /* an empty list imposes no condition */
  int orders[2];                         /* the smallest and largest accepted order */
  int asked[QUESTIONS];                  /* 0 for no, 1 for yes, -1 for no condition */
  struct shk_study_run not_taken;        /* only the problems of this run are used */
};

static bool read_orders(const struct shk_yaml *yaml, struct fy_node *value, void *into)
{
  int *const orders = into;
  char *const text = shk_yaml_scalar(value), rest;
  const bool ok = text && sscanf(text, "%3d to %3d%c", &orders[0], &orders[1], &rest) == 2 &&
                  orders[0] >= 0 && orders[1] >= orders[0];
  free(text);
  return ok || shk_yaml_fail_kind(yaml, value, yaml->key->expected);
}

static const char *const answers[] = {"no", "yes", NULL};
static const char *claim_words[SHK_CLAIMS], *feature_words[SHK_FEATURE_COUNT + 1];

#define CONDITION(name, field, reader, ...)                                                        \
  SHK_YAML_FIELD(name, false, struct conditions, field, reader, __VA_ARGS__)
#define QUESTION(name, number)                                                                     \
  CONDITION(name, asked[number], shk_read_word, "yes or no", .words = answers)
static const struct shk_yaml_key keys[] = {
    CONDITION("is", is, shk_read_integrators, NULL),
    CONDITION("order", orders, read_orders, "orders, as in 1 to 2"),
    QUESTION("adaptive", ADAPTIVE),
    QUESTION("quad", QUAD),
    QUESTION("plugin", PLUGIN),
    QUESTION("program", PROGRAM),
    QUESTION("plugin-solver", PLUGIN_SOLVER),
    QUESTION("program-solver", PROGRAM_SOLVER),
    CONDITION("supports", supports, shk_yaml_into_list, "a list of features", .or_one = true,
              .item = shk_read_known, .words = feature_words, .what = "feature"),
    CONDITION("claims", claims, shk_yaml_into_list, "a list of claims", .or_one = true,
              .item = shk_read_known, .words = claim_words, .what = "claim"),
    CONDITION("takes-none-of", not_taken, shk_read_problems, NULL)};

/* Returns true if, for each of the required claims, the method states either an order or "yes". */
static bool has_claims(const struct shk_index *wanted, const struct shk_claims *claims)
{
  bool has = true;
  for (int i = 1; i < SHK_CLAIMS; i++)
    if (shk_index_find(wanted, claim_words[i - 1]) >= 0)
      has = has && shk_is_claimed(claims, (enum shk_claim)i) &&
            (shk_claim_entries[i].order || shk_claim_value(claims, (enum shk_claim)i) == SHK_YES);
  return has;
}

/* Sets *holds to whether the method satisfies all conditions. If the method's claims cannot be
 * read, sets the message and returns false. */
static bool examine_study_where(const struct conditions *conditions, bool *holds,
                                const struct shk_yaml *yaml, struct fy_node *node,
                                const char *integrator)
{
  const struct shk_context *const context = yaml->user;
  const struct shk_integrator_info *const info = shk_find_integrator(context, integrator);
  struct shk_method_class class;
  if (!shk_method_class(&class, yaml, node, integrator))
    return false;
  bool all = info && class.order >= conditions->orders[0] && class.order <= conditions->orders[1] &&
             has_claims(&conditions->claims, &class.claims) &&
             (!conditions->is.texts || shk_index_find(&conditions->is, integrator) >= 0);
  const bool has[QUESTIONS] = {class.adaptive,
                               class.in_quad,
                               shk_is_remote_integrator(context, integrator),
                               shk_spec_programs(integrator, NULL, NULL) > 0,
                               shk_has_plugin_solver(context, integrator),
                               strstr(integrator, "solver=program(") != NULL};
  for (int i = 0; i < QUESTIONS; i++)
    all = all && (conditions->asked[i] < 0 || conditions->asked[i] == has[i]);
  for (int i = 0; i < SHK_FEATURE_COUNT; i++)
    all = all &&
          (info->supports & 1u << i || shk_index_find(&conditions->supports, feature_words[i]) < 0);
  for (int i = 0; i < conditions->not_taken.problem_count; i++)
    all = all && !shk_pair_applies(context, conditions->not_taken.problems[i].problem, integrator);
  *holds = all;
  return true;
}

bool shk_read_where(const struct shk_yaml *yaml, struct fy_node *node, void *into)
{
  struct shk_index *const all = &((struct shk_study_run *)into)->integrators;
  struct shk_index kept = {0};
  struct conditions conditions = {.orders = {0, INT_MAX}, .asked = {-1, -1, -1, -1, -1, -1}};
  memcpy(feature_words, shk_feature_words, SHK_FEATURE_COUNT * sizeof *feature_words);
  for (int i = 1; i < SHK_CLAIMS; i++)
    claim_words[i - 1] = shk_claim_entries[i].words;
  bool ok = shk_yaml_mapping(yaml, node, NULL, "conditions: {order: 1 to 2, adaptive: no}",
                             SHK_YAML_KEYS(keys), &conditions),
       holds = false;
  for (int i = 0; ok && i < all->count; i++) {
    ok = examine_study_where(&conditions, &holds, yaml, node, all->texts[i]);
    if (ok && holds)
      shk_index_text(&kept, all->texts[i]);
  }
  shk_index_clear(all);
  *all = kept;
  shk_run_clear(&conditions.not_taken);
  shk_index_clear(&conditions.is);
  shk_index_clear(&conditions.supports);
  shk_index_clear(&conditions.claims);
  return ok;
}
