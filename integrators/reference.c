/*
 * The reference integrator: extrapolation of the index-reduced equations, followed by a projection.
 * lambda(q,p) is the exact multiplier. The constraint force is thus -Gᵀ lambda, and g = 0 and G H_p
 * = 0 are invariants. For constraints g(q,p), the invariants are g = 0 and {g,H} = 0.
 *
 * Final smoothing is omitted, because for even s the error of d_s is a series in (H/s)² regardless
 * of the odd substeps. Extrapolation uses the Aitken-Neville algorithm, and j rows yield order 2j.
 * The increments, not the states, are summed and extrapolated, so round-off is relative to the
 * increments. q and p are accumulated with compensated summation. Every accepted step ends with the
 * projection. As in ODEX, the number of rows and the step size are chosen to minimize the work per
 * unit step. The local error is measured separately for the blocks q and p, relative to the size of
 * each block.
 *
 * A step consists of as many internal steps as necessary. The length and the number of rows of the
 * last internal step are the initial guess for the next step.
 *
 * With `nudge`, the first step begins close to the given initial state. Every coordinate and
 * momentum is displaced by ½ to 1 times the nudge times the largest number in its block, in a
 * direction that depends on `draw`. The displaced state is then projected onto the constraints. The
 * distance between such a run and one without a nudge, divided by the nudge, is the factor by which
 * the motion amplifies rounding errors in its initial state.
 *
 * Source: Gragg (1965); Bulirsch & Stoer (1966); Hairer, Nørsett & Wanner, Solving Ordinary
 * Differential Equations I, §II.9. The method is unsuitable for stiff forces. It neither locates
 * nor crosses singular configurations, because lambda(q,p) is undefined there.
 */

static const char equations[] =
    "y' = f(y):  q' = H_p,  p' = -H_q - Gᵀ lambda(q,p)                                    (1)\n"
    "G H_pp Gᵀ lambda = g_qq[v,v] + G (H_pq v - H_pp H_q),  v = H_p                       (2)\n"
    "g(q,p): q' = H_p + g_pᵀ lambda,  p' = -H_q - g_qᵀ lambda\n"
    "explicit midpoint rule in an internal step of length H, with s = 2, 4, 6, … substeps,\n"
    "d_1 = (H/s) f(y_0),  d_{i+1} = d_{i-1} + (2H/s) f(y_0 + d_i),  T_1 = d_s             (3)\n"
    "extrapolated to H/s = 0 in (H/s)²; order and step by the work per unit step;\n"
    "after each internal step: projection onto g = 0 and G H_p = 0\n";

#include "integrators/kit/stepping.h"
#include <shakedown/plugin.h>

#include <stdlib.h>

#define MAX_COLUMNS 20
#define MAX_INTERNAL_STEPS 1000000

/* An internal step is too short if it is smaller than this many times the round-off of t and of the
 * whole step. */
#define UNDERFLOW_UNITS 16

/* A tolerance below this many times the round-off unit cannot be met. */
#define TOLERANCE_UNITS 10

struct reference {
  struct shk_evaluator *evaluator;
  /* `slopes` may find multipliers that do not have minimum norm */
  struct shk_manifold *manifold, *slopes;
  int n, m;
  long columns, draw;
  real tolerance, time_scale, nudge;
  /* whether the initial state has been displaced, if `nudge` requires this */
  bool begun;
  struct shk_state at, next; /* the current state and the next one */
  real *slope;               /* 2n: f at the current state */
  real *older, *newer;       /* 2n entries each: increments of two substeps */
  /* 2n entries each: the point at which f is evaluated, and f at this point */
  real *point, *rate;
  /* columns x 2n: the last row of the table, in which the newest column comes first */
  real *table;
  real *jacobian, *lambda; /* `jacobian` is work space of shk_constrained_slope */
  real gradient;           /* max norm of H_q from the last evaluation of f */
  /* sizes of the slopes at the current state; see advance_reference */
  real speed, force;
  /* length of the next internal step, or 0 if it is not yet known */
  real guess;
  int target;                          /* target number of rows */
  int evaluations[MAX_COLUMNS + 1];    /* total number of evaluations of f for j rows */
  real amplification[MAX_COLUMNS + 1]; /* factor by which T_{j,j} amplifies round-off in T_{j,1} */
};

