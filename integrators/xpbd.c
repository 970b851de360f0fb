/*
 * Extended position-based dynamics of game engines. The equations below are one of the substeps, of
 * length h. The order is 1, and energy is dissipated. The iteration is nonlinear Gauss-Seidel along
 * the normals of the newest point. After few sweeps |g| is O(h²). Converged and with compliance 0,
 * it is the minimal displacement of shake-minimal-displacement(project-velocity=no), exactly so for
 * one anchored rod. A compliance is the inverse of a stiffness, and the limit is then the penalty
 * problem. Rows are visited in their order, so that permutations matter. Each visit evaluates all
 * rows.
 *
 * Forces Q without a potential belong to the prediction (1), like the external forces of algorithm
 * 1: at the position, velocity and time of the start of the substep. A damper of rate c = |M⁻¹ Q_v|
 * needs substeps h < 2/c to be stable.
 *
 * Where g depends on t, all sweeps evaluate it at the end of the substep, as Müller et al. set the
 * target of a driven joint (§3.4). The velocity (4) follows from the corrected positions, so that
 * G v + g_t = O(h).
 *
 * The constraint force is -Gᵀ lambda of the last substep; the source has the opposite sign, and h²
 * in lambda. `mu` is zero. For separable systems.
 *
 * Macklin, Müller & Chentanez, XPBD, MIG (2016), algorithm 1; Macklin et al., Small Steps in
 * Physics Simulation, SCA (2019), algorithm 1; Müller, Macklin, Chentanez, Jeschke & Kim, Comput.
 * Graph. Forum 39 (2020) 101.
 */

static const char equations[] =
    "v* = v0 + h M⁻¹ (Q(q0,v0,t0) - V_q(q0)),  x = q0 + h v*,  lambda = 0          (1)\n"
    "`iterations` times, for each row i in turn, at the newest x:\n"
    "dlambda = (g_i(x) - compliance lambda_i)/(h² G_i M⁻¹ G_iᵀ + compliance)       (2)\n"
    "x -= h² M⁻¹ G_i(x)ᵀ dlambda,  lambda_i += dlambda                             (3)\n"
    "q1 = x,  v1 = (x - q0)/h                                                      (4)\n"
    "Q are forces without a potential; g_i and G_i are at t0 + h\n";

#include <shakedown/plugin.h>

struct xpbd {
  struct shk_evaluator *evaluator;
  int n, m;
  long substeps, iterations;
  real compliance;
  real *force, *dq, *x, *G, *g; /* x = q0 + dq */
  struct shk_state middle;
};

/* Corrects dq and lambda for row i at q0 + dq, by (2) and (3). */
static struct shk_status correct_xpbd(struct xpbd *self, const struct shk_state *from, real *lambda,
                                      int i, real h)
{
  struct shk_evaluator *const e = self->evaluator;
  real entry = self->compliance;
  for (int k = 0; k < self->n; k++)
    self->x[k] = from->q[k] + (self->dq[k] + from->q_carry[k]);
  SHK_TRY(shk_constraint(e, self->g, from->t + h, self->x));
  SHK_TRY(shk_jacobian(e, self->G, from->t + h, self->x));
  for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++)
    entry += h * h * self->G[k] * shk_over_mass(e, self->G[k], e->columns[k]);
  if (!(entry > 0))
    return shk_failure(SHK_SINGULAR, "the gradient of constraint %g vanishes", i + 1, 0);
  const real change = (self->g[i] - self->compliance * lambda[i]) / entry;
  lambda[i] += change;
  for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++)
    self->dq[e->columns[k]] -= h * h * change * shk_over_mass(e, self->G[k], e->columns[k]);
  return shk_ok();
}

