/*
 * Energy error H(t) - H(0) along the run, with the difference taken in the precision of the run.
 * "energy-start" is H(0). For molecules "energy-drift-per-atom" is the slope over the number of
 * atoms, with its standard error. General differential-algebraic equations have no H and no record.
 */
#include "measures/block_means.h"
#include "measures/molecules.h"

struct energy {
  const struct shk_measured *run;
  struct shk_reduction error;
  real start;
};

static bool energy_applies(const struct shk_measured *run)
{
  return !(run->instance->system.features & SHK_GENERAL_DAE);
}

static struct shk_status energy_create(void *state, const struct shk_measured *run)
{
  struct energy *const w = state;
  w->run = run;
  return shk_measure_series(run, &w->error);
}

static struct shk_status energy_observe(void *state, const struct shk_state *at)
{
  struct energy *w = state;
  real value;
  SHK_TRY(shk_hamiltonian(w->run->evaluator, &value, at->t, at->q, at->p));
  if (!w->error.begun)
    w->start = value;
  shk_reduction_note(&w->error, (double)(at->t - w->run->instance->initial_time),
                     (double)(value - w->start));
  return shk_ok();
}

static void energy_finish(void *state, struct shk_outcome *outcome)
{
  const struct energy *w = state;
  shk_outcome_add_scalar(outcome, "energy-start", (double)w->start);
  shk_outcome_add_scalar(outcome, "energy-error-max", w->error.size);
  shk_outcome_add_scalar(outcome, "energy-error-final", w->error.last);
  if (shk_is_of_molecules(w->run))
    shk_estimate_add(outcome, "energy-drift-per-atom", shk_slope_along(&w->error),
                     shk_per_atom(w->run));
  shk_reduction_finish(&w->error, outcome, "energy-error", SHK_ALL_INTERVALS)->of_members = true;
}

const struct shk_measure shk_measure_energy = {.size = sizeof(struct energy),
                                               .applies = energy_applies,
                                               .create = energy_create,
                                               .observe = energy_observe,
                                               .finish = energy_finish};
