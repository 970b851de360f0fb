/*
 * The generalized-α method of structural dynamics and multibody codes, with HHT-α and Newmark's
 * trapezoidal rule as choices of its parameters. One step carries, beside q and v = M⁻¹ p, an
 * acceleration-like a, which approximates q'' at t + (αm-αf) h. form=index3 leaves the brackets
 * below out: G v = O(h²). form=ggl has them, with the second multiplier eta (Gear, Gupta &
 * Leimkuhler). ρ is the spectral radius at infinity, for hht 1/2 to 1.
 *
 * A start is part of the method: a0 = q''(t0 + (αm-αf) h) + O(h²), and for index3 the first step
 * adds to v0 the normal part C h² M⁻¹Gᵀ A⁻¹ G q''', A = G M⁻¹Gᵀ, C = 1/6 - β - (αm-αf)/2. Without
 * these lambda has order 1 in a transient of about n² ρⁿ. `lambda` is lambda0, `mu` lambda1.
 * Separable systems; compensated sums of q, p.
 *
 * Chung & Hulbert, J. Appl. Mech. 60 (1993) 371; Arnold & Brüls, Multibody Syst. Dyn. 18 (2007)
 * 185; Jay & Negrut, ETNA 26 (2007) 190; Arnold, Brüls & Cardona, Numer. Math. 129 (2015) 149.
 */

static const char equations[] =
    "(1-αm) a1 + αm a0 = (1-αf) q''1 + αf q''0,  M q''1 = -V_q(q1) - G(q1)ᵀ lambda1    (1)\n"
    "q1 = q0 + h v0 + h² ((½-β) a0 + β a1) [- h M⁻¹ G(q0)ᵀ eta],  g(q1) = 0            (2)\n"
    "v1 = v0 + h ((1-γ) a0 + γ a1)         [G(q1) v1 + g_t = 0]                        (3)\n"
    "[…] with form=ggl only; a0 = q''(t0 + (αm-αf) h) + O(h²) at the start\n"
    "generalized: αm = (2ρ-1)/(ρ+1), αf = ρ/(ρ+1);  hht: αm = 0, αf = (1-ρ)/(1+ρ);\n"
    "newmark: αm = αf = 0, γ = ½;  γ = ½ + αf - αm, β = ¼ (½+γ)²\n";

#include "integrators/kit/normals.h"
#include <shakedown/plugin.h>

enum { GENERALIZED, HHT, NEWMARK };
enum { INDEX3, GGL };

/* What a step hands on to the next. */
struct alpha_memory {
  real *a, *acceleration; /* a and q'' */
  real *normal;           /* normal part of v over h², of a start with form=index3 */
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
  struct shk_normals solve; /* for d = q1 - q0 and lambda1, or eta */
  struct shk_linear *linear;
  struct shk_manifold *manifold;
  const struct shk_state *from;
  struct alpha_memory was; /* of *from */
  real h;
  real *q, *p, *v, *force, *a1, *accelerated, *dv; /* n; accelerated: q''1; dv: v1 - v0 */
  real *G0;
  real *lambda, *hidden; /* m */
};

static struct alpha_memory memory_of(const struct alpha *w, const struct shk_state *state)
{
  struct alpha_memory view;
  shk_view_memory(&view, memory, w, w->evaluator, state);
  return view;
}

/* Stores -M⁻¹ (V_q + Gᵀ lambda) at (t,q) in out, for the given G. */
static struct shk_status accelerate(struct alpha *w, real *out, real t, const real *q,
                                    const real *G, const real *lambda)
{
  SHK_TRY(shk_gradient(w->evaluator, w->force, t, q, w->from->p));
  shk_jacobian_transposed_add(w->evaluator, w->force, G, 1, lambda);
  for (int i = 0; i < w->n; i++)
    out[i] = -shk_over_mass(w->evaluator, w->force[i], i);
  return shk_ok();
}

