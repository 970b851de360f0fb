/* Work of the integrator: the counters of <shakedown/counters.def>. */
#include "measures/measure.h"

struct work {
  const struct shk_work *done;
};

static struct shk_status work_create(void *state, const struct shk_measured *run)
{
  ((struct work *)state)->done = run->work;
  return shk_ok();
}

static void work_finish(void *state, struct shk_outcome *outcome)
{
  const struct shk_work *const w = ((const struct work *)state)->done;
#define COUNTER(id, name, ...) shk_outcome_add_count(outcome, "work-" #name, w->name);
#include <shakedown/counters.def>
#undef COUNTER
}

const struct shk_measure shk_measure_work = {
    .size = sizeof(struct work), .create = work_create, .finish = work_finish};
