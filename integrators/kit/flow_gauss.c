/*
 * Uses Gauss collocation (Hairer, Lubich & Wanner, GNI, §II.1.3) as a flow. With one stage, it is
 * the implicit midpoint rule. With f = (H_p, -H_q) and the state z,
 *
 *     Z_i = z0 + h Σ_j a_ij f(Z_j),      z1 = z0 + h Σ_j b_j f(Z_j)
 *
 * If the problem provides second derivatives of H, the increments h f(Z_i) are found by Newton's
 * method. For separable systems without second derivatives, a fixed-point iteration is used. Each
 * of its sweeps computes forces -> momenta -> positions -> forces. The error contracts like (h ω)²,
 * so the sweeps are unsuitable for stiff forces. Both methods iterate to round-off.
 */
#include "integrators/kit/flow.h"
#include <shakedown/iteration.h>

#include "integrators/kit/stage_matrix.h"
#include "mechanics/algebra/gauss.h"

enum { STAGES = 4, SWEEPS = 500 };

struct shk_gauss_flow {
  struct shk_evaluator *evaluator;
  int n, stages;
  real c[STAGES], b[STAGES], a[STAGES * STAGES];
  const real *y; /* initial state of the step, z0 */
  /* h f(Z_i), stages x 2n or, in sweeps, h V_q(Q_i) and h v_i, stages x n each */
  real *x;
  real *point, *rate; /* 2n */
  real *hessian, *weights;
  struct shk_newton *newton;
  real t, h;
  struct shk_iteration_rule rule; /* of sweeps */
  struct shk_iteration sweeps;
};

/* Once corrections have stopped decreasing, they count as round-off only if they are smaller than
 * eps^(3/4) times the kicks. */
static void set_rule(struct shk_iteration_rule *rule)
{
  const real root = real_sqrt(real_sqrt(REAL_EPSILON));
  *rule = (struct shk_iteration_rule){
      .stops = {1, 1 / root, 1, 2, 0},
      .diverged = "the stages of the implicit flow diverged" SHK_TRY_SMALLER_STEP,
      .at_limit = "the stages of the implicit flow did not converge: correction %g after %g "
                  "sweeps" SHK_TRY_SMALLER_STEP};
}

struct shk_status shk_bind_gauss_flow(struct shk_gauss_flow **created,
                                      const struct shk_binding *binding, int stages)
{
  struct shk_workspace *workspace = binding->workspace;
  const struct shk_system *system = binding->evaluator->system;
  const size_t n = (size_t)system->n, size = 2 * n * (size_t)stages;
  struct shk_gauss_flow *flow = *created = shk_memory(workspace, sizeof *flow);
  SHK_TRY(shk_allocated(flow));
  flow->evaluator = binding->evaluator;
  flow->n = (int)n;
  flow->stages = stages;
  flow->sweeps.limit = SWEEPS;
  set_rule(&flow->rule);
  shk_gauss_tableau(flow->c, flow->b, flow->a, stages);
  SHK_TRY(shk_reals(workspace, &flow->point, 2 * n));
  SHK_TRY(shk_reals(workspace, &flow->rate, 2 * n));
  SHK_TRY(shk_reals(workspace, &flow->x, size));
  if (!system->hessian && !shk_is_general(system))
    return shk_ok();
  SHK_TRY(shk_reals(workspace, &flow->weights, size));
  SHK_TRY(shk_reals(workspace, &flow->hessian, 4 * n * n));
  return shk_bind_newton(&flow->newton, binding, (int)size,
                         shk_values_integer(binding->options, "iterations"));
}

/* Returns Σ_j a_ij x_jk, where the rows x_j have length `size`. */
static real weighted_stages(const struct shk_gauss_flow *flow, int i, const real *x, int size,
                            int k)
{
  return shk_dot_strided(flow->a + i * flow->stages, x + k, size, flow->stages);
}

/* Stores the first `size` coordinates of z0 + Σ_j a_ij x_j in `point`. */
static void place_stage(struct shk_gauss_flow *flow, int i, const real *x, int size)
{
  for (int k = 0; k < size; k++)
    flow->point[k] = flow->y[k] + weighted_stages(flow, i, x, size, k);
}

/* Stores h f(point) in `rate`. */
static struct shk_status scaled_field(struct shk_gauss_flow *flow, real t)
{
  const int n = flow->n;
  SHK_TRY(shk_velocity(flow->evaluator, flow->rate, t, flow->point, flow->point + n));
  SHK_TRY(shk_gradient(flow->evaluator, flow->rate + n, t, flow->point, flow->point + n));
  for (int k = 0; k < n; k++) {
    flow->rate[k] *= flow->h;
    flow->rate[n + k] *= -flow->h;
  }
  return shk_ok();
}

/* Computes F_i = x_i - h f(z0 + Σ a_ij x_j), and its Jacobian δ_ij - h a_ij f'(Z_i), where f' is
 * [H_pq H_pp; -H_qq -H_qp]. */
