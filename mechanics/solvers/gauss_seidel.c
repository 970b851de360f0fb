/*
 * solver=gauss-seidel: corrects each constraint in turn, to first order, using its own multiplier,
 *
 *     lambda_i += g_i(q1) / (drift by K_ii),   K_ii = G_i(q1) M⁻¹ G_i(q0)ᵀ,
 *
 * and updates q1 immediately, before the next constraint is evaluated (Ryckaert, Ciccotti &
 * Berendsen, J. Comput. Phys. 23 (1977) 327, eq. 5.6; for momenta Andersen 1983). This is the
 * nonlinear Gauss-Seidel method.
 *
 * A sweep visits the classes of a colouring of the constraint graph. The constraints in a class
 * share no coordinates. They are corrected together, because a system always evaluates all of its
 * constraints at once. A sweep thus costs one evaluation of g and G per class. A chain has two
 * classes, whereas a system without a declared sparsity pattern has m classes. Constraints are
 * therefore visited class by class, not in the order 1 … m.
 */
#include "mechanics/algebra/graph.h"
#include "mechanics/algebra/iteration.h"
#include "mechanics/solvers/kit/diagonal.h"
#include "mechanics/solvers/kit/relative.h"
#include "mechanics/solvers/kit/residuals.h"
#include "mechanics/solvers/kit/solvers.h"
#include "mechanics/solvers/kit/stopping.h"
#include "mechanics/system/evaluate.h"

static const char no_own_entry[] =
    "constraint %g cannot be corrected by its own multiplier: G_i(q1) M⁻¹ G_i(q0)ᵀ = %g";

struct sweeps {
  struct shk_residuals at;
  struct shk_partition classes;
  real *G1; /* values of G at the current q1 */
};

static struct shk_status correct_position(const struct sweeps *sweeps, const struct shk_kick *kick,
                                          int i, real g)
{
  const struct shk_evaluator *const e = sweeps->at.evaluator;
  const real entry = shk_own_entry(e, sweeps->G1, kick->along, i);
  if (entry == 0 || !real_isfinite(entry))
    return shk_failure(SHK_SINGULAR, no_own_entry, i + 1, (double)entry);
  const real change = g / (kick->drift * kick->by * entry);
  kick->multiplier[i] += change;
  for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++) {
    const int c = e->columns[k];
    kick->dp[c] -= kick->by * kick->along[k] * change;
    const real p1 = kick->from->p[c] + (kick->dp[c] + kick->from->p_carry[c]);
    kick->to->q_carry[c] = kick->drift * shk_over_mass(e, p1, c) + kick->from->q_carry[c];
    kick->to->q[c] = kick->from->q[c] + kick->to->q_carry[c];
  }
  return shk_ok();
}

/* Performs one sweep for g(q1) = 0. Overwrites G1 and the residual, which must be g(q1) on
 * entry. */
static struct shk_status sweep_positions(struct sweeps *sweeps, const struct shk_kick *kick)
{
  struct shk_evaluator *e = sweeps->at.evaluator;
  real *g = sweeps->at.residual;
  e->counters.iterations++;
  for (int c = 0; c < sweeps->classes.count; c++) {
    if (c > 0)
      SHK_TRY(shk_iterate_constraint(e, g, kick->t, kick->to->q));
    SHK_TRY(shk_iterate_jacobian(e, sweeps->G1, kick->t, kick->to->q));
    for (int at = sweeps->classes.start[c]; at < sweeps->classes.start[c + 1]; at++) {
      const int i = sweeps->classes.rows[at];
      SHK_TRY(correct_position(sweeps, kick, i, g[i]));
    }
  }
  return shk_ok();
}

static struct shk_status position(void *self, struct shk_iteration *iteration,
                                  const struct shk_kick *kick)
{
  struct sweeps *sweeps = self;
  shk_begin_position(&sweeps->at, iteration, &shk_position_sweep_rule, kick);
  for (;;) {
    real residual;
    SHK_TRY(shk_residuals_position(&sweeps->at, &residual, kick));
    SHK_TRY(shk_iteration_next(iteration, residual));
    if (iteration->converged)
      return shk_ok();
    SHK_TRY(sweep_positions(sweeps, kick));
  }
}

/* Performs one sweep for G1 v + g_t = 0. */
static struct shk_status sweep_momenta(struct sweeps *sweeps, const struct shk_kick *kick)
{
  struct shk_evaluator *e = sweeps->at.evaluator;
  real *v = sweeps->at.velocity, *rate = sweeps->at.residual;
  e->counters.iterations++;
  SHK_TRY(shk_constraint_rate(e, rate, kick->t, kick->to->q));
  for (int at = 0; at < e->system->m; at++) {
    const int i = sweeps->classes.rows[at];
    const real entry = shk_own_entry(e, kick->along, kick->along, i);
    if (entry == 0 || !real_isfinite(entry))
      return shk_failure(SHK_SINGULAR, no_own_entry, i + 1, (double)entry);
    real hidden = rate[i];
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++)
      hidden += kick->along[k] * v[e->columns[k]];
    const real change = hidden / (kick->by * entry);
    kick->multiplier[i] += change;
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++) {
      const int c = e->columns[k];
      const real impulse = kick->by * kick->along[k] * change;
      kick->dp[c] -= impulse;
      v[c] -= shk_over_mass(e, impulse, c);
    }
  }
  return shk_ok();
}

/* Returns the largest residual of the hidden constraint or, if the criterion is relative, the
 * largest |v·r|/d². */
static real rate_size(const struct shk_residuals *r)
{
  const int m = r->evaluator->system->m;
  return r->rods ? shk_relative_size(r->rods, r->residual, m, false)
                 : real_max_norm(r->residual, m);
}

static struct shk_status hidden(void *self, struct shk_iteration *iteration,
                                const struct shk_kick *kick)
{
  struct sweeps *sweeps = self;
  shk_begin_hidden(&sweeps->at, iteration, &shk_hidden_sweep_rule, kick);
  for (;;) {
    real residual;
    SHK_TRY(shk_residuals_hidden(&sweeps->at, &residual, kick));
    if (real_fabs(kick->by) * rate_size(&sweeps->at) <= iteration->tolerance) {
      shk_iteration_note(iteration, residual);
      return shk_ok();
    }
    SHK_TRY(shk_iteration_next(iteration, residual));
    if (iteration->converged)
      return shk_ok();
    SHK_TRY(sweep_momenta(sweeps, kick));
  }
}

struct shk_status shk_gauss_seidel_solver_create(struct shk_solver *solver,
                                                 const struct shk_binding *b)
{
  struct sweeps *sweeps = shk_memory(b->workspace, sizeof *sweeps);
  *solver = (struct shk_solver){sweeps, position, hidden};
  SHK_TRY(shk_allocated(sweeps));
  SHK_TRY(shk_residuals_init(&sweeps->at, b));
  SHK_TRY(shk_reals(b->workspace, &sweeps->G1,
                    (size_t)b->evaluator->row_start[b->evaluator->system->m]));
  return shk_colours(&sweeps->classes, b->workspace, b->evaluator);
}
