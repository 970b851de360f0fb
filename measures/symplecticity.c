/*
 * Symplecticity of one step by differences: the distance of the pull-back of ω = Σ dq∧dp from ω on
 * T M^H, on T M for presymplecticity, or on all of T*R^n.
 *
 *   NAME-defect       max |ω(DΨ u, DΨ v) - ω(u, v)| over an orthonormal basis, at the smaller
 *                     increment; on large manifolds over random orthonormal vectors
 *   NAME-spread       the largest change of an entry from the larger increment to the smaller
 *   NAME-control      the defect of the identity map, which is symplectic, by the same differences
 *   NAME-floor        the largest of spread, control and r/increment (r of structure.h)
 *   NAME-rounding     r/increment
 *   NAME-departure    residual of Ψ(z), rows scaled to length one: its distance from M^H (or M)
 *   NAME-departure-floor  r
 */
#include "measures/structure.h"
#include "mechanics/system/manifold.h"

#include "mechanics/algebra/random.h"

#include <string.h>

/* Largest number of coordinates; largest dimension with a full basis, at 12 steps a vector. */
#define COORDINATES_LIMIT 100
#define DIRECTIONS_LIMIT 16
enum { DIRECTIONS = 8 };

enum { CHORD_LIMIT = 200, HALF_STENCIL = 3, INCREMENTS = 2 };

static const int stencil[HALF_STENCIL] = {45, -9, 1}; /* over 60 */

/* In coordinates y scaled by q_scale and p_scale, with r(y) the residuals that define the manifold
 * (g for M; g and the hidden constraint for M^H; none for T*R^n):
 *
 *   normals   N = r_y at the start, by sixth-order central differences; N = L Q with orthonormal
 *             rows of Q (Gram-Schmidt twice; dependent rows are dropped)
 *   basis     orthonormal u_1 … u_d, orthogonal to the rows of Q. For d > 16 eight random vectors,
 *             so that the cost does not grow with d: a change of the form shows on almost all of
 *             their pairs, by about 1/d of its largest entry
 *   curves    c_i(s) = y + s u_i returned to the manifold along the normals of the start: chord
 *             iteration y ← y - Qᵀ L⁻¹ r(y), whose error falls by about the increment each time
 *   DΨ u_i    = (45 (f_1 - f_-1) - 9 (f_2 - f_-2) + (f_3 - f_-3)) / (60 s),  f_k = Ψ(c_i(k s))
 *
 * The increment s balances truncation s⁶ against rounding eps/s: eps^(1/7), which is 1e-5 in quad.
 * Derivatives are computed again with s/4. Tangent vectors of M include the fibre. */
struct work {
  struct shk_trial *trial;
  const struct shk_map *map;
  int n, size;                  /* size = 2n */
  int residuals, rank, count;   /* numbers of residuals; of independent ones; of tangent vectors */
  int *kept;                    /* rank: the independent residuals */
  int *first, *end;             /* rank: range of nonzeros in each row of Q, short for sparse g */
  real *y0, *y;                 /* size: the start, a point */
  real *weight;                 /* n: products of the scales of q and p, over the largest */
  real *normals, *lower, *rows; /* N (residuals x size); L (residuals x rank); Q (rank x size) */
  real *basis;                  /* size x size at most, by rows */
  real *r, *r_plus, *r_minus;   /* 2m each */
  real *length;                 /* residuals: lengths of the rows of N */
  real *tangent, *image;    /* by rows like the basis: derivatives of curves and of their images */
  real *change[INCREMENTS]; /* count x count: entries of the defect */
  struct shk_state *from, *plus, *minus;
};

static real *row_of(const struct work *w, real *rows, int i)
{
  return rows + (size_t)i * (size_t)w->size;
}

static real increment_of(int which)
{
  const real s = real_exp(real_log(REAL_EPSILON) / 7);
  return which == 0 ? s : s / 4;
}

