/*
 * linear=sparse-ldl: factors the sparse constraint matrix K = G_a M⁻¹ G_bᵀ = L D U without
 * pivoting, in AMD order (Amestoy, Davis & Duff 1996). The factors are L D Lᵀ when K is symmetric
 * (G_a is G_b).
 *
 * The factorization is up-looking on a symmetric pattern (Davis, Direct Methods for Sparse Linear
 * Systems, ch. 4, extended from L D Lᵀ to L D U). Row k of L and column k of U are computed by two
 * triangular solves that have the same pattern, the reach of column k in the elimination tree.
 *
 * All arrays use the permuted order. The upper triangle of K is stored column by column. Each entry
 * contains the value above the diagonal, K(i,k), together with its mirror image K(k,i).
 */
#include "mechanics/algebra/factorizations/factorization.h"
#include "mechanics/algebra/graph.h"
#include "mechanics/algebra/inlined.h"
#include "mechanics/algebra/pivots.h"

#include <string.h>
#include <suitesparse/amd.h>

struct product {
  int a, b; /* indices into the Jacobian's values */
  /* coordinate whose mass is the divisor; for a run of coordinates, all three members refer to the
   * first coordinate */
  int mass;
};

/* A nonzero entry L(k,i) of row k. The entries of row k form the reach of column k, and each comes
 * after its descendants in the elimination tree. */
struct reached {
  int column, place; /* i, and the index of the entry in column i */
};

/* An entry above the diagonal and its mirror image below it. Both undergo the same operations. */
struct both {
  real above, below;
};

struct sparse {
  int m;
  const struct shk_evaluator *evaluator;
  int *new_of_old;
  /* upper triangle of K, column by column, with each diagonal entry first */
  int *entry_start, *entry_row;
  int *product_start;       /* index of the first product of each entry */
  struct product *products; /* a belongs to the row with the smaller new index */
  int *factor_start, *factor_row;
  int *reach_start; /* start of each row of L */
  struct reached *reach;
  real *lower, *upper; /* L(r,i) and U(i,r) at the index of (r,i) in column i */
  real *pivot;
  struct both *row; /* the current row of L D and column of D U, zeroed after each use */
  real *x;          /* m values in the new order */
  int *mark;
};

/* Returns the number of products: one for each pair of rows and each run of coordinates that the
 * two rows share. */
static size_t count_products(const struct shk_evaluator *e, const struct shk_touching *t)
{
  size_t count = 0;
  for (int j = 0; j < e->system->n; j += e->run) {
    const size_t rows = (size_t)(t->start[j + 1] - t->start[j]);
    count += rows * (rows + 1) / 2;
  }
  return count;
}

/* Returns an upper bound on the number of entries in the upper triangle. */
static size_t most_entries(size_t m, size_t products)
{
  const size_t all = m * (m - 1) / 2;
  return m + (products < all ? products : all);
}

/* Fills order (m) with the AMD ordering. Builds the pattern of K row by row. */
static struct shk_status fill_reducing_order(int *order, struct shk_workspace *workspace,
                                             const struct shk_evaluator *e,
                                             const struct shk_touching *t, int *mark)
{
  const int m = e->system->m;
  int *start, *index, count = 0;
  SHK_TRY(shk_integers(workspace, &start, (size_t)m + 1));
  SHK_TRY(shk_integers(workspace, &index, 2 * most_entries((size_t)m, count_products(e, t))));
  memset(mark, 0xff, (size_t)m * sizeof(int));
  for (int i = 0; i < m; i++) {
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++)
      for (int c = t->start[e->columns[k]]; c < t->start[e->columns[k] + 1]; c++)
        if (mark[t->row[c]] != i) {
          mark[t->row[c]] = i;
          index[count++] = t->row[c];
        }
    start[i + 1] = count;
  }
  const int result = amd_order(m, start, index, order, NULL, NULL);
  shk_give_back(start);
  shk_give_back(index);
  return result == AMD_OK || result == AMD_OK_BUT_JUMBLED ? shk_ok() : shk_no_memory();
}

/* Lists the upper-triangle entries in the new order, together with their products, one per run of
 * coordinates. A first pass over each column counts the products, and a second pass lists them. */
