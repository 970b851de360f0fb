/*
 * The Hamiltonian of a mass matrix that depends on q. With v = M⁻¹p and D_k = (dM/dq_k) v,
 *
 *     H = ½ pᵀv + V         H_p = v                   H_q,k = V_k - ½ vᵀD_k
 *     H_pp = M⁻¹            H_pq (column k) = -M⁻¹D_k
 *     H_qq,kl = V_kl - ½ vᵀ(d²M/dq_k dq_l)v + D_kᵀ M⁻¹ D_l,
 *
 * which follow from d(M⁻¹) = -M⁻¹ dM M⁻¹.
 */
#include "mechanics/inertia.h"

#include "mechanics/callback.h"

#include <shakedown/solve.h>

#include <stdlib.h>
#include <string.h>

struct shk_inertia {
  const struct shk_system *system;
  int n;
  bool known;        /* whether the factor is that of M at `at` */
  real *at, *factor; /* n; n x n, Cholesky's */
  real *v;           /* n */
  real *along;       /* n x n: rows D_k */
  real *solved;      /* n x n: rows M⁻¹D_k */
  real *second;      /* n x n */
};

struct shk_status shk_inertia_create(struct shk_inertia **inertia, const struct shk_system *system)
{
  const size_t n = (size_t)system->n;
  struct shk_inertia *w = calloc(1, sizeof *w);
  real *block = calloc(2 * n + 4 * n * n + 1, sizeof *block);
  *inertia = NULL;
  if (w == NULL || block == NULL) {
    free(w);
    free(block);
    return shk_failure(SHK_NO_MEMORY, "no memory for a mass matrix of %g coordinates", (double)n,
                       0);
  }
  *w = (struct shk_inertia){.system = system,
                            .n = system->n,
                            .at = block,
                            .v = block + n,
                            .factor = block + 2 * n,
                            .along = block + 2 * n + n * n,
                            .solved = block + 2 * n + 2 * n * n,
                            .second = block + 2 * n + 3 * n * n};
  *inertia = w;
  return shk_ok();
}

void shk_inertia_destroy(struct shk_inertia *w)
{
  if (w == NULL)
    return;
  free(w->at);
  free(w);
}

/* v = M(q)⁻¹ p, with M factored once for each q. */
static struct shk_status find_velocity(struct shk_inertia *w, const real *q, const real *p)
{
  const struct shk_system *s = w->system;
  const size_t n = (size_t)w->n;
  if (!w->known || memcmp(w->at, q, n * sizeof *q) != 0) {
    w->known = false;
    SHK_TRY(shk_callback_status(s->mass_matrix(s->context, w->factor, q)));
    if (!shk_cholesky_factor(w->factor, w->n))
      return shk_failure(SHK_SINGULAR, "the mass matrix is not positive definite", 0, 0);
    memcpy(w->at, q, n * sizeof *q);
    w->known = true;
  }
  memcpy(w->v, p, n * sizeof *p);
  shk_cholesky_solve(w->v, w->factor, w->n);
  return shk_ok();
}

static real dot(const real *a, const real *b, int n)
{
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

struct shk_status shk_inertia_hamiltonian(struct shk_inertia *w, real *value, real t, const real *q,
                                          const real *p)
{
  const struct shk_system *s = w->system;
  SHK_TRY(find_velocity(w, q, p));
  SHK_TRY(shk_callback_status(s->potential(s->context, value, t, q)));
  *value += dot(p, w->v, w->n) / 2;
  return shk_ok();
}

struct shk_status shk_inertia_q(struct shk_inertia *w, real *H_q, real t, const real *q,
                                const real *p)
{
  const struct shk_system *s = w->system;
  SHK_TRY(find_velocity(w, q, p));
  SHK_TRY(shk_callback_status(s->mass_gradient(s->context, w->along, q, w->v)));
  SHK_TRY(shk_callback_status(s->gradient(s->context, H_q, t, q)));
  for (int k = 0; k < w->n; k++)
    H_q[k] -= dot(w->v, w->along + (size_t)k * (size_t)w->n, w->n) / 2;
  return shk_ok();
}

struct shk_status shk_inertia_p(struct shk_inertia *w, real *H_p, const real *q, const real *p)
{
  SHK_TRY(find_velocity(w, q, p));
  memcpy(H_p, w->v, (size_t)w->n * sizeof *H_p);
  return shk_ok();
}

struct shk_status shk_inertia_hessian(struct shk_inertia *w, real *out, real t, const real *q,
                                      const real *p)
{
  const struct shk_system *s = w->system;
  const int n = w->n;
  const size_t wide = (size_t)n, stride = 2 * wide;
  SHK_TRY(find_velocity(w, q, p));
  SHK_TRY(shk_callback_status(s->mass_gradient(s->context, w->along, q, w->v)));
  SHK_TRY(shk_callback_status(s->mass_curvature(s->context, w->second, q, w->v)));
  SHK_TRY(shk_callback_status(s->potential_hessian(s->context, w->solved, t, q)));
  for (size_t k = 0; k < wide; k++)
    for (size_t l = 0; l < wide; l++)
      out[k * stride + l] = w->solved[k * wide + l] - w->second[k * wide + l] / 2;
  memcpy(w->solved, w->along, wide * wide * sizeof(real));
  for (size_t k = 0; k < wide; k++)
    shk_cholesky_solve(w->solved + k * wide, w->factor, n);
  for (size_t k = 0; k < wide; k++)
    for (size_t l = 0; l < wide; l++) {
      out[k * stride + l] += dot(w->along + k * wide, w->solved + l * wide, n);
      out[k * stride + wide + l] = -w->solved[k * wide + l];
      out[(wide + l) * stride + k] = -w->solved[k * wide + l];
    }
  for (size_t i = 0; i < wide; i++) { /* column i of M⁻¹, which is its row */
    for (size_t j = 0; j < wide; j++)
      w->second[j] = i == j;
    shk_cholesky_solve(w->second, w->factor, n);
    for (size_t j = 0; j < wide; j++)
      out[(wide + i) * stride + wide + j] = w->second[j];
  }
  return shk_ok();
}
