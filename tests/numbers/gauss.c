/* Gauss tableaux against their order conditions. */
#include "mechanics/algebra/gauss.h"
#include "tests/kit/tap.h"

static real power(real x, int k)
{
  real product = 1;
  while (k-- > 0)
    product *= x;
  return product;
}

/* B(2s): Σ b c^(k-1) = 1/k; C(s): Σ a_ij c_j^(k-1) = c_i^k/k; symmetry; b_i a_ij + b_j a_ji = b_i
 * b_j. Together they give order 2s (Butcher 1964) and symplecticity. */
static void check_tableau(int s)
{
  real c[SHK_GAUSS_LIMIT], b[SHK_GAUSS_LIMIT], a[SHK_GAUSS_LIMIT * SHK_GAUSS_LIMIT];
  real quadrature = 0, stages = 0, symplectic = 0, beyond = 0;
  shk_gauss_tableau(c, b, a, s);
  for (int k = 1; k <= 2 * s + 1; k++) {
    real sum = 0;
    for (int i = 0; i < s; i++)
      sum += b[i] * power(c[i], k - 1);
    const real defect = real_fabs(sum - (real)1 / k);
    if (k <= 2 * s)
      quadrature = real_max(quadrature, defect);
    else
      beyond = defect;
  }
  bool ascending = true;
  for (int i = 0; i < s; i++) {
    ascending = ascending && c[i] > (i > 0 ? c[i - 1] : 0) && c[i] < 1;
    for (int k = 1; k <= s; k++) {
      real sum = 0;
      for (int j = 0; j < s; j++)
        sum += a[i * s + j] * power(c[j], k - 1);
      stages = real_max(stages, real_fabs(sum - power(c[i], k) / k));
    }
    for (int j = 0; j < s; j++)
      symplectic =
          real_max(symplectic, real_fabs(b[i] * a[i * s + j] + b[j] * a[j * s + i] - b[i] * b[j]));
  }
  const double limit = 8;
  tap_is_near((double)(quadrature / REAL_EPSILON), 0, limit, "gauss, %d stages: B(%d), in eps", s,
              2 * s);
  tap_ok(beyond > 1000 * REAL_EPSILON || s > 8, "gauss, %d stages: no more than that", s);
  tap_is_near((double)(stages / REAL_EPSILON), 0, limit, "gauss, %d stages: C(%d), in eps", s, s);
  tap_is_near((double)(symplectic / REAL_EPSILON), 0, limit, "gauss, %d stages: symplectic, in eps",
              s);
  tap_ok(ascending, "gauss, %d stages: nodes ascend within (0,1)", s);
}

int main(void)
{
  for (int s = 1; s <= 4; s++)
    check_tableau(s);
  check_tableau(12);
  return tap_done();
}
