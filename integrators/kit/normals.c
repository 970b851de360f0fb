/* Solves for steps with multipliers along normals. See normals.h. */
#include "integrators/kit/normals.h"
#include <shakedown/iteration.h>

/* Once a correction has stopped decreasing, it counts as round-off if it is below this many eps. */
#define ROUND_OFF 100

static const struct shk_iteration_rule rule = {
    .stops = SHK_BY_CORRECTION,
    .diverged = "the equations of the step diverge" SHK_TRY_SMALLER_STEP,
    .stopped = "the equations of the step do not converge: correction %g" SHK_TRY_SMALLER_STEP,
    .at_limit = "the equations of the step reached the iteration limit: correction %g (limit "
                "%g)" SHK_TRY_SMALLER_STEP};

void shk_normals_subtract(const struct shk_evaluator *e, real *x, real *scratch, real factor,
                          const real *G, const real *lambda)
{
  const int n = e->system->n;
  shk_fill(scratch, 0, n);
  shk_jacobian_transposed_add(e, scratch, G, factor, lambda);
  for (int i = 0; i < n; i++)
    x[i] -= shk_over_mass(e, scratch[i], i);
}

/* Far from the constraint, and at points where it has no normals, corrections can vanish although
 * the equations do not hold. */
static bool is_solution(const struct shk_normals *self, const struct shk_evaluator *e, real scale)
{
  const real most = real_sqrt(REAL_EPSILON) * scale;
  return real_max_norm(self->r, e->system->n) <= most &&
         real_max_norm(self->g, e->system->m) <=
             most * real_max_norm(self->g_d, e->row_start[e->system->m]);
}

struct shk_status shk_normals_solve(struct shk_normals *self, struct shk_evaluator *e,
                                    const struct shk_state *from, real *lambda,
                                    shk_normals_equations *equations, void *method)
{
  const int n = from->n, m = from->m;
  const real scale = real_max(real_max_norm(from->q, n), REAL_SMALLEST / REAL_EPSILON);
  e->solving = &self->iteration;
  shk_iteration_begin(&self->iteration, &rule, REAL_EPSILON);
  for (;;) {
    SHK_TRY(equations(method, lambda));
    if (self->iteration.converged)
      return is_solution(self, e, scale)
                 ? shk_ok()
                 : shk_failure(SHK_NOT_CONVERGED,
                               "the iteration ended without solving the equations: max|g| = %g, "
                               "residual %g" SHK_TRY_SMALLER_STEP,
                               (double)real_max_norm(self->g, m),
                               (double)real_max_norm(self->r, n));
    e->counters.factorizations++;
    e->counters.iterations++;
    shk_jacobian_times(e, self->change, self->g_d, self->r);
    SHK_TRY(shk_linear_factor(self->linear,
                              shk_linear_symmetric_only(self->linear) ? self->normal : self->g_d,
                              self->normal));
    for (int i = 0; i < m; i++)
      self->change[i] += self->g[i];
    shk_linear_solve(self->linear, self->change);
    for (int i = 0; i < m; i++) {
      self->change[i] /= self->c;
      lambda[i] += self->change[i];
    }
    shk_normals_subtract(e, self->r, self->scratch, self->c, self->normal, self->change);
    shk_vector_add(self->d, 1, self->r, n);
    SHK_TRY(shk_iteration_next(&self->iteration, real_max_norm(self->r, n) / scale));
  }
}
