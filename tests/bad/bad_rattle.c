/*
 * RATTLE over Störmer-Verlet with one fault each: `bad-rattle(fault=…)` claims what RATTLE claims
 * (the composition: order 4), and what tests integrators must find the fault: the conformance test,
 * a certificate, a check against a baseline, the outcomes of a singular study. `none`,
 * `right-sequence` and `modest`, which claims less, are controls. Separable systems only.
 *
 * Two faults are strategies at singular configurations that report success at every step, and claim
 * no more than to keep the constraints:
 *
 *   clamps     Cholesky of G M⁻¹ Gᵀ in which a pivot below 1e-3 of the largest diagonal entry is
 *              quietly replaced by that entry, and three Newton iterations that nobody checks
 *   turns-off  for a bead in the plane: a step that crosses x = 0 is reflected at the x axis, after
 *              which constraint, hidden constraint and energy of a curve that is symmetric to that
 *              axis are what they should be, and the bead is on the other branch
 */
#include <shakedown/plugin.h>

#include <stdlib.h>
#include <string.h>

/* clang-format off */
#define FAULTS(X) \
  X(NONE, "none", "RATTLE as it should be: the control") \
  X(MODEST, "modest", "RATTLE, but claiming not to be symplectic, symmetric, reversible or compensated") \
  X(GRADIENT_OLD, "gradient-old", "the second half kick takes the force of the old position") \
  X(COEFFICIENT, "coefficient", "both half kicks are 1 percent too long") \
  X(FIFTEENTH_DIGIT, "fifteenth-digit", "the first half kick is wrong in its fifteenth digit") \
  X(SIGN_OF_STEP, "sign-of-step", "the second half kick takes a step for a length") \
  X(DAMPED, "damped", "momenta lose a millionth in a unit of time") \
  X(SIDE_WIND, "side-wind", "a constant force of 1e-9 that no potential of the problem has") \
  X(UNCONSTRAINED, "unconstrained", "plain Verlet that returns ok") \
  X(LOOSE_SOLVE, "loose-solve", "positions are accepted within 1e-7") \
  X(STALE_FACTOR, "stale-factor", "one solve with the old position's matrix is called exact") \
  X(CLAMPS, "clamps", "small pivots are replaced without a word") \
  X(DIRECTION_NEW, "direction-new", "the constraint acts along the normals of the new position") \
  X(DIRECTION_PREDICTED, "direction-predicted", \
    "the constraint acts along the normals of the position before it acts") \
  X(UNWEIGHTED, "unweighted", "positions are moved onto the constraint without regard to masses") \
  X(EARLY_FORCE, "early-force", "the second half kick takes V(q,t) at the start of the step") \
  X(FORCE_PREDICTED, "force-predicted", \
    "the second half kick takes the force at the position before the constraint acts") \
  X(NO_SECOND_KICK, "no-second-kick", "there is no second half kick") \
  X(NO_FEEDBACK, "no-feedback", "the position constraint's impulse does not reach the momentum") \
  X(OLD_JACOBIAN, "old-jacobian", "momenta are made tangent at the old position") \
  X(QUOTIENT, "quotient", "momenta are difference quotients of positions") \
  X(SINGLE, "single", "states are rounded to single precision") \
  X(LAST_ROW, "last-row", "positions satisfy each row in turn, and only the last at the end") \
  X(HALF_POSITION_IMPULSE, "half-position-impulse", \
    "half of the position constraint's impulse reaches the momentum") \
  X(NO_PROJECTION, "no-projection", "the hidden constraint is left alone") \
  X(HALF_IMPULSE, "half-impulse", "half of the hidden constraint's impulse is applied") \
  X(OLD_FIBRE, "old-fibre", "the hidden constraint is reached along the old position's normals") \
  X(TURNS_OFF, "turns-off", "the other branch of a symmetric curve is taken at its crossing") \
  X(WRONG_SEQUENCE, "wrong-sequence", "a triple jump whose steps are in the wrong sequence") \
  X(ADMIXTURE, "admixture", "a triple jump whose steps are wrong in their seventh digit") \
  X(DOUBLE_FORCE, "double-force", "the force is one percent too large, in double only") \
  X(DOUBLE_DIGIT, "double-twelfth-digit", "the force is wrong in its twelfth digit, in double only") \
  X(DOUBLE_MULTIPLIERS, "double-multipliers", \
    "multipliers are handed out a hundred-millionth too large, in double only") \
  X(DOUBLE_PROJECTION, "double-projection", "the hidden constraint is left alone, in double only") \
  X(DOUBLE_PART, "double-part", \
    "in double only a ten-millionth of the hidden constraint's impulse is left out") \
  X(ONE_WAY, "one-way", "sign-of-step, and claims no symmetry") \
  X(FROM_REST, "from-rest", "where it starts from rest the first half kick has no force") \
  X(TINY_STEPS, "tiny-steps", "the force is one percent too large at steps below 1e-4") \
  X(OTHER_SIGN, "other-sign", "multipliers are handed out with the other sign") \
  X(OTHER_ROWS, "other-rows", "the first two multipliers are handed out for each other") \
  X(ROWS_AS_TEXT, "rows-as-text", \
    "above ten rows, multipliers are handed out in the alphabetical order of their numbers") \
  X(REMAINDER, "remainder", \
    "of a step that is no multiple of a fiftieth of the time scale, the rest is not taken") \
  X(ROW_UNITS, "row-units", "multipliers are handed out as if rows of G had length one") \
  X(NO_CARRY, "no-carry", "what rounding leaves of sums is dropped") \
  X(OTHER_CARRY, "other-carry", "what rounding leaves of sums is carried with the other sign") \
  X(CARRY_BACK, "carry-back", "in steps back it is dropped") \
  X(CARRY_LATE, "carry-late", "in each hundredth step it is dropped") \
  X(MOMENTUM_CARRY, "momentum-carry", "of momenta alone it is dropped") \
  X(SILENT, "silent", "RATTLE that claims nothing") \
  X(REFUSES_LARGE, "refuses-large", "systems of more than two coordinates are refused") \
  X(RIGHT_SEQUENCE, "right-sequence", "the triple jump as it should be") \
  X(WRITES_FROM, "writes-from", "the old state is overwritten before the step is sure") \
  X(FORGETFUL, "forgetful", "a hidden state makes the same step come out differently") \
  X(ALLOCATES, "allocates", "memory is taken in the step") \
  X(REFUSES_NEGATIVE, "refuses-negative", "a negative step fails") \
  X(IGNORES_FAILURE, "ignores-failure", "a failed callback is not passed on")
