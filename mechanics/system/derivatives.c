/*
 * Checks derivatives using sixth-order central differences. With z = (q, p, lambda, t),
 *
 *     D f = [45 (f₁ - f₋₁) - 9 (f₂ - f₋₂) + (f₃ - f₋₃)] / (60 h),     f_k = f(z + k h u),
 *
 * where the truncation error is h⁶ f⁽⁷⁾/140. With h close to epsilon^(1/7), these differences
 * resolve about 1e-13 in double and 1e-28 in quad. The actual error is estimated from the results
 * for two increments, h and h/2, whose difference bounds the truncation error of the second.
 *
 * Each derivative is compared with differences of its function. The Hessian is compared with
 * differences of (H_q - Q, H_p), and the curvature with those of G v + g_t along (v,1). G is
 * compared with differences of g column by column, which reveals entries that are missing from the
 * pattern. For constraints g(q,p), G is (g_q g_p), the curvature is g_i,zz w, and a fibre that the
 * problem provides is compared with an integrated one. Errors in H itself are not detected.
 */
#include "mechanics/system/derivatives.h"
#include "foundation/message.h"
#include "mechanics/algebra/difference.h"
#include "mechanics/algebra/random.h"
#include "mechanics/binding/binding.h"
#include "mechanics/system/callback.h"
#include "mechanics/system/evaluate.h"
#include "mechanics/system/fibre.h"

enum { POINTS = 4, FEW_POINTS = 2, ENTRYWISE_LIMIT = 64, DIRECTIONS = 4, ATTEMPTS = 12 };

enum type { HOLONOMIC, MOMENTUM, INDEX_2, INDEX_3, TYPES };
enum kind { H_Q, H_P, HESSIAN, G, F_X, F_LAMBDA, G_X, CURVATURE, RATE, STRUCTURE, KINDS };

/* Parts of z. */
enum { IN_Q = 1, IN_P = 2, IN_LAMBDA = 4, IN_T = 8 };

/* For each type of system, the parts of z that a derivative involves, or 0 if that type has no such
 * derivative. For constraints g(q,p), G and the curvature are (g_q g_p) and g_i,zz w. STRUCTURE
 * represents the derivatives of a DAE that must vanish. */
static const struct {
  const char *name;
  unsigned parts[TYPES];
} kinds[KINDS] = {
    [H_Q] = {"H_q", {IN_Q, IN_Q}},
    [H_P] = {"H_p", {IN_P, IN_P}},
    [HESSIAN] = {"Hessian", {IN_Q | IN_P, IN_Q | IN_P}},
    [G] = {"G", {IN_Q, IN_Q | IN_P}},
    [F_X] = {"f_x", {[INDEX_2] = IN_Q | IN_P, [INDEX_3] = IN_Q | IN_P}},
    [F_LAMBDA] = {"f_lambda", {[INDEX_2] = IN_LAMBDA, [INDEX_3] = IN_LAMBDA}},
    [G_X] = {"g_x", {[INDEX_2] = IN_Q | IN_P, [INDEX_3] = IN_Q | IN_P}},
    [CURVATURE] = {"curvature", {IN_Q | IN_T, IN_Q | IN_P | IN_T, [INDEX_3] = IN_Q}},
    [RATE] = {"g_t", {IN_T, IN_T}},
    [STRUCTURE] = {"structure", {[INDEX_2] = IN_T, [INDEX_3] = IN_P | IN_LAMBDA | IN_T}}};

/* Largest absolute values found when checking one derivative. */
struct tally {
  real error, floor, derivative, function;
};

struct checker {
  struct shk_evaluator *evaluator;
  /* x is 2n, `size` is the number of entries in z, and `length` is the length of the longest
   * function */
  int n, m, x, size, length;
  enum type type;
  real units[4], increment; /* lengths of the directions in q, p, lambda and t; at most 1 */
  real *z, *at, *along;     /* the point, a stencil point, and a direction */
  real *f, *coarse, *fine, *exact, *rest;
  real *values;  /* G, or f_x, f_lambda and g_x */
  real *hessian; /* 2n x 2n; NULL if the system does not provide it */
  struct tally tally[KINDS];
  uint64_t random;
};

static real uniform_number(struct checker *c)
{
  return 2 * shk_random_uniform(&c->random) - 1;
}

static int part_of(const struct checker *c, int j)
{
  return j < c->n ? 0 : j < c->x ? 1 : j < c->x + c->m ? 2 : 3;
}

/* out <- A x, where A is rows x columns. */
static void multiply_derivatives(real *out, const real *A, const real *x, int rows, int columns)
{
  for (int i = 0; i < rows; i++)
    out[i] = real_dot(A + (size_t)i * (size_t)columns, x, columns);
}

