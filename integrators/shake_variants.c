/*
 * Readings of SHAKE and RATTLE that are neither. Each follows a description found in texts word by
 * word and departs from the method in one point; all of them converge, satisfy the constraint to
 * round-off, and run down.
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
 * generalized forces, of which the texts say nothing; not for constraints that depend on p.
 *
 * What they depart from: Ryckaert, Ciccotti & Berendsen, J. Comput. Phys. 23 (1977) 327; Andersen,
 * J. Comput. Phys. 52 (1983) 24.
 */
#include <shakedown/impulse.h>
#include <shakedown/ode.h>
#include <shakedown/plugin.h>

#include <stdlib.h>
#include <string.h>

enum reading { POSITION_ONLY, MINIMAL_DISPLACEMENT, VERLET_PROJECTED };

/* In the order of the heads. */
enum direction { DIRECTION_NEW, DIRECTION_TRIAL };

struct reader {
  struct shk_evaluator *evaluator;
  enum reading reading;
  enum direction direction;
  bool project_velocity;
  int n, m;
  struct shk_multiplier_solver *solver;
  struct shk_orthogonal *orthogonal;
  real *work_sum; /* NULL: nobody asks for the constraint work */
  real *block, *gradient, *kick, *dq, *dp, *trial, *trial_carry, *G_b, *G1;
};

/* kick <- -h/2 ∇V(q0), dq <- h M⁻¹ (p0 + kick), and q* where it is wanted. */
static struct shk_status predict(struct reader *w, const struct shk_state *from, real h)
{
  struct shk_evaluator *e = w->evaluator;
  SHK_TRY(shk_gradient(e, w->gradient, from->t, from->q, from->p));
  for (int i = 0; i < w->n; i++) {
    w->kick[i] = -h / 2 * w->gradient[i];
    w->dq[i] = h * ((from->p[i] + (from->p_carry[i] + w->kick[i])) / e->system->mass[i]);
    w->trial[i] = from->q[i];
    w->trial_carry[i] = from->q_carry[i];
    real_accumulate(&w->trial[i], &w->trial_carry[i], w->dq[i]);
  }
  return shk_ok();
}

/* q1 along G at a known point; dp <- kick and the impulse, unscaled: dp = kick - h/2 Gᵀ lambda. */
static struct shk_status along_known(struct reader *w, struct shk_state *to,
                                     const struct shk_state *from, real h)
{
  struct shk_evaluator *e = w->evaluator;
  SHK_TRY(w->reading == POSITION_ONLY ? shk_jacobian(e, w->G_b, from->t, from->q)
                                      : shk_jacobian(e, w->G_b, from->t + h, w->trial));
  memcpy(to->lambda, from->lambda, (size_t)w->m * sizeof(real));
  return shk_solve_position(w->solver, &(struct shk_position_solve){.t1 = from->t + h,
                                                                    .kick = h / 2,
                                                                    .drift = h,
                                                                    .q = from->q,
                                                                    .q_carry = from->q_carry,
                                                                    .p = from->p,
                                                                    .p_carry = from->p_carry,
                                                                    .dp_free = w->kick,
                                                                    .G_b = w->G_b,
                                                                    .lambda = to->lambda,
                                                                    .dp = w->dp,
                                                                    .p1 = to->p,
                                                                    .q1 = to->q,
                                                                    .q1_carry = to->q_carry,
                                                                    .G1 = w->G1});
}

/* q1 along G(q1), the nearest point to q*; dp as above. */
static struct shk_status along_new(struct reader *w, struct shk_state *to,
                                   const struct shk_state *from, real h)
{
  SHK_TRY(
      shk_orthogonal_project(w->orthogonal, &(struct shk_orthogonal_task){.t1 = from->t + h,
                                                                          .q = from->q,
                                                                          .q_carry = from->q_carry,
                                                                          .dq = w->dq,
                                                                          .lambda = to->lambda,
                                                                          .q1 = to->q,
                                                                          .q1_carry = to->q_carry,
                                                                          .G1 = w->G1}));
  memcpy(w->dp, w->kick, (size_t)w->n * sizeof(real));
  shk_jacobian_transposed_add(w->evaluator, w->dp, w->G1, -1 / h, to->lambda);
  for (int i = 0; i < w->m; i++)
    to->lambda[i] /= h * h / 2;
  return shk_ok();
}

