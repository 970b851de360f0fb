/* The molecules of a system. See molecules.h. */
#include "measures/molecules.h"

#include <shakedown/solve.h>

#include <string.h>

bool shk_is_of_molecules(const struct shk_measured *run)
{
  const struct shk_system *s = &run->instance->system;
  if (!s->rods || s->features != 0)
    return false;
  for (int k = 0; k < s->m; k++)
    if (s->rods->rod[k].a < 0)
      return false;
  return true;
}

double shk_per_atom(const struct shk_measured *run)
{
  return (double)run->instance->system.rods->dimension / run->instance->system.n;
}

/* Numbers the molecules: the connected components of the bonds, then the single points. */
static void connect(struct shk_molecules *w)
{
  for (int i = 0; i < w->points; i++)
    w->molecule[i] = -1;
  w->count = w->parts.count;
  for (int c = 0; c < w->parts.count; c++)
    for (int k = w->parts.start[c]; k < w->parts.start[c + 1]; k++) {
      const struct shk_rod *const rod = &w->rods->rod[w->parts.rows[k]];
      w->molecule[rod->a] = w->molecule[rod->b] = c;
    }
  for (int i = 0; i < w->points; i++)
    if (w->molecule[i] < 0)
      w->molecule[i] = w->count++;
}

/* Sums the masses of molecules, and lists the different masses of points in ascending order. False
 * if there are more than SHK_MOST_MASSES. */
static bool find_masses(struct shk_molecules *w)
{
  bool few = true;
  for (int i = 0; i < w->points; i++) {
    const real mass = w->system->mass[i * w->dimension];
    int at = 0;
    while (at < w->masses && w->mass[at] < mass)
      at++;
    w->weight[w->molecule[i]] += mass;
    w->total += mass;
    if (!few || (at < w->masses && w->mass[at] == mass))
      continue;
    few = w->masses < SHK_MOST_MASSES;
    if (!few)
      continue;
    memmove(w->mass + at + 1, w->mass + at, (size_t)(w->masses - at) * sizeof(real));
    w->mass[at] = mass;
    w->masses++;
  }
  for (int i = 0; few && i < w->points; i++)
    while (w->mass[w->kind[i]] < w->system->mass[i * w->dimension])
      w->kind[i]++;
  return few;
}

struct shk_status shk_molecules_find(struct shk_molecules *w, struct shk_workspace *workspace,
                                     const struct shk_evaluator *e)
{
  const struct shk_system *s = e->system;
  const size_t m = (size_t)s->m, points = (size_t)(s->n / s->rods->dimension);
  *w = (struct shk_molecules){.system = s,
                              .rods = s->rods,
                              .dimension = s->rods->dimension,
                              .points = s->n / s->rods->dimension};
  SHK_TRY(shk_integers(workspace, &w->molecule, points));
  SHK_TRY(shk_integers(workspace, &w->kind, points));
  SHK_TRY(shk_reals(workspace, &w->weight, points));
  SHK_TRY(shk_reals(workspace, &w->G, (size_t)e->row_start[m]));
  SHK_TRY(shk_components(&w->parts, workspace, e));
  connect(w);
  const size_t largest = (size_t)shk_partition_largest(&w->parts);
  SHK_TRY(shk_reals(workspace, &w->A, largest * largest));
  SHK_TRY(shk_reals(workspace, &w->b, 2 * largest));
  SHK_TRY(shk_integers(workspace, &w->pivots, largest));
  if (!find_masses(w))
    w->masses = 0;
  return shk_ok();
}

void shk_molecules_kinetic(struct shk_kinetic *kinetic, real *centres,
                           const struct shk_molecules *w, const real *v)
{
  const int d = w->dimension;
  real mean[3] = {0};
  *kinetic = (struct shk_kinetic){0};
  memset(centres, 0, (size_t)w->count * (size_t)d * sizeof(real));
  for (int i = 0; i < w->points; i++)
    for (int k = 0; k < d; k++) {
      const real momentum = w->system->mass[i * d] * v[i * d + k];
      centres[w->molecule[i] * d + k] += momentum / w->weight[w->molecule[i]];
      mean[k] += momentum / w->total;
    }
  for (int c = 0; c < w->count; c++)
    for (int k = 0; k < d; k++) {
      const real drift = centres[c * d + k] - mean[k];
      kinetic->translation += w->weight[c] * drift * drift / 2;
    }
  for (int i = 0; i < w->points; i++)
    for (int k = 0; k < d; k++) {
      const real own = v[i * d + k] - mean[k];
      const real inside = v[i * d + k] - centres[w->molecule[i] * d + k];
      kinetic->rotation += w->system->mass[i * d] * inside * inside / 2;
      if (w->masses > 0)
        kinetic->atoms[w->kind[i]] += w->system->mass[i * d] * own * own / 2;
    }
}

/* Returns the entry of G in this row and column. */
static real entry(const struct shk_molecules *w, const struct shk_evaluator *e, int row, int column)
{
  for (int k = e->row_start[row]; k < e->row_start[row + 1]; k++)
    if (e->columns[k] == column)
      return w->G[k];
  return 0;
}

/* Factors A = G M⁻¹ Gᵀ of a molecule; false if it is singular. */
static bool factor(struct shk_molecules *w, const struct shk_evaluator *e, int c)
{
  const int *const rows = w->parts.rows + w->parts.start[c];
  const int rods = w->parts.start[c + 1] - w->parts.start[c];
  for (int i = 0; i < rods; i++)
    for (int j = 0; j < rods; j++) {
      real sum = 0;
      for (int k = e->row_start[rows[i]]; k < e->row_start[rows[i] + 1]; k++)
        sum += w->G[k] * entry(w, e, rows[j], e->columns[k]) / w->system->mass[e->columns[k]];
      w->A[(size_t)i * (size_t)rods + (size_t)j] = sum;
    }
  return shk_lu_factor(w->A, w->pivots, rods);
}

/* Returns the fraction of a coordinate's freedom that the bonds of its molecule remove:
 * bᵀ(B Bᵀ)⁻¹b with B = G M^(-½) and b the coordinate's column of B. */
static real taken(struct shk_molecules *w, const struct shk_evaluator *e, int c, int column)
{
  const int *const rows = w->parts.rows + w->parts.start[c];
  const int rods = w->parts.start[c + 1] - w->parts.start[c];
  real *const b = w->b, *const x = w->b + rods;
  for (int i = 0; i < rods; i++)
    b[i] = x[i] = entry(w, e, rows[i], column);
  shk_lu_solve(x, w->A, w->pivots, rods);
  return real_dot(b, x, rods) / w->system->mass[column];
}

struct shk_status shk_molecules_freedom(double *freedom, struct shk_molecules *w,
                                        const struct shk_evaluator *e)
{
  memset(freedom, 0, SHK_MOST_MASSES * sizeof *freedom);
  int factored = -1;
  for (int i = 0; i < w->points; i++) {
    const int c = w->molecule[i], d = w->dimension;
    const bool is_tied = c < w->parts.count;
    if (is_tied && c != factored && !factor(w, e, c))
      return shk_failure(SHK_SINGULAR, "the distance constraints of a molecule are dependent", 0,
                         0);
    factored = c;
    real left = d * (1 - w->system->mass[i * d] / w->total);
    for (int k = 0; is_tied && k < d; k++)
      left -= taken(w, e, c, i * d + k);
    freedom[w->kind[i]] += (double)left;
  }
  return shk_ok();
}
