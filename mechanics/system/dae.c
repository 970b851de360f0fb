/* Computes residuals, multipliers and projections for general differential-algebraic equations. See
 * dae.h. */
#include "mechanics/system/dae.h"

#include "mechanics/algebra/iteration.h"
#include "mechanics/system/evaluate.h"

#include <shakedown/solve.h>

/* Maximum number of Newton iterations. */
#define LIMIT 60

struct shk_dae {
  struct shk_evaluator *evaluator;
  int n, m;
  bool third;           /* whether the index is 3 rather than 2 */
  real *f_x, *f_lambda; /* sizes: 2n x 2n, and 2n x m */
  real *g_x;            /* m x 2n */
  real *slope;          /* 2n: q', p' */
  real *rows;           /* m x n: g_q q'_p */
  real *N, *residual;   /* sizes: m x m, and m */
  real *lambda;         /* m */
  int *pivots;
  struct shk_iteration iteration;
};

static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAY(shk_dae, f_x, .nn = 4), SHK_ARRAYS(shk_dae, (.nm = 2), f_lambda, g_x),
             SHK_ARRAY(shk_dae, slope, .n = 2), SHK_ARRAY(shk_dae, rows, .nm = 1),
             SHK_ARRAY(shk_dae, N, .mm = 1), SHK_ARRAYS(shk_dae, (.m = 1), residual, lambda),
             SHK_INTEGERS(shk_dae, pivots, .m = 1));

struct shk_status shk_dae_create(struct shk_dae **created, struct shk_workspace *workspace,
                                 struct shk_evaluator *evaluator)
{
  const struct shk_system *s = evaluator->system;
  if (s->dae_index != 2 && s->dae_index != 3)
    return shk_failure(SHK_BAD_INPUT, "found dae_index = %g for a general system, expected 2 or 3",
                       s->dae_index, 0);
  if (!s->dae_slope || !s->dae_constraint || !s->dae_derivatives ||
      (s->dae_index == 3 && !s->curvature))
    return shk_failure(SHK_BAD_INPUT,
                       "a general differential-algebraic equation needs dae_slope, "
                       "dae_constraint, dae_derivatives and, of index 3, curvature",
                       0, 0);
  struct shk_dae *dae = *created = shk_part(workspace, sizeof *dae, arrays, evaluator);
  SHK_TRY(shk_allocated(dae));
  dae->evaluator = evaluator;
  dae->n = s->n;
  dae->m = s->m;
  dae->third = s->dae_index == 3;
  dae->iteration.limit = LIMIT;
  return shk_ok();
}

/* Evaluates the slope and its derivatives at lambda and, at index 3, also g_q q'_p. */
static struct shk_status evaluate(struct shk_dae *dae, real t, const real *q, const real *p,
                                  const real *lambda)
{
  const int n = dae->n, m = dae->m, x = 2 * n;
  SHK_TRY(shk_dae_slope(dae->evaluator, dae->slope, dae->slope + n, t, q, p, lambda));
  SHK_TRY(shk_dae_derivatives(dae->evaluator, dae->f_x, dae->f_lambda, dae->g_x, t, q, p, lambda));
  for (int k = 0; dae->third && k < m; k++)
    for (int j = 0; j < n; j++)
      dae->rows[k * n + j] = shk_dot_strided(dae->g_x + k * x, dae->f_x + n + j, x, n);
  return shk_ok();
}

/* Computes psi (m). Call `evaluate` first. Sets *size to the largest sum of the absolute values of
 * its terms. */
static void hidden_of(const struct shk_dae *dae, real *psi, real *size)
{
  *size = REAL_SMALLEST;
  for (int k = 0; k < dae->m; k++) {
    real sum = 0, magnitude = 0;
    for (int i = 0; i < dae->n; i++) {
      const real term = dae->g_x[k * 2 * dae->n + i] * dae->slope[i];
      sum += term;
      magnitude += real_fabs(term);
    }
    psi[k] = sum;
    *size = real_max(*size, magnitude);
  }
}

struct shk_status shk_dae_residuals(struct shk_dae *dae, real *g, real *hidden, real t,
                                    const real *q, const real *p)
{
  real size;
  SHK_TRY(shk_dae_constraint(dae->evaluator, g, t, q, p));
  shk_fill(hidden, 0, dae->m);
  if (!dae->third)
    return shk_ok();
  shk_fill(dae->lambda, 1, dae->m); /* psi does not depend on lambda */
  SHK_TRY(evaluate(dae, t, q, p, dae->lambda));
  hidden_of(dae, hidden, &size);
  return shk_ok();
}

/* Evaluates the condition that determines lambda, and its derivative N. Sets *size to the largest
 * sum of the absolute values of the condition's terms. */
