/*
 * A mass on a spring in a vertical plane that can rotate. The constraint is formulated in terms of
 * velocities:
 *
 *     H = |p|²/(2m) + m g z + ½ k (|q| - l)²        y x' - x y' + Ω (x² + y²) + c = 0
 *
 * For c = 0, the form y dx - x dy + Ω (x² + y²) dt is not exact, but it is integrable with the
 * integrating factor 1/(x² + y²), and the azimuth changes at the rate Ω. The problem also provides
 * 0 = x sin φ - y cos φ, φ = φ₀ + Ωt. The velocity constraint then passes Frobenius' test, is in
 * the span of (G g_t), and is treated as a holonomic constraint. With velocity-only=yes, Shakedown
 * refuses the problem because g must be provided. For nonzero c, the mass also sweeps area at a
 * prescribed rate, and α∧dα = 2 c dx∧dy∧dt. There is no g in this case, and Shakedown refuses the
 * problem as nonholonomic. H is conserved if the plane is at rest; H - Ω (x p_y - y p_x) is
 * conserved if it rotates. The forms are singular on the axis x = y = 0.
 */
#include "problems/kit/problem.h"

struct plane {
  real mass[3], gravity, stiffness, length;
  real azimuth, distance, height, speed, climb, rotation, area_rate;
  bool velocity_only;
};

static real azimuth_at(const struct plane *s, real t)
{
  return s->azimuth + s->rotation * t;
}

static int potential(const void *context, real *value, real t, const real *q)
{
  const struct plane *s = context;
  const real r = real_sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
  *value = s->mass[0] * s->gravity * q[2] + s->stiffness * (r - s->length) * (r - s->length) / 2;
  return 0;
}

static int gradient(const void *context, real *out, real t, const real *q)
{
  const struct plane *s = context;
  const real r = real_sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
  for (int i = 0; i < 3; i++)
    out[i] = s->stiffness * (r - s->length) * q[i] / r;
  out[2] += s->mass[0] * s->gravity;
  return 0;
}

static int constraint(const void *context, real *g, real t, const real *q)
{
  const real turn = azimuth_at(context, t);
  g[0] = q[0] * real_sin(turn) - q[1] * real_cos(turn);
  return 0;
}

static int jacobian(const void *context, real *values, real t, const real *q)
{
  const real turn = azimuth_at(context, t);
  values[0] = real_sin(turn);
  values[1] = -real_cos(turn);
  values[2] = 0;
  return 0;
}

/* Returns the component of q along the plane, which is g_t / Ω. */
static real component_along_plane(const struct plane *s, const real *q, real t)
{
  const real turn = azimuth_at(s, t);
  return q[0] * real_cos(turn) + q[1] * real_sin(turn);
}

static int constraint_rate(const void *context, real *g_t, real t, const real *q)
{
  const struct plane *s = context;
  g_t[0] = s->rotation * component_along_plane(s, q, t);
  return 0;
}

static int curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  const struct plane *s = context;
  real g;
  constraint(s, &g, t, q);
  out[0] = s->rotation * (2 * component_along_plane(s, v, t) - s->rotation * g);
  return 0;
}

static int velocity_form(const void *context, real *A, real t, const real *q)
{
  const struct plane *s = context;
  A[0] = q[1];
  A[1] = -q[0];
  A[2] = 0;
  A[3] = s->rotation * (q[0] * q[0] + q[1] * q[1]) + s->area_rate;
  return 0;
}

static int form_gradients(const void *context, real *out, real t, const real *q)
{
  const struct plane *s = context;
  for (int i = 0; i < 16; i++)
    out[i] = 0;
  out[1] = 1;
  out[4] = -1;
  out[12] = 2 * s->rotation * q[0];
  out[13] = 2 * s->rotation * q[1];
  return 0;
}

static int start_vertical_plane(const void *context, real *q, real *p)
{
  const struct plane *s = context;
  const real sine = real_sin(s->azimuth), cosine = real_cos(s->azimuth);
  const real around = s->rotation * s->distance + s->area_rate / s->distance;
  q[0] = s->distance * cosine;
  q[1] = s->distance * sine;
  q[2] = s->height;
  p[0] = s->mass[0] * (s->speed * cosine - around * sine);
  p[1] = s->mass[0] * (s->speed * sine + around * cosine);
  p[2] = s->mass[0] * s->climb;
  return 0;
}

