/* Work of the integrator: the counters of <shakedown/counters.def>. */
#include "measures/measure.h"

struct done {
  const struct shk_counters *done;
};

static struct shk_status work_create(void *state, const struct shk_measured *run)
{
  ((struct done *)state)->done = run->counters;
  return shk_ok();
}

static void work_finish(void *state, struct shk_outcome *outcome)
{
  const struct shk_counters *const counters = ((const struct done *)state)->done;
#define COUNTER(id, name, ...) shk_outcome_add_count(outcome, "work-" #name, counters->name);
#include <shakedown/counters.def>
#undef COUNTER
}

const struct shk_measure shk_measure_work = {
    .size = sizeof(struct done), .create = work_create, .finish = work_finish};
