/*
 * Derivative checks of general differential-algebraic equations by central differences of sixth
 * order, with two increments, whose spread bounds their error. All variables are in one vector
 * (q, p, lambda, t), all functions in another, (q', p', g, g_q v), of which the last is
 * differentiated along v itself.
 */
#include "mechanics/system/dae_derivatives.h"

#include "mechanics/system/binding.h"

#include <string.h>

enum { POINTS = 4 };
enum kind { F_X, F_LAMBDA, G_X, CURVATURE, STRUCTURE, KINDS };
static const char *const names[KINDS] = {"f_x", "f_lambda", "g_x", "curvature", "structure"};

struct tally {
  real error, floor, derivative;
};

struct checker {
  struct shk_evaluator *evaluator;
  int n, m, x;                /* x = 2n */
  bool third;                 /* of index 3 */
  real *z;                    /* the point: q, p, lambda, t */
  real *at, *f, *v;           /* a point of the stencil; functions; v (n) */
  real *coarse, *fine;        /* differences */
  real *f_x, *f_lambda, *g_x; /* as given at the point */
  real *curvature;            /* m */
  real *work;                 /* f_x, f_lambda, g_x elsewhere */
  struct tally tally[KINDS];
};

/* f (x + 2m): q', p', g, and g_q v at index 3. */
static struct shk_status functions_at(struct checker *c)
{
  const int n = c->n, m = c->m, x = c->x;
  const real *q = c->at, *p = q + n, *lambda = p + n, t = lambda[m];
  SHK_TRY(shk_dae_slope(c->evaluator, c->f, c->f + n, t, q, p, lambda));
  SHK_TRY(shk_dae_constraint(c->evaluator, c->f + x, t, q, p));
  for (int k = 0; k < m; k++)
    c->f[x + m + k] = 0;
  if (!c->third)
    return shk_ok();
  real *f_lambda = c->work + x * x, *g_x = f_lambda + x * m;
  SHK_TRY(shk_dae_derivatives(c->evaluator, c->work, f_lambda, g_x, t, q, p, lambda));
  for (int k = 0; k < m; k++)
    for (int i = 0; i < n; i++)
      c->f[x + m + k] += g_x[k * x + i] * c->v[i];
  return shk_ok();
}

/* out = the derivative of all functions along variable j, or along v in q where j < 0. */
static struct shk_status differentiate(struct checker *c, real *out, int j, real h)
{
  static const int weights[] = {0, 45, -9, 1};
  const int variables = c->x + c->m + 1, functions = c->x + 2 * c->m;
  memset(out, 0, (size_t)functions * sizeof *out);
  for (int k = -3; k <= 3; k++) {
    if (k == 0)
      continue;
    memcpy(c->at, c->z, (size_t)variables * sizeof *c->at);
    if (j >= 0)
      c->at[j] += k * h;
    for (int i = 0; j < 0 && i < c->n; i++)
      c->at[i] += k * h * c->v[i];
    SHK_TRY(functions_at(c));
    const int weight = k < 0 ? -weights[-k] : weights[k];
    for (int i = 0; i < functions; i++)
      out[i] += weight * c->f[i] / (60 * h);
  }
  for (int i = 0; i < functions; i++)
    if (!real_isfinite(out[i]))
      return shk_failure(SHK_NOT_FINITE, "a derivative is not finite near the point", 0, 0);
  return shk_ok();
}

/* Compares difference number i with the given value. */
static void take(struct checker *c, enum kind kind, int i, real stated, real increment)
{
  struct tally *tally = &c->tally[kind];
  const real noise = REAL_EPSILON * real_max(1, real_fabs(c->f[i])) / increment;
  tally->error = real_max(tally->error, real_fabs(c->fine[i] - stated));
  tally->floor = real_max(tally->floor, real_fabs(c->fine[i] - c->coarse[i]) + noise);
  tally->derivative =
      real_max(tally->derivative, real_max(real_fabs(stated), real_fabs(c->fine[i])));
}

