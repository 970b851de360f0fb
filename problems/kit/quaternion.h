/*
 * Rigid bodies that turn about a fixed point. A unit quaternion q = (scalar, vector) maps the body
 * frame to space. It has four coordinates and one constraint,
 *
 *     0 = ½ (|q|² - 1),     q' = ½ q∘(0,Ω),     R x = q∘x∘q̄,
 *
 * with the body's angular velocity Ω. The kinetic energy ½ ΩᵀIΩ = ½ q'ᵀ 4 EᵀI E q', with Ω = 2 E(q)
 * q', has a singular mass matrix: E q = 0. The square (2 q·q')² has a double zero on the hidden
 * constraint q·q' = 0. Adding it, multiplied by a moment I_0, makes the mass matrix regular:
 *
 *     M(q) w = 4 q∘D(q̄∘w),     D = diag(I_0, I_1, I_2, I_3),     det M = 4⁴ |q|⁸ I_0 I_1 I_2 I_3.
 *
 * The motion, p = 2 q∘(0,IΩ) and λ do not depend on I_0, but the results of a method do. Since
 * wᵀM(q)w = qᵀM(w)q, the derivatives of M are products of quaternions too:
 *
 *     (∂M/∂q_k) w = 4 e_k∘D(q̄∘w) + 4 q∘D(ē_k∘w),     wᵀ(∂²M/∂q_k ∂q_l)w = 2 M(w)_kl.
 *
 * As a function of q and p, the kinetic energy T has degree -2 in q, so λ = 4T - q·V_q. The angular
 * momentum is ½ Im(p∘q̄) in space and ½ Im(q̄∘p) in the body frame.
 *
 * Sources: P. Betsch & R. Siebert, Int. J. Numer. Meth. Engng 79 (2009) 444; M. B. Nielsen & S.
 * Krenk, Int. J. Numer. Meth. Engng 92 (2012) 734 (both with a regular M); F. E. Udwadia & A. D.
 * Schutte, Acta Mech. 213 (2010) 111 (added terms for singular mass matrices in general).
 */
#ifndef PROBLEMS_KIT_QUATERNION_H
#define PROBLEMS_KIT_QUATERNION_H

#include "problems/kit/points.h"

enum { SHK_QUATERNION_N = 4 };

/* This struct must be the first member of a problem's context. */
struct shk_quaternion {
  real added;                     /* I_0 in units of the mean moment of inertia */
  real inertia[SHK_QUATERNION_N]; /* D */
};

/* Store out = a∘b and out = ā∘b, respectively. `out` must not alias a factor. */
static inline void shk_quaternion_product(real *out, const real *a, const real *b)
{
  shk_cross(out + 1, a + 1, b + 1);
  for (int i = 1; i < 4; i++)
    out[i] += a[0] * b[i] + b[0] * a[i];
  out[0] = a[0] * b[0] - real_dot(a + 1, b + 1, 3);
}
static inline void shk_quaternion_from(real *out, const real *a, const real *b)
{
  const real conjugate[4] = {a[0], -a[1], -a[2], -a[3]};
  shk_quaternion_product(out, conjugate, b);
}

/* Stores D(ā∘b). */
static inline void shk_quaternion_weigh(real *out, const struct shk_quaternion *body, const real *a,
                                        const real *b)
{
  shk_quaternion_from(out, a, b);
  for (int i = 0; i < SHK_QUATERNION_N; i++)
    out[i] *= body->inertia[i];
}

static inline int shk_quaternion_mass_matrix(const void *context, real *M, const real *q)
{
  for (int k = 0; k < SHK_QUATERNION_N; k++) {
    const real unit[4] = {k == 0, k == 1, k == 2, k == 3};
    real weighed[4];
    shk_quaternion_weigh(weighed, context, q, unit);
    for (int i = 0; i < SHK_QUATERNION_N; i++)
      weighed[i] *= 4;
    shk_quaternion_product(M + 4 * k, q, weighed);
  }
  return 0;
}

static inline int shk_quaternion_mass_gradient(const void *context, real *out, const real *q,
                                               const real *v)
{
  real along[4];
  shk_quaternion_weigh(along, context, q, v);
  for (int k = 0; k < SHK_QUATERNION_N; k++) {
    const real unit[4] = {k == 0, k == 1, k == 2, k == 3};
    real weighed[4], first[4], second[4];
    shk_quaternion_weigh(weighed, context, unit, v);
    shk_quaternion_product(first, unit, along);
    shk_quaternion_product(second, q, weighed);
    for (int j = 0; j < SHK_QUATERNION_N; j++)
      out[4 * k + j] = 4 * (first[j] + second[j]);
  }
  return 0;
}

static inline int shk_quaternion_mass_curvature(const void *context, real *out, const real *q,
                                                const real *v)
{
  (void)q;
  shk_quaternion_mass_matrix(context, out, v);
  for (int i = 0; i < SHK_QUATERNION_N * SHK_QUATERNION_N; i++)
    out[i] *= 2;
  return 0;
}

static inline int shk_quaternion_constraint(const void *context, real *g, real t, const real *q)
{
  (void)context, (void)t;
  g[0] = (real_dot(q, q, SHK_QUATERNION_N) - 1) / 2;
  return 0;
}

static inline int shk_quaternion_jacobian(const void *context, real *values, real t, const real *q)
{
  (void)context, (void)t;
  for (int i = 0; i < SHK_QUATERNION_N; i++)
    values[i] = q[i];
  return 0;
}

