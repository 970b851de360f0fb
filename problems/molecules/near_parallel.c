/*
 * A pendulum in a plane, with two constraints whose gradients are nearly parallel.
 *
 *     H = |p|²/(2m) + m g (y cos β + z sin β)
 *     0 = f = ½ (|q|² - L²),    0 = f + ε L z
 *
 * For any ε > 0, the two rows together are equivalent to |q| = L and z = 0. The motion is therefore
 * that of a pendulum in the plane z = 0 under gravity g cos β, whose exact solution uses elliptic
 * functions. The angle between the two gradients is ε, and the multipliers grow like 1/ε:
 *
 *     λ_2 = -m g sin β/(ε L),   λ_1 = m (θ'² + (g cos β/L) cos θ) - λ_2
 *
 * where the constraint force is -Gᵀλ, and θ is measured from the plane's downward vertical. Gᵀλ
 * does not depend on ε. If the rows of G are scaled to length 1, its smallest singular value is
 * ε/√2 + O(ε³). The smallest singular value of A = G M⁻¹ Gᵀ is the square of this value.
 *
 * The problem is ours. It is the simplest system of this kind whose motion is the same for all ε.
 */
#include "problems/kit/planar_pendulum.h"
#include "problems/kit/problem.h"

struct near_parallel {
  struct shk_bob bob;
  real across, along, epsilon; /* g sin β, g cos β */
  real tilt, angle, rate;
  struct shk_planar_pendulum motion;
};

static int potential(const void *context, real *value, real t, const real *q)
{
  const struct near_parallel *s = context;
  *value = s->bob.mass[0] * (s->along * q[1] + s->across * q[2]);
  return 0;
}

static int gradient(const void *context, real *out, real t, const real *q)
{
  const struct near_parallel *s = context;
  out[0] = 0;
  out[1] = s->bob.mass[0] * s->along;
  out[2] = s->bob.mass[0] * s->across;
  return 0;
}

static int constraint(const void *context, real *g, real t, const real *q)
{
  const struct near_parallel *s = context;
  const int code = shk_bob_constraint(context, g, t, q);
  g[1] = g[0] + s->epsilon * s->bob.length * q[2];
  return code;
}

static int jacobian(const void *context, real *values, real t, const real *q)
{
  const struct near_parallel *s = context;
  for (int i = 0; i < 6; i++)
    values[i] = q[i % 3];
  values[5] += s->epsilon * s->bob.length;
  return 0;
}

static int curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  const int code = shk_bob_curvature(context, out, t, q, v);
  out[1] = out[0];
  return code;
}

static void place_near_parallel(const struct near_parallel *s, real *q, real *p, real sine,
                                real cosine, real rate)
{
  shk_bob_place(&s->bob, q, p, sine, cosine, rate);
  q[2] = p[2] = 0;
}

static int start_near_parallel(const void *context, real *q, real *p)
{
  const struct near_parallel *s = context;
  place_near_parallel(s, q, p, real_sin(s->motion.angle), real_cos(s->motion.angle),
                      s->motion.rate);
  return 0;
}

static int exact(const void *context, real *q, real *p, real *lambda, real t)
{
  const struct near_parallel *s = context;
  real sine, cosine, rate;
  shk_planar_pendulum_at(&s->motion, &sine, &cosine, &rate, t);
  place_near_parallel(s, q, p, sine, cosine, rate);
  lambda[1] = -s->bob.mass[0] * s->across / (s->epsilon * s->bob.length);
  lambda[0] = s->bob.mass[0] * (rate * rate + s->along * cosine / s->bob.length) - lambda[1];
  return 0;
}

static const real pivot[3] = {0, 0, 0};
static const struct shk_picture_line rod[] = {{-1, 0, false}};
static const struct shk_picture picture = {SHK_PICTURE_SPACE(1, 1), SHK_PICTURE_FIXED(1, pivot),
                                           SHK_PICTURE_LINES(rod)};

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct near_parallel *s = context;
  shk_bob_bind(instance, &s->bob, 3);
  s->along = s->bob.gravity * real_cos(s->tilt);
  s->across = s->bob.gravity * real_sin(s->tilt);
  if (shk_planar_pendulum_solve(&s->motion, real_sqrt(s->along / s->bob.length), s->angle, s->rate))
    instance->exact = exact;
  shk_set_times(instance, s->motion.frequency, R(8.7));
  instance->undecidable = shk_planar_pendulum_undecidable(&s->motion);
  instance->start = start_near_parallel;
  instance->picture = &picture;
  return shk_ok();
}

static const struct shk_option options[] = {
    SHK_REAL(near_parallel, epsilon, "epsilon", "1e-3", "ε, the angle between the two gradients",
             SHK_POSITIVE),
    SHK_BOB(near_parallel, bob),
    SHK_ANGLE(near_parallel, tilt, "tilt", "30deg",
              "angle β of gravity out of the plane; 0: both multipliers stay bounded",
              .minimum = "0", .maximum = "1.5"),
    SHK_ANGLE(near_parallel, angle, "angle", "0.7",
              "initial angle θ in the plane, from its downward vertical"),
    SHK_ANGULAR_RATE(near_parallel, rate, "1.1"),
    {0}};

static const struct shk_system near_parallel_system = {
    .n = 3, .m = 2, SHK_POTENTIAL, SHK_CONSTRAINT};

SHK_PROVIDE_PROBLEM(
    near_parallel, near_parallel, &near_parallel_system, .name = "near-parallel",
    .family = "molecules and particles",
    .summary = "a pendulum with two constraints whose gradients are at the angle epsilon; the "
               "exact solution is the same for all epsilon",
    .equations = "H = |p|²/(2m) + m g (y cos β + z sin β)\n"
                 "0 = ½ (|q|² - L²),  0 = ½ (|q|² - L²) + ε L z\n"
                 "exact: the pendulum in z = 0 under g cos β; λ_2 = -m g sin β/(ε L)",
    .citation = "our own; the pendulum: E. T. Whittaker, A Treatise on the Analytical "
                "Dynamics of Particles and Rigid Bodies, 4th ed., Cambridge 1937, §44",
    .units = "dimensionless", .coordinates = "q = (x, y, z), y upwards in the plane z = 0");
