/*
 * Baumgarte's stabilization: replaces g'' = 0 by g'' + 2 alpha g' + beta² g = 0 and integrates the
 * resulting equations by a one-step method without projection.
 *
 * The constraint force is -Gᵀ lambda. On the constraint manifold, the equations are the
 * index-reduced ones. Away from it, the violation decays at a rate that the step size must resolve.
 * Explicit bases become unstable if alpha h exceeds about 2.5. Without the two stabilization terms,
 * the method becomes `index-reduced`, which serves as a control: its solutions drift off the
 * constraints. q and p are accumulated with compensated summation. Constraints that depend on p are
 * not supported.
 *
 * Source: Baumgarte, Comput. Methods Appl. Mech. Eng. 1 (1972) 1; Ascher, Chin & Reich, Numer.
 * Math. 67 (1994) 131.
 */

#define INDEX_REDUCED                                                                              \
  "q' = H_p,  p' = -H_q - Gᵀ lambda                                       (1)\n"                 \
  "gamma = g_qq[v,v] + G (H_pq v - H_pp H_q),  N = G H_pp Gᵀ,  v = H_p    (2)\n"

static const char baumgarte_equations[] =
    INDEX_REDUCED "g'' + 2 alpha g' + beta² g = 0:\n"
                  "N lambda = gamma + 2 alpha psi + beta² g,   psi = g' = G v + g_t       (3)\n";

static const char index_reduced_equations[] =
    INDEX_REDUCED "g'' = 0:\n"
                  "N lambda = gamma                                                       (3)\n";

#include "integrators/kit/impulse.h"
#include "integrators/kit/stepping.h"
#include <shakedown/plugin.h>

struct baumgarte {
  struct shk_evaluator *evaluator;
  int n, m;
  real alpha, beta;
  int base;
  const struct shk_values *base_options;
  struct shk_reduced *reduced; /* gamma, G, N */
  struct shk_one_step *one_step;
  real *y, *dy, *psi, *g, *lambda, *gradient;
  real *start_lambda;    /* where to store the next multiplier; NULL if it is not stored */
  real *constraint_work; /* receives the constraint work; NULL if it is not measured */
};

/* Adds the stabilization terms to the right-hand side of (3). */
static struct shk_status stabilize_baumgarte(struct baumgarte *self, real *rhs, real t,
                                             const real *q, const real *v)
{
  const real alpha = self->alpha, beta = self->beta;
  SHK_TRY(shk_hidden_residual(self->evaluator, self->psi, shk_reduced_jacobian(self->reduced), t, q,
                              v));
  SHK_TRY(shk_constraint(self->evaluator, self->g, t, q));
  for (int i = 0; i < self->m; i++) {
    rhs[i] += 2 * alpha * self->psi[i];
    rhs[i] += beta * beta * self->g[i];
  }
  return shk_ok();
}

/* Evaluates the slope according to (1) to (3). */
static struct shk_status slope_baumgarte(void *method, real *f, real t, const real *y)
{
  struct baumgarte *self = method;
  const real *q = y, *p = y + self->n;
  real *dq = f, *dp = f + self->n, *lambda = self->lambda;
  SHK_TRY(shk_reduced_begin(self->reduced, dq, dp, lambda, t, q, p)); /* stores v, H_q and gamma */
  if (self->m > 0 && (self->alpha != 0 || self->beta != 0))
    SHK_TRY(stabilize_baumgarte(self, lambda, t, q, dq));
  /* solves N lambda = rhs and stores p' = -H_q - Gᵀ lambda */
  shk_reduced_end(self->reduced, dp, lambda);
  shk_note_first(&self->start_lambda, lambda, self->m);
  return shk_ok();
}

