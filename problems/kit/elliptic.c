/*
 * Elliptic integrals and functions in every precision.
 *
 * K is computed with the arithmetic-geometric mean, and F and Pi with Carlson's duplication
 * theorems (B. C. Carlson, Numer. Algorithms 10 (1995) 13-26). sn, cn and dn are computed with
 * Bulirsch's form of the descending Landen transformation (R. Bulirsch, Numer. Math. 7 (1965)
 * 78-90, `sncndn`), which recursively computes cn/sn. All terms of each sum in the recursion have
 * the same sign, so there is no cancellation even near k = 1. Complex arguments and k > 1 are not
 * supported.
 */
#include "problems/kit/elliptic.h"

real shk_elliptic_complete(real k1)
{
  real a = 1, b = k1;
  if (b <= 0)
    return REAL_PI / R(0.0);
  /* The mean converges quadratically: once the gap is below the square root of epsilon, one more
   * iteration is exact to round-off. */
  while (a - b > a * real_sqrt(REAL_EPSILON)) {
    const real mean = (a + b) / 2;
    b = real_sqrt(a * b);
    a = mean;
  }
  return REAL_PI / (a + b);
}

real shk_carlson_rf(real x, real y, real z)
{
  const real mean0 = (x + y + z) / 3;
  real spread =
      real_max(real_fabs(mean0 - x), real_max(real_fabs(mean0 - y), real_fabs(mean0 - z)));
  real mean = mean0;
  /* The series below is truncated after degree 7, with a remainder of about spread⁸. */
  const real limit = real_pow(REAL_EPSILON, R(0.125)) / 4;
  real x0 = x, y0 = y;
  real shrink = 1;
  while (spread * shrink > limit * mean) {
    const real rx = real_sqrt(x), ry = real_sqrt(y), rz = real_sqrt(z);
    const real shift = rx * ry + ry * rz + rz * rx;
    x = (x + shift) / 4;
    y = (y + shift) / 4;
    z = (z + shift) / 4;
    mean = (mean + shift) / 4;
    shrink /= 4;
  }
  const real dx = (mean0 - x0) * shrink / mean, dy = (mean0 - y0) * shrink / mean, dz = -dx - dy;
  const real e2 = dx * dy - dz * dz, e3 = dx * dy * dz;
  const real series = 1 - e2 / 10 + e3 / 14 + e2 * e2 / 24 - 3 * e2 * e3 / 44 -
                      5 * e2 * e2 * e2 / 208 + 3 * e3 * e3 / 104 + e2 * e2 * e3 / 16;
  return series / real_sqrt(mean);
}

real shk_carlson_rj(real x, real y, real z, real p)
{
  const real start[4] = {x, y, z, p};
  const real mean0 = (x + y + z + 2 * p) / 5;
  real spread = 0;
  for (int i = 0; i < 4; i++)
    spread = real_max(spread, real_fabs(mean0 - start[i]));
  /* The series below is truncated after degree 5, with a remainder of about spread⁶. */
  const real limit = real_pow(REAL_EPSILON, R(1.0) / 6) / 4;
  real mean = mean0, shrink = 1, sum = 0, delta = (p - x) * (p - y) * (p - z);
  while (spread * shrink > limit * mean) {
    const real rx = real_sqrt(x), ry = real_sqrt(y), rz = real_sqrt(z), rp = real_sqrt(p);
    const real shift = rx * ry + ry * rz + rz * rx;
    const real product = (rp + rx) * (rp + ry) * (rp + rz);
    const real other = 1 + delta / (product * product);
    sum += shrink / product * shk_carlson_rf(1, other, other); /* R_C(1, other) */
    x = (x + shift) / 4;
    y = (y + shift) / 4;
    z = (z + shift) / 4;
    p = (p + shift) / 4;
    mean = (mean + shift) / 4;
    shrink /= 4;
    delta /= 64;
  }
  const real scale = shrink / mean;
  const real dx = (mean0 - start[0]) * scale, dy = (mean0 - start[1]) * scale;
  const real dz = (mean0 - start[2]) * scale, dp = -(dx + dy + dz) / 2;
  const real all = dx * dy * dz;
  const real e2 = dx * dy + dy * dz + dz * dx - 3 * dp * dp,
             e3 = all + 2 * e2 * dp + 4 * dp * dp * dp;
  const real e4 = (2 * all + e2 * dp + 3 * dp * dp * dp) * dp, e5 = all * dp * dp;
  const real series =
      1 - 3 * e2 / 14 + e3 / 6 + 9 * e2 * e2 / 88 - 3 * e4 / 22 - 9 * e2 * e3 / 52 + 3 * e5 / 26;
  return shrink * series / (mean * real_sqrt(mean)) + 6 * sum;
}

