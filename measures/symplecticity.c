/*
 * Measures the symplecticity of one step by finite differences: the distance of the pull-back of ω
 * = Σ dq∧dp from ω on T M^H, on T M for presymplecticity, or on all of T*R^n.
 *
 *   NAME-defect       max |ω(DΨ u, DΨ v) - ω(u, v)| over an orthonormal basis (over random
 *                     orthonormal vectors on large manifolds), at the smaller increment
 *   NAME-spread       the largest change in any entry between the larger and the smaller increment
 *   NAME-control      the defect of the identity map, which is symplectic, from the same
 *                     differences
 *   NAME-floor        the largest of spread, control and r/increment (r is defined in structure.h)
 *   NAME-rounding     r/increment
 *   NAME-departure    the residual of Ψ(z), with rows scaled to unit length, that is, the distance
 *                     of Ψ(z) from M^H (or M)
 *   NAME-departure-floor  r
 */
#include "measures/structure.h"
#include "mechanics/system/manifold.h"

#include "mechanics/algebra/random.h"

#include <string.h>

/* Maximum number of coordinates, and maximum dimension for which a full basis is used. Each tangent
 * vector requires 12 steps. */
#define COORDINATES_LIMIT 100
#define DIRECTIONS_LIMIT 16
enum { DIRECTIONS = 8 };

enum { CHORD_LIMIT = 200, HALF_STENCIL = 3, INCREMENTS = 2 };

static const int stencil[HALF_STENCIL] = {45, -9, 1}; /* divided by 60 */

/* The differences use coordinates y, scaled by q_scale and p_scale, and the residuals r(y) that
 * define the manifold: g for M; g and the hidden constraint for M^H; none for T*R^n.
 *
 *   normals   N = r_y at the start, by sixth-order central differences; N = L Q with orthonormal
 *             rows of Q (Gram-Schmidt twice; dependent rows are dropped)
 *   basis     orthonormal u_1 … u_d, orthogonal to the rows of Q. For d > 16, eight random vectors
 *             are used, so that the cost does not grow with d: a change in the form appears in
 *             almost all pairs of these vectors, with about 1/d of the size of its largest entry
 *   curves    c_i(s) = y + s u_i, returned to the manifold along the normals of the start by the
 *             chord iteration y ← y - Qᵀ L⁻¹ r(y), which multiplies the error by about the
 *             increment in each iteration
 *   DΨ u_i    = (45 (f_1 - f_-1) - 9 (f_2 - f_-2) + (f_3 - f_-3)) / (60 s),  f_k = Ψ(c_i(k s))
 *
 * The increment s = eps^(1/7), which is 1e-5 in quad, balances the truncation error s⁶ against the
 * rounding error eps/s. The derivatives are computed a second time with s/4. Tangent vectors of M
 * include the fibre. */
struct probe {
  struct shk_trial *trial;
  const struct shk_map *map;
  int n, size; /* size = 2n */
  /* the numbers of residuals, of independent residuals, and of tangent vectors */
  int residuals, rank, count;
  int *kept; /* indices of the independent residuals (`rank` numbers) */
  /* the range of the nonzeros in each row of Q (`rank` numbers each); it is short if g is sparse */
  int *first, *end;
  real *y0, *y; /* the start, and the current point (`size` numbers each) */
  /* products of the scales of q and p, divided by the largest such product (n numbers) */
  real *weight;
  /* the matrices N (residuals x size), L (residuals x rank) and Q (rank x size) */
  real *normals, *lower, *rows;
  real *basis;                /* at most size x size numbers, row by row */
  real *r, *r_plus, *r_minus; /* 2m each */
  real *length;               /* lengths of the rows of N */
  /* derivatives of the curves and of their images, stored row by row like the basis */
  real *tangent, *image;
  real *change[INCREMENTS]; /* entries of the defect (count x count) */
  struct shk_state *from, *plus, *minus;
};

