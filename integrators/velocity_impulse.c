/*
 * The step of rigid-body engines (Open Dynamics Engine, Bullet): semi-implicit Euler with impulses
 * on the velocities, and the position error fed back as a velocity, v = M⁻¹ p.
 *
 * Forces Q without a potential are impulses h Q of the position, velocity and time at the start of
 * the step, like those of V, so that (1) and (2) stay linear (Anitescu & Potra). A damper of rate
 * c = |M⁻¹ Q_v| needs h < 2/c to be stable.
 *
 * Where g depends on t, (2) is the linearization of g(q1,t1) in q and t at the start of the step.
 * -g_t is then the given velocity of a motor, like the right side of its constraint in ODE.
 *
 * erp, the error reduction parameter, is the fraction of g that a step removes. cfm, the constraint
 * force mixing, makes the constraint soft, and keeps (h J M⁻¹Jᵀ + cfm) lambda = J v* + g_t + erp
 * g(q0)/h with v* = v0 + h M⁻¹ (Q0 - V_q) regular where constraints are redundant. These equations
 * are linear.
 *
 * The order is 1. The constraint is violated by |g| -> h² g''/(2 erp), because every step adds h²/2
 * g'', g'' = g_qq[v,v] + 2 g_qt v + g_tt, and G v + g_t = O(h). In step n, lambda lacks the part
 * (1-erp)ⁿ of its centripetal term, so that no order of lambda is claimed. The constraint force is
 * -Gᵀ lambda; `mu` is zero. The matrix is dense, as with the engines' direct solvers.
 *
 * Smith, Open Dynamics Engine User Guide (2006), §3.8; Catto, Iterative Dynamics with Temporal
 * Coherence, Game Developers Conference (2005); Anitescu & Potra, Nonlinear Dyn. 14 (1997) 231.
 */

static const char equations[] =
    "v1 = v0 + h M⁻¹ (Q0 - V_q(q0) - Jᵀ lambda),  J = G(q0)                        (1)\n"
    "J v1 + g_t(q0) - cfm lambda = -erp g(q0)/h                                    (2)\n"
    "q1 = q0 + h v1                                                                (3)\n"
    "Q0 = Q(q0,v0,t0), forces without a potential; g and its derivatives are at t0\n";

#include "integrators/kit/stage_matrix.h"
#include <shakedown/plugin.h>

struct impulse {
  struct shk_evaluator *evaluator;
  int n, m;
  real erp, cfm;
  real *dp, *v, *scratch; /* n */
  real *J, *K;            /* entries; m x m */
};

/* Solves (h J M⁻¹Jᵀ + cfm) lambda = rate in place, by (2). cfm has the sign of h. */
static struct shk_status solve_velocity_impulse(struct impulse *self, real *rate, real h)
{
  const int m = self->m;
  const struct shk_evaluator *const e = self->evaluator;
  for (int i = 0; i < m; i++) {
    real *const row = self->K + (size_t)i * (size_t)m;
    shk_weighted_row(e, row, self->J, i, self->J, self->scratch);
    for (int j = 0; j < m; j++)
      row[j] *= h;
    row[i] += h < 0 ? -self->cfm : self->cfm;
    if (h < 0)
      for (int j = 0; j < m; j++)
        row[j] = -row[j];
  }
  self->evaluator->counters.factorizations++;
  if (!shk_cholesky_factor(self->K, m))
    return shk_failure(SHK_SINGULAR, "the matrix h G M⁻¹ Gᵀ + cfm is singular", 0, 0);
  shk_cholesky_solve(rate, self->K, m);
  for (int i = 0; i < m && h < 0; i++)
    rate[i] = -rate[i];
  return shk_ok();
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct impulse *self = method;
  struct shk_evaluator *const e = self->evaluator;
  SHK_TRY(shk_gradient(e, self->dp, from->t, from->q, from->p));
  SHK_TRY(shk_jacobian(e, self->J, from->t, from->q));
  SHK_TRY(shk_constraint(e, to->mu, from->t, from->q));
  for (int i = 0; i < self->n; i++) {
    self->dp[i] *= -h;
    self->v[i] = shk_over_mass(e, from->p[i] + (self->dp[i] + from->p_carry[i]), i);
  }
  SHK_TRY(shk_hidden_residual(e, to->lambda, self->J, from->t, from->q, self->v));
  for (int i = 0; i < self->m; i++)
    to->lambda[i] += self->erp * to->mu[i] / h;
  SHK_TRY(solve_velocity_impulse(self, to->lambda, h));
  shk_jacobian_transposed_add(e, self->dp, self->J, -h, to->lambda);
  for (int i = 0; i < self->n; i++)
    self->v[i] = h * shk_over_mass(e, from->p[i] + (self->dp[i] + from->p_carry[i]), i);
  shk_move_q(to, from, self->v);
  shk_move_p(to, from, self->dp);
  shk_fill(to->mu, 0, self->m);
  return shk_ok();
}

