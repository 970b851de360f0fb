/*
 * The generalized-α method of structural dynamics and multibody codes. HHT-α and Newmark's
 * trapezoidal rule are special choices of its parameters. Besides q and v = M⁻¹ p, a step carries
 * an acceleration-like variable a, which approximates q'' at t + (αm-αf) h. form=index3 leaves out
 * the terms in brackets below, so that G v = O(h²). form=ggl includes them, with the second
 * multiplier eta (Gear, Gupta & Leimkuhler). ρ is the spectral radius at infinity, which is between
 * 1/2 and 1 for hht.
 *
 * The start is part of the method: a0 = q''(t0 + (αm-αf) h) + O(h²). With index3, the first step
 * adds the normal part C h² M⁻¹Gᵀ A⁻¹ G q''' to v0, where A = G M⁻¹Gᵀ and C = 1/6 - β - (αm-αf)/2.
 * Without these, lambda has order 1 in a transient of about n² ρⁿ. `lambda` is lambda0, and `mu` is
 * lambda1. The method supports separable systems only. Sums of q and p are compensated.
 *
 * Forces Q without a potential are part of the balance (1) at the end of the step, like all forces
 * in Arnold & Brüls (§2). The iteration for d = q1 - q0 evaluates them at q0 + d and at the v1 that
 * (2) and (3) give for this d, as Newmark's methods do. Their derivatives, like those of V_q, are
 * left out of the iteration matrix. Within the constraints, the iteration therefore contracts by h
 * γ(1-αf)/(1-αm) |M⁻¹ Q_v|. A damper for which this factor is not below 1 needs a smaller step.
 *
 * Chung & Hulbert, J. Appl. Mech. 60 (1993) 371; Arnold & Brüls, Multibody Syst. Dyn. 18 (2007)
 * 185; Jay & Negrut, ETNA 26 (2007) 190; Arnold, Brüls & Cardona, Numer. Math. 129 (2015) 149.
 */

static const char equations[] =
    "(1-αm) a1 + αm a0 = (1-αf) q''1 + αf q''0,  M q''1 = Q1 - V_q(q1) - G(q1)ᵀ lambda1    (1)\n"
    "q1 = q0 + h v0 + h² ((½-β) a0 + β a1) [- h M⁻¹ G(q0)ᵀ eta],  g(q1) = 0                 (2)\n"
    "v1 = v0 + h ((1-γ) a0 + γ a1)         [G(q1) v1 + g_t = 0]                             (3)\n"
    "Q1 = Q(q1,v1,t1), forces without a potential\n"
    "[…] with form=ggl only; a0 = q''(t0 + (αm-αf) h) + O(h²) at the start\n"
    "generalized: αm = (2ρ-1)/(ρ+1), αf = ρ/(ρ+1);  hht: αm = 0, αf = (1-ρ)/(1+ρ);\n"
    "newmark: αm = αf = 0, γ = ½;  γ = ½ + αf - αm, β = ¼ (½+γ)²\n";

#include "integrators/kit/normals.h"
#include <shakedown/plugin.h>

enum { GENERALIZED, HHT, NEWMARK };
enum { INDEX3, GGL };

/* The data that a step passes on to the next step. */
struct alpha_memory {
  real *a, *acceleration; /* a and q'' */
  real *normal;           /* normal part of v at a start with form=index3, divided by h² */
  real *lambda;
};

static const struct shk_array memory[] =
    SHK_LIST(SHK_ARRAYS(alpha_memory, (.n = 1), a, acceleration, normal),
             SHK_ARRAY(alpha_memory, lambda, .m = 1));

struct alpha {
  struct shk_evaluator *evaluator;
  int n, m;
  int scheme, form;
  real rho, alpha_m, alpha_f, gamma, beta;
  struct shk_normals solve; /* solves for d = q1 - q0 and for lambda1 or eta */
  struct shk_linear *linear;
  struct shk_manifold *manifold;
  const struct shk_state *from;
  struct alpha_memory was; /* the memory of *from */
  real h;
  real *q, *p, *v, *force, *a1, *accelerated, *dv; /* n each; p is for Q, accelerated is q''1,
                                                    * dv is v1 - v0 */
  real *G0;
  real *lambda, *hidden; /* m */
};

static struct alpha_memory memory_of(const struct alpha *self, const struct shk_state *state)
{
  struct alpha_memory view;
  shk_view_memory(&view, memory, self, self->evaluator, state);
  return view;
}

