/*
 * Tests identities that a step must satisfy for points joined by rods (measures/identities.c). Rod
 * k connects point a, which may be fixed, to point b, and its vector is d_k = x_b - x_a.
 *
 *   along-current          the component of w outside the span of the directions of all rods of the
 *                          same molecule at q*, computed point by point; sweeps that move points
 *                          along the current rods produce only components along these directions.
 *                          Added only if a molecule has two or more rods whose directions do not
 *                          span the whole space
 *   along-current-drifted  the same for M (q1 - q**) and the rods at q**
 *   exchanged              the component of w outside the range of G̃(q0)ᵀ, where row k of G̃ is
 *                          row k of G with the entries for a multiplied by m_a/m_b and those for b
 *                          by m_b/m_a, so that each end moves as if it had the mass of the other
 *   velocity-exchanged     the component of r outside the range of G̃(q1)ᵀ
 *   fixed-misfit           the largest |g_k(q1)|/|d_k|² over the rods with a fixed point if this
 *                          point is not at a but at a - μ Σ λ_j d_j(q0), where the sum is over all
 *                          rods j attached to the point and w = G(q0)ᵀλ: the fixed points then move
 *                          with the mass 1/μ that fits best
 *   fixed-off              the largest |g_k(q1)|/|d_k|² over the same rods with the points fixed
 *   fixed-inverse          μ, and its floor fixed-inverse-floor
 */
#include "measures/identities.h"
#include "mechanics/system/rods.h"

#include <math.h>
#include <string.h>

enum { MOST_DIMENSIONS = 3, ITERATIONS = 30 };

static const struct shk_rods *rods_of(const struct shk_identities *k)
{
  return k->map->instance->system.rods;
}

static real *point_identities_rods(const struct shk_identities *k, real *x, int i)
{
  return x + (size_t)i * (size_t)rods_of(k)->dimension;
}

/* ---- current rods ---- */

/* Labels the molecules. Points that are joined by rods, directly or through other points, receive
 * the same label. */
static void label_molecules(const struct shk_rods *rods, int *labels, int points)
{
  for (int i = 0; i < points; i++)
    labels[i] = i;
  for (int i = 0; i < rods->count; i++) {
    const int a = rods->rod[i].a < 0 ? -1 : labels[rods->rod[i].a], b = labels[rods->rod[i].b];
    for (int j = 0; a >= 0 && j < points; j++)
      labels[j] = labels[j] == a ? b : labels[j];
  }
}

/* Stores orthonormal vectors (at most 3 rows) that span the directions of a molecule's rods at x,
 * and returns the number of these vectors. Sets *of to the number of rods in the molecule. */
static int rod_directions(real basis[MOST_DIMENSIONS][MOST_DIMENSIONS], int *of,
                          const struct shk_rods *rods, const int *labels, int molecule,
                          const real *x)
{
  const int dimension = rods->dimension;
  int found = 0;
  *of = 0;
  for (int i = 0; i < rods->count; i++) {
    if (labels[rods->rod[i].b] != molecule)
      continue;
    real d[MOST_DIMENSIONS];
    (*of)++;
    shk_rods_vector(d, rods, i, x, rods->fixed);
    const real before = shk_length_of(d, dimension);
    for (int pass = 0; pass < 2; pass++)
      shk_rows_remove(d, basis[0], found, dimension);
    const real length = shk_length_of(d, dimension);
    if (found < dimension && length > real_sqrt(REAL_EPSILON) * before)
      shk_vector_scaled(basis[0] + (size_t)(found++) * (size_t)dimension, 1 / length, d, dimension);
  }
  return found;
}

static void add_current(struct shk_identities *k, const char *what, enum shk_identity_point at,
                        const real *w, const int *labels, real size)
{
  const struct shk_rods *const rods = rods_of(k);
  const int points = k->n / rods->dimension;
  bool decides = false;
  shk_copy(k->x, w, k->n);
  for (int i = 0; i < points; i++) {
    real basis[MOST_DIMENSIONS][MOST_DIMENSIONS];
    int of;
    const int found = rod_directions(basis, &of, rods, labels, labels[i], k->q[at]);
    decides = decides || (of > 1 && found < rods->dimension);
    shk_rows_remove(point_identities_rods(k, k->x, i), basis[0], found, rods->dimension);
  }
  if (decides)
    shk_identity_add(k, what, shk_length_of(k->x, k->n) / size);
}

/* ---- exchanged masses ---- */

static real are_exchanged(struct shk_identities *k, enum shk_identity_point at, const real *w)
{
  const struct shk_rods *const rods = rods_of(k);
  const real *const mass = k->map->instance->system.mass;
  real *const rows = k->other;
  memset(rows, 0, (size_t)k->m * (size_t)k->n * sizeof *rows);
  for (int i = 0; i < k->m; i++) {
    const int a = rods->rod[i].a, b = rods->rod[i].b;
    const real ratio =
        a < 0 ? 1 : mass[(size_t)b * (size_t)rods->dimension] / mass[a * rods->dimension];
    real d[MOST_DIMENSIONS], *const row = rows + (size_t)i * (size_t)k->n;
    shk_rods_vector(d, rods, i, k->q[at], rods->fixed);
    shk_vector_scaled(point_identities_rods(k, row, b), ratio, d, rods->dimension);
    if (a >= 0)
      shk_vector_scaled(point_identities_rods(k, row, a), -1 / ratio, d, rods->dimension);
  }
  shk_rows_orthonormalize(rows, NULL, k->m, k->n);
  shk_copy(k->x, w, k->n);
  shk_rows_remove(k->x, rows, k->m, k->n);
  return shk_length_of(k->x, k->n);
}

