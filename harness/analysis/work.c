/* Reports how much work the finished run with the finest step required: `constraint-work max`, the
 * `work-…` counters and `cpu-seconds`. */
#include "harness/analysis/report.h"

#include <math.h>

static void report_constraint_work(struct shk_reporter *c, int at)
{
  const enum shk_quantity_id quantity = SHK_QUANTITY_CONSTRAINT_WORK_MAX;
  const double value = shk_family_number(c->family, at, quantity, NULL);
  if (!isnan(value))
    shk_report(c, quantity, NULL, value, NAN)->floor = shk_family_energy_floor(c->family, at);
}

/* Reports the work counters that the method itself maintains. */
static void report_own_work(struct shk_reporter *c, const struct shk_outcome *outcome)
{
  for (int i = 0; i < outcome->scalar_count; i++) {
    const struct shk_named_quantity named = shk_named_scalar(outcome->scalars[i].name);
    if (named.id == SHK_QUANTITY_OWN_WORK)
      shk_report(c, named.id, named.parameter, outcome->scalars[i].value, NAN);
  }
}

static void report_work(struct shk_reporter *c)
{
  static const enum shk_quantity_id reported[] = {
#define COUNTER(id, name, place, ...) [(place)-1] = SHK_QUANTITY_WORK_##id,
#include <shakedown/counters.def>
#undef COUNTER
      SHK_QUANTITY_CPU_SECONDS};
  const int at = shk_family_finest(c->family);
  if (at < 0)
    return;
  if (shk_reporter_wants(c, SHK_BIT(BALANCE)))
    report_constraint_work(c, at);
  if (!shk_reporter_wants(c, SHK_BIT(WORK) | SHK_BIT(WORK_PRECISION)))
    return;
  for (size_t i = 0; i < sizeof reported / sizeof reported[0]; i++) {
    const double value = shk_family_number(c->family, at, reported[i], NULL);
    if (value > 0)
      shk_report(c, reported[i], NULL, value, NAN);
  }
  report_own_work(c, &c->family->records[at]->outcome);
}

const struct shk_finder shk_finder_work = {.in = SHK_IN_RUNS, .report = report_work};
