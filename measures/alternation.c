/*
 * Measures how much the multiplier alternates from step to step. Let lambda_n be the multiplier of
 * the n-th step. Then
 *
 *     a_n = (lambda_n - 4 lambda_{n-1} + 6 lambda_{n-2} - 4 lambda_{n-3} + lambda_{n-4})/16
 *
 * equals (-1)^n e if lambda_n = (-1)^n e, and h⁴/16 times the fourth derivative if lambda is
 * smooth. "alternation-early" and "alternation-late" are the largest |a_n| in the first and the
 * last quarter of the run, divided by the largest |lambda|. Both are recorded only for complete
 * runs with at least 20 fixed steps and at most 1,000 constraints.
 */
#include "measures/measure.h"

enum { POINTS = 5, LARGEST = 1000, LEAST = 4 * POINTS };

struct alternation {
  const struct shk_measured *run;
  long seen;
  real *last; /* POINTS x m numbers; row k % POINTS contains the multiplier of the k-th step */
  real size, early, late;
};

static bool alternation_applies(const struct shk_measured *run)
{
  const int m = run->instance->system.m;
  return !run->adaptive && m > 0 && m <= LARGEST && run->observations >= LEAST;
}

static struct shk_status alternation_create(void *state, const struct shk_measured *run)
{
  struct alternation *const alternation = state;
  *alternation = (struct alternation){.run = run};
  return shk_reals(run->evaluator->workspace, &alternation->last,
                   POINTS * (size_t)run->instance->system.m);
}

static struct shk_status alternation_observe(void *state, const struct shk_state *at)
{
  static const real weights[POINTS] = {1, -4, 6, -4, 1};
  struct alternation *alternation = state;
  const int m = at->m;
  const long all = alternation->run->observations, k = alternation->seen++;
  if (k == 0) /* no step ends at the start */
    return shk_ok();
  real *const newest = alternation->last + k % POINTS * m, largest = 0;
  for (int i = 0; i < m; i++)
    newest[i] = at->lambda[i];
  alternation->size = real_max(alternation->size, real_max_norm(newest, m));
  for (int i = 0; i < m && k >= POINTS; i++) {
    real sum = 0;
    for (int j = 0; j < POINTS; j++)
      sum += weights[j] * alternation->last[(k - j) % POINTS * m + i];
    largest = real_max(largest, real_fabs(sum) / 16);
  }
  if (4 * k <= all)
    alternation->early = real_max(alternation->early, largest);
  if (4 * k > 3 * all)
    alternation->late = real_max(alternation->late, largest);
  return shk_ok();
}

static void alternation_finish(void *state, struct shk_outcome *outcome)
{
  const struct alternation *alternation = state;
  if (alternation->size == 0 || alternation->seen <= alternation->run->observations)
    return;
  shk_outcome_add_scalar(outcome, "alternation-early",
                         (double)(alternation->early / alternation->size));
  shk_outcome_add_scalar(outcome, "alternation-late",
                         (double)(alternation->late / alternation->size));
}

const struct shk_measure shk_measure_alternation = {.size = sizeof(struct alternation),
                                                    .applies = alternation_applies,
                                                    .create = alternation_create,
                                                    .observe = alternation_observe,
                                                    .finish = alternation_finish};
