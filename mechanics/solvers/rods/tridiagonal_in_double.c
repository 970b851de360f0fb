/*
 * Corrections of the position solve of chains in double, for residuals in quad. See tridiagonal.h.
 */
#include "mechanics/solvers/rods/tridiagonal.h"

#include <math.h>

/* A pivot that is less of its row's diagonal has lost too many digits. */
static const double least_pivot = (double)R(1e-6);
/* Iterations with the quadratic term, which converge like the relative change of d. */
enum { MOST = 12 };

static double dot(const double *a, const double *b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static bool factor(struct shk_rod_in_double *rod, const double *weight, int count)
{
  for (int k = 0; k < count; k++) {
    const double diagonal = (weight[k] + weight[k + 1]) * dot(rod[k].now, rod[k].old);
    double pivot = diagonal;
    rod[k].lower = rod[k].upper = 0;
    if (k + 1 < count)
      rod[k].upper = -weight[k + 1] * dot(rod[k].now, rod[k + 1].old);
    if (k > 0) {
      rod[k].lower = -weight[k] * dot(rod[k].now, rod[k - 1].old) * rod[k - 1].inverse;
      pivot -= rod[k].lower * rod[k - 1].upper;
    }
    if (!(fabs(pivot) > least_pivot * fabs(diagonal)) || !isfinite(pivot))
      return false;
    rod[k].inverse = 1 / pivot;
  }
  return true;
}

/* right <- L⁻¹ right, then y <- U⁻¹ right; returns the largest change of y. */
static double solve(struct shk_rod_in_double *rod, int count)
{
  double largest = 0, sum = 0;
  for (int k = 1; k < count; k++)
    rod[k].right -= rod[k].lower * rod[k - 1].right;
  for (int k = count - 1; k >= 0; k--) {
    const double next = k + 1 < count ? rod[k].upper * rod[k + 1].y : 0;
    const double y = (rod[k].right - next) * rod[k].inverse, change = fabs(y - rod[k].y);
    largest = change > largest ? change : largest;
    sum += change;
    rod[k].y = y;
  }
  return largest + (sum - sum); /* not finite if one is not */
}

/* right <- g + |D y|²/2 */
static void add_square(struct shk_rod_in_double *rod, const double *weight, int count)
{
  for (int k = 0; k < count; k++) {
    double square = 0;
    for (int j = 0; j < 3; j++) {
      const double own = rod[k].y * rod[k].old[j];
      const double before = k > 0 ? rod[k - 1].y * rod[k - 1].old[j] : 0;
      const double after = k + 1 < count ? rod[k + 1].y * rod[k + 1].old[j] : 0;
      const double moved = weight[k + 1] * (after - own) - weight[k] * (own - before);
      square += moved * moved;
    }
    rod[k].right = rod[k].g + square / 2;
  }
}

static bool find(struct shk_rod_in_double *rod, const double *weight, int count)
{
  if (!factor(rod, weight, count))
    return false;
  for (int k = 0; k < count; k++) {
    rod[k].right = rod[k].g;
    rod[k].y = 0;
  }
  const double size = solve(rod, count);
  double before = size;
  for (int i = 0; i < MOST && before > DBL_EPSILON * size; i++) {
    add_square(rod, weight, count);
    const double change = solve(rod, count);
    if (!(change < before / 2))
      return change <= 16 * DBL_EPSILON * size;
    before = change;
  }
  return isfinite(size);
}

bool shk_tridiagonal_correct(const struct shk_paths *paths, real *multipliers, real factor)
{
  for (int path = 0; path < paths->count; path++) {
    const struct shk_path *p = &paths->path[path];
    if (!find(paths->rough + p->first, paths->weight + p->slot, p->count))
      return false;
  }
  for (int k = 0; k < paths->m; k++)
    multipliers[paths->row[k]] += (real)paths->rough[k].y * factor;
  return true;
}