static struct shk_status list_products(struct sparse *s, struct shk_workspace *workspace,
                                       const struct shk_evaluator *e, const struct shk_touching *t,
                                       const int *order)
{
  const size_t products = count_products(e, t), most = most_entries((size_t)s->m, products);
  int *slot = s->mark, entries = 0; /* `slot` maps each row to its entry in the current column */
  SHK_TRY(shk_integers(workspace, &s->entry_row, most));
  SHK_TRY(shk_integers(workspace, &s->product_start, most + 1));
  s->products = shk_memory(workspace, products * sizeof(struct product));
  SHK_TRY(shk_allocated(s->products));
  memset(slot, 0xff, (size_t)s->m * sizeof(int));
  for (int k = 0; k < s->m; k++) {
    const int i = order[k], first = entries;
    slot[k] = entries;
    s->entry_row[entries++] = k;
    for (int pass = 0; pass < 2; pass++) {
      for (int a = e->row_start[i]; a < e->row_start[i + 1]; a += e->run)
        for (int c = t->start[e->columns[a]]; c < t->start[e->columns[a] + 1]; c++) {
          const int other = s->new_of_old[t->row[c]];
          if (other > k)
            continue;
          if (slot[other] < first) {
            slot[other] = entries;
            s->entry_row[entries++] = other;
          }
          int *const place = &s->product_start[slot[other] + 1];
          if (pass == 1)
            s->products[*place] = (struct product){t->place[c], a, e->columns[a]};
          (*place)++;
        }
      /* Converts the counts into the index of each entry's first product. The second pass advances
       * this index to the end of the entry's products. */
      for (int at = entries; pass == 0 && at > first; at--)
        s->product_start[at] = at > first + 1 ? s->product_start[at - 1] : 0;
      for (int at = first + 1; pass == 0 && at <= entries; at++)
        s->product_start[at] += s->product_start[at - 1];
    }
    s->entry_start[k + 1] = entries;
  }
  return shk_ok();
}

/* Finds the reach of column k from the column's entries, stores it in reach[top … m-1] and returns
 * `top`. Also adds column k to the elimination tree. */
static int find_reach(const struct sparse *s, int k, int *parent, int *reach, int *stack)
{
  int top = s->m;
  s->mark[k] = k;
  for (int at = s->entry_start[k]; at < s->entry_start[k + 1]; at++) {
    int length = 0;
    for (int i = s->entry_row[at]; s->mark[i] != k; i = parent[i]) {
      if (parent[i] < 0)
        parent[i] = k;
      stack[length++] = i;
      s->mark[i] = k;
    }
    while (length > 0)
      reach[--top] = stack[--length];
  }
  return top;
}

/* Finds the pattern of L by columns, and its rows as reaches. A first pass counts the entries, and
 * a second pass stores them. */
static struct shk_status factor_pattern(struct sparse *s, struct shk_workspace *workspace)
{
  const int m = s->m;
  int *parent, *reach, *stack, *filled; /* `parent` is -1 at roots */
  int **const arrays[] = {&parent, &reach, &stack, &filled};
  for (int i = 0; i < 4; i++)
    SHK_TRY(shk_integers(workspace, arrays[i], (size_t)m));
  memset(parent, 0xff, (size_t)m * sizeof(int));
  for (int pass = 0; pass < 2; pass++) {
    int next = 0;
    memset(s->mark, 0xff, (size_t)m * sizeof(int));
    for (int k = 0; k < m; k++) {
      for (int top = find_reach(s, k, parent, reach, stack); top < m; top++, next++) {
        const int i = reach[top];
        if (pass == 0) {
          s->factor_start[i + 1]++;
          continue;
        }
        s->factor_row[filled[i]] = k;
        s->reach[next] = (struct reached){i, filled[i]++};
      }
      s->reach_start[k + 1] = next;
    }
    if (pass == 1)
      break;
    for (int k = 0; k < m; k++)
      s->factor_start[k + 1] += s->factor_start[k];
    memcpy(filled, s->factor_start, (size_t)m * sizeof(int));
    SHK_TRY(shk_integers(workspace, &s->factor_row, (size_t)next));
    SHK_TRY(shk_reals(workspace, &s->lower, (size_t)next));
    SHK_TRY(shk_reals(workspace, &s->upper, (size_t)next));
    s->reach = shk_memory(workspace, ((size_t)next + 1) * sizeof *s->reach);
    SHK_TRY(shk_allocated(s->reach));
  }
  for (int i = 0; i < 4; i++)
    shk_give_back(*arrays[i]);
  return shk_ok();
}

static const struct shk_array arrays[] = SHK_LIST(
    SHK_INTEGERS(sparse, new_of_old, .m = 1), SHK_INTEGERS(sparse, entry_start, .m = 1, .ones = 1),
    SHK_INTEGERS(sparse, factor_start, .m = 1, .ones = 1),
    SHK_INTEGERS(sparse, reach_start, .m = 1, .ones = 1), SHK_INTEGERS(sparse, mark, .m = 1),
    SHK_ARRAYS(sparse, (.m = 1), pivot, x));

static struct shk_status create_sparse(void **factors, struct shk_workspace *workspace,
                                       const struct shk_evaluator *e, const struct shk_values *own)
{
  (void)own;
  struct sparse *s = *factors = shk_part(workspace, sizeof *s, arrays, e);
  SHK_TRY(shk_allocated(s));
  s->m = e->system->m;
  s->evaluator = e;
  s->row = shk_memory(workspace, (size_t)s->m * sizeof *s->row);
  SHK_TRY(shk_allocated(s->row));
  struct shk_touching t;
  int *order;
  SHK_TRY(shk_integers(workspace, &order, (size_t)s->m));
  SHK_TRY(shk_touching_init(&t, workspace, e));
  SHK_TRY(fill_reducing_order(order, workspace, e, &t, s->mark));
  for (int k = 0; k < s->m; k++)
    s->new_of_old[order[k]] = k;
  SHK_TRY(list_products(s, workspace, e, &t, order));
  shk_give_back(t.start);
  shk_give_back(order);
  return factor_pattern(s, workspace);
}

