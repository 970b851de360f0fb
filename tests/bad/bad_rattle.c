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
  struct method *self = method;
  if (self->fault == REFUSES_LARGE && binding->instance->system.n > 2)
    return shk_failure(SHK_REFUSED, "more than two coordinates", 0, 0);
  self->longest = binding->instance->time_scale / 50;
  SHK_TRY(shk_bind_state(&self->middle[0], binding));
  SHK_TRY(shk_bind_state(&self->middle[1], binding));
  SHK_TRY(shk_bind_solver(&self->solver, binding));
  return shk_bind_linear(&self->linear, binding, NULL);
}

/* q1 = q0 + h M⁻¹(p0 + dp) with dp = dp_free - kick G_bᵀ lambda, given lambda; g(q1) into g. */
static struct shk_status explicit_positions(struct method *self, struct shk_state *to,
                                            const struct shk_state *from, real h, real kick,
                                            real *g)
{
  for (int i = 0; i < self->n; i++)
    self->dp[i] = self->dp_free[i];
  shk_jacobian_transposed_add(self->evaluator, self->dp, self->G0, -kick, to->lambda);
  for (int i = 0; i < self->n; i++) {
    self->p_half[i] = from->p[i] + from->p_carry[i] + self->dp[i];
    to->q[i] = from->q[i];
    to->q_carry[i] = from->q_carry[i];
    real_accumulate(&to->q[i], &to->q_carry[i],
                    h * self->p_half[i] / self->evaluator->system->mass[i]);
  }
  return shk_constraint(self->evaluator, g, from->t + h, to->q);
}