static real scale_of(const struct work *w, int i)
{
  return i < w->n ? w->map->q_scale[i] : w->map->p_scale[i - w->n];
}

/* Stores the residuals at (q,p): g, then the hidden ones, which are used for M^H only. */
static struct shk_status residuals_at(const struct work *w, real *r, real t, const real *q,
                                      const real *p)
{
  const int m = w->map->start->m;
  return shk_manifold_residuals(w->map->manifold, r, r + m, t, q, p);
}

/* Stores the residuals at a scaled point. */
static struct shk_status residuals(struct work *w, real *r, const real *y)
{
  for (int i = 0; i < w->n; i++) {
    w->from->q[i] = y[i] * w->map->q_scale[i];
    w->from->p[i] = y[w->n + i] * w->map->p_scale[i];
  }
  return residuals_at(w, r, w->map->start->t, w->from->q, w->from->p);
}

static struct shk_status find_normals(struct work *w)
{
  const real s = increment_of(0);
  for (int j = 0; j < w->size; j++) {
    for (int i = 0; i < w->residuals; i++)
      w->normals[(size_t)i * w->size + j] = 0;
    for (int k = 1; k <= HALF_STENCIL; k++) {
      memcpy(w->y, w->y0, (size_t)w->size * sizeof(real));
      w->y[j] = w->y0[j] + k * s;
      SHK_TRY(residuals(w, w->r_plus, w->y));
      w->y[j] = w->y0[j] - k * s;
      SHK_TRY(residuals(w, w->r_minus, w->y));
      for (int i = 0; i < w->residuals; i++)
        w->normals[(size_t)i * w->size + j] +=
            stencil[k - 1] * (w->r_plus[i] - w->r_minus[i]) / (60 * s);
    }
  }
  return shk_ok();
}

/* Subtracts from x its components along `count` orthonormal rows, twice, and adds them to `parts`
 * unless it is NULL. Returns the length of the remainder. */
static real orthogonalize(real *x, const real *rows, int count, int size, real *parts)
{
  for (int pass = 0; pass < 2; pass++)
    for (int k = 0; k < count; k++) {
      const real *row = rows + (size_t)k * size;
      const real part = real_dot(x, row, size);
      for (int i = 0; part != 0 && i < size; i++)
        x[i] -= part * row[i];
      if (parts)
        parts[k] += part;
    }
  return real_sqrt(real_dot(x, x, size));
}

static void find_span(struct work *w, const real *row)
{
  int *const first = &w->first[w->rank], *const end = &w->end[w->rank];
  for (*first = 0; *first < w->size && row[*first] == 0;)
    ++*first;
  for (*end = w->size; *end > *first && row[*end - 1] == 0;)
    --*end;
}

static void factor_normals(struct work *w)
{
  w->rank = 0;
  for (int i = 0; i < w->residuals; i++) {
    const real *normal = row_of(w, w->normals, i);
    real *row = row_of(w, w->rows, w->rank);
    real *parts = w->lower + (size_t)w->rank * w->residuals;
    memcpy(row, normal, (size_t)w->size * sizeof(real));
    memset(parts, 0, (size_t)w->residuals * sizeof(real));
    w->length[i] = real_sqrt(real_dot(normal, normal, w->size));
    const real left = orthogonalize(row, w->rows, w->rank, w->size, parts);
    if (!(left > w->length[i] * real_sqrt(REAL_EPSILON)))
      continue; /* dependent on the others */
    for (int j = 0; j < w->size; j++)
      row[j] /= left;
    parts[w->rank] = left;
    find_span(w, row);
    w->kept[w->rank++] = i;
  }
}

/* Finds unit vectors orthogonal to the normals and to each other. The vector with the longest
 * remainder comes first: a choice that is unique and well conditioned. */
