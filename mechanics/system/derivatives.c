/*
 * Derivative checks by central differences of sixth order,
 *
 *     D f = [45 (f₁ - f₋₁) - 9 (f₂ - f₋₂) + (f₃ - f₋₃)] / (60 h),     f_k = f(x + k h u),
 *
 * whose truncation error is h⁶ f⁽⁷⁾/140. With h near epsilon^(1/7) they resolve about 1e-13 in
 * double and 1e-28 in quad. Their actual error is estimated with two increments, h and h/2: the
 * spread of the two results bounds the truncation error of the second.
 *
 * Compared: H_q and H_p with differences of H, the Hessian with differences of (H_q - Q, H_p), G
 * with differences of g (by column, so that an entry missing from the pattern shows), g_t with
 * those in time, and the curvature with differences of G v + g_t along (v,1). For constraints
 * g(q,p), G is (g_q g_p), the curvature g_i,zz w, and a fibre that the problem gives is compared
 * with an integrated one. Whether H itself is right, differences cannot tell.
 */
#include "mechanics/system/derivatives.h"
#include "mechanics/algebra/difference.h"
#include "mechanics/system/binding.h"
#include "mechanics/system/callback.h"

#include "mechanics/system/dae_derivatives.h"

#include <shakedown/fibre.h>

#include <stdint.h>
#include <string.h>

enum { POINTS = 4, FEW_POINTS = 2, ENTRYWISE_LIMIT = 64, DIRECTIONS = 4, ATTEMPTS = 12 };

/* G and curvature of constraints g(q,p) are (g_q g_p) and g_i,zz w. */
enum kind { H_Q, H_P, HESSIAN, JACOBIAN, CURVATURE, RATE, KINDS };

static const char *const names[KINDS] = {"H_q", "H_p", "Hessian", "G", "curvature", "g_t"};

/* Largest absolute values for one derivative. */
struct tally {
  real error, floor, derivative, function;
};

struct checker {
  struct shk_evaluator *evaluator;
  int n, m, length;        /* length: of the longest vector that is differentiated */
  real t, t_at, increment; /* t_at: of the stencil */
  real unit_q, unit_p;     /* lengths of directions: of the order of the coordinates, at most 1 */
  real *q, *p;             /* the point */
  real *q_at, *p_at;       /* points of the stencil */
  real *u, *w;             /* directions in q and p */
  real *f, *coarse, *fine, *exact, *rest;
  real *values;  /* of G */
  real *hessian; /* (2n)², where the system has it */
  bool momentum; /* constraints g(q,p) */
  struct tally tally[KINDS];
  uint64_t random;
};

/* Uniform in [-1,1), the same in both precisions (SplitMix64, Steele, Lea & Flood 2014). */
static real uniform(uint64_t *state)
{
  uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  z ^= z >> 31;
  return (real)(int64_t)(z >> 11) / (real)(INT64_C(1) << 52) - 1;
}

/* All g_q and g_p at (q_at, p_at), row by row. */
static struct shk_status gradients_of(struct checker *c, int *length)
{
  const int n = c->n, m = c->m;
  *length = 2 * m * n;
  SHK_TRY(shk_constraint_gradients(c->evaluator, c->values, c->values + m * n, c->t_at, c->q_at,
                                   c->p_at));
  for (int i = 0; i < m; i++)
    for (int k = 0; k < n; k++) {
      c->f[2 * i * n + k] = c->values[i * n + k];
      c->f[(2 * i + 1) * n + k] = c->values[(m + i) * n + k];
    }
  return shk_ok();
}

/* What is differentiated: f (length returned) at (q_at, p_at). */
static struct shk_status function_of(struct checker *c, enum kind kind, int *length)
{
  struct shk_evaluator *e = c->evaluator;
  switch (kind) {
  case H_Q:
  case H_P:
    *length = 1;
    return shk_hamiltonian(e, c->f, c->t_at, c->q_at, c->p_at);
  case HESSIAN:
    *length = 2 * c->n;
    SHK_TRY(shk_gradient(e, c->f, c->t_at, c->q_at, c->p_at));
    return shk_velocity(e, c->f + c->n, c->t_at, c->q_at, c->p_at);
  case JACOBIAN:
  case RATE:
    *length = c->m;
    return c->momentum ? shk_constraint_qp(e, c->f, c->t_at, c->q_at, c->p_at)
                       : shk_constraint(e, c->f, c->t_at, c->q_at);
  default:
    if (c->momentum)
      return gradients_of(c, length);
    *length = c->m;
    SHK_TRY(shk_jacobian(e, c->values, c->t_at, c->q_at));
    return shk_hidden_residual(e, c->f, c->values, c->t_at, c->q_at, c->u); /* v: the direction */
  }
}

