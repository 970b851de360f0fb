/*
 * Findings about the growth of round-off, over ten or more starts of a problem that one integrator
 * ran over the same time in double and in quad, at each step: `round-off growth exponent` and
 * `round-off growth class`. The problem is named without its parameters.
 */
#include "harness/analysis/report.h"

#include "foundation/index.h"
#include "foundation/memory.h"
#include "harness/analysis/statistics/growth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A family in double, and the same in quad. */
struct start {
  const struct shk_family *low, *high;
};

/* One integrator on one kind of problem over the same time, from several starts. */
struct starts {
  int count;
  struct start *all;
};

static int name_length(const char *problem)
{
  return (int)strcspn(problem, "( ");
}

static bool is_quad(const struct shk_family *family)
{
  return strcmp(family->cell->precision, "quad") == 0;
}

/* Runs with members have too few intervals for this analysis. */
static bool is_start(const struct shk_family *family)
{
  return family->in == SHK_IN_RUNS && !family->by_tolerance && family->cell->member_count == 0;
}

/* Returns all such lists, in the order of their first double run, and their number in *count. */
static struct starts *gather(int *count, const struct shk_families *all)
{
  struct shk_index lists = {0}, pairs = {0};
  struct starts *const starts = shk_allocate((size_t)all->count + 1, sizeof *starts);
  const struct shk_family **quad = shk_allocate(2 * (size_t)all->count + 1, sizeof *quad);
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < all->count; i++) {
      const struct shk_family *family = &all->families[i];
      if (!is_start(family) || is_quad(family) != (pass == 0))
        continue;
      const int pair = shk_index_number(&pairs, "%d\n%s\n%s\n%s", family->group, family->problem,
                                        family->cell->integrator, family->cell->until);
      if (pass == 0)
        quad[pair] = quad[pair] ? quad[pair] : family;
      if (pass == 0 || !quad[pair])
        continue;
      struct starts *const list = &starts[shk_index_number(
          &lists, "%.*s\n%s\n%s\n%s", name_length(family->problem), family->problem,
          family->cell->integrator, family->cell->until, family->cell->precision)];
      *SHK_APPEND(list->all, list->count) = (struct start){family, quad[pair]};
    }
  *count = lists.count;
  free(quad);
  shk_index_clear(&lists);
  shk_index_clear(&pairs);
  return starts;
}

/* Returns the series of a family's finished run at a step, and its place in *at; or NULL. */
static const struct shk_series *series_at(int *at, const struct shk_family *family, double step)
{
  for (*at = 0; *at < family->count; (*at)++) {
    const struct shk_record *const record = family->records[*at];
    if (family->steps[*at] == step && shk_record_finished(record))
      return shk_recorded_series(&record->outcome, SHK_SERIES_ENERGY_ERROR);
  }
  return NULL;
}

/* Fits the growth over the starts at a step. Returns false if there are too few. */
static bool fit(struct shk_growth *growth, struct shk_families *all, const struct starts *starts,
                double step)
{
  struct shk_growth_pair *const pairs = shk_allocate((size_t)starts->count, sizeof *pairs);
  int count = 0;
  for (int i = 0; i < starts->count; i++) {
    const struct shk_family *const low = starts->all[i].low, *const high = starts->all[i].high;
    struct shk_growth_pair *const pair = &pairs[count];
    int at_low, at_high;
    shk_family_take(all, low, step, SHK_PART_SERIES);
    shk_family_take(all, high, step, SHK_PART_SERIES);
    pair->low = series_at(&at_low, low, step);
    pair->high = series_at(&at_high, high, step);
    if (!pair->low || !pair->high)
      continue;
    pair->scale = shk_family_energy(high, &high->records[at_high]->outcome);
    pair->steps = shk_family_steps(low, at_low);
    pair->time_scale = high->time_scale;
    count++;
  }
  if (count >= SHK_GROWTH_STARTS)
    *growth = shk_growth_fit(pairs, count, starts->all[0].low->epsilon);
  for (int i = 0; i < starts->count; i++) {
    shk_family_put_back(all, starts->all[i].low, step);
    shk_family_put_back(all, starts->all[i].high, step);
  }
  free(pairs);
  return count >= SHK_GROWTH_STARTS;
}

static void report_starts(struct shk_reporter *c, const struct starts *starts)
{
  const struct shk_family *const first = starts->all[0].low;
  for (int s = 0; s < first->count; s++) {
    struct shk_growth growth;
    struct shk_family its = *first; /* combines all starts at this step */
    if (!fit(&growth, c->all, starts, first->steps[s]))
      continue;
    c->family = &its;
    its.suffix = shk_print_text(" (step %s, until %s)%s", c->plan->cells[first->cells[s]].cell.step,
                                first->cell->until, first->suffix);
    its.problem = shk_print_text("%.*s", name_length(first->problem), first->problem);
    const char *const why = growth.why[0] ? growth.why : NULL;
    shk_report(c, SHK_QUANTITY_GROWTH_EXPONENT, NULL, growth.exponent, growth.half_width)->reason =
        shk_copy_text(why);
    shk_report_word(c, SHK_QUANTITY_GROWTH_CLASS, NULL, growth.word)->reason = shk_copy_text(why);
    free(its.suffix);
    free(its.problem);
  }
}

static void report_all(struct shk_reporter *c)
{
  int count;
  struct starts *const starts = gather(&count, c->all);
  for (int i = 0; i < count; i++) {
    c->family = starts[i].all[0].low;
    if (starts[i].count >= SHK_GROWTH_STARTS && shk_reporter_wants(c, SHK_MEASURE_ENERGY))
      report_starts(c, &starts[i]);
    free(starts[i].all);
  }
  free(starts);
}

const struct shk_finder shk_finder_growth = {.in = SHK_IN_RUNS, .report_all = report_all};
