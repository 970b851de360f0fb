/*
 * Records the energy error H(t) - H(0) along the run, computed in the run's precision, and the
 * largest change |H_{n+1} - H_n| over one step of fixed length. "energy-start" is H(0). For
 * molecules, "energy-drift-per-atom" is the slope of the energy error divided by the number of
 * atoms, and is recorded with its standard error. Nothing is recorded for general
 * differential-algebraic equations, which have no H.
 */
#include "measures/block_means.h"
#include "measures/molecules.h"

struct energy {
  const struct shk_measured *run;
  struct shk_reduction error, increment;
  real start, last;
};

static bool energy_applies(const struct shk_measured *run)
{
  return !(run->instance->system.features & SHK_GENERAL_DAE);
}

static struct shk_status energy_create(void *state, const struct shk_measured *run)
{
  struct energy *const energy = state;
  energy->run = run;
  SHK_TRY(shk_measure_series(run, &energy->increment));
  return shk_measure_series(run, &energy->error);
}

static struct shk_status energy_observe(void *state, const struct shk_state *at)
{
  struct energy *energy = state;
  const real value = energy->run->energy;
  const double time = (double)(at->t - energy->run->instance->initial_time);
  if (!energy->error.begun)
    energy->start = energy->last = value;
  shk_reduction_note(&energy->error, time, (double)(value - energy->start));
  shk_reduction_note(&energy->increment, time, (double)real_fabs(value - energy->last));
  energy->last = value;
  return shk_ok();
}

static void energy_finish(void *state, struct shk_outcome *outcome)
{
  const struct energy *energy = state;
  shk_outcome_add_scalar(outcome, "energy-start", (double)energy->start);
  shk_outcome_add_scalar(outcome, "energy-error-max", energy->error.size);
  shk_outcome_add_scalar(outcome, "energy-error-final", energy->error.last);
  if (shk_is_of_molecules(energy->run))
    shk_estimate_add(outcome, "energy-drift-per-atom", shk_slope_along(&energy->error),
                     shk_per_atom(energy->run));
  shk_reduction_finish(&energy->error, outcome, "energy-error")->of_members = true;
  if (!energy->run->adaptive) /* adaptive methods provide states only at sample times */
    shk_reduction_finish_largest(&energy->increment, outcome, "energy-increment");
}

const struct shk_measure shk_measure_energy = {.size = sizeof(struct energy),
                                               .applies = energy_applies,
                                               .create = energy_create,
                                               .observe = energy_observe,
                                               .finish = energy_finish};
