/*
 * Newton's method for small dense systems with an analytic Jacobian, to the round-off of the
 * compilation. Judged by its corrections, since residuals of stages have no common scale.
 */
#include <shakedown/solve.h>

#include <stdlib.h>

#define HISTORY 64
#define PATIENCE 6

struct shk_newton {
  int size;
  long limit;
  real *F, *jacobian;
  int *pivots;
  double history[HISTORY];
  int history_count;
};

void shk_newton_destroy(struct shk_newton *w)
{
  if (w == NULL)
    return;
  free(w->F);
  free(w->jacobian);
  free(w->pivots);
  free(w);
}

struct shk_status shk_newton_create(struct shk_newton **newton, int size, long iterations)
{
  struct shk_newton *w = calloc(1, sizeof *w);
  *newton = w;
  if (w != NULL) {
    w->size = size;
    w->limit = iterations;
    w->F = malloc(((size_t)size + 1) * sizeof(real));
    w->jacobian = malloc(((size_t)size * (size_t)size + 1) * sizeof(real));
    w->pivots = malloc(((size_t)size + 1) * sizeof(int));
    if (w->F != NULL && w->jacobian != NULL && w->pivots != NULL)
      return shk_ok();
  }
  shk_newton_destroy(w);
  *newton = NULL;
  return shk_failure(SHK_NO_MEMORY, "no memory for Newton's method with %g unknowns", size, 0);
}

int shk_newton_history(const struct shk_newton *w, double *corrections, int limit)
{
  int count = w->history_count < HISTORY ? w->history_count : HISTORY;
  if (count > limit)
    count = limit;
  for (int i = 0; i < count; i++)
    corrections[i] = w->history[(w->history_count - count + i) % HISTORY];
  return count;
}

void shk_momentum_weights(real *weights, int n, real size_q, real size_p, real h,
                          const real *hessian)
{
  const real *H_pp = hessian + 2 * (size_t)n * (size_t)n + n;
  const real own = size_p > 0 ? size_p : 1, reach = (size_q > 0 ? size_q : 1) / real_fabs(h);
  for (int i = 0; i < n; i++) {
    const real inverse_mass = H_pp[(size_t)i * 2 * (size_t)n + (size_t)i];
    weights[i] = inverse_mass > 0 ? real_max(own, reach / inverse_mass) : own;
  }
}

struct shk_status shk_newton_solve(struct shk_newton *w, struct shk_evaluator *evaluator, real *x,
                                   int judged, const real *weights, shk_newton_function *function,
                                   void *user)
{
  /* Where corrections stop falling they are round-off, however much of it there is (an impulse
   * carries eps/h, which from rest is eps/h² of the momentum): Newton's own corrections do not
   * stall this low. Those towards a double root fall by half, and are not to pass for it. */
  const real half_digits = real_sqrt(REAL_EPSILON);
  const real stagnation = half_digits * real_sqrt(half_digits);
  real before = 0, least = 0;
  int since_least = 0;
  w->history_count = 0;
  for (long iteration = 0; iteration < w->limit; iteration++) {
    const struct shk_status status = function(user, w->F, w->jacobian, x);
    if (status.code != SHK_OK)
      return status;
    evaluator->work.factorizations++;
    evaluator->work.iterations++;
    if (!shk_lu_factor(w->jacobian, w->pivots, w->size))
      return shk_failure(SHK_SINGULAR, "the matrix of the implicit step is singular", 0, 0);
    shk_lu_solve(w->F, w->jacobian, w->pivots, w->size);
    for (int i = 0; i < w->size; i++) {
      x[i] -= w->F[i];
      if (i < judged)
        w->F[i] /= weights[i];
    }
    const real correction = real_max_norm(w->F, judged);
    w->history[w->history_count++ % HISTORY] = (double)correction;
    if (!real_isfinite(correction))
      return shk_failure(SHK_NOT_CONVERGED, "Newton's iteration for the implicit step diverged", 0,
                         0);
    if (correction <= REAL_EPSILON)
      return shk_ok();
    if (iteration > 0 && ((correction >= before / 2 && correction <= stagnation) ||
                          (correction >= before && correction <= half_digits)))
      return shk_ok();
    if (iteration == 0 || correction < least) {
      least = correction;
      since_least = 0;
    } else if (++since_least >= PATIENCE) {
      break;
    }
    before = correction;
  }
  return shk_failure(SHK_NOT_CONVERGED,
                     "Newton's iteration for the implicit step did not converge: correction %g "
                     "(limit of iterations %g)",
                     (double)before, (double)w->limit);
}