static struct shk_status check_point(struct checker *c)
{
  const int n = c->n, m = c->m, x = c->x;
  const real h = real_pow(REAL_EPSILON, R(1.0) / 7) / 2;
  const real *q = c->z, *p = q + n, *lambda = p + n, t = lambda[m];
  SHK_TRY(shk_dae_derivatives(c->evaluator, c->f_x, c->f_lambda, c->g_x, t, q, p, lambda));
  if (c->third)
    SHK_TRY(shk_curvature(c->evaluator, c->curvature, t, q, c->v));
  for (int j = c->third ? -1 : 0; j <= x + m; j++) {
    SHK_TRY(differentiate(c, c->coarse, j, h));
    SHK_TRY(differentiate(c, c->fine, j, h / 2));
    for (int i = 0; i < x && j >= 0 && j < x + m; i++) {
      if (j < x)
        take(c, F_X, i, c->f_x[i * x + j], h / 2);
      else
        take(c, F_LAMBDA, i, c->f_lambda[i * m + j - x], h / 2);
      if (c->third && i < n && j >= x)
        take(c, STRUCTURE, i, 0, h / 2);
    }
    for (int k = 0; k < m; k++) {
      if (j < 0)
        take(c, CURVATURE, x + m + k, c->curvature[k], h / 2);
      else if (j < x)
        take(c, G_X, x + k, c->g_x[k * x + j], h / 2);
      if (j == x + m || (c->third && j >= n && j < x))
        take(c, STRUCTURE, x + k, 0, h / 2);
    }
  }
  return shk_ok();
}

static const struct shk_array arrays[] = {SHK_ARRAYS(checker, z, at, .n = 2, .m = 1, .ones = 1),
                                          SHK_ARRAY(checker, f, .n = 2, .m = 2),
                                          SHK_ARRAYS(checker, coarse, fine, .n = 2, .m = 2),
                                          SHK_ARRAY(checker, v, .n = 1),
                                          SHK_ARRAY(checker, curvature, .m = 1),
                                          SHK_ARRAY(checker, f_x, .nn = 4),
                                          SHK_ARRAYS(checker, f_lambda, g_x, .nm = 2),
                                          SHK_ARRAY(checker, work, .nn = 4, .nm = 4),
                                          {0}};

struct shk_status shk_check_dae_derivatives(struct shk_derivative_check *checks, int *count,
                                            struct shk_evaluator *evaluator, real t, const real *q,
                                            const real *p)
{
  const int n = evaluator->system->n, m = evaluator->system->m, x = 2 * n;
  struct checker c = {
      .evaluator = evaluator, .n = n, .m = m, .x = x, .third = evaluator->system->dae_index == 3};
  *count = 0;
  SHK_TRY(shk_land_arrays(&c, arrays, evaluator, evaluator->workspace));
  for (int point = 0; point < POINTS; point++) {
    /* Away from the start, without symmetry; the same in both precisions. */
    for (int i = 0; i < x + m; i++) {
      const real value = i < n ? q[i] : i < x ? p[i - n] : 1;
      c.z[i] = value + (real)(point * ((7 * i + 3 * point) % 5 - 2)) / 64;
    }
    c.z[x + m] = t + (real)point / 8;
    for (int i = 0; i < n; i++)
      c.v[i] = 1 + (real)((3 * i + point) % 4) / 4;
    SHK_TRY(check_point(&c));
  }
  for (enum kind kind = 0; kind < KINDS; kind++) {
    if (kind == CURVATURE && !c.third)
      continue;
    const struct tally *tally = &c.tally[kind];
    const real scale = kind != STRUCTURE && tally->derivative > 0 ? tally->derivative : 1;
    const real error = tally->error / scale, floor = tally->floor / scale;
    checks[(*count)++] = shk_derivative_result(names[kind], error, floor,
                                               real_min(1000 * floor, real_sqrt(REAL_EPSILON)));
  }
  return shk_ok();
}