/* Result of one internal step. */
struct trial {
  bool accepted;
  int rows;    /* number of rows computed or, once the step is accepted, the number used */
  real factor; /* ratio of the next step size to the current one */
  int target;  /* target number of rows for the next step */
};

/* Computes f (2n) and the multiplier at (q,p). */
static struct shk_status evaluate(struct reference *r, real *f, real t, const real *q,
                                  const real *p)
{
  SHK_TRY(shk_exact_multiplier(r->slopes, r->lambda, t, q, p));
  SHK_TRY(shk_constrained_slope(r->evaluator, f, &r->gradient, r->jacobian, t, q, p, r->lambda));
  return shk_check_finite(f, 2 * r->n, "the slopes are not finite near t = %g", t);
}

/* Computes f at y_0 + increment, taking the carries of y_0 into account. */
static struct shk_status evaluate_at(struct reference *r, real *f, real t, const real *increment)
{
  const int n = r->n;
  for (int i = 0; i < n; i++) {
    r->point[i] = r->at.q[i] + (increment[i] + r->at.q_carry[i]);
    r->point[n + i] = r->at.p[i] + (increment[n + i] + r->at.p_carry[i]);
  }
  return evaluate(r, f, t, r->point, r->point + n);
}

/* Computes one row of the table: first T_{row,1} by the midpoint rule, then T_{row,2} …
 * T_{row,row}. */
static struct shk_status add_row(struct reference *r, int row, real t, real H)
{
  const size_t size = 2 * (size_t)r->n;
  const int count = 2 * row; /* number of substeps */
  const real h = H / count;
  real *older = r->older, *newer = r->newer;
  for (size_t i = 0; i < size; i++) {
    older[i] = 0;
    newer[i] = h * r->slope[i];
  }
  for (int k = 1; k < count; k++) {
    SHK_TRY(evaluate_at(r, r->rate, t + k * h, newer));
    for (size_t i = 0; i < size; i++)
      older[i] += 2 * h * r->rate[i];
    real *const swap = older;
    older = newer;
    newer = swap;
  }
  shk_copy(r->table + (size_t)(row - 1) * size, newer, size);
  for (int l = row - 1; l >= 1; l--) {
    /* Replaces this column with column row - l + 1, which is computed from the preceding columns of
     * this row and of the row before. */
    real *const out = r->table + (size_t)(l - 1) * size;
    const real *const in = out + size;
    const int a = count, b = 2 * l;
    const real weight = (real)(b * b) / (a * a - b * b);
    for (size_t i = 0; i < size; i++)
      out[i] = in[i] + (in[i] - out[i]) * weight;
  }
  return shk_ok();
}

/* A block is at rest if its size is below this many times its scale's rounding error. Its rounding
 * error can then be up to this many times that of a single evaluation, because solves amplify
 * it. */
#define REST_ROUNDINGS 1000

/* Returns the largest error of a block in units of its limit, which is the tolerance times the
 * block's size plus the block's round-off. Returns infinity if a difference is not finite. Blocks
 * with a size of up to `rest` are at rest. */
static real block_error(const real *last, const real *before, const real *start, real tolerance,
                        real rounding, real rest, int n)
{
  real error = 0, size = 0;
  for (int i = 0; i < n; i++) {
    const real difference = real_fabs(last[i] - before[i]);
    if (!real_isfinite(difference))
      return INFINITY;
    error = real_max(error, difference);
    size = real_max(size, real_max(real_fabs(start[i]), real_fabs(start[i] + last[i])));
  }
  if (size <= rest)
    rounding *= REST_ROUNDINGS;
  return error > 0 ? error / (tolerance * size + rounding) : 0;
}

/* Returns the error of T_{row,row-1}, which serves as an upper estimate of the error of
 * T_{row,row}. */
