/*
 * The spherical pendulum in Cartesian coordinates:
 *
 *     H = |p|²/(2m) + m g z        0 = ½ (x² + y² + z² - L²)
 *
 * z points up, and q = L (sin a cos b, sin a sin b, -cos a), where b is the azimuth and a is the
 * polar angle, measured from the downward vertical. The constraint force is -Gᵀλ. The problem has
 * two degrees of freedom and is integrable: besides H, the vertical angular momentum x p_y - y p_x
 * = m l is conserved. If a' = 0 and b'² = g/(L cos a), the motion is conical, b = b₀ + b' t with λ
 * = m b'² (L. D. Landau & E. M. Lifshitz, Mechanics, 3rd ed., §14, problem 1). Otherwise, the
 * height oscillates between the two lower roots of
 *
 *     L² z'² = 2 (e - g z)(L² - z²) - l² = 2g (z - z1)(z2 - z)(z3 - z),    e = H/m
 *     z = z1 + (z2 - z1) sn² u,   u = u₀ + w t,
 *     w² = g (z3 - z1)/(2L²),   k² = (z2 - z1)/(z3 - z1)
 *
 * and the azimuth, with b' = l/(L² - z²), is a sum of two elliptic integrals of the third kind (E.
 * T. Whittaker, Analytical Dynamics, 4th ed., §55). λ = m (|v|² - g z)/L². Without gravity, the bob
 * moves along a great circle. No exact solution is provided for motions that come closer to a pole
 * than L/1000 in height, because the azimuth there depends on a difference that suffers from
 * cancellation. If the motion is in a vertical plane and goes through the poles, the azimuth jumps;
 * the problem `pendulum` covers these motions.
 */
#include "problems/kit/elliptic.h"
#include "problems/kit/problem.h"

struct spherical {
  struct shk_bob bob;
  struct shk_direction at; /* the start */
  /* Constants of the general solution. */
  real spin, energy;         /* l, e */
  real low, range;           /* z1, z2 - z1 */
  real frequency, phase, k1; /* w, u₀ */
  /* values of nu for the two integrals, which come from L - z and L + z */
  real over, under;
};

static int start_spherical_pendulum(const void *context, real *q, real *p)
{
  const struct spherical *s = context;
  shk_direction_place(&s->at, s->bob.length, q, p);
  for (int i = 0; i < 3; i++)
    p[i] *= s->bob.mass[i];
  return 0;
}

static int conical_motion(const void *context, real *q, real *p, real *lambda, real t)
{
  const struct spherical *s = context;
  const struct shk_direction at = {s->at.polar, s->at.azimuth + s->at.azimuth_rate * t, 0,
                                   s->at.azimuth_rate};
  shk_direction_place(&at, s->bob.length, q, p);
  for (int i = 0; i < 3; i++)
    p[i] *= s->bob.mass[i];
  lambda[0] = s->bob.mass[0] * s->at.azimuth_rate * s->at.azimuth_rate;
  return 0;
}

static int great_circle(const void *context, real *q, real *p, real *lambda, real t)
{
  const struct spherical *s = context;
  real point[3], velocity[3];
  shk_direction_place(&s->at, s->bob.length, point, velocity);
  const real speed = shk_distance(NULL, velocity, 3), rate = speed / s->bob.length;
  const real sine = real_sin(rate * t), cosine = real_cos(rate * t);
  for (int i = 0; i < 3; i++) {
    q[i] = point[i] * cosine + (rate > 0 ? velocity[i] / rate * sine : 0);
    p[i] = s->bob.mass[i] * (velocity[i] * cosine - point[i] * rate * sine);
  }
  lambda[0] = s->bob.mass[0] * rate * rate;
  return 0;
}

static int general_motion(const void *context, real *q, real *p, real *lambda, real t)
{
  const struct spherical *s = context;
  const real length = s->bob.length, mass = s->bob.mass[0];
  const real u = s->phase + s->frequency * t;
  real sn, cn, dn;
  shk_jacobi(&sn, &cn, &dn, u, s->k1);
  const real z = s->low + s->range * sn * sn;
  const real rise = 2 * s->range * s->frequency * sn * cn * dn;
  const real across2 = (length - z) * (length + z), across = real_sqrt(across2);
  const real over =
      shk_elliptic_third(u, s->over, s->k1) - shk_elliptic_third(s->phase, s->over, s->k1);
  const real under =
      shk_elliptic_third(u, s->under, s->k1) - shk_elliptic_third(s->phase, s->under, s->k1);
  const real azimuth = s->at.azimuth + s->spin / (2 * length * s->frequency) *
                                           (over / (length - s->low) + under / (length + s->low));
  const real sine = real_sin(azimuth), cosine = real_cos(azimuth);
  const real outward = -z * rise / across, around = s->spin / across;
  q[0] = across * cosine;
  q[1] = across * sine;
  q[2] = z;
  p[0] = mass * (outward * cosine - around * sine);
  p[1] = mass * (outward * sine + around * cosine);
  p[2] = mass * rise;
  lambda[0] = mass * (2 * s->energy - 3 * s->bob.gravity * z) / (length * length);
  return 0;
}

/* f0 + f1 x + f2 x² + f3 x³ */
static real cubic_value(const real *f, real x)
{
  return f[0] + x * (f[1] + x * (f[2] + x * f[3]));
}

/* Returns the first root of the cubic between 0 and `end`, or `end` if there is no root. The cubic
 * must be nonnegative up to this root. */