static real *row_of(const struct probe *probe, real *rows, int i)
{
  return rows + (size_t)i * (size_t)probe->size;
}

static real increment_of(int which)
{
  const real s = real_exp(real_log(REAL_EPSILON) / 7);
  return which == 0 ? s : s / 4;
}

static real scale_of(const struct probe *probe, int i)
{
  return i < probe->n ? probe->map->q_scale[i] : probe->map->p_scale[i - probe->n];
}

/* Stores the residuals at (q,p): g, followed by those of the hidden constraint, which are used only
 * for M^H. */
static struct shk_status residuals_at(const struct probe *probe, real *r, real t, const real *q,
                                      const real *p)
{
  const int m = probe->map->start->m;
  return shk_manifold_residuals(probe->map->manifold, r, r + m, t, q, p);
}

/* Stores the residuals at a scaled point. */
static struct shk_status residuals(struct probe *probe, real *r, const real *y)
{
  for (int i = 0; i < probe->n; i++) {
    probe->from->q[i] = y[i] * probe->map->q_scale[i];
    probe->from->p[i] = y[probe->n + i] * probe->map->p_scale[i];
  }
  return residuals_at(probe, r, probe->map->start->t, probe->from->q, probe->from->p);
}

static struct shk_status find_normals(struct probe *probe)
{
  const real s = increment_of(0);
  for (int j = 0; j < probe->size; j++) {
    for (int i = 0; i < probe->residuals; i++)
      probe->normals[(size_t)i * probe->size + j] = 0;
    for (int k = 1; k <= HALF_STENCIL; k++) {
      memcpy(probe->y, probe->y0, (size_t)probe->size * sizeof(real));
      probe->y[j] = probe->y0[j] + k * s;
      SHK_TRY(residuals(probe, probe->r_plus, probe->y));
      probe->y[j] = probe->y0[j] - k * s;
      SHK_TRY(residuals(probe, probe->r_minus, probe->y));
      for (int i = 0; i < probe->residuals; i++)
        probe->normals[(size_t)i * probe->size + j] +=
            stencil[k - 1] * (probe->r_plus[i] - probe->r_minus[i]) / (60 * s);
    }
  }
  return shk_ok();
}

/* Subtracts from x its components along `count` orthonormal rows, in two passes for accuracy, and
 * adds these components to `parts`, which can be NULL. Returns the length of the remainder. */
static real orthogonalize_symplecticity(real *x, const real *rows, int count, int size, real *parts)
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

static void find_span(struct probe *probe, const real *row)
{
  int *const first = &probe->first[probe->rank], *const end = &probe->end[probe->rank];
  for (*first = 0; *first < probe->size && row[*first] == 0;)
    ++*first;
  for (*end = probe->size; *end > *first && row[*end - 1] == 0;)
    --*end;
}

static void factor_normals(struct probe *probe)
{
  probe->rank = 0;
  for (int i = 0; i < probe->residuals; i++) {
    const real *normal = row_of(probe, probe->normals, i);
    real *row = row_of(probe, probe->rows, probe->rank);
    real *parts = probe->lower + (size_t)probe->rank * probe->residuals;
    memcpy(row, normal, (size_t)probe->size * sizeof(real));
    memset(parts, 0, (size_t)probe->residuals * sizeof(real));
    probe->length[i] = real_sqrt(real_dot(normal, normal, probe->size));
    const real left =
        orthogonalize_symplecticity(row, probe->rows, probe->rank, probe->size, parts);
    if (!(left > probe->length[i] * real_sqrt(REAL_EPSILON)))
      continue; /* this row depends on the previous rows */
    for (int j = 0; j < probe->size; j++)
      row[j] /= left;
    parts[probe->rank] = left;
    find_span(probe, row);
    probe->kept[probe->rank++] = i;
  }
}

/* Finds unit vectors orthogonal to the normals and to each other. The vector with the longest
 * remainder is chosen first, which makes the choice unique and well conditioned. */
