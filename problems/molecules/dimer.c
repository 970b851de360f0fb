/*
 * A rigid dimer in space: two particles at a fixed distance, in a uniform field.
 *
 *     H = |p_1|²/(2 m1) + |p_2|²/(2 m2) + g (m1 z_1 + m2 z_2)       0 = ½ (|r_2 - r_1|² - L²)
 *
 * q = (r_1, r_2), and z points up. The constraint force is -Gᵀλ, so λ > 0 means that the bond is
 * under the tension λ L. The field accelerates both particles equally and therefore does not affect
 * the relative motion. This motion is a uniform rotation of d = r_2 - r_1 about a fixed axis at the
 * rate w = |u|/L, where u is the relative velocity:
 *
 *     r_c(t) = r_c(0) + v_c t - ½ g t² e_z,     d(t) = d(0) cos w t + u(0) sin(w t)/w,
 *     λ = μ w²,     μ = m1 m2/(m1 + m2)
 *
 * (the two-body reduction; L. D. Landau & E. M. Lifshitz, Mechanics, 3rd ed., §13). The invariants
 * are the horizontal momenta, the angular momentum about the vertical through the origin, and the
 * three components of the spin μ d × u, which is the angular momentum about the centre of mass.
 * Without the field, all momenta and angular momenta are conserved, and the spin is a function of
 * them.
 */
#include "problems/kit/points.h"
#include "problems/kit/problem.h"

struct dimer {
  struct shk_rods rods;
  struct shk_rod rod;
  real length;
  real mass[6], gravity;
  real centre[3], drift[3];   /* initial position and velocity of the centre of mass */
  real vector[3], turning[3]; /* initial values of the vectors d and u */
  real rate, reduced;         /* w, μ */
  struct shk_direction at;
};

static int potential(const void *context, real *value, real t, const real *q)
{
  const struct dimer *s = context;
  *value = s->gravity * (s->mass[0] * q[2] + s->mass[3] * q[5]);
  return 0;
}

static int gradient(const void *context, real *out, real t, const real *q)
{
  const struct dimer *s = context;
  for (int i = 0; i < 6; i++)
    out[i] = i % 3 == 2 ? s->gravity * s->mass[i] : 0;
  return 0;
}

/* Stores the positions of both particles, given the centre of mass and the vector between the
 * particles, and stores the momenta, given the velocities of both. */
static void place_dimer(const struct dimer *s, real *q, real *p, const real *centre,
                        const real *drift, const real *vector, const real *turning)
{
  const real m1 = s->mass[0], m2 = s->mass[3], total = m1 + m2;
  for (int i = 0; i < 3; i++) {
    q[i] = centre[i] - vector[i] * (m2 / total);
    q[3 + i] = centre[i] + vector[i] * (m1 / total);
    p[i] = m1 * drift[i] - s->reduced * turning[i];
    p[3 + i] = m2 * drift[i] + s->reduced * turning[i];
  }
}

static int start_dimer(const void *context, real *q, real *p)
{
  const struct dimer *s = context;
  place_dimer(s, q, p, s->centre, s->drift, s->vector, s->turning);
  return 0;
}

static int exact(const void *context, real *q, real *p, real *lambda, real t)
{
  const struct dimer *s = context;
  const real cosine = real_cos(s->rate * t), sine = real_sin(s->rate * t);
  real centre[3], drift[3], vector[3], turning[3];
  for (int i = 0; i < 3; i++) {
    const real fall = i == 2 ? s->gravity : 0;
    centre[i] = s->centre[i] + (s->drift[i] - fall * t / 2) * t;
    drift[i] = s->drift[i] - fall * t;
    vector[i] = s->vector[i] * cosine + (s->rate > 0 ? s->turning[i] * (sine / s->rate) : 0);
    turning[i] = s->turning[i] * cosine - s->vector[i] * (s->rate * sine);
  }
  place_dimer(s, q, p, centre, drift, vector, turning);
  lambda[0] = s->reduced * s->rate * s->rate;
  return 0;
}

static const char *const names[] = {"momentum-x", "momentum-y", "vertical-angular-momentum",
                                    "spin-x",     "spin-y",     "spin-z"};