static real root_towards(const real *f, real end)
{
  real inside = 0, outside = end;
  for (int i = 0; i < 400; i++) { /* this is accurate to round-off, even for roots close to 0 */
    const real middle = (inside + outside) / 2;
    if (middle == inside || middle == outside)
      break;
    if (cubic_value(f, middle) >= 0)
      inside = middle;
    else
      outside = middle;
  }
  return inside;
}

/* Computes the constants of the general solution. The cubic is expanded about the initial height,
 * where its value is known without cancellation. Returns false if no exact solution is
 * available. */
static bool solve_spherical_pendulum(struct spherical *s)
{
  const real length = s->bob.length, g = s->bob.gravity;
  real q[3], v[3];
  shk_direction_place(&s->at, length, q, v);
  const real z = q[2], across2 = q[0] * q[0] + q[1] * q[1];
  s->spin = s->at.azimuth_rate * across2;
  s->energy = real_dot(v, v, 3) / 2 + g * z;
  const real f[4] = {length * length * v[2] * v[2], -2 * g * across2 - 2 * z * real_dot(v, v, 3),
                     4 * g * z - real_dot(v, v, 3), 2 * g};
  if (s->spin == 0)
    return false;
  const real below = root_towards(f, -length - z), above = root_towards(f, length - z);
  const real beyond = -f[2] / f[3] - below - above; /* z3 - z, computed from the sum of the roots */
  s->low = z + below;
  s->range = above - below;
  if (!(s->range > 0) || length + s->low < length / 1000 || length - z - above < length / 1000)
    return false;
  s->frequency = real_sqrt(g * (beyond - below) / 2) / length;
  s->k1 = real_min(1, real_sqrt((beyond - above) / (beyond - below)));
  const real sine = real_sqrt(-below / s->range), cosine = real_sqrt(above / s->range);
  s->phase =
      shk_elliptic_incomplete(sine, v[2] < 0 ? -cosine : cosine, beyond / (beyond - below), s->k1);
  s->over = -s->range / (length - s->low);
  s->under = s->range / (length + s->low);
  return true;
}

static const char *const kept[] = {"vertical-angular-momentum"};

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct spherical *s = context;
  shk_bob_bind(instance, &s->bob, 3);
  const real sine = real_sin(s->at.polar), cosine = real_cos(s->at.polar);
  const real gravity_rate = real_sqrt(s->bob.gravity / s->bob.length);
  const real fastest = real_max(
      gravity_rate, real_max(real_fabs(s->at.polar_rate), real_fabs(s->at.azimuth_rate * sine)));
  /* In general, the periods of the polar angle and the azimuth have no simple ratio. With the
   * default parameters, the polar angle at the horizon is between its turning points. */
  shk_set_times(instance, fastest, R(8.7));
  instance->undecidable = SHK_LINEAR_POTENTIAL;
  if (s->bob.gravity == 0)
    instance->undecidable |= SHK_FREE_MOTION;
  const bool at_pole = real_fabs(sine) < 8 * REAL_EPSILON;
  const bool turning = s->at.polar_rate == 0;
  const real pull = s->at.azimuth_rate * s->at.azimuth_rate * s->bob.length * cosine;
  if (turning && !at_pole && s->bob.gravity > 0 &&
      real_fabs(pull - s->bob.gravity) <= 8 * REAL_EPSILON * s->bob.gravity) {
    instance->exact = conical_motion;
    instance->undecidable |= SHK_SYMMETRIC_START; /* a relative equilibrium */
  } else if (s->bob.gravity == 0) {
    instance->exact = great_circle;
  } else if (solve_spherical_pendulum(s)) {
    instance->exact = general_motion;
  }
  /* The pendulum starts at rest, or at a point where gravity has no tangential component. */
  if (at_pole || (turning && s->at.azimuth_rate == 0))
    instance->undecidable |= SHK_SYMMETRIC_START;
  instance->start = start_spherical_pendulum;
  instance->picture = shk_bob_picture(3);
  shk_set_invariants(instance, 1, kept, shk_vertical_momentum);
  return shk_ok();
}

static const struct shk_option options[] = {
    SHK_BOB(spherical, bob), SHK_DIRECTION(spherical, at, "", "60deg", "0", "0", "1"), {0}};

static const struct shk_system spherical_pendulum_system = {
    .n = 3, .m = 1, SHK_BOB_POTENTIAL, SHK_BOB_CONSTRAINT};

SHK_PROVIDE_PROBLEM(
    spherical_pendulum, spherical, &spherical_pendulum_system, .name = "spherical-pendulum",
    .family = "pendulums and chains",
    .summary = "pendulum on a sphere, with a vertical angular momentum; exact solution",
    .equations = "H = |p|²/(2m) + m g z\n"
                 "0 = ½ (x² + y² + z² - L²)\n"
                 "conical motion: polar-rate = 0, azimuth-rate² = g/(L cos polar)\n"
                 "otherwise exact by elliptic functions, unless it passes within L/1000 of the "
                 "height of a pole",
    .citation = "L. D. Landau & E. M. Lifshitz, Mechanics, 3rd ed., Pergamon 1976, §14, "
                "problem 1; E. T. Whittaker, A Treatise on the Analytical Dynamics of "
                "Particles and Rigid Bodies, 4th ed., Cambridge 1937, §55",
    .units = "any consistent units; dimensionless by default",
    .coordinates = "q = (x, y, z), z upwards, the pivot at the origin");