static void find_basis(struct probe *probe)
{
  probe->count = 0;
  while (probe->count < probe->size - probe->rank) {
    real best = 0;
    real *vector = row_of(probe, probe->basis, probe->count), *trial = probe->y;
    for (int j = 0; j < probe->size; j++) {
      memset(trial, 0, (size_t)probe->size * sizeof(real));
      trial[j] = 1;
      orthogonalize_symplecticity(trial, probe->rows, probe->rank, probe->size, NULL);
      const real left =
          orthogonalize_symplecticity(trial, probe->basis, probe->count, probe->size, NULL);
      if (left > best) {
        best = left;
        for (int i = 0; i < probe->size; i++)
          vector[i] = trial[i] / left;
      }
    }
    /* The vector is orthogonalized against the normals once more, because dividing by a small
     * remainder magnifies these components. */
    orthogonalize_symplecticity(vector, probe->rows, probe->rank, probe->size, NULL);
    const real length = real_sqrt(real_dot(vector, vector, probe->size));
    for (int i = 0; i < probe->size; i++)
      vector[i] /= length;
    probe->count++;
  }
}

/* Finds DIRECTIONS tangent vectors by orthogonalizing random vectors. */
static void draw_basis(struct probe *probe)
{
  uint64_t random = 1;
  for (probe->count = 0; probe->count < DIRECTIONS; probe->count++) {
    real *const vector = row_of(probe, probe->basis, probe->count);
    for (int i = 0; i < probe->size; i += 2)
      shk_random_gaussian_pair(vector + i, &random);
    for (int pass = 0; pass < 2; pass++) {
      orthogonalize_symplecticity(vector, probe->rows, probe->rank, probe->size, NULL);
      const real length =
          orthogonalize_symplecticity(vector, probe->basis, probe->count, probe->size, NULL);
      for (int i = 0; i < probe->size; i++)
        vector[i] /= length;
    }
  }
}

/* Stores the scaled point at parameter s of the curve in direction u in probe->y. */
static struct shk_status curve_point(struct probe *probe, const real *u, real s)
{
  real before = 0;
  for (int i = 0; i < probe->size; i++)
    probe->y[i] = probe->y0[i] + s * u[i];
  for (int iteration = 0; iteration < CHORD_LIMIT; iteration++) {
    SHK_TRY(residuals(probe, probe->r, probe->y));
    /* Solves L a = r by forward substitution. The correction is -Qᵀ a. */
    for (int k = 0; k < probe->rank; k++) {
      const real *lower = probe->lower + (size_t)k * probe->residuals;
      real sum = probe->r[probe->kept[k]];
      for (int j = 0; j < k; j++)
        if (lower[j] != 0)
          sum -= lower[j] * probe->r_plus[j];
      probe->r_plus[k] = sum / lower[k];
    }
    const real size = real_max_norm(probe->r_plus, probe->rank);
    if (!real_isfinite(size))
      break;
    for (int k = 0; k < probe->rank; k++)
      for (int i = probe->first[k]; i < probe->end[k]; i++)
        probe->y[i] -= probe->r_plus[k] * probe->rows[(size_t)k * probe->size + i];
    if (size <= REAL_EPSILON / 4 ||
        (iteration > 0 && size >= before / 2 && size <= 1000 * REAL_EPSILON))
      return shk_ok();
    before = size;
  }
  return shk_failure(SHK_NOT_CONVERGED,
                     "a curve did not return to the manifold: its last correction is %g",
                     (double)before, 0);
}

/* Takes a step from the scaled point probe->y. */
static struct shk_status image_of_point(struct probe *probe, struct shk_state *to)
{
  shk_state_copy(probe->from, probe->map->start);
  for (int i = 0; i < probe->n; i++) {
    probe->from->q[i] = probe->y[i] * probe->map->q_scale[i];
    probe->from->p[i] = probe->y[probe->n + i] * probe->map->p_scale[i];
  }
  SHK_TRY(shk_map_begin(probe->map, probe->from, probe->map->step));
  return shk_map_step(probe->map, to, probe->from, probe->map->step);
}

