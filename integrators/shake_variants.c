/*
 * Variants of SHAKE and RATTLE that are neither. Each follows literally a description found in
 * texts and departs from the method in one point; all of them converge, satisfy the constraint to
 * round-off, and lose energy.
 *
 *     v½ = v0 - h/2 M⁻¹ ∇V(q0),     q* = q0 + h v½          (all three)
 *
 *  - shake-position-only: the correction of the position is not fed back into the velocity,
 *        q1 = q* - h²/2 M⁻¹ G(q0)ᵀ lambda,  g(q1) = 0,       v* = v½ - h/2 M⁻¹ ∇V(q1)
 *  - shake-minimal-displacement: it is fed back, but is the least displacement from q* in the
 *    metric of M: along G at the new point (direction=new) or at q* (direction=trial) instead of
 *    at q0,
 *        q1 = q* - h²/2 M⁻¹ G(·)ᵀ lambda,  g(q1) = 0,        v* = (q1 - q0)/h - h/2 M⁻¹ ∇V(q1)
 *  - verlet-projected: an unconstrained step of Störmer-Verlet, then the M-orthogonal projection,
 *        q1 = q* - h²/2 M⁻¹ G(q1)ᵀ lambda,  g(q1) = 0,       v* = v½ - h/2 M⁻¹ ∇V(q*)
 *
 * With project-velocity, v1 = v* - h/2 M⁻¹ G(q1)ᵀ mu with G(q1) v1 = 0; otherwise v1 = v*. The
 * momentum is p = M v. Without it, the first and the third never let the constraint act on the
 * velocity at all, and do not converge.
 *
 * Where g depends on t it is taken at the time of its position, and g_t is added to G(q1) v1. The
 * constraint force is -Gᵀ lambda. Sums of q and p are compensated. Separable systems only, without
 * generalized forces, which the texts do not mention; not for constraints that depend on p.
 *
 * What they depart from: Ryckaert, Ciccotti & Berendsen, J. Comput. Phys. 23 (1977) 327; Andersen,
 * J. Comput. Phys. 52 (1983) 24.
 */
#include <shakedown/bind.h>
#include <shakedown/plugin.h>

#include <string.h>

/* In the order of the choices. */
enum direction { DIRECTION_NEW, DIRECTION_TRIAL };

struct variant {
  struct shk_evaluator *evaluator;
  int n, m;
  bool project_velocity;
  int direction;
  struct shk_solving solving;
  struct shk_multiplier_solver *solver;
  struct shk_orthogonal *orthogonal;
  real *gradient, *kick, *dq, *dp, *trial, *trial_carry, *G_b, *G1;
  real *work; /* work of the constraints; NULL: not measured */
};

/* Stores -h/2 ∇V(q0) in `kick`, h M⁻¹ (p0 + kick) in dq, and q* unless it is NULL. */
static struct shk_status predict(struct variant *w, const struct shk_state *from, real h)
{
  struct shk_evaluator *e = w->evaluator;
  SHK_TRY(shk_gradient(e, w->gradient, from->t, from->q, from->p));
  for (int i = 0; i < w->n; i++) {
    w->kick[i] = -h / 2 * w->gradient[i];
    w->dq[i] = h * shk_over_mass(e, from->p[i] + (from->p_carry[i] + w->kick[i]), i);
    w->trial[i] = from->q[i];
    w->trial_carry[i] = from->q_carry[i];
    real_accumulate(&w->trial[i], &w->trial_carry[i], w->dq[i]);
  }
  return shk_ok();
}

/* Finds q1 along G(x) of a known point, at time t; dp = kick - h/2 G(x)ᵀ lambda. */
static struct shk_status along_known(struct variant *w, struct shk_state *to,
                                     const struct shk_state *from, real h, real t, const real *x)
{
  SHK_TRY(shk_jacobian(w->evaluator, w->G_b, t, x));
  return shk_position_stage(w->solver, to, from, h, h / 2, w->kick, w->G_b, w->dp, w->G1);
}

/* Finds q1 along G(q1), the nearest point to q*; dp as above. */
static struct shk_status along_new(struct variant *w, struct shk_state *to,
                                   const struct shk_state *from, real h)
{
  SHK_TRY(shk_orthogonal_stage(w->orthogonal, to, from, h, w->dq, to->lambda, w->G1));
  memcpy(w->dp, w->kick, (size_t)w->n * sizeof(real));
  shk_jacobian_transposed_add(w->evaluator, w->dp, w->G1, -1 / h, to->lambda);
  for (int i = 0; i < w->m; i++)
    to->lambda[i] /= h * h / 2;
  return shk_ok();
}

