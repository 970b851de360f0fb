/*
 * The constraint matrix K = G_a M⁻¹ G_bᵀ of a separable system, or G W Gᵀ of another, behind one
 * interface, and the choice of its factorization.
 */
#include "mechanics/algebra/block.h"
#include "mechanics/algebra/kinds.h"
#include "mechanics/algebra/pivots.h"
#include "mechanics/algebra/redundant.h"
#include "mechanics/algebra/sparse.h"
#include <shakedown/solve.h>

#include <stdlib.h>
#include <string.h>

/* Up to this many constraints `auto` takes dense LU; above it sparse factors if the problem
 * declares a pattern. */
#define DENSE_LIMIT 8

/* `auto` takes blocks for components of up to this many constraints. There they cost as much as
 * sparse factors and have pivoting; fully coupled components stay level until 8, but those of
 * chains are twice as fast with sparse factors then (shakedown-bench blocks). */
#define BLOCK_LIMIT 3

/* Without options, matrices of at most this many constraints are solved by svd when singular. */
#define RESCUE_LIMIT 64

struct shk_linear {
  enum shk_linear_kind kind;
  const struct shk_evaluator *evaluator;
  int m;
  real epsilon;    /* tikhonov */
  real *matrix;    /* m x m */
  real *scattered; /* n: a row of G_a over M */
  real *diagonal;  /* m: of the matrix before it was factored, or the size of what is in it */
  int *pivots;
  struct shk_sparse *sparse;
  struct shk_blocks *blocks;
  struct shk_redundant *redundant; /* qr, svd, or the rescue of the others */
  bool rescued;                    /* the last matrix was singular and went there */
};

void shk_linear_destroy(struct shk_linear *l)
{
  if (l == NULL)
    return;
  shk_sparse_destroy(l->sparse);
  shk_blocks_destroy(l->blocks);
  shk_redundant_destroy(l->redundant);
  free(l->matrix);
  free(l->scattered);
  free(l->diagonal);
  free(l->pivots);
  free(l);
}

/* What `auto` is for this constraint graph. */
static struct shk_status choose(enum shk_linear_kind *kind, const struct shk_evaluator *e)
{
  const int m = e->system->m;
  struct shk_partition components;
  *kind = SHK_LINEAR_LU;
  if (e->system->row_start == NULL)
    return shk_ok();
  SHK_TRY(shk_components(&components, e));
  if (components.count > 1 && shk_partition_largest(&components) <= BLOCK_LIMIT)
    *kind = SHK_LINEAR_BLOCK;
  else if (m > DENSE_LIMIT)
    *kind = SHK_LINEAR_SPARSE;
  shk_partition_clear(&components);
  return shk_ok();
}

static struct shk_status create_blocks(struct shk_linear *l)
{
  struct shk_partition components;
  SHK_TRY(shk_components(&components, l->evaluator));
  return shk_blocks_create(&l->blocks, l->evaluator, &components);
}

static struct shk_status create_dense(struct shk_linear *l)
{
  const size_t m = (size_t)l->m, n = (size_t)l->evaluator->system->n;
  l->matrix = malloc((m * m + 1) * sizeof(real));
  l->scattered = calloc(n + 1, sizeof(real));
  l->diagonal = malloc((m + 1) * sizeof(real));
  l->pivots = malloc((m + 1) * sizeof(int));
  if (l->matrix != NULL && l->scattered != NULL && l->diagonal != NULL && l->pivots != NULL)
    return shk_ok();
  return shk_failure(SHK_NO_MEMORY, "no memory for a dense matrix of %g constraints", (double)m, 0);
}

