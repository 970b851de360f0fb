/*
 * Starts at which the constraints lose rank. Redundant constraints, whose rank is the same nearby,
 * make the first step fail in methods that factor their matrix as it is; a singular start may do so
 * in any. Either is a property of problem and method, not an accident of a run: a refusal, with
 * what was found.
 *
 * The first step is tried, not deduced from options: external solvers have none that would tell.
 */
#include "engine/deficient.h"

#include "mechanics/diagnosis/rank.h"
#include "mechanics/system/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows that depend on others: how many are listed, and of how many terms. */
enum { LISTED = 2, TERMS = 4 };
/* Of the time scale: the trial step of an adaptive method. */
#define TRIAL R(0.001)

struct shk_status shk_deficient_find(struct shk_bound *bound)
{
  const struct shk_state *s = &bound->start;
  bound->ranks = (struct shk_generic_rank){.here = s->m, .near = -1};
  if (s->m > SHK_RANK_LIMIT || !shk_manifold_met_singular(bound->manifold))
    return shk_ok();
  const struct shk_start_ranks *known = bound->context->ranks;
  if (known)
    bound->ranks = (struct shk_generic_rank){known->here, known->near, known->sure};
  else
    SHK_TRY(
        shk_generic_rank_find(&bound->ranks, bound->manifold, &bound->observer, s->t, s->q, s->p));
  const int rank = bound->ranks.near > bound->ranks.here ? bound->ranks.near : bound->ranks.here;
  if (bound->ranks.sure && bound->ranks.near > 0 && rank < s->m)
    bound->evaluator.rank = bound->observer.rank = rank;
  return shk_ok();
}

/* "row 3 = 1 row 1 + 1 row 2" from the coefficients of row i. */
static int list_row(char *text, size_t size, const real *coefficients, int i, int m)
{
  real largest = 0;
  int terms = 0;
  for (int j = 0; j < m; j++)
    largest = real_max(largest, real_fabs(coefficients[j]));
  int used = snprintf(text, size, "row %d = ", i + 1);
  for (int j = 0; j < m; j++) {
    const double value = (double)coefficients[j];
    if (!(real_fabs(coefficients[j]) > real_sqrt(REAL_EPSILON) * largest))
      continue;
    if (terms == TERMS)
      return used + snprintf(text + used, size - (size_t)used, " + …");
    used += snprintf(text + used, size - (size_t)used, "%s%.4g row %d",
                     terms++ == 0 ? (value < 0 ? "-" : "") : (value < 0 ? " - " : " + "),
                     value < 0 ? -value : value, j + 1);
  }
  return terms > 0 ? used : used + snprintf(text + used, size - (size_t)used, "0");
}

/* Which rows depend on which, separated by "; "; empty if that cannot be determined. */
static void list_rows(char *text, size_t size, struct shk_bound *bound)
{
  const struct shk_state *s = &bound->start;
  const size_t m = (size_t)s->m;
  text[0] = '\0';
  real *coefficients = malloc((m * m + 1) * sizeof *coefficients);
  bool *depends = calloc(m + 1, sizeof *depends);
  int listed = 0, used = 0;
  if (coefficients && depends &&
      shk_rank_relations(coefficients, depends, &bound->observer, s->t, s->q, s->p).code == SHK_OK)
    for (int i = 0; i < s->m; i++) {
      if (!depends[i])
        continue;
      if (listed++ == LISTED) {
        snprintf(text + used, size - (size_t)used, "; …");
        break;
      }
      used += snprintf(text + used, size - (size_t)used, "%s", listed > 1 ? "; " : "");
      used += list_row(text + used, size - (size_t)used, coefficients + (size_t)i * m, i, s->m);
    }
  free(coefficients);
  free(depends);
}

/* A step from the start, discarded. */
static struct shk_status try_step(struct shk_bound *bound)
{
  const struct shk_state *s = &bound->start;
  const real left = bound->until - s->t, scale = TRIAL * bound->instance.time_scale;
  const real far = left < 0 ? real_max(left, -scale) : real_min(left, scale);
  struct shk_state next;
  if (!shk_state_init(&next, s->n, s->m))
    return shk_failure(SHK_NO_MEMORY, "no memory for a trial step", 0, 0);
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
  /* What is only redundant may still be too fast for the step. */
  if (status.code == SHK_OK ||
      (redundant && status.code != SHK_SINGULAR && status.code != SHK_SOLVER_FAILED))
    return SHK_OK;
  char reason[256], rows[256];
  shk_status_text(reason, sizeof reason, status);
  list_rows(rows, sizeof rows, bound);
  shk_message_set(error,
                  redundant
                      ? "the constraints are redundant, rank %d of %d at the start and %d near it "
                        "(%s), and the first step fails: %s"
                      : "the start is a singular configuration, rank %d of %d there and %d near it "
                        "(%s), and the first step fails: %s",
                  ranks->here, m, ranks->near, rows, reason);
  return SHK_REFUSED;
}