/* Stores f_x, f_lambda and g_x in `values`, and makes *g_x point to the last of them. */
static struct shk_status evaluate_dae(struct checker *c, const real **g_x, const real *z)
{
  const int x = c->x, m = c->m;
  real *f_lambda = c->values + x * x;
  *g_x = f_lambda + x * m;
  return shk_dae_derivatives(c->evaluator, c->values, f_lambda, f_lambda + x * m, z[x + m], z,
                             z + c->n, z + x);
}

/* Evaluates g_q and g_p at (q,p) and stores them in f, row by row. */
static struct shk_status gradients_of(struct checker *c, real t, const real *q, const real *p)
{
  const int n = c->n, m = c->m;
  SHK_TRY(shk_constraint_gradients(c->evaluator, c->values, c->values + m * n, t, q, p));
  for (int i = 0; i < m; i++) {
    shk_copy(c->f + 2 * i * n, c->values + i * n, n);
    shk_copy(c->f + (2 * i + 1) * n, c->values + (m + i) * n, n);
  }
  return shk_ok();
}

/* Evaluates the function whose derivative along the direction v is the curvature. */
static struct shk_status along_curved_direction(struct checker *c, int *length)
{
  const real *q = c->at, *p = q + c->n, *v = c->along, *g_x, t = p[c->n + c->m];
  *length = c->type == MOMENTUM ? 2 * c->m * c->n : c->m;
  if (c->type == MOMENTUM)
    return gradients_of(c, t, q, p);
  if (c->type < INDEX_2) {
    SHK_TRY(shk_jacobian(c->evaluator, c->values, t, q));
    return shk_hidden_residual(c->evaluator, c->f, c->values, t, q, v);
  }
  SHK_TRY(evaluate_dae(c, &g_x, c->at));
  for (int k = 0; k < c->m; k++)
    c->f[k] = real_dot(g_x + k * c->x, v, c->n);
  return shk_ok();
}

/* Evaluates the function to be differentiated at the point `at`. Stores its *length values in f. */
static struct shk_status function_of(struct checker *c, enum kind kind, int *length)
{
  struct shk_evaluator *e = c->evaluator;
  const int n = c->n;
  const real *q = c->at, *p = q + n, *lambda = p + n, t = lambda[c->m];
  bool of_slope = kind == F_X || kind == F_LAMBDA;
  switch (kind) {
  case H_Q:
  case H_P:
    *length = 1;
    return shk_hamiltonian(e, c->f, t, q, p);
  case HESSIAN:
    *length = 2 * n;
    SHK_TRY(shk_gradient(e, c->f, t, q, p));
    return shk_velocity(e, c->f + n, t, q, p);
  case CURVATURE:
    return along_curved_direction(c, length);
  case STRUCTURE: /* at index 3, q' must be independent of lambda, and g must depend on q alone */
    of_slope = real_max_norm(c->along + c->x, c->m) > 0;
    break;
  default:
    break;
  }
  *length = !of_slope ? c->m : kind == STRUCTURE ? n : 2 * n;
  return of_slope ? shk_dae_slope(e, c->f, c->f + n, t, q, p, lambda)
                  : shk_constraint_qp(e, c->f, t, q, p);
}

/* Approximates the derivative of f along the direction with increment h, and stores it in `out`. */
static struct shk_status differentiate_derivatives(struct checker *c, enum kind kind, real *out,
                                                   real h, int *length)
{
  static const int weights[] = {0, 45, -9, 1};
  shk_fill(out, 0, c->length);
  for (int k = -3; k <= 3; k++) {
    if (k == 0)
      continue;
    for (int i = 0; i < c->size; i++)
      c->at[i] = c->z[i] + k * h * c->along[i];
    SHK_TRY(function_of(c, kind, length));
    const int weight = k < 0 ? -weights[-k] : weights[k];
    shk_vector_add(out, weight, c->f, *length);
    c->tally[kind].function = real_max(c->tally[kind].function, real_max_norm(c->f, *length));
  }
  for (int i = 0; i < *length; i++)
    out[i] /= 60 * h;
  return shk_ok();
}

/* Multiplies G by the direction and stores the product in `exact`. */
static struct shk_status jacobian_along(struct checker *c, real t, const real *q, const real *p)
{
  const int n = c->n, m = c->m;
  if (c->type != MOMENTUM) {
    SHK_TRY(shk_jacobian(c->evaluator, c->values, t, q));
    shk_jacobian_times(c->evaluator, c->exact, c->values, c->along);
    return shk_ok();
  }
  SHK_TRY(shk_constraint_gradients(c->evaluator, c->values, c->values + m * n, t, q, p));
  multiply_derivatives(c->exact, c->values, c->along, m, n);
  multiply_derivatives(c->rest, c->values + m * n, c->along + n, m, n);
  shk_vector_add(c->exact, 1, c->rest, m);
  return shk_ok();
}