static const char *const names[] = {"jacobi-integral"};

static int jacobi_integral(const void *context, real *values, real t, const real *q, const real *p)
{
  const struct plane *s = context;
  potential(context, values, t, q);
  for (int i = 0; i < 3; i++)
    values[0] += p[i] * p[i] / (2 * s->mass[0]);
  values[0] -= s->rotation * (q[0] * p[1] - q[1] * p[0]);
  return 0;
}

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct plane *s = context;
  s->mass[1] = s->mass[2] = s->mass[0];
  instance->system.mass = s->mass;
  instance->system.m = s->velocity_only || s->area_rate != 0 ? 0 : 1;
  const real fastest = real_max(real_sqrt(s->stiffness / s->mass[0]), real_fabs(s->rotation));
  instance->time_scale = 1 / fastest;
  instance->horizon = R(7.3) / fastest;
  if (s->rotation != 0) {
    instance->system.features |= SHK_RHEONOMIC;
    instance->undecidable |= SHK_NO_REVERSAL;
    shk_set_invariants(instance, 1, names, jacobi_integral);
  }
  instance->undecidable |= SHK_LINEAR_CONSTRAINTS;
  instance->start = start_vertical_plane;
  return shk_ok();
}

static const struct shk_option options[] = {
    SHK_REAL(plane, mass[0], "mass", "1", "mass m", SHK_POSITIVE),
    SHK_REAL(plane, gravity, "gravity", "1", "acceleration g"),
    SHK_REAL(plane, stiffness, "stiffness", "2", "stiffness k of the spring to the origin",
             SHK_POSITIVE),
    SHK_REAL(plane, length, "length", "1", "natural length l of the spring", SHK_POSITIVE),
    SHK_ANGLE(plane, azimuth, "azimuth", "0.6", "initial azimuth φ of the plane"),
    SHK_REAL(plane, distance, "distance", "1.2", "initial distance from the axis", SHK_POSITIVE),
    SHK_REAL(plane, height, "height", "-0.5", "initial height z"),
    SHK_REAL(plane, speed, "speed", "0.3", "initial velocity away from the axis"),
    SHK_REAL(plane, climb, "climb", "0.4", "initial vertical velocity z'"),
    SHK_REAL(plane, rotation, "rotation", "0",
             "rotation rate Ω of the plane, in radians per unit time"),
    SHK_REAL(
        plane, area_rate, "area-rate", "0",
        "c, twice the rate at which area is swept; the constraint is nonholonomic unless c is 0"),
    SHK_FLAG(plane, velocity_only, "velocity-only", "no",
             "use only the velocity constraint, without its integral g"),
    {0}};

static const struct shk_system vertical_plane_system = {.n = 3,
                                                        .m = 1,
                                                        .features = SHK_VELOCITY_CONSTRAINT,
                                                        SHK_POTENTIAL,
                                                        SHK_CONSTRAINT,
                                                        .constraint_rate = constraint_rate,
                                                        .velocity_rows = 1,
                                                        .velocity_forms = velocity_form,
                                                        .velocity_form_gradients = form_gradients};

SHK_PROVIDE_PROBLEM(
    vertical_plane, plane, &vertical_plane_system, .name = "vertical-plane",
    .family = "on manifolds",
    .summary = "a mass on a spring in a vertical plane that may rotate, with an "
               "integrable velocity constraint: holonomic",
    .equations = "H = |p|²/(2m) + m g z + ½ k (|q| - l)²\n"
                 "0 = y x' - x y' + Ω (x² + y²) + c, which for c = 0 integrates to\n"
                 "0 = x sin φ - y cos φ,  φ = azimuth + Ωt",
    .citation = "Frobenius' theorem: F. W. Warner, Foundations of Differentiable Manifolds "
                "and Lie Groups, Springer 1983, §2.32",
    .units = "any consistent units; dimensionless by default",
    .coordinates = "q = (x, y, z), z upwards");
