/* Constraint violation along the run: max norms of g and of the hidden (velocity-level) constraint
 * G H_p + g_t, each row in units of its constraint_scale. */
#include "measures/measure.h"

struct constraint {
  const struct shk_measured *run;
  struct shk_reduction g, hidden;
  real *values; /* 2m */
};

static struct shk_status constraint_create(void *state, const struct shk_measured *run)
{
  struct constraint *const w = state;
  w->run = run;
  SHK_TRY(shk_measure_series(run, &w->g));
  SHK_TRY(shk_measure_series(run, &w->hidden));
  return shk_reals(run->evaluator->workspace, &w->values, 2 * (size_t)run->instance->system.m);
}

static struct shk_status constraint_observe(void *state, const struct shk_state *at)
{
  struct constraint *w = state;
  const int m = at->m;
  SHK_TRY(shk_manifold_residuals(w->run->manifold, w->values, w->values + m, at->t, at->q, at->p));
  const struct shk_system *system = &w->run->instance->system;
  const double time = (double)(at->t - w->run->instance->initial_time);
  shk_reduction_note(&w->g, time, (double)shk_constraint_norm(system, w->values));
  shk_reduction_note(&w->hidden, time, (double)shk_constraint_norm(system, w->values + m));
  return shk_ok();
}

static void constraint_finish(void *state, struct shk_outcome *outcome)
{
  const struct constraint *w = state;
  shk_outcome_add_scalar(outcome, "constraint-max", w->g.size);
  shk_outcome_add_scalar(outcome, "hidden-max", w->hidden.size);
  shk_reduction_finish(&w->g, outcome, "constraint", SHK_LINE_INTERVALS);
  shk_reduction_finish(&w->hidden, outcome, "hidden", SHK_LINE_INTERVALS);
}

const struct shk_measure shk_measure_constraint = {.size = sizeof(struct constraint),
                                                   .create = constraint_create,
                                                   .observe = constraint_observe,
                                                   .finish = constraint_finish};