static int invariants(const void *context, real *values, real t, const real *q, const real *p)
{
  const struct dimer *s = context;
  const real m1 = s->mass[0], m2 = s->mass[3];
  real momentum[3], whole[3], vector[3], turning[3];
  shk_total_momentum(momentum, p, 2, 3);
  shk_angular_momentum(whole, q, p, 2);
  for (int i = 0; i < 3; i++) {
    vector[i] = q[3 + i] - q[i];
    turning[i] = (m1 * p[3 + i] - m2 * p[i]) / (m1 + m2); /* μ u */
  }
  values[0] = momentum[0];
  values[1] = momentum[1];
  if (s->gravity == 0) {
    values[2] = momentum[2];
    for (int i = 0; i < 3; i++)
      values[3 + i] = whole[i];
    return 0;
  }
  values[2] = whole[2];
  shk_cross(values + 3, vector, turning);
  return 0;
}

static const struct shk_picture_line rod[] = {{0, 1, false}};
static const struct shk_picture picture = {SHK_PICTURE_SPACE(2, 2), SHK_PICTURE_LINES(rod)};

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct dimer *s = context;
  shk_bind_masses(instance, s->mass, 2, 3);
  s->rod = (struct shk_rod){0, 1, s->length * s->length};
  s->rods = (struct shk_rods){3, 1, &s->rod, NULL};
  s->reduced = s->mass[0] * s->mass[3] / (s->mass[0] + s->mass[3]);
  shk_direction_place(&s->at, s->length, s->vector, s->turning);
  s->rate = shk_distance(NULL, s->turning, 3) / s->length;

  instance->time_scale = s->rate > 0 ? 1 / s->rate : s->length;
  /* The horizon is slightly more than one and a third rotations. */
  instance->horizon = shk_short_decimal(R(8.9) * instance->time_scale);
  instance->undecidable = SHK_LINEAR_POTENTIAL;
  if (s->gravity == 0)
    instance->undecidable |= SHK_FREE_MOTION;
  /* The motion of a dimer that rotates uniformly, or not at all, is its own mirror image, with or
   * without the field. */
  instance->undecidable |= SHK_SYMMETRIC_START;
  instance->start = start_dimer;
  instance->picture = &picture;
  instance->exact = exact;
  shk_set_invariants(instance, 6, s->gravity == 0 ? shk_momentum_names() : names, invariants);
  return shk_ok();
}

static const struct shk_option options[] = {
    SHK_REAL(dimer, mass[0], "mass1", "1", "mass m1 of the first particle", SHK_POSITIVE),
    SHK_REAL(dimer, mass[3], "mass2", "2", "mass m2 of the second particle", SHK_POSITIVE),
    SHK_REAL(dimer, length, "length", "1", "distance L between the particles", SHK_POSITIVE),
    SHK_GRAVITY(dimer, gravity),
    SHK_DIRECTION(dimer, at, " of r_2 - r_1", "1.1", "0.4", "0.3", "0.9"),
    SHK_REAL(dimer, drift[0], "drift-x", "0.2", "initial velocity of the centre of mass along x"),
    SHK_REAL(dimer, drift[1], "drift-y", "-0.1", "initial velocity of the centre of mass along y"),
    SHK_REAL(dimer, drift[2], "drift-z", "0.5", "initial velocity of the centre of mass along z"),
    {0}};

static const struct shk_system dimer_system = {.n = 6, .m = 1, SHK_POTENTIAL, SHK_RODS_CONSTRAINT};

SHK_PROVIDE_PROBLEM(
    dimer, dimer, &dimer_system, .name = "dimer", .family = "molecules and particles",
    .summary = "two particles at a fixed distance in a uniform field; exact solution",
    .equations = "H = |p_1|²/(2 m1) + |p_2|²/(2 m2) + g (m1 z_1 + m2 z_2)\n"
                 "0 = ½ (|r_2 - r_1|² - L²)\n"
                 "exact: the centre of mass falls, r_2 - r_1 turns uniformly",
    .citation = "L. D. Landau & E. M. Lifshitz, Mechanics, 3rd ed., Pergamon 1976, §13",
    .units = "any consistent units; dimensionless by default",
    .coordinates = "q = (r_1, r_2), z upwards; the centre of mass starts at the origin");