static void find_basis(struct work *w)
{
  w->count = 0;
  while (w->count < w->size - w->rank) {
    real best = 0;
    real *vector = row_of(w, w->basis, w->count), *trial = w->y;
    for (int j = 0; j < w->size; j++) {
      memset(trial, 0, (size_t)w->size * sizeof(real));
      trial[j] = 1;
      orthogonalize(trial, w->rows, w->rank, w->size, NULL);
      const real left = orthogonalize(trial, w->basis, w->count, w->size, NULL);
      if (left > best) {
        best = left;
        for (int i = 0; i < w->size; i++)
          vector[i] = trial[i] / left;
      }
    }
    /* Once more against the normals: dividing by a small remainder magnifies these components. */
    orthogonalize(vector, w->rows, w->rank, w->size, NULL);
    const real length = real_sqrt(real_dot(vector, vector, w->size));
    for (int i = 0; i < w->size; i++)
      vector[i] /= length;
    w->count++;
  }
}

/* Finds DIRECTIONS such vectors by orthogonalizing random ones. */
static void draw_basis(struct work *w)
{
  uint64_t random = 1;
  for (w->count = 0; w->count < DIRECTIONS; w->count++) {
    real *const vector = row_of(w, w->basis, w->count);
    for (int i = 0; i < w->size; i += 2)
      shk_random_gaussian_pair(vector + i, &random);
    for (int pass = 0; pass < 2; pass++) {
      orthogonalize(vector, w->rows, w->rank, w->size, NULL);
      const real length = orthogonalize(vector, w->basis, w->count, w->size, NULL);
      for (int i = 0; i < w->size; i++)
        vector[i] /= length;
    }
  }
}

/* Stores the point of the curve in direction u at s, scaled, in w->y. */
static struct shk_status curve_point(struct work *w, const real *u, real s)
{
  real before = 0;
  for (int i = 0; i < w->size; i++)
    w->y[i] = w->y0[i] + s * u[i];
  for (int iteration = 0; iteration < CHORD_LIMIT; iteration++) {
    SHK_TRY(residuals(w, w->r, w->y));
    /* L a = r by forward substitution; the correction is -Qᵀ a. */
    for (int k = 0; k < w->rank; k++) {
      const real *lower = w->lower + (size_t)k * w->residuals;
      real sum = w->r[w->kept[k]];
      for (int j = 0; j < k; j++)
        if (lower[j] != 0)
          sum -= lower[j] * w->r_plus[j];
      w->r_plus[k] = sum / lower[k];
    }
    const real size = real_max_norm(w->r_plus, w->rank);
    if (!real_isfinite(size))
      break;
    for (int k = 0; k < w->rank; k++)
      for (int i = w->first[k]; i < w->end[k]; i++)
        w->y[i] -= w->r_plus[k] * w->rows[(size_t)k * w->size + i];
    if (size <= REAL_EPSILON / 4 ||
        (iteration > 0 && size >= before / 2 && size <= 1000 * REAL_EPSILON))
      return shk_ok();
    before = size;
  }
  return shk_failure(SHK_NOT_CONVERGED,
                     "a curve did not return to the manifold: its last correction is %g",
                     (double)before, 0);
}

/* Takes the step from the scaled point w->y. */
static struct shk_status image_of_point(struct work *w, struct shk_state *to)
{
  shk_state_copy(w->from, w->map->start);
  for (int i = 0; i < w->n; i++) {
    w->from->q[i] = w->y[i] * w->map->q_scale[i];
    w->from->p[i] = w->y[w->n + i] * w->map->p_scale[i];
  }
  SHK_TRY(shk_map_begin(w->map, w->from, w->map->step));
  return shk_map_step(w->map, to, w->from, w->map->step);
}

