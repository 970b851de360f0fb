/*
 * Convergence of the solve for the multipliers: the residual max|g| of a step from the start after
 * 1, 2, … SHK_ITERATES iterations, with criterion=count.
 *
 *   convergence-defect  the residual after SHK_ITERATES iterations, not scaled
 *   convergence-floor   eps max|q|²: a residual of at most 10³ floors is round-off and is not used
 *   convergence-order   log(r_k/r_{k-1}) / log(r_{k-1}/r_{k-2}) with r_k the last residual used: 1
 *                       where the residual falls by a factor, 2 where the number of correct digits
 *                       doubles. Absent unless at least three decreasing residuals are used
 */
#include "measures/structure.h"

#include "mechanics/system/state.h"

#define ROUNDINGS 1000

/* Returns the number of residuals up to the first that does not decrease or is round-off. */
static int used(const real *residual, real floor)
{
  int count = 0;
  while (count < SHK_ITERATES && residual[count] > ROUNDINGS * floor &&
         (count == 0 || residual[count] < residual[count - 1]))
    count++;
  return count;
}

static struct shk_status measure(struct shk_trial *trial)
{
  const struct shk_map *const first = trial->other;
  const struct shk_state *const start = first->start;
  struct shk_state *const reached = trial->state;
  const real q = real_max_norm(start->q, start->n), floor = REAL_EPSILON * q * q;
  real residual[SHK_ITERATES], *g; /* 2m: with the hidden residuals */
  SHK_TRY(shk_reals(trial->evaluator.workspace, &g, 2 * (size_t)start->m));
  for (int k = 0; k < SHK_ITERATES; k++) {
    SHK_TRY(shk_map_step(&first[k], reached, start, first->step));
    SHK_TRY(shk_manifold_residuals(first->manifold, g, g + reached->m, reached->t, reached->q,
                                   reached->p));
    residual[k] = real_max_norm(g, reached->m);
  }
  shk_trial_add(trial, "defect", residual[SHK_ITERATES - 1]);
  shk_trial_add(trial, "floor", floor);
  const int count = used(residual, floor);
  const real *const last = residual + count - 1;
  if (count >= 3)
    shk_trial_add(trial, "order", real_log(last[0] / last[-1]) / real_log(last[-1] / last[-2]));
  return shk_ok();
}

const struct shk_structure shk_structure_convergence = {
    .asks = {.others = SHK_WITH_COUNTS}, .states = 1, .measure = measure};
