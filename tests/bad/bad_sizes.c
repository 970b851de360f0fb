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
static void find_molecule(struct method *w)
{
  for (int j = 0; j < w->m; j++)
    w->joined[j] = j == 0;
  for (bool more = true; more;) {
    more = false;
    for (int a = 0; a < w->m; a++)
      for (int b = 0; b < w->m; b++)
        if (w->joined[a] && !w->joined[b] && share_a_coordinate(w->evaluator, a, b))
          w->joined[b] = more = true;
  }
}

/* The factor of the correction of a coordinate: its mass over that of one of the first points. */
static real share(const struct method *w, int i)
{
  const struct shk_system *system = w->evaluator->system;
  const int dimension = system->rods ? system->rods->dimension : 1;
  return w->fault == FIRST_MASSES ? system->mass[i] / system->mass[i % (3 * dimension)] : 1;
}

/* ---- positions ---- */

/* Stores q1 and g(q1) for the present lambda. */
static struct shk_status positions(struct method *w, struct shk_state *to,
                                   const struct shk_state *from, real t1, real h)
{
  memset(w->dp, 0, (size_t)w->n * sizeof(real));
  shk_jacobian_transposed_add(w->evaluator, w->dp, w->G0, -h / 2, to->lambda);
  for (int i = 0; i < w->n; i++)
    w->dp[i] = w->dp_free[i] + w->dp[i] * share(w, i);
  for (int i = 0; i < w->n; i++)
    w->dq[i] = h * (from->p[i] + (w->dp[i] + from->p_carry[i])) / w->evaluator->system->mass[i];
  dense_move_q(to, from, w->dq);
  SHK_TRY(shk_constraint(w->evaluator, w->g, t1, to->q));
  const int solved = w->fault == ROWS_128 ? 128 : w->fault == ROWS_256 ? 256 : w->m;
  for (int j = 0; j < w->m; j++)
    if (j >= solved || (w->fault == FIRST_MOLECULE && !w->joined[j]))
      w->g[j] = 0;
  return shk_ok();
}

static bool has_small_pivot(const struct method *w)
{
  for (int j = 0; j < w->m; j++)
    if (real_fabs(w->dense.K[j * w->m + j]) < R(1e-12))
      return true;
  return false;
}

static struct shk_status correct(struct method *w, struct shk_state *to,
                                 const struct shk_state *from, real t1, real h, real *size)
{
  SHK_TRY(shk_jacobian(w->evaluator, w->G1, t1, to->q));
  SHK_TRY(dense_matrix(&w->dense, w->evaluator, w->G1, w->G0));
  if (w->fault == PIVOT && has_small_pivot(w))
    return shk_failure(SHK_SINGULAR, "the constraints are not independent", 0, 0);
  dense_solve(&w->dense, w->g, w->m);
  memset(w->dense.row, 0, (size_t)w->n * sizeof(real));
  for (int j = 0; j < w->m; j++) {
    w->g[j] *= 2 / (h * h);
    to->lambda[j] += w->g[j];
  }
  shk_jacobian_transposed_add(w->evaluator, w->dense.row, w->G0, h * h / 2, w->g);
  for (int i = 0; i < w->n; i++)
    w->dense.row[i] /= w->evaluator->system->mass[i];
  *size = real_max_norm(w->dense.row, w->n) / real_max_norm(from->q, w->n);
  return positions(w, to, from, t1, h);
}

static real mean_residual(const struct method *w)
{
  real sum = 0;
  for (int j = 0; j < w->m; j++)
    sum += real_fabs(w->g[j]);
  return w->m > 0 ? sum / w->m : 0;
}

/* True if the fault ends the solve here. */
static bool ends_early(const struct method *w, const struct shk_state *from, real first, int done,
                       bool changed)
{
  const real size = real_max_norm(from->q, w->n);
  switch (w->fault) {
  case RELATIVE:
    return real_max_norm(w->g, w->m) <= R(1e-8) * first;
  case MEAN:
    return mean_residual(w) <= R(1e-10) * size * size;
  case OWN_GUESS:
    return w->steps > 0 && done == 1;
  case GUESS_OF_STEP:
    return done == (w->steps == 0 || changed ? 3 : 1);
  default:
    return false;
  }
}

