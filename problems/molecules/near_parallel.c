/*
 * A pendulum in a plane, kept there by a constraint whose gradient is nearly that of its length.
 *
 *     H = |p|²/(2m) + m g (y cos β + z sin β)
 *     0 = f = ½ (|q|² - L²),    0 = f + ε L z
 *
 * Both rows together say |q| = L and z = 0 whatever ε > 0 is, so the motion is that of the pendulum
 * in the plane z = 0 under gravity g cos β, exact by elliptic functions; but the angle between the
 * two gradients is ε, and the multipliers grow like 1/ε:
 *
 *     λ_2 = -m g sin β/(ε L),   λ_1 = m (θ'² + (g cos β/L) cos θ) - λ_2
 *
 * (constraint force -Gᵀλ, θ from the downward vertical of the plane). Gᵀλ does not depend on ε. The
 * smallest singular value of G with rows of length 1 is ε/√2 up to ε³; A = G M⁻¹ Gᵀ squares it.
 *
 * Source: ours, as the simplest system whose motion is the same for all ε.
 */
#include "problems/kit/planar_pendulum.h"
#include <shakedown/distance.h>
#include <shakedown/plugin.h>

#include <stdlib.h>

struct near_parallel {
  struct shk_sphere sphere;
  real mass[3], across, along, epsilon; /* g sin β, g cos β */
  struct shk_planar_pendulum swing;
};

static int potential(const void *context, real *value, real t, const real *q)
{
  const struct near_parallel *s = context;
  (void)t;
  *value = s->mass[0] * (s->along * q[1] + s->across * q[2]);
  return 0;
}

static int gradient(const void *context, real *out, real t, const real *q)
{
  const struct near_parallel *s = context;
  (void)t, (void)q;
  out[0] = 0;
  out[1] = s->mass[0] * s->along;
  out[2] = s->mass[0] * s->across;
  return 0;
}

static int constraint(const void *context, real *g, real t, const real *q)
{
  const struct near_parallel *s = context;
  const int code = shk_sphere_constraint(context, g, t, q);
  g[1] = g[0] + s->epsilon * s->sphere.length * q[2];
  return code;
}

static int jacobian(const void *context, real *values, real t, const real *q)
{
  const struct near_parallel *s = context;
  (void)t;
  for (int i = 0; i < 6; i++)
    values[i] = q[i % 3];
  values[5] += s->epsilon * s->sphere.length;
  return 0;
}

static int curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  const int code = shk_sphere_curvature(context, out, t, q, v);
  out[1] = out[0];
  return code;
}

static void place(const struct near_parallel *s, real *q, real *p, real sine, real cosine,
                  real rate)
{
  const real length = s->sphere.length, momentum = s->mass[0] * length * rate;
  q[0] = length * sine;
  q[1] = -length * cosine;
  p[0] = momentum * cosine;
  p[1] = momentum * sine;
  q[2] = p[2] = 0;
}

static int start(const void *context, real *q, real *p)
{
  const struct near_parallel *s = context;
  place(s, q, p, real_sin(s->swing.angle), real_cos(s->swing.angle), s->swing.rate);
  return 0;
}

static int exact(const void *context, real *q, real *p, real *lambda, real t)
{
  const struct near_parallel *s = context;
  real sine, cosine, rate;
  shk_planar_pendulum_at(&s->swing, &sine, &cosine, &rate, t);
  place(s, q, p, sine, cosine, rate);
  lambda[1] = -s->mass[0] * s->across / (s->epsilon * s->sphere.length);
  lambda[0] = s->mass[0] * (rate * rate + s->along * cosine / s->sphere.length) - lambda[1];
  return 0;
}

static const real pivot[3] = {0, 0, 0};
static const struct shk_picture_line rod[] = {{-1, 0, false}};
static const struct shk_picture picture = {.struct_size = sizeof picture,
                                           .dimension = 3,
                                           .up = 1,
                                           .point_count = 1,
                                           .fixed_count = 1,
                                           .fixed = pivot,
                                           .line_count = 1,
                                           .lines = rod};