static struct shk_status create_kind(struct shk_linear *l, const struct shk_values *options)
{
  const bool general = shk_is_general(l->evaluator->system);
  if (options != NULL)
    l->kind = (enum shk_linear_kind)shk_values_choice(options, "linear");
  if (general && l->kind == SHK_LINEAR_AUTO)
    l->kind = SHK_LINEAR_LU;
  if (general && l->kind != SHK_LINEAR_LU && !shk_linear_drops(l))
    return shk_failure(SHK_REFUSED,
                       "systems that are not separable take linear=auto, lu, qr or svd only", 0, 0);
  if (l->kind == SHK_LINEAR_AUTO)
    SHK_TRY(choose(&l->kind, l->evaluator));
  if (options == NULL && l->m > 1 && l->m <= RESCUE_LIMIT)
    SHK_TRY(shk_redundant_create(&l->redundant, l->evaluator, true));
  switch (l->kind) {
  case SHK_LINEAR_SPARSE:
    return shk_sparse_create(&l->sparse, l->evaluator);
  case SHK_LINEAR_BLOCK:
    return create_blocks(l);
  case SHK_LINEAR_QR:
  case SHK_LINEAR_SVD:
    return shk_redundant_create(&l->redundant, l->evaluator, l->kind == SHK_LINEAR_SVD);
  case SHK_LINEAR_TIKHONOV:
    l->epsilon = shk_values_real(shk_values_nested(options, "linear"), "epsilon");
    return create_dense(l);
  default:
    return create_dense(l);
  }
}

struct shk_status shk_linear_create(struct shk_linear **linear, struct shk_evaluator *evaluator,
                                    const struct shk_values *options)
{
  struct shk_linear *l = calloc(1, sizeof *l);
  *linear = l;
  if (l == NULL)
    return shk_failure(SHK_NO_MEMORY, "no memory for a factorization", 0, 0);
  l->kind = SHK_LINEAR_AUTO;
  l->evaluator = evaluator;
  l->m = evaluator->system->m;
  const struct shk_status status = create_kind(l, options);
  if (status.code != SHK_OK) {
    shk_linear_destroy(l);
    *linear = NULL;
  }
  return status;
}

bool shk_linear_symmetric_only(const struct shk_linear *l)
{
  return l->kind == SHK_LINEAR_CHOLESKY;
}

bool shk_linear_drops(const struct shk_linear *l)
{
  return l->kind == SHK_LINEAR_QR || l->kind == SHK_LINEAR_SVD;
}

struct shk_status shk_linear_rescue(struct shk_linear *l)
{
  return l->redundant != NULL ? shk_ok() : shk_redundant_create(&l->redundant, l->evaluator, true);
}

bool shk_linear_rescued(const struct shk_linear *l)
{
  return l->rescued;
}

/* Redundant constraints, of which the rescue knows the rank: off them the matrix may be regular,
 * and is none the better for it. */
static bool is_known_singular(const struct shk_linear *l)
{
  return l->redundant != NULL && l->evaluator->rank > 0 && l->evaluator->rank < l->m;
}

