/* See in_double.h. */
#define SHK_PRECISION 64
#include "mechanics/algebra/factorizations/in_double.h"

#include "mechanics/algebra/factorizations/factorization.h"

/* Largest residual, relative to the right-hand side, at which a solve is still useful. */
#define DIGITS_LOST 1e-10

struct shk_in_double {
  struct shk_in_double_arrays arrays;
  struct shk_in_double_system of;
  struct shk_system system; /* only the members that factorizations read are set */
  struct shk_evaluator evaluator;
  struct shk_linear *linear;
  double *right, *moved; /* m, n */
};

struct shk_status shk_in_double_create(struct shk_in_double **factors,
                                       struct shk_in_double_arrays *arrays,
                                       struct shk_workspace *workspace,
                                       const struct shk_in_double_system *of, int kind)
{
  const size_t n = (size_t)of->n, m = (size_t)of->m, entries = (size_t)of->row_start[m];
  struct shk_in_double *f = *factors = shk_memory(workspace, sizeof *f);
  SHK_TRY(shk_allocated(f));
  f->of = *of;
  SHK_TRY(shk_reals(workspace, &f->arrays.G_a, entries));
  SHK_TRY(shk_reals(workspace, &f->arrays.G_b, entries));
  SHK_TRY(shk_reals(workspace, &f->arrays.x, m));
  SHK_TRY(shk_reals(workspace, &f->right, m));
  SHK_TRY(shk_reals(workspace, &f->moved, n));
  *arrays = f->arrays;
  f->system = (struct shk_system){.struct_size = sizeof f->system,
                                  .n = of->n,
                                  .m = of->m,
                                  .mass = of->mass,
                                  .row_start = of->row_start,
                                  .columns = of->columns};
  f->evaluator = (struct shk_evaluator){.system = &f->system,
                                        .row_start = of->row_start,
                                        .columns = of->columns,
                                        .run = 1,
                                        .workspace = workspace};
  return shk_linear_create_kind(&f->linear, workspace, &f->evaluator, (enum shk_linear_kind)kind,
                                NULL);
}

/* Sets each entry of `right` to between 1 and 2 times the square root of the corresponding diagonal
 * entry of K, so that the vector has a generic direction. */
static void draw_right_side(struct shk_in_double *f, const double *G_b)
{
  const struct shk_in_double_system *of = &f->of;
  const double *G_a = f->arrays.G_a;
  for (int i = 0; i < of->m; i++) {
    double diagonal = 0;
    for (int k = of->row_start[i]; k < of->row_start[i + 1]; k++)
      diagonal += G_a[k] * G_b[k] / of->mass[of->columns[k]];
    const double part = i * 0.6180339887498949;
    f->right[i] = (i & 2 ? -1 : 1) * (1 + (part - floor(part))) * sqrt(fabs(diagonal));
  }
}

/* Returns true if K x equals the right-hand side to within DIGITS_LOST. */
static bool is_solved(struct shk_in_double *f, const double *G_b)
{
  const struct shk_in_double_system *of = &f->of;
  const double *G_a = f->arrays.G_a, *x = f->arrays.x;
  shk_fill(f->moved, 0, of->n);
  for (int i = 0; i < of->m; i++)
    for (int k = of->row_start[i]; k < of->row_start[i + 1]; k++)
      f->moved[of->columns[k]] += G_b[k] * x[i];
  for (int i = 0; i < of->m; i++) {
    double sum = 0;
    for (int k = of->row_start[i]; k < of->row_start[i + 1]; k++)
      sum += G_a[k] * (f->moved[of->columns[k]] / of->mass[of->columns[k]]);
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
  shk_copy(a->x, f->right, f->of.m);
  shk_linear_solve(f->linear, a->x);
  return is_solved(f, G_b);
}

void shk_in_double_solve(struct shk_in_double *f)
{
  shk_linear_solve(f->linear, f->arrays.x);
}

bool shk_in_double_lu_factor(double *a, int *pivots, int n)
{
  return shk_lu_factor(a, pivots, n);
}

void shk_in_double_lu_solve(double *x, const double *a, const int *pivots, int n)
{
  shk_lu_solve(x, a, pivots, n);
}
