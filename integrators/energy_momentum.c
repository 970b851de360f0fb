/*
 * The energy-momentum method with Gonzalez's discrete gradients. DV·d = V(q1) - V(q0) and Dg
 * d = g(q1) - g(q0) = 0, so that H is kept to round-off, whatever V and g are. The method is
 * symmetric but not symplectic. Momenta are kept if the additional terms along d vanish, as for
 * quadratic V and g; to keep all momenta, V and g would have to be given as functions of
 * invariants.
 *
 * lambda belongs to the middle of the step and oscillates about the exact multiplier by O(h), with
 * a sign that alternates from step to step and is not damped; the mean of two steps has order 2.
 * G(q1) M⁻¹ p1 alternates at O(h²). `lambda` and `mu` are both this lambda. V(q,t) is evaluated at
 * the middle. The term along d, of order h³, is left out if d is so small that rounding of V would
 * dominate it. For separable systems.
 *
 * A row of g(q,t) moves in a step if g_t(q½,t½) is not zero. Its discrete derivative is one in the
 * space of (q,t), and the correction is in the part by time: Dg = G(q½,t½) and D_t g = -Dg·d/h =
 * g_t + O(h²), so that Dg·d + h D_t g = g(q1,t1) - g(q0,t0) = 0. For all other rows it is along d,
 * and D_t g = 0. H then changes by h lambda·D_t g to round-off, which is the work of the motors
 * (Betsch & Steinmann). A correction of moving rows along d would be singular where a motor turns
 * back while everything is at rest. Neither form depends on how g is written.
 *
 * Forces Q without a potential act at the middle, with the velocity d/h, which is also the mean of
 * v0 and v1, as in the midpoint rule. Their work Q½·d also changes H to round-off, and a damper
 * never adds energy (Uhlar & Betsch). Like those of V, the derivatives of Q are left out of the
 * matrix of Newton's method, so that it contracts by h/2 |M⁻¹ Q_v|, within the constraints: a
 * damper that is stiffer than that needs a smaller step.
 *
 * Gonzalez, J. Nonlinear Sci. 6 (1996) 449; Gonzalez, Physica D 132 (1999) 165; Betsch & Steinmann,
 * Int. J. Numer. Methods Eng. 53 (2002) 2271; Betsch, Comput. Methods Appl. Mech. Eng. 194 (2005)
 * 5159; Uhlar & Betsch, Comput. Struct. 88 (2010) 737.
 */

static const char equations[] =
    "M d/h = ½ (p0+p1),  d = q1-q0,  q½ = q0 + d/2                                 (1)\n"
    "(p1-p0)/h = Q½ - DV(q0,q1) - Dg(q0,q1)ᵀ lambda,  g(q1,t1) = 0                 (2)\n"
    "DV = V_q(q½) + (V(q1) - V(q0) - V_q(q½)·d)/(d·d) d                            (3)\n"
    "each row of Dg likewise from g and G, or G(q½,t½) if g_t(q½,t½) is not 0;  D_t g = -Dg d/h\n"
    "Q½ = Q(q½,d/h,t½), forces without a potential;  t½ = t0 + h/2\n";

#include "integrators/kit/normals.h"
#include <shakedown/plugin.h>

struct conserving {
  struct shk_evaluator *evaluator;
  int n, m;
  struct shk_normals solve;
  const struct shk_state *from;
  real h;
  /* n; `force` is DV - Q½, and `rest` is a momentum of zero */
  real *q, *middle, *force, *dp, *rest;
  real *p, *push; /* n: M d/h, Q½ */
  real *along;    /* m: Dg = G(q½) + along dᵀ */
  real *rate;     /* m: g_t(q½,t½) */
};

/* Stores the factor of d in DV in *share, and the rounding of DV by that term in *noise. */
static struct shk_status share_of_d(struct conserving *self, real *share, real *noise, real square)
{
  struct shk_evaluator *const e = self->evaluator;
  const real t = self->from->t + self->h / 2, size = real_max_norm(self->from->q, self->n);
  real before, after;
  *share = *noise = 0;
  if (square <= real_pow(REAL_EPSILON, R(2.0) / 3) * size * size)
    return shk_ok();
  SHK_TRY(shk_hamiltonian(e, &before, t, self->from->q, self->rest));
  SHK_TRY(shk_hamiltonian(e, &after, t, self->q, self->rest));
  SHK_TRY(shk_force(e, self->push, t, self->middle, self->p));
  const real work = real_dot(self->push, self->solve.d, self->n);
  *share = (after - before - (real_dot(self->force, self->solve.d, self->n) + work)) / square;
  *noise = REAL_EPSILON * (real_fabs(after) + real_fabs(before)) / real_sqrt(square);
  return shk_ok();
}

/* Evaluates (3), for q0 and q1 on the constraint: stores DV - Q½ in force, G(q½) in solve.normal,
 * and the column a of Dg = G(q½) + a dᵀ in along. */