/* Differentiates curve i and its image with respect to s, in scaled coordinates. */
static struct shk_status differentiate_symplecticity(struct probe *probe, int i, real s)
{
  const real *u = row_of(probe, probe->basis, i);
  real *tangent = row_of(probe, probe->tangent, i), *image = row_of(probe, probe->image, i);
  memset(tangent, 0, (size_t)probe->size * sizeof(real));
  memset(image, 0, (size_t)probe->size * sizeof(real));
  for (int k = 1; k <= HALF_STENCIL; k++) {
    const real weight = stencil[k - 1] / (60 * s);
    for (int side = 1; side >= -1; side -= 2) {
      SHK_TRY(curve_point(probe, u, side * k * s));
      for (int j = 0; j < probe->size; j++)
        tangent[j] += side * weight * probe->y[j];
      SHK_TRY(image_of_point(probe, side > 0 ? probe->plus : probe->minus));
    }
    for (int j = 0; j < probe->n; j++) {
      const struct shk_state *a = probe->plus, *b = probe->minus;
      image[j] +=
          weight * ((a->q[j] - b->q[j]) + (a->q_carry[j] - b->q_carry[j])) / probe->map->q_scale[j];
      image[probe->n + j] +=
          weight * ((a->p[j] - b->p[j]) + (a->p_carry[j] - b->p_carry[j])) / probe->map->p_scale[j];
    }
  }
  return shk_ok();
}

/* Returns ω(a, b) in scaled coordinates, divided by the largest product of the scales of q and p.
 * Overwrites probe->y. */
static real scaled_form(const struct probe *probe, const real *a, const real *b)
{
  for (int i = 0; i < probe->size; i++)
    probe->y[i] = probe->weight[i % probe->n] * b[i];
  return real_dot(a, probe->y + probe->n, probe->n) - real_dot(a + probe->n, probe->y, probe->n);
}

/* Computes all entries of the defect for one increment, and the largest entry of the control. */
static struct shk_status fill_defect(struct probe *probe, int which, real *control)
{
  for (int i = 0; i < probe->count; i++)
    SHK_TRY(differentiate_symplecticity(probe, i, increment_of(which)));
  for (int i = 0; i < probe->count; i++)
    for (int j = 0; j < probe->count; j++) {
      const real exact =
          scaled_form(probe, row_of(probe, probe->basis, i), row_of(probe, probe->basis, j));
      probe->change[which][(size_t)i * probe->count + j] =
          scaled_form(probe, row_of(probe, probe->image, i), row_of(probe, probe->image, j)) -
          exact;
      *control = real_max(*control, real_fabs(scaled_form(probe, row_of(probe, probe->tangent, i),
                                                          row_of(probe, probe->tangent, j)) -
                                              exact));
    }
  return shk_ok();
}

/* Computes the distance of the start's image from the manifold. */
static struct shk_status departure_of_image(struct probe *probe, real *largest)
{
  SHK_TRY(shk_map_step(probe->map, probe->plus, probe->map->start, probe->map->step));
  SHK_TRY(residuals_at(probe, probe->r, probe->plus->t, probe->plus->q, probe->plus->p));
  *largest = 0;
  for (int i = 0; i < probe->residuals; i++)
    if (probe->length[i] > 0)
      *largest = real_max(*largest, real_fabs(probe->r[i]) / probe->length[i]);
  return shk_ok();
}

