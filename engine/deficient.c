/*
 * Handles starts at which the constraints lose rank. Redundant constraints have the same rank at
 * nearby points. In this case, the first step of any method that factorizes the constraint matrix
 * unchanged fails. At a singular start, the first step of any method can fail. Either failure is a
 * property of the problem and the method, not of a run. It is therefore reported as a refusal, with
 * the ranks and the dependent rows.
 *
 * The first step must be tried, because the options of external solvers do not reveal whether it
 * succeeds.
 */
#include "engine/bind.h"
#include "foundation/memory.h"
#include "mechanics/system/manifold.h"

#include "mechanics/algebra/factorizations/redundant.h"
#include "mechanics/binding/binding.h"
#include "mechanics/diagnosis/rank.h"
#include "mechanics/system/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LISTED = 2 }; /* maximum number of dependent rows in a message */
/* Length of an adaptive method's trial step, in time scales. */
#define TRIAL R(0.001)

/* Returns true if the rows of G are dependent at the start. If rounding errors grow before the last
 * pivot is reached, as for Bricard's mechanism, only QR detects the dependence. */
static bool loses_rank(struct shk_bound *bound)
{
  const struct shk_state *s = &bound->start;
  struct shk_evaluator *e = &bound->observer;
  if (shk_manifold_met_singular(bound->manifold))
    return true;
  if (s->m <= 1 || (e->system->features & (SHK_MOMENTUM_CONSTRAINT | SHK_GENERAL_DAE)) != 0)
    return false;
  /* uses its own workspace, which is large and is therefore freed here */
  struct shk_workspace *const own = shk_workspace_create(NULL, 0);
  struct shk_redundant *rows;
  const real *G;
  const bool loses = own && shk_jacobian_at(e, &G, s->t, s->q).code == SHK_OK &&
                     shk_redundant_create(&rows, own, e, false).code == SHK_OK &&
                     shk_redundant_basis(rows, G).code == SHK_OK && shk_redundant_rank(rows) < s->m;
  shk_workspace_destroy(own);
  return loses;
}

/* Stores a rank in both evaluators if it is certainly below m. */
static void take_rank(struct shk_bound *bound)
{
  const int rank = bound->ranks.near > bound->ranks.here ? bound->ranks.near : bound->ranks.here;
  if (bound->ranks.sure && bound->ranks.near > 0 && rank < bound->start.m)
    bound->evaluator.rank = bound->observer.rank = rank;
}

struct shk_status shk_deficient_find(struct shk_bound *bound)
{
  const struct shk_state *s = &bound->start;
  bound->ranks = (struct shk_generic_rank){.here = s->m, .near = -1};
  if (s->m > SHK_RANK_LIMIT || !loses_rank(bound))
    return shk_ok();
  if (bound->context->known && bound->context->known->m == s->m)
    bound->ranks = bound->context->known->ranks;
  else
    SHK_TRY(
        shk_generic_rank_find(&bound->ranks, bound->manifold, &bound->floors, s->t, s->q, s->p));
  take_rank(bound);
  if (bound->observer.rank == 0 || shk_manifold_met_singular(bound->manifold))
    return shk_ok();
  SHK_TRY(shk_manifold_take_redundant(bound->manifold));
  return shk_exact_multiplier(bound->manifold, bound->start.lambda, s->t, s->q, s->p);
}

/* Stores the row with index `row` as a linear combination of rows with these m coefficients,
 * omitting small coefficients. */
static void write_relation(struct shk_relation *relation, const real *coefficients, int row, int m)
{
  const real least = real_sqrt(REAL_EPSILON) * real_max_norm(coefficients, m);
  size_t used = 0;
  int terms = 0;
  *relation = (struct shk_relation){row + 1, "0"};
  for (int j = 0; j < m && terms <= SHK_DIAGNOSIS_TERMS; j++) {
    char *const end = relation->text + used;
    const size_t room = sizeof relation->text - used;
    const double value = (double)coefficients[j];
    if (!(real_fabs(coefficients[j]) > least))
      continue;
    if (terms++ == SHK_DIAGNOSIS_TERMS)
      snprintf(end, room, " + …");
    else
      used += (size_t)snprintf(end, room, "%s%.6g row %d",
                               terms == 1 ? (value < 0 ? "-" : "") : (value < 0 ? " - " : " + "),
                               fabs(value), j + 1);
  }
}

