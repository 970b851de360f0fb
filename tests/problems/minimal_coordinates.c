/*
 * The double pendulum once more, without constraints, in its angles a and b from the downward vertical:
 *
 *     (m1 + m2) l1 a'' + m2 l2 b'' cos(a-b) + m2 l2 b'² sin(a-b) + (m1 + m2) g sin a = 0
 *     l2 b'' + l1 a'' cos(a-b) - l1 a'² sin(a-b) + g sin b = 0
 *
 * by the classical Runge-Kutta method in small steps, here. Of what is compared nothing is shared but the start.
 */
#include "tests/kit/driving.h"

static const real m1 = 1, m2 = 1, l1 = 1, l2 = 1, gravity = 1;

/* (a, b, a', b')'; with `sign` -1 for the second centrifugal term, which is wrong. */
static void slope(real *out, const real *y, real sign)
{
  const real c = real_cos(y[0] - y[1]), s = real_sin(y[0] - y[1]);
  const real A = (m1 + m2) * l1, B = m2 * l2 * c, C = l1 * c, D = l2;
  const real u = -m2 * l2 * y[3] * y[3] * s - (m1 + m2) * gravity * real_sin(y[0]);
  const real v = sign * l1 * y[2] * y[2] * s - gravity * real_sin(y[1]);
  out[0] = y[2];
  out[1] = y[3];
  out[2] = (u * D - B * v) / (A * D - B * C);
  out[3] = (A * v - C * u) / (A * D - B * C);
}

static void integrate(real *y, real time, int steps, real sign)
{
  const real h = time / steps;
  for (int k = 0; k < steps; k++) {
    real k1[4], k2[4], k3[4], k4[4], z[4];
    slope(k1, y, sign);
    for (int i = 0; i < 4; i++)
      z[i] = y[i] + h / 2 * k1[i];
    slope(k2, z, sign);
    for (int i = 0; i < 4; i++)
      z[i] = y[i] + h / 2 * k2[i];
    slope(k3, z, sign);
    for (int i = 0; i < 4; i++)
      z[i] = y[i] + h * k3[i];
    slope(k4, z, sign);
    for (int i = 0; i < 4; i++)
      y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
}

/* The largest difference of positions and momenta. */
static real apart(const struct shk_state *s, const real *y)
{
  const real q[4] = {l1 * real_sin(y[0]), -l1 * real_cos(y[0]),
                     l1 * real_sin(y[0]) + l2 * real_sin(y[1]),
                     -l1 * real_cos(y[0]) - l2 * real_cos(y[1])};
  const real p[4] = {m1 * l1 * y[2] * real_cos(y[0]), m1 * l1 * y[2] * real_sin(y[0]),
                     m2 * (l1 * y[2] * real_cos(y[0]) + l2 * y[3] * real_cos(y[1])),
                     m2 * (l1 * y[2] * real_sin(y[0]) + l2 * y[3] * real_sin(y[1]))};
  real worst = 0;
  for (int i = 0; i < 4; i++)
    worst = real_max(worst, real_max(real_fabs(s->q[i] - q[i]), real_fabs(s->p[i] - p[i])));
  return worst;
}

static void compare(const char *method, const char *step, int steps, real time, real limit)
{
  static const char *const its = "double-pendulum(angle1=0.7,angle2=-0.4,rate1=0.6,rate2=-0.4)";
  const real start[4] = {R(0.7), R(-0.4), R(0.6), R(-0.4)};
  real y[4], wrong[4];
  DRIVE d = {0};
  char reason[256];
  const bool ok = begin_at(&d, reason, its, method, step, NULL, NULL, false) == SHK_OK;
  memcpy(y, start, sizeof y);
  memcpy(wrong, start, sizeof wrong);
  tap_ok(ok && apart(&d.current, y) <= 10 * REAL_EPSILON, "%s starts where the angles do", method);
  integrate(y, time, 20000, 1);
  integrate(wrong, time, 20000, -1);
  const bool arrived = ok && advance(&d, steps);
  tap_ok(arrived && apart(&d.current, y) <= limit, "%s ends where the angles do: %.1e", method,
         (double)(arrived ? apart(&d.current, y) : 0));
  tap_ok(arrived && apart(&d.current, wrong) > R(1e-3), "and not where they do with a wrong sign");
}

/* The heavy top of Géradin & Cardona in its nutation a and precession f, with J across, J3 along the
 * axis and the momenta L about the vertical and K about the axis:
 *
 *     f' = (L - K cos a)/(J sin² a),     J a'' = J f'² sin a cos a - K f' sin a + m g l sin a
 */
static void top_slope(real *out, const real *y, real K)
{
  const real J = R(15.234375), L = -R(4.61538) * J, m_g_l = 15 * R(9.81);
  const real c = real_cos(y[0]), s = real_sin(y[0]), f = (L - K * c) / (J * s * s);
  out[0] = y[1];
  out[1] = f * f * s * c - K * f * s / J + m_g_l * s / J;
  out[2] = f;
}

/* Compares the axis (sin a sin f, -sin a cos f, cos a) after a time of 0.1. */
static void compare_top(void)
{
  static const char *const its =
      "lagrange-top(mass=15,gravity=9.81,moment1=0.234375,moment3=0.46875,angle=90deg,"
      "precession=-4.61538,start=general(spin=150,nutation-rate=0))";
  real y[3] = {real_atan2(1, 0), 0, 0};
  const int steps = 20000;
  const real h = R(0.1) / steps, K = R(0.46875) * 150;
  for (int k = 0; k < steps; k++) {
    real slopes[4][3], z[3];
    static const real at[] = {0, R(0.5), R(0.5), 1};
    for (int j = 0; j < 4; j++) {
      for (int i = 0; i < 3; i++)
        z[i] = y[i] + (j == 0 ? 0 : at[j] * h * slopes[j - 1][i]);
      top_slope(slopes[j], z, K);
    }
    for (int i = 0; i < 3; i++)
      y[i] += h / 6 * (slopes[0][i] + 2 * slopes[1][i] + 2 * slopes[2][i] + slopes[3][i]);
  }
  DRIVE d = {0};
  char reason[256];
  const bool ok = begin_at(&d, reason, its, "composition(scheme=kahan-li8)", "0.0005", NULL, NULL,
                           false) == SHK_OK &&
                  advance(&d, 200);
  const real *const q = d.current.q, sine = real_sin(y[0]);
  const real apart = !ok ? 1
                         : real_max(real_max(real_fabs(q[2] - sine * real_sin(y[2])),
                                             real_fabs(q[5] + sine * real_cos(y[2]))),
                                    real_fabs(q[8] - real_cos(y[0])));
  tap_ok(apart < R(1e-11), "the heavy top is where its Euler angles are: %.1e", (double)apart);
}

int main(void)
{
  compare_top();
  /* 20000 steps of order 4 over a time of 2 leave h⁴ = 1e-16 times a constant of some hundred; the composition
   * of order 8 at h = 0.02 less, but for 100 steps' round-off; RATTLE's error is that of order 2. */
  compare("composition(scheme=kahan-li8)", "0.02", 100, 2, R(1e-12));
  compare("rattle", "0.001", 2000, 2, R(1e-4));
  return tap_done();
}
