/*
 * Assembles a mechanism from an inaccurate initial guess, using Newton's method with hard body rows
 * and soft joint rows (K. Levenberg 1944, D. Marquardt 1963). The bodies stay rigid while the
 * joints close as far as possible:
 *
 *     (G M⁻¹ Gᵀ + ν J) λ = g,     q <- q - M⁻¹ Gᵀ λ,
 *     J diagonal, with 1 for joint rows and 0 for body rows.
 *
 * ν is decreased after a step that reduces the residual, and increased otherwise. As ν -> 0, the
 * steps become minimal in the mass metric. If the loops cannot be closed, the iteration converges
 * to a least-squares solution of the rows.
 */
#include "problems/kit/mechanism/mechanism.h"

#include <shakedown/solve.h>

enum { LIMIT = 300 };

struct assembly {
  struct shk_mechanism *s;
  /* m: the sizes of the rows at the initial guess. g and G are divided by these sizes because rows
   * for lengths and rows for directions have different units. */
  real *sizes;
  real *G, *A, *g, *lambda, *tried; /* m x n: G M^(-1/2); m x m; m; m; n */
};

void shk_mechanism_row_sizes(real *sizes, const struct shk_mechanism *s)
{
  real values[2 * SHK_MARK_PARTS], of_unit[2] = {0, 0};
  for (int k = 0; k < s->n; k++)
    of_unit[s->units[k]] = real_max(of_unit[s->units[k]], real_fabs(s->q[k]));
  for (int i = 0; i < s->m; i++) {
    shk_row_gradient(values, &s->rows[i], 0, s->q);
    sizes[i] = 0;
    for (int k = 0; k < s->rows[i].count; k++)
      sizes[i] += real_fabs(values[k]) * of_unit[s->units[s->rows[i].columns[k]]];
  }
}

/* Stores g divided by the row sizes, and returns the sum of the squares of the result. */
static real assembly_residual(const struct assembly *a, real *g, const real *q)
{
  for (int i = 0; i < a->s->m; i++)
    g[i] = shk_row_value(&a->s->rows[i], 0, q) / (a->sizes[i] > 0 ? a->sizes[i] : 1);
  return real_dot(g, g, a->s->m);
}

/* Stores G M^(-1/2), and the matrix for a ν that is `softness` times the mean of the diagonal
 * entries. */
static void fill_assembly(const struct assembly *a, real softness)
{
  const struct shk_mechanism *const s = a->s;
  const size_t n = (size_t)s->n, m = (size_t)s->m;
  real values[2 * SHK_MARK_PARTS], trace = 0;
  shk_fill(a->G, 0, s->m * s->n);
  for (int i = 0; i < s->m; i++) {
    shk_row_gradient(values, &s->rows[i], 0, s->q);
    for (int k = 0; k < s->rows[i].count; k++) {
      const int column = s->rows[i].columns[k];
      a->G[(size_t)i * n + (size_t)column] =
          values[k] / real_sqrt(s->mass[column]) / (a->sizes[i] > 0 ? a->sizes[i] : 1);
    }
  }
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j <= i; j++)
      a->A[i * m + j] = a->A[j * m + i] = real_dot(a->G + i * n, a->G + j * n, s->n);
  for (size_t i = 0; i < m; i++)
    trace += a->A[i * m + i];
  for (size_t i = (size_t)s->inner; i < m; i++)
    a->A[i * m + i] += softness * trace / (real)s->m;
}

/* Stores the next positions. Returns false if the matrix is not positive definite. */
static bool step(const struct assembly *a, real softness)
{
  const struct shk_mechanism *const s = a->s;
  fill_assembly(a, softness);
  shk_copy(a->lambda, a->g, s->m);
  if (!shk_cholesky_factor(a->A, s->m))
    return false;
  shk_cholesky_solve(a->lambda, a->A, s->m);
  shk_copy(a->tried, s->q, s->n);
  for (int i = 0; i < s->m; i++)
    for (int k = 0; k < s->n; k++)
      a->tried[k] -=
          a->G[(size_t)i * (size_t)s->n + (size_t)k] * a->lambda[i] / real_sqrt(s->mass[k]);
  return true;
}

/* Stores the row sizes and the current g, and stores the sum of the squares of g in *square. */
static struct shk_status begin_assembly(struct assembly *a, real *square, struct shk_mechanism *s,
                                        struct shk_workspace *workspace)
{
  *a = (struct assembly){.s = s};
  SHK_TRY(shk_reals(workspace, &a->g, (size_t)s->m + 1));
  SHK_TRY(shk_reals(workspace, &a->sizes, (size_t)s->m + 1));
  shk_mechanism_row_sizes(a->sizes, s);
  *square = assembly_residual(a, a->g, s->q);
  return shk_ok();
}

static struct shk_status create_matrices(struct assembly *a, real **next,
                                         struct shk_workspace *workspace)
{
  const size_t n = (size_t)a->s->n, m = (size_t)a->s->m;
  SHK_TRY(shk_reals(workspace, &a->G, m * n));
  SHK_TRY(shk_reals(workspace, &a->A, m * m));
  SHK_TRY(shk_reals(workspace, &a->lambda, m));
  SHK_TRY(shk_reals(workspace, next, m));
  return shk_reals(workspace, &a->tried, n);
}

struct shk_status shk_mechanism_close(struct shk_mechanism *s, struct shk_workspace *workspace)
{
  struct assembly a;
  real softness = 1, square, *next;
  SHK_TRY(begin_assembly(&a, &square, s, workspace));
  if (s->m > SHK_ASSEMBLED_ROWS || square < R(1e-10))
    return shk_ok();
  SHK_TRY(create_matrices(&a, &next, workspace));
  for (int k = 0; k < LIMIT && square > R(1e-10) && softness < R(1e12); k++) {
    const bool solved = step(&a, softness);
    const real tried = solved ? assembly_residual(&a, next, a.tried) : 0;
    if (!solved || !(tried < square)) {
      softness *= 4;
      continue;
    }
    square = tried;
    shk_copy(s->q, a.tried, s->n);
    shk_copy(a.g, next, s->m);
    softness = real_max(softness / 5, 1000 * REAL_EPSILON);
  }
  return square > R(1e-10) ? shk_failure(SHK_INCONSISTENT, "a joint does not close", 0, 0)
                           : shk_ok();
}

/* If the rows change by less than about the square root of this number in some direction, a
 * redundant loop would leave that direction free, provided that the file gave enough digits for the
 * loop to close. Steps in such directions are not taken. */
static const real least_softness = R(1e-14);

struct shk_status shk_mechanism_close_further(real *residual, struct shk_mechanism *s,
                                              struct shk_workspace *workspace)
{
  struct assembly a;
  real square, *next;
  SHK_TRY(begin_assembly(&a, &square, s, workspace));
  const real rounding = SHK_CLOSING_ROUNDINGS * REAL_EPSILON / 10;
  if (real_max_norm(a.g, s->m) > rounding)
    SHK_TRY(create_matrices(&a, &next, workspace));
  for (int k = 0; k < LIMIT && real_max_norm(a.g, s->m) > rounding; k++) {
    const real tried = step(&a, least_softness) ? assembly_residual(&a, next, a.tried) : square;
    const bool stalls = !(tried < R(0.9) * square);
    if (tried < square) {
      square = tried;
      shk_copy(s->q, a.tried, s->n);
      shk_copy(a.g, next, s->m);
    }
    if (stalls)
      break;
  }
  *residual = real_max_norm(a.g, s->m);
  return shk_ok();
}