/* out = derivative of f along (u, w) with increment h. */
static struct shk_status differentiate(struct checker *c, enum kind kind, real *out, real h,
                                       int *length)
{
  static const int weights[] = {0, 45, -9, 1};
  memset(out, 0, (size_t)c->length * sizeof *out);
  for (int k = -3; k <= 3; k++) {
    if (k == 0)
      continue;
    for (int i = 0; i < c->n; i++) {
      c->q_at[i] = c->q[i] + k * h * c->u[i];
      c->p_at[i] = c->p[i] + k * h * c->w[i];
    }
    c->t_at = kind == RATE || kind == CURVATURE ? c->t + k * h : c->t;
    SHK_TRY(function_of(c, kind, length));
    const int weight = k < 0 ? -weights[-k] : weights[k];
    for (int i = 0; i < *length; i++)
      out[i] += weight * c->f[i];
    c->tally[kind].function = real_max(c->tally[kind].function, real_max_norm(c->f, *length));
  }
  for (int i = 0; i < *length; i++)
    out[i] /= 60 * h;
  return shk_ok();
}

/* exact = g_q u + g_p w */
static struct shk_status gradients_along(struct checker *c)
{
  const int n = c->n, m = c->m;
  SHK_TRY(shk_constraint_gradients(c->evaluator, c->values, c->values + m * n, c->t, c->q, c->p));
  for (int i = 0; i < m; i++) {
    c->exact[i] = 0;
    for (int k = 0; k < n; k++)
      c->exact[i] += c->values[i * n + k] * c->u[k] + c->values[(m + i) * n + k] * c->w[k];
  }
  return shk_ok();
}

/* exact = the given derivative at the point along (u, w). */
static struct shk_status stated(struct checker *c, enum kind kind)
{
  struct shk_evaluator *e = c->evaluator;
  const int n = c->n;
  switch (kind) {
  case H_Q:
    SHK_TRY(shk_gradient(e, c->rest, c->t, c->q, c->p));
    SHK_TRY(shk_force(e, c->exact, c->t, c->q, c->p));
    for (int i = 0; i < n; i++)
      c->rest[i] += c->exact[i];
    c->exact[0] = real_dot(c->rest, c->u, n);
    return shk_ok();
  case H_P:
    SHK_TRY(shk_velocity(e, c->rest, c->t, c->q, c->p));
    c->exact[0] = real_dot(c->rest, c->w, n);
    return shk_ok();
  case HESSIAN:
    SHK_TRY(shk_hessian(e, c->hessian, c->t, c->q, c->p));
    for (int i = 0; i < 2 * n; i++) {
      const real *row = c->hessian + (size_t)i * 2 * (size_t)n;
      c->exact[i] = 0;
      for (int j = 0; j < n; j++)
        c->exact[i] += row[j] * c->u[j] + row[n + j] * c->w[j];
    }
    return shk_ok();
  case JACOBIAN:
    if (c->momentum)
      return gradients_along(c);
    SHK_TRY(shk_jacobian(e, c->values, c->t, c->q));
    shk_jacobian_times(e, c->exact, c->values, c->u);
    return shk_ok();
  case RATE:
    return shk_constraint_rate(e, c->exact, c->t, c->q);
  default:
    if (c->momentum) {
      memcpy(c->rest, c->u, (size_t)n * sizeof(real));
      memcpy(c->rest + n, c->w, (size_t)n * sizeof(real));
      return shk_constraint_second(e, c->exact, c->t, c->q, c->p, c->rest);
    }
    return shk_curvature(e, c->exact, c->t, c->q, c->u);
  }
}

/* Compares one derivative along the direction (u, w). Near a singularity of the function the usual
 * increment is too large: smaller ones are tried until round-off rules, and the one whose spread is
 * least decides. */
static struct shk_status compare(struct checker *c, enum kind kind)
{
  struct tally *tally = &c->tally[kind];
  int length = 0;
  real best = -1, error = 0;
  SHK_TRY(stated(c, kind));
  SHK_TRY(differentiate(c, kind, c->coarse, c->increment, &length));
  for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const real h = c->increment / (real)(1 << attempt);
    SHK_TRY(differentiate(c, kind, c->fine, h, &length));
    const real spread = shk_largest_difference(c->coarse, c->fine, length);
    const real noise = REAL_EPSILON * real_max_norm(c->f, length) / h;
    if (!real_isfinite(spread) || !real_isfinite(shk_largest_difference(c->exact, c->fine, length)))
      return shk_failure(SHK_NOT_FINITE, "a derivative is not finite near the point", 0, 0);
    if (best < 0 || spread + noise < best) {
      best = spread + noise;
      error = shk_largest_difference(c->exact, c->fine, length);
      tally->derivative = real_max(tally->derivative, real_max(real_max_norm(c->exact, length),
                                                               real_max_norm(c->fine, length)));
    }
    if (spread <= 100 * noise)
      break;
    real *const swap = c->coarse;
    c->coarse = c->fine;
    c->fine = swap;
  }
  tally->error = real_max(tally->error, error);
  tally->floor = real_max(tally->floor, best);
  return shk_ok();
}

