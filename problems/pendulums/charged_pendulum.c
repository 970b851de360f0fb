/*
 * A charged bob on a sphere under gravity and in a magnetic field. The Hamiltonian does not have
 * the form T(p) + V(q).
 *
 *     H = |p - e A(q)|²/(2m) + m g z        0 = ½ (x² + y² + z² - L²)
 *     A = ½ f (-y, x, 0),   f = B + B' z,   curl A = (-½B' x, -½B' y, B + B' z),   div A = 0
 *
 * z points up, the constraint force is -Gᵀλ, and p is the canonical momentum. With π = p - e A(q)
 * and J = A_q,
 *
 *     H_p = π/m                  H_q = -e Jᵀπ/m + m g e_z
 *     H_pp = 1/m                 H_pq = -e J/m
 *     H_qq = e² JᵀJ/m - (e/m) Σ π_i A_i,qq
 *
 * A is quadratic in q, so every block of the Hessian except H_pp varies. H is invariant under
 * rotations about the vertical, so the canonical vertical angular momentum x p_y - y p_x is
 * conserved. H is not even in p, so reversing p does not reverse the motion. There is no exact
 * solution.
 *
 * Sources: for a charged particle in a magnetic field, E. Hairer & Ch. Lubich, BIT Numer. Math. 58
 * (2018) 969-979; for general constrained Hamiltonian systems, Hairer, Lubich & Wanner, GNI,
 * §VII.1.2. The combination with the sphere is ours.
 */
#include "problems/kit/problem.h"

#include <string.h>

struct charged {
  struct shk_bob bob;
  real charge, field, slope;
  struct shk_direction at; /* the start */
};

/* Stores e A (3 numbers). */
static void vector_potential(const struct charged *s, real *out, const real *q)
{
  const real half = s->charge * (s->field + s->slope * q[2]) / 2;
  out[0] = -half * q[1];
  out[1] = half * q[0];
  out[2] = 0;
}

/* Stores e A_q (3x3, row by row). */
static void potential_jacobian(const struct charged *s, real out[3][3], const real *q)
{
  const real half = s->charge * (s->field + s->slope * q[2]) / 2;
  const real change = s->charge * s->slope / 2;
  memset(out, 0, 9 * sizeof out[0][0]);
  out[0][1] = -half;
  out[0][2] = -change * q[1];
  out[1][0] = half;
  out[1][2] = change * q[0];
}

/* Stores π/m. */
static int hamiltonian_p(const void *context, real *out, real t, const real *q, const real *p)
{
  const struct charged *s = context;
  vector_potential(s, out, q);
  for (int i = 0; i < 3; i++)
    out[i] = (p[i] - out[i]) / s->bob.mass[0];
  return 0;
}

static int hamiltonian(const void *context, real *value, real t, const real *q, const real *p)
{
  const struct charged *s = context;
  real v[3];
  hamiltonian_p(context, v, t, q, p);
  *value = s->bob.mass[0] * (real_dot(v, v, 3) / 2 + s->bob.gravity * q[2]);
  return 0;
}

static int hamiltonian_q(const void *context, real *out, real t, const real *q, const real *p)
{
  const struct charged *s = context;
  real v[3], jacobian[3][3];
  hamiltonian_p(context, v, t, q, p);
  potential_jacobian(s, jacobian, q);
  for (int j = 0; j < 3; j++) {
    out[j] = 0;
    for (int i = 0; i < 3; i++)
      out[j] -= v[i] * jacobian[i][j];
  }
  out[2] += s->bob.mass[0] * s->bob.gravity;
  return 0;
}

static int hessian(const void *context, real *out, real t, const real *q, const real *p)
{
  const struct charged *s = context;
  real v[3], jacobian[3][3];
  hamiltonian_p(context, v, t, q, p);
  potential_jacobian(s, jacobian, q);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      real sum = 0;
      for (int k = 0; k < 3; k++)
        sum += jacobian[k][i] * jacobian[k][j];
      out[6 * i + j] = sum / s->bob.mass[0];
      out[6 * i + 3 + j] = -jacobian[j][i] / s->bob.mass[0];
      out[6 * (3 + i) + j] = -jacobian[i][j] / s->bob.mass[0];
      out[6 * (3 + i) + 3 + j] = i == j ? 1 / s->bob.mass[0] : 0;
    }
  /* A_x,yz = -B'/2 and A_y,xz = B'/2 are the only second derivatives of A. */
  const real change = s->charge * s->slope / 2;
  out[6 * 1 + 2] += change * v[0];
  out[6 * 2 + 1] += change * v[0];
  out[6 * 0 + 2] -= change * v[1];
  out[6 * 2 + 0] -= change * v[1];
  return 0;
}

