/*
 * Projection methods. The index-reduced equations are advanced by one step of a one-step method
 * Phi, followed by an M-orthogonal projection onto the constraints. Standard projection destroys
 * symmetry and symplecticity. Symmetric projection (Hairer 2000) moves the state off the manifold
 * before the step, using the same multipliers that move it back afterwards.
 *
 * The constraint force is -Gᵀ lambda, and the reported lambda is lambda(q0,p0). q and p are
 * accumulated with compensated summation. Constraints that depend on p are not supported.
 *
 * Source: Hairer, Lubich & Wanner, GNI, Algorithm IV.4.2, §V.4.1, eq. (VII.1.8); Hairer, BIT 40
 * (2000) 726.
 */

static const char equations[] =
    "z* = Phi_h(z0) for q' = H_p, p' = -H_q - Gᵀ lambda(q,p)           (1)\n"
    "q1 = q* - W G(q1)ᵀ nu,     g(q1) = 0                              (2)\n"
    "p1 = p* - G(q1)ᵀ kappa,    G(q1) H_p(q1,p1) = 0                   (3)\n"
    "symmetric: the same nu and kappa before and after the step,\n"
    "z* = Phi_h(q0 + W G(q0)ᵀ nu, p0 + G(q0)ᵀ kappa)                   (4)\n"
    "q1 = q* + W G(q1)ᵀ nu,  p1 = p* + G(q1)ᵀ kappa                    (5)\n"
    "g(q1) = 0,  G(q1) H_p(q1,p1) = 0                                  (6)\n"
    "W = M⁻¹, for general systems 1\n";

#include "integrators/kit/impulse.h"
#include "integrators/kit/onto.h"
#include "integrators/kit/stepping.h"
#include <shakedown/iteration.h>
#include <shakedown/plugin.h>

#define NO_CONVERGENCE                                                                             \
  "the symmetric projection did not converge: last relative change %g" SHK_TRY_SMALLER_STEP
static const struct shk_iteration_rule symmetric_rule = {
    .stops = {R(0.25), 1000, R(0.5), 1, 0}, .diverged = NO_CONVERGENCE, .at_limit = NO_CONVERGENCE};

struct projection {
  struct shk_evaluator *evaluator;
  int n, m;
  int onto, base;
  const struct shk_values *base_options;
  bool symmetric;
  const real *mass; /* the diagonal of M if W = M⁻¹; NULL if W = 1 */
  struct shk_solving solving;
  struct shk_reduced *reduced;
  struct shk_one_step *one_step;
  struct shk_orthogonal *orthogonal;
  struct shk_multiplier_solver *solver; /* solves for the hidden constraint */
  /* 2n entries each; `shift` contains the corrections to q and p, or z* if the work is measured */
  real *y, *dy, *shift;
  real *velocity;
  /* the multipliers, and the corrections to nu and kappa */
  real *lambda, *nu, *kappa, *dnu, *dkappa;
  real *g, *hidden; /* residuals of both constraints */
  real *G0, *G1, *hessian;
  real *start_lambda;        /* where to store the next multiplier; NULL if it is not stored */
  struct shk_linear *linear; /* used by the symmetric projection */
  struct shk_iteration iteration;
  real *constraint_work; /* receives the constraint work; NULL if it is not measured */
};

static struct shk_status slope_projection(void *user, real *f, real t, const real *y)
{
  struct projection *self = user;
  SHK_TRY(shk_reduced_slope(self->reduced, f, f + self->n, self->lambda, t, y, y + self->n));
  shk_note_first(&self->start_lambda, self->lambda, self->m);
  return shk_ok();
}

