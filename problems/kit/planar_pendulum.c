/* The exact motion of a pendulum's angle. See planar_pendulum.h for the formulas. */
#include "problems/kit/planar_pendulum.h"

#include "problems/kit/distance.h"
#include "problems/kit/elliptic.h"

bool shk_planar_pendulum_solve(struct shk_planar_pendulum *s, real w, real angle, real rate)
{
  *s = (struct shk_planar_pendulum){.angle = angle, .rate = rate};
  if (w == 0) {
    s->motion = SHK_PENDULUM_FREE;
    s->frequency = real_fabs(s->rate);
    return true;
  }
  real sine = real_sin(s->angle / 2), cosine = real_cos(s->angle / 2);
  const real r = s->rate / (2 * w);
  if (cosine < 0) { /* θ + 2π is the same position */
    sine = -sine;
    cosine = -cosine;
  }
  s->amplitude = real_sqrt(sine * sine + r * r);
  const real gap = (cosine - real_fabs(r)) * (cosine + real_fabs(r)); /* 1 - k² */
  s->k = s->amplitude;
  if (gap > 0) {
    s->motion = SHK_PENDULUM_LIBRATION;
    s->frequency = w;
    s->k1 = real_min(real_sqrt(gap), 1);
    /* sin φ = s/k, cos φ = r/k, 1 - k² sin² φ = c² */
    if (s->amplitude > 0)
      s->phase = shk_elliptic_incomplete(sine / s->k, r / s->k, cosine * cosine, s->k1);
  } else {
    s->motion = SHK_PENDULUM_ROTATION;
    s->frequency = w * s->amplitude;
    s->sign = s->rate < 0 ? -1 : 1;
    s->k = 1 / s->amplitude;
    s->k1 = real_sqrt(-gap) * s->k;
    /* φ = θ/2, 1 - sin² φ/k² = (r/k)² */
    s->phase = s->sign * shk_elliptic_incomplete(sine, cosine, r * r * s->k * s->k, s->k1);
  }
  /* Unless the energy is exactly that of the separatrix, the initial state must not be too close to
   * it: round-off would then determine on which side the state is. */
  return real_fabs(gap) > 1024 * REAL_EPSILON || (gap == 0 && cosine > 0);
}

void shk_planar_pendulum_at(const struct shk_planar_pendulum *s, real *sine, real *cosine,
                            real *rate, real t)
{
  if (s->motion == SHK_PENDULUM_FREE) {
    const real angle = s->angle + s->rate * t;
    *sine = real_sin(angle);
    *cosine = real_cos(angle);
    *rate = s->rate;
    return;
  }
  real sn, cn, dn;
  shk_jacobi(&sn, &cn, &dn, s->phase + s->frequency * t, s->k1);
  const bool librates = s->motion == SHK_PENDULUM_LIBRATION;
  const real half_sine = librates ? s->k * sn : s->sign * sn;
  const real half_cosine = librates ? dn : cn;
  *sine = 2 * half_sine * half_cosine;
  /* cos θ = c² - s², in a form that does not lose digits of the smaller term. */
  *cosine = real_fabs(half_sine) < real_fabs(half_cosine) ? 1 - 2 * half_sine * half_sine
                                                          : 2 * half_cosine * half_cosine - 1;
  const real w = librates ? s->frequency : s->frequency / s->amplitude;
  *rate = 2 * w * (librates ? s->k * cn : s->sign * s->amplitude * dn);
}

/* Computes θ from the half-angle functions. In libration, θ is between -pi and pi; in rotation,
 * each increase of u by 2K adds a turn. */
static real unwound_angle(const struct shk_planar_pendulum *s, real t)
{
  real sn, cn, dn;
  const real u = s->phase + s->frequency * t;
  if (s->motion == SHK_PENDULUM_LIBRATION || s->k1 == 0) {
    shk_jacobi(&sn, &cn, &dn, u, s->k1);
    return s->motion == SHK_PENDULUM_LIBRATION ? 2 * real_atan2(s->k * sn, dn)
                                               : 2 * s->sign * real_atan2(sn, cn);
  }
  const real turn = 2 * shk_elliptic_complete(s->k1), turns = real_floor(u / turn + R(0.5));
  shk_jacobi(&sn, &cn, &dn, u - turns * turn, s->k1);
  return 2 * s->sign * (real_atan2(sn, cn) + turns * REAL_PI);
}

real shk_planar_pendulum_angle(const struct shk_planar_pendulum *s, real t)
{
  if (s->motion == SHK_PENDULUM_FREE)
    return s->angle + s->rate * t;
  const real winding = real_floor((s->angle - unwound_angle(s, 0)) / (2 * REAL_PI) + R(0.5));
  return unwound_angle(s, t) + winding * 2 * REAL_PI;
}

/*
 * The pendulum is level when s² = c² = ½. In rotation, this means sn² u = ½. In libration, it means
 * sn² u = 1/(2k²), which is never reached if the amplitude is below a right angle. If F is the
 * elliptic integral up to that sine, the solutions are u = 2 j K ± F for any integer j. The times
 * are those of the solutions with u above its initial value.
 */
int shk_planar_pendulum_level_times(const struct shk_planar_pendulum *s, real *times, int limit,
                                    real until)
{
  enum { MOST = 1000000 };
  int count = 0;
  if (s->motion == SHK_PENDULUM_FREE) {
    if (s->rate == 0)
      return 0;
    /* initial θ, measured in the direction of motion */
    const real turn = s->rate < 0 ? -s->angle : s->angle;
    for (real j = real_floor((turn - REAL_PI / 2) / REAL_PI);; j++) {
      const real t = (REAL_PI / 2 + j * REAL_PI - turn) / s->frequency;
      if (!(t <= until) || count == MOST)
        return count;
      if (t > 0 && count++ < limit)
        times[count - 1] = t;
    }
  }
  const bool librates = s->motion == SHK_PENDULUM_LIBRATION;
  const real sine2 = librates ? 1 / (2 * s->amplitude * s->amplitude) : R(0.5);
  if (!(sine2 < 1))
    return 0;
  /* 1 - k² sin² equals ½ in libration, and 1 - 1/(2k²) in rotation, where the modulus is 1/k. */
  const real offset = shk_elliptic_incomplete(real_sqrt(sine2), real_sqrt(1 - sine2),
                                              librates ? R(0.5) : 1 - s->k * s->k / 2, s->k1);
  const bool once = s->k1 == 0; /* the separatrix has no period, so the only solutions are u = ±F */
  const real period = once ? 0 : 2 * shk_elliptic_complete(s->k1);
  for (real j = once ? 0 : real_floor((s->phase - offset) / period);; j++)
    for (int side = -1; side <= 1; side += 2) {
      const real t = (j * period + (real)side * offset - s->phase) / s->frequency;
      if ((once && j > 0) || !(t <= until) || count == MOST)
        return count;
      if (t > 0 && count++ < limit)
        times[count - 1] = t;
    }
}

unsigned shk_planar_pendulum_undecidable(const struct shk_planar_pendulum *s)
{
  unsigned flags = SHK_ONE_DEGREE_OF_FREEDOM | SHK_LINEAR_POTENTIAL;
  if (s->motion == SHK_PENDULUM_FREE)
    flags |= SHK_FREE_MOTION;
  /* The pendulum starts at rest, or at a point where gravity has no tangential component. */
  if (s->rate == 0 || shk_is_vertical(s->angle))
    flags |= SHK_SYMMETRIC_START;
  return flags;
}
