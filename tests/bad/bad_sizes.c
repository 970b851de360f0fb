/*
 * RATTLE with a dense Newton iteration of its own, and faults that show only at some sizes, units,
 * times or steps, in more than one molecule, or after something else has happened:
 * `bad-sizes(fault=…)` is right for a few constraints of one molecule, at ordinary steps, from any state that continues the last one. Certificates must find
 * out each; `none` is the control. bad-sizes-in-double has double precision alone, where fewer
 * faults show.
 *
 *     p½ = p0 - h/2 (V_q(q0) + G(q0)ᵀ lambda),   q1 = q0 + h M⁻¹ p½,   g(q1) = 0
 *     p1 = p½ - h/2 (V_q(q1) + G(q1)ᵀ mu),       G(q1) M⁻¹ p1 = 0
 */
#include "../right/dense.h"

/* clang-format off */
#define FAULTS(X) \
  X(NONE, "none", "RATTLE as it should be: the control") \
  X(ROWS_128, "rows-128", "rows above the 128th are not solved for") \
  X(ROWS_256, "rows-256", "rows above the 256th are not solved for") \
  X(FIRST_MOLECULE, "first-molecule", "rows that nothing joins to the first are not solved for") \
  X(FIRST_MASSES, "first-masses", "corrections take the masses of the first three points for all") \
  X(RELATIVE, "relative", "the solve ends at 1e-8 of its first residual") \
  X(MEAN, "mean", "the solve ends when the mean of all residuals is 1e-10 of a square") \
  X(PIVOT, "pivot", "a pivot below 1e-12 is called singular") \
  X(SERIES, "series", "for small angles a series is cut off after its first term") \
  X(STEP_SINGLE, "step-single", "the step is rounded to single precision") \
  X(LEAST_STEP, "least-step", "steps shorter than 1e-7 are 1e-7 long") \
  X(MICROSECONDS, "microseconds", "the time of the potential is rounded to 1e-6") \
  X(OWN_CLOCK, "own-clock", "the time of the potential is the sum of all steps so far") \
  X(CLOCK_OF_STEP, "clock-of-step", "the same, set anew when the step changes") \
  X(OWN_STEP, "own-step", "the first half kick is of the length of the last step") \
  X(OWN_GUESS, "own-guess", "the last multipliers are corrected once") \
  X(GUESS_OF_STEP, "guess-of-step", "the same, from three corrections when the step changes") \
  X(KEPT, "kept", "the force is that with which the last step ended") \
  X(KEPT_OF_STEP, "kept-of-step", "the same, unless the step has changed") \
  X(SIGN, "sign", "the same, only where the step changes its sign") \
  X(TEN_THOUSANDTH, "ten-thousandth", "in every 10000th step velocities are not projected") \
  X(TEN_THOUSANDTH_TIME, "ten-thousandth-time", "the same at times that are 10000 steps apart")
/* clang-format on */

#include "faults.h"

struct method {
  struct shk_evaluator *evaluator;
  int n, m;
  int fault; /* enum fault */
  struct dense dense;
  real *G0, *G1, *gradient, *dp_free, *dp, *dq, *g;
  /* What it keeps between steps. */
  long steps;
  real clock, last;
  real *guess, *kept;
  int *joined; /* m: whether the row is joined to the first, found in the first step */
};

/* ---- molecules ---- */

static bool share_a_coordinate(const struct shk_evaluator *e, int a, int b)
{
  for (int i = e->row_start[a]; i < e->row_start[a + 1]; i++)
    for (int j = e->row_start[b]; j < e->row_start[b + 1]; j++)
      if (e->columns[i] == e->columns[j])
        return true;
  return false;
}

/* Marks the rows that are joined to the first, each from one that is marked. */
static void find_molecule(struct method *self)
{
  for (int j = 0; j < self->m; j++)
    self->joined[j] = j == 0;
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (int a = 0; a < self->m; a++)
      for (int b = 0; b < self->m; b++)
        if (self->joined[a] && !self->joined[b] && share_a_coordinate(self->evaluator, a, b))
          self->joined[b] = goes_on = true;
  }
}

/* The factor of the correction of a coordinate: its mass over that of one of the first points. */
static real share(const struct method *self, int i)
{
  const struct shk_system *system = self->evaluator->system;
  const int dimension = system->rods ? system->rods->dimension : 1;
  return self->fault == FIRST_MASSES ? system->mass[i] / system->mass[i % (3 * dimension)] : 1;
}

/* ---- positions ---- */

