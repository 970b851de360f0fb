/*
 * Variants that are neither SHAKE nor RATTLE. Each one follows a published description literally
 * and departs from the original method in one respect. All variants satisfy the constraint to
 * round-off and lose energy. All of them converge, except in the two cases described below.
 *
 *   - shake-position-only: the position correction is not fed back into the velocity.
 *   - shake-minimal-displacement: the correction is fed back, but it is the smallest displacement
 *     from q* in the metric of M. Its direction is along G at the new point (direction=new) or at
 *     q* (direction=trial) instead of at q0.
 *   - verlet-projected: an unconstrained Störmer-Verlet step is followed by the M-orthogonal
 *     projection.
 *
 * The momentum is p = M v. Without project-velocity, the constraint never acts on the velocity in
 * the first and third variants, which therefore do not converge.
 *
 * If g depends on t, it is evaluated at the time that corresponds to its positions, and g_t is
 * added to G(q1) v1. The constraint force is -Gᵀ lambda. q and p are accumulated with compensated
 * summation. The system must be separable. Generalized forces are not supported, because the
 * descriptions do not mention them. Constraints that depend on p are not supported either.
 *
 * The original methods are described in: Ryckaert, Ciccotti & Berendsen, J. Comput. Phys. 23 (1977)
 * 327; Andersen, J. Comput. Phys. 52 (1983) 24.
 */

#define PREDICTED                                                                                  \
  "v½ = v0 - h/2 M⁻¹ V_q(q0),  q* = q0 + h v½                                    (1)\n"
#define PROJECTED                                                                                  \
  "v1 = v* - h/2 M⁻¹ G(q1)ᵀ mu,  G(q1) v1 = 0   (project-velocity=no: v1 = v*)   (4)\n"

static const char position_only_equations[] = PREDICTED
    "q1 = q* - h²/2 M⁻¹ G(q0)ᵀ lambda,  g(q1) = 0                                  (2)\n"
    "v* = v½ - h/2 M⁻¹ V_q(q1)                                                     (3)\n" PROJECTED;

static const char minimal_equations[] = PREDICTED
    "q1 = q* - h²/2 M⁻¹ G(q1)ᵀ lambda,  g(q1) = 0   (direction=trial: G(q*))       (2)\n"
    "v* = (q1-q0)/h - h/2 M⁻¹ V_q(q1)                                              (3)\n" PROJECTED;

static const char projected_equations[] = PREDICTED
    "q1 = q* - h²/2 M⁻¹ G(q1)ᵀ lambda,  g(q1) = 0                                  (2)\n"
    "v* = v½ - h/2 M⁻¹ V_q(q*)                                                     (3)\n" PROJECTED;

#include "integrators/kit/impulse.h"
#include <shakedown/plugin.h>

/* The point at which the direction of the correction is evaluated. The first two values follow the
 * order of the choices. */
enum direction { NEW, TRIAL, OLD };

struct variant {
  struct shk_evaluator *evaluator;
  int n, m;
  bool project_velocity;
  int direction; /* enum direction */
  bool fed;      /* whether the correction is fed back into the velocity */
  bool at_trial; /* whether the second kick is at q* instead of q1 */
  struct shk_solving solving;
  struct shk_multiplier_solver *solver;
  struct shk_orthogonal *orthogonal;
  real *gradient, *kick, *dq, *dp, *trial, *trial_carry, *G_b, *G1;
  real *constraint_work; /* receives the constraint work; NULL if it is not measured */
};

/* Stores -h/2 V_q(q0) in `kick` and h M⁻¹ (p0 + kick) in dq. Also stores q*, which follows from
 * (1). */
static struct shk_status predict_positions(struct variant *self, const struct shk_state *from,
                                           real h)
{
  struct shk_evaluator *e = self->evaluator;
  SHK_TRY(shk_gradient(e, self->gradient, from->t, from->q, from->p));
  shk_vector_scaled(self->kick, -h / 2, self->gradient, self->n);
  for (int i = 0; i < self->n; i++)
    self->dq[i] = h * shk_over_mass(e, from->p[i] + (from->p_carry[i] + self->kick[i]), i);
  shk_add_increment(self->trial, self->trial_carry, from->q, from->q_carry, self->dq, self->n);
  return shk_ok();
}

/* Solves (2) for q1 along G(x), where x is a known point at time t. Stores kick - h/2 G(x)ᵀ lambda
 * in dp. */
