/*
 * Constraint work: the energy that the enforcement of constraints has added since the start
 * (impulses, projections, terms of Baumgarte and of a penalty), as impulse.h defines it.
 * Ideal constraints that do not move do no work. For molecules "constraint-heat-per-atom" is its
 * slope per atom: loosely solved constraints heat (S. Thallmair, M. Javanainen, B. Fábián,
 * H. Martinez-Seara & S. J. Marrink, J. Phys. Chem. B 125 (2021) 9537). No record for methods that
 * do not report it.
 */
#include "mechanics/binding/binding.h"
#include "measures/block_means.h"
#include "measures/molecules.h"

struct constraint_work {
  const struct shk_measured *run;
  struct shk_reduction series;
  bool offered; /* the method reports its constraint work */
  real sum;     /* to which the method adds it */
};

static void constraint_work_destroy(void *state)
{
  struct constraint_work *w = state;
  if (w->offered)
    shk_method_constraint_work(w->run->integrator, w->run->method, NULL);
}

static struct shk_status constraint_work_create(void *state, const struct shk_measured *run)
{
  struct constraint_work *const w = state;
  w->run = run;
  SHK_TRY(shk_measure_series(run, &w->series));
  w->offered = shk_method_constraint_work(run->integrator, run->method, &w->sum);
  return shk_ok();
}

static struct shk_status constraint_work_observe(void *state, const struct shk_state *at)
{
  struct constraint_work *w = state;
  const real sum = w->series.begun ? w->sum : 0;
  shk_reduction_note(&w->series, (double)(at->t - w->run->instance->initial_time), (double)sum);
  return shk_ok();
}

static void constraint_work_finish(void *state, struct shk_outcome *outcome)
{
  const struct constraint_work *w = state;
  if (!w->offered)
    return;
  shk_outcome_add_scalar(outcome, "constraint-work-max", w->series.size);
  shk_outcome_add_scalar(outcome, "constraint-work-final", w->series.last);
  if (shk_is_of_molecules(w->run))
    shk_estimate_add(outcome, "constraint-heat-per-atom", shk_slope_along(&w->series),
                     shk_per_atom(w->run));
  shk_reduction_finish(&w->series, outcome, "constraint-work", SHK_LINE_INTERVALS);
}

const struct shk_measure shk_measure_constraint_work = {.size = sizeof(struct constraint_work),
                                                        .create = constraint_work_create,
                                                        .observe = constraint_work_observe,
                                                        .finish = constraint_work_finish,
                                                        .destroy = constraint_work_destroy};
