/*
 * The index-one system: SHAKE and RATTLE over the midpoint rule against the midpoint rule of the
 * reduced system, written here for its own equations; and Gauss's methods of more stages on these,
 * with H_β = 0 at every stage (McLachlan, Modin, Verdier & Wilkins 2014, §5.3).
 */
#include "mechanics/algebra/gauss.h"
#include "tests/kit/driving.h"

/* β + β³ + q p/2 + sin q = 0 */
static real beta_of(real q, real p)
{
  const real c = q * p / 2 + real_sin(q);
  real beta = 0;
  for (int pass = 0; pass < 100; pass++)
    beta -= (beta + beta * beta * beta + c) / (1 + 3 * beta * beta);
  return beta;
}

/* The midpoint rule of q' = H_p, p' = -H_q with β(q,p) put in, by fixed-point iteration. */
static void reduced_midpoint(real *q, real *p, real h)
{
  real q1 = *q, p1 = *p;
  for (int pass = 0; pass < 200; pass++) {
    const real x = (*q + q1) / 2, y = (*p + p1) / 2, b = beta_of(x, y);
    q1 = *q + h * (y + b * x / 2);
    p1 = *p - h * (x * x * x + b * y / 2 + b * real_cos(x));
  }
  *q = q1;
  *p = p1;
}

static void check_index_one(void)
{
  DRIVE a = {0}, b = {0}, c = {0};
  bool ok = begin(&a, "index-one", "shake", "midpoint", "0.05") &
            begin(&b, "index-one", "rattle", "midpoint", "0.05") &
            begin(&c, "index-one", "rattle", "verlet", "0.05");
  real q = a.current.q[0], p = a.current.p[0], worst = 0, apart = 0, other = 0;
  for (int k = 0; ok && k < 200; k++) {
    ok = advance(&a, 1) && advance(&b, 1) && advance(&c, 1);
    reduced_midpoint(&q, &p, a.bound.step);
    worst = real_max(worst, real_max(real_fabs(a.current.q[0] - q), real_fabs(a.current.p[0] - p)));
    worst = real_max(worst, real_max(real_fabs(b.current.q[0] - q), real_fabs(b.current.p[0] - p)));
    apart = real_max(apart, real_fabs(a.current.p[1] - b.current.p[1]));
    other = real_max(other, real_fabs(c.current.q[0] - q));
  }
  tap_ok(ok && worst <= 2000 * REAL_EPSILON,
         "index-one: midpoint shake, rattle and the reduced midpoint rule agree in (q,p) over 200 "
         "steps: %.0f eps",
         (double)(worst / REAL_EPSILON));
  tap_ok(apart > R(1e-4), "index-one: shake and rattle differ in beta");
  tap_ok(other > R(1e-5), "index-one: rattle over verlet is another method");
  tap_ok(ok && real_fabs(b.current.p[1] - beta_of(q, p)) <= 2000 * REAL_EPSILON &&
             real_fabs(b.current.q[1]) <= 4 * REAL_EPSILON,
         "index-one: rattle ends on the hidden constraint");
}

enum { STAGES = 4 };

/* A step of Gauss's method of s stages on q' = H_p, p' = -H_q, 0 = H_β, by fixed-point iteration. */
static void reduced_gauss(real *q, real *p, real h, int s)
{
  real c[STAGES], b[STAGES], a[STAGES * STAGES], dq[STAGES] = {0}, dp[STAGES] = {0};
  shk_gauss_tableau(c, b, a, s);
  for (int pass = 0; pass < 120; pass++) {
    real slope_q[STAGES], slope_p[STAGES];
    for (int i = 0; i < s; i++) {
      real x = *q, y = *p;
      for (int j = 0; j < s; j++) {
        x += h * a[i * s + j] * dq[j];
        y += h * a[i * s + j] * dp[j];
      }
      const real beta = beta_of(x, y);
      slope_q[i] = y + beta * x / 2;
      slope_p[i] = -(x * x * x + beta * y / 2 + beta * real_cos(x));
    }
    memcpy(dq, slope_q, sizeof slope_q);
    memcpy(dp, slope_p, sizeof slope_p);
  }
  for (int i = 0; i < s; i++) {
    *q += h * b[i] * dq[i];
    *p += h * b[i] * dp[i];
  }
}

/* (q,p) after a time of 1.6 in so many steps, from the problem's start. */
static void end_of_gauss(real *z, int s, int steps)
{
  z[0] = R(0.8);
  z[1] = R(-0.3);
  for (int k = 0; k < steps; k++)
    reduced_gauss(z, z + 1, R(1.6) / steps, s);
}

static bool end_of_rattle(real *z, const char *flow, const char *step, int steps)
{
  DRIVE d = {0};
  const bool ok = begin(&d, "index-one", "rattle", flow, step) && advance(&d, steps);
  z[0] = ok ? d.current.q[0] : 1;
  z[1] = ok ? d.current.p[0] : 1;
  return ok;
}

static real distance(const real *a, const real *b)
{
  return real_max(real_fabs(a[0] - b[0]), real_fabs(a[1] - b[1]));
}

/* Applied to (18) itself Gauss's methods have the order 2s; under RATTLE, where H_β = 0 acts at the ends of a
 * step, 2, and are the same for s = 1 only. */
static void check_gauss(void)
{
  const int most = SHK_PRECISION == 64 ? 2 : STAGES; /* round-off comes first */
  real exact[2];
  end_of_gauss(exact, STAGES, 256);
  for (int s = 1; s <= most; s++) {
    real coarse[2], fine[2], rattle[2], other[2];
    char flow[32];
    end_of_gauss(coarse, s, 16);
    end_of_gauss(fine, s, 32);
    const double order = log2((double)(distance(coarse, exact) / distance(fine, exact)));
    tap_is_near(order, 2 * s, 0.2, "index-one: Gauss of %d stages with H_β = 0 at each: order", s);
    snprintf(flow, sizeof flow, "gauss(stages=%d)", s);
    if (!end_of_rattle(rattle, flow, "0.1", 16) || !end_of_rattle(other, flow, "0.05", 32))
      return;
    const double own = log2((double)(distance(rattle, exact) / distance(other, exact)));
    tap_is_near(own, 2, 0.2, "rattle over %s: order", flow);
    const real apart = distance(rattle, coarse);
    if (s == 1)
      tap_ok(apart <= 200 * REAL_EPSILON, "and the same for one stage: %.0f eps",
             (double)(apart / REAL_EPSILON));
    else
      tap_ok(apart > R(1e-5), "and another method for %d: %.1e", s, (double)apart);
  }
}

int main(void)
{
  check_index_one();
  check_gauss();
  return tap_done();
}