static struct shk_status substep_xpbd(struct xpbd *self, struct shk_state *to,
                                      const struct shk_state *from, real h)
{
  struct shk_evaluator *const e = self->evaluator;
  SHK_TRY(shk_gradient(e, self->force, from->t, from->q, from->p));
  for (int i = 0; i < self->n; i++)
    self->dq[i] = h * shk_over_mass(e, from->p[i] + (from->p_carry[i] - h * self->force[i]), i);
  shk_fill(to->lambda, 0, self->m);
  shk_fill(to->mu, 0, self->m);
  for (long k = 0; k < self->iterations; k++) {
    e->counters.iterations++;
    for (int i = 0; i < self->m; i++)
      SHK_TRY(correct_xpbd(self, from, to->lambda, i, h));
  }
  shk_move_q(to, from, self->dq);
  for (int i = 0; i < self->n; i++) {
    to->p[i] = e->system->mass[i] * (self->dq[i] / h);
    to->p_carry[i] = 0;
  }
  to->t = from->t + h;
  return shk_ok();
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct xpbd *self = method;
  const real part = h / (real)self->substeps;
  SHK_TRY(substep_xpbd(self, to, from, part));
  for (long k = 1; k < self->substeps; k++) {
    shk_state_copy(&self->middle, to);
    SHK_TRY(substep_xpbd(self, to, &self->middle, part));
  }
  return shk_ok();
}

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  return shk_bind_state(&((struct xpbd *)method)->middle, binding);
}

/* A fixed compliance is a force law of its own, so that the limit is another motion. */
static void claims_under(struct shk_claims *claims, const void *method)
{
  const struct xpbd *self = method;
  if (self->compliance == 0)
    return;
  claims->order_q = claims->order_p = claims->order_lambda_state = SHK_NO_ORDER;
  claims->local_order_q = claims->local_order_p = claims->order_lambda = SHK_NO_ORDER;
  claims->affine_equivariant = SHK_NO;
}

static const struct shk_option options[] = SHK_LIST(
    SHK_INTEGER(xpbd, substeps, "substeps", "1", "number of substeps per step", .minimum = "1",
                .maximum = "10000"),
    SHK_INTEGER(xpbd, iterations, "iterations", "10", "sweeps over the constraints per substep",
                .minimum = "1", .maximum = "100000"),
    SHK_REAL(xpbd, compliance, "compliance", "0", "inverse of the constraint stiffness",
             .minimum = "0"));

static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAYS(xpbd, (.n = 1), force, dq, x), SHK_ARRAY(xpbd, G, .entries = 1),
             SHK_ARRAY(xpbd, g, .m = 1));

static const struct shk_stated claims[] = SHK_LIST(
    SHK_ORDERS(1), SHK_LOCAL_ORDERS(2, 1), SHK_CLAIM(ORDER_LAMBDA, 1),
    SHK_CLAIM(SYMPLECTIC, SHK_NO), SHK_CLAIM(PRESYMPLECTIC, SHK_NO), SHK_CLAIM(SYMMETRIC, SHK_NO),
    SHK_CLAIM(KEEPS_MOMENTA, SHK_NO), SHK_CLAIM(ENERGY_BOUNDED, SHK_NO), SHK_CONSTRAINTS(SHK_NO),
    SHK_CLAIM(PERMUTATION_EQUIVARIANT, SHK_NO), SHK_CLAIM(AFFINE_EQUIVARIANT, SHK_NO),
    SHK_CLAIM(FORMULATION_INDEPENDENT, SHK_NO));

static const struct shk_integrator xpbd = {
    SHK_INTEGRATOR(xpbd, arrays, bind, step, claims_under),
    .info = {.name = "xpbd",
             .family = "structural and multibody dynamics",
             .summary = "extended position-based dynamics of game engines, with substeps",
             .equations = equations,
             .citation = "Macklin, Müller & Chentanez, XPBD, MIG (2016), algorithm 1; Macklin et "
                         "al., Small Steps in Physics Simulation, SCA (2019); Müller et al., "
                         "Comput. Graph. Forum 39 (2020) 101",
             .options = options,
             .supports = SHK_RHEONOMIC | SHK_FORCES,
             .claims = claims}};

SHK_PROVIDE(xpbd, .integrators = SHK_INTEGRATORS(&xpbd));