/* clang-format on */

#include "faults.h"

struct method {
  struct shk_evaluator *evaluator;
  int n, m;
  int fault; /* enum fault */
  struct shk_solving solving;
  struct shk_multiplier_solver *solver;
  struct shk_linear *linear;
  long steps;
  real longest; /* step of the fault `remainder` */
  struct shk_state middle[2];
  real *G0, *G1, *gradient, *old, *dp, *dp_free, *p_half, *row, *rate, *K;
};

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct method *w = method;
  if (w->fault == REFUSES_LARGE && binding->instance->system.n > 2)
    return shk_failure(SHK_REFUSED, "more than two coordinates", 0, 0);
  w->longest = binding->instance->time_scale / 50;
  SHK_TRY(shk_bind_state(&w->middle[0], binding));
  SHK_TRY(shk_bind_state(&w->middle[1], binding));
  SHK_TRY(shk_bind_solver(&w->solver, binding));
  return shk_bind_linear(&w->linear, binding, NULL);
}

/* q1 = q0 + h M⁻¹(p0 + dp) with dp = dp_free - kick G_bᵀ lambda, given lambda; g(q1) into g. */
static struct shk_status explicit_positions(struct method *w, struct shk_state *to,
                                            const struct shk_state *from, real h, real kick,
                                            real *g)
{
  for (int i = 0; i < w->n; i++)
    w->dp[i] = w->dp_free[i];
  shk_jacobian_transposed_add(w->evaluator, w->dp, w->G0, -kick, to->lambda);
  for (int i = 0; i < w->n; i++) {
    w->p_half[i] = from->p[i] + from->p_carry[i] + w->dp[i];
    to->q[i] = from->q[i];
    to->q_carry[i] = from->q_carry[i];
    real_accumulate(&to->q[i], &to->q_carry[i], h * w->p_half[i] / w->evaluator->system->mass[i]);
  }
  return shk_constraint(w->evaluator, g, from->t + h, to->q);
}

