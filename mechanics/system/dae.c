/* Residuals, multipliers and projections of general differential-algebraic equations. See dae.h. */
#include "mechanics/system/dae.h"

#include "mechanics/algebra/iteration.h"
#include "mechanics/system/evaluate.h"

#include <shakedown/solve.h>

/* Limit of Newton's iterations. */
#define LIMIT 60

struct shk_dae {
  struct shk_evaluator *evaluator;
  int n, m;
  bool third;           /* the index is 3, not 2 */
  real *f_x, *f_lambda; /* 2n x 2n; 2n x m */
  real *g_x;            /* m x 2n */
  real *slope;          /* 2n: q', p' */
  real *rows;           /* m x n: g_q q'_p */
  real *N, *residual;   /* m x m; m */
  real *lambda;         /* m */
  int *pivots;
  struct shk_iteration iteration;
};

static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAY(shk_dae, f_x, .nn = 4), SHK_ARRAYS(shk_dae, (.nm = 2), f_lambda, g_x),
             SHK_ARRAY(shk_dae, slope, .n = 2), SHK_ARRAY(shk_dae, rows, .nm = 1),
             SHK_ARRAY(shk_dae, N, .mm = 1), SHK_ARRAYS(shk_dae, (.m = 1), residual, lambda),
             SHK_INTEGERS(shk_dae, pivots, .m = 1));

struct shk_status shk_dae_create(struct shk_dae **dae, struct shk_workspace *workspace,
                                 struct shk_evaluator *evaluator)
{
  const struct shk_system *s = evaluator->system;
  if (s->dae_index != 2 && s->dae_index != 3)
    return shk_failure(SHK_BAD_INPUT, "found dae_index = %g of a general system, expected 2 or 3",
                       s->dae_index, 0);
  if (!s->dae_slope || !s->dae_constraint || !s->dae_derivatives ||
      (s->dae_index == 3 && !s->curvature))
    return shk_failure(SHK_BAD_INPUT,
                       "a general differential-algebraic equation needs dae_slope, "
                       "dae_constraint, dae_derivatives and, of index 3, curvature",
                       0, 0);
  struct shk_dae *w = *dae = shk_part(workspace, sizeof *w, arrays, evaluator);
  SHK_TRY(shk_allocated(w));
  w->evaluator = evaluator;
  w->n = s->n;
  w->m = s->m;
  w->third = s->dae_index == 3;
  w->iteration.limit = LIMIT;
  return shk_ok();
}

/* Evaluates slope and derivatives at lambda; at index 3 also g_q q'_p. */
static struct shk_status evaluate(struct shk_dae *w, real t, const real *q, const real *p,
                                  const real *lambda)
{
  const int n = w->n, m = w->m, x = 2 * n;
  SHK_TRY(shk_dae_slope(w->evaluator, w->slope, w->slope + n, t, q, p, lambda));
  SHK_TRY(shk_dae_derivatives(w->evaluator, w->f_x, w->f_lambda, w->g_x, t, q, p, lambda));
  for (int k = 0; w->third && k < m; k++)
    for (int j = 0; j < n; j++)
      w->rows[k * n + j] = shk_dot_strided(w->g_x + k * x, w->f_x + n + j, x, n);
  return shk_ok();
}

/* Computes psi (m), after `evaluate`; *size: the largest sum of moduli of its terms. */
static void hidden_of(const struct shk_dae *w, real *psi, real *size)
{
  *size = REAL_SMALLEST;
  for (int k = 0; k < w->m; k++) {
    real sum = 0, magnitude = 0;
    for (int i = 0; i < w->n; i++) {
      const real term = w->g_x[k * 2 * w->n + i] * w->slope[i];
      sum += term;
      magnitude += real_fabs(term);
    }
    psi[k] = sum;
    *size = real_max(*size, magnitude);
  }
}

struct shk_status shk_dae_residuals(struct shk_dae *w, real *g, real *hidden, real t, const real *q,
                                    const real *p)
{
  real size;
  SHK_TRY(shk_dae_constraint(w->evaluator, g, t, q, p));
  shk_fill(hidden, 0, w->m);
  if (!w->third)
    return shk_ok();
  shk_fill(w->lambda, 1, w->m); /* psi does not depend on it */
  SHK_TRY(evaluate(w, t, q, p, w->lambda));
  hidden_of(w, hidden, &size);
  return shk_ok();
}

/* Evaluates the condition on lambda and its derivative N; *size: the largest sum of moduli of the
 * condition's terms. */