/* Takes the step described by (1) to (3). */
static struct shk_status standard_step(struct projection *self, struct shk_state *to,
                                       const struct shk_state *from, real h)
{
  const int n = self->n;
  real *dq = self->dy, *dp = self->dy + n;
  shk_state_pack(self->y, from);
  self->start_lambda = to->lambda;
  SHK_TRY(shk_one_step_step(self->one_step, self->dy, from->t, self->y, h)); /* z* = z0 + dy */
  for (int i = 0; self->constraint_work && i < 2 * n; i++)
    self->shift[i] = self->y[i] + self->dy[i];
  if (self->onto == ONTO_NONE)
    shk_move_q(to, from, dq);
  else
    SHK_TRY(shk_orthogonal_stage(self->orthogonal, to, from, h, dq, self->lambda, self->G1));
  if (self->onto == ONTO_BOTH)
    SHK_TRY(shk_kick(self->solver, &(struct shk_kick){.until = SHK_ON_HIDDEN,
                                                      .t = from->t + h,
                                                      .from = from,
                                                      .to = to,
                                                      .along = self->G1,
                                                      .by = 1,
                                                      .dp = dp,
                                                      .multiplier = to->mu})); /* kappa */
  else
    shk_move_p(to, from, dp);
  shk_fill(to->mu, 0, self->m);
  return shk_ok();
}

/* Adds W Gᵀ nu to x (n), or Gᵀ nu if `mass` is NULL. */
static void slide_projection(const struct projection *self, real *x, const real *G, const real *nu,
                             const real *mass)
{
  const int n = self->n;
  shk_fill(self->velocity, 0, n);
  shk_jacobian_transposed_add(self->evaluator, self->velocity, G, 1, nu);
  for (int i = 0; i < n; i++)
    x[i] += mass ? self->velocity[i] / mass[i] : self->velocity[i];
}

/* Adds (W Gᵀ nu, Gᵀ kappa) to z (2n). */
static void slide_both(const struct projection *self, real *z, const real *G)
{
  slide_projection(self, z, G, self->nu, self->mass);
  slide_projection(self, z + self->n, G, self->kappa, NULL);
}

/* Computes the final state by (5) from the current multipliers and the increment dy of the base's
 * step. */
static void place_projection(struct projection *self, struct shk_state *to,
                             const struct shk_state *from)
{
  shk_copy(self->shift, self->dy, 2 * self->n);
  slide_both(self, self->shift, self->G0);
  slide_both(self, self->shift, self->G1);
  shk_move_q(to, from, self->shift);
  shk_move_p(to, from, self->shift + self->n);
}

/* Computes the Newton corrections to nu and kappa and stores them in dnu and dkappa. The matrix is
 * twice the constraint matrix at q1, because each multiplier acts at both ends of the step. */
static struct shk_status find_corrections(struct projection *self, real t1, const real *q1,
                                          const real *p1)
{
  struct shk_evaluator *e = self->evaluator;
  SHK_TRY(shk_constraint(e, self->g, t1, q1));
  SHK_TRY(shk_jacobian(e, self->G1, t1, q1));
  SHK_TRY(shk_velocity(e, self->velocity, t1, q1, p1));
  SHK_TRY(shk_hidden_residual(e, self->hidden, self->G1, t1, q1, self->velocity));
  e->counters.iterations++;
  SHK_TRY(shk_factor_in_metric(self->linear, e, self->G1, NULL));
  shk_copy(self->dnu, self->g, self->m);
  shk_linear_solve(self->linear, self->dnu);
  if (self->hessian) {
    SHK_TRY(shk_hessian(e, self->hessian, t1, q1, p1));
    SHK_TRY(shk_factor_in_metric(self->linear, e, self->G1, self->hessian));
  }
  shk_copy(self->dkappa, self->hidden, self->m);
  shk_linear_solve(self->linear, self->dkappa);
  for (int i = 0; i < self->m; i++) {
    self->dnu[i] /= -2;
    self->dkappa[i] = self->onto == ONTO_BOTH ? -self->dkappa[i] / 2 : 0;
  }
  return shk_ok();
}

/* Returns the size of W G1ᵀ change relative to the size of x at that end of the step at which x is
 * larger. At a turning point, the momentum at one end may be smaller than the rounding error of its
 * change during the step. */
