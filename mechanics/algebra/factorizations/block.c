/*
 * linear=block: the constraint matrix K = G_a M⁻¹ G_bᵀ by connected components of the constraint
 * graph, one small dense LU with partial pivoting each.
 *
 * K has no entries between components, so each is a matrix of its own: m_c³/3 operations in place
 * of m³/3, and a singular component is reported by its first constraint. For small components the
 * products that make up each entry are listed once; larger ones multiply rows of the Jacobians.
 */
#include "mechanics/algebra/factorizations/factorization.h"
#include "mechanics/algebra/graph.h"
#include "mechanics/algebra/pivots.h"
#include <shakedown/solve.h>

struct product {
  int a, b; /* places in the Jacobian's values */
};

struct blocks {
  const struct shk_evaluator *evaluator;
  struct product *products;
  int *product_start; /* by entries of `matrices` */
  real *inverse_mass; /* n */
  real *weighted;     /* the values of G_a M⁻¹ */
  struct shk_partition components;
  size_t entries;
  real *matrices;     /* one after the other, by rows; entries of them */
  int *pivots;        /* m, by components */
  real *diagonal, *x; /* of a component */
};

/* Lists the products of all entries, component by component, row by row; returns their number. With
 * NULL it only counts. */
static size_t visit_products(const struct blocks *b, struct product *products, int *start)
{
  const struct shk_evaluator *e = b->evaluator;
  size_t count = 0, entry = 0;
  for (int c = 0; c < b->components.count; c++)
    for (int i = b->components.start[c]; i < b->components.start[c + 1]; i++)
      for (int j = b->components.start[c]; j < b->components.start[c + 1]; j++) {
        const int row = b->components.rows[i], other = b->components.rows[j];
        if (start)
          start[entry++] = (int)count;
        for (int k = e->row_start[row]; k < e->row_start[row + 1]; k++)
          for (int l = e->row_start[other]; l < e->row_start[other + 1]; l++)
            if (e->columns[k] == e->columns[l]) {
              if (products)
                products[count] = (struct product){k, l};
              count++;
            }
      }
  if (start)
    start[entry] = (int)count;
  return count;
}

static struct shk_status list_products(struct blocks *b, struct shk_workspace *workspace)
{
  const struct shk_evaluator *e = b->evaluator;
  b->products = shk_memory(workspace, visit_products(b, NULL, NULL) * sizeof *b->products);
  if (!b->products)
    return shk_no_memory();
  SHK_TRY(shk_integers(workspace, &b->product_start, b->entries + 1));
  visit_products(b, b->products, b->product_start);
  for (int j = 0; j < e->system->n; j++)
    b->inverse_mass[j] = 1 / e->system->mass[j];
  return shk_ok();
}

static const struct shk_array arrays[] = {SHK_INTEGERS(blocks, pivots, .m = 1),
                                          SHK_ARRAY(blocks, inverse_mass, .n = 1),
                                          SHK_ARRAY(blocks, weighted, .entries = 1),
                                          SHK_ARRAYS(blocks, diagonal, x, .m = 1),
                                          {0}};

static struct shk_status create(void **factors, struct shk_workspace *workspace,
                                const struct shk_evaluator *e, const struct shk_values *own)
{
  (void)own;
  struct blocks *b = *factors = shk_part(workspace, sizeof *b, arrays, e);
  if (!b)
    return shk_no_memory();
  b->evaluator = e;
  SHK_TRY(shk_components(&b->components, workspace, e));
  for (int c = 0; c < b->components.count; c++) {
    const size_t size = (size_t)(b->components.start[c + 1] - b->components.start[c]);
    b->entries += size * size;
  }
  SHK_TRY(shk_reals(workspace, &b->matrices, b->entries));
  return list_products(b, workspace);
}

/* All matrices at once. */
static void add_products(struct blocks *b, const real *G_a, const real *G_b)
{
  const struct shk_evaluator *e = b->evaluator;
  const int entries = e->row_start[e->system->m];
  for (int k = 0; k < entries; k++)
    b->weighted[k] = G_a[k] * b->inverse_mass[e->columns[k]];
  const int *start = b->product_start;
  for (size_t entry = 0; entry < b->entries; entry++) {
    real sum = 0;
    for (int at = start[entry]; at < start[entry + 1]; at++)
      sum += b->weighted[b->products[at].a] * G_b[b->products[at].b];
    b->matrices[entry] = sum;
  }
}

static struct shk_status factor(void *factors, const real *G_a, const real *G_b, bool again)
{
  (void)again;
  struct blocks *b = factors;
  real *matrix = b->matrices;
  add_products(b, G_a, G_b);
  for (int c = 0; c < b->components.count; c++) {
    const int first = b->components.start[c], size = b->components.start[c + 1] - first;
    for (int i = 0; i < size; i++)
      b->diagonal[i] = matrix[i * (size + 1)];
    if (!shk_lu_factor(matrix, b->pivots + first, size) ||
        !shk_lu_is_regular(matrix, b->pivots + first, b->diagonal, size))
      return shk_failure(SHK_SINGULAR,
                         "the block of the constraint matrix that begins with row %g is singular",
                         b->components.rows[first], 0);
    matrix += (size_t)size * (size_t)size;
  }
  return shk_ok();
}

static void solve(void *factors, real *x)
{
  struct blocks *b = factors;
  const real *matrix = b->matrices;
  for (int c = 0; c < b->components.count; c++) {
    const int first = b->components.start[c], size = b->components.start[c + 1] - first;
    const int *rows = b->components.rows + first;
    for (int i = 0; i < size; i++)
      b->x[i] = x[rows[i]];
    shk_lu_solve(b->x, matrix, b->pivots + first, size);
    for (int i = 0; i < size; i++)
      x[rows[i]] = b->x[i];
    matrix += (size_t)size * (size_t)size;
  }
}

const struct shk_factorization shk_block_factorization = {
    .create = create, .factor = factor, .solve = solve};
