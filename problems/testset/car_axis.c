/*
 * The car axis: a rod on two springs over a bumpy road, with a moving constraint.
 *
 *     H = |p|²/(2K) + ½ (l_l - l0)² + ½ (l_r - l0)² + K g (y_l + y_r),     K = M ε²/2
 *     0 = x_l x_b + y_l y_b,     0 = ½ ((x_l - x_r)² + (y_l - y_r)² - L²)
 *
 * with q = (x_l, y_l, x_r, y_r), the positions of two point masses K. The left wheel is at the
 * origin. The right wheel follows the bumps: y_b = r sin(w t), x_b = √(L² - y_b²). l_l and l_r are
 * the distances of the points from their wheels, that is, the lengths of springs with unit
 * stiffness. The potential of the right spring depends on t because the wheel moves. The first
 * constraint, which also depends on t, requires the position of the left point to be perpendicular
 * to the line between the wheels; the second constraint is the rod. H is not conserved.
 *
 * The constraint force is -Gᵀλ. The Test Set writes +φ_qᵀλ, and writes the second constraint
 * without the factor ½, so its multipliers are -λ_1 and -λ_2/2. All quantities are dimensionless.
 * The problem is less stiff than it looks, because the springs oscillate at the rate 1/√K.
 *
 * Source: F. Mazzia & C. Magherini, Test Set for Initial Value Problem Solvers, release 2.4,
 * 2008, "Car axis problem"; S. Schneider, Intégration de systèmes d'équations différentielles
 * raides et différentielles-algébriques par des méthodes de collocations et méthodes générales
 * linéaires, thesis, Genève 1994.
 */
#include "problems/kit/problem.h"

#include <string.h>

enum { XL, YL, XR, YR, COORDINATES };

struct car_axis {
  real mass[COORDINATES];
  real length, rest, gravity, amplitude, frequency;
  real epsilon;
};

/* Computes the position, velocity and acceleration of the wheel on the bumps, in x and y. */
struct wheel {
  real x, y, vx, vy, ax, ay;
};

static struct wheel wheel_at(const struct car_axis *s, real t)
{
  const real phase = s->frequency * t;
  struct wheel w = {.y = s->amplitude * real_sin(phase),
                    .vy = s->amplitude * s->frequency * real_cos(phase)};
  w.ay = -s->frequency * s->frequency * w.y;
  w.x = real_sqrt(s->length * s->length - w.y * w.y);
  w.vx = -w.y * w.vy / w.x;
  w.ax = -(w.vx * w.vx + w.vy * w.vy + w.y * w.ay) / w.x;
  return w;
}

static real distance_of(real x, real y)
{
  return real_sqrt(x * x + y * y);
}

static int potential(const void *context, real *value, real t, const real *q)
{
  const struct car_axis *s = context;
  const struct wheel w = wheel_at(s, t);
  const real left = distance_of(q[XL], q[YL]) - s->rest;
  const real right = distance_of(q[XR] - w.x, q[YR] - w.y) - s->rest;
  *value = (left * left + right * right) / 2 + s->mass[0] * s->gravity * (q[YL] + q[YR]);
  return 0;
}

static int gradient(const void *context, real *out, real t, const real *q)
{
  const struct car_axis *s = context;
  const struct wheel w = wheel_at(s, t);
  const real x = q[XR] - w.x, y = q[YR] - w.y;
  const real left = 1 - s->rest / distance_of(q[XL], q[YL]);
  const real right = 1 - s->rest / distance_of(x, y);
  const real weight = s->mass[0] * s->gravity;
  out[XL] = left * q[XL];
  out[YL] = left * q[YL] + weight;
  out[XR] = right * x;
  out[YR] = right * y + weight;
  return 0;
}

static int constraint(const void *context, real *g, real t, const real *q)
{
  const struct car_axis *s = context;
  const struct wheel w = wheel_at(s, t);
  const real x = q[XL] - q[XR], y = q[YL] - q[YR];
  g[0] = q[XL] * w.x + q[YL] * w.y;
  g[1] = (x * x + y * y - s->length * s->length) / 2;
  return 0;
}

static int jacobian(const void *context, real *G, real t, const real *q)
{
  const struct wheel w = wheel_at(context, t);
  const real x = q[XL] - q[XR], y = q[YL] - q[YR];
  const real values[2 * COORDINATES] = {w.x, w.y, 0, 0, x, y, -x, -y};
  for (int i = 0; i < 2 * COORDINATES; i++)
    G[i] = values[i];
  return 0;
}

static int constraint_rate(const void *context, real *g_t, real t, const real *q)
{
  const struct wheel w = wheel_at(context, t);
  g_t[0] = q[XL] * w.vx + q[YL] * w.vy;
  g_t[1] = 0;
  return 0;
}