/* residual <- K⁻¹ residual with K = G M⁻¹ Gᵀ and its small pivots clamped. */
static void clamped_solve(struct method *w, const real *G)
{
  const int m = w->m;
  real *K = w->K, largest = 0;
  for (int j = 0; j < m; j++) {
    for (int i = 0; i < w->n; i++)
      w->row[i] = 0;
    for (int k = w->evaluator->row_start[j]; k < w->evaluator->row_start[j + 1]; k++)
      w->row[w->evaluator->columns[k]] =
          G[k] / w->evaluator->system->mass[w->evaluator->columns[k]];
    for (int i = 0; i < m; i++) {
      K[i * m + j] = 0;
      for (int k = w->evaluator->row_start[i]; k < w->evaluator->row_start[i + 1]; k++)
        K[i * m + j] += G[k] * w->row[w->evaluator->columns[k]];
    }
    largest = real_max(largest, K[j * m + j]);
  }
  for (int j = 0; j < m; j++) { /* L, lower triangle */
    real pivot = K[j * m + j];
    for (int k = 0; k < j; k++)
      pivot -= K[j * m + k] * K[j * m + k];
    if (pivot < R(1e-3) * largest)
      pivot = largest;
    K[j * m + j] = real_sqrt(pivot);
    for (int i = j + 1; i < m; i++) {
      for (int k = 0; k < j; k++)
        K[i * m + j] -= K[i * m + k] * K[j * m + k];
      K[i * m + j] /= K[j * m + j];
    }
  }
  real *x = w->rate;
  for (int i = 0; i < m; i++) {
    for (int k = 0; k < i; k++)
      x[i] -= K[i * m + k] * x[k];
    x[i] /= K[i * m + i];
  }
  for (int i = m - 1; i >= 0; i--) {
    for (int k = i + 1; k < m; k++)
      x[i] -= K[k * m + i] * x[k];
    x[i] /= K[i * m + i];
  }
}

/* With the matrix of the old position, and no more corrections of lambda than the fault has. */
static struct shk_status sloppy_positions(struct method *w, struct shk_state *to,
                                          const struct shk_state *from, real h, real kick)
{
  const int corrections = w->fault == LOOSE_SOLVE    ? 50
                          : w->fault == CLAMPS       ? 3
                          : w->fault == STALE_FACTOR ? 1
                                                     : 0;
  real *g = w->rate;
  if (w->fault != CLAMPS) {
    memset(to->lambda, 0, (size_t)w->m * sizeof(real));
    SHK_TRY(shk_linear_factor(w->linear, w->G0, w->G0));
  }
  SHK_TRY(explicit_positions(w, to, from, h, kick, g));
  for (int i = 0; i < corrections; i++) {
    if (w->fault == LOOSE_SOLVE && real_max_norm(g, w->m) <= R(1e-7))
      break;
    if (w->fault == CLAMPS)
      clamped_solve(w, w->G0);
    else
      shk_linear_solve(w->linear, g);
    for (int j = 0; j < w->m; j++)
      to->lambda[j] += g[j] / (h * kick);
    SHK_TRY(explicit_positions(w, to, from, h, kick, g));
  }
  return shk_jacobian(w->evaluator, w->G1, from->t + h, to->q);
}