struct shk_status shk_deficient_rows(struct shk_relation *relations, int room, int *count,
                                     struct shk_bound *bound)
{
  const struct shk_state *const s = &bound->start;
  const size_t m = (size_t)s->m;
  struct shk_spectrum spectrum;
  real *coefficients;
  *count = 0;
  SHK_TRY(shk_spectrum_init(&spectrum, &bound->observer));
  SHK_TRY(shk_reals(bound->instance.workspace, &coefficients, m * m));
  bool *const depends = shk_memory(bound->instance.workspace, m + 1);
  SHK_TRY(shk_allocated(depends));
  SHK_TRY(shk_rank_relations(coefficients, depends, &spectrum, &bound->observer, s->t, s->q, s->p));
  for (int i = 0; i < s->m; i++)
    if (depends[i] && (*count)++ < room)
      write_relation(&relations[*count - 1], coefficients + (size_t)i * m, i, s->m);
  return shk_ok();
}

/* Lists the dependent rows, as in "row 3 = 1 row 1 + 1 row 2; …". The string is empty if they
 * cannot be found, and must be freed by the caller. */
static char *list_rows(struct shk_bound *bound)
{
  struct shk_relation relations[LISTED];
  int count;
  char *text = shk_copy_text("");
  if (shk_deficient_rows(relations, LISTED, &count, bound).code != SHK_OK)
    return text;
  for (int i = 0; i < count && i < LISTED; i++)
    shk_append_text(&text, "%srow %d = %s", i > 0 ? "; " : "", relations[i].row, relations[i].text);
  if (count > LISTED)
    shk_append_text(&text, "; …");
  return text;
}

struct shk_status shk_deficient_take(struct shk_bound *bound)
{
  const struct shk_known_start *const known = bound->context->known;
  memcpy(bound->start.lambda, known->lambda, (size_t)known->m * sizeof(real));
  bound->ranks = known->ranks;
  take_rank(bound);
  return known->rescued ? shk_manifold_take_redundant(bound->manifold) : shk_ok();
}

void shk_deficient_give(struct shk_known_start *known, struct shk_bound *bound)
{
  const struct shk_state *const s = &bound->start;
  *known = (struct shk_known_start){.m = s->m, .ranks = bound->ranks};
  known->has_lambda = s->m <= SHK_KNOWN_ROWS && sizeof(real) <= SHK_KNOWN_BYTES;
  known->rescued = shk_manifold_met_singular(bound->manifold);
  if (known->has_lambda)
    memcpy(known->lambda, s->lambda, (size_t)s->m * sizeof(real));
  if (bound->ranks.here < s->m && bound->ranks.near >= 0) {
    char *const rows = list_rows(bound);
    shk_text_fit(known->rows, sizeof known->rows, rows);
    free(rows);
  }
}

/* Returns the status of one step from the start. The step size is that of the cell or, if it has
 * none, TRIAL time scales. */
static struct shk_status try_step(struct shk_bound *bound)
{
  const struct shk_state *s = &bound->start;
  const real left = bound->until - s->t, scale = TRIAL * bound->instance.time_scale;
  const real far = left < 0 ? real_max(left, -scale) : real_min(left, scale);
  struct shk_state next;
  if (!shk_state_init_like(&next, s))
    return shk_no_memory();
  struct shk_status status =
      bound->integrator->step(bound->method, &next, s, bound->step != 0 ? bound->step : far);
  if (status.code == SHK_OK && !shk_state_is_finite(&next))
    status = shk_failure(SHK_NOT_FINITE, "the step returned a state that is not finite", 0, 0);
  shk_state_clear(&next);
  return status;
}

enum shk_code shk_deficient_try(struct shk_bound *bound, bool *tried, struct shk_message *error)
{
  const struct shk_generic_rank *ranks = &bound->ranks;
  const int m = bound->start.m;
  *tried = ranks->here < m && ranks->near >= 0 && ranks->sure;
  if (!*tried)
    return SHK_OK;
  const bool redundant = ranks->near <= ranks->here;
  const struct shk_status status = try_step(bound);
  bound->stepped = status.code == SHK_OK;
  /* If constraints are redundant, other failures may be caused by too long a step, so they are not
   * a reason to refuse the problem. */
  if (status.code == SHK_OK ||
      (redundant && status.code != SHK_SINGULAR && status.code != SHK_SOLVER_FAILED))
    return SHK_OK;
  const struct shk_known_start *const known = bound->context->known;
  char reason[SHK_MESSAGE_SIZE];
  char *const rows = known && known->rows[0] ? shk_copy_text(known->rows) : list_rows(bound);
  shk_status_text(reason, sizeof reason, status);
  shk_message_set(error,
                  redundant
                      ? "the constraints are redundant, rank %d of %d at the start and %d near it, "
                        "and the first step fails: %s (%s)"
                      : "the start is a singular configuration, rank %d of %d there and %d near "
                        "it, and the first step fails: %s (%s)",
                  ranks->here, m, ranks->near, reason, rows);
  free(rows);
  return SHK_REFUSED;
}
