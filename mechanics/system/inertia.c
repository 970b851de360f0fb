/*
 * Evaluates the Hamiltonian of a system whose mass matrix depends on q. With v = M⁻¹p and D_k =
 * (dM/dq_k) v,
 *
 *     H = ½ pᵀv + V         H_p = v                   H_q,k = V_k - ½ vᵀD_k
 *     H_pp = M⁻¹            H_pq (column k) = -M⁻¹D_k
 *     H_qq,kl = V_kl - ½ vᵀ(d²M/dq_k dq_l)v + D_kᵀ M⁻¹ D_l.
 *
 * These formulas follow from d(M⁻¹) = -M⁻¹ dM M⁻¹.
 */
#include "mechanics/system/inertia.h"

#include "mechanics/system/callback.h"

#include <shakedown/solve.h>

#include <string.h>

/* Cached values for a single q. */
struct place {
  bool known;         /* whether `factor` is the factor of M at `at` */
  bool v_known;       /* whether v is M⁻¹ `momentum` at `at` */
  bool along_known;   /* whether `along` was computed from the current v */
  real *at, *factor;  /* n entries, and the Cholesky factor (n x n) */
  real *momentum, *v; /* n each */
  real *along;        /* n x n, where row k is D_k */
};

static const struct shk_array place_arrays[] = SHK_LIST(
    SHK_ARRAYS(place, (.n = 1), at, momentum, v), SHK_ARRAYS(place, (.nn = 1), factor, along));

struct shk_inertia {
  const struct shk_system *system;
  int n;
  /* The most recently used entry and the other one. Two entries are stored because solves alternate
   * between the two ends of a step. */
  struct place *last, *other;
  real *solved; /* 2n x n: the rows M⁻¹D_k, followed by M⁻¹ */
};

static const struct shk_array arrays[] = SHK_LIST(SHK_ARRAY(shk_inertia, solved, .nn = 2));

struct shk_status shk_inertia_create(struct shk_inertia **created, struct shk_workspace *workspace,
                                     const struct shk_evaluator *evaluator)
{
  struct shk_inertia *inertia = *created = shk_part(workspace, sizeof *inertia, arrays, evaluator);
  SHK_TRY(shk_allocated(inertia));
  inertia->system = evaluator->system;
  inertia->n = evaluator->system->n;
  inertia->last = shk_part(workspace, sizeof *inertia->last, place_arrays, evaluator);
  inertia->other = shk_part(workspace, sizeof *inertia->other, place_arrays, evaluator);
  return inertia->last != NULL && inertia->other ? shk_ok() : shk_no_memory();
}

static bool is_at(const struct place *place, const real *q, size_t size)
{
  return place->known && memcmp(place->at, q, size) == 0;
}

/* Finds v = M(q)⁻¹ p and stores it in the most recently used entry. v is computed once for each
 * (q,p), and M is factored once for each of the last two q. */
static struct shk_status find_velocity(struct shk_inertia *inertia, const real *q, const real *p)
{
  const struct shk_system *s = inertia->system;
  const size_t size = (size_t)inertia->n * sizeof *q;
  if (!is_at(inertia->last, q, size)) {
    struct place *const swap = inertia->last;
    inertia->last = inertia->other;
    inertia->other = swap;
  }
  struct place *const place = inertia->last;
  if (!is_at(place, q, size)) {
    place->known = place->v_known = false;
    SHK_TRY(shk_callback_status(s, s->mass_matrix(s->context, place->factor, q)));
    if (!shk_cholesky_factor(place->factor, inertia->n))
      return shk_failure(SHK_SINGULAR, "the mass matrix is not positive definite", 0, 0);
    memcpy(place->at, q, size);
    place->known = true;
  }
  if (!place->v_known || memcmp(place->momentum, p, size) != 0) {
    place->along_known = false;
    memcpy(place->momentum, p, size);
    memcpy(place->v, p, size);
    shk_cholesky_solve(place->v, place->factor, inertia->n);
    place->v_known = true;
  }
  return shk_ok();
}