static real row_error(const struct reference *r, int row, real H)
{
  const int n = r->n;
  const real *last = r->table, *before = r->table + 2 * (size_t)n;
  const real rounding = (4 + r->amplification[row] / 16) * REAL_EPSILON * real_fabs(H);
  const real rest = REST_ROUNDINGS * REAL_EPSILON * r->time_scale * r->force;
  return real_max(
      block_error(last, before, r->at.q, r->tolerance, rounding * r->speed, 0, n),
      block_error(last + n, before + n, r->at.p, r->tolerance, rounding * r->force, rest, n));
}

/* Returns the factor by which the step size must change for the error of `row` rows to equal the
 * tolerance, including ODEX's safety factors. */
static real step_factor(real error, int row)
{
  const real aim = R(0.65) / real_max(error, R(1e-40));
  return R(0.94) * real_pow(aim, R(1.0) / (2 * row - 1));
}

/* Chooses the next step size and number of rows from the errors of the computed rows, errors[2] …
 * errors[rows]. */
static void plan_next(const struct reference *r, struct trial *trial, const real *errors)
{
  const int rows = trial->rows;
  real factor[MAX_COLUMNS + 1], work[MAX_COLUMNS + 1]; /* work per unit step */
  for (int j = 2; j <= rows; j++) {
    factor[j] = step_factor(errors[j], j);
    work[j] = r->evaluations[j] / factor[j];
  }
  if (!trial->accepted) {
    /* With the shorter step, rows that have not been computed can still be chosen. */
    trial->factor = real_min(R(0.7), real_max(R(0.1), factor[rows]));
    const bool fewer = rows == r->target && rows > 2 && work[rows - 1] < R(0.8) * work[rows];
    trial->target = r->target - (fewer ? 1 : 0);
    return;
  }
  int best = rows;
  if (best > 2 && work[best - 1] < R(0.8) * work[best])
    best--;
  real next = factor[best];
  if (best == rows && best < r->columns - 1 &&
      (best == 2 || work[best] < R(0.9) * work[best - 1])) {
    best++;
    next *= (real)r->evaluations[best] / r->evaluations[best - 1];
  }
  trial->factor = real_min(4, real_max(R(0.1), next));
  trial->target = best < r->columns - 1 ? best : (int)r->columns - 1;
}

/* Returns true if the rows up to `last` are not expected to reduce the error to 1. The expected
 * reduction per row is the factor that theory predicts for the longest useful step or, if larger,
 * the factor achieved by the last row. */
static bool is_hopeless(const real *errors, int row, int last)
{
  if (row == 2)
    return false;
  const real gained = errors[row - 1] / real_max(errors[row], R(1e-40));
  real gain = 1;
  for (int later = row + 1; later <= last; later++)
    gain *= real_max(later * later, gained);
  return errors[row] > gain;
}

/* Takes one internal step of length H from the current state. If the step is accepted, its
 * increment is the first block of the table. If `early` is true, any row can be accepted, not only
 * those close to the target. */
static struct shk_status try_step(struct reference *r, struct trial *trial, real t, real H,
                                  bool early)
{
  real errors[MAX_COLUMNS + 1];
  const int target = r->target, last = target + 1;
  *trial = (struct trial){.accepted = false, .rows = 2};
  SHK_TRY(add_row(r, 1, t, H));
  for (int row = 2;; row++) {
    SHK_TRY(add_row(r, row, t, H));
    errors[row] = row_error(r, row, H);
    if (!real_isfinite(errors[row]))
      return shk_failure(SHK_NOT_FINITE, "the state is not finite near t = %g", (double)t, 0);
    const bool near_target = row >= target - 1;
    trial->rows = row;
    trial->accepted = errors[row] <= 1 && (early || near_target);
    if (trial->accepted || row == last || (near_target && is_hopeless(errors, row, last)))
      break;
  }
  plan_next(r, trial, errors);
  return shk_ok();
}

/* Adds the increment of the accepted step and projects the result onto the manifold at time t. If
 * this fails, the current state is unchanged. */
