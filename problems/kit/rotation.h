/*
 * Rigid bodies that turn about a fixed point. The nine coordinates are the entries of the rotation
 * matrix R from the body frame to space, row by row. The columns c_1, c_2, c_3 of R are
 * orthonormal,
 *
 *     0 = ½ (|c_i|² - 1),  i = 1, 2, 3,       0 = c_i·c_j,  ij = 12, 13, 23,       in this order,
 *
 * that is, RᵀR = 1. The kinetic energy is ½ tr(R' D R'ᵀ) with D = ½ tr(I) 1 - I, where I are the
 * body's principal moments. The mass of R_ij is therefore D_j, which is positive unless one moment
 * is the sum of the other two. (D contains the second moments of mass, so one of its entries is
 * zero for a flat body.) With the body's angular velocity Ω, R' = R Ω̂ and P = R Ω̂ D. The
 * constraint force is -Gᵀλ = -R Λ, where Λ is the symmetric matrix whose entries are the λ of the
 * corresponding constraints:
 *
 *     R'' D = -V_R - R Λ,     Λ = -(Ω̂' + Ω̂²) D - Rᵀ V_R
 *
 * (the natural coordinates of Hairer, Lubich & Wanner, GNI, §VII.5, in our notation).
 */
#ifndef PROBLEMS_KIT_ROTATION_H
#define PROBLEMS_KIT_ROTATION_H

#include "problems/kit/points.h"

enum { SHK_ROTATION_N = 9, SHK_ROTATION_M = 6, SHK_ROTATION_ENTRIES = 27 };

struct shk_rotation {
  real moment[3];
  real mass[SHK_ROTATION_N];
  int row_start[SHK_ROTATION_M + 1], columns[SHK_ROTATION_ENTRIES];
};

/* The two columns in each constraint, counted from 0. */
static const int shk_rotation_pairs[SHK_ROTATION_M][2] = {{0, 0}, {1, 1}, {2, 2},
                                                          {0, 1}, {0, 2}, {1, 2}};

static inline real shk_rotation_product(const real *a, int i, const real *b, int j)
{
  return a[i] * b[j] + a[3 + i] * b[3 + j] + a[6 + i] * b[6 + j];
}

static inline int shk_rotation_constraint(const void *context, real *g, real t, const real *q)
{
  for (int k = 0; k < SHK_ROTATION_M; k++) {
    const int i = shk_rotation_pairs[k][0], j = shk_rotation_pairs[k][1];
    const real product = shk_rotation_product(q, i, q, j);
    g[k] = i == j ? (product - 1) / 2 : product;
  }
  return 0;
}

static inline int shk_rotation_jacobian(const void *context, real *values, real t, const real *q)
{
  int next = 0;
  for (int k = 0; k < SHK_ROTATION_M; k++) {
    const int i = shk_rotation_pairs[k][0], j = shk_rotation_pairs[k][1];
    for (int row = 0; row < 3; row++) {
      values[next++] = q[3 * row + j]; /* by R_row,i */
      if (i != j)
        values[next++] = q[3 * row + i]; /* by R_row,j */
    }
  }
  return 0;
}

static inline int shk_rotation_curvature(const void *context, real *out, real t, const real *q,
                                         const real *v)
{
  for (int k = 0; k < SHK_ROTATION_M; k++) {
    const int i = shk_rotation_pairs[k][0], j = shk_rotation_pairs[k][1];
    out[k] = (i == j ? 1 : 2) * shk_rotation_product(v, i, v, j);
  }
  return 0;
}

/* Initializers of struct shk_system for the constraint. */
#define SHK_ROTATION_CONSTRAINT                                                                    \
  .n = SHK_ROTATION_N, .m = SHK_ROTATION_M, .constraint = shk_rotation_constraint,                 \
  .jacobian = shk_rotation_jacobian, .curvature = shk_rotation_curvature

/* Sets the masses and the sparsity pattern from the moments. Returns false if a mass would not be
 * positive. */
