/*
 * A spherical pendulum whose pivot revolves on a crank. A spring connects the bob to (L,0,0):
 *
 *     H = |p|²/(2m) + m g z + ½ k |q - L e_x|²     0 = ½ (|q - c(t)|² - L²)
 *     c = A (cos wt, sin wt cos d, sin wt sin d),  c'' = -w² c
 *     hidden:  (q - c)·(q' - c') = 0
 *     λ = (m |q' - c'|² + (q - c)·(m w² c - m g e_z - k (q - L e_x)))/L²
 *
 * The constraint depends on time (it is rheonomic) and leaves two degrees of freedom, so a
 * volume-preserving map need not be symplectic. The constraint force does work, so H is not
 * conserved. The spring is not on any axis, so nothing else is conserved. The force of the spring
 * is not constant, so methods with different flows give different results. z points up, and the
 * constraint force is -Gᵀλ. There is no exact solution.
 *
 * Source for the moving pivot: L. D. Landau & E. M. Lifshitz, Mechanics, 3rd ed., §5, problem 3.
 */
#include "problems/kit/problem.h"

struct driven {
  struct shk_bob bob;
  real amplitude, frequency, tilt, stiffness;
  struct shk_direction at; /* initial state relative to the pivot */
};

/* Computes the position and velocity of the pivot. */
static void pivot_motion(const struct driven *s, real t, real *c, real *v)
{
  const real across = s->amplitude * real_sin(s->frequency * t);
  const real along = s->amplitude * real_cos(s->frequency * t);
  const real sine = real_sin(s->tilt), cosine = real_cos(s->tilt);
  c[0] = along;
  c[1] = across * cosine;
  c[2] = across * sine;
  if (!v)
    return;
  v[0] = -s->frequency * across;
  v[1] = s->frequency * along * cosine;
  v[2] = s->frequency * along * sine;
}

static int potential(const void *context, real *value, real t, const real *q)
{
  const struct driven *s = context;
  const real side = q[0] - s->bob.length;
  shk_bob_potential(context, value, t, q);
  *value += s->stiffness * (side * side + q[1] * q[1] + q[2] * q[2]) / 2;
  return 0;
}

static int gradient(const void *context, real *out, real t, const real *q)
{
  const struct driven *s = context;
  shk_bob_gradient(context, out, t, q);
  for (int i = 0; i < 3; i++)
    out[i] += s->stiffness * (q[i] - (i == 0 ? s->bob.length : 0));
  return 0;
}

static int jacobian(const void *context, real *rod, real t, const real *q)
{
  pivot_motion(context, t, rod, NULL);
  for (int i = 0; i < 3; i++)
    rod[i] = q[i] - rod[i];
  return 0;
}

static int constraint(const void *context, real *g, real t, const real *q)
{
  const struct driven *s = context;
  real rod[3];
  jacobian(context, rod, t, q);
  g[0] = (real_dot(rod, rod, 3) - s->bob.length * s->bob.length) / 2;
  return 0;
}

static int constraint_rate(const void *context, real *g_t, real t, const real *q)
{
  real rod[3], c[3], rate[3];
  jacobian(context, rod, t, q);
  pivot_motion(context, t, c, rate);
  g_t[0] = -real_dot(rod, rate, 3);
  return 0;
}

static int curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  const struct driven *s = context;
  real c[3], relative[3];
  pivot_motion(s, t, c, relative);
  out[0] = 0;
  for (int i = 0; i < 3; i++) {
    relative[i] = v[i] - relative[i];
    out[0] += s->frequency * s->frequency * c[i] * (q[i] - c[i]);
  }
  out[0] += real_dot(relative, relative, 3);
  return 0;
}

static int start_driven_spherical_pendulum(const void *context, real *q, real *p)
{
  const struct driven *s = context;
  real c[3], rate[3];
  pivot_motion(s, 0, c, rate);
  shk_direction_place(&s->at, s->bob.length, q, p);
  for (int i = 0; i < 3; i++) {
    q[i] += c[i];
    p[i] = s->bob.mass[i] * (p[i] + rate[i]);
  }
  return 0;
}

/* Stores the fixed end of the spring, the pivot, and the bob. */
static int draw_points(const void *context, real *r, real t, const real *q)
{
  const struct driven *s = context;
  for (int i = 0; i < 3; i++) {
    r[i] = i == 0 ? s->bob.length : 0;
    r[6 + i] = q[i];
  }
  pivot_motion(s, t, r + 3, NULL);
  return 0;
}

static const struct shk_picture_line lines[] = {{1, 2, false}, {0, 2, true}};
static const struct shk_picture picture = {SHK_PICTURE_SPACE(2, 3), .place = draw_points,
                                           SHK_PICTURE_LINES(lines)};

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct driven *s = context;
  shk_bob_bind(instance, &s->bob, 3);
  const real pull = s->bob.gravity + s->amplitude * s->frequency * s->frequency;
  const real swing = real_sqrt(pull / s->bob.length + s->stiffness / s->bob.mass[0]);
  const real turn = real_max(real_fabs(s->at.polar_rate), real_fabs(s->at.azimuth_rate));
  shk_set_times(instance, real_max(swing, real_max(real_fabs(s->frequency), turn)), R(9.7));
  instance->undecidable = SHK_NO_REVERSAL;
  instance->start = start_driven_spherical_pendulum;
  instance->picture = &picture;
  return shk_ok();
}

static const struct shk_option options[] = {
    SHK_BOB(driven, bob),
    SHK_REAL(driven, amplitude, "amplitude", "0.3", "length A of the crank", SHK_POSITIVE),
    SHK_REAL(driven, frequency, "frequency", "1.9",
             "rotation rate w of the crank, in radians per unit time", SHK_POSITIVE),
    SHK_ANGLE(driven, tilt, "tilt", "0.5", "angle d of the crank's shaft from the vertical"),
    SHK_REAL(driven, stiffness, "stiffness", "0.8", "stiffness k of the spring to (L, 0, 0)",
             .minimum = "0"),
    SHK_DIRECTION(driven, at, ", seen from the pivot,", "0.9", "0.4", "0.5", "0.7"),
    {0}};

static const struct shk_system driven_spherical_pendulum_system = {.n = 3,
                                                                   .m = 1,
                                                                   .features = SHK_RHEONOMIC,
                                                                   SHK_POTENTIAL,
                                                                   SHK_CONSTRAINT,
                                                                   .constraint_rate =
                                                                       constraint_rate};

SHK_PROVIDE_PROBLEM(
    driven_spherical_pendulum, driven, &driven_spherical_pendulum_system,
    .name = "driven-spherical-pendulum", .family = "pendulums and chains",
    .summary = "spherical pendulum with a spring and a pivot on a crank: a constraint that depends "
               "on time, and two degrees of freedom",
    .equations = "H = |p|²/(2m) + m g z + ½ k |q - L e_x|²\n"
                 "0 = ½ (|q - c(t)|² - L²),  c = A (cos wt, sin wt cos d, sin wt sin d)",
    .citation = "L. D. Landau & E. M. Lifshitz, Mechanics, 3rd ed., Pergamon 1976, §5, "
                "problem 3",
    .units = "any consistent units; dimensionless by default",
    .coordinates = "q = (x, y, z), z upwards, at rest in space; the crank's shaft goes "
                   "through the origin");