/* Finds v and D_k, which are shared by the gradients and second derivatives at the same state. */
static struct shk_status find_along(struct shk_inertia *inertia, const real *q, const real *p)
{
  const struct shk_system *s = inertia->system;
  SHK_TRY(find_velocity(inertia, q, p));
  struct place *const place = inertia->last;
  if (!place->along_known)
    SHK_TRY(shk_callback_status(s, s->mass_gradient(s->context, place->along, q, place->v)));
  place->along_known = true;
  return shk_ok();
}

struct shk_status shk_inertia_hamiltonian(struct shk_inertia *inertia, real *value, real t,
                                          const real *q, const real *p)
{
  const struct shk_system *s = inertia->system;
  SHK_TRY(find_velocity(inertia, q, p));
  SHK_TRY(shk_callback_status(s, s->potential(s->context, value, t, q)));
  *value += real_dot(p, inertia->last->v, inertia->n) / 2;
  return shk_ok();
}

struct shk_status shk_inertia_add_kinetic(struct shk_inertia *inertia, real *H_q, const real *q,
                                          const real *p)
{
  SHK_TRY(find_along(inertia, q, p));
  for (int k = 0; k < inertia->n; k++)
    H_q[k] -= real_dot(inertia->last->v, inertia->last->along + (size_t)k * (size_t)inertia->n,
                       inertia->n) /
              2;
  return shk_ok();
}

struct shk_status shk_inertia_p(struct shk_inertia *inertia, real *H_p, const real *q,
                                const real *p)
{
  SHK_TRY(find_velocity(inertia, q, p));
  memcpy(H_p, inertia->last->v, (size_t)inertia->n * sizeof *H_p);
  return shk_ok();
}

struct shk_status shk_inertia_hessian_p(struct shk_inertia *inertia, real *out, const real *q,
                                        const real *p)
{
  const size_t n = (size_t)inertia->n, stride = 2 * n;
  SHK_TRY(find_along(inertia, q, p));
  memcpy(inertia->solved, inertia->last->along, n * n * sizeof *inertia->solved);
  for (size_t i = 0; i < n * n; i++)
    inertia->solved[n * n + i] = i % (n + 1) == 0;
  for (size_t k = 0; k < 2 * n; k++)
    shk_cholesky_solve(inertia->solved + k * n, inertia->last->factor, inertia->n);
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < n; k++) {
      out[(n + i) * stride + k] = -inertia->solved[k * n + i];
      out[(n + i) * stride + n + k] = inertia->solved[(n + i) * n + k];
    }
  return shk_ok();
}

struct shk_status shk_inertia_hessian(struct shk_inertia *inertia, real *out, real t, const real *q,
                                      const real *p)
{
  const struct shk_system *s = inertia->system;
  const size_t n = (size_t)inertia->n, stride = 2 * n;
  SHK_TRY(find_velocity(inertia, q, p));
  real *second = inertia->solved, *potential = inertia->solved + n * n;
  SHK_TRY(shk_callback_status(s, s->mass_curvature(s->context, second, q, inertia->last->v)));
  SHK_TRY(shk_callback_status(s, s->potential_hessian(s->context, potential, t, q)));
  for (size_t k = 0; k < n; k++)
    for (size_t l = 0; l < n; l++)
      out[k * stride + l] = potential[k * n + l] - second[k * n + l] / 2;
  SHK_TRY(shk_inertia_hessian_p(inertia, out, q, p));
  for (size_t k = 0; k < n; k++)
    for (size_t l = 0; l < n; l++) {
      out[k * stride + l] +=
          real_dot(inertia->last->along + k * n, inertia->solved + l * n, inertia->n);
      out[k * stride + n + l] = out[(n + l) * stride + k];
    }
  return shk_ok();
}