/* Stores M⁻¹ (Q - V_q - Gᵀ lambda) at (t,q,p) in `out`, for the given G. */
static struct shk_status find_acceleration(struct alpha *self, real *out, real t, const real *q,
                                           const real *p, const real *G, const real *lambda)
{
  SHK_TRY(shk_gradient(self->evaluator, self->force, t, q, p));
  shk_jacobian_transposed_add(self->evaluator, self->force, G, 1, lambda);
  for (int i = 0; i < self->n; i++)
    out[i] = -shk_over_mass(self->evaluator, self->force[i], i);
  return shk_ok();
}

/* Stores a1 and v1 - v0, which follow from q''1 by (1) and (3). */
static void recur_acceleration(struct alpha *self)
{
  const struct alpha_memory was = self->was;
  for (int i = 0; i < self->n; i++) {
    self->a1[i] = ((1 - self->alpha_f) * self->accelerated[i] +
                   self->alpha_f * was.acceleration[i] - self->alpha_m * was.a[i]) /
                  (1 - self->alpha_m);
    self->dv[i] = self->h * (self->h * was.normal[i] +
                             ((1 - self->gamma) * was.a[i] + self->gamma * self->a1[i]));
  }
}

/* Finds the lambda1 for which v1 satisfies the hidden constraint at q. The equation is linear, and
 * its solution is corrected twice. */
static struct shk_status constrain_velocity(struct alpha *self, real t1)
{
  struct shk_evaluator *const e = self->evaluator;
  const real factor = self->h * self->gamma * (1 - self->alpha_f) / (1 - self->alpha_m);
  e->counters.factorizations++;
  SHK_TRY(shk_linear_factor(self->linear, self->solve.g_d, self->solve.g_d));
  for (int k = 0; k < 3; k++) {
    SHK_TRY(find_acceleration(self, self->accelerated, t1, self->q, self->p, self->solve.g_d,
                              self->lambda));
    recur_acceleration(self);
    for (int i = 0; i < self->n; i++)
      self->v[i] = shk_over_mass(e, self->from->p[i] + self->from->p_carry[i], i) + self->dv[i];
    SHK_TRY(shk_hidden_residual(e, self->hidden, self->solve.g_d, t1, self->q, self->v));
    shk_linear_solve(self->linear, self->hidden);
    for (int i = 0; i < self->m; i++)
      self->lambda[i] += self->hidden[i] / factor;
  }
  return shk_ok();
}

/* Stores M v1, at which Q is evaluated, in p. v1 is given by (3), with the a1 that (2) gives for
 * this d and eta. `eta` is NULL if there is none. */
static void find_momentum(struct alpha *self, const real *eta)
{
  struct shk_evaluator *const e = self->evaluator;
  const struct shk_state *const from = self->from;
  const real h = self->h, ratio = self->gamma / self->beta;
  shk_copy(self->v, self->solve.d, self->n);
  if (eta)
    shk_normals_subtract(e, self->v, self->force, -h, self->G0, eta);
  for (int i = 0; i < self->n; i++) {
    const real a0 = self->was.a[i];
    const real v0 = shk_over_mass(e, from->p[i], i) + h * h * self->was.normal[i];
    const real h_a1_beta = self->v[i] / h - v0 - h * (R(0.5) - self->beta) * a0;
    self->p[i] = e->system->mass[i] * (v0 + h * (1 - self->gamma) * a0 + ratio * h_a1_beta);
  }
}

