/*
 * Problems with a single point at a fixed distance from the origin: a bob on a sphere or circle
 * under gravity,
 *
 *     H = |p|²/(2m) + m g q_up,     g = ½ (|q|² - L²),     G = qᵀ,     g_qq[v,v] = |v|²,
 *
 * where the last coordinate points up. This header provides their callbacks, options and initial
 * states, along with some vector arithmetic, time scales and horizons.
 */
#ifndef PROBLEMS_KIT_DISTANCE_H
#define PROBLEMS_KIT_DISTANCE_H

#include "problems/kit/picture.h"

/* A bob. It must be the first member of the context of any problem that uses these callbacks. */
struct shk_bob {
  int dimension; /* 2 or 3 */
  real length, mass[3], gravity;
};

/* Options of a bob, stored in members of the problem's struct. */
#define SHK_LENGTH(type, member)                                                                   \
  SHK_REAL(type, member, "length", "1", "length L of the rod", SHK_POSITIVE)
#define SHK_MASS(type, member)                                                                     \
  SHK_REAL(type, member, "mass", "1", "mass m of the bob", SHK_POSITIVE)
#define SHK_GRAVITY(type, member)                                                                  \
  SHK_REAL(type, member, "gravity", "1", "acceleration g downwards", .minimum = "0")
#define SHK_BOB(type, member)                                                                      \
  SHK_LENGTH(type, member.length), SHK_MASS(type, member.mass[0]), SHK_GRAVITY(type, member.gravity)

/* Assigns the same mass to all coordinates, and stores the masses in the system. */
static inline void shk_bob_bind(struct shk_instance *instance, struct shk_bob *bob, int dimension)
{
  bob->dimension = dimension;
  bob->mass[1] = bob->mass[2] = bob->mass[0];
  instance->system.mass = bob->mass;
}

/* The potential V = 0. */
static inline int shk_no_potential(const void *context, real *value, real t, const real *q)
{
  (void)context, (void)t, (void)q;
  *value = 0;
  return 0;
}

/* The potential g m y of a pendulum's bob. */
static inline int shk_bob_potential(const void *context, real *value, real t, const real *q)
{
  const struct shk_bob *bob = context;
  (void)t;
  *value = bob->mass[0] * bob->gravity * q[bob->dimension - 1];
  return 0;
}

static inline int shk_bob_gradient(const void *context, real *out, real t, const real *q)
{
  const struct shk_bob *bob = context;
  (void)t, (void)q;
  for (int i = 0; i < bob->dimension; i++)
    out[i] = i < bob->dimension - 1 ? 0 : bob->mass[0] * bob->gravity;
  return 0;
}

static inline int shk_bob_constraint(const void *context, real *g, real t, const real *q)
{
  const struct shk_bob *bob = context;
  (void)t;
  g[0] = (real_dot(q, q, bob->dimension) - bob->length * bob->length) / 2;
  return 0;
}

static inline int shk_bob_jacobian(const void *context, real *values, real t, const real *q)
{
  const struct shk_bob *bob = context;
  (void)t;
  for (int i = 0; i < bob->dimension; i++)
    values[i] = q[i];
  return 0;
}

static inline int shk_bob_curvature(const void *context, real *out, real t, const real *q,
                                    const real *v)
{
  const struct shk_bob *bob = context;
  (void)t, (void)q;
  out[0] = real_dot(v, v, bob->dimension);
  return 0;
}

/* Initializers of struct shk_system for the potential and for the constraint. */
#define SHK_BOB_POTENTIAL .potential = shk_bob_potential, .gradient = shk_bob_gradient
#define SHK_BOB_CONSTRAINT                                                                         \
  .constraint = shk_bob_constraint, .jacobian = shk_bob_jacobian, .curvature = shk_bob_curvature

/* Places the bob in the plane at the angle θ from the downward vertical towards +x, given the sine
 * and cosine of θ:
 *     q = L (sin θ, -cos θ),   p = m L θ' (cos θ, sin θ). */
static inline void shk_bob_place(const struct shk_bob *bob, real *q, real *p, real sine,
                                 real cosine, real rate)
{
  const real momentum = bob->mass[0] * bob->length * rate;
  q[0] = bob->length * sine;
  q[1] = -bob->length * cosine;
  p[0] = momentum * cosine;
  p[1] = momentum * sine;
}

#define SHK_ANGULAR_RATE(type, member, fallback)                                                   \
  SHK_REAL(type, member, "rate", fallback, "initial rate of the angle, in radians per unit time")

/* Returns true if a line at this angle is vertical up to round-off. */
static inline bool shk_is_vertical(real angle)
{
  return real_fabs(real_sin(angle)) < 8 * REAL_EPSILON;
}

