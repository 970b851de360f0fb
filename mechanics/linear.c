/*
 * The constraint matrix K = G_a M⁻¹ G_bᵀ of a separable system behind one interface, and the choice
 * of its factorization.
 */
#include "mechanics/sparse.h"
#include <shakedown/solve.h>

#include <stdlib.h>
#include <string.h>

/* In the order of shk_linear_heads. */
enum kind { KIND_AUTO, KIND_CHOLESKY, KIND_LU, KIND_SPARSE };

/* Up to this many constraints `auto` takes the dense LU; above it, sparse factors if the problem
 * declares a pattern. Both cost the same near here on chains. */
#define DENSE_LIMIT 8

struct shk_linear {
  enum kind kind;
  const struct shk_evaluator *evaluator;
  int m;
  real *matrix;    /* m x m */
  real *scattered; /* n: a row of G_a over M */
  int *pivots;
  struct shk_sparse *sparse;
};

void shk_linear_destroy(struct shk_linear *l)
{
  if (l == NULL)
    return;
  shk_sparse_destroy(l->sparse);
  free(l->matrix);
  free(l->scattered);
  free(l->pivots);
  free(l);
}

struct shk_status shk_linear_create(struct shk_linear **linear, struct shk_evaluator *evaluator,
                                    const struct shk_values *options)
{
  struct shk_linear *l = calloc(1, sizeof *l);
  *linear = l;
  if (l == NULL)
    return shk_failure(SHK_NO_MEMORY, "no memory for a factorization", 0, 0);
  const struct shk_system *system = evaluator->system;
  const size_t m = (size_t)system->m;
  const bool general = (system->features & SHK_GENERAL_HAMILTONIAN) != 0;
  l->kind = options != NULL ? (enum kind)shk_values_choice(options, "linear") : KIND_AUTO;
  if (general)
    l->kind = KIND_LU;
  else if (l->kind == KIND_AUTO)
    l->kind = system->row_start != NULL && m > DENSE_LIMIT ? KIND_SPARSE : KIND_LU;
  l->evaluator = evaluator;
  l->m = system->m;
  struct shk_status status = shk_ok();
  if (l->kind == KIND_SPARSE) {
    status = shk_sparse_create(&l->sparse, evaluator);
  } else {
    l->matrix = malloc((m * m + 1) * sizeof(real));
    l->scattered = calloc((size_t)system->n + 1, sizeof(real));
    l->pivots = malloc((m + 1) * sizeof(int));
    if (l->matrix == NULL || l->scattered == NULL || l->pivots == NULL)
      status = shk_failure(SHK_NO_MEMORY, "no memory for a dense matrix of %g constraints",
                           (double)m, 0);
  }
  if (status.code != SHK_OK) {
    shk_linear_destroy(l);
    *linear = NULL;
  }
  return status;
}

bool shk_linear_symmetric_only(const struct shk_linear *l)
{
  return l->kind == KIND_CHOLESKY;
}

static void assemble(struct shk_linear *l, const real *G_a, const real *G_b)
{
  const struct shk_evaluator *e = l->evaluator;
  const int *start = e->row_start, *columns = e->columns;
  const real *mass = e->system->mass;
  for (int i = 0; i < l->m; i++) {
    for (int k = start[i]; k < start[i + 1]; k++)
      l->scattered[columns[k]] = G_a[k] / mass[columns[k]];
    for (int j = 0; j < l->m; j++) {
      real sum = 0;
      for (int k = start[j]; k < start[j + 1]; k++)
        sum += l->scattered[columns[k]] * G_b[k];
      l->matrix[(size_t)i * l->m + j] = sum;
    }
    for (int k = start[i]; k < start[i + 1]; k++)
      l->scattered[columns[k]] = 0;
  }
}

struct shk_status shk_linear_factor(struct shk_linear *l, const real *G_a, const real *G_b)
{
  if (l->kind == KIND_SPARSE)
    return shk_sparse_factor(l->sparse, G_a, G_b);
  assemble(l, G_a, G_b);
  if (l->kind == KIND_CHOLESKY) {
    if (!shk_cholesky_factor(l->matrix, l->m))
      return shk_failure(SHK_SINGULAR, "the constraint matrix is not positive definite", 0, 0);
  } else if (!shk_lu_factor(l->matrix, l->pivots, l->m)) {
    return shk_failure(SHK_SINGULAR, "the constraint matrix is singular", 0, 0);
  }
  return shk_ok();
}

struct shk_status shk_linear_factor_metric(struct shk_linear *l, const real *G, const real *W,
                                           int stride)
{
  const struct shk_evaluator *e = l->evaluator;
  const int *start = e->row_start, *columns = e->columns, n = e->system->n;
  for (int i = 0; i < l->m; i++) {
    for (int k = start[i]; k < start[i + 1]; k++)
      if (W == NULL)
        l->scattered[columns[k]] = G[k];
      else
        for (int j = 0; j < n; j++)
          l->scattered[j] += G[k] * W[(size_t)columns[k] * stride + j];
    for (int j = 0; j < l->m; j++) {
      real sum = 0;
      for (int k = start[j]; k < start[j + 1]; k++)
        sum += l->scattered[columns[k]] * G[k];
      l->matrix[(size_t)i * l->m + j] = sum;
    }
    for (int j = 0; j < n; j++)
      l->scattered[j] = 0;
  }
  if (!shk_lu_factor(l->matrix, l->pivots, l->m))
    return shk_failure(SHK_SINGULAR, "the matrix G H_pp Gᵀ is singular", 0, 0);
  return shk_ok();
}

void shk_linear_solve(const struct shk_linear *l, real *x)
{
  if (l->kind == KIND_SPARSE)
    shk_sparse_solve(l->sparse, x);
  else if (l->kind == KIND_CHOLESKY)
    shk_cholesky_solve(x, l->matrix, l->m);
  else
    shk_lu_solve(x, l->matrix, l->pivots, l->m);
}