/* Evaluates (1), (3), and the residuals of (2). `multiplier` is lambda1, or eta with form=ggl. */
static struct shk_status evaluate(void *method, const real *multiplier)
{
  struct alpha *self = method;
  struct shk_evaluator *const e = self->evaluator;
  const struct shk_state *const from = self->from;
  const struct alpha_memory was = self->was;
  const real h = self->h, t1 = from->t + h;
  for (int i = 0; i < self->n; i++)
    self->q[i] = from->q[i] + (self->solve.d[i] + from->q_carry[i]);
  SHK_TRY(shk_constraint(e, self->solve.g, t1, self->q));
  SHK_TRY(shk_jacobian(e, self->solve.g_d, t1, self->q));
  shk_copy(self->solve.normal, self->form == GGL ? self->G0 : self->solve.g_d,
           e->row_start[self->m]);
  find_momentum(self, self->form == GGL ? multiplier : NULL);
  if (self->form == GGL) {
    SHK_TRY(constrain_velocity(self, t1));
  } else {
    SHK_TRY(find_acceleration(self, self->accelerated, t1, self->q, self->p, self->solve.g_d,
                              multiplier));
    recur_acceleration(self);
  }
  for (int i = 0; i < self->n; i++) {
    const real v0 = shk_over_mass(e, from->p[i] + from->p_carry[i], i) + h * h * was.normal[i];
    self->solve.r[i] =
        h * (v0 + h * ((R(0.5) - self->beta) * was.a[i] + self->beta * self->a1[i])) -
        self->solve.d[i];
  }
  if (self->form == GGL)
    shk_normals_subtract(e, self->solve.r, self->force, h, self->G0, multiplier);
  return shk_ok();
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct alpha *self = method;
  struct shk_evaluator *const e = self->evaluator;
  const int n = self->n, m = self->m;
  const struct alpha_memory was = memory_of(self, from), now = memory_of(self, to);
  const bool ggl = self->form == GGL;
  self->was = was;
  self->from = from;
  self->h = h;
  self->solve.c = ggl ? h : h * h * self->beta * (1 - self->alpha_f) / (1 - self->alpha_m);
  SHK_TRY(shk_jacobian(e, self->G0, from->t, from->q));
  for (int i = 0; i < n; i++)
    self->solve.d[i] = h * (shk_over_mass(e, from->p[i], i) + h / 2 * was.acceleration[i]);
  shk_copy(self->lambda, was.lambda, m);
  shk_copy(to->mu, was.lambda, m);
  if (ggl)
    shk_fill(to->mu, 0, m); /* eta, until the solve has ended */
  SHK_TRY(shk_normals_solve(&self->solve, e, from, to->mu, evaluate, self));
  if (ggl)
    shk_copy(to->mu, self->lambda, m);
  shk_vector_add(self->solve.d, 1, self->solve.r, n);
  shk_move_q(to, from, self->solve.d);
  for (int i = 0; i < n; i++)
    self->p[i] = e->system->mass[i] * self->dv[i];
  shk_move_p(to, from, self->p);
  shk_copy(to->lambda, was.lambda, m);
  shk_copy(now.a, self->a1, n);
  shk_copy(now.acceleration, self->accelerated, n);
  shk_fill(now.normal, 0, n);
  shk_copy(now.lambda, to->mu, m);
  return shk_ok();
}

/* Stores q'' at t0 + s, up to O(s²), for the motion through the start, and stores its multiplier in
 * lambda. Both come from the index-reduced equations at a point whose distance from the motion is
 * O(s³) in q and O(s²) in p. q0 is q'' at the start. */
static struct shk_status accelerate_later(struct alpha *self, real *out,
                                          const struct shk_state *start, const real *q0, real s)
{
  struct shk_evaluator *const e = self->evaluator;
  const real t = start->t + s;
  for (int i = 0; i < self->n; i++) {
    const real v = shk_over_mass(e, start->p[i], i);
    self->q[i] = start->q[i] + s * (v + s / 2 * q0[i]);
    self->p[i] = start->p[i] + s * e->system->mass[i] * q0[i];
  }
  SHK_TRY(shk_exact_multiplier(self->manifold, self->lambda, t, self->q, self->p));
  SHK_TRY(shk_jacobian(e, self->solve.g_d, t, self->q));
  return find_acceleration(self, out, t, self->q, self->p, self->solve.g_d, self->lambda);
}

static struct shk_status begin_acceleration(void *method, struct shk_state *start, real h)
{
  struct alpha *self = method;
  struct shk_evaluator *const e = self->evaluator;
  const int n = self->n, m = self->m;
  const real shift = self->alpha_m - self->alpha_f, c = R(1.0) / 6 - self->beta - shift / 2;
  const struct alpha_memory now = memory_of(self, start);
  self->from = start;
  shk_fill(start->memory, 0, start->memory_count);
  SHK_TRY(accelerate_later(self, now.acceleration, start, now.acceleration, 0));
  shk_copy(now.lambda, self->lambda, m);
  SHK_TRY(accelerate_later(self, now.a, start, now.acceleration, shift * h));
  if (self->form == GGL || h == 0)
    return shk_ok();
  SHK_TRY(accelerate_later(self, self->a1, start, now.acceleration, h));
  SHK_TRY(shk_jacobian(e, self->G0, start->t, start->q));
  for (int i = 0; i < n; i++)
    self->dv[i] = (self->a1[i] - now.acceleration[i]) / h;
  shk_jacobian_times(e, self->hidden, self->G0, self->dv);
  SHK_TRY(shk_linear_factor(self->linear, self->G0, self->G0));
  shk_linear_solve(self->linear, self->hidden);
  shk_normals_subtract(e, now.normal, self->force, -c, self->G0, self->hidden);
  return shk_ok();
}

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct alpha *self = method;
  const real rho = self->rho;
  if (self->scheme == HHT && rho < R(0.5))
    return shk_refused("scheme=hht accepts rho from 0.5 to 1");
  self->alpha_m = self->scheme == GENERALIZED ? (2 * rho - 1) / (rho + 1) : 0;
  self->alpha_f = self->scheme == GENERALIZED ? rho / (rho + 1)
                  : self->scheme == HHT       ? (1 - rho) / (1 + rho)
                                              : 0;
  self->gamma = R(0.5) + self->alpha_f - self->alpha_m;
  self->beta = (R(0.5) + self->gamma) * (R(0.5) + self->gamma) / 4;
  SHK_TRY(shk_bind_linear(&self->linear, binding, NULL));
  SHK_TRY(shk_bind_linear(&self->solve.linear, binding, NULL));
  return shk_bind_manifold(&self->manifold, binding);
}

