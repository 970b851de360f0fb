/*
 * An external solver (struct shk_rod_solver), which is provided by a plug-in or a program. It
 * performs the position solve by moving the points away from their unconstrained positions. Its
 * impulses s = drift kick lambda determine the multipliers. The hidden constraint is solved as with
 * solver=newton.
 *
 * Positions and impulses must be consistent. If they agree to within rounding error, the impulses
 * are used, because they preserve all digits of the displacement. Otherwise, the positions are
 * used, as in codes that do not compute impulses, and their displacement determines the kick, dp =
 * dp_free + M (q1 - q1_free) / drift.
 */
#include "mechanics/solvers/kit/own.h"
#include "mechanics/algebra/difference.h"
#include "mechanics/algebra/iteration.h"
#include "mechanics/binding/binding.h"
#include "mechanics/solvers/kit/direct.h"
#include "mechanics/solvers/kit/solvers.h"
#include "mechanics/solvers/kit/stopping.h"
#include "mechanics/solvers/kit/unchecked.h"
#include "mechanics/system/evaluate.h"
#include "mechanics/system/rods.h"
#include <shakedown/parts/rod_solver.h>

/* The tolerance of an external solver if the option `tolerance` is 0, in units of the rounding
 * errors of the positions and of the squared lengths. */
#define REACHED 4
/* Maximum difference allowed between positions and impulses, in units of the rounding error of the
 * positions. Each iteration raises the limit by one unit. */
#define AGREED 16

struct own {
  struct shk_direct direct; /* solves for the hidden constraint */
  struct shk_own_solver outside;
  real *mass; /* of each point */
  /* the unconstrained q1 (n), the q1 computed by the solver (n), and s (m) */
  real *free, *moved, *impulse;
};

/* Returns max|q1 - moved| in units of the rounding error of the positions. */
static real disagreement_of_impulses(const struct own *external, const struct shk_kick *task)
{
  const int n = external->direct.at.evaluator->system->n;
  const real size = real_max(real_max_norm(task->from->q, n), real_max_norm(external->free, n));
  return shk_largest_difference(task->to->q, external->moved, n) /
         (REAL_EPSILON * size + REAL_SMALLEST);
}

/* Computes dp, p1 and q1 from the solver's positions. */
static void take_positions(struct own *external, const struct shk_kick *task)
{
  const struct shk_system *s = external->direct.at.evaluator->system;
  for (int i = 0; i < s->n; i++)
    task->dp[i] = (task->dp_free ? task->dp_free[i] : 0) +
                  s->mass[i] * ((external->moved[i] - external->free[i]) / task->drift);
  shk_drift_points(external->direct.at.evaluator, task);
}

static real reachable_residual(struct own *external, const struct shk_kick *task)
{
  const struct shk_system *const s = external->direct.at.evaluator->system;
  real size = shk_position_rounding(&external->direct.at, task);
  for (int i = 0; i < s->m; i++)
    size = real_max(size, s->rods->rod[i].square);
  return REACHED * REAL_EPSILON * size;
}

static struct shk_status solve_own(struct own *external, const struct shk_iteration *iteration,
                                   const struct shk_kick *task, long *taken)
{
  struct shk_evaluator *const e = external->direct.at.evaluator;
  const struct shk_rods *const rods = e->system->rods;
  struct shk_status why = shk_ok();
  const struct shk_rod_task own = {.points = e->system->n / rods->dimension,
                                   .rods = e->system->m,
                                   .dimension = rods->dimension,
                                   .mass = external->mass,
                                   .rod = rods->rod,
                                   .fixed = rods->fixed,
                                   .before = task->from->q,
                                   .positions = external->moved,
                                   .impulse = external->impulse,
                                   .tolerance = iteration->counted ? 0
                                                : iteration->tolerance > 0
                                                    ? iteration->tolerance
                                                    : reachable_residual(external, task),
                                   .iterations = iteration->limit,
                                   .why = &why,
                                   .solver = external->outside.solver};
  *taken = external->outside.solver->solve(external->outside.self, &own);
  if (*taken < 0 && why.code != SHK_OK)
    return why;
  e->counters.iterations += *taken < 0 ? iteration->limit : *taken;
  return *taken >= 0 || iteration->counted
             ? shk_ok()
             : shk_failure(SHK_NOT_CONVERGED,
                           "the solver did not reach a residual of %g in %g iterations",
                           (double)own.tolerance, (double)iteration->limit);
}

