/*
 * The index-one system: SHAKE and RATTLE over the midpoint rule against the midpoint rule of the
 * reduced system, written here for its own equations.
 */
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
  struct shk_drive a, b, c;
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
  shk_drive_end(&a);
  shk_drive_end(&b);
  shk_drive_end(&c);
}

int main(void)
{
  check_index_one();
  return tap_done();
}
