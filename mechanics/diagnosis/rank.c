/*
 * Computes singular values and vectors of the constraint Jacobian by Jacobi rotations. With this
 * method, the small singular values, which show how close the Jacobian is to losing rank, are as
 * accurate as the large ones.
 */
#include "mechanics/diagnosis/rank.h"

#include "mechanics/algebra/jacobi.h"
#include "mechanics/binding/binding.h"
#include "mechanics/system/dae.h"

int shk_rank_width(const struct shk_system *system)
{
  return system->features & SHK_MOMENTUM_CONSTRAINT ? 2 * system->n
         : system->features & SHK_GENERAL_DAE       ? system->m
                                                    : system->n;
}

static struct shk_status fill_dae(real *rows, struct shk_evaluator *e, real t, const real *q,
                                  const real *p)
{
  struct shk_dae *dae;
  struct shk_workspace *workspace = shk_workspace_create(NULL, 0);
  struct shk_status status = workspace ? shk_dae_create(&dae, workspace, e) : shk_no_memory();
  if (status.code == SHK_OK)
    status = shk_dae_matrix(dae, rows, t, q, p);
  shk_workspace_destroy(workspace);
  return status;
}

/* Fills B with unscaled rows. B must be zero on entry. */
static struct shk_status fill_rows(real *rows, real *jacobian, struct shk_evaluator *e, real t,
                                   const real *q, const real *p)
{
  const int n = e->system->n, m = e->system->m;
  if (e->system->features & SHK_GENERAL_DAE)
    return fill_dae(rows, e, t, q, p);
  if (e->system->features & SHK_MOMENTUM_CONSTRAINT) {
    real *g_p = jacobian + (size_t)m * (size_t)n;
    SHK_TRY(shk_constraint_gradients(e, jacobian, g_p, t, q, p));
    for (int i = 0; i < m; i++)
      for (int k = 0; k < n; k++) {
        rows[(size_t)i * 2 * n + k] = jacobian[(size_t)i * n + k];
        rows[(size_t)i * 2 * n + n + k] = g_p[(size_t)i * n + k];
      }
    return shk_ok();
  }
  const real *mass = e->system->features & SHK_GENERAL_HAMILTONIAN ? NULL : e->system->mass;
  SHK_TRY(shk_jacobian(e, jacobian, t, q));
  for (int i = 0; i < m; i++)
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++) {
      const int c = e->columns[k];
      rows[(size_t)i * n + c] = mass ? jacobian[k] / real_sqrt(mass[c]) : jacobian[k];
    }
  return shk_ok();
}

struct shk_status shk_rank_rows(real *B, real *lengths, bool given, real *scratch,
                                struct shk_evaluator *e, real t, const real *q, const real *p)
{
  const int m = e->system->m, width = shk_rank_width(e->system);
  shk_fill(B, 0, m * width);
  SHK_TRY(fill_rows(B, scratch, e, t, q, p));
  for (int i = 0; i < m; i++) {
    real *row = B + (size_t)i * width;
    const real length = given ? lengths[i] : real_sqrt(real_dot(row, row, width));
    if (!real_isfinite(real_max_norm(row, width)))
      return shk_failure(SHK_NOT_FINITE, "the gradient of constraint %g is not finite", i + 1, 0);
    if (!given)
      lengths[i] = length > 0 ? length : 1;
    for (int k = 0; k < width; k++)
      row[k] /= lengths[i];
  }
  return shk_ok();
}

/* The arrays have room for the largest width, 2n. */
static const struct shk_array arrays[] = SHK_LIST(
    SHK_ARRAYS(shk_spectrum, (.nm = 2, .mm = 1), rows, products),
    SHK_ARRAY(shk_spectrum, left, .mm = 1), SHK_ARRAYS(shk_spectrum, (.m = 1), values, lengths),
    SHK_INTEGERS(shk_spectrum, order, .m = 1), SHK_ARRAY(shk_spectrum, scratch, .mm = 2, .nm = 2));

struct shk_status shk_spectrum_init(struct shk_spectrum *s, const struct shk_evaluator *e)
{
  *s = (struct shk_spectrum){.m = e->system->m, .width = shk_rank_width(e->system)};
  return s->m > SHK_RANK_LIMIT
             ? shk_failure(SHK_BAD_INPUT, "too many constraints for singular values: %g (limit %g)",
                           s->m, SHK_RANK_LIMIT)
             : shk_create_arrays(s, arrays, e, e->workspace);
}