/* residual <- K⁻¹ residual with K = G M⁻¹ Gᵀ and its small pivots clamped. */
static void clamped_solve(struct method *self, const real *G)
{
  const int m = self->m;
  real *K = self->K, largest = 0;
  for (int j = 0; j < m; j++) {
    for (int i = 0; i < self->n; i++)
      self->row[i] = 0;
    for (int k = self->evaluator->row_start[j]; k < self->evaluator->row_start[j + 1]; k++)
      self->row[self->evaluator->columns[k]] =
          G[k] / self->evaluator->system->mass[self->evaluator->columns[k]];
    for (int i = 0; i < m; i++) {
      K[i * m + j] = 0;
      for (int k = self->evaluator->row_start[i]; k < self->evaluator->row_start[i + 1]; k++)
        K[i * m + j] += G[k] * self->row[self->evaluator->columns[k]];
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
  real *x = self->rate;
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
static struct shk_status sloppy_positions(struct method *self, struct shk_state *to,
                                          const struct shk_state *from, real h, real kick)
{
  const int corrections = self->fault == LOOSE_SOLVE    ? 50
                          : self->fault == CLAMPS       ? 3
                          : self->fault == STALE_FACTOR ? 1
                                                        : 0;
  real *g = self->rate;
  if (self->fault != CLAMPS) {
    memset(to->lambda, 0, (size_t)self->m * sizeof(real));
    SHK_TRY(shk_linear_factor(self->linear, self->G0, self->G0));
  }
  SHK_TRY(explicit_positions(self, to, from, h, kick, g));
  for (int i = 0; i < corrections; i++) {
    if (self->fault == LOOSE_SOLVE && real_max_norm(g, self->m) <= R(1e-7))
      break;
    if (self->fault == CLAMPS)
      clamped_solve(self, self->G0);
    else
      shk_linear_solve(self->linear, g);
    for (int j = 0; j < self->m; j++)
      to->lambda[j] += g[j] / (h * kick);
    SHK_TRY(explicit_positions(self, to, from, h, kick, g));
  }
  return shk_jacobian(self->evaluator, self->G1, from->t + h, to->q);
}

static struct shk_status positions(struct method *self, struct shk_state *to,
                                   const struct shk_state *from, real h, real kick,
                                   const real *direction)
{
  SHK_TRY(shk_kick(self->solver, &(struct shk_kick){.until = SHK_ON_CONSTRAINT,
                                                    .t = from->t + h,
                                                    .from = from,
                                                    .to = to,
                                                    .along = direction,
                                                    .by = kick,
                                                    .drift = h,
                                                    .dp_free = self->dp_free,
                                                    .dp = self->dp,
                                                    .multiplier = to->lambda}));
  for (int i = 0; i < self->n; i++)
    self->p_half[i] = from->p[i] + (self->dp[i] + from->p_carry[i]);
  return shk_jacobian(self->evaluator, self->G1, from->t + h, to->q);
}

/* The same with the normals of the position it arrives at, which it approaches. */
static struct shk_status positions_along_new(struct method *self, struct shk_state *to,
                                             const struct shk_state *from, real h, real kick)
{
  const size_t entries = (size_t)self->evaluator->row_start[self->m];
  for (int i = 0; i < 60; i++) {
    SHK_TRY(positions(self, to, from, h, kick, self->G0));
    memcpy(self->G0, self->G1, entries * sizeof(real));
  }
  return shk_ok();
}

/* Row after row, each corrected alone until it is satisfied. */
static struct shk_status positions_in_turn(struct method *self, struct shk_state *to,
                                           const struct shk_state *from, real h, real kick)
{
  const struct shk_evaluator *const e = self->evaluator;
  memset(to->lambda, 0, (size_t)self->m * sizeof(real));
  for (int k = 0; k < 40 * self->m; k++) {
    const int j = k / 40;
    real slope = 0;
    SHK_TRY(explicit_positions(self, to, from, h, kick, self->rate));
    SHK_TRY(shk_jacobian(self->evaluator, self->G1, from->t + h, to->q));
    for (int i = e->row_start[j]; i < e->row_start[j + 1]; i++)
      slope += self->G0[i] * self->G1[i] / e->system->mass[e->columns[i]];
    to->lambda[j] += self->rate[j] / (h * kick * slope);
  }
  SHK_TRY(explicit_positions(self, to, from, h, kick, self->rate));
  return shk_jacobian(self->evaluator, self->G1, from->t + h, to->q);
}

/* The position without the constraint, into self->row. */
static void predict(struct method *self, const struct shk_state *from, real h)
{
  for (int i = 0; i < self->n; i++)
    self->row[i] =
        from->q[i] + h * (from->p[i] + self->dp_free[i]) / self->evaluator->system->mass[i];
}

static struct shk_status positions_of_fault(struct method *self, struct shk_state *to,
                                            const struct shk_state *from, real h, real kick)
{
  switch (self->fault) {
  case UNCONSTRAINED:
  case LOOSE_SOLVE:
  case STALE_FACTOR:
  case CLAMPS:
    return sloppy_positions(self, to, from, h, kick);
  case LAST_ROW:
    return positions_in_turn(self, to, from, h, kick);
  case DIRECTION_PREDICTED:
    predict(self, from, h);
    SHK_TRY(shk_jacobian(self->evaluator, self->G0, from->t + h, self->row));
    return positions(self, to, from, h, kick, self->G0);
  case UNWEIGHTED:
    for (int k = 0; k < self->evaluator->row_start[self->m]; k++)
      self->G0[k] *= self->evaluator->system->mass[self->evaluator->columns[k]];
    return positions(self, to, from, h, kick, self->G0);
  case DIRECTION_NEW:
    return positions_along_new(self, to, from, h, kick);
  default:
    return positions(self, to, from, h, kick, self->G0);
  }
}

static struct shk_status clamped_momenta(struct method *self, struct shk_state *to,
                                         const struct shk_state *from)
{
  for (int i = 0; i < self->n; i++)
    self->row[i] = (from->p[i] + self->dp[i]) / self->evaluator->system->mass[i];
  shk_jacobian_times(self->evaluator, self->rate, self->G1, self->row);
  clamped_solve(self, self->G1);
  shk_jacobian_transposed_add(self->evaluator, self->dp, self->G1, -1, self->rate);
  for (int i = 0; i < self->n; i++) {
    to->p[i] = from->p[i] + self->dp[i];
    to->p_carry[i] = 0;
  }
  memset(to->mu, 0, (size_t)self->m * sizeof(real));
  return shk_ok();
}

/* The hidden constraint, and what is done wrong about it. */
static struct shk_status momenta_of_fault(struct method *self, struct shk_state *to,
                                          const struct shk_state *from, real h, real kick)
{
  if (self->fault == CLAMPS)
    return clamped_momenta(self, to, from);
  if (self->fault == OLD_FIBRE) {
    /* Slides along G(q0) to where G(q1) M⁻¹ p = 0. */
    for (int i = 0; i < self->n; i++)
      self->old[i] = (from->p[i] + self->dp[i]) / self->evaluator->system->mass[i];
    shk_jacobian_times(self->evaluator, to->mu, self->G1, self->old);
    SHK_TRY(shk_linear_factor(self->linear, self->G1, self->G0));
    shk_linear_solve(self->linear, to->mu);
    shk_jacobian_transposed_add(self->evaluator, self->dp, self->G0, -1, to->mu);
  }
  const struct shk_kick task = {.until = SHK_ON_HIDDEN,
                                .t = from->t + h,
                                .from = from,
                                .to = to,
                                .along = self->fault == OLD_JACOBIAN ? self->G0 : self->G1,
                                .by = kick,
                                .dp = self->dp,
                                .multiplier = to->mu};
  memcpy(self->old, self->dp, (size_t)self->n * sizeof(real));
  SHK_TRY(shk_kick(self->solver, &task));
  const bool in_double = sizeof(real) == sizeof(double);
  if (self->fault == NO_PROJECTION || (self->fault == DOUBLE_PROJECTION && in_double) ||
      (self->fault == DOUBLE_PART && in_double) || self->fault == UNCONSTRAINED ||
      self->fault == HALF_IMPULSE || self->fault == QUOTIENT) {
    const real share = self->fault == HALF_IMPULSE  ? R(0.5)
                       : self->fault == DOUBLE_PART ? 1 - R(1e-7)
                                                    : 0;
    for (int i = 0; i < self->n; i++) {
      to->p[i] = from->p[i];
      to->p_carry[i] = from->p_carry[i];
      real_accumulate(&to->p[i], &to->p_carry[i],
                      self->old[i] + share * (self->dp[i] - self->old[i]));
    }
  }
  if (self->fault == TURNS_OFF && self->n == 2 && from->q[0] * to->q[0] < 0) {
    to->q[1] = -to->q[1];
    to->q_carry[1] = -to->q_carry[1];
    to->p[1] = -to->p[1];
    to->p_carry[1] = -to->p_carry[1];
  }
  return shk_ok();
}

static struct shk_status rattle_step(struct method *self, struct shk_state *to,
                                     const struct shk_state *from, real h)
{
  real half = h / 2;
  if (self->fault == COEFFICIENT)
    half *= R(1.01);
  if (self->fault == FORGETFUL)
    half *= 1 + 1000 * REAL_EPSILON * (real)self->steps++;
  const real first = self->fault == FIFTEENTH_DIGIT ? half * (1 + R(1e-15)) : half;
  const real second =
      self->fault == SIGN_OF_STEP || self->fault == ONE_WAY ? real_fabs(half) : half;
  const bool in_double = sizeof(real) == sizeof(double);
  const bool wrong = (self->fault == DOUBLE_FORCE && in_double) ||
                     (self->fault == TINY_STEPS && real_fabs(h) < R(1e-4));
  const bool at_rest = self->fault == FROM_REST && real_max_norm(from->p, self->n) == 0;
  const real force = wrong ? R(1.01) : self->fault == DOUBLE_DIGIT && in_double ? 1 + R(1e-12) : 1;
  const real begins = at_rest ? 0 : force;
  struct shk_status status = shk_gradient(self->evaluator, self->old, from->t, from->q, from->p);
  if (self->fault != IGNORES_FAILURE)
    SHK_TRY(status);
  SHK_TRY(shk_jacobian(self->evaluator, self->G0, from->t, from->q));
  if (self->fault == SIDE_WIND)
    self->old[0] += R(1e-9);
  for (int i = 0; i < self->n; i++)
    self->dp_free[i] = -first * begins * self->old[i];
  memcpy(to->lambda, from->lambda, (size_t)self->m * sizeof(real));
  SHK_TRY(positions_of_fault(self, to, from, h, half));
  if (self->fault == HALF_POSITION_IMPULSE)
    for (int i = 0; i < self->n; i++)
      self->dp[i] = (self->dp[i] + self->dp_free[i]) / 2;
  if (self->fault == NO_FEEDBACK)
    memcpy(self->dp, self->dp_free, (size_t)self->n * sizeof(real));
  if (self->fault == WRITES_FROM)
    for (int i = 0; i < self->n; i++)
      from->p[i] += self->dp[i];
  predict(self, from, h);
  SHK_TRY(shk_gradient(self->evaluator, self->gradient,
                       self->fault == EARLY_FORCE ? from->t : from->t + h,
                       self->fault == FORCE_PREDICTED ? self->row : to->q, from->p));
  if (self->fault == WRITES_FROM)
    for (int i = 0; i < self->n; i++)
      from->p[i] -= self->dp[i];
  if (self->fault == SIDE_WIND)
    self->gradient[0] += R(1e-9);
  for (int i = 0; i < self->n && self->fault != NO_SECOND_KICK && self->fault != QUOTIENT; i++)
    self->dp[i] -=
        second * force * (self->fault == GRADIENT_OLD ? self->old[i] : self->gradient[i]);
  if (self->fault == DAMPED)
    for (int i = 0; i < self->n; i++)
      self->dp[i] -= h * R(1e-6) * from->p[i];
  SHK_TRY(momenta_of_fault(self, to, from, h, half));
  for (int j = 0; self->fault == OTHER_SIGN && j < self->m; j++) {
    to->lambda[j] = -to->lambda[j];
    to->mu[j] = -to->mu[j];
  }
  for (int j = 0; self->fault == DOUBLE_MULTIPLIERS && in_double && j < self->m; j++) {
    to->lambda[j] *= 1 + R(1e-8);
    to->mu[j] *= 1 + R(1e-8);
  }
  if (self->fault == ROWS_AS_TEXT && self->m > 10) { /* 0, 1, 10, 2, … */
    const real kept = to->lambda[10];
    memmove(to->lambda + 3, to->lambda + 2, 8 * sizeof(real));
    to->lambda[2] = kept;
  }
  if (self->fault == OTHER_ROWS && self->m > 1) {
    const real kept = to->lambda[0];
    to->lambda[0] = to->lambda[1];
    to->lambda[1] = kept;
  }
  for (int j = 0; self->fault == ROW_UNITS && j < self->m; j++) {
    const int row = self->evaluator->row_start[j], next = self->evaluator->row_start[j + 1];
    to->lambda[j] *= real_sqrt(real_dot(self->G0 + row, self->G0 + row, next - row));
  }
  for (int i = 0; i < self->n && self->fault == SINGLE; i++) {
    to->q[i] = (real)(float)(to->q[i] + to->q_carry[i]);
    to->p[i] = (real)(float)(to->p[i] + to->p_carry[i]);
  }
  const bool drops = self->fault == NO_CARRY || self->fault == SINGLE ||
                     (self->fault == CARRY_BACK && h < 0) ||
                     (self->fault == CARRY_LATE && ++self->steps % 100 == 0);
  const real carried = drops ? 0 : self->fault == OTHER_CARRY ? -1 : 1;
  for (int i = 0; i < self->n; i++) {
    to->q_carry[i] *= carried;
    to->p_carry[i] *= self->fault == MOMENTUM_CARRY ? 0 : carried;
  }
  return shk_ok();
}

static struct shk_status bad_step(void *method, struct shk_state *to, const struct shk_state *from,
                                  real h)
{
  struct method *self = method;
  if (self->fault == REFUSES_NEGATIVE && h < 0)
    return shk_failure(SHK_BAD_INPUT, "no negative steps", 0, 0);
  if (self->fault == REMAINDER) {
    const long count = (long)(real_fabs(h) / self->longest);
    for (long i = 0; i < count; i++) {
      struct shk_state *const next = i == count - 1 ? to : &self->middle[i % 2];
      SHK_TRY(rattle_step(self, next, from, h > 0 ? self->longest : -self->longest));
      from = next;
    }
    return count > 0 ? shk_ok() : rattle_step(self, to, from, h);
  }
  if (self->fault == ALLOCATES) {
    void *volatile kept = malloc(64); /* volatile: or the compiler leaves both calls out */
    free(kept);
  }
  if (self->fault != WRONG_SEQUENCE && self->fault != RIGHT_SEQUENCE && self->fault != ADMIXTURE)
    return rattle_step(self, to, from, h);
  /* γ = 1/(2 - 2^(1/3)), and 1 - 2γ in the middle (Yoshida 1990). */
  const real off = self->fault == ADMIXTURE ? R(1e-7) : 0;
  const real outer = (1 + off) / (2 - real_pow(2, R(1.0) / 3)), inner = 1 - 2 * outer;
  const bool right = self->fault != WRONG_SEQUENCE;
  SHK_TRY(rattle_step(self, &self->middle[0], from, outer * h));
  self->middle[0].t = from->t + outer * h;
  const real second = right ? inner : outer, third = right ? outer : inner;
  SHK_TRY(rattle_step(self, &self->middle[1], &self->middle[0], second * h));
  self->middle[1].t = self->middle[0].t + second * h;
  return rattle_step(self, to, &self->middle[1], third * h);
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