static struct shk_status position(void *self, struct shk_iteration *iteration,
                                  const struct shk_kick *task)
{
  struct own *external = self;
  struct shk_evaluator *const e = external->direct.at.evaluator;
  const int n = e->system->n, m = e->system->m;
  real residual;
  long taken;
  for (int i = 0; i < m; i++)
    task->multiplier[i] = external->impulse[i] = 0;
  shk_begin_position(&external->direct.at, iteration, &shk_position_rule, task);
  SHK_TRY(shk_residuals_accept_position(&external->direct.at, iteration, task));
  for (int i = 0; i < n; i++)
    external->free[i] = external->moved[i] = task->to->q[i];
  SHK_TRY(solve_own(external, iteration, task, &taken));
  for (int i = 0; i < m; i++)
    task->multiplier[i] = external->impulse[i] / (task->drift * task->by);
  SHK_TRY(shk_residuals_position(&external->direct.at, &residual, task));
  if (!(disagreement_of_impulses(external, task) <=
        AGREED + (real)(taken < 0 ? iteration->limit : taken))) {
    take_positions(external, task);
    SHK_TRY(shk_iterate_constraint(e, external->direct.at.residual, task->t, task->to->q));
    residual = real_max_norm(external->direct.at.residual, m);
  }
  shk_iteration_note(iteration, residual);
  return real_isfinite(residual)
             ? shk_ok()
             : shk_failure(SHK_NOT_FINITE, "the positions are not finite", 0, 0);
}

struct shk_status shk_solve_by(struct shk_solver *solver, const struct shk_own_solver *outside,
                               const struct shk_binding *b)
{
  struct shk_evaluator *e = b->evaluator;
  const size_t n = (size_t)e->system->n, m = (size_t)e->system->m;
  SHK_TRY(
      shk_rods_needed(e->system, "an external solver is for systems whose constraints are rods"));
  if (outside->solver->info.double_only && SHK_PRECISION != 64)
    return shk_refused("the solver works in double precision only");
  for (int i = 0; outside->solver->refuses_fixed && i < e->system->m; i++)
    if (e->system->rods->rod[i].a < 0)
      return shk_refused("the solver does not accept systems with fixed points");
  SHK_TRY(shk_direct_create(solver, sizeof(struct own), b, SHK_LINEAR_OF_OPTIONS));
  solver->position = position;
  struct own *const external = solver->self;
  external->outside = *outside;
  SHK_TRY(shk_reals(b->workspace, &external->mass, n));
  SHK_TRY(shk_reals(b->workspace, &external->free, n));
  SHK_TRY(shk_reals(b->workspace, &external->moved, n));
  SHK_TRY(shk_reals(b->workspace, &external->impulse, m));
  for (int i = 0; i < e->system->n; i += e->system->rods->dimension)
    external->mass[i / e->system->rods->dimension] = e->system->mass[i];
  return shk_ok();
}

struct shk_status shk_own_solver_create(struct shk_solver *solver, const struct shk_binding *b)
{
  struct shk_own_solver outside = {.solver = shk_values_part(b->options, "solver")};
  if (outside.solver->self_size > 0) {
    outside.self =
        shk_part(b->workspace, outside.solver->self_size, outside.solver->arrays, b->evaluator);
    SHK_TRY(shk_allocated(outside.self));
    shk_store_options(outside.self, outside.solver->info.options,
                      shk_values_nested(b->options, "solver"));
  }
  return shk_solve_by(solver, &outside, b);
}
