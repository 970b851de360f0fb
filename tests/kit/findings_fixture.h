/* Made-up findings for the tests of bands and baselines. */
#ifndef TESTS_KIT_FINDINGS_FIXTURE_H
#define TESTS_KIT_FINDINGS_FIXTURE_H

#include "harness/analysis/analysis.h"
#include <math.h>

/* A finding of `rattle` on `chain(links=20)`. */
static inline struct shk_finding finding(const char *quantity, double value, double half_width)
{
  return (struct shk_finding){.problem = (char *)"chain(links=20)",
                              .integrator = (char *)"rattle",
                              .precision = (char *)"quad",
                              .quantity = (char *)quantity,
                              .named = shk_named_finding(quantity),
                              .value = value,
                              .uncertainty = half_width,
                              .floor = NAN};
}

static inline struct shk_finding word(const char *quantity, const char *text)
{
  struct shk_finding f = finding(quantity, NAN, NAN);
  f.word = (char *)text;
  return f;
}

#endif
