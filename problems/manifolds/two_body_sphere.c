/*
 * Two bodies on a sphere that attract each other, as in the Kepler problem in a curved space:
 *
 *     H = |p_1|²/(2 m1) + |p_2|²/(2 m2) - k cot ϑ,   cos ϑ = r_1·r_2/R²
 *     0 = ½ (|r_i|² - R²),  i = 1, 2
 *
 * ϑ is the angle between the two bodies, and the constraint force is -Gᵀλ. With c = r_1·r_2/R² and
 * V = -k c/√(1 - c²), V' = -k (1 - c²)^(-3/2), so the force on r_1 is parallel to r_2 and vice
 * versa. The invariants are the three components of the angular momentum Σ r_i × p_i. Unlike in the
 * plane, the relative motion does not separate, and the system is not integrable, so there is no
 * exact solution. V has two singularities at which it cannot be evaluated: an attractive one where
 * the bodies meet, and a repulsive one where they are antipodal.
 *
 * Source: V. V. Kozlov & A. O. Harin, Kepler's problem in constant curvature spaces, Celest. Mech.
 * Dyn. Astron. 54 (1992) 393; used as a test problem for RATTLE in Hairer, Lubich & Wanner, GNI,
 * §VII.1. The initial state is given by polar angles and azimuths, as in distance.h.
 */
#include "problems/kit/points.h"
#include "problems/kit/problem.h"

struct two_body {
  struct shk_rods rods; /* from the origin */
  struct shk_rod rod[2];
  real radius;
  real mass[6], strength;
  real q[6], p[6]; /* the start */
  struct shk_direction at[2];
};

/* Stores cos ϑ and sin² ϑ as functions of r_1·r_2, which are also defined off the sphere. */
static void angle_between(const struct two_body *s, const real *q, real *cosine, real *sine2)
{
  const real square = s->radius * s->radius;
  *cosine = real_dot(q, q + 3, 3) / square;
  *sine2 = (1 - *cosine) * (1 + *cosine);
}

static int potential(const void *context, real *value, real t, const real *q)
{
  const struct two_body *s = context;
  real cosine, sine2;
  angle_between(s, q, &cosine, &sine2);
  if (!(sine2 > 0))
    return 1;
  *value = -s->strength * cosine / real_sqrt(sine2);
  return 0;
}

static int gradient(const void *context, real *out, real t, const real *q)
{
  const struct two_body *s = context;
  real cosine, sine2;
  angle_between(s, q, &cosine, &sine2);
  if (!(sine2 > 0))
    return 1;
  const real square = s->radius * s->radius;
  const real slope = -s->strength / (sine2 * real_sqrt(sine2) * square);
  for (int i = 0; i < 3; i++) {
    out[i] = slope * q[3 + i];
    out[3 + i] = slope * q[i];
  }
  return 0;
}

SHK_STORED_START(two_body, 6)

static int angular_momentum(const void *context, real *values, real t, const real *q, const real *p)
{
  shk_angular_momentum(values, q, p, 2);
  return 0;
}

static const struct shk_picture picture = {SHK_PICTURE_SPACE(2, 2)};

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct two_body *s = context;
  for (int i = 0; i < 2; i++)
    s->rod[i] = (struct shk_rod){-1, i, s->radius * s->radius};
  s->rods = (struct shk_rods){3, 2, s->rod, NULL};
  SHK_TRY(shk_rods_bind(instance, &s->rods));
  shk_bind_masses(instance, s->mass, 2, 3);
  for (int i = 0; i < 2; i++)
    shk_direction_place(&s->at[i], s->radius, s->q + 3 * i, s->p + 3 * i);
  const real speed = real_max(shk_distance(NULL, s->p, 3), shk_distance(NULL, s->p + 3, 3));
  for (int i = 0; i < 6; i++)
    s->p[i] *= s->mass[i];
  real cosine, sine2;
  angle_between(s, s->q, &cosine, &sine2);
  if (!(sine2 > 64 * REAL_EPSILON) && s->strength != 0)
    return shk_failure(SHK_BAD_INPUT,
                       "the two bodies start at the same point or opposite each other, where the "
                       "potential is singular",
                       0, 0);
  /* The rate of free fall from the initial distance, or the rate of the faster body. */
  const real reduced = s->mass[0] * s->mass[3] / (s->mass[0] + s->mass[3]);
  const real falling =
      real_sqrt(s->strength / (reduced * s->radius * s->radius * sine2 * real_sqrt(sine2)));
  const real fastest = real_max(falling, speed / s->radius);
  shk_set_times(instance, fastest, R(13.7));
  instance->undecidable = SHK_CHAOTIC;
  if (s->strength == 0)
    instance->undecidable |= SHK_LINEAR_POTENTIAL | SHK_FREE_MOTION;
  if (speed == 0)
    instance->undecidable |= SHK_SYMMETRIC_START;
  instance->start = start;
  instance->picture = &picture;
  shk_set_invariants(instance, 3, shk_momentum_names() + 3, angular_momentum);
  return shk_ok();
}

#define BODY(number, mass_, polar_, azimuth_, polar_rate_, azimuth_rate_)                          \
  SHK_REAL(two_body, mass[3 * (number - 1)], "mass" #number, mass_, "mass of body " #number,       \
           SHK_POSITIVE),                                                                          \
      SHK_ANGLE(two_body, at[number - 1].polar, "polar" #number, polar_,                           \
                "initial angle of body " #number " from the downward vertical"),                   \
      SHK_ANGLE(two_body, at[number - 1].azimuth, "azimuth" #number, azimuth_,                     \
                "initial angle of body " #number " about the upward vertical, from +x"),           \
      SHK_REAL(two_body, at[number - 1].polar_rate, "polar-rate" #number, polar_rate_,             \
               "initial rate of its polar angle, in radians per unit time"),                       \
      SHK_REAL(two_body, at[number - 1].azimuth_rate, "azimuth-rate" #number, azimuth_rate_,       \
               "initial rate of its azimuth, in radians per unit time")

static const struct shk_option options[] = {
    SHK_REAL(two_body, radius, "radius", "1", "radius R of the sphere", SHK_POSITIVE),
    SHK_REAL(two_body, strength, "strength", "1", "strength k of the potential", .minimum = "0"),
    BODY(1, "1", "0.6", "0.8", "-0.2", "1.1"),
    BODY(2, "1", "1.5", "0.5", "0", "-0.8"),
    {0}};

static const struct shk_system two_body_sphere_system = {
    .n = 6, SHK_POTENTIAL, SHK_RODS_CONSTRAINT};

SHK_PROVIDE_PROBLEM(
    two_body_sphere, two_body, &two_body_sphere_system, .name = "two-body-sphere",
    .family = "on manifolds", .summary = "two bodies on a sphere under the curved Kepler potential",
    .equations = "H = |p_1|²/(2 m1) + |p_2|²/(2 m2) - k cot ϑ,  cos ϑ = r_1·r_2/R²\n"
                 "0 = ½ (|r_1|² - R²),  0 = ½ (|r_2|² - R²)",
    .citation = "V. V. Kozlov & A. O. Harin, Celest. Mech. Dyn. Astron. 54 (1992) "
                "393-399; Hairer, Lubich & Wanner, Geometric Numerical Integration, 2nd "
                "ed., Springer 2006, §VII.1",
    .units = "dimensionless",
    .coordinates = "q = (r_1, r_2), r = (x, y, z), polar angles from the downward vertical");