/* Computes p1 = p0 + first - h/2 (∇V(x) + G(q1)ᵀ mu), with G(q1) v1 = 0 or mu = 0. */
static struct shk_status finish(struct variant *w, struct shk_state *to,
                                const struct shk_state *from, real h, const real *first,
                                const real *x)
{
  const real t1 = from->t + h;
  SHK_TRY(shk_gradient(w->evaluator, w->gradient, t1, x, from->p));
  for (int i = 0; i < w->n; i++)
    w->dp[i] = first[i] - h / 2 * w->gradient[i];
  if (w->project_velocity) {
    SHK_TRY(shk_jacobian(w->evaluator, w->G1, t1, to->q));
    return shk_momentum_stage(w->solver, to, from, h, h / 2, w->G1, w->dp);
  }
  shk_move_p(to, from, w->dp);
  memset(to->mu, 0, (size_t)w->m * sizeof(real));
  return shk_ok();
}

/* Returns the work of the move from q* to q1, which changes only V. */
static real work_of_move(struct variant *w, const struct shk_state *to,
                         const struct shk_state *from, real h)
{
  const real t1 = from->t + h;
  return shk_energy_of(w->evaluator, t1, to->q, from->p) -
         shk_energy_of(w->evaluator, t1, w->trial, from->p);
}

/* Adds the work of the position's correction and of the kick of mu. */
static void add_work(struct variant *w, real first, const struct shk_state *to,
                     const struct shk_state *from, real h)
{
  *w->work +=
      first + (w->project_velocity ? shk_kick_work(w->evaluator, w->gradient, h / 2, w->G1, to->mu,
                                                   from->t + h, to->q, to->p, SHK_AFTER_KICK)
                                   : 0);
}

/* Ends a step whose position correction is not added to the velocity. */
static struct shk_status finish_unfed(struct variant *w, struct shk_state *to,
                                      const struct shk_state *from, real h, const real *x)
{
  SHK_TRY(finish(w, to, from, h, w->kick, x));
  if (w->work)
    add_work(w, work_of_move(w, to, from, h), to, from, h);
  return shk_ok();
}

static struct shk_status position_only_step(void *method, struct shk_state *to,
                                            const struct shk_state *from, real h)
{
  struct variant *w = method;
  SHK_TRY(predict(w, from, h));
  SHK_TRY(along_known(w, to, from, h, from->t, from->q));
  return finish_unfed(w, to, from, h, to->q);
}

static struct shk_status minimal_displacement_step(void *method, struct shk_state *to,
                                                   const struct shk_state *from, real h)
{
  struct variant *w = method;
  const bool trial = w->direction == DIRECTION_TRIAL;
  SHK_TRY(predict(w, from, h));
  SHK_TRY(trial ? along_known(w, to, from, h, from->t + h, w->trial) : along_new(w, to, from, h));
  SHK_TRY(finish(w, to, from, h, w->dp, to->q));
  if (w->work) /* added to the velocity, the correction is a kick before the drift */
    add_work(w,
             shk_kick_work(w->evaluator, w->gradient, h / 2, trial ? w->G_b : w->G1, to->lambda,
                           from->t, from->q, from->p, SHK_BEFORE_KICK),
             to, from, h);
  return shk_ok();
}

static struct shk_status verlet_projected_step(void *method, struct shk_state *to,
                                               const struct shk_state *from, real h)
{
  struct variant *w = method;
  SHK_TRY(predict(w, from, h));
  SHK_TRY(along_new(w, to, from, h));
  return finish_unfed(w, to, from, h, w->trial);
}

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct variant *w = method;
  SHK_TRY(shk_bind_solver(&w->solver, binding));
  return shk_bind_orthogonal(&w->orthogonal, binding);
}

static void fed_claims(struct shk_claims *claims, const void *method)
{
  if (((const struct variant *)method)->project_velocity)
    return;
  claims->order_lambda_state = SHK_NO_ORDER;
  claims->keeps_hidden = SHK_NO;
}

/* Without the velocity projection the constraint does not act on the velocity, unless the
 * correction is added to it: then the method does not converge. */
static void unfed_claims(struct shk_claims *claims, const void *method)
{
  fed_claims(claims, method);
  if (!((const struct variant *)method)->project_velocity)
    claims->order_q = claims->order_p = 0;
}

