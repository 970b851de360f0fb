/*
 * solver=gauss-seidel: each constraint in turn is corrected, to first order, by its own multiplier:
 *
 *     lambda_i += g_i(q1) / (drift kick K_ii),   K_ii = G_i(q1) M⁻¹ G_i(q0)ᵀ,
 *
 * and q1 moves at once, which affects the next constraint (Ryckaert, Ciccotti & Berendsen, J.
 * Comput. Phys. 23 (1977) 327, eq. 5.6; for momenta Andersen 1983): nonlinear Gauss-Seidel.
 *
 * A sweep visits the classes of a colouring of the constraint graph. The constraints of a class
 * share no coordinate and are corrected together, because a system evaluates all of its constraints
 * at once. A sweep thus costs one evaluation of g and G for each class (two for a chain, m without
 * a declared sparsity pattern). Its order is by classes, not 1 … m.
 */
#include "mechanics/algebra/graph.h"
#include "mechanics/solvers/kit/residuals.h"
#include "mechanics/solvers/kit/solver.h"
#include "mechanics/solvers/kit/stopping.h"

static const char no_own_entry[] =
    "constraint %g cannot be put right by its own multiplier: G_i(q1) M⁻¹ G_i(q0)ᵀ = %g";

struct sweeps {
  struct shk_residuals at;
  struct shk_partition classes;
};

static struct shk_status correct_position(const struct shk_evaluator *e,
                                          const struct shk_position_solve *task, int i, real g)
{
  const real entry = shk_own_entry(e, task->G1, task->G_b, i);
  if (entry == 0 || !real_isfinite(entry))
    return shk_failure(SHK_SINGULAR, no_own_entry, i + 1, (double)entry);
  const real change = g / (task->drift * task->kick * entry);
  task->lambda[i] += change;
  for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++) {
    const int c = e->columns[k];
    task->dp[c] -= task->kick * task->G_b[k] * change;
    const real p1 = task->p[c] + (task->dp[c] + task->p_carry[c]);
    if (task->p1)
      task->p1[c] = p1;
    task->q1_carry[c] = task->drift * shk_over_mass(e, p1, c) + task->q_carry[c];
    task->q1[c] = task->q[c] + task->q1_carry[c];
  }
  return shk_ok();
}

/* One sweep for g(q1) = 0. The residual (on entry g(q1)) and G1 are overwritten. */
static struct shk_status sweep_positions(struct sweeps *w, const struct shk_position_solve *task)
{
  struct shk_evaluator *e = w->at.evaluator;
  real *g = w->at.residual;
  e->work.iterations++;
  for (int c = 0; c < w->classes.count; c++) {
    if (c > 0)
      SHK_TRY(shk_constraint(e, g, task->t1, task->q1));
    SHK_TRY(shk_jacobian(e, task->G1, task->t1, task->q1));
    for (int at = w->classes.start[c]; at < w->classes.start[c + 1]; at++) {
      const int i = w->classes.rows[at];
      SHK_TRY(correct_position(e, task, i, g[i]));
    }
  }
  return shk_ok();
}

static struct shk_status position(void *self, struct shk_iteration *iteration,
                                  const struct shk_position_solve *task)
{
  struct sweeps *w = self;
  shk_begin_position(&w->at, iteration, &shk_position_sweep_rule, task);
  for (;;) {
    real residual;
    SHK_TRY(shk_move(&w->at, &residual, task));
    SHK_TRY(shk_iteration_next(iteration, residual));
    if (iteration->converged)
      return shk_ok();
    SHK_TRY(sweep_positions(w, task));
  }
}

/* One sweep for G1 v + g_t = 0. */
static struct shk_status sweep_momenta(struct sweeps *w, const struct shk_hidden_solve *task)
{
  struct shk_evaluator *e = w->at.evaluator;
  real *v = w->at.velocity, *rate = w->at.residual;
  e->work.iterations++;
  SHK_TRY(shk_constraint_rate(e, rate, task->t1, task->q1));
  for (int at = 0; at < e->system->m; at++) {
    const int i = w->classes.rows[at];
    const real entry = shk_own_entry(e, task->G1, task->G1, i);
    if (entry == 0 || !real_isfinite(entry))
      return shk_failure(SHK_SINGULAR, no_own_entry, i + 1, (double)entry);
    real hidden = rate[i];
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++)
      hidden += task->G1[k] * v[e->columns[k]];
    const real change = hidden / (task->kick * entry);
    task->mu[i] += change;
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++) {
      const int c = e->columns[k];
      const real kick = task->kick * task->G1[k] * change;
      task->dp[c] -= kick;
      v[c] -= shk_over_mass(e, kick, c);
    }
  }
  return shk_ok();
}

static struct shk_status hidden(void *self, struct shk_iteration *iteration,
                                const struct shk_hidden_solve *task)
{
  struct sweeps *w = self;
  shk_begin_hidden(&w->at, iteration, &shk_hidden_sweep_rule, task);
  for (;;) {
    real residual;
    SHK_TRY(shk_kick(&w->at, &residual, task));
    if (real_fabs(task->kick) * shk_rate_size(&w->at) <= iteration->tolerance) {
      shk_iteration_note(iteration, residual);
      return shk_ok();
    }
    SHK_TRY(shk_iteration_next(iteration, residual));
    if (iteration->converged)
      return shk_ok();
    SHK_TRY(sweep_momenta(w, task));
  }
}

struct shk_status shk_gauss_seidel_solver_create(struct shk_solver *solver,
                                                 const struct shk_binding *b)
{
  struct sweeps *w = shk_memory(b->workspace, sizeof *w);
  *solver = (struct shk_solver){w, position, hidden};
  SHK_TRY(shk_allocated(w));
  SHK_TRY(shk_residuals_init(&w->at, b));
  return shk_colours(&w->classes, b->workspace, b->evaluator);
}
