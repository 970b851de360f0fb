/* Steps with multipliers along normals. See normals.h. */
#include "integrators/kit/normals.h"
#include <shakedown/iteration.h>

/* A correction that has stopped falling is round-off below this many eps. */
#define ROUND_OFF 100

static const struct shk_iteration_rule rule = {
    .stops = SHK_BY_CORRECTION,
    .diverged = "the equations of the step diverge" SHK_TRY_SMALLER_STEP,
    .stopped = "the equations of the step do not converge: correction %g" SHK_TRY_SMALLER_STEP,
    .limit = "the equations of the step met the limit of iterations: correction %g (limit "
             "%g)" SHK_TRY_SMALLER_STEP};

void shk_normals_subtract(const struct shk_evaluator *e, real *x, real *work, real factor,
                          const real *G, const real *lambda)
{
  const int n = e->system->n;
  shk_fill(work, 0, n);
  shk_jacobian_transposed_add(e, work, G, factor, lambda);
  for (int i = 0; i < n; i++)
    x[i] -= shk_over_mass(e, work[i], i);
}

/* Corrections can vanish where the equations do not hold: far off the constraint, or where it has
 * no normals. */
static bool is_solution(const struct shk_normals *w, const struct shk_evaluator *e, real scale)
{
  const real most = real_sqrt(REAL_EPSILON) * scale;
  return real_max_norm(w->r, e->system->n) <= most &&
         real_max_norm(w->g, e->system->m) <=
             most * real_max_norm(w->A, e->row_start[e->system->m]);
}

struct shk_status shk_normals_solve(struct shk_normals *w, struct shk_evaluator *e,
                                    const struct shk_state *from, real *lambda,
                                    shk_normals_equations *equations, void *method)
{
  const int n = from->n, m = from->m;
  const real scale = real_max(real_max_norm(from->q, n), REAL_SMALLEST / REAL_EPSILON);
  e->solving = &w->iteration;
  shk_iteration_begin(&w->iteration, &rule, REAL_EPSILON);
  for (;;) {
    SHK_TRY(equations(method, lambda));
    if (w->iteration.converged)
      return is_solution(w, e, scale)
                 ? shk_ok()
                 : shk_failure(SHK_NOT_CONVERGED,
                               "the iteration ended off the equations: max|g| = %g, residual "
                               "%g" SHK_TRY_SMALLER_STEP,
                               (double)real_max_norm(w->g, m), (double)real_max_norm(w->r, n));
    e->work.factorizations++;
    e->work.iterations++;
    shk_jacobian_times(e, w->change, w->A, w->r);
    SHK_TRY(shk_linear_factor(w->linear, shk_linear_symmetric_only(w->linear) ? w->B : w->A, w->B));
    for (int i = 0; i < m; i++)
      w->change[i] += w->g[i];
    shk_linear_solve(w->linear, w->change);
    for (int i = 0; i < m; i++) {
      w->change[i] /= w->c;
      lambda[i] += w->change[i];
    }
    shk_normals_subtract(e, w->r, w->work, w->c, w->B, w->change);
    shk_vector_add(w->d, 1, w->r, n);
    SHK_TRY(shk_iteration_next(&w->iteration, real_max_norm(w->r, n) / scale));
  }
}
