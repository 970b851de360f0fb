/*
 * Householder QR with column pivoting (Businger & Golub, Numer. Math. 7 (1965) 269; Golub & Van
 * Loan, Matrix Computations, alg. 5.4.1). The lengths of the remaining columns are recomputed
 * before each pivot rather than updated, which avoids cancellation at the cost of a constant
 * factor.
 */
#include "mechanics/algebra/qr.h"

static void reflect_qr(real *x, const real *u, real tau, int from, int n)
{
  const real part = tau * real_dot(u + from, x + from, n - from);
  for (int i = from; i < n; i++)
    x[i] -= part * u[i];
}

int shk_qr_factor(real *B, real *tau, real *diagonal, int *order, int m, int n, real tolerance)
{
  const int most = m < n ? m : n;
  real first = 0;
  for (int i = 0; i < m; i++)
    order[i] = i;
  for (int k = 0; k < most; k++) {
    int best = k;
    real longest = -1;
    for (int i = k; i < m; i++) {
      const real *const rest = B + (size_t)i * n + k;
      const real length = real_sqrt(real_dot(rest, rest, n - k));
      if (length > longest) {
        longest = length;
        best = i;
      }
    }
    if (k == 0)
      first = longest;
    if (!(longest > tolerance * first))
      return k;
    real *u = B + (size_t)k * n;
    if (best != k) {
      real *other = B + (size_t)best * n;
      for (int i = 0; i < n; i++) {
        const real swap = u[i];
        u[i] = other[i];
        other[i] = swap;
      }
      const int swap = order[k];
      order[k] = order[best];
      order[best] = swap;
    }
    /* The sign of the diagonal entry is opposite to that of u_k, so that no cancellation occurs in
     * their difference. */
    diagonal[k] = u[k] < 0 ? longest : -longest;
    u[k] -= diagonal[k];
    tau[k] = -1 / (diagonal[k] * u[k]);
    for (int i = k + 1; i < m; i++)
      reflect_qr(B + (size_t)i * n, u, tau[k], k, n);
  }
  return most;
}

void shk_qr_reflect(real *x, const real *B, const real *tau, int rank, int n)
{
  for (int k = 0; k < rank; k++)
    reflect_qr(x, B + (size_t)k * n, tau[k], k, n);
}