static inline bool shk_rotation_bind(struct shk_instance *instance, struct shk_rotation *body)
{
  const real *I = body->moment;
  int next = 0;
  bool ok = true;
  for (int i = 0; i < 3; i++) {
    const real mass = (I[(i + 1) % 3] + I[(i + 2) % 3] - I[i]) / 2;
    ok = ok && mass > 0;
    for (int row = 0; row < 3; row++)
      body->mass[3 * row + i] = mass;
  }
  for (int k = 0; k < SHK_ROTATION_M; k++) {
    const int i = shk_rotation_pairs[k][0], j = shk_rotation_pairs[k][1];
    body->row_start[k] = next;
    for (int row = 0; row < 3; row++) {
      body->columns[next++] = 3 * row + i;
      if (i != j)
        body->columns[next++] = 3 * row + j;
    }
  }
  body->row_start[SHK_ROTATION_M] = next;
  instance->system.mass = body->mass;
  instance->system.row_start = body->row_start;
  instance->system.columns = body->columns;
  return ok;
}

/* Stores P = R Ω̂ D, computed from R and the body's angular velocity. */
static inline void shk_rotation_momentum(real *p, const struct shk_rotation *body, const real *q,
                                         const real *omega)
{
  for (int row = 0; row < 3; row++) /* each row of R Ω̂ is the cross product of a row of R with Ω */
    shk_cross(p + 3 * row, q + 3 * row, omega);
  for (int i = 0; i < SHK_ROTATION_N; i++)
    p[i] *= body->mass[i];
}

/* Stores λ (6 numbers) for the given angular velocity and acceleration in the body frame. `turned`
 * (3 numbers) is the last column of Rᵀ V_R, which is the only nonzero column if the potential
 * depends only on the last column of R. It is NULL if there is no potential. */
static inline void shk_rotation_multiplier(real *lambda, const struct shk_rotation *body,
                                           const real *omega, const real *rate, const real *turned)
{
  const real square = real_dot(omega, omega, 3);
  for (int k = 0; k < SHK_ROTATION_M; k++) {
    const int i = shk_rotation_pairs[k][0], j = shk_rotation_pairs[k][1];
    real entry = omega[i] * omega[j]; /* entry ij of Ω̂' + Ω̂², i <= j */
    if (i == j)
      entry -= square;
    else
      entry += j - i == 1 ? -rate[3 - i - j] : rate[3 - i - j];
    lambda[k] = -entry * body->mass[j];
    if (turned && j == 2)
      lambda[k] -= turned[i];
  }
}

/* Stores the angular momentum in space (3 numbers), which is the sum of c_i × P_i over the
 * columns. */
static inline void shk_rotation_angular_momentum(real *out, const real *q, const real *p)
{
  for (int a = 0; a < 3; a++) {
    const real *row = q + 3 * ((a + 1) % 3), *next = q + 3 * ((a + 2) % 3);
    out[a] = real_dot(row, p + (next - q), 3) - real_dot(next, p + (row - q), 3);
  }
}

/* Stores out = a b (3 x 3, row by row). */
static inline void shk_rotation_multiply(real *out, const real *a, const real *b)
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      out[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
}

/* Stores R for the given Euler angles, R = R_z(precession) R_x(nutation) R_z(spin). The last column
 * of R is the direction of the body's third axis, at the angle `nutation` from the upward
 * vertical. */
static inline void shk_rotation_euler(real *q, real precession, real nutation, real spin)
{
  const real c1 = real_cos(precession), s1 = real_sin(precession);
  const real c2 = real_cos(nutation), s2 = real_sin(nutation);
  const real c3 = real_cos(spin), s3 = real_sin(spin);
  const real first[9] = {c1, -s1, 0, s1, c1, 0, 0, 0, 1};
  const real rest[9] = {c3, -s3, 0, c2 * s3, c2 * c3, -s2, s2 * s3, s2 * c3, c2};
  shk_rotation_multiply(q, first, rest);
}

#endif
