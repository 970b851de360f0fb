/*
 * The energy that the enforcement of constraints puts in during a step, for the member
 * `constraint_work` of integrators:
 *
 *     an impulse J = -kick Gᵀ lambda within a kick from p⁻ to p⁺ at q:   ½ (v⁻ + v⁺)·J,  v = H_p
 *     a force -Gᵀ lambda:     its power -lambdaᵀ G v, for a quadrature by the method
 *     a move (a projection):  the change of H
 *
 * For separable H the shares of all impulses of a kick add up to the change of ½ pᵀM⁻¹p. Nothing
 * here counts as work of the integrator; what cannot be evaluated is NaN and fails no step.
 */
#ifndef SHAKEDOWN_IMPULSE_H
#define SHAKEDOWN_IMPULSE_H

#include <shakedown/ode.h>

/* ½ (v⁻ + v⁺)·J at (t,q); G: the values of the constraints' matrix at which J acts; v: n, scratch.
 */
static inline real impulse_work(struct shk_evaluator *e, real *v, real kick, const real *G,
                                const real *lambda, real t, const real *q, const real *p_before,
                                const real *p_after)
{
  const struct shk_work before = e->work;
  real sum = 0;
  for (int side = 0; side < 2; side++) {
    if (shk_velocity(e, v, t, q, side == 0 ? p_before : p_after).code != SHK_OK)
      sum = NAN;
    for (int i = 0; i < e->system->m; i++)
      for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++)
        sum -= lambda[i] * G[k] * v[e->columns[k]];
  }
  e->work = before;
  return kick / 2 * sum;
}

/* H(t,q,p). */
static inline real impulse_energy(struct shk_evaluator *e, real t, const real *q, const real *p)
{
  const struct shk_work before = e->work;
  real value;
  if (shk_hamiltonian(e, &value, t, q, p).code != SHK_OK)
    value = NAN;
  e->work = before;
  return value;
}

/* -lambdaᵀ G v of the index-reduced equations; scratch: f 2n, gradient n, lambda m. */
static inline real impulse_power(struct shk_evaluator *e, struct shk_reduced *reduced, real *f,
                                 real *gradient, real *lambda, real t, const real *q, const real *p)
{
  const int n = e->system->n;
  const struct shk_work before = e->work;
  real sum = 0;
  if (shk_reduced_slope(reduced, f, f + n, lambda, t, q, p).code != SHK_OK ||
      shk_gradient(e, gradient, t, q, p).code != SHK_OK)
    sum = NAN;
  for (int i = 0; i < n; i++) /* p' + H_q is the constraint's force */
    sum += f[i] * (f[n + i] + gradient[i]);
  e->work = before;
  return sum;
}

#endif
