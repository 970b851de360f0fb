/*
 * linear=block: factors the constraint matrix K = G_a M⁻¹ G_bᵀ one connected component of the
 * constraint graph at a time. Each component is factored by a small dense LU with partial pivoting.
 *
 * K has no entries between components, so each one can be factored separately. A component with m_c
 * constraints takes m_c³/3 operations, whereas the whole matrix would take m³/3. A singular
 * component is reported by the index of its first constraint.
 */
#include "mechanics/algebra/factorizations/factorization.h"
#include "mechanics/algebra/graph.h"
#include "mechanics/algebra/pivots.h"
#include <shakedown/solve.h>

struct blocks {
  const struct shk_evaluator *evaluator;
  /* n entries each; `scattered` contains a row of G_a M⁻¹ and is zeroed after each use */
  real *inverse_mass, *scattered;
  struct shk_partition components;
  real *matrices;     /* the component matrices in order, each row-major */
  int *pivots;        /* m entries, component by component */
  real *diagonal, *x; /* of one component */
};

static const struct shk_array arrays[] = SHK_LIST(
    SHK_INTEGERS(blocks, pivots, .m = 1), SHK_ARRAYS(blocks, (.n = 1), inverse_mass, scattered),
    SHK_ARRAYS(blocks, (.m = 1), diagonal, x));

static struct shk_status create_block(void **factors, struct shk_workspace *workspace,
                                      const struct shk_evaluator *e, const struct shk_values *own)
{
  (void)own;
  struct blocks *b = *factors = shk_part(workspace, sizeof *b, arrays, e);
  SHK_TRY(shk_allocated(b));
  b->evaluator = e;
  for (int j = 0; j < e->system->n; j++)
    b->inverse_mass[j] = 1 / e->system->mass[j];
  SHK_TRY(shk_components(&b->components, workspace, e));
  size_t entries = 0;
  for (int c = 0; c < b->components.count; c++) {
    const size_t size = (size_t)(b->components.start[c + 1] - b->components.start[c]);
    entries += size * size;
  }
  return shk_reals(workspace, &b->matrices, entries);
}

static void assemble_component(struct blocks *b, real *matrix, const int *rows, int size,
                               const real *G_a, const real *G_b)
{
  const int *start = b->evaluator->row_start, *columns = b->evaluator->columns;
  for (int i = 0; i < size; i++) {
    for (int k = start[rows[i]]; k < start[rows[i] + 1]; k++)
      b->scattered[columns[k]] = G_a[k] * b->inverse_mass[columns[k]];
    for (int j = 0; j < size; j++) {
      real sum = 0;
      for (int k = start[rows[j]]; k < start[rows[j] + 1]; k++)
        sum += b->scattered[columns[k]] * G_b[k];
      matrix[i * size + j] = sum;
    }
    for (int k = start[rows[i]]; k < start[rows[i] + 1]; k++)
      b->scattered[columns[k]] = 0;
  }
}

static struct shk_status factor_block(void *factors, const real *G_a, const real *G_b, bool again)
{
  (void)again;
  struct blocks *b = factors;
  real *matrix = b->matrices;
  for (int c = 0; c < b->components.count; c++) {
    const int first = b->components.start[c], size = b->components.start[c + 1] - first;
    assemble_component(b, matrix, b->components.rows + first, size, G_a, G_b);
    for (int i = 0; i < size; i++)
      b->diagonal[i] = matrix[i * (size + 1)];
    if (!shk_lu_factor(matrix, b->pivots + first, size) ||
        !shk_lu_is_regular(matrix, b->pivots + first, b->diagonal, size))
      return shk_failure(SHK_SINGULAR,
                         "the block of the constraint matrix that begins with row %g is singular",
                         b->components.rows[first] + 1, 0);
    matrix += (size_t)size * (size_t)size;
  }
  return shk_ok();
}

static void solve_block(void *factors, real *x)
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
    .create = create_block, .factor = factor_block, .solve = solve_block};