static struct shk_status along_known(struct variant *self, struct shk_state *to,
                                     const struct shk_state *from, real h, real t, const real *x)
{
  SHK_TRY(shk_jacobian(self->evaluator, self->G_b, t, x));
  shk_copy(to->lambda, from->lambda, self->m); /* the initial guess */
  SHK_TRY(shk_kick(self->solver, &(struct shk_kick){.until = SHK_ON_CONSTRAINT,
                                                    .t = from->t + h,
                                                    .from = from,
                                                    .to = to,
                                                    .along = self->G_b,
                                                    .by = h / 2,
                                                    .drift = h,
                                                    .dp_free = self->kick,
                                                    .dp = self->dp,
                                                    .multiplier = to->lambda}));
  return shk_jacobian(self->evaluator, self->G1, from->t + h, to->q);
}

/* Solves (2) for q1 along G(q1), so that q1 is the point nearest to q*. Stores kick - h/2 G(q1)ᵀ
 * lambda in dp. */
static struct shk_status along_new(struct variant *self, struct shk_state *to,
                                   const struct shk_state *from, real h)
{
  SHK_TRY(shk_orthogonal_stage(self->orthogonal, to, from, h, self->dq, to->lambda, self->G1));
  shk_copy(self->dp, self->kick, self->n);
  shk_jacobian_transposed_add(self->evaluator, self->dp, self->G1, -1 / h, to->lambda);
  for (int i = 0; i < self->m; i++)
    to->lambda[i] /= h * h / 2;
  return shk_ok();
}

/* Completes the step by (3) and (4): p1 = p0 + first - h/2 (V_q(x) + G(q1)ᵀ mu), with G(q1) v1 = 0
 * or mu = 0. */
static struct shk_status finish_shake_variants(struct variant *self, struct shk_state *to,
                                               const struct shk_state *from, real h,
                                               const real *first, const real *x)
{
  const real t1 = from->t + h;
  SHK_TRY(shk_gradient(self->evaluator, self->gradient, t1, x, from->p));
  for (int i = 0; i < self->n; i++)
    self->dp[i] = first[i] - h / 2 * self->gradient[i];
  if (self->project_velocity) {
    SHK_TRY(shk_jacobian(self->evaluator, self->G1, t1, to->q));
    return shk_kick(self->solver, &(struct shk_kick){.until = SHK_ON_HIDDEN,
                                                     .t = from->t + h,
                                                     .from = from,
                                                     .to = to,
                                                     .along = self->G1,
                                                     .by = h / 2,
                                                     .dp = self->dp,
                                                     .multiplier = to->mu});
  }
  shk_move_p(to, from, self->dp);
  shk_fill(to->mu, 0, self->m);
  return shk_ok();
}

/* Returns the work of the position correction and of the kick of mu. If the correction is fed back,
 * it counts as a kick before the drift. Otherwise, it counts as a move, which changes only V. */
static real work_of(struct variant *self, const struct shk_state *to, const struct shk_state *from,
                    real h)
{
  struct shk_evaluator *e = self->evaluator;
  const real t1 = from->t + h;
  const real *G = self->direction == TRIAL ? self->G_b : self->G1;
  const real first =
      self->fed ? shk_kick_work(e, self->gradient, h / 2, G, to->lambda, from->t, from->q, from->p,
                                SHK_BEFORE_KICK)
                : shk_energy_of(e, t1, to->q, from->p) - shk_energy_of(e, t1, self->trial, from->p);
  return first + (self->project_velocity ? shk_kick_work(e, self->gradient, h / 2, self->G1, to->mu,
                                                         t1, to->q, to->p, SHK_AFTER_KICK)
                                         : 0);
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct variant *self = method;
  SHK_TRY(predict_positions(self, from, h));
  SHK_TRY(self->direction == NEW     ? along_new(self, to, from, h)
          : self->direction == TRIAL ? along_known(self, to, from, h, from->t + h, self->trial)
                                     : along_known(self, to, from, h, from->t, from->q));
  SHK_TRY(finish_shake_variants(self, to, from, h, self->fed ? self->dp : self->kick,
                                self->at_trial ? self->trial : to->q));
  if (self->constraint_work)
    *self->constraint_work += work_of(self, to, from, h);
  return shk_ok();
}

static const struct shk_integrator position_only, minimal_displacement, verlet_projected;

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct variant *self = method;
  self->fed = binding->integrator == &minimal_displacement;
  self->at_trial = binding->integrator == &verlet_projected;
  if (binding->integrator == &position_only)
    self->direction = OLD;
  SHK_TRY(shk_bind_solver(&self->solver, binding));
  return shk_bind_orthogonal(&self->orthogonal, binding);
}

