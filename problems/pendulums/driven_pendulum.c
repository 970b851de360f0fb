/*
 * A planar pendulum whose pivot oscillates along a line:
 *
 *     H = |p|²/(2m) + m g y        0 = ½ (|q - c(t)|² - L²),   c = A sin(w t) (sin d, cos d)
 *     m q'' = -m g e_y - λ (q - c)
 *     hidden:  (q - c)·(q' - c') = 0,     λ = m (|q' - c'|² - (q - c)·(c'' + g e_y))/L²
 *
 * The constraint depends on time (it is rheonomic), and its force does work, so H is not conserved.
 * y points up, q = c + L (sin θ, -cos θ), and the constraint force is -Gᵀλ. The equation for the
 * angle is L θ'' = -(c_x'' cos θ + (c_y'' + g) sin θ). For small oscillations with a vertical
 * drive, this is Mathieu's equation, and a fast drive stabilizes the upper equilibrium (P. L.
 * Kapitza). No exact solution and no invariant are known. The motion is chaotic near the resonances
 * and for strong drives, but not before the horizon if the parameters have their default values.
 *
 * Source: L. D. Landau & E. M. Lifshitz, Mechanics, 3rd ed., §5, problem 3, and §30, problems 1, 2.
 */
#include "problems/kit/problem.h"

struct driven {
  struct shk_bob bob;
  real amplitude, frequency, direction, along[2], angle, rate;
};

/* Computes the factors of (sin d, cos d) in c, c' and c''. */
static void pivot_motion(const struct driven *s, real t, real *size, real *rate, real *acceleration)
{
  const real w = s->frequency, sine = real_sin(w * t);
  *size = s->amplitude * sine;
  *rate = s->amplitude * w * real_cos(w * t);
  *acceleration = -s->amplitude * w * w * sine;
}

static int jacobian(const void *context, real *values, real t, const real *q)
{
  const struct driven *s = context;
  real size, rate, acceleration;
  pivot_motion(s, t, &size, &rate, &acceleration);
  for (int i = 0; i < 2; i++)
    values[i] = q[i] - size * s->along[i];
  return 0;
}

static int constraint(const void *context, real *g, real t, const real *q)
{
  const struct driven *s = context;
  real rod[2];
  jacobian(context, rod, t, q);
  g[0] = (real_dot(rod, rod, 2) - s->bob.length * s->bob.length) / 2;
  return 0;
}

static int constraint_rate(const void *context, real *g_t, real t, const real *q)
{
  const struct driven *s = context;
  real rod[2], size, rate, acceleration;
  jacobian(context, rod, t, q);
  pivot_motion(s, t, &size, &rate, &acceleration);
  g_t[0] = -rate * real_dot(rod, s->along, 2);
  return 0;
}

static int curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  const struct driven *s = context;
  real rod[2], relative[2], size, rate, acceleration;
  jacobian(context, rod, t, q);
  pivot_motion(s, t, &size, &rate, &acceleration);
  for (int i = 0; i < 2; i++)
    relative[i] = v[i] - rate * s->along[i];
  out[0] = real_dot(relative, relative, 2) - acceleration * real_dot(rod, s->along, 2);
  return 0;
}

static int start_driven_pendulum(const void *context, real *q, real *p)
{
  const struct driven *s = context;
  const real sine = real_sin(s->angle), cosine = real_cos(s->angle);
  const real turning = s->bob.length * s->rate;
  real size, rate, acceleration;
  pivot_motion(s, 0, &size, &rate, &acceleration);
  q[0] = size * s->along[0] + s->bob.length * sine;
  q[1] = size * s->along[1] - s->bob.length * cosine;
  p[0] = s->bob.mass[0] * (rate * s->along[0] + turning * cosine);
  p[1] = s->bob.mass[0] * (rate * s->along[1] + turning * sine);
  return 0;
}

/* Stores the positions of the pivot and of the bob in r. */
static int draw_points(const void *context, real *r, real t, const real *q)
{
  const struct driven *s = context;
  real size, rate, acceleration;
  pivot_motion(s, t, &size, &rate, &acceleration);
  for (int j = 0; j < 2; j++) {
    r[j] = size * s->along[j];
    r[2 + j] = q[j];
  }
  return 0;
}

static const struct shk_picture_line lines[] = {{0, 1, false}};
static const struct shk_picture picture = {SHK_PICTURE_PLANE(2), .place = draw_points,
                                           SHK_PICTURE_LINES(lines)};

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct driven *s = context;
  shk_bob_bind(instance, &s->bob, 2);
  s->along[0] = real_sin(s->direction);
  s->along[1] = real_cos(s->direction);
  const real swing =
      real_sqrt((s->bob.gravity + s->amplitude * s->frequency * s->frequency) / s->bob.length);
  shk_set_times(instance, real_max(swing, real_max(real_fabs(s->frequency), real_fabs(s->rate))),
                R(13.3));
  instance->undecidable = SHK_ONE_DEGREE_OF_FREEDOM | SHK_LINEAR_POTENTIAL | SHK_NO_REVERSAL;
  instance->start = start_driven_pendulum;
  instance->picture = &picture;
  return shk_ok();
}

static const struct shk_option options[] = {
    SHK_BOB(driven, bob),
    SHK_REAL(driven, amplitude, "amplitude", "0.3", "amplitude A of the pivot", SHK_POSITIVE),
    SHK_REAL(driven, frequency, "frequency", "2.3",
             "frequency w of the pivot, in radians per unit time", SHK_POSITIVE),
    SHK_ANGLE(driven, direction, "direction", "0.5",
              "angle d of the pivot's line of motion from the upward vertical, towards +x"),
    SHK_ANGLE(driven, angle, "angle", "0.7",
              "initial angle θ from the downward vertical, towards +x"),
    SHK_ANGULAR_RATE(driven, rate, "1.1"),
    {0}};

static const struct shk_system driven_pendulum_system = {.n = 2,
                                                         .m = 1,
                                                         .features = SHK_RHEONOMIC,
                                                         SHK_BOB_POTENTIAL,
                                                         SHK_CONSTRAINT,
                                                         .constraint_rate = constraint_rate};

SHK_PROVIDE_PROBLEM(
    driven_pendulum, driven, &driven_pendulum_system, .name = "driven-pendulum",
    .family = "pendulums and chains",
    .summary = "planar pendulum with a moving pivot: a constraint that depends on time",
    .equations = "H = |p|²/(2m) + m g y\n"
                 "0 = ½ (|q - c(t)|² - L²),  c = A sin(w t) (sin d, cos d)\n"
                 "start: q = L (sin angle, -cos angle), "
                 "v = c' + rate L (cos angle, sin angle)",
    .citation = "L. D. Landau & E. M. Lifshitz, Mechanics, 3rd ed., Pergamon 1976, §5, "
                "problem 3, and §30",
    .units = "any consistent units; dimensionless by default",
    .coordinates = "q = (x, y), y upwards, at rest in space; the pivot starts at the origin");
