/*
 * The equations of motion of published test problems as they are printed, with their velocity
 * terms: M(q) w + G(q)ᵀ lambda = f(t,q,v), G w + curvature = 0. tests/problems/published.c computes
 * accelerations and multipliers from them, and compares these with those of our Hamiltonians. Names
 * are the sources'.
 *
 * Source: F. Mazzia & C. Magherini, Test Set for Initial Value Problem Solvers, release 2.4, 2008;
 * for `rod_and_damper`, the example idaSlCrank_dns of SUNDIALS.
 */
#ifndef TESTS_KIT_PUBLISHED_EQUATIONS_H
#define TESTS_KIT_PUBLISHED_EQUATIONS_H

#include <shakedown/real.h>

#include <string.h>

enum { PUBLISHED_N = 7, PUBLISHED_M = 6 };

/* n and m are the problem's; further entries are not used. */
struct published {
  real M[PUBLISHED_N][PUBLISHED_N], f[PUBLISHED_N];
  real G[PUBLISHED_M][PUBLISHED_N], curvature[PUBLISHED_M];
};

typedef void published_equations(struct published *w, real t, const real *q, const real *v);

static void mirror(struct published *published)
{
  for (int i = 0; i < PUBLISHED_N; i++)
    for (int j = 0; j < i; j++)
      published->M[i][j] = published->M[j][i];
}

