/* Numbers of a method in a version of a baseline. See versions.h. */
#include "harness/check/versions.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Beginning of the quantity, and whether values are divided by those of the first version. */
static const struct followed {
  const char *quantity;
  bool ratio;
} followed[SHK_VERSION_MEANS] = {{"order of q", false},
                                 {"order of p", false},
                                 {"order of lambda", false},
                                 {"error of q", true},
                                 {"work-gradient", true}};

static const enum shk_verdict counted[] = {SHK_VERDICT_HELD, SHK_VERDICT_FALSIFIED,
                                           SHK_VERDICT_UNDECIDED, SHK_VERDICT_FAILED};

static double mean_of(const struct followed *what, const struct shk_baseline *version,
                      const struct shk_baseline *first, const char *integrator)
{
  const size_t length = strlen(what->quantity);
  double sum = 0;
  int count = 0;
  for (const struct shk_baseline_value *was = first->values; was < first->values + first->count;
       was++) {
    if (strcmp(was->integrator, integrator) != 0 ||
        strncmp(was->quantity, what->quantity, length) != 0 ||
        (was->quantity[length] != '\0' && was->quantity[length] != ' ') || !isfinite(was->value))
      continue;
    const struct shk_baseline_value *const now =
        bsearch(was, version->values, (size_t)version->count, sizeof *now, shk_baseline_order);
    const double value = !now ? NAN : what->ratio ? log(now->value / was->value) : now->value;
    sum += isfinite(value) ? value : 0;
    count += isfinite(value);
  }
  return count == 0 ? NAN : what->ratio ? exp(sum / count) : sum / count;
}

void shk_version_numbers(double numbers[SHK_VERSION_NUMBERS], const struct shk_baseline *version,
                         const struct shk_baseline *first, const char *integrator)
{
  for (int i = 0; i < SHK_VERSION_MEANS; i++)
    numbers[i] = mean_of(&followed[i], version, first, integrator);
  for (int k = SHK_VERSION_MEANS; k < SHK_VERSION_NUMBERS; k++) {
    numbers[k] = 0;
    for (int i = 0; i < version->count; i++)
      numbers[k] += version->values[i].verdict == counted[k - SHK_VERSION_MEANS] &&
                    strcmp(version->values[i].integrator, integrator) == 0;
  }
}