#define PROJECT_VELOCITY                                                                           \
  SHK_FLAG(variant, project_velocity, "project-velocity", "yes",                                   \
           "whether the velocity is projected at the end of the step, as RATTLE's is")

static const struct shk_option options[] = {
    PROJECT_VELOCITY, SHK_SOLVING_OPTIONS(variant, solving), {0}};

static const struct shk_choice directions[] = {
    {"new", "G at the new point: the nearest point to q*", NULL},
    {"trial", "G at q*: the first step of finding it", NULL},
    {0}};

static const struct shk_option minimal_options[] = {
    PROJECT_VELOCITY,
    SHK_CHOICE(variant, direction, "direction", directions, "new",
               "point of the direction of the correction; for SHAKE the start of the step"),
    SHK_SOLVING_OPTIONS(variant, solving),
    {0}};

static const struct shk_array arrays[] = {SHK_ARRAYS(variant, gradient, trial_carry, .n = 1),
                                          SHK_ARRAYS(variant, G_b, G1, .entries = 1),
                                          {0}};

static const struct shk_stated claims[] = {SHK_ORDERS(1),
                                           SHK_GEOMETRY(SHK_NO),
                                           SHK_CONSTRAINTS(SHK_YES),
                                           SHK_COORDINATES(SHK_YES),
                                           SHK_CLAIM(COMPENSATED, SHK_YES),
                                           {0}};

#define VARIANT(its_step, its_claims)                                                              \
  SHK_METHOD(variant), .arrays = arrays, .bind = bind, .step = its_step,                           \
                       .claims_under = its_claims, .work_at = SHK_AT(variant, work)

static const struct shk_integrator position_only = {
    .struct_size = sizeof(struct shk_integrator),
    .info = {.name = "shake-position-only",
             .summary =
                 "a literal reading of SHAKE that is not SHAKE: the position's correction is "
                 "not fed back into the velocity; drifts",
             .equations = "v½ = v0 - h/2 M^-1 grad V(q0)\n"
                          "q1 = q0 + h v½ - h^2/2 M^-1 G(q0)^T lambda,  g(q1) = 0\n"
                          "v1 = v½ - h/2 M^-1 (grad V(q1) + G(q1)^T mu),  G(q1) v1 = 0",
             .citation = "a control; departs from Andersen, J. Comput. Phys. 52 (1983) 24",
             .options = options,
             .supports = SHK_RHEONOMIC,
             .claims = claims},
    VARIANT(position_only_step, unfed_claims)};

static const struct shk_integrator minimal_displacement = {
    .struct_size = sizeof(struct shk_integrator),
    .info = {.name = "shake-minimal-displacement",
             .summary = "a reading of SHAKE that is not SHAKE: the least displacement onto the "
                        "constraint; drifts",
             .equations = "v½ = v0 - h/2 M^-1 grad V(q0),  q* = q0 + h v½\n"
                          "q1 = q* - h^2/2 M^-1 G(q1)^T lambda,  g(q1) = 0   (trial: G(q*))\n"
                          "v1 = (q1-q0)/h - h/2 M^-1 (grad V(q1) + G(q1)^T mu),  G(q1) v1 = 0",
             .citation = "a control; departs from Ryckaert, Ciccotti & Berendsen, J. Comput. Phys. "
                         "23 (1977) 327",
             .options = minimal_options,
             .supports = SHK_RHEONOMIC,
             .claims = claims},
    VARIANT(minimal_displacement_step, fed_claims)};

static const struct shk_integrator verlet_projected = {
    .struct_size = sizeof(struct shk_integrator),
    .info = {.name = "verlet-projected",
             .summary =
                 "an unconstrained Störmer-Verlet step, then M-orthogonal projection; drifts",
             .equations = "v½ = v0 - h/2 M^-1 grad V(q0),  q* = q0 + h v½,\n"
                          "v* = v½ - h/2 M^-1 grad V(q*)\n"
                          "q1 = q* - h^2/2 M^-1 G(q1)^T lambda,  g(q1) = 0\n"
                          "v1 = v* - h/2 M^-1 G(q1)^T mu,  G(q1) v1 = 0",
             .citation = "a control; Hairer, Lubich & Wanner, GNI, section IV.4",
             .options = options,
             .supports = SHK_RHEONOMIC,
             .claims = claims},
    VARIANT(verlet_projected_step, unfed_claims)};

SHK_PROVIDE(shake_variants, .integrators = SHK_INTEGRATORS(&position_only, &minimal_displacement,
                                                           &verlet_projected));
