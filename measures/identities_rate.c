/*
 * Tests identities that every consistent method satisfies (measures/identities.c). They involve the
 * limit of the rate (p1 - p0)/h as h vanishes, which is extrapolated from steps of h, h/2, …, h/32
 * from the same state. With F = -V_q, the limit is compared with
 *
 *   rate-right         F - Gᵀλ, with the exact multiplier
 *   rate-no-curvature  F - Gᵀλ, with A λ = -G M⁻¹V_q; this omits g_qq[v,v], the rate of change of
 *                      the Jacobian
 *   rate-free          F
 *   rate-floor         the last change in the extrapolation plus a rounding error of p divided by
 *                      the smallest step
 *
 * Each distance is divided by |F| + |F - Gᵀλ|. The distances are not recorded if a step fails or if
 * the method has a memory, because its steps then depend on more than (q,p).
 */
#include "measures/identities.h"

#include <math.h>

enum { LEVELS = 6 };

/* Stores the rates at all levels, with n numbers per level. Returns false if a step fails. */
static bool find_rates(struct shk_identities *k, real *rates)
{
  real h = k->map->step;
  for (int level = 0; level < LEVELS; level++, h /= 2) {
    if (shk_map_step(k->map, k->back, k->from, h).code != SHK_OK)
      return false;
    for (int i = 0; i < k->n; i++)
      rates[level * k->n + i] =
          ((k->back->p[i] - k->from->p[i]) + (k->back->p_carry[i] - k->from->p_carry[i])) / h;
  }
  return true;
}

/* Extrapolates to h = 0 in place, using Neville's scheme. The result is stored in the last level,
 * and its last change in k->x. */
static void extrapolate_identities_rate(struct shk_identities *k, real *rates)
{
  for (int column = 1; column < LEVELS; column++)
    for (int level = LEVELS - 1; level >= column; level--)
      for (int i = 0; i < k->n; i++) {
        real *const here = &rates[level * k->n + i];
        const real change = (*here - rates[(level - 1) * k->n + i]) / (real)((1 << column) - 1);
        *here += change;
        if (level == LEVELS - 1)
          k->x[i] = change;
      }
}

/* Adds the distance between a rate and F - Gᵀλ, or F if λ is NULL. */
static void add_distance(struct shk_identities *k, const char *what, const real *rate,
                         const real *lambda, real size)
{
  real *const y = k->other;
  for (int i = 0; i < k->n; i++)
    y[i] = rate[i] - k->force[SHK_AT_OLD][i];
  if (lambda)
    shk_jacobian_transposed_add(k->e, y, k->G, 1, lambda);
  shk_identity_add(k, what, shk_length_of(y, k->n) / size);
}

struct shk_status shk_identities_of_rate(struct shk_identities *k)
{
  const struct shk_state *const a = k->from;
  struct shk_manifold *const manifold = k->map->manifold;
  real *rates, *const rest = k->v1, *const y = k->other;
  if (a->memory_count > 0)
    return shk_ok();
  SHK_TRY(shk_reals(k->e->workspace, &rates, (size_t)LEVELS * (size_t)k->n));
  if (!find_rates(k, rates))
    return shk_ok();
  extrapolate_identities_rate(k, rates);
  const real *const rate = rates + (size_t)(LEVELS - 1) * (size_t)k->n;
  const real change = shk_length_of(k->x, k->n);
  SHK_TRY(shk_jacobian(k->e, k->G, a->t, a->q));
  if (shk_exact_multiplier(manifold, k->rates, a->t, a->q, a->p).code != SHK_OK)
    return shk_ok();
  shk_copy(y, k->force[SHK_AT_OLD], k->n);
  shk_jacobian_transposed_add(k->e, y, k->G, -1, k->rates);
  const real size = shk_length_of(k->force[SHK_AT_OLD], k->n) + shk_length_of(y, k->n),
             least = real_fabs(k->map->step) / (1 << (LEVELS - 1));
  add_distance(k, "rate-right", rate, k->rates, size);
  add_distance(k, "rate-free", rate, NULL, size);
  shk_fill(rest, 0, k->n);
  if (shk_exact_multiplier(manifold, k->rates, a->t, a->q, rest).code == SHK_OK)
    add_distance(k, "rate-no-curvature", rate, k->rates, size);
  shk_identity_add(k, "rate-floor",
                   (change + REAL_EPSILON * shk_length_of(a->p, k->n) / least) / size);
  return shk_ok();
}