static struct shk_status solve(struct method *w, struct shk_state *to, const struct shk_state *from,
                               real t1, real h, bool changed)
{
  const bool guesses = w->fault == OWN_GUESS || (w->fault == GUESS_OF_STEP && !changed);
  for (int j = 0; j < w->m; j++)
    to->lambda[j] = guesses && w->steps > 0 ? w->guess[j] : 0;
  SHK_TRY(positions(w, to, from, t1, h));
  const real first = real_max_norm(w->g, w->m);
  dense_begin(&w->dense, w->evaluator);
  for (int done = 0; !w->dense.iteration.converged && w->m > 0; done++) {
    real size;
    if (ends_early(w, from, first, done, changed))
      break;
    w->evaluator->work.iterations++;
    SHK_TRY(correct(w, to, from, t1, h, &size));
    SHK_TRY(shk_iteration_next(&w->dense.iteration, size));
  }
  memcpy(w->guess, to->lambda, (size_t)w->m * sizeof(real));
  return shk_jacobian(w->evaluator, w->G1, t1, to->q);
}

/* (1 + angle²/6) dq in the place of dq at small angles. */
static void cut_series(struct method *w, struct shk_state *to, const struct shk_state *from)
{
  const real angle = real_max_norm(w->dq, w->n) / real_max_norm(from->q, w->n);
  if (angle >= R(1e-3))
    return;
  for (int i = 0; i < w->n; i++)
    w->dq[i] *= 1 + angle * angle / 6;
  dense_move_q(to, from, w->dq);
}

/* ---- the step ---- */

static real length_of(const struct method *w, real h)
{
  if (w->fault == STEP_SINGLE)
    return (real)(float)h;
  if (w->fault == LEAST_STEP && real_fabs(h) < R(1e-7))
    return h < 0 ? -R(1e-7) : R(1e-7);
  return h;
}

/* The time at which the step begins, for the potential. */
static real time_of(struct method *w, real t, real h, bool changed)
{
  if (w->fault == MICROSECONDS)
    return real_floor(t * R(1e6) + R(0.5)) / R(1e6);
  if (w->fault != OWN_CLOCK && w->fault != CLOCK_OF_STEP)
    return t;
  if (w->steps == 0 || (w->fault == CLOCK_OF_STEP && changed))
    w->clock = t;
  const real now = w->clock;
  w->clock += h;
  return now;
}

static bool is_kept(const struct method *w, real h, bool changed)
{
  return w->steps > 0 && (w->fault == KEPT || (w->fault == KEPT_OF_STEP && !changed) ||
                          (w->fault == SIGN && h * w->last < 0));
}

static bool projects(const struct method *w, real t, real h)
{
  const long at = (long)real_floor(real_fabs(t / h) + R(0.5));
  return !(w->fault == TEN_THOUSANDTH && w->steps % 10000 == 9999) &&
         !(w->fault == TEN_THOUSANDTH_TIME && at % 10000 == 9999);
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real whole)
{
  struct method *w = method;
  struct shk_evaluator *e = w->evaluator;
  const bool changed = whole != w->last;
  if (w->steps == 0)
    find_molecule(w);
  const real h = length_of(w, whole), t0 = time_of(w, from->t, h, changed);
  SHK_TRY(shk_gradient(e, w->gradient, t0, from->q, from->p));
  SHK_TRY(shk_jacobian(e, w->G0, from->t, from->q));
  if (is_kept(w, whole, changed))
    memcpy(w->gradient, w->kept, (size_t)w->n * sizeof(real));
  const real first = w->fault == OWN_STEP && w->steps > 0 ? w->last : h;
  for (int i = 0; i < w->n; i++)
    w->dp_free[i] = -first / 2 * w->gradient[i];
  SHK_TRY(solve(w, to, from, from->t + h, h, changed));
  if (w->fault == SERIES)
    cut_series(w, to, from);
  const real t1 = w->fault == MICROSECONDS ? time_of(w, from->t + h, h, false) : t0 + h;
  SHK_TRY(shk_gradient(e, w->gradient, t1, to->q, from->p));
  memcpy(w->kept, w->gradient, (size_t)w->n * sizeof(real));
  for (int i = 0; i < w->n; i++)
    w->dp[i] -= h / 2 * w->gradient[i];
  const bool is_projected = projects(w, from->t, h);
  w->steps++;
  w->last = whole;
  if (is_projected)
    return dense_momenta(&w->dense, e, to, from, w->dp, to->mu, w->G1, h / 2);
  memset(to->mu, 0, (size_t)w->m * sizeof(real));
  dense_move_p(to, from, w->dp);
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
