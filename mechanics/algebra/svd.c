/*
 * One-sided Jacobi rotations of rows (Hestenes, J. SIAM 6 (1958) 51; Golub & Van Loan, Matrix
 * Computations, §8.6.3): accurate for small singular values too, and the same code in every
 * precision.
 */
#include "mechanics/algebra/svd.h"

#define SWEEPS 60

static void rotate(real *a, real *b, int n, real cosine, real sine)
{
  for (int k = 0; k < n; k++) {
    const real x = a[k];
    a[k] = cosine * x - sine * b[k];
    b[k] = sine * x + cosine * b[k];
  }
}

/* One sweep over all pairs of rows; whether any was rotated. */
static bool sweep(real *rows, real *left, int m, int n, real floor)
{
  const real orthogonal = REAL_EPSILON * real_sqrt((real)n); /* round-off of a product of rows */
  bool rotated = false;
  for (int i = 0; i < m; i++) {
    real *a = rows + (size_t)i * n, aa = real_dot(a, a, n);
    for (int j = i + 1; j < m; j++) {
      real *b = rows + (size_t)j * n;
      const real bb = real_dot(b, b, n), ab = real_dot(a, b, n);
      if (real_fabs(ab) <= orthogonal * real_sqrt(aa * bb) || real_min(aa, bb) < floor * floor)
        continue;
      rotated = true;
      const real zeta = (bb - aa) / (2 * ab);
      const real tangent = (zeta < 0 ? -1 : 1) / (real_fabs(zeta) + real_sqrt(1 + zeta * zeta));
      const real cosine = 1 / real_sqrt(1 + tangent * tangent), sine = cosine * tangent;
      rotate(a, b, n, cosine, sine);
      if (left)
        rotate(left + (size_t)i * m, left + (size_t)j * m, m, cosine, sine);
      aa = real_dot(a, a, n);
    }
  }
  return rotated;
}

bool shk_jacobi_svd(real *B, real *L, int m, int n)
{
  return shk_jacobi_svd_above(B, L, m, n, 0);
}

bool shk_jacobi_svd_above(real *B, real *L, int m, int n, real floor)
{
  for (int i = 0; L && i < m * m; i++)
    L[i] = i % (m + 1) == 0;
  real largest = 0;
  for (int i = 0; i < m; i++)
    largest = real_max(largest, real_dot(B + (size_t)i * n, B + (size_t)i * n, n));
  /* The rest of a row in the span of others is round-off of round-off, and may lie in their span
   * again: it would be rotated until its square underflows, and then for ever. */
  floor = real_max(floor, REAL_EPSILON * REAL_EPSILON * real_sqrt(largest));
  for (int count = 0; count < SWEEPS; count++)
    if (!sweep(B, L, m, n, floor))
      return true;
  return false;
}
