/* Finds constraint rows that are affine in the velocity. A is computed from the values of g at n
 * generic momenta and then checked at additional ones. See velocity_rows.h. */
#include "mechanics/diagnosis/velocity_rows.h"

#include "mechanics/system/evaluate.h"

#include <shakedown/parts/workspace.h>

enum { CHECKS = 3 }; /* number of momenta at which A is checked against g */

struct search {
  struct shk_evaluator *evaluator;
  int n, m;
  real size; /* of momenta */
  real *matrix, *p, *v, *v0, *g, *g0, *differences,
      *A; /* sizes: n x n; n for p, v and v0; m for g and g0; n x m; n */
  int *pivots;
};

static struct shk_status prepare_velocity_rows(struct search *search, struct shk_evaluator *e)
{
  const size_t n = (size_t)e->system->n, m = (size_t)e->system->m;
  struct shk_workspace *const workspace = e->workspace;
  *search = (struct search){.evaluator = e, .n = e->system->n, .m = e->system->m};
  SHK_TRY(shk_reals(workspace, &search->matrix, n * n));
  SHK_TRY(shk_reals(workspace, &search->p, n));
  SHK_TRY(shk_reals(workspace, &search->v, n));
  SHK_TRY(shk_reals(workspace, &search->v0, n));
  SHK_TRY(shk_reals(workspace, &search->g, m));
  SHK_TRY(shk_reals(workspace, &search->g0, m));
  SHK_TRY(shk_reals(workspace, &search->differences, n * m));
  SHK_TRY(shk_reals(workspace, &search->A, n));
  return shk_integers(workspace, &search->pivots, n);
}

/* Stores the differences v - v0 and g - g0 at the k-th set of generic momenta. */
static struct shk_status differ_velocity_rows(struct search *search, int k, real t, const real *q,
                                              const real *p)
{
  for (int i = 0; i < search->n; i++)
    search->p[i] = p[i] + search->size * real_sin(R(1.7) * (k + 1) * (i + 1) + R(0.4) * (k + 1));
  SHK_TRY(shk_velocity(search->evaluator, search->v, t, q, search->p));
  SHK_TRY(shk_constraint_qp(search->evaluator, search->g, t, q, search->p));
  shk_vector_add(search->v, -1, search->v0, search->n);
  shk_vector_add(search->g, -1, search->g0, search->m);
  return shk_ok();
}

/* Computes row i of A from the differences. Returns false if the row is zero, which means that g_i
 * does not depend on p. */
static bool solve_row(struct search *search, int i)
{
  for (int k = 0; k < search->n; k++)
    search->A[k] = search->differences[(size_t)k * search->m + i];
  const bool depends = real_max_norm(search->A, search->n) > 0;
  shk_lu_solve(search->A, search->matrix, search->pivots, search->n);
  return depends;
}

/* Returns true if row i of A reproduces the difference in g_i to half of the available digits. */
static bool fits_velocity_rows(const struct search *search, int i)
{
  real sum = 0, moduli = real_fabs(search->g[i]);
  for (int j = 0; j < search->n; j++) {
    sum += search->A[j] * search->v[j];
    moduli += real_fabs(search->A[j] * search->v[j]);
  }
  return real_fabs(sum - search->g[i]) <= real_sqrt(REAL_EPSILON) * moduli;
}

struct shk_status shk_velocity_rows_find(bool *found, struct shk_evaluator *e, real t,
                                         const real *q, const real *p)
{
  struct search search;
  SHK_TRY(prepare_velocity_rows(&search, e));
  search.size = real_max_norm(p, search.n) > 0 ? real_max_norm(p, search.n) : 1;
  SHK_TRY(shk_velocity(e, search.v0, t, q, p));
  SHK_TRY(shk_constraint_qp(e, search.g0, t, q, p));
  for (int k = 0; k < search.n; k++) {
    SHK_TRY(differ_velocity_rows(&search, k, t, q, p));
    shk_copy(search.matrix + (size_t)k * search.n, search.v, search.n);
    shk_copy(search.differences + (size_t)k * search.m, search.g, search.m);
  }
  if (!shk_lu_factor(search.matrix, search.pivots, search.n))
    return shk_ok(); /* the velocities do not span the space */
  for (int i = 0; i < search.m; i++)
    found[i] = solve_row(&search, i);
  for (int k = search.n; k < search.n + CHECKS; k++) {
    SHK_TRY(differ_velocity_rows(&search, k, t, q, p));
    for (int i = 0; i < search.m; i++)
      found[i] = found[i] && solve_row(&search, i) && fits_velocity_rows(&search, i);
  }
  return shk_ok();
}
