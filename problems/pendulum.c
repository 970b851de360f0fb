/*
 * The planar pendulum in Cartesian coordinates, with its exact solution.
 *
 *     H = |p|²/(2m) + m g y        0 = ½ (x² + y² - L²)
 *     m x'' = -λ x                 m y'' = -m g - λ y         (p' = -H_q - Gᵀλ)
 *     λ = (m g cos θ + m L θ'²) / L
 *
 * q = (x,y) = L (sin θ, -cos θ), y upwards, θ from the downward vertical. With w² = g/L,
 * s = sin θ/2, c = cos θ/2, r = θ'/(2w), the energy is k² = s² + r², and
 *
 *     k < 1, libration:  s = k sn(u;k),      c = dn(u;k),      r = k cn(u;k),       u = u₀ + w t
 *     k > 1, rotation:   s = sn(u;1/k),      c = cn(u;1/k),    r = k dn(u;1/k),     u = u₀ + k w t
 *     k = 1, separatrix: both, with tanh and sech
 *
 * (E. T. Whittaker, Analytical Dynamics, 4th ed., §44; NIST DLMF §22.19(i)). The complement of the
 * modulus comes from 1 - k² = (|c| - |r|)(|c| + |r|), so near the separatrix it has the accuracy
 * of the start. When it is zero to round-off but not zero, the start no longer says on which side
 * of the separatrix it lies, and no exact solution is given.
 */
#include "mechanics/elliptic.h"
#include <shakedown/distance.h>
#include <shakedown/plugin.h>

#include <stdlib.h>

enum motion { FREE, LIBRATION, ROTATION };

struct pendulum {
  struct shk_sphere sphere;
  real mass[2], gravity, angle, rate;
  enum motion motion;
  real frequency; /* w; of u in rotation k w */
  real k, k1;     /* modulus of the elliptic functions (libration k, rotation 1/k), complement */
  real amplitude; /* k itself: the largest |θ'|/(2w) */
  real sign;      /* rotation: of θ' */
  real phase;     /* u₀ */
};

static int potential(const void *context, real *value, real t, const real *q)
{
  const struct pendulum *s = context;
  (void)t;
  *value = s->mass[0] * s->gravity * q[1];
  return 0;
}

static int gradient(const void *context, real *out, real t, const real *q)
{
  const struct pendulum *s = context;
  (void)t, (void)q;
  out[0] = 0;
  out[1] = s->mass[0] * s->gravity;
  return 0;
}

static int start(const void *context, real *q, real *p)
{
  const struct pendulum *s = context;
  const real length = s->sphere.length, sine = real_sin(s->angle), cosine = real_cos(s->angle);
  q[0] = length * sine;
  q[1] = -length * cosine;
  p[0] = s->mass[0] * length * s->rate * cosine;
  p[1] = s->mass[0] * length * s->rate * sine;
  return 0;
}

static int exact(const void *context, real *q, real *p, real *lambda, real t)
{
  const struct pendulum *s = context;
  const real length = s->sphere.length, mass = s->mass[0];
  real sine, cosine, rate; /* sin θ, cos θ, θ' */
  if (s->motion == FREE) {
    const real angle = s->angle + s->rate * t;
    sine = real_sin(angle);
    cosine = real_cos(angle);
    rate = s->rate;
  } else {
    real sn, cn, dn;
    shk_jacobi(&sn, &cn, &dn, s->phase + s->frequency * t, s->k1);
    const bool swings = s->motion == LIBRATION;
    const real half_sine = swings ? s->k * sn : s->sign * sn;
    const real half_cosine = swings ? dn : cn;
    sine = 2 * half_sine * half_cosine;
    /* Whichever half of cos θ = c² - s² keeps the small one's digits. */
    cosine = real_fabs(half_sine) < real_fabs(half_cosine) ? 1 - 2 * half_sine * half_sine
                                                           : 2 * half_cosine * half_cosine - 1;
    const real w = swings ? s->frequency : s->frequency / s->amplitude;
    rate = 2 * w * (swings ? s->k * cn : s->sign * s->amplitude * dn);
  }
  q[0] = length * sine;
  q[1] = -length * cosine;
  p[0] = mass * length * rate * cosine;
  p[1] = mass * length * rate * sine;
  lambda[0] = mass * (rate * rate + s->gravity * cosine / length);
  return 0;
}

