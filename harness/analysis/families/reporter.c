/* See reporter.h. */
#include "harness/analysis/families/reporter.h"

#include "foundation/memory.h"

/* Returns the run of the study with a cell of the family, or NULL. */
static const struct shk_study_run *run_of(const struct shk_reporter *c,
                                          const struct shk_family *family, int i)
{
  const int index = c->plan->cells[family->cells[i]].run;
  return c->study && index >= 0 && index < c->study->run_count ? &c->study->runs[index] : NULL;
}

bool shk_reporter_wants(const struct shk_reporter *c, const struct shk_family *family,
                        enum shk_measure_id measure)
{
  for (int i = 0; i < family->count; i++) {
    const struct shk_study_run *const run = run_of(c, family, i);
    if (!run || run->measure_count == 0 || shk_run_measures(run, measure))
      return true;
  }
  return !c->study;
}

bool shk_reporter_is_asked(const struct shk_reporter *c, const struct shk_family *family,
                           enum shk_measure_id measure)
{
  for (int i = 0; i < family->count; i++) {
    const struct shk_study_run *const run = run_of(c, family, i);
    if (run && run->measures_named && shk_run_measures(run, measure))
      return true;
  }
  return false;
}

struct shk_finding *shk_reporter_add(struct shk_reporter *c, const struct shk_family *family,
                                     enum shk_quantity_id quantity, double value,
                                     double uncertainty)
{
  return shk_findings_add(&c->findings, family, quantity, NULL, value, uncertainty);
}

struct shk_finding *shk_reporter_add_block(struct shk_reporter *c, const struct shk_family *family,
                                           enum shk_quantity_id quantity, enum shk_block_id block,
                                           double value, double uncertainty)
{
  return shk_findings_add(&c->findings, family, quantity, shk_blocks[block].name, value,
                          uncertainty);
}

void shk_reporter_keep_curve(struct shk_reporter *c, struct shk_curve *curve)
{
  if (!c->keeps) {
    shk_curve_clear(curve);
    return;
  }
  c->curves = shk_grow(c->curves, (size_t)c->curve_count, sizeof *c->curves);
  c->curves[c->curve_count++] = *curve;
}
