/*
 * Small dense kernels in `real` for row-major matrices: LU factorization with partial pivoting, and
 * Cholesky factorization (Golub & Van Loan, Matrix Computations, alg. 3.4.1 and 4.2.1). Shakedown
 * contains its own because no library provides them in quad precision.
 */
#include "mechanics/algebra/pivots.h"
#include <shakedown/solve.h>

static bool is_pivot(real x)
{
  return x != 0 && real_isfinite(x);
}

bool shk_lu_factor(real *a, int *pivots, int n)
{
  for (int k = 0; k < n - 1; k++) {
    real *const top = a + (size_t)k * n;
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (real_fabs(a[(size_t)i * n + k]) > real_fabs(a[(size_t)best * n + k]))
        best = i;
    pivots[k] = best;
    const real pivot = a[(size_t)best * n + k];
    if (!is_pivot(pivot))
      return false;
    for (int j = 0; best != k && j < n; j++) {
      const real swap = top[j];
      top[j] = a[(size_t)best * n + j];
      a[(size_t)best * n + j] = swap;
    }
    for (int i = k + 1; i < n; i++) {
      real *const row = a + (size_t)i * n;
      row[k] /= pivot;
      shk_vector_add(row + k + 1, -row[k], top + k + 1, n - k - 1);
    }
  }
  if (n > 0)
    pivots[n - 1] = n - 1;
  return n == 0 || is_pivot(a[(size_t)n * n - 1]);
}

void shk_lu_solve(real *x, const real *a, const int *pivots, int n)
{
  for (int k = 0; k < n - 1; k++) {
    const real swap = x[k];
    x[k] = x[pivots[k]];
    x[pivots[k]] = swap;
  }
  for (int i = 1; i < n; i++)
    for (int j = 0; j < i; j++)
      x[i] -= a[(size_t)i * n + j] * x[j];
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++)
      x[i] -= a[(size_t)i * n + j] * x[j];
    x[i] /= a[(size_t)i * n + i];
  }
}

bool shk_lu_is_regular(const real *lu, const int *pivots, const real *diagonal, int n)
{
  const real limit = SHK_PIVOT_ROUNDING * REAL_EPSILON;
  for (int k = 0; n > 1 && k < n; k++) {
    const real pivot = lu[(size_t)k * n + k];
    /* Undoes the row exchanges k, k - 1, …, 0 to find the original index of the row that is now row
     * k. */
    int row = k;
    for (int i = k; i >= 0; i--)
      if (row == i)
        row = pivots[i];
      else if (row == pivots[i])
        row = i;
    if (pivot * pivot <= limit * limit * real_fabs(diagonal[row] * diagonal[k]))
      return false;
  }
  return true;
}

bool shk_cholesky_factor(real *a, int n)
{
  for (int j = 0; j < n; j++) {
    real diagonal = a[(size_t)j * n + j];
    for (int k = 0; k < j; k++)
      diagonal -= a[(size_t)j * n + k] * a[(size_t)j * n + k];
    if (!(diagonal > 0) || !real_isfinite(diagonal))
      return false;
    const real root = a[(size_t)j * n + j] = real_sqrt(diagonal);
    for (int i = j + 1; i < n; i++) {
      real sum = a[(size_t)i * n + j];
      for (int k = 0; k < j; k++)
        sum -= a[(size_t)i * n + k] * a[(size_t)j * n + k];
      a[(size_t)i * n + j] = sum / root;
    }
  }
  return true;
}

void shk_cholesky_solve(real *x, const real *a, int n)
{
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++)
      x[i] -= a[(size_t)i * n + j] * x[j];
    x[i] /= a[(size_t)i * n + i];
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++)
      x[i] -= a[(size_t)j * n + i] * x[j];
    x[i] /= a[(size_t)i * n + i];
  }
}
