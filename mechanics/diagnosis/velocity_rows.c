/* Rows that are affine in the velocity: A is found from n generic momenta, and compared with g at
 * others. See velocity_rows.h. */
#include "mechanics/diagnosis/velocity_rows.h"

#include "mechanics/system/evaluate.h"

#include <shakedown/parts/workspace.h>

enum { CHECKS = 3 }; /* momenta at which A is compared with g */

struct search {
  struct shk_evaluator *evaluator;
  int n, m;
  real size; /* of momenta */
  real *matrix, *p, *v, *v0, *g, *g0, *differences,
      *A; /* n x n; n, three times; m, twice; n x m; n */
  int *pivots;
};

static struct shk_status prepare(struct search *w, struct shk_evaluator *e)
{
  const size_t n = (size_t)e->system->n, m = (size_t)e->system->m;
  struct shk_workspace *const workspace = e->workspace;
  *w = (struct search){.evaluator = e, .n = e->system->n, .m = e->system->m};
  SHK_TRY(shk_reals(workspace, &w->matrix, n * n));
  SHK_TRY(shk_reals(workspace, &w->p, n));
  SHK_TRY(shk_reals(workspace, &w->v, n));
  SHK_TRY(shk_reals(workspace, &w->v0, n));
  SHK_TRY(shk_reals(workspace, &w->g, m));
  SHK_TRY(shk_reals(workspace, &w->g0, m));
  SHK_TRY(shk_reals(workspace, &w->differences, n * m));
  SHK_TRY(shk_reals(workspace, &w->A, n));
  return shk_integers(workspace, &w->pivots, n);
}

/* Stores v - v0 and g - g0 at the k-th generic momenta. */
static struct shk_status differ(struct search *w, int k, real t, const real *q, const real *p)
{
  for (int i = 0; i < w->n; i++)
    w->p[i] = p[i] + w->size * real_sin(R(1.7) * (k + 1) * (i + 1) + R(0.4) * (k + 1));
  SHK_TRY(shk_velocity(w->evaluator, w->v, t, q, w->p));
  SHK_TRY(shk_constraint_qp(w->evaluator, w->g, t, q, w->p));
  shk_vector_add(w->v, -1, w->v0, w->n);
  shk_vector_add(w->g, -1, w->g0, w->m);
  return shk_ok();
}

/* Computes row i of A from the differences; false if it is zero: g_i does not depend on p. */
static bool solve_row(struct search *w, int i)
{
  for (int k = 0; k < w->n; k++)
    w->A[k] = w->differences[(size_t)k * w->m + i];
  const bool depends = real_max_norm(w->A, w->n) > 0;
  shk_lu_solve(w->A, w->matrix, w->pivots, w->n);
  return depends;
}

/* True if row i of A gives the difference of g_i to half of the digits. */
static bool fits(const struct search *w, int i)
{
  real sum = 0, moduli = real_fabs(w->g[i]);
  for (int j = 0; j < w->n; j++) {
    sum += w->A[j] * w->v[j];
    moduli += real_fabs(w->A[j] * w->v[j]);
  }
  return real_fabs(sum - w->g[i]) <= real_sqrt(REAL_EPSILON) * moduli;
}

struct shk_status shk_velocity_rows_find(bool *found, struct shk_evaluator *e, real t,
                                         const real *q, const real *p)
{
  struct search w;
  SHK_TRY(prepare(&w, e));
  w.size = real_max_norm(p, w.n) > 0 ? real_max_norm(p, w.n) : 1;
  SHK_TRY(shk_velocity(e, w.v0, t, q, p));
  SHK_TRY(shk_constraint_qp(e, w.g0, t, q, p));
  for (int k = 0; k < w.n; k++) {
    SHK_TRY(differ(&w, k, t, q, p));
    shk_copy(w.matrix + (size_t)k * w.n, w.v, w.n);
    shk_copy(w.differences + (size_t)k * w.m, w.g, w.m);
  }
  if (!shk_lu_factor(w.matrix, w.pivots, w.n))
    return shk_ok(); /* no velocities span the space */
  for (int i = 0; i < w.m; i++)
    found[i] = solve_row(&w, i);
  for (int k = w.n; k < w.n + CHECKS; k++) {
    SHK_TRY(differ(&w, k, t, q, p));
    for (int i = 0; i < w.m; i++)
      found[i] = found[i] && solve_row(&w, i) && fits(&w, i);
  }
  return shk_ok();
}