real shk_linear_regularization(const struct shk_linear *l)
{
  return l->epsilon;
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

static struct shk_status factor_dense(struct shk_linear *l, const real *G_a, const real *G_b)
{
  const int m = l->m;
  assemble(l, G_a, G_b);
  for (int i = 0; i < m; i++) {
    real *entry = l->matrix + (size_t)i * m + i;
    if (l->kind == SHK_LINEAR_TIKHONOV)
      *entry += l->epsilon;
    l->diagonal[i] = *entry;
  }
  if (l->kind != SHK_LINEAR_CHOLESKY)
    return shk_lu_factor(l->matrix, l->pivots, m) &&
                   shk_lu_is_regular(l->matrix, l->pivots, l->diagonal, m)
               ? shk_ok()
               : shk_failure(SHK_SINGULAR, SHK_SINGULAR_MATRIX, 0, 0);
  bool regular = shk_cholesky_factor(l->matrix, m);
  for (int i = 0; regular && i < m; i++) {
    const real root = l->matrix[(size_t)i * m + i];
    regular = root * root > SHK_PIVOT_ROUNDING * REAL_EPSILON * l->diagonal[i];
  }
  if (regular)
    return shk_ok();
  return shk_failure(SHK_SINGULAR,
                     "the constraint matrix is not positive definite (linear=qr and svd take "
                     "redundant constraints)",
                     0, 0);
}

static struct shk_status factor_redundant(struct shk_linear *l, const real *G_a, const real *G_b,
                                          bool new_basis)
{
  if (new_basis)
    SHK_TRY(shk_redundant_basis(l->redundant, G_b));
  return shk_redundant_factor(l->redundant, G_a == G_b ? NULL : G_a);
}

static struct shk_status factor(struct shk_linear *l, const real *G_a, const real *G_b,
                                bool new_basis)
{
  struct shk_status status;
  l->rescued = false;
  if (shk_linear_drops(l))
    return factor_redundant(l, G_a, G_b, new_basis);
  if (is_known_singular(l)) {
    l->rescued = true;
    return factor_redundant(l, G_a, G_b, new_basis);
  }
  switch (l->kind) {
  case SHK_LINEAR_SPARSE:
    status = shk_sparse_factor(l->sparse, G_a, G_b);
    break;
  case SHK_LINEAR_BLOCK:
    status = shk_blocks_factor(l->blocks, G_a, G_b);
    break;
  default:
    status = factor_dense(l, G_a, G_b);
  }
  if (status.code != SHK_SINGULAR || l->redundant == NULL)
    return status;
  l->rescued = true;
  return factor_redundant(l, G_a, G_b, true);
}

struct shk_status shk_linear_factor(struct shk_linear *l, const real *G_a, const real *G_b)
{
  return factor(l, G_a, G_b, true);
}

struct shk_status shk_linear_factor_again(struct shk_linear *l, const real *G_a, const real *G_b)
{
  return factor(l, G_a, G_b, false);
}

/* matrix <- G W Gᵀ; diagonal <- the moduli of what is summed for its diagonal, which bound the
 * round-off there: W need not be definite, and the diagonal itself may be what cancellation left.
 */
static void assemble_metric(struct shk_linear *l, const real *G, const real *W, int stride)
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
    real size = 0;
    for (int k = start[i]; k < start[i + 1]; k++)
      for (int x = start[i]; x < start[i + 1]; x++) {
        const real weight = W != NULL ? W[(size_t)columns[k] * stride + columns[x]] : x == k;
        size += real_fabs(G[k] * weight * G[x]);
      }
    l->diagonal[i] = size;
  }
}

struct shk_status shk_linear_factor_metric(struct shk_linear *l, const real *G, const real *W,
                                           int stride)
{
  l->rescued = false;
  if (!shk_linear_drops(l) && !is_known_singular(l)) {
    assemble_metric(l, G, W, stride);
    if (shk_lu_factor(l->matrix, l->pivots, l->m) &&
        shk_lu_is_regular(l->matrix, l->pivots, l->diagonal, l->m))
      return shk_ok();
    if (l->redundant == NULL)
      return shk_failure(SHK_SINGULAR,
                         "the matrix G H_pp Gᵀ is singular (linear=qr and svd take redundant "
                         "constraints)",
                         0, 0);
  }
  l->rescued = !shk_linear_drops(l);
  SHK_TRY(shk_redundant_basis(l->redundant, G));
  return shk_redundant_factor_metric(l->redundant, G, W, stride);
}

void shk_linear_solve(const struct shk_linear *l, real *x)
{
  if (l->rescued) {
    shk_redundant_solve(l->redundant, x);
    return;
  }
  switch (l->kind) {
  case SHK_LINEAR_QR:
  case SHK_LINEAR_SVD:
    shk_redundant_solve(l->redundant, x);
    break;
  case SHK_LINEAR_SPARSE:
    shk_sparse_solve(l->sparse, x);
    break;
  case SHK_LINEAR_BLOCK:
    shk_blocks_solve(l->blocks, x);
    break;
  case SHK_LINEAR_CHOLESKY:
    shk_cholesky_solve(x, l->matrix, l->m);
    break;
  default:
    shk_lu_solve(x, l->matrix, l->pivots, l->m);
  }
}
