/* Prepares the series for the measures of a run. See measure.h. */
#include "measures/measure.h"

static void clear_series(void *series)
{
  shk_reduction_clear(series);
}

struct shk_status shk_measure_series(const struct shk_measured *run, struct shk_reduction *series)
{
  return shk_reduction_init(series, run->observations)
             ? shk_keep(run->evaluator->workspace, series, clear_series)
             : shk_no_memory();
}
