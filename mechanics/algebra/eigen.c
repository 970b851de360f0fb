/*
 * Jacobi's rotations (Golub & Van Loan, Matrix Computations, §8.5): with V a Vᵀ diagonal, rows of V
 * are the eigenvectors. Sixty sweeps are many times what convergence takes.
 */
#include "mechanics/algebra/eigen.h"

#define SWEEPS 60

/* x <- c x - s y, y <- s x + c y over m entries `stride` apart. */
static void rotate(real *x, real *y, int m, int stride, real cosine, real sine)
{
  for (int k = 0; k < m; k++) {
    real *a = x + (long)k * stride, *b = y + (long)k * stride;
    const real old = *a;
    *a = cosine * old - sine * *b;
    *b = sine * old + cosine * *b;
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
        const real zeta = (a[j * m + j] - a[i * m + i]) / (2 * off);
        const real tangent = (zeta < 0 ? -1 : 1) / (real_fabs(zeta) + real_sqrt(1 + zeta * zeta));
        const real cosine = 1 / real_sqrt(1 + tangent * tangent), sine = tangent * cosine;
        rotate(a + i, a + j, m, m, cosine, sine);
        rotate(a + i * m, a + j * m, m, 1, cosine, sine);
        if (vectors)
          rotate(vectors + i * m, vectors + j * m, m, 1, cosine, sine);
      }
    if (!rotated)
      return;
  }
}
