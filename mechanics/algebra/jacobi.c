/*
 * Jacobi rotations. The two-sided method rotates a symmetric matrix a until V a Vᵀ is diagonal
 * (Golub & Van Loan, Matrix Computations, §8.5). The one-sided method rotates rows until they are
 * orthogonal (Hestenes, J. SIAM 6 (1958) 51; Golub & Van Loan, §8.6.3), which is accurate for small
 * singular values too. The code is the same in every precision. Far fewer than 60 sweeps are
 * needed.
 */
#include "mechanics/algebra/jacobi.h"

#include "mechanics/algebra/inlined.h"

#define SWEEPS 60

struct rotation {
  real cosine, sine;
};

/* Returns the rotation that annihilates the off-diagonal entry of [first off; off second]. */
static struct rotation annihilating_rotation(real first, real second, real off)
{
  const real zeta = (second - first) / (2 * off);
  const real tangent = (zeta < 0 ? -1 : 1) / (real_fabs(zeta) + real_sqrt(1 + zeta * zeta));
  const real cosine = 1 / real_sqrt(1 + tangent * tangent);
  return (struct rotation){cosine, cosine * tangent};
}

/* x <- c x - s y, y <- s x + c y, where both vectors have m entries that are `stride` apart. */
INLINED void rotate_jacobi(real *x, real *y, int m, int stride, struct rotation r)
{
  for (int k = 0; k < m; k++) {
    real *a = x + (long)k * stride, *b = y + (long)k * stride;
    const real old = *a;
    *a = r.cosine * old - r.sine * *b;
    *b = r.sine * old + r.cosine * *b;
  }
}

void shk_eigen_symmetric(real *a, real *vectors, int m)
{
  for (int i = 0; vectors && i < m * m; i++)
    vectors[i] = i % (m + 1) == 0;
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    bool rotated = false;
    for (int i = 0; i < m; i++)
      for (int j = i + 1; j < m; j++) {
        const real off = a[i * m + j];
        if (real_fabs(off) <=
            REAL_EPSILON / 8 * (real_fabs(a[i * m + i]) + real_fabs(a[j * m + j])))
          continue;
        rotated = true;
        const struct rotation r = annihilating_rotation(a[i * m + i], a[j * m + j], off);
        rotate_jacobi(a + i, a + j, m, m, r);
        rotate_jacobi(a + i * m, a + j * m, m, 1, r);
        if (vectors)
          rotate_jacobi(vectors + i * m, vectors + j * m, m, 1, r);
      }
    if (!rotated)
      return;
  }
}

/* Returns true if |ab| <= level sqrt(aa bb). In quad, comparing squares takes a tenth of the time.
 * The square root is computed only if the two squares are nearly equal or if one of them
 * underflows. */
static bool are_orthogonal(real ab, real aa, real bb, real level)
{
  const real square = ab * ab, bound = level * level * aa * bb;
  if (ab == 0 || (bound > REAL_SMALLEST / REAL_EPSILON && square < bound / 2))
    return true;
  if (bound > REAL_SMALLEST / REAL_EPSILON && square > 2 * bound)
    return false;
  return real_fabs(ab) <= level * real_sqrt(aa * bb);
}

/* Performs one sweep over all pairs of rows and returns true if any pair was rotated. `squares`
 * contains the squared lengths of the rows. */
static bool sweep(real *rows, real *left, real *squares, int m, int n, real floor)
{
  const real orthogonal = REAL_EPSILON * real_sqrt((real)n); /* round-off of a scalar product */
  bool rotated = false;
  for (int i = 0; i < m; i++) {
    real *a = rows + (size_t)i * n;
    for (int j = i + 1; j < m; j++) {
      real *b = rows + (size_t)j * n;
      if (real_min(squares[i], squares[j]) < floor * floor)
        continue;
      const real ab = real_dot(a, b, n);
      if (are_orthogonal(ab, squares[i], squares[j], orthogonal))
        continue;
      rotated = true;
      const struct rotation r = annihilating_rotation(squares[i], squares[j], ab);
      rotate_jacobi(a, b, n, 1, r);
      if (left)
        rotate_jacobi(left + (size_t)i * m, left + (size_t)j * m, m, 1, r);
      squares[i] = real_dot(a, a, n);
      squares[j] = real_dot(b, b, n);
    }
  }
  return rotated;
}

bool shk_jacobi_svd(real *B, real *L, int m, int n, real floor)
{
  real squares[SHK_JACOBI_ROWS], largest = 0;
  if (m > SHK_JACOBI_ROWS)
    return false;
  for (int i = 0; L && i < m * m; i++)
    L[i] = i % (m + 1) == 0;
  for (int i = 0; i < m; i++) {
    squares[i] = real_dot(B + (size_t)i * n, B + (size_t)i * n, n);
    largest = real_max(largest, squares[i]);
  }
  /* A row in the span of other rows is reduced to round-off, which may again lie in their span.
   * Without this floor, the row would be rotated until its square underflowed, after which the
   * rotations would never stop. */
  floor = real_max(floor, REAL_EPSILON * REAL_EPSILON * real_sqrt(largest));
  for (int count = 0; count < SWEEPS; count++)
    if (!sweep(B, L, squares, m, n, floor))
      return true;
  return false;
}