static struct shk_status positions(struct method *w, struct shk_state *to,
                                   const struct shk_state *from, real h, real kick,
                                   const real *direction)
{
  SHK_TRY(shk_kick(w->solver, &(struct shk_kick){.until = SHK_ON_CONSTRAINT,
                                                 .t = from->t + h,
                                                 .from = from,
                                                 .to = to,
                                                 .along = direction,
                                                 .by = kick,
                                                 .drift = h,
                                                 .dp_free = w->dp_free,
                                                 .dp = w->dp,
                                                 .multiplier = to->lambda}));
  for (int i = 0; i < w->n; i++)
    w->p_half[i] = from->p[i] + (w->dp[i] + from->p_carry[i]);
  return shk_jacobian(w->evaluator, w->G1, from->t + h, to->q);
}

/* The same with the normals of the position it arrives at, which it approaches. */
static struct shk_status positions_along_new(struct method *w, struct shk_state *to,
                                             const struct shk_state *from, real h, real kick)
{
  const size_t entries = (size_t)w->evaluator->row_start[w->m];
  for (int i = 0; i < 60; i++) {
    SHK_TRY(positions(w, to, from, h, kick, w->G0));
    memcpy(w->G0, w->G1, entries * sizeof(real));
  }
  return shk_ok();
}

/* Row after row, each corrected alone until it is satisfied. */
static struct shk_status positions_in_turn(struct method *w, struct shk_state *to,
                                           const struct shk_state *from, real h, real kick)
{
  const struct shk_evaluator *const e = w->evaluator;
  memset(to->lambda, 0, (size_t)w->m * sizeof(real));
  for (int k = 0; k < 40 * w->m; k++) {
    const int j = k / 40;
    real slope = 0;
    SHK_TRY(explicit_positions(w, to, from, h, kick, w->rate));
    SHK_TRY(shk_jacobian(w->evaluator, w->G1, from->t + h, to->q));
    for (int i = e->row_start[j]; i < e->row_start[j + 1]; i++)
      slope += w->G0[i] * w->G1[i] / e->system->mass[e->columns[i]];
    to->lambda[j] += w->rate[j] / (h * kick * slope);
  }
  SHK_TRY(explicit_positions(w, to, from, h, kick, w->rate));
  return shk_jacobian(w->evaluator, w->G1, from->t + h, to->q);
}

/* The position without the constraint, into w->row. */
static void predict(struct method *w, const struct shk_state *from, real h)
{
  for (int i = 0; i < w->n; i++)
    w->row[i] = from->q[i] + h * (from->p[i] + w->dp_free[i]) / w->evaluator->system->mass[i];
}

static struct shk_status positions_of_fault(struct method *w, struct shk_state *to,
                                            const struct shk_state *from, real h, real kick)
{
  switch (w->fault) {
  case UNCONSTRAINED:
  case LOOSE_SOLVE:
  case STALE_FACTOR:
  case CLAMPS:
    return sloppy_positions(w, to, from, h, kick);
  case LAST_ROW:
    return positions_in_turn(w, to, from, h, kick);
  case DIRECTION_PREDICTED:
    predict(w, from, h);
    SHK_TRY(shk_jacobian(w->evaluator, w->G0, from->t + h, w->row));
    return positions(w, to, from, h, kick, w->G0);
  case UNWEIGHTED:
    for (int k = 0; k < w->evaluator->row_start[w->m]; k++)
      w->G0[k] *= w->evaluator->system->mass[w->evaluator->columns[k]];
    return positions(w, to, from, h, kick, w->G0);
  case DIRECTION_NEW:
    return positions_along_new(w, to, from, h, kick);
  default:
    return positions(w, to, from, h, kick, w->G0);
  }
}

static struct shk_status clamped_momenta(struct method *w, struct shk_state *to,
                                         const struct shk_state *from)
{
  for (int i = 0; i < w->n; i++)
    w->row[i] = (from->p[i] + w->dp[i]) / w->evaluator->system->mass[i];
  shk_jacobian_times(w->evaluator, w->rate, w->G1, w->row);
  clamped_solve(w, w->G1);
  shk_jacobian_transposed_add(w->evaluator, w->dp, w->G1, -1, w->rate);
  for (int i = 0; i < w->n; i++) {
    to->p[i] = from->p[i] + w->dp[i];
    to->p_carry[i] = 0;
  }
  memset(to->mu, 0, (size_t)w->m * sizeof(real));
  return shk_ok();
}