static struct shk_status advance(struct reader *w, struct shk_state *to,
                                 const struct shk_state *from, real h)
{
  struct shk_evaluator *e = w->evaluator;
  const int n = w->n;
  const real t1 = from->t + h;
  SHK_TRY(predict(w, from, h));
  const bool known = w->reading == POSITION_ONLY ||
                     (w->reading == MINIMAL_DISPLACEMENT && w->direction == DIRECTION_TRIAL);
  SHK_TRY(known ? along_known(w, to, from, h) : along_new(w, to, from, h));
  SHK_TRY(
      shk_gradient(e, w->gradient, t1, w->reading == VERLET_PROJECTED ? w->trial : to->q, from->p));
  const real *first = w->reading == MINIMAL_DISPLACEMENT ? w->dp : w->kick;
  for (int i = 0; i < n; i++)
    w->dp[i] = first[i] - h / 2 * w->gradient[i];
  if (w->project_velocity) {
    SHK_TRY(shk_jacobian(e, w->G1, t1, to->q));
    return shk_solve_hidden(w->solver, &(struct shk_hidden_solve){.t1 = t1,
                                                                  .kick = h / 2,
                                                                  .q1 = to->q,
                                                                  .p = from->p,
                                                                  .p_carry = from->p_carry,
                                                                  .G1 = w->G1,
                                                                  .mu = to->mu,
                                                                  .dp = w->dp,
                                                                  .p1 = to->p,
                                                                  .p1_carry = to->p_carry});
  }
  for (int i = 0; i < n; i++) {
    to->p[i] = from->p[i];
    to->p_carry[i] = from->p_carry[i];
    real_accumulate(&to->p[i], &to->p_carry[i], w->dp[i]);
  }
  memset(to->mu, 0, (size_t)w->m * sizeof(real));
  return shk_ok();
}

/* The correction of the position is the drift after a kick where it is fed back, and a move from q*
 * to q1, which changes V alone, where it is not; that of the
 * velocity is a kick at the end. */
static real work_of(struct reader *w, const struct shk_state *to, const struct shk_state *from,
                    real h)
{
  struct shk_evaluator *e = w->evaluator;
  const real t1 = from->t + h;
  real work;
  if (w->reading == MINIMAL_DISPLACEMENT) {
    work = shk_kick_work(e, w->gradient, h / 2, w->direction == DIRECTION_TRIAL ? w->G_b : w->G1,
                         to->lambda, from->t, from->q, from->p, SHK_BEFORE_KICK);
  } else {
    work = shk_energy_of(e, t1, to->q, from->p) - shk_energy_of(e, t1, w->trial, from->p);
  }
  return work + (w->project_velocity ? shk_kick_work(e, w->gradient, h / 2, w->G1, to->mu, t1,
                                                     to->q, to->p, SHK_AFTER_KICK)
                                     : 0);
}

static struct shk_status reader_step(void *method, struct shk_state *to,
                                     const struct shk_state *from, real h)
{
  struct reader *w = method;
  SHK_TRY(advance(w, to, from, h));
  if (w->work_sum != NULL)
    *w->work_sum += work_of(w, to, from, h);
  return shk_ok();
}

static bool reader_constraint_work(void *method, real *sum)
{
  ((struct reader *)method)->work_sum = sum;
  return true;
}

static void reader_destroy(void *method)
{
  struct reader *w = method;
  if (w == NULL)
    return;
  shk_multiplier_destroy(w->solver);
  shk_orthogonal_destroy(w->orthogonal);
  free(w->block);
  free(w);
}

static struct shk_status create(void **method, const struct shk_binding *binding,
                                enum reading reading)
{
  struct shk_evaluator *e = binding->evaluator;
  const size_t n = (size_t)e->system->n, m = (size_t)e->system->m;
  const size_t entries = (size_t)e->row_start[m];
  struct reader *w = calloc(1, sizeof *w);
  real *block = calloc(6 * n + 2 * entries + 1, sizeof *block);
  *method = NULL;
  if (w == NULL || block == NULL) {
    free(w);
    free(block);
    return shk_failure(SHK_NO_MEMORY, "no memory for the method", 0, 0);
  }
  *w = (struct reader){.evaluator = e,
                       .reading = reading,
                       .project_velocity = shk_values_flag(binding->options, "project-velocity"),
                       .n = (int)n,
                       .m = (int)m,
                       .block = block,
                       .gradient = block,
                       .kick = block + n,
                       .dq = block + 2 * n,
                       .dp = block + 3 * n,
                       .trial = block + 4 * n,
                       .trial_carry = block + 5 * n,
                       .G_b = block + 6 * n,
                       .G1 = block + 6 * n + entries};
  if (reading == MINIMAL_DISPLACEMENT)
    w->direction = (enum direction)shk_values_choice(binding->options, "direction");
  struct shk_status status = shk_multiplier_create(&w->solver, e, binding->options);
  if (status.code == SHK_OK)
    status = shk_orthogonal_create(&w->orthogonal, e, binding->options);
  if (status.code != SHK_OK) {
    reader_destroy(w);
    return status;
  }
  *method = w;
  return status;
}