static inline void andrews_equations(struct published *published, real t, const real *q,
                                     const real *v)
{
  const real m1 = R(.04325), m2 = R(.00365), m3 = R(.02373), m4 = R(.00706), m5 = R(.07050),
             m6 = R(.00706), m7 = R(.05498);
  const real i1 = R(2.194e-6), i2 = R(4.410e-7), i3 = R(5.255e-6), i4 = R(5.667e-7),
             i5 = R(1.169e-5), i6 = R(5.667e-7), i7 = R(1.912e-5);
  const real xb = R(-.03635), yb = R(.03273), xc = R(.014), yc = R(.072), c0 = 4530;
  const real d = R(28e-3), da = R(115e-4), e = R(2e-2), ea = R(1421e-5), rr = R(7e-3),
             ra = R(92e-5), l0 = R(7785e-5), ss = R(35e-3), sa = R(1874e-5), sb = R(1043e-5),
             sc = R(18e-3), sd = R(2e-2), ta = R(2308e-5), tb = R(916e-5), u = R(4e-2),
             ua = R(1228e-5), ub = R(449e-5), zf = R(2e-2), zt = R(4e-2), fa = R(1421e-5),
             mom = R(33e-3);
  const real be = q[0], th = q[1], ga = q[2], ph = q[3], de = q[4], om = q[5], ep = q[6];
  const real bep = v[0], thp = v[1], gap = v[2], php = v[3], dep = v[4], omp = v[5], epp = v[6];
  (void)t;
  memset(published, 0, sizeof *published);
  published->M[0][0] =
      m1 * ra * ra + m2 * (rr * rr - 2 * da * rr * real_cos(th) + da * da) + i1 + i2;
  published->M[0][1] = m2 * (da * da - da * rr * real_cos(th)) + i2;
  published->M[1][1] = m2 * da * da + i2;
  published->M[2][2] = m3 * (sa * sa + sb * sb) + i3;
  published->M[3][3] = m4 * (e - ea) * (e - ea) + i4;
  published->M[3][4] = m4 * ((e - ea) * (e - ea) + zt * (e - ea) * real_sin(ph)) + i4;
  published->M[4][4] = m4 * (zt * zt + 2 * zt * (e - ea) * real_sin(ph) + (e - ea) * (e - ea)) +
                       m5 * (ta * ta + tb * tb) + i4 + i5;
  published->M[5][5] = m6 * (zf - fa) * (zf - fa) + i6;
  published->M[5][6] = m6 * ((zf - fa) * (zf - fa) - u * (zf - fa) * real_sin(om)) + i6;
  published->M[6][6] = m6 * ((zf - fa) * (zf - fa) - 2 * u * (zf - fa) * real_sin(om) + u * u) +
                       m7 * (ua * ua + ub * ub) + i6 + i7;
  mirror(published);
  const real xd = sd * real_cos(ga) + sc * real_sin(ga) + xb;
  const real yd = sd * real_sin(ga) - sc * real_cos(ga) + yb;
  const real lang = real_sqrt((xd - xc) * (xd - xc) + (yd - yc) * (yd - yc));
  const real force = -c0 * (lang - l0) / lang;
  const real fx = force * (xd - xc), fy = force * (yd - yc);
  published->f[0] = mom - m2 * da * rr * thp * (thp + 2 * bep) * real_sin(th);
  published->f[1] = m2 * da * rr * bep * bep * real_sin(th);
  published->f[2] =
      fx * (sc * real_cos(ga) - sd * real_sin(ga)) + fy * (sd * real_cos(ga) + sc * real_sin(ga));
  published->f[3] = m4 * zt * (e - ea) * dep * dep * real_cos(ph);
  published->f[4] = -m4 * zt * (e - ea) * php * (php + 2 * dep) * real_cos(ph);
  published->f[5] = -m6 * u * (zf - fa) * epp * epp * real_cos(om);
  published->f[6] = m6 * u * (zf - fa) * omp * (omp + 2 * epp) * real_cos(om);
  for (int k = 0; k < 6; k += 2) {
    const real both = (bep + thp) * (bep + thp);
    published->G[k][0] = -rr * real_sin(be) + d * real_sin(be + th);
    published->G[k][1] = d * real_sin(be + th);
    published->G[k + 1][0] = rr * real_cos(be) - d * real_cos(be + th);
    published->G[k + 1][1] = -d * real_cos(be + th);
    published->curvature[k] = -rr * real_cos(be) * bep * bep + d * real_cos(be + th) * both;
    published->curvature[k + 1] = -rr * real_sin(be) * bep * bep + d * real_sin(be + th) * both;
  }
  published->G[0][2] = -ss * real_cos(ga);
  published->G[1][2] = -ss * real_sin(ga);
  published->G[2][3] = -e * real_cos(ph + de);
  published->G[2][4] = -e * real_cos(ph + de) + zt * real_sin(de);
  published->G[3][3] = -e * real_sin(ph + de);
  published->G[3][4] = -e * real_sin(ph + de) - zt * real_cos(de);
  published->G[4][5] = zf * real_sin(om + ep);
  published->G[4][6] = zf * real_sin(om + ep) - u * real_cos(ep);
  published->G[5][5] = -zf * real_cos(om + ep);
  published->G[5][6] = -zf * real_cos(om + ep) - u * real_sin(ep);
  const real rod = (php + dep) * (php + dep), bar = (omp + epp) * (omp + epp);
  published->curvature[0] += ss * real_sin(ga) * gap * gap;
  published->curvature[1] -= ss * real_cos(ga) * gap * gap;
  published->curvature[2] += e * real_sin(ph + de) * rod + zt * real_cos(de) * dep * dep;
  published->curvature[3] += -e * real_cos(ph + de) * rod + zt * real_sin(de) * dep * dep;
  published->curvature[4] += zf * real_cos(om + ep) * bar + u * real_sin(ep) * epp * epp;
  published->curvature[5] += zf * real_sin(om + ep) * bar - u * real_cos(ep) * epp * epp;
}

/* The source's multipliers are converted to ours: -lambda_1, -2 lambda_2. */
static inline void car_axis_equations(struct published *published, real t, const real *q,
                                      const real *v)
{
  const real L = 1, L0 = R(0.5), r = R(0.1), om = 10, K = 10 * R(0.01) * R(0.01) / 2;
  const real xl = q[0], yl = q[1], xr = q[2], yr = q[3];
  const real yb = r * real_sin(om * t), xb = real_sqrt(L * L - yb * yb);
  const real ybp = r * om * real_cos(om * t), xbp = -yb * ybp / xb;
  const real ybpp = -om * om * yb, xbpp = -(ybp * ybp + yb * ybpp + xbp * xbp) / xb;
  const real Ll = real_sqrt(xl * xl + yl * yl);
  const real Lr = real_sqrt((xr - xb) * (xr - xb) + (yr - yb) * (yr - yb));
  memset(published, 0, sizeof *published);
  for (int i = 0; i < 4; i++)
    published->M[i][i] = K;
  published->f[0] = (L0 - Ll) * xl / Ll;
  published->f[1] = (L0 - Ll) * yl / Ll - K;
  published->f[2] = (L0 - Lr) * (xr - xb) / Lr;
  published->f[3] = (L0 - Lr) * (yr - yb) / Lr - K;
  published->G[0][0] = xb;
  published->G[0][1] = yb;
  published->G[1][0] = xl - xr;
  published->G[1][1] = yl - yr;
  published->G[1][2] = xr - xl;
  published->G[1][3] = yr - yl;
  published->curvature[0] = 2 * (v[0] * xbp + v[1] * ybp) + xl * xbpp + yl * ybpp;
  published->curvature[1] = (v[0] - v[2]) * (v[0] - v[2]) + (v[1] - v[3]) * (v[1] - v[3]);
}