/* out <- L in, where L is m x m, and `in` and `out` are m x columns */
static void multiply_rank(real *out, const real *L, const real *in, int m, int columns)
{
  for (int i = 0; i < m; i++) {
    real *row = out + (size_t)i * columns;
    shk_fill(row, 0, columns);
    for (int j = 0; j < m; j++) {
      const real factor = L[(size_t)i * m + j];
      if (factor != 0)
        shk_vector_add(row, factor, in + (size_t)j * columns, columns);
    }
  }
}

struct shk_status shk_spectrum_find(struct shk_spectrum *s, const struct shk_spectrum *near,
                                    struct shk_evaluator *e, real t, const real *q, const real *p)
{
  const int m = s->m, width = s->width;
  real *turned = s->scratch, *copy = s->scratch + (size_t)m * m;
  if (near && near != s)
    shk_copy(s->lengths, near->lengths, m);
  SHK_TRY(shk_rank_rows(s->rows, s->lengths, near != NULL, copy, e, t, q, p));
  if (near) /* the rotations start from L_near B, because its rows are nearly orthogonal */
    multiply_rank(s->products, near->left, s->rows, m, width);
  else
    shk_copy(s->products, s->rows, m * width);
  if (!shk_jacobi_svd(s->products, turned, m, width, 0))
    return shk_failure(SHK_NOT_CONVERGED, "the Jacobi sweeps did not converge", 0, 0);
  if (near) {
    multiply_rank(copy, turned, near->left, m, m);
    shk_copy(s->left, copy, m * m);
  } else {
    shk_copy(s->left, turned, m * m);
  }
  for (int i = 0; i < m; i++) {
    const real *row = s->products + (size_t)i * width;
    s->values[i] = real_sqrt(real_dot(row, row, width));
    int at = i;
    for (; at > 0 && s->values[s->order[at - 1]] > s->values[i]; at--)
      s->order[at] = s->order[at - 1];
    s->order[at] = i;
  }
  const real largest = m > 0 ? real_max(1, s->values[s->order[m - 1]]) : 1;
  const real limit = shk_rank_tolerance(e->system) * largest;
  s->rank = 0;
  for (int i = 0; i < m; i++)
    s->rank += s->values[i] > limit;
  return shk_ok();
}

/* Applies Gram-Schmidt orthogonalization twice to each row of the extended matrix (B 1). If row i
 * of B is reduced to zero, row i of the right half then contains coefficients c with 0 = Σ_j c_j
 * B_j and c_i = 1. */
static void relate_rows(real *coefficients, bool *depends, struct shk_spectrum *s, real tolerance)
{
  const int m = s->m, width = s->width;
  int count = 0;
  for (int i = 0; i < m; i++) {
    real *row = s->products + (size_t)i * width, *c = s->left + (size_t)i * m;
    for (int j = 0; j < m; j++)
      c[j] = i == j;
    for (int k = 0; k < 2 * count; k++) {
      const size_t kept = (size_t)s->order[k % count];
      const real part = -real_dot(row, s->products + kept * width, width);
      shk_vector_add(row, part, s->products + kept * width, width);
      shk_vector_add(c, part, s->left + kept * m, m);
    }
    const real left = real_sqrt(real_dot(row, row, width));
    depends[i] = !(left > tolerance);
    for (int j = 0; j < m; j++)
      coefficients[(size_t)i * m + j] =
          depends[i] && j != i ? -c[j] * s->lengths[i] / s->lengths[j] : 0;
    if (depends[i])
      continue;
    for (int j = 0; j < width; j++)
      row[j] /= left;
    for (int j = 0; j < m; j++)
      c[j] /= left;
    s->order[count++] = i;
  }
}

struct shk_status shk_rank_relations(real *coefficients, bool *depends, struct shk_spectrum *s,
                                     struct shk_evaluator *e, real t, const real *q, const real *p)
{
  SHK_TRY(shk_rank_rows(s->products, s->lengths, false, s->scratch, e, t, q, p));
  relate_rows(coefficients, depends, s, shk_rank_tolerance(e->system));
  return shk_ok();
}

struct shk_status shk_singular_values(real *values, struct shk_evaluator *e, real t, const real *q,
                                      const real *p)
{
  struct shk_spectrum s;
  SHK_TRY(shk_spectrum_init(&s, e));
  SHK_TRY(shk_spectrum_find(&s, NULL, e, t, q, p));
  for (int i = 0; i < s.m; i++)
    values[i] = s.values[s.order[s.m - 1 - i]];
  return shk_ok();
}