/* (1) and (3): stores a1 and v1 - v0 from q''1. */
static void recur(struct alpha *w)
{
  const struct alpha_memory was = w->was;
  for (int i = 0; i < w->n; i++) {
    w->a1[i] = ((1 - w->alpha_f) * w->accelerated[i] + w->alpha_f * was.acceleration[i] -
                w->alpha_m * was.a[i]) /
               (1 - w->alpha_m);
    w->dv[i] = w->h * (w->h * was.normal[i] + ((1 - w->gamma) * was.a[i] + w->gamma * w->a1[i]));
  }
}

/* Finds lambda1 for which v1 satisfies the hidden constraint at q: linear, corrected twice. */
static struct shk_status constrain_velocity(struct alpha *w, real t1)
{
  struct shk_evaluator *const e = w->evaluator;
  const real factor = w->h * w->gamma * (1 - w->alpha_f) / (1 - w->alpha_m);
  e->work.factorizations++;
  SHK_TRY(shk_linear_factor(w->linear, w->solve.A, w->solve.A));
  for (int k = 0; k < 3; k++) {
    SHK_TRY(accelerate(w, w->accelerated, t1, w->q, w->solve.A, w->lambda));
    recur(w);
    for (int i = 0; i < w->n; i++)
      w->v[i] = shk_over_mass(e, w->from->p[i] + w->from->p_carry[i], i) + w->dv[i];
    SHK_TRY(shk_hidden_residual(e, w->hidden, w->solve.A, t1, w->q, w->v));
    shk_linear_solve(w->linear, w->hidden);
    for (int i = 0; i < w->m; i++)
      w->lambda[i] += w->hidden[i] / factor;
  }
  return shk_ok();
}

/* Evaluates (1), (3), and the residuals of (2); `multiplier`: lambda1, or eta of form=ggl. */
static struct shk_status evaluate(void *method, const real *multiplier)
{
  struct alpha *w = method;
  struct shk_evaluator *const e = w->evaluator;
  const struct shk_state *const from = w->from;
  const struct alpha_memory was = w->was;
  const real h = w->h, t1 = from->t + h;
  for (int i = 0; i < w->n; i++)
    w->q[i] = from->q[i] + (w->solve.d[i] + from->q_carry[i]);
  SHK_TRY(shk_constraint(e, w->solve.g, t1, w->q));
  SHK_TRY(shk_jacobian(e, w->solve.A, t1, w->q));
  shk_copy(w->solve.B, w->form == GGL ? w->G0 : w->solve.A, e->row_start[w->m]);
  if (w->form == GGL) {
    SHK_TRY(constrain_velocity(w, t1));
  } else {
    SHK_TRY(accelerate(w, w->accelerated, t1, w->q, w->solve.A, multiplier));
    recur(w);
  }
  for (int i = 0; i < w->n; i++) {
    const real v0 = shk_over_mass(e, from->p[i] + from->p_carry[i], i) + h * h * was.normal[i];
    w->solve.r[i] =
        h * (v0 + h * ((R(0.5) - w->beta) * was.a[i] + w->beta * w->a1[i])) - w->solve.d[i];
  }
  if (w->form == GGL)
    shk_normals_subtract(e, w->solve.r, w->force, h, w->G0, multiplier);
  return shk_ok();
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct alpha *w = method;
  struct shk_evaluator *const e = w->evaluator;
  const int n = w->n, m = w->m;
  const struct alpha_memory was = memory_of(w, from), now = memory_of(w, to);
  const bool ggl = w->form == GGL;
  w->was = was;
  w->from = from;
  w->h = h;
  w->solve.c = ggl ? h : h * h * w->beta * (1 - w->alpha_f) / (1 - w->alpha_m);
  SHK_TRY(shk_jacobian(e, w->G0, from->t, from->q));
  for (int i = 0; i < n; i++)
    w->solve.d[i] = h * (shk_over_mass(e, from->p[i], i) + h / 2 * was.acceleration[i]);
  shk_copy(w->lambda, was.lambda, m);
  shk_copy(to->mu, was.lambda, m);
  if (ggl)
    shk_fill(to->mu, 0, m); /* eta, until the solve has ended */
  SHK_TRY(shk_normals_solve(&w->solve, e, from, to->mu, evaluate, w));
  if (ggl)
    shk_copy(to->mu, w->lambda, m);
  shk_vector_add(w->solve.d, 1, w->solve.r, n);
  shk_move_q(to, from, w->solve.d);
  for (int i = 0; i < n; i++)
    w->p[i] = e->system->mass[i] * w->dv[i];
  shk_move_p(to, from, w->p);
  shk_copy(to->lambda, was.lambda, m);
  shk_copy(now.a, w->a1, n);
  shk_copy(now.acceleration, w->accelerated, n);
  shk_fill(now.normal, 0, n);
  shk_copy(now.lambda, to->mu, m);
  return shk_ok();
}