static struct shk_status create(struct shk_instance *instance, const struct shk_values *values)
{
  struct near_parallel *s = calloc(1, sizeof *s);
  if (s == NULL)
    return shk_failure(SHK_NO_MEMORY, "no memory for a pendulum", 0, 0);
  const real gravity = shk_values_real(values, "gravity"), tilt = shk_values_real(values, "tilt");
  s->sphere = (struct shk_sphere){3, shk_values_real(values, "length")};
  for (int i = 0; i < 3; i++)
    s->mass[i] = shk_values_real(values, "mass");
  s->epsilon = shk_values_real(values, "epsilon");
  s->along = gravity * real_cos(tilt);
  s->across = gravity * real_sin(tilt);
  const real rate = shk_values_real(values, "rate");
  const bool known = shk_planar_pendulum_solve(&s->swing, real_sqrt(s->along / s->sphere.length),
                                               shk_values_real(values, "angle"), rate);
  instance->system = (struct shk_system){.struct_size = sizeof(struct shk_system),
                                         .n = 3,
                                         .m = 2,
                                         .context = s,
                                         .mass = s->mass,
                                         .potential = potential,
                                         .gradient = gradient,
                                         .constraint = constraint,
                                         .jacobian = jacobian,
                                         .curvature = curvature};
  instance->time_scale = s->swing.frequency > 0 ? 1 / s->swing.frequency : 1;
  instance->horizon = shk_short_decimal(R(8.7) * instance->time_scale);
  instance->undecidable = SHK_ONE_DEGREE_OF_FREEDOM | SHK_LINEAR_POTENTIAL;
  if (s->swing.motion == SHK_PENDULUM_FREE)
    instance->undecidable |= SHK_FREE_MOTION;
  if (rate == 0 || real_fabs(real_sin(s->swing.angle)) < 8 * REAL_EPSILON)
    instance->undecidable |= SHK_SYMMETRIC_START;
  instance->start = start;
  instance->picture = &picture;
  instance->exact = known ? exact : NULL;
  return shk_ok();
}

static void destroy(struct shk_instance *instance)
{
  free((void *)instance->system.context);
}

static const struct shk_option options[] = {
    {.name = "epsilon",
     .kind = SHK_OPTION_REAL,
     .fallback = "1e-3",
     .minimum = "0",
     .positive = true,
     .meaning = "ε, the angle between the two gradients"},
    SHK_LENGTH_OPTION,
    SHK_MASS_OPTION,
    SHK_GRAVITY_OPTION,
    {.name = "tilt",
     .kind = SHK_OPTION_ANGLE,
     .fallback = "30deg",
     .minimum = "0",
     .maximum = "1.5",
     .meaning = "β of gravity out of the plane; 0: both multipliers stay bounded"},
    {.name = "angle",
     .kind = SHK_OPTION_ANGLE,
     .fallback = "0.7",
     .meaning = "θ at the start, in the plane, from its downward vertical"},
    {.name = "rate",
     .kind = SHK_OPTION_REAL,
     .fallback = "1.1",
     .meaning = "rate of the angle at the start, in radians per unit of time"},
    {0}};

static const struct shk_problem near_parallel = {
    .struct_size = sizeof near_parallel,
    .info = {.name = "near-parallel",
             .summary = "a pendulum under two constraints with gradients at the angle epsilon; "
                        "exact and the same for all epsilon",
             .equations = "H = |p|²/(2m) + m g (y cos β + z sin β)\n"
                          "0 = ½ (|q|² - L²),  0 = ½ (|q|² - L²) + ε L z\n"
                          "exact: the pendulum in z = 0 under g cos β; λ_2 = -m g sin β/(ε L)",
             .citation = "ours; the pendulum: E. T. Whittaker, A Treatise on the Analytical "
                         "Dynamics of Particles and Rigid Bodies, 4th ed., Cambridge 1937, §44",
             .units = "dimensionless",
             .coordinates = "q = (x, y, z), y upwards in the plane z = 0",
             .options = options},
    .create = create,
    .destroy = destroy,
};

SHK_PROVIDE(near_parallel, .problems = SHK_PROBLEMS(&near_parallel));
