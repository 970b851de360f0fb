/* What rounding leaves of a constraint; rounding.h says which. */
#include "mechanics/solvers/rounding.h"

/* max_i Σ_k |G_ik| |q_k|: what rounding of the positions leaves of g, over eps. A constraint that
 * moves may take q through zero, where the size of the step's drift decides. */
real shk_position_rounding(const struct shk_evaluator *e, const struct shk_position_solve *task)
{
  const bool moving = (e->system->features & SHK_RHEONOMIC) != 0;
  real largest = REAL_SMALLEST / REAL_EPSILON;
  for (int i = 0; i < e->system->m; i++) {
    real sum = 0;
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++) {
      const int c = e->columns[k];
      const real drift = moving ? task->drift * task->p[c] / e->system->mass[c] : 0;
      sum += real_fabs(task->G_b[k]) * (real_fabs(task->q[c]) + real_fabs(drift));
    }
    largest = real_max(largest, sum);
  }
  return largest;
}

/* max_i Σ_k |G1_ik| |drift kick|/m_k Σ_j |G_jk lambda_j|: what rounding of the terms of Gᵀlambda
 * leaves of g, over eps. Large multipliers may cancel there. */
real shk_cancelled_position(const struct shk_evaluator *e, const struct shk_position_solve *task,
                            real *terms)
{
  const real factor = real_fabs(task->drift * task->kick);
  real largest = 0;
  for (int k = 0; k < e->system->n; k++)
    terms[k] = 0;
  for (int i = 0; i < e->system->m; i++)
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++)
      terms[e->columns[k]] += real_fabs(task->G_b[k] * task->lambda[i]);
  for (int i = 0; i < e->system->m; i++) {
    real sum = 0;
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++)
      sum += real_fabs(task->G_b[k]) *
             (factor * terms[e->columns[k]] / e->system->mass[e->columns[k]]);
    largest = real_max(largest, sum);
  }
  return largest;
}
