/* solver=damped-newton: Newton's method, where each step is halved until max|g| decreases. */
#include "mechanics/algebra/factorizations/factorization.h"
#include "mechanics/algebra/iteration.h"
#include "mechanics/solvers/kit/direct.h"
#include "mechanics/solvers/kit/solvers.h"
#include "mechanics/solvers/kit/stopping.h"

/* Largest number of halvings. The shortest step is thus 2^-20 times the full Newton step. */
#define HALVINGS 20

struct damped {
  struct shk_direct direct;
  real *step; /* m entries: the last correction to lambda */
};

/* Moves the points according to lambda, and halves the last correction up to HALVINGS times, until
 * the residual decreases or is round-off. Each trial counts towards the iteration limit. */
static struct shk_status search_along_step(struct damped *damped, struct shk_iteration *iteration,
                                           real *residual, real round_off,
                                           const struct shk_kick *kick)
{
  real part = 1;
  SHK_TRY(shk_residuals_position(&damped->direct.at, residual, kick));
  for (int k = 0; k < HALVINGS && !(*residual < iteration->before) && !(*residual <= round_off);
       k++) {
    shk_iteration_note(iteration, *residual);
    iteration->count++;
    part /= 2;
    shk_vector_add(kick->multiplier, -part, damped->step, damped->direct.at.evaluator->system->m);
    SHK_TRY(shk_residuals_position(&damped->direct.at, residual, kick));
  }
  return shk_ok();
}

static struct shk_status position(void *self, struct shk_iteration *iteration,
                                  const struct shk_kick *kick)
{
  struct damped *damped = self;
  struct shk_direct *d = &damped->direct;
  struct shk_evaluator *e = d->at.evaluator;
  const struct shk_iteration_rule *rule = &shk_position_rule;
  shk_begin_position(&d->at, iteration, rule, kick);
  const real round_off = rule->stops.at_rest * (REAL_EPSILON * shk_position_rounding(&d->at, kick));
  if (shk_linear_drops(d->factors.linear))
    shk_fill(kick->multiplier, 0, e->system->m);
  for (bool first = true;; first = false) {
    real residual;
    SHK_TRY(first ? shk_residuals_position(&d->at, &residual, kick)
                  : search_along_step(damped, iteration, &residual, round_off, kick));
    SHK_TRY(shk_iteration_next(iteration, residual));
    if (iteration->converged)
      return shk_ok();
    SHK_TRY(shk_direct_newton(d, kick, first));
    shk_copy(damped->step, d->at.residual, e->system->m);
  }
}

struct shk_status shk_damped_newton_solver_create(struct shk_solver *solver,
                                                  const struct shk_binding *b)
{
  SHK_TRY(shk_direct_create(solver, sizeof(struct damped), b, SHK_LINEAR_OF_OPTIONS));
  struct damped *damped = solver->self;
  solver->position = position;
  return shk_reals(b->workspace, &damped->step, (size_t)b->evaluator->system->m);
}