/* Evaluates the derivative that the system provides at the point, along the direction, and stores
 * it in `exact`. */
static struct shk_status stated_derivative(struct checker *c, enum kind kind)
{
  struct shk_evaluator *e = c->evaluator;
  const int n = c->n, m = c->m, x = c->x;
  const real *q = c->z, *p = q + n, t = p[n + m], *g_x;
  switch (kind) {
  case H_Q:
    SHK_TRY(shk_gradient(e, c->rest, t, q, p));
    SHK_TRY(shk_force(e, c->exact, t, q, p));
    shk_vector_add(c->rest, 1, c->exact, n);
    c->exact[0] = real_dot(c->rest, c->along, n);
    return shk_ok();
  case H_P:
    SHK_TRY(shk_velocity(e, c->rest, t, q, p));
    c->exact[0] = real_dot(c->rest, c->along + n, n);
    return shk_ok();
  case HESSIAN:
    SHK_TRY(shk_hessian(e, c->hessian, t, q, p));
    multiply_derivatives(c->exact, c->hessian, c->along, x, x);
    return shk_ok();
  case G:
    return jacobian_along(c, t, q, p);
  case RATE:
    return shk_constraint_rate(e, c->exact, t, q);
  case CURVATURE:
    return c->type == MOMENTUM ? shk_constraint_second(e, c->exact, t, q, p, c->along)
                               : shk_curvature(e, c->exact, t, q, c->along);
  default:
    shk_fill(c->exact, 0, c->length);
    SHK_TRY(evaluate_dae(c, &g_x, c->z));
    if (kind == F_X)
      multiply_derivatives(c->exact, c->values, c->along, x, x);
    else if (kind == F_LAMBDA)
      multiply_derivatives(c->exact, c->values + x * x, c->along + x, x, m);
    else if (kind == G_X)
      multiply_derivatives(c->exact, g_x, c->along, m, x);
    return shk_ok();
  }
}

/* Compares one derivative along the direction. Near a singularity of the function, the usual
 * increment is too large. In that case, increasingly small increments are tried until round-off
 * dominates, and the one with the smallest spread is used. */
static struct shk_status compare_derivatives(struct checker *c, enum kind kind)
{
  struct tally *tally = &c->tally[kind];
  int length = 0;
  real best = -1, error = 0;
  SHK_TRY(stated_derivative(c, kind));
  SHK_TRY(differentiate_derivatives(c, kind, c->coarse, c->increment, &length));
  for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const real h = c->increment / (real)(1 << attempt);
    SHK_TRY(differentiate_derivatives(c, kind, c->fine, h, &length));
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

static unsigned parts_of(const struct checker *c, enum kind kind)
{
  const bool is_missing = kind == HESSIAN                  ? !c->hessian
                          : kind == G || kind == CURVATURE ? c->m == 0
                          : kind == RATE
                              ? c->m == 0 || (c->evaluator->system->features & SHK_RHEONOMIC) == 0
                              : false;
  return is_missing ? 0 : kinds[kind].parts[c->type];
}

/* Checks a derivative along every coordinate if their number does not exceed the limit, and along
 * random directions otherwise. The curvature is always checked along random directions because it
 * is quadratic in v, so coordinate directions would miss its mixed terms. */
static struct shk_status check_point(struct checker *c)
{
  for (enum kind kind = 0; kind < KINDS; kind++) {
    const unsigned parts = parts_of(c, kind);
    const bool entrywise = parts == IN_T || (c->n <= ENTRYWISE_LIMIT && kind != CURVATURE);
    for (int index = 0; parts != 0 && index < (entrywise ? c->size : DIRECTIONS); index++) {
      if (entrywise && (parts & 1u << part_of(c, index)) == 0)
        continue;
      for (int j = 0; j < c->size; j++) {
        const int part = part_of(c, j);
        c->along[j] = entrywise              ? (j == index ? c->units[part] : 0)
                      : (parts & 1u << part) ? (part == 3 ? 1 : c->units[part] * uniform_number(c))
                                             : 0;
      }
      SHK_TRY(compare_derivatives(c, kind));
    }
  }
  return shk_ok();
}

/* Returns the check for a relative error and its relative floor. The check holds if error <=
 * most. */
static struct shk_derivative_check check_result(const char *name, real error, real floor, real most)
{
  struct shk_derivative_check check = {
      .error = (double)error, .floor = (double)floor, .holds = error <= most};
  shk_text_fit(check.name, sizeof check.name, name);
  return check;
}

static struct shk_derivative_check summary_of_kind(const struct checker *c, enum kind kind)
{
  const struct tally *tally = &c->tally[kind];
  real scale = tally->derivative;
  if (scale <= 1000 * REAL_EPSILON * tally->function / c->increment)
    scale = tally->function; /* the derivative vanishes to within round-off */
  if (scale == 0)
    scale = 1;
  const real error = tally->error / scale, floor = tally->floor / scale;
  return check_result(kinds[kind].name, error, floor,
                      real_min(1000 * floor, real_sqrt(REAL_EPSILON)));
}

/* Compares the problem's flow along the fibre with a numerically integrated flow for random
 * lengths. */
static struct shk_status check_fibre(struct shk_derivative_check *check, struct checker *c)
{
  const struct shk_system *s = c->evaluator->system;
  const int n = c->n;
  const real *q = c->z, *p = q + n;
  struct shk_fibre_flow *flow;
  real error = 0, size = 0;
  SHK_TRY(shk_fibre_flow_create(&flow, c->evaluator->workspace, c->evaluator));
  for (int k = 0; k < POINTS; k++) {
    for (int i = 0; i < c->m; i++)
      c->rest[i] = uniform_number(c);
    SHK_TRY(shk_callback_status(s, s->fibre(s->context, c->coarse, c->coarse + n, q, p, c->rest)));
    SHK_TRY(shk_fibre_flow_integrate(flow, c->fine, c->fine + n, q[c->size - 1], q, p, c->rest));
    error = real_max(error, shk_largest_difference(c->coarse, c->fine, 2 * n));
    size = real_max(size, real_max_norm(c->fine, 2 * n));
  }
  *check = check_result("fibre", size > 0 ? error / size : error, 10 * REAL_EPSILON,
                        10000 * REAL_EPSILON);
  return shk_ok();
}

static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAYS(checker, (.n = 2, .m = 1, .ones = 1), z, at, along),
             SHK_ARRAY(checker, hessian, .nn = 4, .only = SHK_GENERAL | SHK_MOMENTUM_CONSTRAINT));