static struct shk_status take_step(struct reference *r, real t)
{
  const int n = r->n;
  struct shk_state *next = &r->next;
  shk_move_q(next, &r->at, r->table);
  shk_move_p(next, &r->at, r->table + n);
  shk_state_pack(r->point, next);
  SHK_TRY(shk_manifold_project(r->manifold, r->point, r->point + n, t));
  for (int i = 0; i < n; i++) {
    real_accumulate(&next->q[i], &next->q_carry[i], r->point[i] - next->q[i]);
    real_accumulate(&next->p[i], &next->p_carry[i], r->point[n + i] - next->p[i]);
  }
  shk_state_swap(&r->at, next);
  return shk_ok();
}

/* Displaces the components of a block. Returns the new state of the random number generator. */
static uint64_t move_block(real *values, int n, real nudge, uint64_t seed)
{
  const real size = real_max_norm(values, n);
  for (int i = 0; i < n; i++) {
    const real draw = 2 * shk_random_uniform(&seed) - 1;
    values[i] += nudge * size * (draw + (draw < 0 ? -1 : 1)) / 2;
  }
  return seed;
}

/* If a nudge is set, displaces the initial state by it and projects the result. */
static struct shk_status begin_beside(struct reference *r, real t)
{
  struct shk_state *at = &r->at;
  r->begun = true;
  if (!(r->nudge > 0))
    return shk_ok();
  move_block(at->p, r->n, r->nudge, move_block(at->q, r->n, r->nudge, (uint64_t)r->draw));
  shk_fill(at->q_carry, 0, r->n);
  shk_fill(at->p_carry, 0, r->n);
  return shk_manifold_project(r->manifold, at->q, at->p, t);
}

/* The interval between the current state and the end of a step. */
struct way {
  real end, sign; /* time at the end of the interval, and the sign of h */
  real rest;      /* |end - t| */
  real shortest;  /* shortest internal step */
};

/* Takes one internal step. If `first` is true, a suitable length is not yet known. */
static struct shk_status advance_reference(struct reference *r, struct way *way, bool first)
{
  const real t = way->end - way->sign * way->rest;
  SHK_TRY(evaluate(r, r->slope, t, r->at.q, r->at.p));
  /* The round-off of f is taken relative to the slopes and to the forces, because forces may cancel
   * in the slopes. If it were taken relative to a block that nearly vanishes, such as p at an
   * equilibrium, round-off would look like an error. */
  r->speed = real_max_norm(r->slope, r->n);
  r->force = r->gradient + real_max_norm(r->slope + r->n, r->n);
  for (;;) {
    /* Uses the guess or, if that is shorter, the remainder of the interval. If the guess would
     * leave a tiny part, uses half of the remainder. */
    const real guess = r->guess, rest = way->rest;
    const real length = guess >= rest ? rest : 2 * guess > rest ? rest / 2 : guess;
    struct trial trial;
    struct shk_status status = try_step(r, &trial, t, way->sign * length, first || length < guess);
    if (status.code == SHK_OK && trial.accepted)
      status = take_step(r, way->end - way->sign * (way->rest - length));
    const bool ok = status.code == SHK_OK;
    if (ok && trial.accepted) {
      /* A step that was shortened to less than half of the guess does not change the guess. */
      if (2 * length >= guess) {
        r->guess = length * trial.factor;
        r->target = trial.target;
      }
      r->evaluator->counters.steps++;
      way->rest = length < way->rest ? way->rest - length : 0;
      return status;
    }
    if (!ok && !shk_may_recover(status.code))
      return status;
    r->evaluator->counters.rejected++;
    r->guess = length * (ok ? trial.factor : R(0.25));
    if (ok)
      r->target = trial.target;
    if (!(r->guess > way->shortest))
      return ok ? shk_failure(
                      SHK_NOT_CONVERGED,
                      "the internal step fell to %g near t = %g: the tolerance cannot be met",
                      (double)length, (double)t)
                : status;
  }
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct reference *r = method;
  const real whole = real_fabs(h), end = from->t + h;
  const real scale = real_max(whole, real_min(real_fabs(end), r->time_scale));
  struct way way = {.end = end,
                    .sign = h < 0 ? -1 : 1,
                    .rest = whole,
                    .shortest = UNDERFLOW_UNITS * REAL_EPSILON * scale};
  shk_state_copy(&r->at, from);
  if (!r->begun)
    SHK_TRY(begin_beside(r, from->t));
  const bool unknown = r->guess == 0;
  if (unknown)
    r->guess = real_min(whole, r->time_scale / 10);
  for (long count = 0; way.rest > 0; count++) {
    if (count == MAX_INTERNAL_STEPS)
      return shk_failure(SHK_NOT_CONVERGED, "more than %g internal steps; the next has length %g",
                         MAX_INTERNAL_STEPS, (double)r->guess);
    SHK_TRY(advance_reference(r, &way, unknown && count == 0));
  }
  shk_state_copy(to, &r->at);
  shk_fill(to->mu, 0, r->m);
  return shk_exact_multiplier(r->manifold, to->lambda, end, to->q, to->p);
}

