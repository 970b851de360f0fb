/* Tangent spaces of g = 0 and of M^H, and the rank of the form ω = Σ dq_i ∧ dp_i on them. */
#ifndef TESTS_KIT_FORM_H
#define TESTS_KIT_FORM_H

#include "mechanics/system/manifold.h"
#include "tests/kit/driving.h"

enum { MOST = 48 };

/* Rows of g_q and g_p, then, with `hidden`, those of the hidden constraint by differences. */
static inline int gradients(struct shk_drive *d, real (*row)[MOST], bool hidden)
{
  struct shk_evaluator *e = &d->bound.observer;
  const struct shk_state *s = &d->bound.start;
  const int n = s->n, m = s->m;
  real G[MOST * MOST], g[MOST], low[MOST], high[MOST], z[MOST];
  const real h = real_pow(REAL_EPSILON, R(1.0) / 3);
  if (e->system->features & SHK_MOMENTUM_CONSTRAINT) {
    real g_q[MOST * MOST], g_p[MOST * MOST];
    if (shk_constraint_gradients(e, g_q, g_p, s->t, s->q, s->p).code != SHK_OK)
      abort();
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++) {
        row[i][j] = g_q[i * n + j];
        row[i][n + j] = g_p[i * n + j];
      }
  } else {
    if (shk_jacobian(e, G, s->t, s->q).code != SHK_OK)
      abort();
    for (int i = 0; i < m; i++) {
      memset(row[i], 0, sizeof row[i]);
      for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++)
        row[i][e->columns[k]] = G[k];
    }
  }
  if (!hidden)
    return m;
  memcpy(z, s->q, (size_t)n * sizeof *z);
  memcpy(z + n, s->p, (size_t)n * sizeof *z);
  for (int j = 0; j < 2 * n; j++) {
    const real at = z[j];
    z[j] = at + h;
    shk_manifold_residuals(d->bound.manifold, g, high, s->t, z, z + n);
    z[j] = at - h;
    shk_manifold_residuals(d->bound.manifold, g, low, s->t, z, z + n);
    z[j] = at;
    for (int i = 0; i < m; i++)
      row[m + i][j] = (high[i] - low[i]) / (2 * h);
  }
  return 2 * m;
}

/* An orthonormal basis of the space orthogonal to all rows; its dimension. */
static inline int tangent(real (*basis)[MOST], const real (*row)[MOST], int rows, int size)
{
  real span[2 * MOST][MOST];
  int spanned = 0, count = 0;
  for (int k = 0; k < rows + size; k++) {
    real *v = span[spanned], length = 0;
    for (int j = 0; j < size; j++)
      v[j] = k < rows ? row[k][j] : (real)(j == k - rows);
    for (int again = 0; again < 2; again++)
      for (int i = 0; i < spanned; i++) {
        real dot = 0;
        for (int j = 0; j < size; j++)
          dot += span[i][j] * v[j];
        for (int j = 0; j < size; j++)
          v[j] -= dot * span[i][j];
      }
    for (int j = 0; j < size; j++)
      length += v[j] * v[j];
    length = real_sqrt(length);
    if (length < R(1e-3)) /* unit vectors that the others nearly span: others make up for them */
      continue;
    for (int j = 0; j < size; j++)
      v[j] /= length;
    if (k >= rows)
      memcpy(basis[count++], v, sizeof span[0]);
    if (++spanned == size)
      break;
  }
  return count;
}

/* ω(u,v). */
static inline real form(const real *u, const real *v, int n)
{
  real sum = 0;
  for (int k = 0; k < n; k++)
    sum += u[k] * v[n + k] - u[n + k] * v[k];
  return sum;
}

/* The rank of ω(u_i,u_j) by elimination with complete pivoting. */
static inline int rank_of_form(const real (*basis)[MOST], int count, int n)
{
  real a[MOST][MOST];
  const real small = real_pow(REAL_EPSILON, R(0.5));
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++)
      a[i][j] = form(basis[i], basis[j], n);
  for (int rank = 0; rank < count; rank++) {
    int r = rank, c = rank;
    for (int i = rank; i < count; i++)
      for (int j = rank; j < count; j++)
        if (real_fabs(a[i][j]) > real_fabs(a[r][c])) {
          r = i;
          c = j;
        }
    if (real_fabs(a[r][c]) < small)
      return rank;
    for (int j = 0; j < count; j++) {
      const real swap = a[r][j];
      a[r][j] = a[rank][j];
      a[rank][j] = swap;
    }
    for (int i = 0; i < count; i++) {
      const real swap = a[i][c];
      a[i][c] = a[i][rank];
      a[i][rank] = swap;
    }
    for (int i = rank + 1; i < count; i++) {
      const real factor = a[i][rank] / a[rank][rank];
      for (int j = rank; j < count; j++)
        a[i][j] -= factor * a[rank][j];
    }
  }
  return count;
}

#endif