/* Coordinate number `index` of (q,p) up to the limit, else a pseudo-random direction. */
static void choose_direction(struct checker *c, int index, bool in_q, bool in_p)
{
  const int n = c->n;
  memset(c->u, 0, (size_t)n * sizeof *c->u);
  memset(c->w, 0, (size_t)n * sizeof *c->w);
  if (n <= ENTRYWISE_LIMIT) {
    if (index < n)
      c->u[index] = c->unit_q;
    else
      c->w[index - n] = c->unit_p;
    return;
  }
  for (int i = 0; i < n; i++) {
    if (in_q)
      c->u[i] = c->unit_q * uniform(&c->random);
    if (in_p)
      c->w[i] = c->unit_p * uniform(&c->random);
  }
}

/* Whether the system has it. */
static bool is_checked(const struct checker *c, enum kind kind)
{
  return kind == HESSIAN ? c->hessian != NULL
         : kind == RATE  ? c->m > 0 && (c->evaluator->system->features & SHK_RHEONOMIC)
                         : kind < JACOBIAN || c->m > 0;
}

static struct shk_status check_point(struct checker *c)
{
  const int n = c->n;
  for (enum kind kind = 0; kind < KINDS; kind++) {
    if (!is_checked(c, kind))
      continue;
    const bool in_q = kind != H_P && kind != RATE;
    const bool in_p = kind == H_P || kind == HESSIAN || (c->momentum && kind >= JACOBIAN);
    const bool entrywise = n <= ENTRYWISE_LIMIT && kind != CURVATURE;
    const int first = entrywise && !in_q ? n : 0;
    const int count = kind == RATE ? 1 : entrywise ? n * (in_q + in_p) : DIRECTIONS;
    for (int index = first; index < first + count; index++) {
      if (kind == CURVATURE) { /* quadratic in v: coordinates would not show mixed terms */
        memset(c->w, 0, (size_t)n * sizeof *c->w);
        for (int i = 0; i < n; i++)
          c->u[i] = c->unit_q * uniform(&c->random);
        for (int i = 0; i < n && c->momentum; i++)
          c->w[i] = c->unit_p * uniform(&c->random);
      } else if (kind == RATE) { /* along time alone */
        memset(c->u, 0, (size_t)n * sizeof *c->u);
        memset(c->w, 0, (size_t)n * sizeof *c->w);
      } else {
        choose_direction(c, index, in_q, in_p);
      }
      SHK_TRY(compare(c, kind));
    }
  }
  return shk_ok();
}

static void summarize(struct shk_derivative_check *check, const struct checker *c, enum kind kind)
{
  const struct tally *tally = &c->tally[kind];
  real scale = tally->derivative;
  if (scale <= 1000 * REAL_EPSILON * tally->function / c->increment)
    scale = tally->function; /* the derivative vanishes: all that is left is round-off */
  if (scale == 0)
    scale = 1;
  const real error = tally->error / scale, floor = tally->floor / scale;
  *check = shk_derivative_result(names[kind], error, floor,
                                 real_min(1000 * floor, real_sqrt(REAL_EPSILON)));
}

/* The problem's own fibre against an integrated one, from the point and for random lengths. */
static struct shk_status check_fibre(struct shk_derivative_check *check, struct checker *c)
{
  const int n = c->n;
  struct shk_fibre *fibre;
  real error = 0, size = 0;
  SHK_TRY(shk_fibre_create(&fibre, c->evaluator->workspace, c->evaluator));
  for (int k = 0; k < POINTS; k++) {
    for (int i = 0; i < c->m; i++)
      c->rest[i] = uniform(&c->random);
    SHK_TRY(shk_fibre_slide(fibre, c->coarse, c->coarse + n, c->t, c->q, c->p, c->rest));
    SHK_TRY(shk_fibre_integrate(fibre, c->fine, c->fine + n, c->t, c->q, c->p, c->rest));
    error = real_max(error, shk_largest_difference(c->coarse, c->fine, 2 * n));
    size = real_max(size, real_max_norm(c->fine, 2 * n));
  }
  *check = shk_derivative_result("fibre", size > 0 ? error / size : error, 10 * REAL_EPSILON,
                                 10000 * REAL_EPSILON);
  return shk_ok();
}

/* The system's forces and constraints in one call against those of single calls, relative to the
 * largest of each. */