/* Stores q'' of the motion through the start, at t0 + s up to O(s²), and its multiplier in lambda:
 * those of the index-reduced equations at a point off the motion by O(s³) in q, O(s²) in p. q0: q''
 * at the start. */
static struct shk_status accelerate_later(struct alpha *w, real *out, const struct shk_state *start,
                                          const real *q0, real s)
{
  struct shk_evaluator *const e = w->evaluator;
  const real t = start->t + s;
  for (int i = 0; i < w->n; i++) {
    const real v = shk_over_mass(e, start->p[i], i);
    w->q[i] = start->q[i] + s * (v + s / 2 * q0[i]);
    w->p[i] = start->p[i] + s * e->system->mass[i] * q0[i];
  }
  SHK_TRY(shk_exact_multiplier(w->manifold, w->lambda, t, w->q, w->p));
  SHK_TRY(shk_jacobian(e, w->solve.A, t, w->q));
  return accelerate(w, out, t, w->q, w->solve.A, w->lambda);
}

static struct shk_status begin(void *method, struct shk_state *start, real h)
{
  struct alpha *w = method;
  struct shk_evaluator *const e = w->evaluator;
  const int n = w->n, m = w->m;
  const real shift = w->alpha_m - w->alpha_f, c = R(1.0) / 6 - w->beta - shift / 2;
  const struct alpha_memory now = memory_of(w, start);
  w->from = start;
  shk_fill(start->memory, 0, start->memory_count);
  SHK_TRY(accelerate_later(w, now.acceleration, start, now.acceleration, 0));
  shk_copy(now.lambda, w->lambda, m);
  SHK_TRY(accelerate_later(w, now.a, start, now.acceleration, shift * h));
  if (w->form == GGL || h == 0)
    return shk_ok();
  SHK_TRY(accelerate_later(w, w->a1, start, now.acceleration, h));
  SHK_TRY(shk_jacobian(e, w->G0, start->t, start->q));
  for (int i = 0; i < n; i++)
    w->dv[i] = (w->a1[i] - now.acceleration[i]) / h;
  shk_jacobian_times(e, w->hidden, w->G0, w->dv);
  SHK_TRY(shk_linear_factor(w->linear, w->G0, w->G0));
  shk_linear_solve(w->linear, w->hidden);
  shk_normals_subtract(e, now.normal, w->force, -c, w->G0, w->hidden);
  return shk_ok();
}

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct alpha *w = method;
  const real rho = w->rho;
  if (w->scheme == HHT && rho < R(0.5))
    return shk_refused("scheme=hht takes rho from 0.5 to 1");
  w->alpha_m = w->scheme == GENERALIZED ? (2 * rho - 1) / (rho + 1) : 0;
  w->alpha_f = w->scheme == GENERALIZED ? rho / (rho + 1)
               : w->scheme == HHT       ? (1 - rho) / (1 + rho)
                                        : 0;
  w->gamma = R(0.5) + w->alpha_f - w->alpha_m;
  w->beta = (R(0.5) + w->gamma) * (R(0.5) + w->gamma) / 4;
  SHK_TRY(shk_bind_linear(&w->linear, binding, NULL));
  SHK_TRY(shk_bind_linear(&w->solve.linear, binding, NULL));
  return shk_bind_manifold(&w->manifold, binding);
}

