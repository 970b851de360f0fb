/*
 * Problems of several points: points on a sphere, and distance constraints between pairs,
 *
 *     g = ½ (|r_b - r_a|² - d²),     G = (-(r_b - r_a), r_b - r_a),     g_qq[v,v] = |v_b - v_a|²,
 *
 * as callbacks with their pattern, and the momenta. q = (r_1, r_2, …), `dimension` coordinates
 * each; constraint force -Gᵀλ, so that λ > 0 pulls the two together.
 */
#ifndef SHAKEDOWN_POINTS_H
#define SHAKEDOWN_POINTS_H

#include <shakedown/distance.h>

/* Allocates the pattern of `rows` rows of `width` entries in the instance's workspace; the
 * caller fills the columns. */
static inline struct shk_status shk_points_pattern(struct shk_instance *instance, int **row_start,
                                                   int **columns, int rows, int width)
{
  SHK_TRY(shk_integers(instance->workspace, row_start, (size_t)rows + 1));
  SHK_TRY(shk_integers(instance->workspace, columns, (size_t)rows * (size_t)width));
  for (int i = 0; i <= rows; i++)
    (*row_start)[i] = i * width;
  instance->system.m = rows;
  instance->system.row_start = *row_start;
  instance->system.columns = *columns;
  return shk_ok();
}

/* A distance constraint: points a < b, counted from 0, at distance `length`. */
struct shk_bond {
  int a, b;
  real length;
};

/* Distance constraints; the first member of the context of a problem that has no others. */
struct shk_bonds {
  int count, dimension;
  const struct shk_bond *list;
};

static inline int shk_bonds_constraint(const void *context, real *g, real t, const real *q)
{
  const struct shk_bonds *s = context;
  (void)t;
  for (int i = 0; i < s->count; i++) {
    const struct shk_bond *bond = &s->list[i];
    const real *a = q + bond->a * s->dimension, *b = q + bond->b * s->dimension;
    real square = 0;
    for (int j = 0; j < s->dimension; j++)
      square += (b[j] - a[j]) * (b[j] - a[j]);
    g[i] = (square - bond->length * bond->length) / 2;
  }
  return 0;
}

static inline int shk_bonds_jacobian(const void *context, real *values, real t, const real *q)
{
  const struct shk_bonds *s = context;
  (void)t;
  for (int i = 0; i < s->count; i++) {
    const real *a = q + s->list[i].a * s->dimension, *b = q + s->list[i].b * s->dimension;
    real *row = values + 2 * i * s->dimension;
    for (int j = 0; j < s->dimension; j++) {
      row[j] = a[j] - b[j];
      row[s->dimension + j] = b[j] - a[j];
    }
  }
  return 0;
}

static inline int shk_bonds_curvature(const void *context, real *out, real t, const real *q,
                                      const real *v)
{
  const struct shk_bonds *s = context;
  (void)t, (void)q;
  for (int i = 0; i < s->count; i++) {
    const real *a = v + s->list[i].a * s->dimension, *b = v + s->list[i].b * s->dimension;
    out[i] = 0;
    for (int j = 0; j < s->dimension; j++)
      out[i] += (b[j] - a[j]) * (b[j] - a[j]);
  }
  return 0;
}

/* Members of a struct shk_system for these constraints. */
#define SHK_BONDS_CONSTRAINT                                                                       \
  .constraint = shk_bonds_constraint, .jacobian = shk_bonds_jacobian,                              \
  .curvature = shk_bonds_curvature

/* Sets m and the Jacobian's pattern. */
static inline struct shk_status shk_bonds_bind(struct shk_instance *instance,
                                               const struct shk_bonds *bonds)
{
  const int width = bonds->dimension;
  int *row_start, *columns;
  SHK_TRY(shk_points_pattern(instance, &row_start, &columns, bonds->count, 2 * width));
  for (int i = 0; i < bonds->count; i++) {
    for (int j = 0; j < width; j++) {
      columns[row_start[i] + j] = bonds->list[i].a * width + j;
      columns[row_start[i] + width + j] = bonds->list[i].b * width + j;
    }
  }
  return shk_ok();
}

/* Points in space at the same distance from the origin, ½ (|r_i|² - R²) = 0: the first member of
 * the context of such a problem. */
struct shk_shell {
  int count;
  real radius;
};

static inline int shk_shell_constraint(const void *context, real *g, real t, const real *q)
{
  const struct shk_shell *s = context;
  (void)t;
  for (int i = 0; i < s->count; i++)
    g[i] = (real_dot(q + 3 * i, q + 3 * i, 3) - s->radius * s->radius) / 2;
  return 0;
}

static inline int shk_shell_jacobian(const void *context, real *values, real t, const real *q)
{
  const struct shk_shell *s = context;
  (void)t;
  for (int i = 0; i < 3 * s->count; i++)
    values[i] = q[i];
  return 0;
}

static inline int shk_shell_curvature(const void *context, real *out, real t, const real *q,
                                      const real *v)
{
  const struct shk_shell *s = context;
  (void)t, (void)q;
  for (int i = 0; i < s->count; i++)
    out[i] = real_dot(v + 3 * i, v + 3 * i, 3);
  return 0;
}

/* Members of a struct shk_system for these constraints. */
#define SHK_SHELL_CONSTRAINT                                                                       \
  .constraint = shk_shell_constraint, .jacobian = shk_shell_jacobian,                              \
  .curvature = shk_shell_curvature

/* Sets n, m and the Jacobian's pattern. */
static inline struct shk_status shk_shell_bind(struct shk_instance *instance,
                                               const struct shk_shell *shell)
{
  int *row_start, *columns;
  instance->system.n = 3 * shell->count;
  SHK_TRY(shk_points_pattern(instance, &row_start, &columns, shell->count, 3));
  for (int i = 0; i < 3 * shell->count; i++)
    columns[i] = i;
  return shk_ok();
}

/* Stores Σ p_i (dimension) of `count` points. */
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

/* Stores Σ r_i × p_i (3) of `count` points in space, about the origin. */
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

/* Returns the names of momentum and angular momentum of points in space, in this order. */
static inline const char *const *shk_momentum_names(void)
{
  static const char *const names[6] = {"momentum-x",         "momentum-y",
                                       "momentum-z",         "angular-momentum-x",
                                       "angular-momentum-y", "angular-momentum-z"};
  return names;
}

/* Angular momentum of the points of a shell, as the invariants of a problem. */
static inline int shk_shell_momentum(const void *context, real *values, real t, const real *q,
                                     const real *p)
{
  const struct shk_shell *s = context;
  (void)t;
  shk_angular_momentum(values, q, p, s->count);
  return 0;
}

static inline void shk_shell_keeps_momentum(struct shk_instance *instance)
{
  instance->invariant_count = 3;
  instance->invariant_names = shk_momentum_names() + 3;
  instance->invariants = shk_shell_momentum;
}

#endif