/* Stores q1 and g(q1) for the present lambda. */
static struct shk_status positions(struct method *self, struct shk_state *to,
                                   const struct shk_state *from, real t1, real h)
{
  memset(self->dp, 0, (size_t)self->n * sizeof(real));
  shk_jacobian_transposed_add(self->evaluator, self->dp, self->G0, -h / 2, to->lambda);
  for (int i = 0; i < self->n; i++)
    self->dp[i] = self->dp_free[i] + self->dp[i] * share(self, i);
  for (int i = 0; i < self->n; i++)
    self->dq[i] =
        h * (from->p[i] + (self->dp[i] + from->p_carry[i])) / self->evaluator->system->mass[i];
  dense_move_q(to, from, self->dq);
  SHK_TRY(shk_constraint(self->evaluator, self->g, t1, to->q));
  const int solved = self->fault == ROWS_128 ? 128 : self->fault == ROWS_256 ? 256 : self->m;
  for (int j = 0; j < self->m; j++)
    if (j >= solved || (self->fault == FIRST_MOLECULE && !self->joined[j]))
      self->g[j] = 0;
  return shk_ok();
}

static bool has_small_pivot(const struct method *self)
{
  for (int j = 0; j < self->m; j++)
    if (real_fabs(self->dense.K[j * self->m + j]) < R(1e-12))
      return true;
  return false;
}

static struct shk_status correct(struct method *self, struct shk_state *to,
                                 const struct shk_state *from, real t1, real h, real *size)
{
  SHK_TRY(shk_jacobian(self->evaluator, self->G1, t1, to->q));
  SHK_TRY(dense_matrix(&self->dense, self->evaluator, self->G1, self->G0));
  if (self->fault == PIVOT && has_small_pivot(self))
    return shk_failure(SHK_SINGULAR, "the constraints are not independent", 0, 0);
  dense_solve(&self->dense, self->g, self->m);
  memset(self->dense.row, 0, (size_t)self->n * sizeof(real));
  for (int j = 0; j < self->m; j++) {
    self->g[j] *= 2 / (h * h);
    to->lambda[j] += self->g[j];
  }
  shk_jacobian_transposed_add(self->evaluator, self->dense.row, self->G0, h * h / 2, self->g);
  for (int i = 0; i < self->n; i++)
    self->dense.row[i] /= self->evaluator->system->mass[i];
  *size = real_max_norm(self->dense.row, self->n) / real_max_norm(from->q, self->n);
  return positions(self, to, from, t1, h);
}

static real mean_residual(const struct method *self)
{
  real sum = 0;
  for (int j = 0; j < self->m; j++)
    sum += real_fabs(self->g[j]);
  return self->m > 0 ? sum / self->m : 0;
}

/* True if the fault ends the solve here. */
static bool ends_early(const struct method *self, const struct shk_state *from, real first,
                       int done, bool changed)
{
  const real size = real_max_norm(from->q, self->n);
  switch (self->fault) {
  case RELATIVE:
    return real_max_norm(self->g, self->m) <= R(1e-8) * first;
  case MEAN:
    return mean_residual(self) <= R(1e-10) * size * size;
  case OWN_GUESS:
    return self->steps > 0 && done == 1;
  case GUESS_OF_STEP:
    return done == (self->steps == 0 || changed ? 3 : 1);
  default:
    return false;
  }
}

static struct shk_status solve(struct method *self, struct shk_state *to,
                               const struct shk_state *from, real t1, real h, bool changed)
{
  const bool guesses = self->fault == OWN_GUESS || (self->fault == GUESS_OF_STEP && !changed);
  for (int j = 0; j < self->m; j++)
    to->lambda[j] = guesses && self->steps > 0 ? self->guess[j] : 0;
  SHK_TRY(positions(self, to, from, t1, h));
  const real first = real_max_norm(self->g, self->m);
  dense_begin(&self->dense, self->evaluator);
  for (int done = 0; !self->dense.iteration.converged && self->m > 0; done++) {
    real size;
    if (ends_early(self, from, first, done, changed))
      break;
    self->evaluator->counters.iterations++;
    SHK_TRY(correct(self, to, from, t1, h, &size));
    SHK_TRY(shk_iteration_next(&self->dense.iteration, size));
  }
  memcpy(self->guess, to->lambda, (size_t)self->m * sizeof(real));
  return shk_jacobian(self->evaluator, self->G1, t1, to->q);
}

/* (1 + angle²/6) dq in the place of dq at small angles. */
static void cut_series(struct method *self, struct shk_state *to, const struct shk_state *from)
{
  const real angle = real_max_norm(self->dq, self->n) / real_max_norm(from->q, self->n);
  if (angle >= R(1e-3))
    return;
  for (int i = 0; i < self->n; i++)
    self->dq[i] *= 1 + angle * angle / 6;
  dense_move_q(to, from, self->dq);
}

/* ---- the step ---- */

