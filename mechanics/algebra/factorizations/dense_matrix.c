/* The dense constraint matrix. See dense_matrix.h. */
#include "mechanics/algebra/factorizations/dense_matrix.h"

#include "mechanics/algebra/pivots.h"
#include <shakedown/solve.h>

/* Number of rows whose products are computed together. */
#define MANY 8

static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAY(shk_dense, matrix, .mm = 1), SHK_ARRAY(shk_dense, scattered, .n = 1),
             SHK_ARRAY(shk_dense, diagonal, .m = 1), SHK_INTEGERS(shk_dense, pivots, .m = 1));

struct shk_status shk_dense_create(void **dense, struct shk_workspace *workspace,
                                   const struct shk_evaluator *e, const struct shk_values *own)
{
  (void)own;
  struct shk_dense *d = *dense = shk_part(workspace, sizeof *d, arrays, e);
  SHK_TRY(shk_allocated(d));
  d->evaluator = e;
  d->m = e->system->m;
  const int n = e->system->n;
  bool full = d->m >= MANY;
  for (int k = 0; full && k < e->row_start[d->m]; k++)
    full = e->columns[k] == k % n;
  if (full && e->row_start[d->m] == d->m * n)
    return shk_reals(workspace, &d->columns, (size_t)d->m * (size_t)n);
  return shk_ok();
}

/* Assembles the matrix when all rows of G are full. Each entry is summed over the coordinates in
 * ascending order, starting from zero. */
static void assemble_full(struct shk_dense *d, const real *G_a, const real *G_b)
{
  const real *const mass = d->evaluator->system->mass;
  const int m = d->m, n = d->evaluator->system->n;
  for (int k = 0; k < n; k++)
    for (int j = 0; j < m; j++)
      d->columns[(size_t)k * m + j] = G_b[(size_t)j * n + k];
  for (int i = 0; i < m; i++) {
    real *const row = d->matrix + (size_t)i * m;
    for (int k = 0; k < n; k++)
      d->scattered[k] = G_a[(size_t)i * n + k] / mass[k];
    shk_fill(row, 0, m);
    shk_vector_add_columns(row, d->scattered, d->columns, n, m);
  }
}

/* Computes row i of the matrix from row i of G_a M⁻¹ in `scattered`. */
static void multiply_row(struct shk_dense *d, int i, const real *G)
{
  const struct shk_evaluator *e = d->evaluator;
  for (int j = 0; j < d->m; j++) {
    real sum = 0;
    for (int k = e->row_start[j]; k < e->row_start[j + 1]; k++)
      sum += d->scattered[e->columns[k]] * G[k];
    d->matrix[(size_t)i * d->m + j] = sum;
  }
}

/* Computes the only entry of a 1 x 1 matrix. Sums in the same order as multiply_row. */
static void assemble_one(struct shk_dense *d, const real *G_a, const real *G_b)
{
  const struct shk_evaluator *e = d->evaluator;
  real sum = 0;
  for (int k = 0; k < e->row_start[1]; k++)
    sum += shk_over_mass(e, G_a[k], e->columns[k]) * G_b[k];
  d->diagonal[0] = d->matrix[0] = sum + d->added;
}

void shk_dense_assemble(struct shk_dense *d, const real *G_a, const real *G_b)
{
  const struct shk_evaluator *e = d->evaluator;
  const int *start = e->row_start, *columns = e->columns;
  if (d->m == 1) {
    assemble_one(d, G_a, G_b);
    return;
  }
  if (d->columns)
    assemble_full(d, G_a, G_b);
  for (int i = 0; !d->columns && i < d->m; i++) {
    for (int k = start[i]; k < start[i + 1]; k++)
      d->scattered[columns[k]] = shk_over_mass(e, G_a[k], columns[k]);
    multiply_row(d, i, G_b);
    for (int k = start[i]; k < start[i + 1]; k++)
      d->scattered[columns[k]] = 0;
  }
  for (int i = 0; i < d->m; i++)
    d->diagonal[i] = d->matrix[(size_t)i * d->m + i] += d->added;
}

void shk_dense_assemble_metric(struct shk_dense *d, const real *G, const real *W, int stride)
{
  const struct shk_evaluator *e = d->evaluator;
  const int *start = e->row_start, *columns = e->columns, n = e->system->n;
  for (int i = 0; i < d->m; i++) {
    for (int k = start[i]; k < start[i + 1]; k++)
      if (!W)
        d->scattered[columns[k]] = G[k];
      else
        for (int j = 0; j < n; j++)
          d->scattered[j] += G[k] * W[(size_t)columns[k] * stride + j];
    multiply_row(d, i, G);
    shk_fill(d->scattered, 0, n);
    real size = 0;
    for (int k = start[i]; k < start[i + 1]; k++)
      for (int x = start[i]; x < start[i + 1]; x++) {
        const real weight = W ? W[(size_t)columns[k] * stride + columns[x]] : x == k;
        size += real_fabs(G[k] * weight * G[x]);
      }
    d->diagonal[i] = size;
  }
}

struct shk_status shk_dense_lu(struct shk_dense *d, const char *singular)
{
  return shk_lu_factor(d->matrix, d->pivots, d->m) &&
                 shk_lu_is_regular(d->matrix, d->pivots, d->diagonal, d->m)
             ? shk_ok()
             : shk_failure(SHK_SINGULAR, singular, 0, 0);
}

struct shk_status shk_dense_factor_lu(void *dense, const real *G_a, const real *G_b, bool again)
{
  (void)again;
  shk_dense_assemble(dense, G_a, G_b);
  return shk_dense_lu(dense, SHK_SINGULAR_MATRIX);
}

void shk_dense_solve_lu(void *dense, real *x)
{
  const struct shk_dense *d = dense;
  shk_lu_solve(x, d->matrix, d->pivots, d->m);
}
