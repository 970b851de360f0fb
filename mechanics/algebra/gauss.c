/*
 * Gauss collocation methods (Butcher 1964; Hairer, Lubich & Wanner, GNI, §II.1.3). The nodes are
 * the zeros x_i of the Legendre polynomial P_s, found by Newton's method. The weights are w_i =
 * 2/((1 - x_i²) P_s'(x_i)²). The Lagrange polynomials are expanded in Legendre polynomials, which
 * are also orthogonal with respect to the quadrature, because it is exact up to degree 2s - 1:
 *
 *     l_j = Σ_{k<s} (2k+1)/2 w_j P_k(x_j) P_k,      ∫_{-1}^x P_k = (P_{k+1}(x) - P_{k-1}(x))/(2k+1)
 *
 * No linear system needs to be solved, and there is no cancellation.
 */
#include "mechanics/algebra/gauss.h"

/* P[0 … degree] <- P_0(x) … P_degree(x). */
static void legendre_values(real *P, real x, int degree)
{
  P[0] = 1;
  if (degree > 0)
    P[1] = x;
  for (int k = 1; k < degree; k++)
    P[k + 1] = ((2 * k + 1) * x * P[k] - k * P[k - 1]) / (k + 1);
}

/* Returns P_s'(x), computed from the values P, for |x| < 1. */
static real legendre_slope(const real *P, real x, int s)
{
  return s * (P[s - 1] - x * P[s]) / (1 - x * x);
}

void shk_gauss_tableau(real *c, real *b, real *a, int s)
{
  real x[SHK_GAUSS_LIMIT], w[SHK_GAUSS_LIMIT], P[SHK_GAUSS_LIMIT][SHK_GAUSS_LIMIT + 2];
  for (int i = 0; i < s; i++) {
    if (i > s - 1 - i) { /* the mirror image */
      x[i] = -x[s - 1 - i];
    } else if (i == s - 1 - i) {
      x[i] = 0;
    } else {
      x[i] = -real_cos(REAL_PI * (4 * i + 3) / (4 * s + 2));
      for (int pass = 0; pass < 8; pass++) {
        legendre_values(P[0], x[i], s);
        x[i] -= P[0][s] / legendre_slope(P[0], x[i], s);
      }
    }
  }
  for (int i = 0; i < s; i++) {
    legendre_values(P[i], x[i], s + 1);
    const real derivative = legendre_slope(P[i], x[i], s);
    w[i] = 2 / ((1 - x[i] * x[i]) * derivative * derivative);
    c[i] = (1 + x[i]) / 2;
    b[i] = w[i] / 2;
  }
  for (int i = 0; i < s; i++)
    for (int j = 0; j < s; j++) {
      real sum = x[i] + 1;
      for (int k = 1; k < s; k++)
        sum += P[j][k] * (P[i][k + 1] - P[i][k - 1]);
      a[i * s + j] = w[j] * sum / 4;
    }
}