static struct shk_status condition_on_lambda(struct shk_dae *dae, real *size, real t, const real *q,
                                             const real *p, const real *lambda)
{
  const int n = dae->n, m = dae->m, x = 2 * n, width = dae->third ? n : x;
  /* N is the product of `left` and p'_lambda or f_lambda */
  const real *left = dae->third ? dae->rows : dae->g_x;
  const real *right = dae->f_lambda + (dae->third ? n * m : 0);
  SHK_TRY(evaluate(dae, t, q, p, lambda));
  shk_fill(dae->residual, 0, m);
  if (dae->third)
    SHK_TRY(shk_curvature(dae->evaluator, dae->residual, t, q, dae->slope));
  *size = REAL_SMALLEST;
  for (int k = 0; k < m; k++) {
    real sum = dae->residual[k], magnitude = real_fabs(sum);
    for (int i = 0; i < width; i++) {
      const real g_i = dae->g_x[k * x + i];
      if (!dae->third) {
        sum += g_i * dae->slope[i];
        magnitude += real_fabs(g_i * dae->slope[i]);
        continue;
      }
      for (int j = 0; j < x; j++) {
        const real term = g_i * dae->f_x[i * x + j] * dae->slope[j];
        sum += term;
        magnitude += real_fabs(term);
      }
    }
    dae->residual[k] = sum;
    *size = real_max(*size, magnitude);
    for (int l = 0; l < m; l++)
      dae->N[k * m + l] = shk_dot_strided(left + k * width, right + l, m, width);
  }
  return shk_ok();
}

/* residual <- N⁻¹ residual */
static struct shk_status solve_dae(struct shk_dae *dae)
{
  dae->evaluator->counters.factorizations++;
  if (!shk_lu_factor(dae->N, dae->pivots, dae->m))
    return shk_failure(SHK_SINGULAR, "the multiplier is not determined: its matrix is singular", 0,
                       0);
  shk_lu_solve(dae->residual, dae->N, dae->pivots, dae->m);
  return shk_ok();
}

static const struct shk_iteration_rule multiplier_rule =
    SHK_TO_ROUND_OFF("found no multiplier that preserves the constraint");
static const struct shk_iteration_rule projection_rule =
    SHK_TO_ROUND_OFF("found no consistent point nearby: residual %g");

struct shk_status shk_dae_multiplier(struct shk_dae *dae, real *lambda, real t, const real *q,
                                     const real *p)
{
  real size;
  shk_fill(lambda, 1, dae->m);
  shk_iteration_begin(&dae->iteration, &multiplier_rule, 0);
  for (;;) {
    SHK_TRY(condition_on_lambda(dae, &size, t, q, p, lambda));
    dae->iteration.rounding = REAL_EPSILON * size;
    SHK_TRY(shk_iteration_next(&dae->iteration, real_max_norm(dae->residual, dae->m)));
    if (dae->iteration.converged)
      return shk_ok();
    dae->evaluator->counters.iterations++;
    SHK_TRY(solve_dae(dae));
    shk_vector_add(lambda, -1, dae->residual, dae->m);
  }
}

struct shk_status shk_dae_matrix(struct shk_dae *dae, real *N, real t, const real *q, const real *p)
{
  real size;
  SHK_TRY(shk_dae_multiplier(dae, dae->lambda, t, q, p));
  SHK_TRY(condition_on_lambda(dae, &size, t, q, p, dae->lambda));
  shk_copy(N, dae->N, dae->m * dae->m);
  return shk_ok();
}

/* Projects x onto g = 0 along the gradients; at index 3, only q is projected. If `hidden` is true,
 * projects p onto psi = 0 instead. */
static struct shk_status project_dae(struct shk_dae *dae, real *q, real *p, real t, bool hidden)
{
  const int n = dae->n, m = dae->m, stride = hidden ? n : 2 * n;
  const struct {
    const real *gradient; /* m rows; NULL if this part of x stays fixed */
    real *x;
  } parts[] = {{hidden ? NULL : dae->g_x, q},
               {hidden       ? dae->rows
                : dae->third ? NULL
                             : dae->g_x + n,
                p}};
  real size;
  shk_fill(dae->lambda, 1, m);
  shk_iteration_begin(&dae->iteration, &projection_rule, 0);
  for (;;) {
    SHK_TRY(evaluate(dae, t, q, p, dae->lambda));
    if (hidden)
      hidden_of(dae, dae->residual, &size);
    else
      SHK_TRY(shk_dae_constraint(dae->evaluator, dae->residual, t, q, p));
    for (int k = 0; !hidden && k < m; k++) {
      real sum = 0;
      for (int i = 0; i < n; i++)
        sum += real_fabs(dae->g_x[k * 2 * n + i] * q[i]) +
               real_fabs(dae->g_x[k * 2 * n + n + i] * p[i]);
      size = real_max(k == 0 ? 1 : size, sum);
    }
    dae->iteration.rounding = REAL_EPSILON * size;
    SHK_TRY(shk_iteration_next(&dae->iteration, real_max_norm(dae->residual, m)));
    if (dae->iteration.converged)
      return shk_ok();
    dae->evaluator->counters.iterations++;
    shk_fill(dae->N, 0, m * m);
    for (int part = 0; part < 2; part++)
      for (int k = 0; parts[part].gradient && k < m; k++)
        for (int l = 0; l < m; l++)
          for (int i = 0; i < n; i++)
            dae->N[k * m + l] +=
                parts[part].gradient[k * stride + i] * parts[part].gradient[l * stride + i];
    SHK_TRY(solve_dae(dae));
    for (int part = 0; part < 2; part++)
      for (int k = 0; parts[part].gradient && k < m; k++)
        for (int i = 0; i < n; i++)
          parts[part].x[i] -= parts[part].gradient[k * stride + i] * dae->residual[k];
  }
}

struct shk_status shk_dae_project(struct shk_dae *dae, real *q, real *p, real t)
{
  SHK_TRY(project_dae(dae, q, p, t, false));
  return dae->third ? project_dae(dae, q, p, t, true) : shk_ok();
}