/* Differentiates curve i and its image, both scaled. */
static struct shk_status differentiate(struct work *w, int i, real s)
{
  const real *u = row_of(w, w->basis, i);
  real *tangent = row_of(w, w->tangent, i), *image = row_of(w, w->image, i);
  memset(tangent, 0, (size_t)w->size * sizeof(real));
  memset(image, 0, (size_t)w->size * sizeof(real));
  for (int k = 1; k <= HALF_STENCIL; k++) {
    const real weight = stencil[k - 1] / (60 * s);
    for (int side = 1; side >= -1; side -= 2) {
      SHK_TRY(curve_point(w, u, side * k * s));
      for (int j = 0; j < w->size; j++)
        tangent[j] += side * weight * w->y[j];
      SHK_TRY(image_of_point(w, side > 0 ? w->plus : w->minus));
    }
    for (int j = 0; j < w->n; j++) {
      const struct shk_state *a = w->plus, *b = w->minus;
      image[j] +=
          weight * ((a->q[j] - b->q[j]) + (a->q_carry[j] - b->q_carry[j])) / w->map->q_scale[j];
      image[w->n + j] +=
          weight * ((a->p[j] - b->p[j]) + (a->p_carry[j] - b->p_carry[j])) / w->map->p_scale[j];
    }
  }
  return shk_ok();
}

/* ω in scaled coordinates, over the largest product of the scales of q and p. Overwrites w->y. */
static real form(const struct work *w, const real *a, const real *b)
{
  for (int i = 0; i < w->size; i++)
    w->y[i] = w->weight[i % w->n] * b[i];
  return real_dot(a, w->y + w->n, w->n) - real_dot(a + w->n, w->y, w->n);
}

/* Finds all entries of the defect with one increment, and the largest of the control. */
static struct shk_status fill(struct work *w, int which, real *control)
{
  for (int i = 0; i < w->count; i++)
    SHK_TRY(differentiate(w, i, increment_of(which)));
  for (int i = 0; i < w->count; i++)
    for (int j = 0; j < w->count; j++) {
      const real exact = form(w, row_of(w, w->basis, i), row_of(w, w->basis, j));
      w->change[which][(size_t)i * w->count + j] =
          form(w, row_of(w, w->image, i), row_of(w, w->image, j)) - exact;
      *control = real_max(
          *control, real_fabs(form(w, row_of(w, w->tangent, i), row_of(w, w->tangent, j)) - exact));
    }
  return shk_ok();
}

/* Finds the distance of the image of the start from the manifold. */
static struct shk_status departure(struct work *w, real *largest)
{
  SHK_TRY(shk_map_step(w->map, w->plus, w->map->start, w->map->step));
  SHK_TRY(residuals_at(w, w->r, w->plus->t, w->plus->q, w->plus->p));
  *largest = 0;
  for (int i = 0; i < w->residuals; i++)
    if (w->length[i] > 0)
      *largest = real_max(*largest, real_fabs(w->r[i]) / w->length[i]);
  return shk_ok();
}

static struct shk_status allocate(struct work *w)
{
  struct shk_workspace *const workspace = w->trial->evaluator.workspace;
  const size_t size = (size_t)w->size, rows = (size_t)w->residuals, square = size * size;
  const size_t all = 2 * (size_t)w->map->start->m;
  const struct {
    real **array;
    size_t length;
  } reals[] = {{&w->y0, size},
               {&w->y, size},
               {&w->weight, (size_t)w->n},
               {&w->normals, rows * size},
               {&w->rows, rows * size},
               {&w->lower, rows * rows},
               {&w->basis, square},
               {&w->tangent, square},
               {&w->image, square},
               {&w->r, all},
               {&w->r_plus, all},
               {&w->r_minus, all},
               {&w->length, rows},
               {&w->change[0], square},
               {&w->change[1], square}};
  for (size_t i = 0; i < sizeof reals / sizeof reals[0]; i++)
    SHK_TRY(shk_reals(workspace, reals[i].array, reals[i].length));
  SHK_TRY(shk_integers(workspace, &w->kept, rows));
  SHK_TRY(shk_integers(workspace, &w->first, rows));
  return shk_integers(workspace, &w->end, rows);
}