static struct shk_status check_at_once(struct shk_derivative_check *check, struct checker *c)
{
  const struct shk_system *s = c->evaluator->system;
  const int n = c->n, entries = c->evaluator->row_start[c->m], sizes[] = {n, entries, c->m};
  const size_t count = (size_t)(n + entries + c->m);
  real *found, *expected, error = 0;
  SHK_TRY(shk_reals(c->evaluator->workspace, &found, count));
  SHK_TRY(shk_reals(c->evaluator->workspace, &expected, count));
  SHK_TRY(shk_velocity(c->evaluator, c->u, c->t, c->q, c->p));
  SHK_TRY(shk_callback_status(s->forces_and_constraints(s->context, found, found + n,
                                                        found + n + entries, c->t, c->q, c->u)));
  if (s->gradient)
    SHK_TRY(shk_callback_status(s->gradient(s->context, expected, c->t, c->q)));
  SHK_TRY(shk_jacobian(c->evaluator, expected + n, c->t, c->q));
  SHK_TRY(shk_curvature(c->evaluator, expected + n + entries, c->t, c->q, c->u));
  for (int k = 0, at = 0; k < 3; at += sizes[k++]) {
    const real size = real_max_norm(expected + at, sizes[k]);
    const real off = shk_largest_difference(found + at, expected + at, sizes[k]);
    const real part = size > 0 ? off / size : off;
    if (!(part <= error)) /* keeps a NaN */
      error = part;
  }
  *check = shk_derivative_result("forces and constraints at once", error, 8 * REAL_EPSILON,
                                 8 * REAL_EPSILON);
  return shk_ok();
}

static const struct shk_array arrays[] = {
    SHK_ARRAYS(checker, q, w, .n = 1),
    SHK_ARRAY(checker, hessian, .nn = 4,
              .only = SHK_GENERAL_HAMILTONIAN | SHK_FORCES | SHK_MOMENTUM_CONSTRAINT),
    {0}};

/* The arrays of *c, in the workspace of its evaluator. */
static struct shk_status take_arrays(struct checker *c)
{
  struct shk_evaluator *e = c->evaluator;
  const int entries = (c->momentum ? 2 : 1) * e->row_start[c->m];
  const int longest = c->momentum && entries > c->m ? entries : c->m;
  c->length = 2 * c->n > longest ? 2 * c->n : longest;
  SHK_TRY(shk_land_arrays(c, arrays, e, e->workspace));
  real **const results[] = {&c->f, &c->coarse, &c->fine, &c->exact, &c->rest};
  for (size_t i = 0; i < sizeof results / sizeof *results; i++)
    SHK_TRY(shk_reals(e->workspace, results[i], (size_t)c->length));
  return shk_reals(e->workspace, &c->values, (size_t)entries);
}

struct shk_status shk_check_derivatives(struct shk_derivative_check *checks, int *count,
                                        struct shk_evaluator *evaluator, real t, const real *q,
                                        const real *p)
{
  if (evaluator->system->features & SHK_GENERAL_DAE)
    return shk_check_dae_derivatives(checks, count, evaluator, t, q, p);
  const int n = evaluator->system->n, m = evaluator->system->m;
  const bool momentum = (evaluator->system->features & SHK_MOMENTUM_CONSTRAINT) != 0;
  struct checker c = {.evaluator = evaluator, .n = n, .m = m, .t = t, .momentum = momentum};
  *count = 0;
  SHK_TRY(take_arrays(&c));

  /* Points and increments in units of the coordinates where these are small; where they are large
   * (a long chain), of order 1. */
  const real size_q = real_max_norm(q, n), size_p = real_max_norm(p, n);
  c.unit_q = size_q > 0 && size_q < 1 ? size_q : 1;
  c.unit_p = size_p > 0 && size_p < 1 ? size_p : 1;
  c.increment = 2 * real_pow(REAL_EPSILON, R(1.0) / 7);
  c.random = 1;
  for (int point = 0; point < (n <= ENTRYWISE_LIMIT ? POINTS : FEW_POINTS); point++) {
    const real away = point == 0 ? 0 : R(0.1);
    for (int i = 0; i < n; i++) {
      c.q[i] = q[i] + away * c.unit_q * uniform(&c.random);
      c.p[i] = p[i] + away * c.unit_p * uniform(&c.random);
    }
    SHK_TRY(check_point(&c));
  }
  for (enum kind kind = 0; kind < KINDS; kind++)
    if (is_checked(&c, kind))
      summarize(&checks[(*count)++], &c, kind);
  if (momentum && evaluator->system->fibre)
    SHK_TRY(check_fibre(&checks[(*count)++], &c));
  return evaluator->system->forces_and_constraints ? check_at_once(&checks[(*count)++], &c)
                                                   : shk_ok();
}