static real length_of(const struct method *self, real h)
{
  if (self->fault == STEP_SINGLE)
    return (real)(float)h;
  if (self->fault == LEAST_STEP && real_fabs(h) < R(1e-7))
    return h < 0 ? -R(1e-7) : R(1e-7);
  return h;
}

/* The time at which the step begins, for the potential. */
static real time_of(struct method *self, real t, real h, bool changed)
{
  if (self->fault == MICROSECONDS)
    return real_floor(t * R(1e6) + R(0.5)) / R(1e6);
  if (self->fault != OWN_CLOCK && self->fault != CLOCK_OF_STEP)
    return t;
  if (self->steps == 0 || (self->fault == CLOCK_OF_STEP && changed))
    self->clock = t;
  const real now = self->clock;
  self->clock += h;
  return now;
}

static bool is_kept(const struct method *self, real h, bool changed)
{
  return self->steps > 0 && (self->fault == KEPT || (self->fault == KEPT_OF_STEP && !changed) ||
                             (self->fault == SIGN && h * self->last < 0));
}

static bool projects(const struct method *self, real t, real h)
{
  const long at = (long)real_floor(real_fabs(t / h) + R(0.5));
  return !(self->fault == TEN_THOUSANDTH && self->steps % 10000 == 9999) &&
         !(self->fault == TEN_THOUSANDTH_TIME && at % 10000 == 9999);
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real whole)
{
  struct method *self = method;
  struct shk_evaluator *e = self->evaluator;
  const bool changed = whole != self->last;
  if (self->steps == 0)
    find_molecule(self);
  const real h = length_of(self, whole), t0 = time_of(self, from->t, h, changed);
  SHK_TRY(shk_gradient(e, self->gradient, t0, from->q, from->p));
  SHK_TRY(shk_jacobian(e, self->G0, from->t, from->q));
  if (is_kept(self, whole, changed))
    memcpy(self->gradient, self->kept, (size_t)self->n * sizeof(real));
  const real first = self->fault == OWN_STEP && self->steps > 0 ? self->last : h;
  for (int i = 0; i < self->n; i++)
    self->dp_free[i] = -first / 2 * self->gradient[i];
  SHK_TRY(solve(self, to, from, from->t + h, h, changed));
  if (self->fault == SERIES)
    cut_series(self, to, from);
  const real t1 = self->fault == MICROSECONDS ? time_of(self, from->t + h, h, false) : t0 + h;
  SHK_TRY(shk_gradient(e, self->gradient, t1, to->q, from->p));
  memcpy(self->kept, self->gradient, (size_t)self->n * sizeof(real));
  for (int i = 0; i < self->n; i++)
    self->dp[i] -= h / 2 * self->gradient[i];
  const bool is_projected = projects(self, from->t, h);
  self->steps++;
  self->last = whole;
  if (is_projected)
    return dense_momenta(&self->dense, e, to, from, self->dp, to->mu, self->G1, h / 2);
  memset(to->mu, 0, (size_t)self->m * sizeof(real));
  dense_move_p(to, from, self->dp);
  return shk_ok();
}

static const struct shk_option options[] = {FAULT_OPTION(method), {0}};

static const struct shk_array arrays[] = SHK_LIST(
    DENSE_ARRAYS(method), SHK_ARRAY(method, G0, .entries = 1), SHK_ARRAY(method, G1, .entries = 1),
    SHK_ARRAY(method, gradient, .n = 1), SHK_ARRAY(method, dp_free, .n = 1),
    SHK_ARRAY(method, dp, .n = 1), SHK_ARRAY(method, dq, .n = 1), SHK_ARRAY(method, g, .m = 1),
    SHK_ARRAY(method, guess, .m = 1), SHK_ARRAY(method, kept, .n = 1),
    SHK_INTEGERS(method, joined, .m = 1));

static const struct shk_stated claims[] =
    SHK_LIST(SHK_ORDERS(2), SHK_GEOMETRY(SHK_YES), SHK_CONSTRAINTS(SHK_YES));

#define SIZES(its_name, in_double)                                                                 \
  {                                                                                                \
    SHK_INTEGRATOR(method, arrays, NULL, step, NULL), .info = {                                    \
      .name = its_name,                                                                            \
      .summary = "RATTLE with a solve of its own, and faults of sizes and memory",                 \
      .options = options,                                                                          \
      .double_only = in_double,                                                                    \
      .claims = claims                                                                             \
    }                                                                                              \
  }

static const struct shk_integrator bad_sizes = SIZES("bad-sizes", false);
static const struct shk_integrator bad_sizes_in_double = SIZES("bad-sizes-in-double", true);

SHK_PROVIDE(bad_sizes, .integrators = SHK_INTEGRATORS(&bad_sizes, &bad_sizes_in_double));
