/*
 * A mass on a spring in a vertical plane, whose constraint is stated as one on velocities:
 *
 *     H = |p|²/(2m) + m g z + ½ k (|q| - l)²        y x' - x y' = 0
 *
 * The form y dx - x dy is not exact, but integrable, by the factor 1/(x² + y²): the azimuth is constant, which is
 * stated beside it as 0 = x sin φ - y cos φ, φ that of the start. So it passes Frobenius' test, lies in the span of
 * G, and is integrated as the holonomic constraint that it is. With velocity-only=yes there is no g: it is then
 * refused, with what to state. On the axis, x = y = 0, both forms are singular.
 */
#include <shakedown/plugin.h>

struct plane {
  real mass[3], gravity, stiffness, length;
  real azimuth, distance, height, speed, climb;
  bool velocity_only;
  real sine, cosine;
};

static int potential(const void *context, real *value, real t, const real *q)
{
  const struct plane *s = context;
  const real r = real_sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
  (void)t;
  *value = s->mass[0] * s->gravity * q[2] + s->stiffness * (r - s->length) * (r - s->length) / 2;
  return 0;
}

static int gradient(const void *context, real *out, real t, const real *q)
{
  const struct plane *s = context;
  const real r = real_sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
  (void)t;
  for (int i = 0; i < 3; i++)
    out[i] = s->stiffness * (r - s->length) * q[i] / r;
  out[2] += s->mass[0] * s->gravity;
  return 0;
}

static int constraint(const void *context, real *g, real t, const real *q)
{
  const struct plane *s = context;
  (void)t;
  if (!s->velocity_only)
    g[0] = q[0] * s->sine - q[1] * s->cosine;
  return 0;
}

static int jacobian(const void *context, real *values, real t, const real *q)
{
  const struct plane *s = context;
  (void)t, (void)q;
  if (s->velocity_only)
    return 0;
  values[0] = s->sine;
  values[1] = -s->cosine;
  values[2] = 0;
  return 0;
}

static int curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  const struct plane *s = context;
  (void)t, (void)q, (void)v;
  if (!s->velocity_only)
    out[0] = 0;
  return 0;
}

static int matrix(const void *context, real *A, const real *q)
{
  (void)context;
  A[0] = q[1];
  A[1] = -q[0];
  A[2] = 0;
  return 0;
}

static int matrix_gradients(const void *context, real *out, const real *q)
{
  (void)context, (void)q;
  for (int i = 0; i < 9; i++)
    out[i] = 0;
  out[1] = 1;
  out[3] = -1;
  return 0;
}

static int start(const void *context, real *q, real *p)
{
  const struct plane *s = context;
  q[0] = s->distance * s->cosine;
  q[1] = s->distance * s->sine;
  q[2] = s->height;
  p[0] = s->mass[0] * s->speed * s->cosine;
  p[1] = s->mass[0] * s->speed * s->sine;
  p[2] = s->mass[0] * s->climb;
  return 0;
}

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct plane *s = context;
  s->mass[1] = s->mass[2] = s->mass[0];
  s->sine = real_sin(s->azimuth);
  s->cosine = real_cos(s->azimuth);
  instance->system.mass = s->mass;
  instance->system.m = s->velocity_only ? 0 : 1;
  instance->time_scale = real_sqrt(s->mass[0] / s->stiffness);
  instance->horizon = R(7.3) * instance->time_scale;
  instance->undecidable = SHK_LINEAR_CONSTRAINTS;
  instance->start = start;
  return shk_ok();
}

static const struct shk_option options[] = {
    SHK_REAL(plane, mass[0], "mass", "1", "mass m", SHK_POSITIVE),
    SHK_REAL(plane, gravity, "gravity", "1", "acceleration g"),
    SHK_REAL(plane, stiffness, "stiffness", "2", "k of the spring to the origin", SHK_POSITIVE),
    SHK_REAL(plane, length, "length", "1", "l, its natural length", SHK_POSITIVE),
    SHK_ANGLE(plane, azimuth, "azimuth", "0.6", "φ of the plane"),
    SHK_REAL(plane, distance, "distance", "1.2", "from the axis, at the start", SHK_POSITIVE),
    SHK_REAL(plane, height, "height", "-0.5", "z at the start"),
    SHK_REAL(plane, speed, "speed", "0.3", "away from the axis at the start"),
    SHK_REAL(plane, climb, "climb", "0.4", "z' at the start"),
    SHK_FLAG(plane, velocity_only, "velocity-only", "no", "without the g that it integrates to"),
    {0}};

static const struct shk_system vertical_plane_system = {.n = 3,
                                                        .m = 1,
                                                        .features = SHK_VELOCITY_CONSTRAINT,
                                                        .potential = potential,
                                                        .gradient = gradient,
                                                        .constraint = constraint,
                                                        .jacobian = jacobian,
                                                        .curvature = curvature,
                                                        .velocity_rows = 1,
                                                        .velocity_matrix = matrix,
                                                        .velocity_gradients = matrix_gradients};

static const struct shk_problem vertical_plane = {
    .struct_size = sizeof vertical_plane,
    .info = {.name = "vertical-plane",
             .summary = "a mass on a spring in a vertical plane, by an integrable constraint on "
                        "velocities: holonomic",
             .equations = "H = |p|²/(2m) + m g z + ½ k (|q| - l)²\n"
                          "0 = y x' - x y', which integrates to 0 = x sin φ - y cos φ",
             .citation =
                 "Frobenius' theorem: F. W. Warner, Foundations of Differentiable Manifolds "
                 "and Lie Groups, Springer 1983, §2.32",
             .units = "any consistent units; dimensionless by default",
             .coordinates = "q = (x, y, z), z upwards",
             .options = options},
    SHK_CONTEXT(plane),
    .system = &vertical_plane_system,
    .set_up = set_up,
};

SHK_PROVIDE(vertical_plane, .problems = SHK_PROBLEMS(&vertical_plane));