/* The hidden constraint, and what is done wrong about it. */
static struct shk_status momenta_of_fault(struct method *w, struct shk_state *to,
                                          const struct shk_state *from, real h, real kick)
{
  if (w->fault == CLAMPS)
    return clamped_momenta(w, to, from);
  if (w->fault == OLD_FIBRE) {
    /* Slides along G(q0) to where G(q1) M⁻¹ p = 0. */
    for (int i = 0; i < w->n; i++)
      w->old[i] = (from->p[i] + w->dp[i]) / w->evaluator->system->mass[i];
    shk_jacobian_times(w->evaluator, to->mu, w->G1, w->old);
    SHK_TRY(shk_linear_factor(w->linear, w->G1, w->G0));
    shk_linear_solve(w->linear, to->mu);
    shk_jacobian_transposed_add(w->evaluator, w->dp, w->G0, -1, to->mu);
  }
  const struct shk_kick task = {.until = SHK_ON_HIDDEN,
                                .t = from->t + h,
                                .from = from,
                                .to = to,
                                .along = w->fault == OLD_JACOBIAN ? w->G0 : w->G1,
                                .by = kick,
                                .dp = w->dp,
                                .multiplier = to->mu};
  memcpy(w->old, w->dp, (size_t)w->n * sizeof(real));
  SHK_TRY(shk_kick(w->solver, &task));
  const bool in_double = sizeof(real) == sizeof(double);
  if (w->fault == NO_PROJECTION || (w->fault == DOUBLE_PROJECTION && in_double) ||
      (w->fault == DOUBLE_PART && in_double) || w->fault == UNCONSTRAINED ||
      w->fault == HALF_IMPULSE || w->fault == QUOTIENT) {
    const real share = w->fault == HALF_IMPULSE  ? R(0.5)
                       : w->fault == DOUBLE_PART ? 1 - R(1e-7)
                                                 : 0;
    for (int i = 0; i < w->n; i++) {
      to->p[i] = from->p[i];
      to->p_carry[i] = from->p_carry[i];
      real_accumulate(&to->p[i], &to->p_carry[i], w->old[i] + share * (w->dp[i] - w->old[i]));
    }
  }
  if (w->fault == TURNS_OFF && w->n == 2 && from->q[0] * to->q[0] < 0) {
    to->q[1] = -to->q[1];
    to->q_carry[1] = -to->q_carry[1];
    to->p[1] = -to->p[1];
    to->p_carry[1] = -to->p_carry[1];
  }
  return shk_ok();
}

