/* Finds the molecules of a system and their kinetic energies. See molecules.h. */
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

/* Numbers the molecules, starting with the connected components of the bonds, followed by the
 * single points. */
static void connect_molecules(struct shk_molecules *molecules)
{
  for (int i = 0; i < molecules->points; i++)
    molecules->molecule[i] = -1;
  molecules->count = molecules->parts.count;
  for (int c = 0; c < molecules->parts.count; c++)
    for (int k = molecules->parts.start[c]; k < molecules->parts.start[c + 1]; k++) {
      const struct shk_rod *const rod = &molecules->rods->rod[molecules->parts.rows[k]];
      molecules->molecule[rod->a] = molecules->molecule[rod->b] = c;
    }
  for (int i = 0; i < molecules->points; i++)
    if (molecules->molecule[i] < 0)
      molecules->molecule[i] = molecules->count++;
}

/* Sums the masses of the molecules, and lists the distinct masses of the points in ascending order.
 * Returns false if there are more than SHK_MOST_MASSES. */
static bool find_masses(struct shk_molecules *molecules)
{
  bool few = true;
  for (int i = 0; i < molecules->points; i++) {
    const real mass = molecules->system->mass[i * molecules->dimension];
    int at = 0;
    while (at < molecules->masses && molecules->mass[at] < mass)
      at++;
    molecules->weight[molecules->molecule[i]] += mass;
    molecules->total += mass;
    if (!few || (at < molecules->masses && molecules->mass[at] == mass))
      continue;
    few = molecules->masses < SHK_MOST_MASSES;
    if (!few)
      continue;
    memmove(molecules->mass + at + 1, molecules->mass + at,
            (size_t)(molecules->masses - at) * sizeof(real));
    molecules->mass[at] = mass;
    molecules->masses++;
  }
  for (int i = 0; few && i < molecules->points; i++)
    while (molecules->mass[molecules->kind[i]] < molecules->system->mass[i * molecules->dimension])
      molecules->kind[i]++;
  return few;
}

struct shk_status shk_molecules_find(struct shk_molecules *molecules,
                                     struct shk_workspace *workspace, const struct shk_evaluator *e)
{
  const struct shk_system *s = e->system;
  const size_t m = (size_t)s->m, points = (size_t)(s->n / s->rods->dimension);
  *molecules = (struct shk_molecules){.system = s,
                                      .rods = s->rods,
                                      .dimension = s->rods->dimension,
                                      .points = s->n / s->rods->dimension};
  SHK_TRY(shk_integers(workspace, &molecules->molecule, points));
  SHK_TRY(shk_integers(workspace, &molecules->kind, points));
  SHK_TRY(shk_reals(workspace, &molecules->weight, points));
  SHK_TRY(shk_reals(workspace, &molecules->G, (size_t)e->row_start[m]));
  SHK_TRY(shk_components(&molecules->parts, workspace, e));
  connect_molecules(molecules);
  const size_t largest = (size_t)shk_partition_largest(&molecules->parts);
  SHK_TRY(shk_reals(workspace, &molecules->A, largest * largest));
  SHK_TRY(shk_reals(workspace, &molecules->b, 2 * largest));
  SHK_TRY(shk_integers(workspace, &molecules->pivots, largest));
  if (!find_masses(molecules))
    molecules->masses = 0;
  return shk_ok();
}

void shk_molecules_kinetic(struct shk_kinetic *kinetic, real *centres,
                           const struct shk_molecules *molecules, const real *v)
{
  const int d = molecules->dimension;
  real mean[3] = {0};
  *kinetic = (struct shk_kinetic){0};
  memset(centres, 0, (size_t)molecules->count * (size_t)d * sizeof(real));
  for (int i = 0; i < molecules->points; i++)
    for (int k = 0; k < d; k++) {
      const real momentum = molecules->system->mass[i * d] * v[i * d + k];
      centres[molecules->molecule[i] * d + k] +=
          momentum / molecules->weight[molecules->molecule[i]];
      mean[k] += momentum / molecules->total;
    }
  for (int c = 0; c < molecules->count; c++)
    for (int k = 0; k < d; k++) {
      const real drift = centres[c * d + k] - mean[k];
      kinetic->translation += molecules->weight[c] * drift * drift / 2;
    }
  for (int i = 0; i < molecules->points; i++)
    for (int k = 0; k < d; k++) {
      const real own = v[i * d + k] - mean[k];
      const real inside = v[i * d + k] - centres[molecules->molecule[i] * d + k];
      kinetic->rotation += molecules->system->mass[i * d] * inside * inside / 2;
      if (molecules->masses > 0)
        kinetic->atoms[molecules->kind[i]] += molecules->system->mass[i * d] * own * own / 2;
    }
}

static real entry_of_jacobian(const struct shk_molecules *molecules, const struct shk_evaluator *e,
                              int row, int column)
{
  for (int k = e->row_start[row]; k < e->row_start[row + 1]; k++)
    if (e->columns[k] == column)
      return molecules->G[k];
  return 0;
}

/* Factorizes A = G M⁻¹ Gᵀ for a molecule. Returns false if A is singular. */
static bool factor_molecules(struct shk_molecules *molecules, const struct shk_evaluator *e, int c)
{
  const int *const rows = molecules->parts.rows + molecules->parts.start[c];
  const int rods = molecules->parts.start[c + 1] - molecules->parts.start[c];
  for (int i = 0; i < rods; i++)
    for (int j = 0; j < rods; j++) {
      real sum = 0;
      for (int k = e->row_start[rows[i]]; k < e->row_start[rows[i] + 1]; k++)
        sum += molecules->G[k] * entry_of_jacobian(molecules, e, rows[j], e->columns[k]) /
               molecules->system->mass[e->columns[k]];
      molecules->A[(size_t)i * (size_t)rods + (size_t)j] = sum;
    }
  return shk_lu_factor(molecules->A, molecules->pivots, rods);
}

/* Returns the fraction of a coordinate's freedom that is removed by the bonds of its molecule: bᵀ(B
 * Bᵀ)⁻¹b, where B = G M^(-½) and b is the coordinate's column of B. */
static real taken_molecules(struct shk_molecules *molecules, const struct shk_evaluator *e, int c,
                            int column)
{
  const int *const rows = molecules->parts.rows + molecules->parts.start[c];
  const int rods = molecules->parts.start[c + 1] - molecules->parts.start[c];
  real *const b = molecules->b, *const x = molecules->b + rods;
  for (int i = 0; i < rods; i++)
    b[i] = x[i] = entry_of_jacobian(molecules, e, rows[i], column);
  shk_lu_solve(x, molecules->A, molecules->pivots, rods);
  return real_dot(b, x, rods) / molecules->system->mass[column];
}

struct shk_status shk_molecules_freedom(double *freedom, struct shk_molecules *molecules,
                                        const struct shk_evaluator *e)
{
  memset(freedom, 0, SHK_MOST_MASSES * sizeof *freedom);
  int factored = -1;
  for (int i = 0; i < molecules->points; i++) {
    const int c = molecules->molecule[i], d = molecules->dimension;
    const bool is_tied = c < molecules->parts.count;
    if (is_tied && c != factored && !factor_molecules(molecules, e, c))
      return shk_failure(SHK_SINGULAR, "the distance constraints of a molecule are dependent", 0,
                         0);
    factored = c;
    real left = d * (1 - molecules->system->mass[i * d] / molecules->total);
    for (int k = 0; is_tied && k < d; k++)
      left -= taken_molecules(molecules, e, c, i * d + k);
    freedom[molecules->kind[i]] += (double)left;
  }
  return shk_ok();
}
