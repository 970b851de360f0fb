/*
 * Records the constraint work: the energy added since the start by enforcing the constraints
 * (through impulses, projections, Baumgarte terms and penalty terms), as defined in impulse.h.
 * Ideal constraints that do not move do no work. For molecules, "constraint-heat-per-atom" is the
 * slope of this work over time, per atom: constraints that are not solved accurately heat the
 * system (S. Thallmair, M. Javanainen, B. Fábián, H. Martinez-Seara & S. J. Marrink, J. Phys. Chem.
 * B 125 (2021) 9537). Nothing is recorded for methods that do not report their constraint work.
 */
#include "measures/block_means.h"
#include "measures/molecules.h"
#include "mechanics/binding/binding.h"

struct constraint_work {
  const struct shk_measured *run;
  struct shk_reduction series;
  bool offered; /* true if the method reports its constraint work */
  real sum;     /* the sum to which the method adds its constraint work */
};

static void constraint_work_destroy(void *state)
{
  struct constraint_work *constraint_work = state;
  if (constraint_work->offered)
    shk_method_constraint_work(constraint_work->run->integrator, constraint_work->run->method,
                               NULL);
}

static struct shk_status constraint_work_create(void *state, const struct shk_measured *run)
{
  struct constraint_work *const constraint_work = state;
  constraint_work->run = run;
  SHK_TRY(shk_measure_series(run, &constraint_work->series));
  constraint_work->offered =
      shk_method_constraint_work(run->integrator, run->method, &constraint_work->sum);
  return shk_ok();
}

static struct shk_status constraint_work_observe(void *state, const struct shk_state *at)
{
  struct constraint_work *constraint_work = state;
  const real sum = constraint_work->series.begun ? constraint_work->sum : 0;
  shk_reduction_note(&constraint_work->series,
                     (double)(at->t - constraint_work->run->instance->initial_time), (double)sum);
  return shk_ok();
}

static void constraint_work_finish(void *state, struct shk_outcome *outcome)
{
  const struct constraint_work *constraint_work = state;
  if (!constraint_work->offered)
    return;
  shk_outcome_add_scalar(outcome, "constraint-work-max", constraint_work->series.size);
  shk_outcome_add_scalar(outcome, "constraint-work-final", constraint_work->series.last);
  if (shk_is_of_molecules(constraint_work->run))
    shk_estimate_add(outcome, "constraint-heat-per-atom", shk_slope_along(&constraint_work->series),
                     shk_per_atom(constraint_work->run));
  shk_series_to_single(shk_reduction_finish(&constraint_work->series, outcome, "constraint-work"));
}

const struct shk_measure shk_measure_constraint_work = {.size = sizeof(struct constraint_work),
                                                        .create = constraint_work_create,
                                                        .observe = constraint_work_observe,
                                                        .finish = constraint_work_finish,
                                                        .destroy = constraint_work_destroy};