real shk_elliptic_incomplete(real sine, real cosine, real delta2, real k1)
{
  const real f = sine * shk_carlson_rf(cosine * cosine, delta2, 1);
  if (cosine >= 0)
    return f;
  /* F(pi - phi) = 2K - F(phi), and F is odd. */
  const real twice = 2 * shk_elliptic_complete(k1);
  return sine >= 0 ? twice - f : -twice - f;
}

/* Returns tanh u, given e = exp(-|u|). Uses Lambert's continued fraction where the closed form
 * cancels. */
static real hyperbolic_tangent(real u, real e)
{
  if (real_fabs(u) >= 1)
    return u < 0 ? (e * e - 1) / (1 + e * e) : (1 - e * e) / (1 + e * e);
  real tail = 0;
  for (int i = 41; i >= 1; i -= 2) /* the first omitted term is below 1e-40 */
    tail = u * u / (i + tail);
  return tail / u;
}

void shk_jacobi(real *sn, real *cn, real *dn, real u, real k1)
{
  if (real_fabs(u) < REAL_EPSILON) { /* this also prevents cn/sn from overflowing below */
    *sn = u;
    *cn = 1;
    *dn = 1;
    return;
  }
  if (k1 <= 0) {
    const real e = real_exp(-real_fabs(u));
    const real sech = 2 * e / (1 + e * e);
    *sn = hyperbolic_tangent(u, e);
    *cn = sech;
    *dn = sech;
    return;
  }
  /* 12 iterations suffice even for the mean of 1 and the smallest positive number */
  enum { LIMIT = 32 };
  real high[LIMIT], low[LIMIT];
  real a = 1, b = k1, mean = 1;
  int depth = 0;
  for (;;) {
    high[depth] = a;
    low[depth] = b;
    mean = (a + b) / 2;
    depth++;
    if (real_fabs(a - b) <= real_sqrt(REAL_EPSILON) * a || depth == LIMIT)
      break;
    b = real_sqrt(a * b);
    a = mean;
  }
  const real sine = real_sin(mean * u), cosine = real_cos(mean * u);
  real ratio = cosine / sine, c = mean * ratio, d = 1;
  for (int i = depth - 1; i >= 0; i--) {
    ratio *= c;
    c *= d;
    d = (low[i] + ratio) / (high[i] + ratio);
    ratio = c / high[i];
  }
  const real size = 1 / real_sqrt(c * c + 1);
  *sn = sine < 0 ? -size : size;
  *cn = c * *sn;
  *dn = d;
}

real shk_elliptic_third(real u, real nu, real k1)
{
  /* the complete integral, taken over half the period 2K of sn² */
  real turns = 0, rest = u, complete = 0;
  if (k1 > 0) {
    const real quarter = shk_elliptic_complete(k1);
    turns = real_floor(u / (2 * quarter) + R(0.5));
    rest = u - 2 * quarter * turns;
    complete = quarter - nu / 3 * shk_carlson_rj(0, k1 * k1, 1, 1 + nu);
  }
  real sn, cn, dn;
  shk_jacobi(&sn, &cn, &dn, rest, k1);
  const real part = sn * sn * sn * shk_carlson_rj(cn * cn, dn * dn, 1, 1 + nu * sn * sn);
  return 2 * turns * complete + (rest - nu / 3 * part);
}