static struct shk_status discrete_gradients(struct conserving *self)
{
  struct shk_evaluator *const e = self->evaluator;
  const real t = self->from->t + self->h / 2, *const d = self->solve.d;
  const real square = real_dot(d, d, self->n);
  real share, noise, lightest = e->system->mass[0];
  for (int i = 0; i < self->n; i++)
    self->p[i] = e->system->mass[i] * (d[i] / self->h);
  SHK_TRY(shk_gradient(e, self->force, t, self->middle, self->p));
  SHK_TRY(shk_jacobian(e, self->solve.normal, t, self->middle));
  SHK_TRY(shk_constraint_rate(e, self->rate, t, self->middle));
  SHK_TRY(share_of_d(self, &share, &noise, square));
  shk_vector_add(self->force, share, d, self->n);
  shk_jacobian_times(e, self->along, self->solve.normal, d);
  for (int i = 0; i < self->m; i++)
    self->along[i] = square > 0 && self->rate[i] == 0 ? -self->along[i] / square : 0;
  for (int i = 1; i < self->n; i++)
    lightest = real_min(lightest, e->system->mass[i]);
  const real scale = real_max(real_max_norm(self->from->q, self->n), REAL_SMALLEST);
  self->solve.iteration.rounding =
      real_max(REAL_EPSILON, self->solve.c * noise / (lightest * scale));
  return shk_ok();
}

/* Evaluates (2), stores p1 - p0 in dp, and stores the residual of (1) times h M⁻¹. */
static struct shk_status evaluate(void *method, const real *lambda)
{
  struct conserving *self = method;
  struct shk_evaluator *const e = self->evaluator;
  const struct shk_state *const from = self->from;
  const real h = self->h, *const d = self->solve.d;
  for (int i = 0; i < self->n; i++) {
    self->middle[i] = from->q[i] + (d[i] / 2 + from->q_carry[i]);
    self->q[i] = from->q[i] + (d[i] + from->q_carry[i]);
  }
  SHK_TRY(shk_constraint(e, self->solve.g, from->t + h, self->q));
  SHK_TRY(shk_jacobian(e, self->solve.g_d, from->t + h, self->q));
  SHK_TRY(discrete_gradients(self));
  shk_vector_scaled(self->dp, -h, self->force, self->n);
  shk_jacobian_transposed_add(e, self->dp, self->solve.normal, -h, lambda);
  shk_vector_add(self->dp, -h * real_dot(self->along, lambda, self->m), d, self->n);
  for (int i = 0; i < self->n; i++)
    self->solve.r[i] =
        h * shk_over_mass(e, from->p[i] + (self->dp[i] / 2 + from->p_carry[i]), i) - d[i];
  return shk_ok();
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct conserving *self = method;
  self->from = from;
  self->h = h;
  self->solve.c = h * h / 2;
  for (int i = 0; i < self->n; i++)
    self->solve.d[i] = h * shk_over_mass(self->evaluator, from->p[i], i);
  shk_copy(to->lambda, from->lambda, self->m);
  SHK_TRY(shk_normals_solve(&self->solve, self->evaluator, from, to->lambda, evaluate, self));
  shk_copy(to->mu, to->lambda, self->m);
  shk_vector_add(self->solve.d, 1, self->solve.r, self->n);
  shk_move_q(to, from, self->solve.d);
  shk_move_p(to, from, self->dp);
  return shk_ok();
}

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  return shk_bind_linear(&((struct conserving *)method)->solve.linear, binding, NULL);
}

static const struct shk_option options[] = SHK_LIST(SHK_NORMALS_OPTION(conserving, solve));

static const struct shk_array arrays[] =
    SHK_LIST(SHK_NORMALS_ARRAYS(conserving, solve),
             SHK_ARRAYS(conserving, (.n = 1), q, middle, force, dp, rest, p, push),
             SHK_ARRAYS(conserving, (.m = 1), along, rate));

static const struct shk_stated claims[] = SHK_LIST(
    SHK_ORDERS(2), SHK_LOCAL_ORDERS(3, 2), SHK_TWO_MULTIPLIERS, SHK_CLAIM(SYMPLECTIC, SHK_NO),
    SHK_CLAIM(PRESYMPLECTIC, SHK_NO), SHK_CLAIM(SYMMETRIC, SHK_YES),
    SHK_CLAIM(KEEPS_ENERGY, SHK_YES), SHK_CLAIM(ENERGY_BOUNDED, SHK_YES),
    SHK_CLAIM(KEEPS_MOMENTA, SHK_NO), SHK_CLAIM(KEEPS_CONSTRAINT, SHK_YES),
    SHK_CLAIM(KEEPS_HIDDEN, SHK_NO), SHK_COORDINATES(SHK_YES));

static const struct shk_integrator energy_momentum = {
    SHK_INTEGRATOR(conserving, arrays, bind, step, NULL),
    .info = {.name = "energy-momentum",
             .family = "structural and multibody dynamics",
             .summary = "discrete gradients of V and g: the energy to round-off",
             .equations = equations,
             .citation = "Gonzalez, J. Nonlinear Sci. 6 (1996) 449; Gonzalez, Physica D 132 (1999) "
                         "165; Betsch & Steinmann, Int. J. Numer. Methods Eng. 53 (2002) 2271; "
                         "Betsch, Comput. Methods Appl. Mech. Eng. 194 (2005) 5159; Uhlar & "
                         "Betsch, Comput. Struct. 88 (2010) 737",
             .options = options,
             .supports = SHK_RHEONOMIC | SHK_FORCES,
             .claims = claims}};

SHK_PROVIDE(energy_momentum, .integrators = SHK_INTEGRATORS(&energy_momentum));
