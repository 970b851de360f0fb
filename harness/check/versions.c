/* Values of a method in the versions of a baseline. See versions.h. */
#include "harness/check/versions.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Prefix of the quantity, and whether values are divided by those of the first version. */
static const struct {
  const char *quantity;
  bool ratio;
} followed[SHK_FOLLOWED] = {{"order of q", false},
                            {"order of p", false},
                            {"order of lambda", false},
                            {"error of q", true},
                            {"work-gradient", true}};

static bool is_of(const struct shk_baseline_value *value, enum shk_followed what,
                  const char *integrator)
{
  const size_t length = strlen(followed[what].quantity);
  return strcmp(value->integrator, integrator) == 0 &&
         strncmp(value->quantity, followed[what].quantity, length) == 0 &&
         (value->quantity[length] == '\0' || value->quantity[length] == ' ') &&
         isfinite(value->value);
}

double shk_version_mean(const struct shk_version *versions, int version, enum shk_followed what,
                        const char *integrator)
{
  const struct shk_baseline *const first = &versions[0].baseline, *const its =
                                                                      &versions[version].baseline;
  double sum = 0;
  int count = 0;
  for (int i = 0; i < first->count; i++) {
    if (!is_of(&first->values[i], what, integrator))
      continue;
    const struct shk_baseline_value *const now = bsearch(
        &first->values[i], its->values, (size_t)its->count, sizeof *now, shk_baseline_order);
    const double value = !now                   ? NAN
                         : followed[what].ratio ? log(now->value / first->values[i].value)
                                                : now->value;
    sum += isfinite(value) ? value : 0;
    count += isfinite(value);
  }
  return count == 0 ? NAN : followed[what].ratio ? exp(sum / count) : sum / count;
}

void shk_version_verdicts(int counts[SHK_VERDICTS], const struct shk_version *version,
                          const char *integrator)
{
  memset(counts, 0, SHK_VERDICTS * sizeof *counts);
  for (int i = 0; i < version->baseline.count; i++)
    if (strcmp(version->baseline.values[i].integrator, integrator) == 0)
      counts[version->baseline.values[i].verdict]++;
}