/* Computes the cost of the table's rows and the factors by which they amplify round-off. */
static void fill_tables(struct reference *r)
{
  r->evaluations[1] = 2;
  for (int j = 2; j <= r->columns; j++)
    r->evaluations[j] = r->evaluations[j - 1] + 2 * j - 1; /* f(y_0) is shared by all rows */
  for (int j = 1; j <= r->columns; j++) {
    r->amplification[j] = 0;
    for (int l = 1; l <= j; l++) {
      real weight = 1;
      for (int i = 1; i <= j; i++)
        if (i != l)
          weight *= (real)(l * l) / abs(l * l - i * i);
      r->amplification[j] += weight;
    }
  }
}

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct reference *r = method;
  r->tolerance = binding->tolerance;
  SHK_TRY(shk_check_tolerance(r->tolerance, TOLERANCE_UNITS));
  r->time_scale = shk_time_scale(binding);
  r->target = (int)r->columns - 1;
  fill_tables(r);
  SHK_TRY(shk_bind_state(&r->at, binding));
  SHK_TRY(shk_bind_state(&r->next, binding));
  SHK_TRY(shk_bind_manifold(&r->manifold, binding));
  r->slopes = r->manifold;
  if (r->evaluator->rank == 0)
    return shk_ok();
  SHK_TRY(shk_bind_manifold(&r->slopes, binding));
  return shk_manifold_keep_rows(r->slopes);
}

static const struct shk_option options[] = SHK_LIST(
    SHK_INTEGER(reference, columns, "columns", "12",
                "largest number of rows and columns of the extrapolation table; the order is at "
                "most twice this",
                .minimum = "3", .maximum = "20"),
    SHK_REAL(reference, nudge, "nudge", "0",
             "displacement of the start relative to its size, which shows how much the motion "
             "amplifies rounding",
             .minimum = "0"),
    SHK_INTEGER(reference, draw, "draw", "1", "seed for the random direction of the nudge",
                .minimum = "1"));

static const struct shk_array arrays[] = SHK_LIST(
    SHK_ARRAYS(reference, (.n = 2), slope, older, newer, point, rate),
    SHK_ARRAY(reference, table, .n = 2, .times = SHK_AT(reference, columns)),
    SHK_ARRAY(reference, jacobian, .entries = 1, .nm = 2), SHK_ARRAY(reference, lambda, .m = 1));

static const struct shk_stated claims[] = SHK_LIST(SHK_CONSTRAINTS(SHK_YES));

static const struct shk_integrator reference = {
    SHK_INTEGRATOR(reference, arrays, bind, step, NULL),
    .info = {.name = "reference",
             .family = "references",
             .summary = "extrapolation of the index-reduced equations, projected at every step",
             .equations = equations,
             .citation = "Gragg (1965); Bulirsch & Stoer (1966); Hairer, Nørsett & Wanner, Solving "
                         "Ordinary Differential Equations I, §II.9",
             .options = options,
             .supports = SHK_HOLONOMIC | SHK_MOMENTUM_CONSTRAINT,
             .adaptive = true,
             .claims = claims}};

SHK_PROVIDE(reference, .integrators = SHK_INTEGRATORS(&reference));