/* With erp = 0 the error of g is never reduced. A cfm has units, and therefore depends on
 * coordinates and on how g is written. */
static void claims_under(struct shk_claims *claims, const void *method)
{
  const struct impulse *self = method;
  if (self->cfm == 0 && self->erp > 0)
    return;
  claims->order_lambda = SHK_NO_ORDER;
  claims->order_q = claims->order_p = claims->order_lambda_state = SHK_NO_ORDER;
  if (self->cfm > 0) { /* as steps become small, the limit is another motion */
    claims->local_order_q = claims->local_order_p = SHK_NO_ORDER;
    claims->affine_equivariant = claims->formulation_independent = SHK_UNKNOWN;
  }
}

static const struct shk_option options[] = SHK_LIST(
    SHK_REAL(impulse, erp, "erp", "0.2", "fraction of g that a step removes", .minimum = "0",
             .maximum = "1"),
    SHK_REAL(impulse, cfm, "cfm", "0",
             "constraint force mixing, in the units of G v over those of lambda", .minimum = "0"));

static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAYS(impulse, (.n = 1), dp, v, scratch), SHK_ARRAY(impulse, J, .entries = 1),
             SHK_ARRAY(impulse, K, .mm = 1));

static const struct shk_stated claims[] =
    SHK_LIST(SHK_ORDERS(1), SHK_LOCAL_ORDERS(2, 1), SHK_CLAIM(SYMPLECTIC, SHK_NO),
             SHK_CLAIM(PRESYMPLECTIC, SHK_NO), SHK_CLAIM(SYMMETRIC, SHK_NO),
             SHK_CLAIM(KEEPS_MOMENTA, SHK_YES), SHK_CLAIM(ENERGY_BOUNDED, SHK_NO),
             SHK_CONSTRAINTS(SHK_NO), SHK_CLAIM(AFFINE_EQUIVARIANT, SHK_YES),
             SHK_CLAIM(FORMULATION_INDEPENDENT, SHK_NO), SHK_CLAIM(COMPENSATED, SHK_YES));

static const struct shk_integrator velocity_impulse = {
    SHK_INTEGRATOR(impulse, arrays, NULL, step, claims_under),
    .info = {.name = "velocity-impulse",
             .family = "structural and multibody dynamics",
             .summary = "the step of rigid-body engines: impulses, and g fed back as a velocity",
             .equations = equations,
             .citation = "Smith, Open Dynamics Engine User Guide (2006), §3.8; Catto, Iterative "
                         "Dynamics with Temporal Coherence, GDC (2005); Anitescu & Potra, "
                         "Nonlinear Dyn. 14 (1997) 231",
             .options = options,
             .supports = SHK_RHEONOMIC | SHK_FORCES,
             .claims = claims}};

SHK_PROVIDE(velocity_impulse, .integrators = SHK_INTEGRATORS(&velocity_impulse));