/* Returns the power of the constraint force at a state, including the stabilization terms. */
static real power_of_constraint(struct baumgarte *self, real t, const struct shk_state *at)
{
  shk_state_pack(self->y, at);
  return shk_slope_power(self->evaluator, slope_baumgarte, self, self->dy, self->gradient, t,
                         self->y);
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct baumgarte *self = method;
  self->start_lambda = to->lambda;
  SHK_TRY(shk_one_step_state(self->one_step, to, from, h, self->y, self->dy));
  if (self->constraint_work) /* trapezoidal rule for the integral of the power */
    *self->constraint_work +=
        h / 2 *
        (power_of_constraint(self, from->t, from) + power_of_constraint(self, from->t + h, to));
  return shk_ok();
}

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct baumgarte *self = method;
  SHK_TRY(shk_bind_reduced(&self->reduced, binding));
  return shk_bind_one_step(&self->one_step, binding, self->base, self->base_options,
                           slope_baumgarte, self);
}

static void claims_under(struct shk_claims *claims, const void *method)
{
  const struct baumgarte *self = method;
  const struct shk_traits base = shk_one_step_claims(claims, self->base, self->base_options);
  if (self->alpha == 0)
    claims->reversible = SHK_UNKNOWN; /* whether this holds depends on the base */
  if (!base.symmetric)
    return;
  claims->symmetric = SHK_YES;
  /* The symmetric bases (midpoint, Gauss) are symplectic too, so they conserve quadratic
   * invariants. */
  claims->keeps_momenta = SHK_YES;
}

#define BASE_OPTIONS                                                                               \
  SHK_CHOICE(baumgarte, base, "base", shk_one_step_choices, "rk4", "the one-step method",          \
             .nested_at = SHK_AT(baumgarte, base_options)),                                        \
      SHK_LINEAR_OPTION

static const struct shk_option options[] = SHK_LIST(
    SHK_REAL(baumgarte, alpha, "alpha", "10",
             "damping of the violation, 1/time; alpha = beta is critical", .minimum = "0"),
    SHK_REAL(baumgarte, beta, "beta", "10", "frequency of the violation, 1/time", .minimum = "0"),
    BASE_OPTIONS);

static const struct shk_array arrays[] = SHK_LIST(SHK_ARRAYS(baumgarte, (.n = 2), y, dy),
                                                  SHK_ARRAYS(baumgarte, (.m = 1), psi, g, lambda),
                                                  SHK_ARRAY(baumgarte, gradient, .n = 1));

static const struct shk_stated claims[] = SHK_LIST(
    SHK_ORDERS(4), SHK_CLAIM(ORDER_LAMBDA, 4), SHK_GEOMETRY(SHK_NO), SHK_CONSTRAINTS(SHK_NO),
    /* Violations grow when time runs backwards. */
    SHK_CLAIM(REVERSIBLE, SHK_NO), SHK_CLAIM(COMPENSATED, SHK_YES));

static const struct shk_integrator baumgarte = {
    SHK_INTEGRATOR(baumgarte, arrays, bind, step, claims_under),
    .constraint_work_at = SHK_AT(baumgarte, constraint_work),
    .info = {.name = "baumgarte",
             .family = "index reduction and projection",
             .summary = "Baumgarte's stabilization of the index-reduced equations",
             .equations = baumgarte_equations,
             .citation = "Baumgarte, Comput. Methods Appl. Mech. Eng. 1 (1972) 1",
             .options = options,
             .supports = SHK_HOLONOMIC,
             .claims = claims}};

static const struct shk_option bare_options[] = SHK_LIST(BASE_OPTIONS);

static const struct shk_integrator index_reduced = {
    SHK_INTEGRATOR(baumgarte, arrays, bind, step, claims_under),
    .constraint_work_at = SHK_AT(baumgarte, constraint_work),
    .info = {.name = "index-reduced",
             .family = "index reduction and projection",
             .summary = "the index-reduced equations without modification: the control that drifts "
                        "off the constraints",
             .equations = index_reduced_equations,
             .citation = "Hairer, Lubich & Wanner, GNI, section VII.1.2",
             .options = bare_options,
             .supports = SHK_HOLONOMIC,
             .claims = claims}};

SHK_PROVIDE(baumgarte, .integrators = SHK_INTEGRATORS(&baumgarte, &index_reduced));
