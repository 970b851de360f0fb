/*
 * Singular values by one-sided Jacobi rotations of rows (Hestenes 1958; Golub & Van Loan, §8.6.3):
 * accurate for small ones too, and the same code in every precision.
 */
#include "mechanics/rank.h"

#include <stdlib.h>

#define SWEEPS 60

static real dot(const real *a, const real *b, int n)
{
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

/* One sweep over all pairs of rows; whether any was rotated. */
static bool sweep(real *rows, int m, int n)
{
  bool rotated = false;
  for (int i = 0; i < m; i++)
    for (int j = i + 1; j < m; j++) {
      real *a = rows + (size_t)i * n, *b = rows + (size_t)j * n;
      const real aa = dot(a, a, n), bb = dot(b, b, n), ab = dot(a, b, n);
      if (real_fabs(ab) <= REAL_EPSILON * real_sqrt(aa * bb))
        continue;
      rotated = true;
      const real zeta = (bb - aa) / (2 * ab);
      const real tangent = (zeta < 0 ? -1 : 1) / (real_fabs(zeta) + real_sqrt(1 + zeta * zeta));
      const real cosine = 1 / real_sqrt(1 + tangent * tangent), sine = cosine * tangent;
      for (int k = 0; k < n; k++) {
        const real x = a[k];
        a[k] = cosine * x - sine * b[k];
        b[k] = sine * x + cosine * b[k];
      }
    }
  return rotated;
}

struct shk_status shk_singular_values(real *values, struct shk_evaluator *e, real t, const real *q)
{
  const int n = e->system->n, m = e->system->m;
  if (m > SHK_RANK_LIMIT)
    return shk_failure(SHK_BAD_INPUT, "too many constraints for singular values: %g (limit %g)", m,
                       SHK_RANK_LIMIT);
  real *jacobian = malloc(((size_t)e->row_start[m] + 1) * sizeof(real));
  real *rows = calloc((size_t)m * (size_t)n + 1, sizeof(real));
  struct shk_status status =
      jacobian != NULL && rows != NULL
          ? shk_jacobian(e, jacobian, t, q)
          : shk_failure(SHK_NO_MEMORY, "no memory for singular values", 0, 0);
  if (status.code == SHK_OK) {
    const real *mass = e->system->features & SHK_GENERAL_HAMILTONIAN ? NULL : e->system->mass;
    for (int i = 0; i < m; i++) {
      real *row = rows + (size_t)i * n;
      for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++) {
        const int c = e->columns[k];
        row[c] = mass != NULL ? jacobian[k] / real_sqrt(mass[c]) : jacobian[k];
      }
      const real length = real_sqrt(dot(row, row, n));
      for (int k = 0; k < n && length > 0; k++)
        row[k] /= length;
    }
    int count = 0;
    while (count < SWEEPS && sweep(rows, m, n))
      count++;
    if (count == SWEEPS)
      status = shk_failure(SHK_NOT_CONVERGED, "Jacobi's sweeps did not converge", 0, 0);
    for (int i = 0; i < m; i++) {
      const real *row = rows + (size_t)i * n;
      const real value = real_sqrt(dot(row, row, n));
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