static struct shk_status condition(struct shk_dae *w, real *size, real t, const real *q,
                                   const real *p, const real *lambda)
{
  const int n = w->n, m = w->m, x = 2 * n, width = w->third ? n : x;
  const real *left = w->third ? w->rows : w->g_x; /* N is the product of these two */
  const real *right = w->f_lambda + (w->third ? n * m : 0);
  SHK_TRY(evaluate(w, t, q, p, lambda));
  shk_fill(w->residual, 0, m);
  if (w->third)
    SHK_TRY(shk_curvature(w->evaluator, w->residual, t, q, w->slope));
  *size = REAL_SMALLEST;
  for (int k = 0; k < m; k++) {
    real sum = w->residual[k], magnitude = real_fabs(sum);
    for (int i = 0; i < width; i++) {
      const real g_i = w->g_x[k * x + i];
      if (!w->third) {
        sum += g_i * w->slope[i];
        magnitude += real_fabs(g_i * w->slope[i]);
        continue;
      }
      for (int j = 0; j < x; j++) {
        const real term = g_i * w->f_x[i * x + j] * w->slope[j];
        sum += term;
        magnitude += real_fabs(term);
      }
    }
    w->residual[k] = sum;
    *size = real_max(*size, magnitude);
    for (int l = 0; l < m; l++)
      w->N[k * m + l] = shk_dot_strided(left + k * width, right + l, m, width);
  }
  return shk_ok();
}

/* residual <- N⁻¹ residual */
static struct shk_status solve(struct shk_dae *w)
{
  w->evaluator->work.factorizations++;
  if (!shk_lu_factor(w->N, w->pivots, w->m))
    return shk_failure(SHK_SINGULAR, "the multiplier is not determined: its matrix is singular", 0,
                       0);
  shk_lu_solve(w->residual, w->N, w->pivots, w->m);
  return shk_ok();
}

static const struct shk_iteration_rule multiplier_rule =
    SHK_TO_ROUND_OFF("no multiplier found that keeps the constraint");
static const struct shk_iteration_rule projection_rule =
    SHK_TO_ROUND_OFF("no consistent point found near: residual %g");

struct shk_status shk_dae_multiplier(struct shk_dae *w, real *lambda, real t, const real *q,
                                     const real *p)
{
  real size;
  shk_fill(lambda, 1, w->m);
  shk_iteration_begin(&w->iteration, &multiplier_rule, 0);
  for (;;) {
    SHK_TRY(condition(w, &size, t, q, p, lambda));
    w->iteration.rounding = REAL_EPSILON * size;
    SHK_TRY(shk_iteration_next(&w->iteration, real_max_norm(w->residual, w->m)));
    if (w->iteration.converged)
      return shk_ok();
    w->evaluator->work.iterations++;
    SHK_TRY(solve(w));
    shk_vector_add(lambda, -1, w->residual, w->m);
  }
}

struct shk_status shk_dae_matrix(struct shk_dae *w, real *N, real t, const real *q, const real *p)
{
  real size;
  SHK_TRY(shk_dae_multiplier(w, w->lambda, t, q, p));
  SHK_TRY(condition(w, &size, t, q, p, w->lambda));
  shk_copy(N, w->N, w->m * w->m);
  return shk_ok();
}

/* Projects along gradients: x (at index 3 only q) onto g = 0, or, with `hidden`, p onto psi = 0. */
static struct shk_status project(struct shk_dae *w, real *q, real *p, real t, bool hidden)
{
  const int n = w->n, m = w->m, stride = hidden ? n : 2 * n;
  const struct {
    const real *gradient; /* m rows; NULL: not moved */
    real *x;
  } parts[] = {{hidden ? NULL : w->g_x, q}, {hidden ? w->rows : w->third ? NULL : w->g_x + n, p}};
  real size;
  shk_fill(w->lambda, 1, m);
  shk_iteration_begin(&w->iteration, &projection_rule, 0);
  for (;;) {
    SHK_TRY(evaluate(w, t, q, p, w->lambda));
    if (hidden)
      hidden_of(w, w->residual, &size);
    else
      SHK_TRY(shk_dae_constraint(w->evaluator, w->residual, t, q, p));
    for (int k = 0; !hidden && k < m; k++) {
      real sum = 0;
      for (int i = 0; i < n; i++)
        sum +=
            real_fabs(w->g_x[k * 2 * n + i] * q[i]) + real_fabs(w->g_x[k * 2 * n + n + i] * p[i]);
      size = real_max(k == 0 ? 1 : size, sum);
    }
    w->iteration.rounding = REAL_EPSILON * size;
    SHK_TRY(shk_iteration_next(&w->iteration, real_max_norm(w->residual, m)));
    if (w->iteration.converged)
      return shk_ok();
    w->evaluator->work.iterations++;
    shk_fill(w->N, 0, m * m);
    for (int part = 0; part < 2; part++)
      for (int k = 0; parts[part].gradient && k < m; k++)
        for (int l = 0; l < m; l++)
          for (int i = 0; i < n; i++)
            w->N[k * m + l] +=
                parts[part].gradient[k * stride + i] * parts[part].gradient[l * stride + i];
    SHK_TRY(solve(w));
    for (int part = 0; part < 2; part++)
      for (int k = 0; parts[part].gradient && k < m; k++)
        for (int i = 0; i < n; i++)
          parts[part].x[i] -= parts[part].gradient[k * stride + i] * w->residual[k];
  }
}

struct shk_status shk_dae_project(struct shk_dae *w, real *q, real *p, real t)
{
  SHK_TRY(project(w, q, p, t, false));
  return w->third ? project(w, q, p, t, true) : shk_ok();
}
