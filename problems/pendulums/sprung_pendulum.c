/*
 * The planar pendulum with a spring from its bob to a fixed point a:
 *
 *     H = |p|²/(2m) + m g y + ½ k (|q - a| - l)²        0 = ½ (x² + y² - L²)
 *
 * The simplest problem with a potential that is not linear: on it the flows of Verlet, midpoint and
 * Gauss methods differ, and a force taken at the wrong point shows. q = (x,y) = L (sin θ, -cos θ),
 * y upwards; constraint force -Gᵀλ. After the reduction to θ it has one degree of freedom, and its
 * solution is a quadrature, which is not given. The standard planar pendulum with a linear spring;
 * the parameters are our own.
 */
#include <shakedown/distance.h>
#include <shakedown/plugin.h>

#include <stdlib.h>

struct sprung {
  struct shk_sphere sphere;
  real mass[2], gravity, stiffness, rest, anchor[2], angle, rate;
  struct shk_picture picture;
  real fixed[4]; /* the pivot and the anchor */
};

static int potential(const void *context, real *value, real t, const real *q)
{
  const struct sprung *s = context;
  (void)t;
  const real stretch = shk_distance(s->anchor, q, 2) - s->rest;
  *value = s->mass[0] * s->gravity * q[1] + s->stiffness * stretch * stretch / 2;
  return 0;
}

static int gradient(const void *context, real *out, real t, const real *q)
{
  const struct sprung *s = context;
  (void)t;
  const real length = shk_distance(s->anchor, q, 2);
  real pull = s->stiffness; /* force per unit of q - a */
  if (s->rest != 0 && s->stiffness != 0) {
    if (length == 0)
      return 1; /* no direction: another step may miss the point */
    pull *= 1 - s->rest / length;
  }
  out[0] = pull * (q[0] - s->anchor[0]);
  out[1] = pull * (q[1] - s->anchor[1]) + s->mass[0] * s->gravity;
  return 0;
}

static int start(const void *context, real *q, real *p)
{
  const struct sprung *s = context;
  const real length = s->sphere.length, sine = real_sin(s->angle), cosine = real_cos(s->angle);
  q[0] = length * sine;
  q[1] = -length * cosine;
  p[0] = s->mass[0] * length * s->rate * cosine;
  p[1] = s->mass[0] * length * s->rate * sine;
  return 0;
}

static struct shk_status create(struct shk_instance *instance, const struct shk_values *values)
{
  struct sprung *s = calloc(1, sizeof *s);
  if (s == NULL)
    return shk_failure(SHK_NO_MEMORY, "no memory for a sprung pendulum", 0, 0);
  s->sphere = (struct shk_sphere){2, shk_values_real(values, "length")};
  s->mass[0] = s->mass[1] = shk_values_real(values, "mass");
  s->gravity = shk_values_real(values, "gravity");
  s->stiffness = shk_values_real(values, "stiffness");
  s->rest = shk_values_real(values, "rest");
  s->anchor[0] = shk_values_real(values, "anchor-x");
  s->anchor[1] = shk_values_real(values, "anchor-y");
  s->angle = shk_values_real(values, "angle");
  s->rate = shk_values_real(values, "rate");

  instance->system = (struct shk_system){.struct_size = sizeof(struct shk_system),
                                         .n = 2,
                                         .m = 1,
                                         .context = s,
                                         .mass = s->mass,
                                         .potential = potential,
                                         .gradient = gradient,
                                         .constraint = shk_sphere_constraint,
                                         .jacobian = shk_sphere_jacobian,
                                         .curvature = shk_sphere_curvature};
  const real stiff = s->gravity / s->sphere.length + s->stiffness / s->mass[0];
  const real fastest = real_max(real_sqrt(stiff), real_fabs(s->rate));
  instance->time_scale = fastest > 0 ? 1 / fastest : 1;
  /* Two to three swings; at the default parameters the state there is no mirror image of the start
   * and neither a turning point nor the lowest. */
  instance->horizon = shk_short_decimal(R(12.3) * instance->time_scale);
  instance->undecidable = SHK_ONE_DEGREE_OF_FREEDOM;
  if (s->stiffness == 0)
    instance->undecidable |= SHK_LINEAR_POTENTIAL;
  if (s->stiffness == 0 && s->gravity == 0)
    instance->undecidable |= SHK_FREE_MOTION;
  real q[2], p[2], force[2];
  start(s, q, p);
  if (gradient(s, force, 0, q) != 0) {
    free(s);
    instance->system.context = NULL;
    return shk_failure(SHK_BAD_INPUT, "the bob starts at the spring's anchor", 0, 0);
  }
  /* At rest, or where the force has no tangential part. */
  const real turning = q[0] * force[1] - q[1] * force[0];
  const real size = s->sphere.length * shk_distance(NULL, force, 2);
  if (s->rate == 0 || real_fabs(turning) <= 8 * REAL_EPSILON * size)
    instance->undecidable |= SHK_SYMMETRIC_START;
  instance->start = start;
  static const struct shk_picture_line lines[] = {{-1, 0, false}, {-2, 0, true}};
  s->fixed[2] = s->anchor[0];
  s->fixed[3] = s->anchor[1];
  s->picture = (struct shk_picture){.struct_size = sizeof s->picture,
                                    .dimension = 2,
                                    .point_count = 1,
                                    .fixed_count = 2,
                                    .fixed = s->fixed,
                                    .line_count = s->stiffness != 0 ? 2 : 1,
                                    .lines = lines};
  instance->picture = &s->picture;
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
    {.name = "stiffness",
     .kind = SHK_OPTION_REAL,
     .fallback = "2",
     .minimum = "0",
     .meaning = "stiffness k of the spring"},
    {.name = "rest",
     .kind = SHK_OPTION_REAL,
     .fallback = "0.5",
     .minimum = "0",
     .meaning = "natural length l of the spring"},
    {.name = "anchor-x",
     .kind = SHK_OPTION_REAL,
     .fallback = "1.2",
     .meaning = "x of the fixed end a of the spring"},
    {.name = "anchor-y",
     .kind = SHK_OPTION_REAL,
     .fallback = "0.7",
     .meaning = "y of the fixed end a of the spring"},
    {.name = "angle",
     .kind = SHK_OPTION_ANGLE,
     .fallback = "0.7",
     .meaning = "angle at the start, from the downward vertical, towards +x"},
    {.name = "rate",
     .kind = SHK_OPTION_REAL,
     .fallback = "1.1",
     .meaning = "rate of the angle at the start, in radians per unit of time"},
    {0}};

static const struct shk_problem sprung_pendulum = {
    .struct_size = sizeof sprung_pendulum,
    .info = {.name = "sprung-pendulum",
             .summary = "planar pendulum with a spring to a fixed point: the simplest nonlinear "
                        "potential",
             .equations = "H = |p|²/(2m) + m g y + ½ k (|q - a| - l)²\n"
                          "0 = ½ (x² + y² - L²)\n"
                          "start: q = L (sin angle, -cos angle), v = rate L (cos angle, sin angle)",
             .citation = "the planar pendulum of Hairer, Lubich & Wanner, Geometric Numerical "
                         "Integration, 2nd ed., Springer 2006, §VII.1, and a linear spring",
             .units = "any consistent units; dimensionless by default",
             .coordinates = "q = (x, y), y upwards, the pivot at the origin",
             .options = options},
    .create = create,
    .destroy = destroy,
};

SHK_PROVIDE(sprung_pendulum, .problems = SHK_PROBLEMS(&sprung_pendulum));