static real relative_change(struct projection *self, const real *change, const real *x0,
                            const real *x1, const real *mass)
{
  const int n = self->n;
  const real size = real_max(real_max_norm(x0, n), real_max_norm(x1, n));
  shk_fill(self->shift, 0, n);
  slide_projection(self, self->shift, self->G1, change, mass);
  return real_max_norm(self->shift, n) / (size > 0 ? size : 1);
}

/* Takes the step described by (4) to (6). The stages of the base and the multipliers are solved for
 * together, because each sweep improves both. */
static struct shk_status symmetric_step(struct projection *self, struct shk_state *to,
                                        const struct shk_state *from, real h)
{
  struct shk_evaluator *e = self->evaluator;
  const int m = self->m;
  const real t1 = from->t + h;
  SHK_TRY(shk_reduced_slope(self->reduced, self->dy, self->dy + self->n, to->lambda, from->t,
                            from->q, from->p));
  SHK_TRY(shk_jacobian(e, self->G0, from->t, from->q));
  shk_fill(self->nu, 0, m);
  shk_fill(self->kappa, 0, m);
  shk_fill(to->mu, 0, m);
  shk_copy(self->G1, self->G0, e->row_start[m]);
  shk_iteration_begin(&self->iteration, &symmetric_rule, REAL_EPSILON);
  for (;;) {
    shk_state_pack(self->y, from);
    slide_both(self, self->y, self->G0);
    real stages;
    SHK_TRY(shk_one_step_sweep(self->one_step, self->dy, &stages, from->t, self->y, h,
                               self->iteration.count == 0));
    e->solving = &self->iteration;
    place_projection(self, to, from);
    SHK_TRY(find_corrections(self, t1, to->q, to->p));
    for (int i = 0; i < m; i++) {
      self->nu[i] += self->dnu[i];
      self->kappa[i] += self->dkappa[i];
    }
    const real change =
        real_max(stages, real_max(relative_change(self, self->dnu, from->q, to->q, self->mass),
                                  relative_change(self, self->dkappa, from->p, to->p, NULL)));
    SHK_TRY(shk_iteration_next(&self->iteration, change));
    if (self->iteration.converged) {
      place_projection(self, to, from);
      return shk_ok();
    }
  }
}

/* Returns the change in H caused by the projection (and, if it is symmetric, by the move off the
 * constraints), plus the work of -Gᵀ lambda during the base's step from y to z*. The latter is
 * computed by the trapezoidal rule. It does not vanish, because this force is not exactly normal to
 * the motion when the state is off the constraints. */
static real work_of(struct projection *self, const struct shk_state *to,
                    const struct shk_state *from, real h)
{
  struct shk_evaluator *e = self->evaluator;
  const int n = self->n;
  const real t0 = from->t, t1 = from->t + h;
  real *const start = self->y, *const end = self->shift;
  for (int i = 0; self->symmetric && i < 2 * n; i++)
    end[i] = start[i] + self->dy[i];
  const real moves = shk_energy_of(e, t0, start, start + n) -
                     shk_energy_of(e, t0, from->q, from->p) + shk_energy_of(e, t1, to->q, to->p) -
                     shk_energy_of(e, t1, end, end + n);
  const real power =
      shk_slope_power(e, slope_projection, self, self->dy, self->velocity, t0, start) +
      shk_slope_power(e, slope_projection, self, self->dy, self->velocity, t1, end);
  return moves + h / 2 * power;
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct projection *self = method;
  SHK_TRY(self->symmetric ? symmetric_step(self, to, from, h) : standard_step(self, to, from, h));
  if (self->constraint_work)
    *self->constraint_work += work_of(self, to, from, h);
  return shk_ok();
}

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct projection *self = method;
  if (self->symmetric && self->onto == ONTO_NONE)
    return shk_refused("symmetric projection needs onto=both or onto=position");
  if (self->symmetric && !shk_one_step_traits(self->base, self->base_options).symmetric)
    return shk_refused("symmetric projection needs a symmetric base: midpoint or gauss");
  self->mass = shk_is_general(self->evaluator->system) ? NULL : self->evaluator->system->mass;
  self->iteration.limit = self->solving.iterations;
  SHK_TRY(shk_bind_reduced(&self->reduced, binding));
  SHK_TRY(shk_bind_one_step(&self->one_step, binding, self->base, self->base_options,
                            slope_projection, self));
  SHK_TRY(shk_bind_orthogonal(&self->orthogonal, binding));
  SHK_TRY(shk_bind_linear(&self->linear, binding, binding->options));
  return shk_bind_solver(&self->solver, binding);
}