static struct shk_status rattle_step(struct method *w, struct shk_state *to,
                                     const struct shk_state *from, real h)
{
  real half = h / 2;
  if (w->fault == COEFFICIENT)
    half *= R(1.01);
  if (w->fault == FORGETFUL)
    half *= 1 + 1000 * REAL_EPSILON * (real)w->steps++;
  const real first = w->fault == FIFTEENTH_DIGIT ? half * (1 + R(1e-15)) : half;
  const real second = w->fault == SIGN_OF_STEP || w->fault == ONE_WAY ? real_fabs(half) : half;
  const bool in_double = sizeof(real) == sizeof(double);
  const bool wrong =
      (w->fault == DOUBLE_FORCE && in_double) || (w->fault == TINY_STEPS && real_fabs(h) < R(1e-4));
  const bool at_rest = w->fault == FROM_REST && real_max_norm(from->p, w->n) == 0;
  const real force = wrong ? R(1.01) : w->fault == DOUBLE_DIGIT && in_double ? 1 + R(1e-12) : 1;
  const real begins = at_rest ? 0 : force;
  struct shk_status status = shk_gradient(w->evaluator, w->old, from->t, from->q, from->p);
  if (w->fault != IGNORES_FAILURE)
    SHK_TRY(status);
  SHK_TRY(shk_jacobian(w->evaluator, w->G0, from->t, from->q));
  if (w->fault == SIDE_WIND)
    w->old[0] += R(1e-9);
  for (int i = 0; i < w->n; i++)
    w->dp_free[i] = -first * begins * w->old[i];
  memcpy(to->lambda, from->lambda, (size_t)w->m * sizeof(real));
  SHK_TRY(positions_of_fault(w, to, from, h, half));
  if (w->fault == HALF_POSITION_IMPULSE)
    for (int i = 0; i < w->n; i++)
      w->dp[i] = (w->dp[i] + w->dp_free[i]) / 2;
  if (w->fault == NO_FEEDBACK)
    memcpy(w->dp, w->dp_free, (size_t)w->n * sizeof(real));
  if (w->fault == WRITES_FROM)
    for (int i = 0; i < w->n; i++)
      from->p[i] += w->dp[i];
  predict(w, from, h);
  SHK_TRY(shk_gradient(w->evaluator, w->gradient, w->fault == EARLY_FORCE ? from->t : from->t + h,
                       w->fault == FORCE_PREDICTED ? w->row : to->q, from->p));
  if (w->fault == WRITES_FROM)
    for (int i = 0; i < w->n; i++)
      from->p[i] -= w->dp[i];
  if (w->fault == SIDE_WIND)
    w->gradient[0] += R(1e-9);
  for (int i = 0; i < w->n && w->fault != NO_SECOND_KICK && w->fault != QUOTIENT; i++)
    w->dp[i] -= second * force * (w->fault == GRADIENT_OLD ? w->old[i] : w->gradient[i]);
  if (w->fault == DAMPED)
    for (int i = 0; i < w->n; i++)
      w->dp[i] -= h * R(1e-6) * from->p[i];
  SHK_TRY(momenta_of_fault(w, to, from, h, half));
  for (int j = 0; w->fault == OTHER_SIGN && j < w->m; j++) {
    to->lambda[j] = -to->lambda[j];
    to->mu[j] = -to->mu[j];
  }
  for (int j = 0; w->fault == DOUBLE_MULTIPLIERS && in_double && j < w->m; j++) {
    to->lambda[j] *= 1 + R(1e-8);
    to->mu[j] *= 1 + R(1e-8);
  }
  if (w->fault == ROWS_AS_TEXT && w->m > 10) { /* 0, 1, 10, 2, … */
    const real kept = to->lambda[10];
    memmove(to->lambda + 3, to->lambda + 2, 8 * sizeof(real));
    to->lambda[2] = kept;
  }
  if (w->fault == OTHER_ROWS && w->m > 1) {
    const real kept = to->lambda[0];
    to->lambda[0] = to->lambda[1];
    to->lambda[1] = kept;
  }
  for (int j = 0; w->fault == ROW_UNITS && j < w->m; j++) {
    const int row = w->evaluator->row_start[j], next = w->evaluator->row_start[j + 1];
    to->lambda[j] *= real_sqrt(real_dot(w->G0 + row, w->G0 + row, next - row));
  }
  for (int i = 0; i < w->n && w->fault == SINGLE; i++) {
    to->q[i] = (real)(float)(to->q[i] + to->q_carry[i]);
    to->p[i] = (real)(float)(to->p[i] + to->p_carry[i]);
  }
  const bool drops = w->fault == NO_CARRY || w->fault == SINGLE ||
                     (w->fault == CARRY_BACK && h < 0) ||
                     (w->fault == CARRY_LATE && ++w->steps % 100 == 0);
  const real carried = drops ? 0 : w->fault == OTHER_CARRY ? -1 : 1;
  for (int i = 0; i < w->n; i++) {
    to->q_carry[i] *= carried;
    to->p_carry[i] *= w->fault == MOMENTUM_CARRY ? 0 : carried;
  }
  return shk_ok();
}

