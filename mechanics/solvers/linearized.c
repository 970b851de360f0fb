/*
 * solver=linearized, provided for comparison: performs one linear solve with the matrix of the old
 * point, and then one for the momentum with the same factors, as in a block-triangular system. The
 * remaining violation is not checked.
 */
#include "mechanics/solvers/kit/direct.h"
#include "mechanics/solvers/kit/solvers.h"
#include "mechanics/solvers/kit/stopping.h"
#include "mechanics/solvers/kit/unchecked.h"

struct linearized {
  struct shk_direct direct;
  bool old_factors; /* the hidden solve reuses the position solve's factors */
};

/* Applies one Newton correction to lambda, using the old point's Jacobian, and accepts it without a
 * test. */
static struct shk_status position(void *self, struct shk_iteration *iteration,
                                  const struct shk_kick *kick)
{
  struct linearized *linearized = self;
  struct shk_direct *d = &linearized->direct;
  struct shk_evaluator *e = d->at.evaluator;
  shk_fill(kick->multiplier, 0, e->system->m);
  shk_begin_position(&d->at, iteration, &shk_position_rule, kick);
  SHK_TRY(shk_residuals_accept_position(&d->at, iteration, kick));
  linearized->old_factors = false;
  SHK_TRY(shk_refining_factor(&d->factors, kick->along, kick->along, false));
  shk_direct_correct(d, kick);
  SHK_TRY(shk_residuals_accept_position(&d->at, iteration, kick));
  linearized->old_factors = true;
  return shk_ok();
}

/* Reuses the factors of the last position solve, but only once. If there are none, factors the
 * matrix at this point. */
static struct shk_status hidden(void *self, struct shk_iteration *iteration,
                                const struct shk_kick *kick)
{
  struct linearized *linearized = self;
  struct shk_direct *d = &linearized->direct;
  shk_begin_hidden(&d->at, iteration, &shk_hidden_rule, kick);
  SHK_TRY(shk_residuals_accept_hidden(&d->at, iteration, kick));
  if (!linearized->old_factors)
    SHK_TRY(shk_direct_factor_hidden(d, kick));
  linearized->old_factors = false;
  shk_direct_correct_hidden(d, kick);
  return shk_residuals_accept_hidden(&d->at, iteration, kick);
}

struct shk_status shk_linearized_solver_create(struct shk_solver *solver,
                                               const struct shk_binding *b)
{
  SHK_TRY(shk_direct_create(solver, sizeof(struct linearized), b, SHK_LINEAR_OF_OPTIONS));
  solver->position = position;
  solver->hidden = hidden;
  return shk_ok();
}