static void claims_under(struct shk_claims *claims, const void *method)
{
  const struct projection *self = method;
  const struct shk_traits base = shk_one_step_claims(claims, self->base, self->base_options);
  onto_claims(claims, self->onto);
  if (!base.symmetric) {
    shk_tolerance_claims(claims, &self->solving);
    return;
  }
  const bool symmetric = self->onto == ONTO_NONE || self->symmetric;
  claims->symmetric = symmetric ? SHK_YES : SHK_NO;
  /* The symmetric bases are symplectic too, so they conserve quadratic invariants of the equations,
   * even off the constraints. The projection may not conserve them, because it stretches q and
   * shears p. */
  claims->keeps_momenta = self->onto == ONTO_NONE ? SHK_YES : SHK_UNKNOWN;
  /* Reversible methods have a bounded energy error on integrable problems, but not necessarily on
   * others. */
  claims->energy_bounded = symmetric ? SHK_UNKNOWN : SHK_NO;
  shk_tolerance_claims(claims, &self->solving);
}

static const struct shk_option options[] =
    SHK_LIST(SHK_CHOICE(projection, onto, "onto", onto_choices, "both",
                        "the quantities that are projected after every step"),
             SHK_CHOICE(projection, base, "base", shk_one_step_choices, "rk4",
                        "the one-step method for the index-reduced equations",
                        .nested_at = SHK_AT(projection, base_options)),
             SHK_FLAG(projection, symmetric, "symmetric", "no",
                      "Hairer's symmetric projection; needs a symmetric base"),
             SHK_SOLVING_OPTIONS(projection, solving));

static const struct shk_array arrays[] = SHK_LIST(
    SHK_ARRAYS(projection, (.n = 2), y, dy, shift), SHK_ARRAY(projection, velocity, .n = 1),
    SHK_ARRAYS(projection, (.m = 1), lambda, nu, kappa, g, hidden, dnu, dkappa),
    SHK_ARRAYS(projection, (.entries = 1), G0, G1),
    SHK_ARRAY(projection, hessian, .nn = 4, .only = SHK_GENERAL));

static const struct shk_stated claims[] = SHK_LIST(
    SHK_ORDERS(4), SHK_CLAIM(ORDER_LAMBDA, 4), SHK_GEOMETRY(SHK_NO), SHK_CONSTRAINTS(SHK_YES),
    SHK_CLAIM(AFFINE_EQUIVARIANT, SHK_YES), SHK_CLAIM(COMPENSATED, SHK_YES));

static const struct shk_integrator projection = {
    SHK_INTEGRATOR(projection, arrays, bind, step, claims_under),
    .constraint_work_at = SHK_AT(projection, constraint_work),
    .info = {.name = "projection",
             .family = "index reduction and projection",
             .textbook =
                 "coordinate projection, the standard projection method (Hairer, Lubich & Wanner, "
                 "GNI, Algorithm IV.4.2); symmetric=yes: symmetric projection (section V.4.1)",
             .summary =
                 "a one-step method on the index-reduced equations, projected after every step",
             .equations = equations,
             .citation = "Hairer, Lubich & Wanner, GNI, Algorithm IV.4.2, section V.4.1; Hairer, "
                         "BIT 40 (2000) 726",
             .options = options,
             .supports = SHK_HOLONOMIC,
             .claims = claims}};

SHK_PROVIDE(projection, .integrators = SHK_INTEGRATORS(&projection));