/* Adds the products of a run in sequence. */
INLINED void add_products(real *sum, const struct sparse *s, const real *G_a, int a,
                          const real *G_b, int b, int mass, int run)
{
  *sum += shk_over_mass(s->evaluator, G_a[a] * G_b[b], mass);
  if (run > 1)
    *sum += shk_over_mass(s->evaluator, G_a[a + 1] * G_b[b + 1], mass + 1);
  if (run > 2)
    *sum += shk_over_mass(s->evaluator, G_a[a + 2] * G_b[b + 2], mass + 2);
}

/* Scatters the values of column k and their mirror images into `row`. Returns the diagonal
 * entry. */
INLINED real spread_column(const struct sparse *s, int k, const real *G_a, const real *G_b,
                           bool symmetric, int run)
{
  const int diagonal = s->entry_start[k];
  const struct product *p = s->products + s->product_start[diagonal];
  real sum = 0;
  for (const struct product *end = s->products + s->product_start[diagonal + 1]; p < end; p++)
    add_products(&sum, s, G_a, p->a, G_b, p->b, p->mass, run);
  for (int at = diagonal + 1; at < s->entry_start[k + 1]; at++) {
    struct both both = {0, 0};
    for (const struct product *end = s->products + s->product_start[at + 1]; p < end; p++) {
      add_products(&both.above, s, G_a, p->a, G_b, p->b, p->mass, run);
      if (!symmetric)
        add_products(&both.below, s, G_a, p->b, G_b, p->a, p->mass, run);
    }
    if (symmetric)
      both.below = both.above;
    s->row[s->entry_row[at]] = both;
  }
  return sum;
}

/* If `symmetric` is true, G_a is G_b, and each entry below the diagonal has the same bits as its
 * mirror image above it. */
INLINED struct shk_status factor_as(struct sparse *s, const real *G_a, const real *G_b,
                                    bool symmetric, int run)
{
  for (int k = 0; k < s->m; k++) {
    const real diagonal = spread_column(s, k, G_a, G_b, symmetric, run);
    real pivot = diagonal;
    for (int r = s->reach_start[k]; r < s->reach_start[k + 1]; r++) {
      const int i = s->reach[r].column, place = s->reach[r].place;
      const struct both entry = s->row[i];
      s->row[i] = (struct both){0, 0};
      for (int at = s->factor_start[i]; at < place; at++) {
        struct both *const other = &s->row[s->factor_row[at]];
        other->above -= s->lower[at] * entry.above;
        other->below -= s->upper[at] * entry.below;
      }
      s->lower[place] = entry.below / s->pivot[i];
      s->upper[place] = entry.above / s->pivot[i];
      pivot -= s->lower[place] * entry.above;
    }
    if (pivot == 0 || !real_isfinite(pivot) ||
        real_fabs(pivot) <= SHK_PIVOT_ROUNDING * REAL_EPSILON * real_fabs(diagonal))
      return shk_failure(SHK_SINGULAR,
                         "the constraint matrix has a zero pivot in column %g of %g: try linear=qr",
                         k, s->m);
    s->pivot[k] = pivot;
  }
  return shk_ok();
}

static struct shk_status factor_sparse(void *factors, const real *G_a, const real *G_b, bool again)
{
  (void)again;
  struct sparse *s = factors;
  const int run = s->evaluator->run;
  if (run == 3)
    return G_a == G_b ? factor_as(s, G_a, G_b, true, 3) : factor_as(s, G_a, G_b, false, 3);
  return G_a == G_b ? factor_as(s, G_a, G_b, true, run) : factor_as(s, G_a, G_b, false, run);
}

static void solve_sparse(void *factors, real *x)
{
  struct sparse *s = factors;
  const int m = s->m;
  real *const z = s->x;
  for (int i = 0; i < m; i++)
    z[s->new_of_old[i]] = x[i];
  for (int i = 0; i < m; i++) {
    const real known = z[i];
    for (int at = s->factor_start[i]; at < s->factor_start[i + 1]; at++)
      z[s->factor_row[at]] -= s->lower[at] * known;
    z[i] = known / s->pivot[i];
  }
  for (int i = m - 1; i >= 0; i--) {
    real rest = z[i];
    for (int at = s->factor_start[i]; at < s->factor_start[i + 1]; at++)
      rest -= s->upper[at] * z[s->factor_row[at]];
    z[i] = rest;
  }
  for (int i = 0; i < m; i++)
    x[i] = z[s->new_of_old[i]];
}

const struct shk_factorization shk_sparse_factorization = {
    .create = create_sparse, .factor = factor_sparse, .solve = solve_sparse};
