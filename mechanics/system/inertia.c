/*
 * The Hamiltonian with a mass matrix that depends on q. With v = M⁻¹p and D_k = (dM/dq_k) v,
 *
 *     H = ½ pᵀv + V         H_p = v                   H_q,k = V_k - ½ vᵀD_k
 *     H_pp = M⁻¹            H_pq (column k) = -M⁻¹D_k
 *     H_qq,kl = V_kl - ½ vᵀ(d²M/dq_k dq_l)v + D_kᵀ M⁻¹ D_l,
 *
 * from d(M⁻¹) = -M⁻¹ dM M⁻¹.
 */
#include "mechanics/system/inertia.h"

#include "mechanics/system/callback.h"

#include <shakedown/solve.h>

#include <string.h>

/* Values cached at one q. */
struct place {
  bool known;         /* `factor` belongs to M at `at` */
  bool v_known;       /* v is M⁻¹ `momentum` at `at` */
  bool along_known;   /* `along` belongs to v */
  real *at, *factor;  /* n; n x n, Cholesky's */
  real *momentum, *v; /* n each */
  real *along;        /* n x n: rows D_k */
};

static const struct shk_array place_arrays[] = SHK_LIST(
    SHK_ARRAYS(place, (.n = 1), at, momentum, v), SHK_ARRAYS(place, (.nn = 1), factor, along));

struct shk_inertia {
  const struct shk_system *system;
  int n;
  /* The last place used and the other: solves alternate between both ends of a step. */
  struct place *last, *other;
  real *solved; /* 2n x n: rows M⁻¹D_k, then M⁻¹ */
};

static const struct shk_array arrays[] = SHK_LIST(SHK_ARRAY(shk_inertia, solved, .nn = 2));

struct shk_status shk_inertia_create(struct shk_inertia **inertia, struct shk_workspace *workspace,
                                     const struct shk_evaluator *evaluator)
{
  struct shk_inertia *w = *inertia = shk_part(workspace, sizeof *w, arrays, evaluator);
  SHK_TRY(shk_allocated(w));
  w->system = evaluator->system;
  w->n = evaluator->system->n;
  w->last = shk_part(workspace, sizeof *w->last, place_arrays, evaluator);
  w->other = shk_part(workspace, sizeof *w->other, place_arrays, evaluator);
  return w->last != NULL && w->other ? shk_ok() : shk_no_memory();
}

static bool is_at(const struct place *place, const real *q, size_t size)
{
  return place->known && memcmp(place->at, q, size) == 0;
}

/* Finds v = M(q)⁻¹ p in the last place, once for each (q,p). M is factored once for each of the
 * last two q. */
static struct shk_status find_velocity(struct shk_inertia *w, const real *q, const real *p)
{
  const struct shk_system *s = w->system;
  const size_t size = (size_t)w->n * sizeof *q;
  if (!is_at(w->last, q, size)) {
    struct place *const swap = w->last;
    w->last = w->other;
    w->other = swap;
  }
  struct place *const place = w->last;
  if (!is_at(place, q, size)) {
    place->known = place->v_known = false;
    SHK_TRY(shk_callback_status(s->mass_matrix(s->context, place->factor, q)));
    if (!shk_cholesky_factor(place->factor, w->n))
      return shk_failure(SHK_SINGULAR, "the mass matrix is not positive definite", 0, 0);
    memcpy(place->at, q, size);
    place->known = true;
  }
  if (!place->v_known || memcmp(place->momentum, p, size) != 0) {
    place->along_known = false;
    memcpy(place->momentum, p, size);
    memcpy(place->v, p, size);
    shk_cholesky_solve(place->v, place->factor, w->n);
    place->v_known = true;
  }
  return shk_ok();
}

/* Finds v and D_k, which gradients and second derivatives at one state share. */
static struct shk_status find_along(struct shk_inertia *w, const real *q, const real *p)
{
  const struct shk_system *s = w->system;
  SHK_TRY(find_velocity(w, q, p));
  struct place *const place = w->last;
  if (!place->along_known)
    SHK_TRY(shk_callback_status(s->mass_gradient(s->context, place->along, q, place->v)));
  place->along_known = true;
  return shk_ok();
}

struct shk_status shk_inertia_hamiltonian(struct shk_inertia *w, real *value, real t, const real *q,
                                          const real *p)
{
  const struct shk_system *s = w->system;
  SHK_TRY(find_velocity(w, q, p));
  SHK_TRY(shk_callback_status(s->potential(s->context, value, t, q)));
  *value += real_dot(p, w->last->v, w->n) / 2;
  return shk_ok();
}

struct shk_status shk_inertia_add_kinetic(struct shk_inertia *w, real *H_q, const real *q,
                                          const real *p)
{
  SHK_TRY(find_along(w, q, p));
  for (int k = 0; k < w->n; k++)
    H_q[k] -= real_dot(w->last->v, w->last->along + (size_t)k * (size_t)w->n, w->n) / 2;
  return shk_ok();
}

struct shk_status shk_inertia_p(struct shk_inertia *w, real *H_p, const real *q, const real *p)
{
  SHK_TRY(find_velocity(w, q, p));
  memcpy(H_p, w->last->v, (size_t)w->n * sizeof *H_p);
  return shk_ok();
}

struct shk_status shk_inertia_hessian_p(struct shk_inertia *w, real *out, const real *q,
                                        const real *p)
{
  const size_t n = (size_t)w->n, stride = 2 * n;
  SHK_TRY(find_along(w, q, p));
  memcpy(w->solved, w->last->along, n * n * sizeof *w->solved);
  for (size_t i = 0; i < n * n; i++)
    w->solved[n * n + i] = i % (n + 1) == 0;
  for (size_t k = 0; k < 2 * n; k++)
    shk_cholesky_solve(w->solved + k * n, w->last->factor, w->n);
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < n; k++) {
      out[(n + i) * stride + k] = -w->solved[k * n + i];
      out[(n + i) * stride + n + k] = w->solved[(n + i) * n + k];
    }
  return shk_ok();
}

struct shk_status shk_inertia_hessian(struct shk_inertia *w, real *out, real t, const real *q,
                                      const real *p)
{
  const struct shk_system *s = w->system;
  const size_t n = (size_t)w->n, stride = 2 * n;
  SHK_TRY(find_velocity(w, q, p));
  real *second = w->solved, *potential = w->solved + n * n;
  SHK_TRY(shk_callback_status(s->mass_curvature(s->context, second, q, w->last->v)));
  SHK_TRY(shk_callback_status(s->potential_hessian(s->context, potential, t, q)));
  for (size_t k = 0; k < n; k++)
    for (size_t l = 0; l < n; l++)
      out[k * stride + l] = potential[k * n + l] - second[k * n + l] / 2;
  SHK_TRY(shk_inertia_hessian_p(w, out, q, p));
  for (size_t k = 0; k < n; k++)
    for (size_t l = 0; l < n; l++) {
      out[k * stride + l] += real_dot(w->last->along + k * n, w->solved + l * n, w->n);
      out[k * stride + n + l] = out[(n + l) * stride + k];
    }
  return shk_ok();
}
