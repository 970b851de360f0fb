/* Runs from many starts in quad and in lower precisions, found by name. See starts.h. */
#include "harness/analysis/starts.h"
#include "foundation/index.h"
#include "foundation/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

int shk_problem_name_length(const char *problem)
{
  return (int)strcspn(problem, "( ");
}

/* Members have too few intervals for this analysis. */
static bool is_start(const struct shk_family *family)
{
  return !family->by_tolerance && family->cell->member_count == 0;
}

static bool is_quad(const struct shk_family *family)
{
  return strcmp(family->cell->precision, "quad") == 0;
}

bool shk_growth_pair_of(struct shk_growth_pair *pair, const struct shk_family *low,
                        const struct shk_family *high, double step)
{
  for (int j = 0; j < low->count; j++)
    for (int k = 0; k < high->count; k++)
      if (low->steps[j] == step && high->steps[k] == step && shk_record_finished(low->records[j]) &&
          shk_record_finished(high->records[k])) {
        pair->low = shk_recorded_series(&low->records[j]->outcome, SHK_SERIES_ENERGY_ERROR);
        pair->high = shk_recorded_series(&high->records[k]->outcome, SHK_SERIES_ENERGY_ERROR);
        pair->scale = shk_family_energy(high, k);
        pair->steps = shk_family_steps(low, j);
        pair->time_scale = high->time_scale;
        if (pair->low && pair->high)
          return true;
      }
  return false;
}

struct shk_starts *shk_starts_gather(int *count, const struct shk_families *all)
{
  struct shk_index lists = {0}, pairs = {0};
  struct shk_starts *starts = shk_allocate((size_t)all->count + 1, sizeof *starts);
  const struct shk_family **quad = shk_allocate(2 * (size_t)all->count + 1, sizeof *quad);
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < all->count; i++) {
      const struct shk_family *family = &all->families[i];
      if (!is_start(family) || is_quad(family) != (pass == 0))
        continue;
      const int pair = shk_index_number(&pairs, "%d\n%s\n%s\n%s", family->group, family->problem,
                                        family->cell->integrator, family->cell->until);
      if (pass == 0) {
        if (!quad[pair])
          quad[pair] = family;
        continue;
      }
      struct shk_starts *list = &starts[shk_index_number(
          &lists, "%.*s\n%s\n%s\n%s", shk_problem_name_length(family->problem), family->problem,
          family->cell->integrator, family->cell->until, family->cell->precision)];
      list->low = shk_grow(list->low, (size_t)list->count, sizeof *list->low);
      list->high = shk_grow(list->high, (size_t)list->count, sizeof *list->high);
      list->low[list->count] = family;
      list->high[list->count++] = quad[pair];
    }
  *count = lists.count;
  free(quad);
  shk_index_clear(&lists);
  shk_index_clear(&pairs);
  return starts;
}

void shk_starts_free(struct shk_starts *starts, int count)
{
  for (int i = 0; i < count; i++) {
    free(starts[i].low);
    free(starts[i].high);
  }
  free(starts);
}

/* Loads the runs of a list at one step in both precisions, or releases them. */
static void take_starts(struct shk_families *all, const struct shk_starts *starts, double step,
                        bool take)
{
  for (int i = 0; i < starts->count; i++) {
    const struct shk_family *const both[] = {starts->low[i], starts->high[i]};
    for (int k = 0; starts->high[i] && k < 2; k++)
      if (take)
        shk_family_take(all, both[k], step, SHK_PART_SERIES);
      else
        shk_family_put_back(all, both[k], step);
  }
}

/* Returns the number of starts of a list that were run in both precisions. */
static int twins_of(const struct shk_starts *starts)
{
  int count = 0;
  for (int i = 0; i < starts->count; i++)
    count += starts->high[i] != NULL;
  return count;
}

void shk_starts_report(struct shk_findings *findings, const struct shk_plan *plan,
                       struct shk_families *all, const struct shk_starts *starts)
{
  const struct shk_family *first = starts->low[0];
  if (twins_of(starts) < SHK_GROWTH_STARTS)
    return;
  struct shk_growth_pair *pairs = shk_allocate((size_t)starts->count, sizeof *pairs);
  for (int s = 0; s < first->count; s++) {
    int count = 0;
    take_starts(all, starts, first->steps[s], true);
    for (int i = 0; i < starts->count; i++)
      if (starts->high[i] &&
          shk_growth_pair_of(&pairs[count], starts->low[i], starts->high[i], first->steps[s]))
        count++;
    const bool enough = count >= SHK_GROWTH_STARTS;
    struct shk_growth growth = {.why = ""};
    if (enough)
      growth = shk_growth_fit(pairs, count, first->epsilon);
    take_starts(all, starts, first->steps[s], false);
    if (!enough)
      continue;
    const char *step = plan->cells[first->cells[s]].cell.step;
    struct shk_family its = *first; /* combines all starts at this step */
    its.suffix = shk_print_text(" (step %s, until %s)%s", step, first->cell->until, first->suffix);
    for (int class = 0; class < 2; class ++) {
      struct shk_finding *finding = shk_findings_add(
          findings, &its, class ? SHK_QUANTITY_GROWTH_CLASS : SHK_QUANTITY_GROWTH_EXPONENT, NULL,
          class ? NAN : growth.exponent, class ? NAN : growth.half_width);
      free(finding->problem);
      finding->problem =
          shk_print_text("%.*s", shk_problem_name_length(first->problem), first->problem);
      finding->word = class ? shk_copy_text(growth.word) : NULL;
      finding->reason = growth.why[0] ? shk_copy_text(growth.why) : NULL;
    }
    free(its.suffix);
  }
  free(pairs);
}
