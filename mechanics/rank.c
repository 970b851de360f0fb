/*
 * Singular values of the constraint Jacobian, by Jacobi rotations: the small ones, which tell how
 * near it is to losing rank, come out as accurately as the large ones.
 */
#include "mechanics/rank.h"

#include "mechanics/svd.h"

#include <stdlib.h>

static real dot(const real *a, const real *b, int n)
{
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

/* Rows of G M^(-1/2), m x n; of constraints g(q,p), of (g_q g_p), m x 2n. */
static struct shk_status fill_rows(real *rows, real *jacobian, struct shk_evaluator *e, real t,
                                   const real *q, const real *p)
{
  const int n = e->system->n, m = e->system->m;
  if (e->system->features & SHK_MOMENTUM_CONSTRAINT) {
    real *g_p = jacobian + (size_t)m * (size_t)n;
    SHK_TRY(shk_constraint_gradients(e, jacobian, g_p, t, q, p));
    for (int i = 0; i < m; i++)
      for (int k = 0; k < n; k++) {
        rows[(size_t)i * 2 * n + k] = jacobian[(size_t)i * n + k];
        rows[(size_t)i * 2 * n + n + k] = g_p[(size_t)i * n + k];
      }
    return shk_ok();
  }
  const real *mass = e->system->features & SHK_GENERAL_HAMILTONIAN ? NULL : e->system->mass;
  SHK_TRY(shk_jacobian(e, jacobian, t, q));
  for (int i = 0; i < m; i++)
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++) {
      const int c = e->columns[k];
      rows[(size_t)i * n + c] = mass != NULL ? jacobian[k] / real_sqrt(mass[c]) : jacobian[k];
    }
  return shk_ok();
}

struct shk_status shk_singular_values(real *values, struct shk_evaluator *e, real t, const real *q,
                                      const real *p)
{
  const bool momentum = (e->system->features & SHK_MOMENTUM_CONSTRAINT) != 0;
  const int width = momentum ? 2 * e->system->n : e->system->n, m = e->system->m;
  if (m > SHK_RANK_LIMIT)
    return shk_failure(SHK_BAD_INPUT, "too many constraints for singular values: %g (limit %g)", m,
                       SHK_RANK_LIMIT);
  const size_t entries = momentum ? (size_t)m * (size_t)width : (size_t)e->row_start[m];
  real *jacobian = malloc((entries + 1) * sizeof(real));
  real *rows = calloc((size_t)m * (size_t)width + 1, sizeof(real));
  struct shk_status status =
      jacobian != NULL && rows != NULL
          ? fill_rows(rows, jacobian, e, t, q, p)
          : shk_failure(SHK_NO_MEMORY, "no memory for singular values", 0, 0);
  if (status.code == SHK_OK) {
    for (int i = 0; i < m; i++) {
      real *row = rows + (size_t)i * width;
      const real length = real_sqrt(dot(row, row, width));
      for (int k = 0; k < width && length > 0; k++)
        row[k] /= length;
    }
    if (!shk_jacobi_svd(rows, NULL, m, width))
      status = shk_failure(SHK_NOT_CONVERGED, "Jacobi's sweeps did not converge", 0, 0);
    for (int i = 0; i < m; i++) {
      const real *row = rows + (size_t)i * width;
      const real value = real_sqrt(dot(row, row, width));
      int at = i;
      for (; at > 0 && values[at - 1] < value; at--)
        values[at] = values[at - 1];
      values[at] = value;
    }
  }
  free(jacobian);
  free(rows);
  return status;
}