static struct shk_status allocate_symplecticity(struct probe *probe)
{
  struct shk_workspace *const workspace = probe->trial->evaluator.workspace;
  const size_t size = (size_t)probe->size, rows = (size_t)probe->residuals, square = size * size;
  const size_t all = 2 * (size_t)probe->map->start->m;
  const struct {
    real **array;
    size_t length;
  } reals[] = {{&probe->y0, size},
               {&probe->y, size},
               {&probe->weight, (size_t)probe->n},
               {&probe->normals, rows * size},
               {&probe->rows, rows * size},
               {&probe->lower, rows * rows},
               {&probe->basis, square},
               {&probe->tangent, square},
               {&probe->image, square},
               {&probe->r, all},
               {&probe->r_plus, all},
               {&probe->r_minus, all},
               {&probe->length, rows},
               {&probe->change[0], square},
               {&probe->change[1], square}};
  for (size_t i = 0; i < sizeof reals / sizeof reals[0]; i++)
    SHK_TRY(shk_reals(workspace, reals[i].array, reals[i].length));
  SHK_TRY(shk_integers(workspace, &probe->kept, rows));
  SHK_TRY(shk_integers(workspace, &probe->first, rows));
  return shk_integers(workspace, &probe->end, rows);
}

static struct shk_status differ_symplecticity(struct probe *probe)
{
  SHK_TRY(allocate_symplecticity(probe));
  for (int i = 0; i < probe->size; i++)
    probe->y0[i] = (i < probe->n ? probe->map->start->q[i] : probe->map->start->p[i - probe->n]) /
                   scale_of(probe, i);
  for (int i = 0; i < probe->n; i++)
    probe->weight[i] = probe->map->q_scale[i] * probe->map->p_scale[i] / shk_map_action(probe->map);
  SHK_TRY(find_normals(probe));
  factor_normals(probe);
  if (probe->size - probe->rank > DIRECTIONS_LIMIT)
    draw_basis(probe);
  else
    find_basis(probe);
  real control = 0, defect = 0, spread = 0, away = 0;
  for (int which = 0; which < INCREMENTS; which++)
    SHK_TRY(fill_defect(probe, which, &control));
  const size_t entries = (size_t)probe->count * (size_t)probe->count;
  for (size_t i = 0; i < entries; i++) {
    defect = real_max(defect, real_fabs(probe->change[1][i]));
    spread = real_max(spread, real_fabs(probe->change[1][i] - probe->change[0][i]));
  }
  SHK_TRY(departure_of_image(probe, &away));
  const real rounding = shk_map_rounding(probe->map, probe->map->step);
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
    shk_trial_add(probe->trial, found[i].what, found[i].value);
  return shk_ok();
}

/* The manifold, identified by the number of residuals per constraint that define it. */
enum { ALL_OF_SPACE, CONSTRAINT_MANIFOLD, HIDDEN_MANIFOLD };

static struct shk_status measure_symplecticity(struct shk_trial *trial)
{
  const int n = trial->map->start->n, m = trial->map->start->m;
  if (n > COORDINATES_LIMIT)
    return shk_failure(SHK_REFUSED,
                       "symplecticity is measured for at most %g coordinates, not for %g",
                       COORDINATES_LIMIT, n);
  struct probe probe = {.trial = trial,
                        .map = trial->map,
                        .n = n,
                        .size = 2 * n,
                        .residuals = trial->variant * m,
                        .from = trial->state,
                        .plus = trial->state + 1,
                        .minus = trial->state + 2};
  return differ_symplecticity(&probe);
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
    .states = 3, .variant = manifold, .measure = measure_symplecticity                             \
  }
const struct shk_structure shk_structure_symplecticity = ON(HIDDEN_MANIFOLD);
const struct shk_structure shk_structure_presymplecticity = ON(CONSTRAINT_MANIFOLD);
const struct shk_structure shk_structure_phase_space = {
    .asks = {.if_claimed = true,
             .needs_power = true,
             .no_power = "the floor of the finite differences: away from the constraints, a step "
                         "need not tend to the identity",
             .meaningless = {{SHK_FORCES, 0, FORCED}}},
    .states = 3,
    .variant = ALL_OF_SPACE,
    .measure = measure_symplecticity};