/* `nonlinear` and `damped` are options of the published program. */
static inline void crank_equations_with(struct published *published, bool nonlinear, bool damped,
                                        const real *q, const real *v)
{
  const real m2 = R(0.151104), m3 = R(0.075552), l1 = R(0.15), l2 = R(0.30), j1 = R(0.002727),
             j2 = R(0.0045339259), ee = R(0.20e12), bb = R(0.0080), hh = R(0.0080), rho = 7870;
  const real pi = R(3.1415927), pi3 = pi * pi * pi;
  const real facm = rho * bb * hh * l2, fack = ee * bb * hh / l2, facb = bb * hh * l2;
  const real slim = pi3 * pi * (hh / l2) * (hh / l2), mix = 8 / pi3 - 1 / pi;
  const real mq[4][4] = {{facm / 2}, {0, facm / 2}, {0, 0, 8 * facm, facm}, {0, 0, facm, 2 * facm}};
  const real kq[4][4] = {{fack * slim / 24},
                         {0, fack * slim * 2 / 3},
                         {0, 0, fack * 16 / 3, -fack * 8 / 3},
                         {0, 0, -fack * 8 / 3, fack * 7 / 3}};
  const real bq[4][4] = {{0, 0, -facb * 16 / pi3, facb * mix},
                         {0, 0, 0, facb / (2 * pi)},
                         {facb * 16 / pi3},
                         {-facb * mix, -facb / (2 * pi)}};
  const real dq[4][4] = {{5},
                         {0, 25},
                         {0, 0, R(115.41877276323955), R(-131.3442439960263)},
                         {0, 0, R(-131.3442439960263), R(210.8710918578409)}};
  const real c1[4] = {0, 0, facb * 2 / 3, facb / 6}, c2[4] = {facb * 2 / pi};
  const real c12[4] = {0, 0, l2 * facb / 3, l2 * facb / 6};
  const real c21[4] = {l2 * facb / pi, -l2 * facb / (2 * pi)};
  const real c = real_cos(q[0] - q[1]), s = real_sin(q[0] - q[1]);
  const real *e = q + 3, *ep = v + 3;
  real c1e = 0, c1p = 0, c2e = 0, c2p = 0, c12e = 0, c12p = 0, eme = 0, pme = 0, pbp = 0;
  real me[4] = {0}, ke[4] = {0}, dp[4] = {0}, eb[4] = {0}, bp[4] = {0};
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) {
      me[i] += mq[i][j] * e[j];
      ke[i] += kq[i][j] * e[j];
      dp[i] += dq[i][j] * ep[j];
      eb[i] += e[j] * bq[j][i];
      bp[i] += bq[i][j] * ep[j];
    }
    c1e += c1[i] * e[i];
    c1p += c1[i] * ep[i];
    c2e += c2[i] * e[i];
    c2p += c2[i] * ep[i];
    c12e += c12[i] * e[i];
    c12p += c12[i] * ep[i];
    eme += e[i] * me[i];
    pme += ep[i] * me[i];
    pbp += ep[i] * bp[i];
  }
  memset(published, 0, sizeof *published);
  published->M[0][0] = j1 + m2 * l1 * l1;
  published->M[0][1] = l1 * l2 * m2 * c / 2 + rho * l1 * (s * c2e + c * c1e);
  published->M[1][1] = j2 + eme + 2 * rho * c12e;
  published->M[2][2] = m3;
  for (int i = 0; i < 4; i++) {
    published->M[0][3 + i] = rho * l1 * (-s * c1[i] + c * c2[i]);
    published->M[1][3 + i] = rho * c21[i] + rho * eb[i];
    for (int j = i; j < 4; j++)
      published->M[3 + i][3 + j] = mq[i][j];
  }
  mirror(published);
  published->f[0] = -l1 * l2 * m2 * v[1] * v[1] * s / 2 +
                    rho * l1 * v[1] * v[1] * (-s * c1e + c * c2e) -
                    2 * rho * l1 * v[1] * (c * c1p + s * c2p);
  published->f[1] = l1 * l2 * m2 * v[0] * v[0] * s / 2 +
                    rho * l1 * v[0] * v[0] * (s * c1e - c * c2e) - 2 * rho * v[1] * c12p -
                    2 * v[1] * pme - rho * pbp;
  for (int i = 0; i < 4; i++)
    published->f[3 + i] = v[1] * v[1] * me[i] +
                          rho * (v[1] * v[1] * c12[i] + l1 * v[0] * v[0] * (c * c1[i] + s * c2[i]) +
                                 2 * v[1] * bp[i]) -
                          ke[i] - (damped ? dp[i] : 0);
  if (nonlinear) {
    const real k = ee * bb * hh / (l2 * l2) * pi * pi / 2, b = 80 / (pi * pi * 9);
    const real more[4] = {e[0] * e[3] - b * e[1] * (-4 * e[2] + 2 * e[3]),
                          4 * e[1] * e[3] - b * e[0] * (-4 * e[2] + 2 * e[3]), 4 * b * e[0] * e[1],
                          e[0] * e[0] / 2 + 2 * e[1] * e[1] - 2 * b * e[0] * e[1]};
    for (int i = 0; i < 4; i++)
      published->f[3 + i] -= k * more[i];
  }
  const real rod = l2 + e[3], s1 = real_sin(q[0]), k1 = real_cos(q[0]);
  const real s2 = real_sin(q[1]), k2 = real_cos(q[1]);
  published->G[0][0] = l1 * k1;
  published->G[0][1] = rod * k2;
  published->G[0][6] = s2;
  published->G[1][0] = l1 * s1;
  published->G[1][1] = rod * s2;
  published->G[1][2] = 1;
  published->G[1][6] = -k2;
  published->G[2][0] = 1;
  published->curvature[0] = -l1 * s1 * v[0] * v[0] - rod * s2 * v[1] * v[1] + 2 * v[1] * k2 * ep[3];
  published->curvature[1] = l1 * k1 * v[0] * v[0] + rod * k2 * v[1] * v[1] + 2 * v[1] * s2 * ep[3];
}