static struct shk_status position_only_create(void **method, const struct shk_binding *binding)
{
  return create(method, binding, POSITION_ONLY);
}

static struct shk_status minimal_displacement_create(void **method,
                                                     const struct shk_binding *binding)
{
  return create(method, binding, MINIMAL_DISPLACEMENT);
}

static struct shk_status verlet_projected_create(void **method, const struct shk_binding *binding)
{
  return create(method, binding, VERLET_PROJECTED);
}

/* Without the projection of the velocity the constraint never acts on it, unless its impulse is fed
 * back: then nothing converges. */
static void unfed_claims(struct shk_claims *claims, const struct shk_values *options)
{
  if (shk_values_flag(options, "project-velocity"))
    return;
  claims->order_q = claims->order_p = 0;
  claims->order_lambda_state = SHK_NO_ORDER;
  claims->keeps_hidden = SHK_NO;
}

static void fed_claims(struct shk_claims *claims, const struct shk_values *options)
{
  if (shk_values_flag(options, "project-velocity"))
    return;
  claims->order_lambda_state = SHK_NO_ORDER;
  claims->keeps_hidden = SHK_NO;
}

#define PROJECT_VELOCITY                                                                           \
  {                                                                                                \
    .name = "project-velocity", .kind = SHK_OPTION_FLAG, .fallback = "yes",                        \
    .meaning = "whether the velocity is projected at the end of the step, as RATTLE's is"          \
  }

static const struct shk_option options[] = {PROJECT_VELOCITY, SHK_SOLVER_OPTIONS, {0}};

static const struct shk_head directions[] = {
    {"new", "G at the new point: the nearest point to q*", NULL},
    {"trial", "G at q*: the first step of finding it", NULL},
    {0}};

static const struct shk_option minimal_options[] = {
    PROJECT_VELOCITY,
    {.name = "direction",
     .kind = SHK_OPTION_CHOICE,
     .fallback = "new",
     .heads = directions,
     .meaning = "where the direction of the correction is taken; SHAKE takes it at the old point"},
    SHK_SOLVER_OPTIONS,
    {0}};

#define READING_CLAIMS                                                                             \
  {                                                                                                \
    .order_q = 1, .order_p = 1, .order_lambda = SHK_NO_ORDER, .order_mu = SHK_NO_ORDER,            \
    .order_lambda_mean = SHK_NO_ORDER, .order_lambda_sum = SHK_NO_ORDER, .order_lambda_state = 1,  \
    .symplectic = SHK_NO, .presymplectic = SHK_NO, .symmetric = SHK_NO,                            \
    .keeps_constraint = SHK_YES, .keeps_hidden = SHK_YES, .keeps_momenta = SHK_NO,                 \
    .energy_bounded = SHK_NO                                                                       \
  }

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
             .claims = READING_CLAIMS},
    .create = position_only_create,
    .step = reader_step,
    .destroy = reader_destroy,
    .claims = unfed_claims,
    .constraint_work = reader_constraint_work};

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
             .claims = READING_CLAIMS},
    .create = minimal_displacement_create,
    .step = reader_step,
    .destroy = reader_destroy,
    .claims = fed_claims,
    .constraint_work = reader_constraint_work};

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
             .claims = READING_CLAIMS},
    .create = verlet_projected_create,
    .step = reader_step,
    .destroy = reader_destroy,
    .claims = unfed_claims,
    .constraint_work = reader_constraint_work};

SHK_PROVIDE(shake_variants, .integrators = SHK_INTEGRATORS(&position_only, &minimal_displacement,
                                                           &verlet_projected));
