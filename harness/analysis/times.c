/*
 * Reports the finding `time` for cells that time a method relative to a control
 * (engine/cells/time.c). If the ratio is too uncertain to compare with one measured on another day,
 * it is reported as undetermined, because the method is not to blame for a busy machine.
 */
#include "harness/analysis/report.h"

#include "foundation/memory.h"

#include <math.h>

static void report_times(struct shk_reporter *c)
{
  const struct shk_record *const record = c->family->records[0];
  if (!shk_record_finished(record)) {
    shk_finding_end(c, SHK_QUANTITY_TIME, record, 1);
    return;
  }
  const double ratio = shk_recorded(&record->outcome, SHK_QUANTITY_TIME, NULL),
               half_width = shk_recorded(&record->outcome, SHK_QUANTITY_TIME_HALF_WIDTH, NULL),
               pairs = shk_recorded(&record->outcome, SHK_QUANTITY_TIME_PAIRS, NULL),
               most = shk_bounds[SHK_BOUND_NOISY_PERCENT];
  if (half_width <= most / 100 * ratio)
    shk_report(c, SHK_QUANTITY_TIME, NULL, ratio, half_width);
  else
    shk_report(c, SHK_QUANTITY_TIME, NULL, NAN, NAN)->reason =
        shk_print_text("too noisy: %.3g ± %.2g from %g pairs; the half-width must be at most %g %%",
                       ratio, half_width, pairs, most);
}

const struct shk_finder shk_finder_times = {.in = SHK_IN_TIMES, .report = report_times};