static int start_charged_pendulum(const void *context, real *q, real *p)
{
  const struct charged *s = context;
  real v[3];
  shk_direction_place(&s->at, s->bob.length, q, v);
  vector_potential(s, p, q);
  for (int i = 0; i < 3; i++)
    p[i] += s->bob.mass[0] * v[i];
  return 0;
}

static const char *const kept[] = {"vertical-angular-momentum"};

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct charged *s = context;
  s->bob.dimension = 3;

  const real length = s->bob.length, sine = real_sin(s->at.polar);
  const real strongest = real_fabs(s->field) + real_fabs(s->slope) * length;
  const real rates = real_max(real_fabs(s->at.polar_rate), real_fabs(s->at.azimuth_rate * sine));
  const real gyration = real_fabs(s->charge) * strongest / s->bob.mass[0];
  const real fastest = real_max(real_sqrt(s->bob.gravity / length), real_max(gyration, rates));
  /* In general, the oscillation and the rotation about the vertical have no common period. With the
   * default parameters, the polar angle at the horizon is between a turning point and the mirror
   * image of its initial value. */
  shk_set_times(instance, fastest, R(16.5));
  const bool magnetic = gyration > 0;
  if (magnetic)
    instance->undecidable |= SHK_NO_REVERSAL;
  else
    instance->undecidable |= SHK_LINEAR_POTENTIAL;
  if (!magnetic && s->bob.gravity == 0)
    instance->undecidable |= SHK_FREE_MOTION;
  if (rates == 0 || real_fabs(sine) < 8 * REAL_EPSILON)
    instance->undecidable |= SHK_SYMMETRIC_START;
  instance->start = start_charged_pendulum;
  instance->picture = shk_bob_picture(3);
  shk_set_invariants(instance, 1, kept, shk_vertical_momentum);
  return shk_ok();
}

static const struct shk_option options[] = {
    SHK_LENGTH(charged, bob.length),
    SHK_MASS(charged, bob.mass[0]),
    SHK_REAL(charged, charge, "charge", "1", "charge e of the bob"),
    SHK_GRAVITY(charged, bob.gravity),
    SHK_REAL(charged, field, "field", "1", "vertical magnetic field B at the height of the pivot"),
    SHK_REAL(charged, slope, "slope", "0.8", "growth B' of the vertical field with height"),
    SHK_DIRECTION(charged, at, "", "1.1", "0.4", "0.3", "0.9"),
    {0}};

static const struct shk_system charged_pendulum_system = {
    .n = 3, .m = 1, .features = SHK_GENERAL_HAMILTONIAN, SHK_HAMILTONIAN, SHK_BOB_CONSTRAINT};

SHK_PROVIDE_PROBLEM(
    charged_pendulum, charged, &charged_pendulum_system, .name = "charged-pendulum",
    .family = "pendulums and chains",
    .summary = "charged bob on a sphere in a magnetic field: H is not T(p) + V(q)",
    .equations = "H = |p - e A(q)|²/(2m) + m g z,  A = ½ (B + B' z) (-y, x, 0)\n"
                 "0 = ½ (x² + y² + z² - L²)\n"
                 "start: p = m v + e A(q)",
    .citation = "E. Hairer & Ch. Lubich, BIT Numer. Math. 58 (2018) 969-979 (charged particle "
                "in a magnetic field); Hairer, Lubich & Wanner, Geometric Numerical "
                "Integration, 2nd ed., Springer 2006, §VII.1.2",
    .units = "any consistent units; dimensionless by default",
    .coordinates = "q = (x, y, z), z upwards, the pivot at the origin; p canonical");