static int curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  const struct wheel w = wheel_at(context, t);
  const real x = v[XL] - v[XR], y = v[YL] - v[YR];
  out[0] = 2 * (v[XL] * w.vx + v[YL] * w.vy) + q[XL] * w.ax + q[YL] * w.ay;
  out[1] = x * x + y * y;
  return 0;
}

/* Initially, the rod is level above the wheels, and both points move backwards at the speed at
 * which the bump begins to rise. */
static int start_car_axis(const void *context, real *q, real *p)
{
  const struct car_axis *s = context;
  q[XL] = 0;
  q[YL] = q[YR] = s->rest;
  q[XR] = s->length;
  p[XL] = p[XR] = -s->mass[0] * s->rest * s->amplitude * s->frequency / s->length;
  p[YL] = p[YR] = 0;
  return 0;
}

/* Stores the left end of the axle, the wheel on the bumps, and the right end. */
static int draw_points(const void *context, real *r, real t, const real *q)
{
  const struct wheel w = wheel_at(context, t);
  r[0] = q[XL];
  r[1] = q[YL];
  r[2] = w.x;
  r[3] = w.y;
  r[4] = q[XR];
  r[5] = q[YR];
  return 0;
}

static const real left_wheel[2] = {0, 0};
static const struct shk_picture_line lines[] = {{0, 2, false}, {-1, 0, true}, {1, 2, true}};
static const struct shk_picture picture = {SHK_PICTURE_PLANE(3), .place = draw_points,
                                           SHK_PICTURE_FIXED(1, left_wheel),
                                           SHK_PICTURE_LINES(lines)};

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct car_axis *s = context;
  const real mass = s->mass[0] * s->epsilon * s->epsilon / 2;
  for (int i = 0; i < COORDINATES; i++)
    s->mass[i] = mass;
  if (!(s->amplitude < s->length))
    return shk_failure(SHK_BAD_INPUT,
                       "found a bump of amplitude %g, expected less than the length %g",
                       (double)s->amplitude, (double)s->length);

  instance->system.mass = s->mass;
  instance->time_scale = real_sqrt(mass);
  if (s->frequency * instance->time_scale > 1)
    instance->time_scale = 1 / s->frequency;
  /* By default, the horizon is about three periods of the bumps, but not a whole number of
   * periods. */
  instance->horizon = shk_short_decimal(R(85.0) * instance->time_scale);
  instance->undecidable = SHK_NO_REVERSAL; /* the motion of the bumps is prescribed */
  instance->start = start_car_axis;
  instance->picture = &picture;
  return shk_ok();
}

static const struct shk_option options[] = {
    SHK_REAL(car_axis, epsilon, "epsilon", "0.01", "factor in the point masses, mass epsilon²/2",
             SHK_POSITIVE),
    SHK_REAL(car_axis, mass[0], "mass", "10", "mass of the chassis, before scaling", SHK_POSITIVE),
    SHK_REAL(car_axis, length, "length", "1",
             "length of the rod and of the line between the wheels", SHK_POSITIVE),
    SHK_REAL(car_axis, rest, "rest", "0.5", "length of the springs at rest", SHK_POSITIVE),
    SHK_REAL(car_axis, gravity, "gravity", "1", "acceleration of the uniform field",
             .minimum = "0"),
    SHK_REAL(car_axis, amplitude, "amplitude", "0.1", "height of the bump, less than the length",
             .minimum = "0"),
    SHK_REAL(car_axis, frequency, "frequency", "10",
             "frequency of the bump, in radians per unit time", .minimum = "0"),
    {0}};

static const struct shk_system car_axis_system = {.n = COORDINATES,
                                                  .m = 2,
                                                  .features = SHK_RHEONOMIC,
                                                  SHK_POTENTIAL,
                                                  SHK_CONSTRAINT,
                                                  .constraint_rate = constraint_rate};

SHK_PROVIDE_PROBLEM(
    car_axis, car_axis, &car_axis_system, .name = "car-axis", .family = "test sets of DAEs",
    .summary = "car axis from the IVP Test Set: a rod on springs, with a constraint g(q,t)",
    .equations = "H = |p|²/(2K) + ½ (l_l - l0)² + ½ (l_r - l0)² + K g (y_l + y_r)\n"
                 "0 = x_l x_b + y_l y_b\n"
                 "0 = ½ ((x_l - x_r)² + (y_l - y_r)² - L²)\n"
                 "K = M ε²/2, y_b = r sin(w t), x_b = √(L² - y_b²)",
    .citation = "Test Set for IVP Solvers, release 2.4, 2008; S. Schneider, thesis, "
                "Genève 1994",
    .units = "dimensionless",
    .coordinates = "q = (x_l, y_l, x_r, y_r), the left wheel at the origin, y upwards");
