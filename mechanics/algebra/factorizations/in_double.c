/* See in_double.h. */
#define SHK_PRECISION 64
#include "mechanics/algebra/factorizations/in_double.h"

#include "mechanics/algebra/factorizations/factorization.h"

/* What a solve may leave of its right side. */
#define DIGITS_LOST 1e-10

struct shk_in_double {
  struct shk_in_double_arrays arrays;
  struct shk_system system; /* only what factorizations look at */
  struct shk_evaluator evaluator;
  struct shk_linear *linear;
  double *right, *moved; /* m, n */
};

struct shk_status shk_in_double_create(struct shk_in_double **factors,
                                       struct shk_in_double_arrays *arrays,
                                       struct shk_workspace *workspace, const int *row_start,
                                       const int *columns, int n, int m, int kind)
{
  const size_t entries = (size_t)row_start[m];
  struct shk_in_double *f = *factors = shk_memory(workspace, sizeof *f);
  if (!f)
    return shk_no_memory();
  struct shk_in_double_arrays *const a = &f->arrays;
  *a =
      (struct shk_in_double_arrays){n, m, (int)entries, .row_start = row_start, .columns = columns};
  SHK_TRY(shk_reals(workspace, &a->mass, (size_t)n));
  SHK_TRY(shk_reals(workspace, &a->G_a, entries));
  SHK_TRY(shk_reals(workspace, &a->G_b, entries));
  SHK_TRY(shk_reals(workspace, &a->x, (size_t)m));
  SHK_TRY(shk_reals(workspace, &f->right, (size_t)m));
  SHK_TRY(shk_reals(workspace, &f->moved, (size_t)n));
  f->system = (struct shk_system){.struct_size = sizeof f->system,
                                  .n = n,
                                  .m = m,
                                  .mass = a->mass,
                                  .row_start = row_start,
                                  .columns = columns};
  f->evaluator = (struct shk_evaluator){
      .system = &f->system, .row_start = row_start, .columns = columns, .workspace = workspace};
  *arrays = *a;
  return shk_linear_create_kind(&f->linear, workspace, &f->evaluator, (enum shk_linear_kind)kind,
                                NULL);
}

/* A right side of the scale of K, in no special direction: 1 to 2 times the root of the diagonal.
 */
static void draw_right_side(struct shk_in_double *f, const double *G_b)
{
  const struct shk_in_double_arrays *a = &f->arrays;
  for (int i = 0; i < a->m; i++) {
    double diagonal = 0;
    for (int k = a->row_start[i]; k < a->row_start[i + 1]; k++)
      diagonal += a->G_a[k] * G_b[k] / a->mass[a->columns[k]];
    const double part = i * 0.6180339887498949;
    f->right[i] = (i & 2 ? -1 : 1) * (1 + (part - floor(part))) * sqrt(fabs(diagonal));
  }
}

/* Whether K x is the right side, but for the digits that may be lost. */
static bool is_solved(struct shk_in_double *f, const double *G_b)
{
  const struct shk_in_double_arrays *a = &f->arrays;
  for (int c = 0; c < a->n; c++)
    f->moved[c] = 0;
  for (int i = 0; i < a->m; i++)
    for (int k = a->row_start[i]; k < a->row_start[i + 1]; k++)
      f->moved[a->columns[k]] += G_b[k] * a->x[i];
  for (int i = 0; i < a->m; i++) {
    double sum = 0;
    for (int k = a->row_start[i]; k < a->row_start[i + 1]; k++)
      sum += a->G_a[k] * (f->moved[a->columns[k]] / a->mass[a->columns[k]]);
    if (!(fabs(sum - f->right[i]) <= DIGITS_LOST * fabs(f->right[i])))
      return false;
  }
  return true;
}

bool shk_in_double_factor(struct shk_in_double *f, bool same)
{
  const struct shk_in_double_arrays *a = &f->arrays;
  const double *G_b = same ? a->G_a : a->G_b;
  if (shk_linear_factor(f->linear, a->G_a, G_b).code != SHK_OK)
    return false;
  draw_right_side(f, G_b);
  for (int i = 0; i < a->m; i++)
    a->x[i] = f->right[i];
  shk_linear_solve(f->linear, a->x);
  return is_solved(f, G_b);
}

void shk_in_double_solve(struct shk_in_double *f)
{
  shk_linear_solve(f->linear, f->arrays.x);
}