static inline void crank_equations(struct published *published, real t, const real *q,
                                   const real *v)
{
  (void)t;
  crank_equations_with(published, false, false, q, v);
}

static inline void crank_equations_in_full(struct published *published, real t, const real *q,
                                           const real *v)
{
  (void)t;
  crank_equations_with(published, true, true, q, v);
}

static inline void rod_and_damper(struct published *published, real t, const real *q, const real *v)
{
  const real a = R(0.5), k = 1, c = 1, l0 = 1, F = 1, x = q[1];
  const real s1 = real_sin(q[0]), c1 = real_cos(q[0]), s2 = real_sin(q[2]), c2 = real_cos(q[2]);
  const real s21 = s2 * c1 - c2 * s1, c21 = c2 * c1 + s2 * s1;
  const real l = real_sqrt(x * x - x * (c2 + a * c1) + (1 + a * a) / 4 + a * c21 / 2);
  const real ld = (2 * x * v[1] - v[1] * (c2 + a * c1) + x * (s2 * v[2] + a * s1 * v[0]) -
                   a * s21 * (v[2] - v[0]) / 2) /
                  (2 * l);
  const real fl = (k * (l - l0) + c * ld) / l;
  (void)t;
  memset(published, 0, sizeof *published);
  published->M[0][0] = published->M[1][1] = 1;
  published->M[2][2] = 2;
  published->f[0] = -fl * a * (s21 / 2 + x * s1) / 2;
  published->f[1] = fl * (c2 / 2 - x + a * c1 / 2) + F;
  published->f[2] = -fl * (x * s2 - a * s21 / 2) / 2 - F * s2;
  published->G[0][0] = a * s1;
  published->G[0][1] = 1;
  published->G[0][2] = s2;
  published->G[1][0] = -a * c1;
  published->G[1][2] = -c2;
  published->curvature[0] = a * c1 * v[0] * v[0] + c2 * v[2] * v[2];
  published->curvature[1] = a * s1 * v[0] * v[0] + s2 * v[2] * v[2];
}

#endif