static void claims_under(struct shk_claims *claims, const void *method)
{
  const struct alpha *self = method;
  const bool undamped = self->scheme == NEWMARK || self->rho == 1;
  if (self->form == GGL) {
    claims->keeps_hidden = SHK_YES;
    claims->local_order_p = 3;
  } else if (undamped) { /* on some problems, lambda alternates with amplitude O(h) */
    claims->order_lambda = claims->order_mu = claims->order_lambda_mean = SHK_NO_ORDER;
    claims->compensated = SHK_UNKNOWN;
  }
  if (undamped)
    claims->energy_bounded = SHK_UNKNOWN;
  else if (self->form != GGL && self->rho == 0)
    claims->energy_dissipates = SHK_YES; /* with a larger ρ, the energy decreases too slowly
                                          * to level off */
}

static const struct shk_choice schemes[] = SHK_LIST(
    {"generalized", "αm = (2ρ-1)/(ρ+1), αf = ρ/(ρ+1): Chung & Hulbert"},
    {"hht", "αm = 0, αf = (1-ρ)/(1+ρ): Hilber, Hughes & Taylor"},
    {"newmark", "αm = αf = 0, γ = ½, β = ¼: the trapezoidal rule, undamped; ρ is not used"});
static const struct shk_choice forms[] =
    SHK_LIST({"index3", "positions constrained"},
             {"ggl", "positions and velocities constrained, with a second multiplier"});

static const struct shk_option options[] = SHK_LIST(
    SHK_REAL(alpha, rho, "rho", "0.8", "spectral radius at infinite frequency", .minimum = "0",
             .maximum = "1"),
    SHK_CHOICE(alpha, form, "form", forms, "index3", "constraints that hold at the end of a step"),
    SHK_CHOICE(alpha, scheme, "scheme", schemes, "generalized", "the parameters αm and αf"),
    SHK_NORMALS_OPTION(alpha, solve));

static const struct shk_array arrays[] =
    SHK_LIST(SHK_NORMALS_ARRAYS(alpha, solve),
             SHK_ARRAYS(alpha, (.n = 1), q, p, v, force, a1, accelerated, dv),
             SHK_ARRAY(alpha, G0, .entries = 1), SHK_ARRAYS(alpha, (.m = 1), lambda, hidden));

/* FORMULATION_INDEPENDENT is not claimed, because the start uses multipliers at points off the
 * constraints. */
static const struct shk_stated claims[] = SHK_LIST(
    SHK_ORDERS(2), SHK_LOCAL_ORDERS(3, 2), SHK_CLAIM(ORDER_LAMBDA, 2), SHK_CLAIM(ORDER_MU, 2),
    SHK_CLAIM(ORDER_LAMBDA_MEAN, 2), SHK_CLAIM(ORDER_LAMBDA_SUM, 0), SHK_CLAIM(SYMPLECTIC, SHK_NO),
    SHK_CLAIM(PRESYMPLECTIC, SHK_NO), SHK_CLAIM(KEEPS_MOMENTA, SHK_NO),
    SHK_CLAIM(ENERGY_BOUNDED, SHK_NO), SHK_CLAIM(KEEPS_CONSTRAINT, SHK_YES),
    SHK_CLAIM(KEEPS_HIDDEN, SHK_NO), SHK_CLAIM(AFFINE_EQUIVARIANT, SHK_YES),
    SHK_CLAIM(COMPENSATED, SHK_YES));

static const struct shk_integrator generalized_alpha = {
    SHK_INTEGRATOR(alpha, arrays, bind, step, claims_under), .memory = memory,
    .begin = begin_acceleration,
    .info = {
        .name = "generalized-alpha",
        .family = "structural and multibody dynamics",
        .summary =
            "the generalized-α, HHT-α and Newmark methods, with damping set by a spectral radius",
        .equations = equations,
        .citation = "Chung & Hulbert, J. Appl. Mech. 60 (1993) 371; Arnold & Brüls, Multibody "
                    "Syst. Dyn. 18 (2007) 185; Jay & Negrut, ETNA 26 (2007) 190; Arnold, "
                    "Brüls & Cardona, Numer. Math. 129 (2015) 149",
        .options = options,
        .supports = SHK_RHEONOMIC | SHK_FORCES,
        .claims = claims}};

SHK_PROVIDE(generalized_alpha, .integrators = SHK_INTEGRATORS(&generalized_alpha));
