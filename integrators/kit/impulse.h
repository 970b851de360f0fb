/*
 * Computes constraint work for the member `constraint_work` of integrators. Constraint work is the
 * energy that is added during a step by enforcing the constraints. A method is regarded as a
 * sequence of flows, or of integration steps, between which moves enforce the constraints. The work
 * is the change in H caused by these moves, evaluated where each move takes place:
 *
 *     a kick  p⁺ = p⁻ - k Gᵀ lambda at q:   H(q,p⁺) - H(q,p⁻)
 *                                           = ½ (v⁻ + v⁺)·(p⁺ - p⁻),  v = M⁻¹p,  for constant M
 *     a move (a projection):                the change of H
 *     a force -Gᵀ lambda in an equation:    the integral of its power, -lambdaᵀ G v
 *
 * The first line is the work-energy theorem for an impulse. The change in H during a step is the
 * sum of this work and the flows' energy error. Evaluations made here do not count as the
 * integrator's computational work. If a value cannot be evaluated, it is NaN, and the step does not
 * fail.
 */
#ifndef INTEGRATORS_KIT_IMPULSE_H
#define INTEGRATORS_KIT_IMPULSE_H

#include "integrators/kit/ode.h"

#include <math.h>

/* Returns H(t,q,p). */
static inline real shk_energy_of(struct shk_evaluator *e, real t, const real *q, const real *p)
{
  const struct shk_counters before = e->counters;
  real value;
  if (shk_hamiltonian(e, &value, t, q, p).code != SHK_OK)
    value = NAN;
  e->counters = before;
  return value;
}

/* Specifies whether a momentum is the one before or after a kick. */
enum shk_side { SHK_BEFORE_KICK, SHK_AFTER_KICK };

/* Returns the work of the kick -kick Gᵀ lambda at (t,q). p (n) is the momentum before or after the
 * kick, G contains the values of the Jacobian along which the kick acts, and impulse (n) is work
 * space. */
static inline real shk_kick_work(struct shk_evaluator *e, real *impulse, real kick, const real *G,
                                 const real *lambda, real t, const real *q, const real *p,
                                 enum shk_side side)
{
  const int n = e->system->n;
  const real sign = side == SHK_BEFORE_KICK ? 1 : -1;
  for (int i = 0; i < n; i++)
    impulse[i] = 0;
  shk_jacobian_transposed_add(e, impulse, G, -kick, lambda);
  if (!(e->system->features & SHK_GENERAL_HAMILTONIAN)) {
    real sum = 0;
    for (int i = 0; i < n; i++)
      sum += shk_over_mass(e, impulse[i] * (2 * p[i] + sign * impulse[i]), i);
    return sum / 2;
  }
  for (int i = 0; i < n; i++)
    impulse[i] = p[i] + sign * impulse[i];
  return sign * (shk_energy_of(e, t, q, impulse) - shk_energy_of(e, t, q, p));
}

/* Returns the power -lambdaᵀ G v of the constraint force in equations y' = f(t,y), y = (q,p). The
 * constraint force is what the momentum slope contains in addition to -H_q + Q. `f` (2n) and
 * `gradient` (n) are work space. */
static inline real shk_slope_power(struct shk_evaluator *e, shk_slope_function *slope, void *user,
                                   real *f, real *gradient, real t, const real *y)
{
  const int n = e->system->n;
  const struct shk_counters before = e->counters;
  real sum = 0;
  if (slope(user, f, t, y).code != SHK_OK || shk_gradient(e, gradient, t, y, y + n).code != SHK_OK)
    sum = NAN;
  for (int i = 0; i < n; i++) /* p' + H_q - Q is the constraint force */
    sum += f[i] * (f[n + i] + gradient[i]);
  e->counters = before;
  return sum;
}

#endif