/* Settles the kind of motion and its constants. Returns whether an exact solution can be given. */
static bool solve(struct pendulum *s)
{
  const real w = real_sqrt(s->gravity / s->sphere.length);
  if (w == 0) {
    s->motion = FREE;
    s->frequency = real_fabs(s->rate);
    return true;
  }
  real sine = real_sin(s->angle / 2), cosine = real_cos(s->angle / 2);
  const real r = s->rate / (2 * w);
  if (cosine < 0) { /* θ + 2π is the same place */
    sine = -sine;
    cosine = -cosine;
  }
  s->amplitude = real_sqrt(sine * sine + r * r);
  const real gap = (cosine - real_fabs(r)) * (cosine + real_fabs(r)); /* 1 - k² */
  s->k = s->amplitude;
  if (gap > 0) {
    s->motion = LIBRATION;
    s->frequency = w;
    s->k1 = real_min(real_sqrt(gap), 1);
    /* sin φ = s/k, cos φ = r/k, 1 - k² sin² φ = c² */
    if (s->amplitude > 0)
      s->phase = shk_elliptic_incomplete(sine / s->k, r / s->k, cosine * cosine, s->k1);
  } else {
    s->motion = ROTATION;
    s->frequency = w * s->amplitude;
    s->sign = s->rate < 0 ? -1 : 1;
    s->k = 1 / s->amplitude;
    s->k1 = real_sqrt(-gap) * s->k;
    /* φ = θ/2, 1 - sin² φ/k² = (r/k)² */
    s->phase = s->sign * shk_elliptic_incomplete(sine, cosine, r * r * s->k * s->k, s->k1);
  }
  /* On the separatrix the rate must be seen exactly: between, the start is all rounding. */
  return real_fabs(gap) > 1024 * REAL_EPSILON || (gap == 0 && cosine > 0);
}

/* After one to two periods, at a phase that is neither a turning point nor a lowest point nor a
 * mirror image of the start: phases (j + 0.43) K or (j + 0.61) K. */
static real generic_horizon(const struct pendulum *s)
{
  if (s->motion == FREE)
    return s->frequency > 0 ? R(7.3) / s->frequency : R(7.3);
  if (s->k1 < R(1e-3)) /* near the separatrix a period is one visit of the unstable point */
    return R(3.7) / s->frequency;
  const real quarter = shk_elliptic_complete(s->k1);
  const real least = s->phase + 5 * quarter;
  static const int hundredths[] = {43, 61};
  for (int i = 0;; i++) {
    const real part = (real)hundredths[i] / 100;
    const real end = (real_floor(least / quarter - part) + 1 + part) * quarter;
    const real turns = real_floor((end + s->phase) / (2 * quarter) + R(0.5));
    const real mirrored = real_fabs((end + s->phase) / (2 * quarter) - turns);
    const real same = (end - s->phase) / (2 * quarter);
    const real repeated = real_fabs(same - real_floor(same + R(0.5)));
    if (i == 1 || (mirrored > R(0.07) && repeated > R(0.07)))
      return (end - s->phase) / s->frequency;
  }
}

static struct shk_status create(struct shk_instance *instance, const struct shk_values *values)
{
  struct pendulum *s = calloc(1, sizeof *s);
  if (s == NULL)
    return shk_failure(SHK_NO_MEMORY, "no memory for a pendulum", 0, 0);
  s->sphere = (struct shk_sphere){2, shk_values_real(values, "length")};
  s->mass[0] = s->mass[1] = shk_values_real(values, "mass");
  s->gravity = shk_values_real(values, "gravity");
  s->angle = shk_values_real(values, "angle");
  s->rate = shk_values_real(values, "rate");
  const bool known = solve(s);
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
  instance->time_scale = s->frequency > 0 ? 1 / s->frequency : 1;
  instance->horizon = shk_short_decimal(generic_horizon(s));
  instance->undecidable = SHK_ONE_DEGREE_OF_FREEDOM | SHK_LINEAR_POTENTIAL;
  if (s->motion == FREE)
    instance->undecidable |= SHK_FREE_MOTION;
  /* At rest, or where gravity has no tangential part. */
  if (s->rate == 0 || real_fabs(real_sin(s->angle)) < 8 * REAL_EPSILON)
    instance->undecidable |= SHK_SYMMETRIC_START;
  instance->start = start;
  instance->exact = known ? exact : NULL;
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
    {.name = "angle",
     .kind = SHK_OPTION_ANGLE,
     .fallback = "90deg",
     .meaning = "angle at the start, from the downward vertical, towards +x"},
    {.name = "rate",
     .kind = SHK_OPTION_REAL,
     .fallback = "0",
     .meaning = "rate of the angle at the start, in radians per unit of time"},
    {0}};

static const struct shk_problem pendulum = {
    .struct_size = sizeof pendulum,
    .info = {.name = "pendulum",
             .summary = "planar pendulum, exact by Jacobi's elliptic functions",
             .equations = "H = |p|²/(2m) + m g y\n"
                          "0 = ½ (x² + y² - L²)\n"
                          "start: q = L (sin angle, -cos angle), v = rate L (cos angle, sin angle)",
             .citation = "E. T. Whittaker, A Treatise on the Analytical Dynamics of Particles and "
                         "Rigid Bodies, 4th ed., Cambridge 1937, §44",
             .units = "any consistent units; dimensionless by default",
             .coordinates = "q = (x, y), y upwards, the pivot at the origin",
             .options = options},
    .create = create,
    .destroy = destroy,
};

SHK_PROVIDE(pendulum, .problems = SHK_PROBLEMS(&pendulum));