static struct shk_status stages(void *user, real *F, real *entries, const real *x)
{
  struct shk_gauss_flow *flow = user;
  const int n = flow->n, s = flow->stages, block = 2 * n;
  const struct shk_stage_matrix J = shk_stage_matrix(entries, s * block);
  const real *H_q = flow->hessian, *H_p = H_q + (size_t)n * block;
  for (int i = 0; i < s; i++) {
    const real t = flow->t + flow->c[i] * flow->h;
    const int row = i * block;
    place_stage(flow, i, x, block);
    SHK_TRY(scaled_field(flow, t));
    SHK_TRY(shk_hessian(flow->evaluator, flow->hessian, t, flow->point, flow->point + n));
    for (int k = 0; k < block; k++)
      F[row + k] = x[row + k] - flow->rate[k];
    for (int j = 0; j < s; j++) {
      const real factor = flow->h * flow->a[i * s + j];
      for (int half = 0; half < block; half += n) {
        shk_add_block(J, row, j * block + half, -factor, H_p + half, block, n);
        shk_add_block(J, row + n, j * block + half, factor, H_q + half, block, n);
      }
    }
    shk_add_identity(J, row, row, block);
  }
  return shk_ok();
}

static struct shk_status solve_by_newton(struct shk_gauss_flow *flow, real *dq, real *dp)
{
  const int n = flow->n, s = flow->stages;
  const real size_q = shk_size_of(flow->y, n), size_p = shk_size_of(flow->y + n, n);
  shk_copy(flow->point, flow->y, 2 * n);
  SHK_TRY(scaled_field(flow, flow->t));
  for (int i = 0; i < s; i++)
    for (int k = 0; k < 2 * n; k++) {
      flow->x[i * 2 * n + k] = flow->rate[k];
      flow->weights[i * 2 * n + k] = k < n ? size_q : size_p;
    }
  SHK_TRY(shk_newton_solve(flow->newton, flow->evaluator, flow->x, 2 * n * s, flow->weights, stages,
                           flow));
  for (int i = 0; i < s; i++) {
    place_stage(flow, i, flow->x, 2 * n);
    SHK_TRY(scaled_field(flow, flow->t + flow->c[i] * flow->h));
    shk_vector_add(dq, flow->b[i], flow->rate, n);
    shk_vector_add(dp, flow->b[i], flow->rate + n, n);
  }
  return shk_ok();
}

/* Computes h times the velocities from the kicks x: h M⁻¹ (p0 - Σ_j a_ij x_j). */
static void stage_drifts(struct shk_gauss_flow *flow, real *drift, const real *kick)
{
  const real *mass = flow->evaluator->system->mass;
  for (int i = 0; i < flow->stages; i++)
    for (int k = 0; k < flow->n; k++)
      drift[i * flow->n + k] =
          flow->h * ((flow->y[flow->n + k] - weighted_stages(flow, i, kick, flow->n, k)) / mass[k]);
}

static struct shk_status solve_by_sweeps(struct shk_gauss_flow *flow, real *dq, real *dp)
{
  const int n = flow->n, s = flow->stages;
  real *const kick = flow->x, *const drift = flow->x + (size_t)s * (size_t)n;
  shk_fill(kick, 0, s * n);
  flow->evaluator->solving = &flow->sweeps;
  shk_iteration_begin(&flow->sweeps, &flow->rule, 0);
  for (;;) {
    real change = 0;
    stage_drifts(flow, drift, kick);
    for (int i = 0; i < s; i++) {
      place_stage(flow, i, drift, n);
      SHK_TRY(shk_gradient(flow->evaluator, flow->rate, flow->t + flow->c[i] * flow->h, flow->point,
                           NULL));
      for (int k = 0; k < n; k++) {
        const real now = flow->h * flow->rate[k];
        change = real_max(change, real_fabs(now - kick[i * n + k]));
        kick[i * n + k] = now;
      }
    }
    flow->evaluator->counters.iterations++;
    const real largest = real_max_norm(kick, s * n);
    flow->sweeps.rounding = REAL_EPSILON * largest;
    SHK_TRY(shk_iteration_next(&flow->sweeps, real_isfinite(largest) ? change : largest));
    if (flow->sweeps.converged)
      break;
  }
  stage_drifts(flow, drift, kick);
  for (int i = 0; i < s; i++) {
    shk_vector_add(dq, flow->b[i], drift + i * n, n);
    shk_vector_add(dp, -flow->b[i], kick + i * n, n);
  }
  return shk_ok();
}

struct shk_status shk_gauss_flow_step(struct shk_gauss_flow *flow, real *dq, real *dp, real t,
                                      const real *y, real h)
{
  flow->y = y;
  flow->t = t;
  flow->h = h;
  return flow->newton ? solve_by_newton(flow, dq, dp) : solve_by_sweeps(flow, dq, dp);
}