static void fed_claims(struct shk_claims *claims, const void *method)
{
  const struct variant *self = method;
  shk_tolerance_claims(claims, &self->solving);
  if (self->project_velocity)
    return;
  claims->order_lambda_state = SHK_NO_ORDER;
  claims->keeps_hidden = SHK_NO;
}

/* Without the velocity projection, the constraint acts on the velocity only if the correction is
 * fed back into the velocity. If it is not, the method does not converge. */
static void unfed_claims(struct shk_claims *claims, const void *method)
{
  fed_claims(claims, method);
  if (!((const struct variant *)method)->project_velocity)
    claims->order_q = claims->order_p = 0;
}

#define PROJECT_VELOCITY                                                                           \
  SHK_FLAG(variant, project_velocity, "project-velocity", "yes",                                   \
           "project the velocity at the end of the step, as RATTLE does")

static const struct shk_option options[] =
    SHK_LIST(PROJECT_VELOCITY, SHK_SOLVING_OPTIONS(variant, solving));

static const struct shk_choice directions[] =
    SHK_LIST({"new", "G at the new point: the nearest point to q*"},
             {"trial", "G at q*: the first step towards that point"});

static const struct shk_option minimal_options[] =
    SHK_LIST(PROJECT_VELOCITY,
             SHK_CHOICE(variant, direction, "direction", directions, "new",
                        "point at which the direction of the correction is evaluated; in SHAKE, "
                        "the start of the step"),
             SHK_SOLVING_OPTIONS(variant, solving));

static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAYS(variant, (.n = 1), gradient, kick, dq, dp, trial, trial_carry),
             SHK_ARRAYS(variant, (.entries = 1), G_b, G1));

static const struct shk_stated claims[] =
    SHK_LIST(SHK_ORDERS(1), SHK_GEOMETRY(SHK_NO), SHK_CONSTRAINTS(SHK_YES),
             SHK_COORDINATES(SHK_YES), SHK_CLAIM(COMPENSATED, SHK_YES));

static const struct shk_integrator position_only = {
    SHK_INTEGRATOR(variant, arrays, bind, step, unfed_claims),
    .constraint_work_at = SHK_AT(variant, constraint_work),
    .info = {.name = "shake-position-only",
             .family = "readings of SHAKE that are not SHAKE",
             .summary = "a literal reading of SHAKE that is not SHAKE: the position correction is "
                        "not fed back into the velocity; a pendulum runs down",
             .equations = position_only_equations,
             .citation = "a control; departs from Andersen, J. Comput. Phys. 52 (1983) 24",
             .options = options,
             .supports = SHK_RHEONOMIC,
             .claims = claims}};

static const struct shk_integrator minimal_displacement = {
    SHK_INTEGRATOR(variant, arrays, bind, step, fed_claims),
    .constraint_work_at = SHK_AT(variant, constraint_work),
    .info = {.name = "shake-minimal-displacement",
             .family = "readings of SHAKE that are not SHAKE",
             .summary = "a reading of SHAKE that is not SHAKE: the smallest displacement onto the "
                        "constraint; a pendulum runs down",
             .equations = minimal_equations,
             .citation = "a control; departs from Ryckaert, Ciccotti & Berendsen, J. Comput. Phys. "
                         "23 (1977) 327",
             .options = minimal_options,
             .supports = SHK_RHEONOMIC,
             .claims = claims}};

static const struct shk_integrator verlet_projected = {
    SHK_INTEGRATOR(variant, arrays, bind, step, unfed_claims),
    .constraint_work_at = SHK_AT(variant, constraint_work),
    .info = {.name = "verlet-projected",
             .family = "index reduction and projection",
             .textbook = "naive projection: a step without constraints, then the nearest point on "
                         "the constraint",
             .summary =
                 "an unconstrained Störmer-Verlet step, then M-orthogonal projection; a pendulum "
                 "runs down",
             .equations = projected_equations,
             .citation = "a control; Hairer, Lubich & Wanner, GNI, section IV.4",
             .options = options,
             .supports = SHK_RHEONOMIC,
             .claims = claims}};

SHK_PROVIDE(shake_variants, .integrators = SHK_INTEGRATORS(&position_only, &minimal_displacement,
                                                           &verlet_projected));