static struct shk_status differ(struct work *w)
{
  SHK_TRY(allocate(w));
  for (int i = 0; i < w->size; i++)
    w->y0[i] = (i < w->n ? w->map->start->q[i] : w->map->start->p[i - w->n]) / scale_of(w, i);
  for (int i = 0; i < w->n; i++)
    w->weight[i] = w->map->q_scale[i] * w->map->p_scale[i] / shk_map_action(w->map);
  SHK_TRY(find_normals(w));
  factor_normals(w);
  if (w->size - w->rank > DIRECTIONS_LIMIT)
    draw_basis(w);
  else
    find_basis(w);
  real control = 0, defect = 0, spread = 0, away = 0;
  for (int which = 0; which < INCREMENTS; which++)
    SHK_TRY(fill(w, which, &control));
  const size_t entries = (size_t)w->count * (size_t)w->count;
  for (size_t i = 0; i < entries; i++) {
    defect = real_max(defect, real_fabs(w->change[1][i]));
    spread = real_max(spread, real_fabs(w->change[1][i] - w->change[0][i]));
  }
  SHK_TRY(departure(w, &away));
  const real rounding = shk_map_rounding(w->map, w->map->step);
  const real smallest = increment_of(INCREMENTS - 1);
  const real floor = real_max(rounding / smallest, real_max(spread, control));
  const struct {
    const char *what;
    real value;
  } found[] = {{"defect", defect},
               {"spread", spread},
               {"control", control},
               {"rounding", rounding / smallest},
               {"floor", floor},
               {"departure", away},
               {"departure-floor", rounding}};
  for (size_t i = 0; i < sizeof found / sizeof found[0]; i++)
    shk_trial_add(w->trial, found[i].what, found[i].value);
  return shk_ok();
}

/* The manifold, by the number of residuals of a constraint that define it. */
enum { ALL_OF_SPACE, CONSTRAINT_MANIFOLD, HIDDEN_MANIFOLD };

static struct shk_status measure(struct shk_trial *trial)
{
  const int n = trial->map->start->n, m = trial->map->start->m;
  if (n > COORDINATES_LIMIT)
    return shk_failure(SHK_REFUSED,
                       "symplecticity is measured for at most %g coordinates, not for %g",
                       COORDINATES_LIMIT, n);
  struct work w = {.trial = trial,
                   .map = trial->map,
                   .n = n,
                   .size = 2 * n,
                   .residuals = trial->variant * m,
                   .from = trial->state,
                   .plus = trial->state + 1,
                   .minus = trial->state + 2};
  return differ(&w);
}

#define FORCED "forces without a potential: the problem's own flow is not symplectic"
#define LINEAR "linear constraints: any projection appears symplectic"
#define AREA "one degree of freedom: symplectic only means area-preserving"

#define ON(manifold)                                                                               \
  {                                                                                                \
    .asks = {.needs_power = true,                                                                  \
             .meaningless = {{SHK_FORCES, 0, FORCED}},                                             \
             .undecidable = {{0, SHK_LINEAR_CONSTRAINTS, LINEAR},                                  \
                             {0, SHK_ONE_DEGREE_OF_FREEDOM, AREA}}},                               \
    .states = 3, .variant = manifold, .measure = measure                                           \
  }
const struct shk_structure shk_structure_symplecticity = ON(HIDDEN_MANIFOLD);
const struct shk_structure shk_structure_presymplecticity = ON(CONSTRAINT_MANIFOLD);
const struct shk_structure shk_structure_phase_space = {
    .asks = {.if_claimed = true,
             .needs_power = true,
             .no_power = "the floor of its differences: off the constraints, where a step need "
                         "not tend to the identity",
             .meaningless = {{SHK_FORCES, 0, FORCED}}},
    .states = 3,
    .variant = ALL_OF_SPACE,
    .measure = measure};
