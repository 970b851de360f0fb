/*
 * The spherical pendulum in Cartesian coordinates:
 *
 *     H = |p|²/(2m) + m g z        0 = ½ (x² + y² + z² - L²)
 *
 * z upwards; q = L (sin a cos b, sin a sin b, -cos a) with the polar angle a from the downward
 * vertical and the azimuth b; constraint force -Gᵀλ. Two degrees of freedom, integrable: besides H,
 * the vertical angular momentum x p_y - y p_x is kept. Where a' = 0 and b'² = g/(L cos a) the
 * motion is conical, b = b₀ + b' t with λ = m b'², and the exact solution is given (L. D. Landau &
 * E. M. Lifshitz, Mechanics, 3rd ed., §14, problem 1); the general one, in elliptic functions, is
 * not.
 */
#include <shakedown/distance.h>
#include <shakedown/plugin.h>

#include <stdlib.h>

struct spherical {
  struct shk_sphere sphere;
  real mass[3], gravity, polar, azimuth, polar_rate, azimuth_rate;
};

static int potential(const void *context, real *value, real t, const real *q)
{
  const struct spherical *s = context;
  (void)t;
  *value = s->mass[0] * s->gravity * q[2];
  return 0;
}

static int gradient(const void *context, real *out, real t, const real *q)
{
  const struct spherical *s = context;
  (void)t, (void)q;
  out[0] = 0;
  out[1] = 0;
  out[2] = s->mass[0] * s->gravity;
  return 0;
}

static int start(const void *context, real *q, real *p)
{
  const struct spherical *s = context;
  shk_sphere_start(s->sphere.length, s->polar, s->azimuth, s->polar_rate, s->azimuth_rate, q, p);
  for (int i = 0; i < 3; i++)
    p[i] *= s->mass[i];
  return 0;
}

static int conical(const void *context, real *q, real *p, real *lambda, real t)
{
  const struct spherical *s = context;
  shk_sphere_start(s->sphere.length, s->polar, s->azimuth + s->azimuth_rate * t, 0, s->azimuth_rate,
                   q, p);
  for (int i = 0; i < 3; i++)
    p[i] *= s->mass[i];
  lambda[0] = s->mass[0] * s->azimuth_rate * s->azimuth_rate;
  return 0;
}

static const char *const invariant_names[] = {"vertical-angular-momentum"};

static int invariants(const void *context, real *values, real t, const real *q, const real *p)
{
  (void)context, (void)t;
  values[0] = q[0] * p[1] - q[1] * p[0];
  return 0;
}

static struct shk_status create(struct shk_instance *instance, const struct shk_values *values)
{
  struct spherical *s = calloc(1, sizeof *s);
  if (s == NULL)
    return shk_failure(SHK_NO_MEMORY, "no memory for a spherical pendulum", 0, 0);
  s->sphere = (struct shk_sphere){3, shk_values_real(values, "length")};
  s->mass[0] = s->mass[1] = s->mass[2] = shk_values_real(values, "mass");
  s->gravity = shk_values_real(values, "gravity");
  s->polar = shk_values_real(values, "polar");
  s->azimuth = shk_values_real(values, "azimuth");
  s->polar_rate = shk_values_real(values, "polar-rate");
  s->azimuth_rate = shk_values_real(values, "azimuth-rate");

  instance->system = (struct shk_system){.struct_size = sizeof(struct shk_system),
                                         .n = 3,
                                         .m = 1,
                                         .context = s,
                                         .mass = s->mass,
                                         .potential = potential,
                                         .gradient = gradient,
                                         .constraint = shk_sphere_constraint,
                                         .jacobian = shk_sphere_jacobian,
                                         .curvature = shk_sphere_curvature};
  const real sine = real_sin(s->polar), cosine = real_cos(s->polar);
  const real gravity_rate = real_sqrt(s->gravity / s->sphere.length);
  const real fastest =
      real_max(gravity_rate, real_max(real_fabs(s->polar_rate), real_fabs(s->azimuth_rate * sine)));
  instance->time_scale = fastest > 0 ? 1 / fastest : 1;
  /* The two periods, of the polar angle and of the azimuth, have no simple ratio in general; at the
   * default parameters the polar angle is between its turning points there. */
  instance->horizon = shk_short_decimal(R(8.7) * instance->time_scale);
  instance->undecidable = SHK_LINEAR_POTENTIAL;
  if (s->gravity == 0)
    instance->undecidable |= SHK_FREE_MOTION;
  const bool at_pole = real_fabs(sine) < 8 * REAL_EPSILON;
  const bool turning = s->polar_rate == 0;
  const real pull = s->azimuth_rate * s->azimuth_rate * s->sphere.length * cosine;
  if (turning && !at_pole && s->gravity > 0 &&
      real_fabs(pull - s->gravity) <= 8 * REAL_EPSILON * s->gravity) {
    instance->exact = conical;
    instance->undecidable |= SHK_SYMMETRIC_START; /* a relative equilibrium */
  }
  /* At rest, or where gravity has no tangential part. */
  if (at_pole || (turning && s->azimuth_rate == 0))
    instance->undecidable |= SHK_SYMMETRIC_START;
  instance->start = start;
  instance->invariant_count = 1;
  instance->invariant_names = invariant_names;
  instance->invariants = invariants;
  return shk_ok();
}

static void destroy(struct shk_instance *instance)
{
  free((void *)instance->system.context);
}

static const struct shk_option options[] = {
    SHK_LENGTH_OPTION,
    SHK_MASS_OPTION,
    SHK_GRAVITY_OPTION,
    {.name = "polar",
     .kind = SHK_OPTION_ANGLE,
     .fallback = "60deg",
     .meaning = "angle at the start from the downward vertical"},
    {.name = "azimuth",
     .kind = SHK_OPTION_ANGLE,
     .fallback = "0",
     .meaning = "angle at the start about the upward vertical, from +x"},
    {.name = "polar-rate",
     .kind = SHK_OPTION_REAL,
     .fallback = "0",
     .meaning = "rate of the polar angle at the start, in radians per unit of time"},
    {.name = "azimuth-rate",
     .kind = SHK_OPTION_REAL,
     .fallback = "1",
     .meaning = "rate of the azimuth at the start, in radians per unit of time"},
    {0}};

static const struct shk_problem spherical_pendulum = {
    .struct_size = sizeof spherical_pendulum,
    .info = {.name = "spherical-pendulum",
             .summary = "pendulum on a sphere; vertical angular momentum; conical motion exact",
             .equations = "H = |p|²/(2m) + m g z\n"
                          "0 = ½ (x² + y² + z² - L²)\n"
                          "conical motion: polar-rate = 0, azimuth-rate² = g/(L cos polar)",
             .citation = "L. D. Landau & E. M. Lifshitz, Mechanics, 3rd ed., Pergamon 1976, §14, "
                         "problem 1",
             .units = "any consistent units; dimensionless by default",
             .coordinates = "q = (x, y, z), z upwards, the pivot at the origin",
             .options = options},
    .create = create,
    .destroy = destroy,
};

SHK_PROVIDE(spherical_pendulum, .problems = SHK_PROBLEMS(&spherical_pendulum));
