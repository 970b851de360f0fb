/*
 * The M-orthogonal projection of positions onto g = 0 (see ode.h for the equations). Corrections
 * are added to the increment of the step before this increment is added to the position, so that
 * compensated summation remains effective.
 *
 * Since the normals are evaluated at each iterate, the iteration converges linearly. The rate is
 * the ratio of the displacement to the radius of curvature, so the iteration fails if the two are
 * of similar size.
 *
 * Source: Hairer, Lubich & Wanner, GNI, §IV.4 and eq. (VII.1.8); Lubich, Computing 44 (1990).
 */
#include "integrators/kit/ode.h"
#include "mechanics/algebra/iteration.h"
#include <shakedown/iteration.h>

/* Convergence is judged by the changes in q, but the iteration history contains the residuals. */
static const struct shk_iteration_rule rule = {
    /* until the corrections to the position are at most half a rounding error */
    .stops = {R(0.5), 64, R(0.5), 1, 0},
    .diverged = "the projection of the position diverged" SHK_TRY_SMALLER_STEP};

struct shk_orthogonal {
  struct shk_evaluator *evaluator;
  struct shk_linear *linear;
  bool general;
  real tolerance;
  real *change, *correction, *before; /* m, n, n */
  struct shk_iteration iteration;
};

static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAY(shk_orthogonal, change, .m = 1),
             SHK_ARRAYS(shk_orthogonal, (.n = 1), correction, before));

struct shk_status shk_bind_orthogonal(struct shk_orthogonal **created,
                                      const struct shk_binding *binding)
{
  const struct shk_values *options = binding->options;
  struct shk_orthogonal *orthogonal = *created =
      shk_part(binding->workspace, sizeof *orthogonal, arrays, binding->evaluator);
  SHK_TRY(shk_allocated(orthogonal));
  orthogonal->evaluator = binding->evaluator;
  orthogonal->general = shk_is_general(orthogonal->evaluator->system);
  orthogonal->tolerance = shk_values_real(options, "tolerance");
  orthogonal->iteration.limit = shk_values_integer(options, "iterations");
  return shk_bind_linear(&orthogonal->linear, binding, options);
}

/* A projection within a step between two states. */
struct task {
  struct shk_state *to;
  const struct shk_state *from;
  real *dq, *lambda, *G1;
};

/* Stores q1 = q + dq + correction, with its carry. */
static void move_orthogonal(const struct shk_orthogonal *orthogonal, const struct task *task)
{
  struct shk_state *const to = task->to;
  for (int i = 0; i < to->n; i++) {
    to->q[i] = task->from->q[i];
    to->q_carry[i] = task->from->q_carry[i];
    real_accumulate(&to->q[i], &to->q_carry[i], task->dq[i] + orthogonal->correction[i]);
  }
}

/* Stores factor W G1ᵀ x in `out` (n). */
static void along_normals(const struct shk_orthogonal *orthogonal, real *out, const real *G1,
                          real factor, const real *x)
{
  const struct shk_evaluator *e = orthogonal->evaluator;
  shk_fill(out, 0, e->system->n);
  shk_jacobian_transposed_add(e, out, G1, factor, x);
  for (int i = 0; !orthogonal->general && i < e->system->n; i++)
    out[i] /= e->system->mass[i];
}

/* Corrects lambda and q1 by a linear solve. On entry, `change` contains the right-hand side, g. */
static struct shk_status improve_multipliers(struct shk_orthogonal *orthogonal,
                                             const struct task *task)
{
  struct shk_evaluator *e = orthogonal->evaluator;
  e->counters.iterations++;
  SHK_TRY(shk_factor_in_metric(orthogonal->linear, e, task->G1, NULL));
  shk_linear_solve(orthogonal->linear, orthogonal->change);
  shk_vector_add(task->lambda, 1, orthogonal->change, e->system->m);
  const int n = e->system->n;
  real change = 0;
  shk_copy(orthogonal->before, orthogonal->correction, n);
  along_normals(orthogonal, orthogonal->correction, task->G1, -1, task->lambda);
  for (int i = 0; i < n; i++)
    change = real_max(change, real_fabs(orthogonal->correction[i] - orthogonal->before[i]));
  along_normals(orthogonal, orthogonal->before, task->G1, 1, orthogonal->change);
  const real step = real_max_norm(orthogonal->before, n);
  move_orthogonal(orthogonal, task);
  const real size = real_max_norm(task->to->q, n);
  orthogonal->iteration.rounding = REAL_EPSILON * size;
  SHK_TRY(shk_iteration_decide(&orthogonal->iteration, change));
  /* Far from the constraint, new normals may cancel the effect of the new multiplier, so that q1
   * does not change. */
  if (step > real_sqrt(REAL_EPSILON) * size)
    orthogonal->iteration.converged = false;
  return shk_ok();
}

struct shk_status shk_orthogonal_stage(struct shk_orthogonal *orthogonal, struct shk_state *to,
                                       const struct shk_state *from, real h, real *dq, real *lambda,
                                       real *G1)
{
  const struct task task = {to, from, dq, lambda, G1};
  const real t1 = from->t + h;
  struct shk_evaluator *e = orthogonal->evaluator;
  const int n = e->system->n, m = e->system->m;
  real residual = 0;
  shk_fill(orthogonal->correction, 0, n);
  shk_fill(lambda, 0, m);
  e->solving = &orthogonal->iteration;
  shk_iteration_begin(&orthogonal->iteration, &rule, 0);
  move_orthogonal(orthogonal, &task);
  while (orthogonal->iteration.count < orthogonal->iteration.limit) {
    SHK_TRY(shk_constraint(e, orthogonal->change, t1, to->q));
    SHK_TRY(shk_jacobian(e, G1, t1, to->q));
    residual = real_max_norm(orthogonal->change, m);
    shk_iteration_note(&orthogonal->iteration, residual);
    if (!real_isfinite(residual))
      break;
    const bool near = orthogonal->tolerance > 0 && residual <= orthogonal->tolerance;
    if (!near)
      SHK_TRY(improve_multipliers(orthogonal, &task));
    if (!near && !orthogonal->iteration.converged)
      continue;
    for (int i = 0; i < n; i++) /* the increment from q to q1 */
      dq[i] += orthogonal->correction[i];
    /* if `near` is true, G1 is G(q1); otherwise, q1 has been corrected since G1 was evaluated */
    return near ? shk_ok() : shk_jacobian(e, G1, t1, to->q);
  }
  return shk_failure(SHK_NOT_CONVERGED,
                     "the projection of the position did not converge: max|g| = "
                     "%g" SHK_TRY_SMALLER_STEP,
                     (double)residual, 0);
}
