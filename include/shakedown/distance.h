/*
 * What the problems with distance constraints share: the constraint of a point at fixed distance
 * from the origin,
 *
 *     g = ½ (|q|² - L²),     G = qᵀ,     g_qq[v,v] = |v|²,
 *
 * as callbacks, the options of a pendulum, and small vector arithmetic.
 */
#ifndef SHAKEDOWN_DISTANCE_H
#define SHAKEDOWN_DISTANCE_H

#include <shakedown/problem.h>

#define SHK_LENGTH_OPTION                                                                          \
  {                                                                                                \
    .name = "length", .kind = SHK_OPTION_REAL, .fallback = "1", .minimum = "0", .positive = true,  \
    .meaning = "length L of the rod"                                                               \
  }
#define SHK_MASS_OPTION                                                                            \
  {                                                                                                \
    .name = "mass", .kind = SHK_OPTION_REAL, .fallback = "1", .minimum = "0", .positive = true,    \
    .meaning = "mass m of the bob"                                                                 \
  }
#define SHK_GRAVITY_OPTION                                                                         \
  {                                                                                                \
    .name = "gravity", .kind = SHK_OPTION_REAL, .fallback = "1", .minimum = "0",                   \
    .meaning = "acceleration g downwards"                                                          \
  }

/* The same options, landing in a member of the problem's struct. */
#define SHK_LENGTH(type, member)                                                                   \
  SHK_REAL(type, member, "length", "1", "length L of the rod", .minimum = "0", .positive = true)
#define SHK_MASS(type, member)                                                                     \
  SHK_REAL(type, member, "mass", "1", "mass m of the bob", .minimum = "0", .positive = true)
#define SHK_GRAVITY(type, member)                                                                  \
  SHK_REAL(type, member, "gravity", "1", "acceleration g downwards", .minimum = "0")

/* A bob on a rod from the origin, with y (in the plane) or z (in space) upwards. */
static inline const struct shk_picture *shk_pendulum_picture(int dimension)
{
  static const real pivot[3] = {0, 0, 0};
  static const struct shk_picture_line rod[] = {{-1, 0, false}};
  static const struct shk_picture plane = {.struct_size = sizeof plane,
                                           .dimension = 2,
                                           .point_count = 1,
                                           .fixed_count = 1,
                                           .fixed = pivot,
                                           .line_count = 1,
                                           .lines = rod};
  static const struct shk_picture space = {.struct_size = sizeof space,
                                           .dimension = 3,
                                           .up = 2,
                                           .point_count = 1,
                                           .fixed_count = 1,
                                           .fixed = pivot,
                                           .line_count = 1,
                                           .lines = rod};
  return dimension == 2 ? &plane : &space;
}

/* The first member of the context of a problem with one point on a sphere or circle. */
struct shk_sphere {
  int dimension;
  real length;
};

static inline real shk_dot(const real *a, const real *b, int dimension)
{
  real sum = 0;
  for (int i = 0; i < dimension; i++)
    sum += a[i] * b[i];
  return sum;
}

static inline int shk_sphere_constraint(const void *context, real *g, real t, const real *q)
{
  const struct shk_sphere *sphere = context;
  (void)t;
  g[0] = (shk_dot(q, q, sphere->dimension) - sphere->length * sphere->length) / 2;
  return 0;
}

static inline int shk_sphere_jacobian(const void *context, real *values, real t, const real *q)
{
  const struct shk_sphere *sphere = context;
  (void)t;
  for (int i = 0; i < sphere->dimension; i++)
    values[i] = q[i];
  return 0;
}

static inline int shk_sphere_curvature(const void *context, real *out, real t, const real *q,
                                       const real *v)
{
  const struct shk_sphere *sphere = context;
  (void)t, (void)q;
  out[0] = shk_dot(v, v, sphere->dimension);
  return 0;
}

/* The point with polar angle (from the downward vertical) and azimuth on the sphere of radius L,
 *     q = L (sin a cos b, sin a sin b, -cos a),
 * and its velocity at the rates of the two angles. */
static inline void shk_sphere_start(real length, real polar, real azimuth, real polar_rate,
                                    real azimuth_rate, real *q, real *v)
{
  const real sa = real_sin(polar), ca = real_cos(polar);
  const real sb = real_sin(azimuth), cb = real_cos(azimuth);
  q[0] = length * sa * cb;
  q[1] = length * sa * sb;
  q[2] = -length * ca;
  v[0] = length * (polar_rate * ca * cb - azimuth_rate * sa * sb);
  v[1] = length * (polar_rate * ca * sb + azimuth_rate * sa * cb);
  v[2] = length * polar_rate * sa;
}

/* The length of a spring, from `a` (NULL: the origin) to `b`. */
static inline real shk_distance(const real *a, const real *b, int dimension)
{
  real sum = 0;
  for (int i = 0; i < dimension; i++) {
    const real d = a == NULL ? b[i] : b[i] - a[i];
    sum += d * d;
  }
  return real_sqrt(sum);
}

/* A positive number to two significant digits, so that it is short in decimal and the same in both
 * precisions: for horizons. */
static inline real shk_short_decimal(real x)
{
  real over = 1, under = 1; /* powers of ten: exact, and so is the rounding of the quotient */
  while (x * over < 10 && over < R(1e20))
    over *= 10;
  while (x >= 100 * under && under < R(1e20))
    under *= 10;
  return over > 1 ? real_floor(x * over + R(0.5)) / over : real_floor(x / under + R(0.5)) * under;
}

#endif
