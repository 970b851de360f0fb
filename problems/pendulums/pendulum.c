/*
 * The planar pendulum in Cartesian coordinates, with its exact solution.
 *
 *     H = |p|²/(2m) + m g y        0 = ½ (x² + y² - L²)
 *     m x'' = -λ x                 m y'' = -m g - λ y         (p' = -H_q - Gᵀλ)
 *     λ = (m g cos θ + m L θ'²) / L
 *
 * q = (x,y) = L (sin θ, -cos θ), where y points up and θ is measured from the downward vertical.
 * See planar_pendulum.h for the exact θ(t).
 */
#include "problems/kit/elliptic.h"
#include "problems/kit/planar_pendulum.h"
#include "problems/kit/problem.h"

struct pendulum {
  struct shk_bob bob; /* must come first because its functions use it as their context */
  real angle, rate;
  struct shk_planar_pendulum motion;
};

static int start_pendulum(const void *context, real *q, real *p)
{
  const struct pendulum *s = context;
  shk_bob_place(&s->bob, q, p, real_sin(s->motion.angle), real_cos(s->motion.angle),
                s->motion.rate);
  return 0;
}

static int exact(const void *context, real *q, real *p, real *lambda, real t)
{
  const struct pendulum *s = context;
  real sine, cosine, rate;
  shk_planar_pendulum_at(&s->motion, &sine, &cosine, &rate, t);
  shk_bob_place(&s->bob, q, p, sine, cosine, rate);
  lambda[0] = s->bob.mass[0] * (rate * rate + s->bob.gravity * cosine / s->bob.length);
  return 0;
}

/* The horizon is between one and two periods, at a phase of (j + 0.43) K or (j + 0.61) K. At this
 * phase, the pendulum is neither at a turning point nor at its lowest point, and the state is not a
 * mirror image of the initial state. */
static real generic_horizon(const struct shk_planar_pendulum *s)
{
  if (s->motion == SHK_PENDULUM_FREE)
    return s->frequency > 0 ? R(7.3) / s->frequency : R(7.3);
  /* near the separatrix, the pendulum passes the unstable point once per period */
  if (s->k1 < R(1e-3))
    return R(3.7) / s->frequency;
  const real quarter = shk_elliptic_complete(s->k1);
  const real least = s->phase + 5 * quarter;
  static const int hundredths[] = {43, 61};
  for (int i = 0;; i++) {
    const real part = (real)hundredths[i] / 100;
    const real end = (real_floor(least / quarter - part) + 1 + part) * quarter;
    const real turns = real_floor((end + s->phase) / (2 * quarter) + R(0.5));
    const real mirrored = real_fabs((end + s->phase) / (2 * quarter) - turns);
    const real same = (end - s->phase) / (2 * quarter);
    const real repeated = real_fabs(same - real_floor(same + R(0.5)));
    if (i == 1 || (mirrored > R(0.07) && repeated > R(0.07)))
      return (end - s->phase) / s->frequency;
  }
}

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct pendulum *s = context;
  const real w = real_sqrt(s->bob.gravity / s->bob.length);
  shk_bob_bind(instance, &s->bob, 2);
  instance->exact = shk_planar_pendulum_solve(&s->motion, w, s->angle, s->rate) ? exact : NULL;
  instance->time_scale = s->motion.frequency > 0 ? 1 / s->motion.frequency : 1;
  instance->horizon = shk_short_decimal(generic_horizon(&s->motion));
  instance->undecidable = shk_planar_pendulum_undecidable(&s->motion);
  instance->start = start_pendulum;
  instance->picture = shk_bob_picture(2);
  return shk_ok();
}

static const struct shk_option options[] = {
    SHK_BOB(pendulum, bob),
    SHK_ANGLE(pendulum, angle, "angle", "90deg",
              "initial angle from the downward vertical, towards +x"),
    SHK_ANGULAR_RATE(pendulum, rate, "0"),
    {0}};

static const struct shk_system pendulum_system = {
    .n = 2, .m = 1, SHK_BOB_POTENTIAL, SHK_BOB_CONSTRAINT, .autonomous = true};

SHK_PROVIDE_PROBLEM(
    pendulum, pendulum, &pendulum_system, .name = "pendulum", .family = "pendulums and chains",
    .summary = "planar pendulum; exact solution by Jacobi's elliptic functions",
    .equations = "H = |p|²/(2m) + m g y\n"
                 "0 = ½ (x² + y² - L²)\n"
                 "start: q = L (sin angle, -cos angle), v = rate L (cos angle, sin angle)",
    .citation = "E. T. Whittaker, A Treatise on the Analytical Dynamics of Particles and "
                "Rigid Bodies, 4th ed., Cambridge 1937, §44",
    .units = "any consistent units; dimensionless by default",
    .coordinates = "q = (x, y), y upwards, the pivot at the origin");