static struct shk_status bad_step(void *method, struct shk_state *to, const struct shk_state *from,
                                  real h)
{
  struct method *w = method;
  if (w->fault == REFUSES_NEGATIVE && h < 0)
    return shk_failure(SHK_BAD_INPUT, "no negative steps", 0, 0);
  if (w->fault == REMAINDER) {
    const long count = (long)(real_fabs(h) / w->longest);
    for (long i = 0; i < count; i++) {
      struct shk_state *const next = i == count - 1 ? to : &w->middle[i % 2];
      SHK_TRY(rattle_step(w, next, from, h > 0 ? w->longest : -w->longest));
      from = next;
    }
    return count > 0 ? shk_ok() : rattle_step(w, to, from, h);
  }
  if (w->fault == ALLOCATES) {
    void *volatile kept = malloc(64); /* volatile: or the compiler leaves both calls out */
    free(kept);
  }
  if (w->fault != WRONG_SEQUENCE && w->fault != RIGHT_SEQUENCE && w->fault != ADMIXTURE)
    return rattle_step(w, to, from, h);
  /* γ = 1/(2 - 2^(1/3)), and 1 - 2γ in the middle (Yoshida 1990). */
  const real off = w->fault == ADMIXTURE ? R(1e-7) : 0;
  const real outer = (1 + off) / (2 - real_pow(2, R(1.0) / 3)), inner = 1 - 2 * outer;
  const bool right = w->fault != WRONG_SEQUENCE;
  SHK_TRY(rattle_step(w, &w->middle[0], from, outer * h));
  w->middle[0].t = from->t + outer * h;
  const real second = right ? inner : outer, third = right ? outer : inner;
  SHK_TRY(rattle_step(w, &w->middle[1], &w->middle[0], second * h));
  w->middle[1].t = w->middle[0].t + second * h;
  return rattle_step(w, to, &w->middle[1], third * h);
}

static const struct shk_stated constraints_only[] = {SHK_CONSTRAINTS(SHK_YES), {0}};

static const struct shk_stated nothing[] = {{0}};

static void claims_under(struct shk_claims *all, const void *method)
{
  const int fault = ((const struct method *)method)->fault;
  if (fault == SILENT)
    shk_claims_stated(all, nothing);
  if (fault == ONE_WAY)
    all->symmetric = SHK_NO;
  if (fault == MODEST)
    all->symplectic = all->presymplectic = all->symmetric = all->compensated = SHK_NO;
  if (fault == WRONG_SEQUENCE || fault == RIGHT_SEQUENCE || fault == ADMIXTURE) {
    all->order_q = all->order_p = all->order_lambda_state = 4;
    all->order_lambda = all->order_mu = all->order_lambda_mean = SHK_NO_ORDER;
    all->order_lambda_sum = SHK_NO_ORDER;
  }
  if (fault == CLAMPS || fault == TURNS_OFF)
    shk_claims_stated(all, constraints_only);
}

static const struct shk_option options[] =
    SHK_LIST(FAULT_OPTION(method), SHK_SOLVING_OPTIONS(method, solving));

static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAY(method, G0, .entries = 1), SHK_ARRAY(method, G1, .entries = 1),
             SHK_ARRAY(method, gradient, .n = 1), SHK_ARRAY(method, old, .n = 1),
             SHK_ARRAY(method, dp, .n = 1), SHK_ARRAY(method, dp_free, .n = 1),
             SHK_ARRAY(method, p_half, .n = 1), SHK_ARRAY(method, row, .n = 1),
             SHK_ARRAY(method, rate, .m = 1), SHK_ARRAY(method, K, .mm = 1));

static const struct shk_stated claims[] =
    SHK_LIST(SHK_ORDERS(2), SHK_TWO_MULTIPLIERS, SHK_GEOMETRY(SHK_YES), SHK_CONSTRAINTS(SHK_YES),
             SHK_CLAIM(COMPENSATED, SHK_YES));

static const struct shk_integrator bad_rattle = {
    SHK_INTEGRATOR(method, arrays, bind, bad_step, claims_under),
    .info = {.name = "bad-rattle",
             .summary = "RATTLE with a fault",
             .options = options,
             .claims = claims}};

SHK_PROVIDE(bad_rattle, .integrators = SHK_INTEGRATORS(&bad_rattle));
