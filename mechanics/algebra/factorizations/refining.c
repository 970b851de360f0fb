/* Factors for iterative refinement. See refining.h. */
#include "mechanics/algebra/factorizations/refining.h"

#include "mechanics/algebra/factorizations/factorization.h"
#include "mechanics/algebra/rough.h"

/* An iteration with double-precision factors needs one more correction than one with quad-precision
 * factors. With FEW constraints or fewer, that correction costs as much as factoring in quad. */
#define FEW 8
/* Newton's method converges quadratically, so each gain is the square of the previous one. */
#define MANY_DIGITS R(1e-7)

struct shk_status shk_refining_allow_double(struct shk_refining *f, struct shk_workspace *workspace,
                                            const struct shk_values *options)
{
  const struct shk_evaluator *e = f->evaluator;
  const int kind = options ? shk_values_choice(options, "linear") : (int)SHK_LINEAR_AUTO;
  const unsigned others = SHK_TAKES_REDUNDANT | SHK_LEAVES_CONSTRAINT;
  if (!RESIDUALS_ARE_FINER || (shk_linear_traits(kind) & others) != 0 || !e->system->mass ||
      shk_is_general(e->system))
    return shk_ok();
  const int n = e->system->n, m = e->system->m;
  double *mass = shk_memory(workspace, (size_t)n * sizeof *mass);
  SHK_TRY(shk_allocated(mass));
  for (int i = 0; i < n; i++)
    mass[i] = (double)e->system->mass[i];
  const struct shk_in_double_system system = {n, m, e->row_start, e->columns, mass};
  return shk_in_double_create(&f->rough, &f->arrays, workspace, &system, kind);
}

bool shk_refining_is_small(const struct shk_refining *f)
{
  return f->evaluator->system->m <= FEW;
}

void shk_refining_begin(struct shk_refining *f, bool full)
{
  f->in_full = full;
}

void shk_refining_gained(struct shk_refining *f, real residual, real before)
{
  if (f->rough && !f->in_full)
    f->in_full = shk_refining_is_small(f) && residual < MANY_DIGITS * before;
}

static bool factor_in_double(struct shk_refining *f, const real *G_a, const real *G_b)
{
  const struct shk_evaluator *e = f->evaluator;
  const int entries = e->row_start[e->system->m];
  if (f->in_full || (e->rank > 0 && e->rank < e->system->m))
    return false;
  for (int k = 0; k < entries; k++)
    f->arrays.G_a[k] = (double)G_a[k];
  for (int k = 0; k < entries && G_b != G_a; k++)
    f->arrays.G_b[k] = (double)G_b[k];
  return shk_in_double_factor(f->rough, G_b == G_a);
}

struct shk_status shk_refining_factor(struct shk_refining *f, const real *G_a, const real *G_b,
                                      bool again)
{
  const bool was_rough = f->is_rough;
  f->evaluator->counters.factorizations++;
  f->is_rough = f->rough && factor_in_double(f, G_a, G_b);
  if (f->is_rough)
    return shk_ok();
  f->in_full = true;
  return again && !was_rough ? shk_linear_factor_again(f->linear, G_a, G_b)
                             : shk_linear_factor(f->linear, G_a, G_b);
}

struct shk_status shk_refining_factor_metric(struct shk_refining *f, const real *G, const real *W,
                                             int stride)
{
  f->evaluator->counters.factorizations++;
  f->is_rough = false;
  return shk_linear_factor_metric(f->linear, G, W, stride);
}

void shk_refining_solve(const struct shk_refining *f, real *x)
{
  if (!f->is_rough) {
    shk_linear_solve(f->linear, x);
    return;
  }
  const int m = f->evaluator->system->m;
  const real size = real_max_norm(x, m), inverse = size > 0 ? 1 / size : 0;
  for (int i = 0; i < m; i++)
    f->arrays.x[i] = (double)(x[i] * inverse);
  shk_in_double_solve(f->rough);
  for (int i = 0; i < m; i++)
    x[i] = size * (real)f->arrays.x[i];
}
