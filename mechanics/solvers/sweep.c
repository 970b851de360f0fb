/*
 * Each constraint in turn is put right, to first order, by its own multiplier:
 *
 *     lambda_i += g_i(q1) / (drift kick K_ii),   K_ii = G_i(q1) M⁻¹ G_i(q0)ᵀ,
 *
 * with q1 moved at once, so that the next constraint sees it (Ryckaert, Ciccotti & Berendsen, J.
 * Comput. Phys. 23 (1977) 327, eq. 5.6; for momenta Andersen 1983): nonlinear Gauss-Seidel.
 *
 * Constraints that share no coordinate do not see each other. They are taken together, class after
 * class of a colouring of the constraint graph, because a system evaluates all of its constraints
 * at once: a sweep costs as many evaluations of g and G as there are classes (two for a chain, one
 * for each constraint where no sparsity pattern is declared). The order within a sweep is that of
 * the classes, so it is not 1 … m.
 */
#include "mechanics/solvers/sweep.h"

#include "mechanics/algebra/graph.h"

#include <stdlib.h>

static const char no_own_entry[] =
    "constraint %g cannot be put right by its own multiplier: G_i(q1) M⁻¹ G_i(q0)ᵀ = %g";

struct shk_sweep {
  struct shk_evaluator *evaluator;
  struct shk_partition classes;
};

void shk_sweep_destroy(struct shk_sweep *s)
{
  if (s == NULL)
    return;
  shk_partition_clear(&s->classes);
  free(s);
}

struct shk_status shk_sweep_create(struct shk_sweep **sweep, struct shk_evaluator *e)
{
  struct shk_sweep *s = calloc(1, sizeof *s);
  *sweep = s;
  if (s == NULL)
    return shk_failure(SHK_NO_MEMORY, "no memory for sweeps", 0, 0);
  s->evaluator = e;
  const struct shk_status status = shk_colours(&s->classes, e);
  if (status.code != SHK_OK) {
    shk_sweep_destroy(s);
    *sweep = NULL;
  }
  return status;
}

/* Row i of G_a M⁻¹ times row i of G_b. */
static real own_entry(const struct shk_evaluator *e, const real *G_a, const real *G_b, int i)
{
  real sum = 0;
  for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++)
    sum += G_a[k] * G_b[k] / e->system->mass[e->columns[k]];
  return sum;
}

static struct shk_status correct_position(const struct shk_evaluator *e,
                                          const struct shk_position_solve *task, int i, real g)
{
  const real entry = own_entry(e, task->G1, task->G_b, i);
  if (entry == 0 || !real_isfinite(entry))
    return shk_failure(SHK_SINGULAR, no_own_entry, i, (double)entry);
  const real change = g / (task->drift * task->kick * entry);
  task->lambda[i] += change;
  for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++) {
    const int c = e->columns[k];
    task->dp[c] -= task->kick * task->G_b[k] * change;
    const real p1 = task->p[c] + (task->dp[c] + task->p_carry[c]);
    if (task->p1 != NULL)
      task->p1[c] = p1;
    task->q1[c] = task->q[c];
    task->q1_carry[c] = task->q_carry[c];
    real_accumulate(&task->q1[c], &task->q1_carry[c], task->drift * (p1 / e->system->mass[c]));
  }
  return shk_ok();
}

struct shk_status shk_sweep_positions(const struct shk_sweep *s,
                                      const struct shk_position_solve *task, real *g)
{
  for (int c = 0; c < s->classes.count; c++) {
    if (c > 0)
      SHK_TRY(shk_constraint(s->evaluator, g, task->t1, task->q1));
    SHK_TRY(shk_jacobian(s->evaluator, task->G1, task->t1, task->q1));
    for (int at = s->classes.start[c]; at < s->classes.start[c + 1]; at++) {
      const int i = s->classes.rows[at];
      SHK_TRY(correct_position(s->evaluator, task, i, g[i]));
    }
  }
  return shk_ok();
}

struct shk_status shk_sweep_momenta(const struct shk_sweep *s, const struct shk_hidden_solve *task,
                                    real *v, const real *rate)
{
  const struct shk_evaluator *e = s->evaluator;
  for (int at = 0; at < e->system->m; at++) {
    const int i = s->classes.rows[at];
    const real entry = own_entry(e, task->G1, task->G1, i);
    if (entry == 0 || !real_isfinite(entry))
      return shk_failure(SHK_SINGULAR, no_own_entry, i, (double)entry);
    real hidden = rate[i];
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++)
      hidden += task->G1[k] * v[e->columns[k]];
    const real change = hidden / (task->kick * entry);
    task->mu[i] += change;
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++) {
      const int c = e->columns[k];
      const real kick = task->kick * task->G1[k] * change;
      task->dp[c] -= kick;
      v[c] -= kick / e->system->mass[c];
    }
  }
  return shk_ok();
}