static void claims_under(struct shk_claims *claims, const void *method)
{
  const struct alpha *w = method;
  const bool undamped = w->scheme == NEWMARK || w->rho == 1;
  if (w->form == GGL) {
    claims->keeps_hidden = SHK_YES;
    claims->local_order_p = 3;
  } else if (undamped) { /* lambda alternates at O(h), on some problems */
    claims->order_lambda = claims->order_mu = claims->order_lambda_mean = SHK_NO_ORDER;
    claims->compensated = SHK_UNKNOWN;
  }
  if (undamped)
    claims->energy_bounded = SHK_UNKNOWN;
}

static const struct shk_choice schemes[] =
    SHK_LIST({"generalized", "αm = (2ρ-1)/(ρ+1), αf = ρ/(ρ+1): Chung & Hulbert"},
             {"hht", "αm = 0, αf = (1-ρ)/(1+ρ): Hilber, Hughes & Taylor"},
             {"newmark", "αm = αf = 0, γ = ½, β = ¼: the trapezoidal rule, undamped; no ρ"});
static const struct shk_choice forms[] =
    SHK_LIST({"index3", "positions constrained"},
             {"ggl", "positions and velocities constrained, with a second multiplier"});

static const struct shk_option options[] = SHK_LIST(
    SHK_REAL(alpha, rho, "rho", "0.8", "spectral radius at infinity", .minimum = "0",
             .maximum = "1"),
    SHK_CHOICE(alpha, form, "form", forms, "index3", "constraints that hold at the end of a step"),
    SHK_CHOICE(alpha, scheme, "scheme", schemes, "generalized", "the parameters αm and αf"),
    SHK_NORMALS_OPTION(alpha, solve));

static const struct shk_array arrays[] =
    SHK_LIST(SHK_NORMALS_ARRAYS(alpha, solve),
             SHK_ARRAYS(alpha, (.n = 1), q, p, v, force, a1, accelerated, dv),
             SHK_ARRAY(alpha, G0, .entries = 1), SHK_ARRAYS(alpha, (.m = 1), lambda, hidden));

/* FORMULATION_INDEPENDENT is not claimed: the start uses multipliers at points off the
 * constraints. */
static const struct shk_stated claims[] = SHK_LIST(
    SHK_ORDERS(2), SHK_LOCAL_ORDERS(3, 2), SHK_CLAIM(ORDER_LAMBDA, 2), SHK_CLAIM(ORDER_MU, 2),
    SHK_CLAIM(ORDER_LAMBDA_MEAN, 2), SHK_CLAIM(ORDER_LAMBDA_SUM, 0), SHK_CLAIM(SYMPLECTIC, SHK_NO),
    SHK_CLAIM(PRESYMPLECTIC, SHK_NO), SHK_CLAIM(KEEPS_MOMENTA, SHK_NO),
    SHK_CLAIM(ENERGY_BOUNDED, SHK_NO), SHK_CLAIM(KEEPS_CONSTRAINT, SHK_YES),
    SHK_CLAIM(KEEPS_HIDDEN, SHK_NO), SHK_CLAIM(AFFINE_EQUIVARIANT, SHK_YES),
    SHK_CLAIM(COMPENSATED, SHK_YES));

static const struct shk_integrator generalized_alpha = {
    SHK_INTEGRATOR(alpha, arrays, bind, step, claims_under), .memory = memory, .begin = begin,
    .info = {.name = "generalized-alpha",
             .summary =
                 "the generalized-α method, HHT-α and Newmark's, damped by a spectral radius",
             .equations = equations,
             .citation = "Chung & Hulbert, J. Appl. Mech. 60 (1993) 371; Arnold & Brüls, Multibody "
                         "Syst. Dyn. 18 (2007) 185; Jay & Negrut, ETNA 26 (2007) 190; Arnold, "
                         "Brüls & Cardona, Numer. Math. 129 (2015) 149",
             .options = options,
             .supports = SHK_RHEONOMIC,
             .claims = claims}};

SHK_PROVIDE(generalized_alpha, .integrators = SHK_INTEGRATORS(&generalized_alpha));
