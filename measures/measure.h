/*
 * Defines the interface of the measures of a run. Each measure is a file that defines a `struct
 * shk_measure` and is listed in run.def. Measures share a separate evaluator, so their evaluations
 * do not count as work of the integrator.
 */
#ifndef MEASURES_MEASURE_H
#define MEASURES_MEASURE_H

#include "measures/reduction.h"
#include <shakedown/parts/integrator.h>
#include <shakedown/solve.h>

/* The run that a measure observes. */
struct shk_measured {
  const struct shk_instance *instance;
  struct shk_evaluator *evaluator;
  struct shk_manifold *manifold;
  const struct shk_counters *counters; /* the work done by the integrator so far */
  /* names of the work counters that the integrator itself defines */
  const char (*own_work)[SHK_OWN_NAME];
  long observations; /* number of states to be observed after the start */
  /* true if a tolerance controls the step size, in which case multipliers belong to the state
   * itself */
  bool adaptive;
  bool regularity; /* true if this run is measured by regularity.c, which is expensive */
  const struct shk_integrator *integrator;
  void *method; /* the method in use, whose last step ended at the observed state */
  real energy;  /* H at the observed state; 0 for general DAEs, which have no H */
};

/* A measure. Every function can be NULL. */
struct shk_measure {
  /* size of the measure's state, which is zero-initialized in the workspace of the run's
   * evaluator */
  size_t size;
  /* Returns false if the measure does not apply to the run, in which case no other function is
   * called. NULL means that the measure applies to every run. */
  bool (*applies)(const struct shk_measured *run);
  /* Prepares the measure for a run. */
  struct shk_status (*create)(void *state, const struct shk_measured *run);
  /* Receives the start and every state after it, in order. */
  struct shk_status (*observe)(void *state, const struct shk_state *at);
  /* Adds blocks at a sample time. `next` is the state one step later, or NULL if no step
   * follows. */
  struct shk_status (*sample)(void *state, struct shk_sample *sample, const struct shk_state *at,
                              const struct shk_state *next, bool is_start);
  /* Adds scalars and series. This function is also called if the run stopped early. */
  void (*finish)(void *state, struct shk_outcome *outcome);
  void (*destroy)(void *state);
};

/* Prepares a series for the observations of the run. The series is freed with the evaluator's
 * workspace. */
struct shk_status shk_measure_series(const struct shk_measured *run, struct shk_reduction *series);

#define RUN_MEASURE(word, ...) extern const struct shk_measure shk_measure_##word;
#include "measures/run.def"
#undef RUN_MEASURE

#endif
