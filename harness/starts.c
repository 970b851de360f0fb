/* Runs from many starts in both precisions, found by name. See starts.h. */
#include "harness/starts.h"
#include "foundation/index.h"
#include "foundation/memory.h"
#include <stdlib.h>
#include <string.h>

int shk_problem_name_length(const char *problem)
{
  return (int)strcspn(problem, "( ");
}

static bool in_precision(const struct shk_family *family, const char *precision)
{
  return !family->by_tolerance && strcmp(family->cell->precision, precision) == 0;
}

bool shk_growth_pair_of(struct shk_growth_pair *pair, const struct shk_family *low,
                        const struct shk_family *high, double step)
{
  for (int j = 0; j < low->count; j++)
    for (int k = 0; k < high->count; k++)
      if (low->steps[j] == step && high->steps[k] == step && shk_record_finished(low->records[j]) &&
          shk_record_finished(high->records[k])) {
        pair->low = shk_outcome_series(&low->records[j]->outcome, "energy-error");
        pair->high = shk_outcome_series(&high->records[k]->outcome, "energy-error");
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
  struct shk_index lists = {0}, twins = {0};
  struct shk_starts *starts = shk_allocate((size_t)all->count + 1, sizeof *starts);
  const struct shk_family **quad = shk_allocate(2 * (size_t)all->count + 1, sizeof *quad);
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < all->count; i++) {
      const struct shk_family *family = &all->families[i];
      if (!in_precision(family, pass == 0 ? "quad" : "double"))
        continue;
      const int twin = shk_index_number(&twins, "%d\n%s\n%s\n%s", family->group, family->problem,
                                        family->cell->integrator, family->cell->until);
      if (pass == 0) {
        if (quad[twin] == NULL)
          quad[twin] = family;
        continue;
      }
      struct shk_starts *list =
          &starts[shk_index_number(&lists, "%.*s\n%s\n%s", shk_problem_name_length(family->problem),
                                   family->problem, family->cell->integrator, family->cell->until)];
      list->low = shk_grow(list->low, (size_t)list->count, sizeof *list->low);
      list->high = shk_grow(list->high, (size_t)list->count, sizeof *list->high);
      list->low[list->count] = family;
      list->high[list->count++] = quad[twin];
    }
  *count = lists.count;
  free(quad);
  shk_index_clear(&lists);
  shk_index_clear(&twins);
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