/* A direction on a sphere and its rate of change. The polar angle is measured from the downward
 * vertical. */
struct shk_direction {
  real polar, azimuth, polar_rate, azimuth_rate;
};

/* Options for a direction. `whose` is either empty or a phrase such as " of something". */
#define SHK_DIRECTION(type, member, whose, polar_, azimuth_, ...)                                  \
  SHK_ANGLE(type, member.polar, "polar", polar_,                                                   \
            "initial angle" whose " from the downward vertical"),                                  \
      SHK_ANGLE(type, member.azimuth, "azimuth", azimuth_,                                         \
                "initial angle" whose " about the upward vertical, from +x"),                      \
      SHK_DIRECTION_RATES(type, member, __VA_ARGS__)
#define SHK_DIRECTION_RATES(type, member, polar_, azimuth_)                                        \
  SHK_REAL(type, member.polar_rate, "polar-rate", polar_,                                          \
           "initial rate of the polar angle, in radians per unit time"),                           \
      SHK_REAL(type, member.azimuth_rate, "azimuth-rate", azimuth_,                                \
               "initial rate of the azimuth, in radians per unit time")

/* Stores the point with polar angle a and azimuth b on the sphere of radius L, together with its
 * velocity,
 *     q = L (sin a cos b, sin a sin b, -cos a). */
static inline void shk_direction_place(const struct shk_direction *at, real length, real *q,
                                       real *v)
{
  const real sa = real_sin(at->polar), ca = real_cos(at->polar);
  const real sb = real_sin(at->azimuth), cb = real_cos(at->azimuth);
  q[0] = length * sa * cb;
  q[1] = length * sa * sb;
  q[2] = -length * ca;
  v[0] = length * (at->polar_rate * ca * cb - at->azimuth_rate * sa * sb);
  v[1] = length * (at->polar_rate * ca * sb + at->azimuth_rate * sa * cb);
  v[2] = length * at->polar_rate * sa;
}

/* The picture of a bob on a rod from the origin. In the plane, y points up; in space, z does. */
static inline const struct shk_picture *shk_bob_picture(int dimension)
{
  static const real pivot[3] = {0, 0, 0};
  static const struct shk_picture_line rod[] = {{-1, 0, false}};
  static const struct shk_picture pictures[] = {
      {SHK_PICTURE_PLANE(1), SHK_PICTURE_FIXED(1, pivot), SHK_PICTURE_LINES(rod)},
      {SHK_PICTURE_SPACE(2, 1), SHK_PICTURE_FIXED(1, pivot), SHK_PICTURE_LINES(rod)}};
  return &pictures[dimension - 2];
}

/* Copies each point's mass from its first coordinate to the others, and sets the system's
 * masses. */
static inline void shk_bind_masses(struct shk_instance *instance, real *mass, int points,
                                   int dimension)
{
  for (int i = 0; i < points * dimension; i++)
    mass[i] = mass[i - i % dimension];
  instance->system.mass = mass;
}

/* Copies the initial state from the problem's struct. */
static inline int shk_copy_start(real *q, real *p, const real *from_q, const real *from_p, int n)
{
  for (int i = 0; i < n; i++) {
    q[i] = from_q[i];
    p[i] = from_p[i];
  }
  return 0;
}

/* Returns the length of the vector from `a` to `b`. If `a` is NULL, the vector starts at the
 * origin. */
static inline real shk_distance(const real *a, const real *b, int dimension)
{
  real sum = 0;
  for (int i = 0; i < dimension; i++) {
    const real d = !a ? b[i] : b[i] - a[i];
    sum += d * d;
  }
  return real_sqrt(sum);
}

/* Rounds a positive number, such as a horizon, to two significant digits, so that its decimal form
 * is short and the number is the same in all precisions. */
static inline real shk_short_decimal(real x)
{
  /* powers of ten are exact, so the rounding of the quotient is exact too */
  real over = 1, under = 1;
  while (x * over < 10 && over < R(1e20))
    over *= 10;
  while (x >= 100 * under && under < R(1e20))
    under *= 10;
  return over > 1 ? real_floor(x * over + R(0.5)) / over : real_floor(x / under + R(0.5)) * under;
}

/* Sets the time scale to the inverse of the fastest rate (or to 1 if nothing moves), and the
 * horizon to `scales` time scales. */
static inline void shk_set_times(struct shk_instance *instance, real fastest, real scales)
{
  instance->time_scale = fastest > 0 ? 1 / fastest : 1;
  instance->horizon = shk_short_decimal(scales * instance->time_scale);
}

#endif