static struct shk_status take_arrays(struct checker *c)
{
  struct shk_evaluator *e = c->evaluator;
  const int entries = c->type >= INDEX_2 ? c->x * (c->x + 2 * c->m)
                                         : (c->type == MOMENTUM ? 2 : 1) * e->row_start[c->m];
  const int longest = c->type == MOMENTUM && entries > c->m ? entries : c->m;
  c->length = c->x > longest ? c->x : longest;
  SHK_TRY(shk_create_arrays(c, arrays, e, e->workspace));
  real **const results[] = {&c->f, &c->coarse, &c->fine, &c->exact, &c->rest};
  for (size_t i = 0; i < sizeof results / sizeof *results; i++)
    SHK_TRY(shk_reals(e->workspace, results[i], (size_t)c->length));
  return shk_reals(e->workspace, &c->values, (size_t)entries);
}

struct shk_status shk_check_derivatives(struct shk_derivative_check *checks, int *count,
                                        struct shk_evaluator *evaluator, real t, const real *q,
                                        const real *p)
{
  const struct shk_system *s = evaluator->system;
  const int n = s->n, m = s->m;
  /* Displacements and increments are proportional to the coordinates if these are small, and of
   * order 1 if they are large (as for a long chain). */
  const real size_q = real_max_norm(q, n), size_p = real_max_norm(p, n);
  const enum type type = s->features & SHK_GENERAL_DAE ? s->dae_index == 3 ? INDEX_3 : INDEX_2
                         : s->features & SHK_MOMENTUM_CONSTRAINT ? MOMENTUM
                                                                 : HOLONOMIC;
  struct checker c = {
      .evaluator = evaluator,
      .n = n,
      .m = m,
      .x = 2 * n,
      .size = 2 * n + m + 1,
      .type = type,
      .units = {size_q > 0 && size_q < 1 ? size_q : 1, size_p > 0 && size_p < 1 ? size_p : 1, 1, 1},
      .increment = 2 * real_pow(REAL_EPSILON, R(1.0) / 7),
      .random = 1};
  *count = 0;
  SHK_TRY(take_arrays(&c));
  for (int point = 0; point < (n <= ENTRYWISE_LIMIT ? POINTS : FEW_POINTS); point++) {
    for (int i = 0; i < c.size; i++) {
      const int part = part_of(&c, i);
      const real start[] = {q[part == 0 ? i : 0], p[part == 1 ? i - n : 0], 1, t};
      const bool moves = point > 0 && (part < 2 || c.type >= INDEX_2);
      c.z[i] = start[part] + (moves ? R(0.1) * c.units[part] * uniform_number(&c) : 0);
    }
    SHK_TRY(check_point(&c));
  }
  for (enum kind kind = 0; kind < KINDS; kind++)
    if (parts_of(&c, kind) != 0)
      checks[(*count)++] = summary_of_kind(&c, kind);
  if (c.type == MOMENTUM && s->fibre)
    SHK_TRY(check_fibre(&checks[(*count)++], &c));
  return shk_ok();
}