/* ---- fixed points ---- */

/* Stores in k->rates the λ (m numbers) for which G(q0)ᵀλ equals w or is as close to it as
 * possible. */
static void multipliers_of_force(struct shk_identities *k)
{
  const struct shk_rods *const rods = rods_of(k);
  real *const rows = k->other, *const R = k->triangle, *const lambda = k->rates;
  memset(rows, 0, (size_t)k->m * (size_t)k->n * sizeof *rows);
  for (int i = 0; i < k->m; i++) {
    const int a = rods->rod[i].a;
    real d[MOST_DIMENSIONS], *const row = rows + (size_t)i * (size_t)k->n;
    shk_rods_vector(d, rods, i, k->q[SHK_AT_OLD], rods->fixed);
    shk_copy(point_identities_rods(k, row, rods->rod[i].b), d, rods->dimension);
    if (a >= 0)
      shk_vector_scaled(point_identities_rods(k, row, a), -1, d, rods->dimension);
  }
  shk_rows_orthonormalize(rows, R, k->m, k->n);
  for (int i = k->m - 1; i >= 0; i--) {
    lambda[i] = real_dot(rows + (size_t)i * (size_t)k->n, k->w, k->n);
    for (int j = i + 1; j < k->m; j++)
      lambda[i] -= R[i * k->m + j] * lambda[j];
    lambda[i] = R[i * k->m + i] > 0 ? lambda[i] / R[i * k->m + i] : 0;
  }
}

/* Stores the vector d of rod i at q1 minus μ times the displacement of its fixed point, and also
 * stores this displacement. */
static void moved_rod(const struct shk_identities *k, real *d, real *movement, int i, real mu)
{
  const struct shk_rods *const rods = rods_of(k);
  real other[MOST_DIMENSIONS];
  shk_fill(movement, 0, rods->dimension);
  for (int j = 0; j < k->m; j++)
    if (rods->rod[j].a == rods->rod[i].a) {
      shk_rods_vector(other, rods, j, k->q[SHK_AT_OLD], rods->fixed);
      shk_vector_add(movement, -k->rates[j], other, rods->dimension);
    }
  shk_rods_vector(d, rods, i, k->q[SHK_AT_NEW], rods->fixed);
  shk_vector_add(d, -mu, movement, rods->dimension);
}

/* Returns the largest |g_i|/|d_i|² over the rods with a fixed point, if fixed points move with mass
 * 1/μ. Stores the Gauss-Newton step for μ and the length of the residuals' derivative with respect
 * to μ. */
static real fixed_misfit(const struct shk_identities *k, real mu, real *step, real *slope)
{
  const struct shk_rods *const rods = rods_of(k);
  real most = 0, ab = 0, bb = 0;
  for (int i = 0; i < k->m; i++) {
    real d[MOST_DIMENSIONS], movement[MOST_DIMENSIONS];
    if (rods->rod[i].a >= 0)
      continue;
    moved_rod(k, d, movement, i, mu);
    const real square = rods->rod[i].square,
               g = (real_dot(d, d, rods->dimension) - square) / 2 / square,
               by_mu = -real_dot(d, movement, rods->dimension) / square;
    most = real_max(most, real_fabs(g));
    ab += g * by_mu;
    bb += by_mu * by_mu;
  }
  *step = bb > 0 ? -ab / bb : 0;
  *slope = real_sqrt(bb);
  return most;
}

static void add_fixed(struct shk_identities *k, real noise)
{
  const struct shk_rods *const rods = rods_of(k);
  const real reach = real_max_norm(k->to->q, k->n);
  real mu = 0, step, slope, least = INFINITY;
  bool any = false;
  for (int i = 0; i < k->m; i++) {
    any = any || rods->rod[i].a < 0;
    least = real_min(least, rods->rod[i].square);
  }
  if (!any)
    return;
  multipliers_of_force(k);
  const real off = fixed_misfit(k, 0, &step, &slope);
  for (int i = 0; i < ITERATIONS; i++) {
    mu += step;
    fixed_misfit(k, mu, &step, &slope);
  }
  shk_identity_add(k, "fixed-off", off);
  shk_identity_add(k, "fixed-misfit", fixed_misfit(k, mu, &step, &slope));
  shk_identity_add(k, "fixed-inverse", mu);
  shk_identity_add(k, "fixed-inverse-floor", noise * reach / real_sqrt(least) / slope);
}

struct shk_status shk_identities_of_rods(struct shk_identities *k, real size, real velocity_size,
                                         real noise)
{
  const struct shk_rods *const rods = rods_of(k);
  int *labels;
  if (!rods || rods->dimension > MOST_DIMENSIONS)
    return shk_ok();
  SHK_TRY(shk_integers(k->e->workspace, &labels, (size_t)(k->n / rods->dimension)));
  label_molecules(rods, labels, k->n / rods->dimension);
  add_current(k, "along-current", SHK_AT_PREDICTED, k->w, labels, size);
  add_current(k, "along-current-drifted", SHK_AT_DRIFTED, k->w_drifted, labels, size);
  shk_identity_add(k, "exchanged", are_exchanged(k, SHK_AT_OLD, k->w) / size);
  shk_identity_add(k, "velocity-exchanged", are_exchanged(k, SHK_AT_NEW, k->r) / velocity_size);
  add_fixed(k, noise);
  return shk_ok();
}
