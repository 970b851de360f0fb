/*
 * Reports how round-off grows over time at each step size, as `round-off growth exponent` and
 * `round-off growth class`. Each finding combines runs of the same length from at least ten initial
 * states of a problem. From each initial state, the same integrator is run both in double (or
 * single) precision and in quad precision. The findings name the problem without its parameters.
 */
#include "harness/analysis/report.h"

#include "foundation/memory.h"
#include "harness/analysis/statistics/growth.h"

#include <stdlib.h>
#include <string.h>

/* Runs of one integrator on one problem, all of the same length but from different initial
 * states. */
struct starts {
  int count;
  const struct shk_family **all; /* the lower-precision families; each has in_quad set */
};

static int name_length(const char *problem)
{
  return (int)strcspn(problem, "( ");
}

/* Groups the runs by integrator, problem and length, in the order of the first run of each group.
 * Stores the number of groups in *count. Runs with members are skipped because they have too few
 * intervals. */
static struct starts *gather_growth(int *count, const struct shk_families *all)
{
  struct shk_index lists = {0};
  struct starts *const starts = shk_allocate((size_t)all->count + 1, sizeof *starts);
  for (int i = 0; i < all->count; i++) {
    const struct shk_family *const family = &all->families[i];
    if (!family->in_quad || family->by_tolerance || family->cell->member_count > 0)
      continue;
    struct starts *const list = &starts[shk_index_number(
        &lists, "%.*s\n%s\n%s\n%s", name_length(family->problem), family->problem,
        family->cell->integrator, family->cell->until, family->cell->precision)];
    *SHK_APPEND(list->all, list->count) = family;
  }
  *count = lists.count;
  shk_index_clear(&lists);
  return starts;
}

/* Returns the index of the family's finished run with this step, or -1 if there is none. */
static int finished_at(const struct shk_family *family, double step)
{
  int at = family->count - 1;
  while (at >= 0 && !(family->steps[at] == step && shk_record_finished(family->records[at])))
    at--;
  return at;
}

/* Stores a pair of series for each initial state whose runs with this step finished in both
 * precisions. Returns the number of pairs. */
static int pair_series(struct shk_growth_pair *pairs, const struct starts *starts, double step)
{
  int count = 0;
  for (int i = 0; i < starts->count; i++) {
    const struct shk_family *const low = starts->all[i], *const high = low->in_quad;
    const int here = finished_at(low, step), there = finished_at(high, step);
    if (here < 0 || there < 0)
      continue;
    const struct shk_outcome *const in_quad = &high->records[there]->outcome;
    pairs[count] = (struct shk_growth_pair){
        shk_recorded_series(&low->records[here]->outcome, SHK_SERIES_ENERGY_ERROR),
        shk_recorded_series(in_quad, SHK_SERIES_ENERGY_ERROR), shk_family_energy(high, in_quad),
        shk_family_steps(low, here), high->time_scale};
    count += pairs[count].low && pairs[count].high;
  }
  return count;
}

static void report_starts(struct shk_reporter *c, const struct starts *starts)
{
  const struct shk_family *const first = starts->all[0];
  struct shk_growth_pair *const pairs = shk_allocate((size_t)starts->count, sizeof *pairs);
  for (int i = 0; i < 2 * starts->count; i++)
    shk_family_take(c->all, i % 2 ? starts->all[i / 2] : starts->all[i / 2]->in_quad,
                    SHK_PART_SERIES);
  for (int s = 0; s < first->count; s++) {
    /* Identifies the runs with this step from all initial states. */
    struct shk_family combined = *first;
    const int count = pair_series(pairs, starts, first->steps[s]);
    if (count < SHK_GROWTH_STARTS)
      continue;
    const struct shk_growth growth = shk_growth_fit(pairs, count, first->epsilon);
    const char *const why = growth.why[0] ? growth.why : NULL;
    c->family = &combined;
    combined.suffix =
        shk_print_text(" (step %s, until %s)%s", c->plan->cells[first->cells[s]].cell.step,
                       first->cell->until, first->suffix);
    combined.problem = shk_print_text("%.*s", name_length(first->problem), first->problem);
    shk_report(c, SHK_QUANTITY_GROWTH_EXPONENT, NULL, growth.exponent, growth.half_width)->reason =
        shk_copy_text(why);
    shk_finding_word(c, SHK_QUANTITY_GROWTH_CLASS, NULL, growth.word)->reason = shk_copy_text(why);
    free(combined.suffix);
    free(combined.problem);
  }
  for (int i = 0; i < 2 * starts->count; i++)
    shk_family_put_back(c->all, i % 2 ? starts->all[i / 2] : starts->all[i / 2]->in_quad);
  free(pairs);
}

static void report_all(struct shk_reporter *c)
{
  int count;
  struct starts *const starts = gather_growth(&count, c->all);
  for (int i = 0; i < count; i++) {
    c->family = starts[i].all[0];
    if (starts[i].count >= SHK_GROWTH_STARTS && shk_reporter_wants(c, SHK_BIT(ENERGY)))
      report_starts(c, &starts[i]);
    free(starts[i].all);
  }
  free(starts);
}

const struct shk_finder shk_finder_growth = {.in = SHK_IN_RUNS, .report_all = report_all};
