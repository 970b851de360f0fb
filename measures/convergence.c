/*
 * Measures the convergence of the multiplier solver. It uses the residuals max|g| after a step from
 * the start with 1, 2, … SHK_ITERATES iterations (criterion=count).
 *
 *   convergence-defect  the unscaled residual after SHK_ITERATES iterations
 *   convergence-floor   eps max|q|²: a residual of at most 10³ floors is round-off and is not used
 *   convergence-order   the p for which log r_k = a - b (1 + p + … + p^(k-1)) is the best
 *                       least-squares fit to all residuals used: 1 if each iteration reduces the
 *                       residual by a constant factor, 2 if it doubles the number of correct
 *                       digits. The value is absent if fewer than three residuals are used or if
 *                       they follow no such law
 *
 * The fit uses all of these iterations, because three successive residuals can suggest any order.
 * The residuals of successive over-relaxation, for example, oscillate as they decrease, because its
 * iteration matrix has complex eigenvalues.
 */
#include "measures/structure.h"
#include "mechanics/system/manifold.h"

#define ROUNDINGS 1000
/* The law must explain more than this fraction of the variance of log r. */
#define EXPLAINED R(0.9)

/* Stores the logarithms of the residuals and returns their number. It stops before the first
 * residual that is at round-off, or when the residuals stop decreasing, that is, when one iteration
 * decreases them by less than a tenth of the previous decrease. */
static int usable_logarithms(real *logs, const real *residual, real floor)
{
  int count = 0;
  for (; count < SHK_ITERATES && residual[count] > ROUNDINGS * floor; count++)
    logs[count] = real_log(residual[count]);
  for (int k = 2; k < count - 1; k++) {
    const real before = (logs[0] - logs[k]) / (real)k,
               after = (logs[k] - logs[count - 1]) / (real)(count - 1 - k);
    if (after < before / 10)
      return k;
  }
  return count;
}

/* Returns the fraction of the variance of the logarithms that the law explains for this p, or 0 if
 * the fitted logarithms increase. */
static real variance_explained(const real *logs, int count, real p)
{
  real x[SHK_ITERATES], mean_x = 0, mean_y = 0, xx = 0, xy = 0, yy = 0;
  for (int k = 0; k < count; k++) {
    x[k] = k == 0 ? 0 : 1 + p * x[k - 1];
    mean_x += x[k] / (real)count;
    mean_y += logs[k] / (real)count;
  }
  for (int k = 0; k < count; k++) {
    const real dx = x[k] - mean_x, dy = logs[k] - mean_y;
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  return xy < 0 ? xy * xy / (xx * yy) : 0;
}

/* Returns the order, between 1/2 and 4 and rounded to the nearest hundredth, or 0 if no order
 * fits. */
static real order_of(const real *logs, int count)
{
  real best = 0, most = EXPLAINED;
  for (int i = 50; i <= 400; i++) {
    const real p = (real)i / 100, part = variance_explained(logs, count, p);
    if (part > most) {
      most = part;
      best = p;
    }
  }
  return best;
}

static struct shk_status measure_convergence(struct shk_trial *trial)
{
  const struct shk_map *const first = trial->other;
  const struct shk_state *const start = first->start;
  struct shk_state *const reached = trial->state;
  const real q = real_max_norm(start->q, start->n), floor = REAL_EPSILON * q * q;
  /* 2m numbers: the residuals, followed by the hidden residuals */
  real residual[SHK_ITERATES], logs[SHK_ITERATES], *g;
  SHK_TRY(shk_reals(trial->evaluator.workspace, &g, 2 * (size_t)start->m));
  for (int k = 0; k < SHK_ITERATES; k++) {
    SHK_TRY(shk_map_step(&first[k], reached, start, first->step));
    SHK_TRY(shk_manifold_residuals(first->manifold, g, g + reached->m, reached->t, reached->q,
                                   reached->p));
    residual[k] = real_max_norm(g, reached->m);
  }
  shk_trial_add(trial, "defect", residual[SHK_ITERATES - 1]);
  shk_trial_add(trial, "floor", floor);
  const int count = usable_logarithms(logs, residual, floor);
  const real order = count >= 3 ? order_of(logs, count) : 0;
  if (order > 0)
    shk_trial_add(trial, "order", order);
  return shk_ok();
}

const struct shk_structure shk_structure_convergence = {
    .asks = {.others = SHK_WITH_COUNTS}, .states = 1, .measure = measure_convergence};
