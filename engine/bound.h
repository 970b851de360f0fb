/* The system, method and start that a cell is bound to, in the precision of the compilation. */
#ifndef ENGINE_BOUND_H
#define ENGINE_BOUND_H

#include "engine/context.h"
#include "mechanics/diagnosis/generic_rank.h"
#include <shakedown/integrator.h>
#include <shakedown/solve.h>

struct shk_bound {
  const struct shk_context *context;
  const struct shk_problem *problem;
  const struct shk_integrator *integrator;
  struct shk_values *parameters, *options;
  struct shk_instance instance;
  struct shk_evaluator evaluator; /* of the method: its counters are the work */
  struct shk_evaluator observer;  /* of the measures */
  struct shk_manifold *manifold;  /* on the observer */
  void *method;
  struct shk_state start;
  struct shk_generic_rank ranks; /* near = -1: the start is regular, or the ranks are unknown */
  real step, until, tolerance;   /* step 0: none */
};

#endif
