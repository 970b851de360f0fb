/* Work of the integrator: evaluations of each kind, iterations, factorizations, steps. */
#include "measures/measure.h"

static struct shk_status work_create(void **state, const struct shk_measured *run)
{
  *state = (void *)run;
  return shk_ok();
}

static void work_finish(void *state, struct shk_outcome *outcome)
{
  const struct shk_work *w = ((const struct shk_measured *)state)->work;
#define COUNTER(id, name, ...) shk_outcome_add_count(outcome, "work-" #name, w->name);
#include <shakedown/counters.def>
#undef COUNTER
}

const struct shk_measure shk_measure_work = {.create = work_create, .finish = work_finish};