static inline int shk_quaternion_curvature(const void *context, real *out, real t, const real *q,
                                           const real *v)
{
  (void)context, (void)t, (void)q;
  out[0] = real_dot(v, v, SHK_QUATERNION_N);
  return 0;
}

/* Initializers of struct shk_system for the coordinates, the mass and the constraint. */
#define SHK_QUATERNION                                                                             \
  .n = SHK_QUATERNION_N, .m = 1, .features = SHK_GENERAL_HAMILTONIAN,                              \
  .mass_matrix = shk_quaternion_mass_matrix, .mass_gradient = shk_quaternion_mass_gradient,        \
  .mass_curvature = shk_quaternion_mass_curvature, .constraint = shk_quaternion_constraint,        \
  .jacobian = shk_quaternion_jacobian, .curvature = shk_quaternion_curvature

/* Replaces the instance's system with the given one, and sets D from the moments of inertia. */
static inline void shk_quaternion_bind(struct shk_instance *instance, struct shk_quaternion *body,
                                       const real *moment, const struct shk_system *system)
{
  const void *const context = instance->system.context;
  instance->system = *system;
  instance->system.struct_size = sizeof instance->system;
  instance->system.context = context;
  body->inertia[0] = body->added * (moment[0] + moment[1] + moment[2]) / 3;
  for (int i = 0; i < 3; i++)
    body->inertia[i + 1] = moment[i];
}

/* Stores p = 2 q∘(0,IΩ). */
static inline void shk_quaternion_momentum(real *p, const struct shk_quaternion *body,
                                           const real *q, const real *omega)
{
  real twice[4] = {0};
  for (int i = 0; i < 3; i++)
    twice[i + 1] = 2 * body->inertia[i + 1] * omega[i];
  shk_quaternion_product(p, q, twice);
}

/* Returns 4T for the given angular velocity in the body frame. This is the multiplier if there is
 * no potential. */
static inline real shk_quaternion_multiplier(const struct shk_quaternion *body, const real *omega)
{
  real twice = 0;
  for (int i = 0; i < 3; i++)
    twice += body->inertia[i + 1] * omega[i] * omega[i];
  return 2 * twice;
}

/* Store the angular momentum (3 numbers) in space and in the body frame, respectively. */
static inline void shk_quaternion_momentum_in_space(real *out, const real *q, const real *p)
{
  const real back[4] = {q[0], -q[1], -q[2], -q[3]};
  real product[4];
  shk_quaternion_product(product, p, back);
  for (int i = 0; i < 3; i++)
    out[i] = product[i + 1] / 2;
}
static inline void shk_quaternion_momentum_in_body(real *out, const real *q, const real *p)
{
  real product[4];
  shk_quaternion_from(product, q, p);
  for (int i = 0; i < 3; i++)
    out[i] = product[i + 1] / 2;
}

/* Stores the rotation matrix R (3 x 3, row by row). */
static inline void shk_quaternion_rotation(real *R, const real *q)
{
  const real square = q[0] * q[0] - real_dot(q + 1, q + 1, 3);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const int k = 3 - i - j;
      const real turn = i == j ? 0 : (j - i == 1 || j - i == -2 ? -q[1 + k] : q[1 + k]);
      R[3 * i + j] = (i == j ? square : 0) + 2 * (q[1 + i] * q[1 + j] + q[0] * turn);
    }
}

/* Stores the quaternion for a rotation by an angle about a unit vector. */
static inline void shk_quaternion_turn(real *q, const real *axis, real angle)
{
  const real sine = real_sin(angle / 2);
  q[0] = real_cos(angle / 2);
  for (int i = 0; i < 3; i++)
    q[i + 1] = sine * axis[i];
}

/* Stores the quaternion for the same rotation as shk_rotation_euler. */
static inline void shk_quaternion_euler(real *q, real precession, real nutation, real spin)
{
  const real cosine = real_cos(nutation / 2), sine = real_sin(nutation / 2);
  const real sum = (precession + spin) / 2, difference = (precession - spin) / 2;
  q[0] = cosine * real_cos(sum);
  q[1] = sine * real_cos(difference);
  q[2] = sine * real_sin(difference);
  q[3] = cosine * real_sin(sum);
}

/* The option `form`, its choices in the order MATRIX, QUATERNION, and the additional option that
 * the second choice has. */
#define SHK_QUATERNION_ADDED(type, member)                                                         \
  SHK_REAL(type, member.added, "added", "1",                                                       \
           "moment I0 along q, in units of the mean moment, which makes the mass matrix regular; " \
           "the motion does not depend on it",                                                     \
           SHK_POSITIVE)
#define SHK_FORMS(quaternion_options)                                                              \
  {"matrix", "rotation matrix: 9 coordinates, 6 constraints", NULL},                               \
  {                                                                                                \
    "quaternion", "unit quaternion: 4 coordinates, 1 constraint", quaternion_options               \
  }
#define SHK_FORM(type, member, forms)                                                              \
  SHK_CHOICE(type, member, "form", forms, "matrix", "coordinates of the orientation")

/* Text that is common to the descriptions of these problems. */
#define SHK_QUATERNION_MASS "M(q) w = 4 q∘D(q̄∘w),  D = diag(I0, I),  I0 = added tr(I)/3\n"
#define SHK_QUATERNION_SOURCES                                                                     \
  "quaternion: P. Betsch & R. Siebert, Int. J. Numer. Meth. Engng 79 (2009) 444; M. B. Nielsen "   \
  "& S. Krenk, Int. J. Numer. Meth. Engng 92 (2012) 734"

#endif
