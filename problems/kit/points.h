/*
 * Callbacks and the sparsity pattern for points joined by distance constraints (struct shk_rods),
 *
 *     g = ½ (|r_b - r_a|² - d²),     G = (-(r_b - r_a), r_b - r_a),     g_qq[v,v] = |v_b - v_a|²,
 *
 * as well as functions for the total momenta. q = (r_1, r_2, …), with `dimension` coordinates per
 * point. The constraint force is -Gᵀλ, so λ > 0 pulls the two points together.
 */
#ifndef PROBLEMS_KIT_POINTS_H
#define PROBLEMS_KIT_POINTS_H

#include "mechanics/system/rods.h"
#include "problems/kit/distance.h"

/* Callbacks for distance constraints. The context must begin with a struct shk_rods. */
static inline int shk_rods_constraint(const void *context, real *g, real t, const real *q)
{
  const struct shk_rods *s = context;
  real d[3];
  (void)t;
  for (int i = 0; i < s->count; i++) {
    shk_rods_vector(d, s, i, q, s->fixed);
    g[i] = (real_dot(d, d, s->dimension) - s->rod[i].square) / 2;
  }
  return 0;
}

static inline int shk_rods_jacobian(const void *context, real *values, real t, const real *q)
{
  const struct shk_rods *s = context;
  real d[3];
  (void)t;
  for (int i = 0; i < s->count; i++) {
    const int n = s->dimension, at = s->rod[i].a < 0 ? 0 : n; /* offset of b's entries */
    shk_rods_vector(d, s, i, q, s->fixed);
    for (int j = 0; j < n; j++) {
      values[j] = -d[j];
      values[at + j] = d[j];
    }
    values += at + n;
  }
  return 0;
}

static inline int shk_rods_curvature(const void *context, real *out, real t, const real *q,
                                     const real *v)
{
  const struct shk_rods *s = context;
  real d[3];
  (void)t, (void)q;
  for (int i = 0; i < s->count; i++) {
    shk_rods_vector(d, s, i, v, NULL);
    out[i] = real_dot(d, d, s->dimension);
  }
  return 0;
}

/* Initializers of struct shk_system for these constraints. */
#define SHK_RODS_CONSTRAINT                                                                        \
  .constraint = shk_rods_constraint, .jacobian = shk_rods_jacobian, .curvature = shk_rods_curvature

/* Sets m and the sparsity pattern of the Jacobian for rods with a < b. */
static inline struct shk_status shk_rods_bind(struct shk_instance *instance,
                                              const struct shk_rods *s)
{
  int *row_start, *columns, next = 0;
  SHK_TRY(shk_integers(instance->workspace, &row_start, (size_t)s->count + 1));
  SHK_TRY(shk_integers(instance->workspace, &columns, 2 * (size_t)s->count * (size_t)s->dimension));
  for (int i = 0; i < s->count; i++) {
    for (int j = 0; s->rod[i].a >= 0 && j < s->dimension; j++)
      columns[next++] = s->rod[i].a * s->dimension + j;
    for (int j = 0; j < s->dimension; j++)
      columns[next++] = s->rod[i].b * s->dimension + j;
    row_start[i + 1] = next;
  }
  instance->system.m = s->count;
  instance->system.row_start = row_start;
  instance->system.columns = columns;
  return shk_ok();
}

/* Stores the total momentum Σ p_i (`dimension` numbers) of `count` points. */
static inline void shk_total_momentum(real *out, const real *p, int count, int dimension)
{
  for (int j = 0; j < dimension; j++) {
    out[j] = 0;
    for (int i = 0; i < count; i++)
      out[j] += p[i * dimension + j];
  }
}

static inline void shk_cross(real *out, const real *a, const real *b)
{
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Stores the angular momentum Σ r_i × p_i (3 numbers) about the origin for `count` points in
 * space. */
static inline void shk_angular_momentum(real *out, const real *q, const real *p, int count)
{
  out[0] = out[1] = out[2] = 0;
  for (int i = 0; i < count; i++) {
    real each[3];
    shk_cross(each, q + 3 * i, p + 3 * i);
    for (int j = 0; j < 3; j++)
      out[j] += each[j];
  }
}

/* Returns the names of the components of momentum and then of angular momentum for points in
 * space. */
static inline const char *const *shk_momentum_names(void)
{
  static const char *const names[6] = {"momentum-x",         "momentum-y",
                                       "momentum-z",         "angular-momentum-x",
                                       "angular-momentum-y", "angular-momentum-z"};
  return names;
}

#endif
