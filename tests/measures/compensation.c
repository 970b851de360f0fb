/*
 * Sums with carries and without: what compensated methods leave is the rounding of increments, what
 * others leave is that of the sums; and where the centre of a system does not move freely, that is
 * said.
 */
#include "engine/cells/structure.h"
#include "engine/registry.h"
#include "tests/kit/context.h"
#include "tests/kit/tap.h"

#include <stdio.h>
#include <stdlib.h>

static enum shk_code measure(double *floors, const char *problem, const char *integrator)
{
  struct shk_outcome outcome = {0};
  const struct shk_cell cell = {.kind = (char *)"compensation",
                                .problem = (char *)problem,
                                .integrator = (char *)integrator,
                                .precision = "",
                                .step = "0.05",
                                .until = "0.05"};
  shk_structure_cell(&test_context, &outcome, &cell);
  const enum shk_code code = outcome.code;
  *floors = shk_outcome_scalar(&outcome, "compensation-defect") /
            shk_outcome_scalar(&outcome, "compensation-floor");
  if (code != SHK_OK)
    tap_diag("%s on %s: %s", integrator, problem, outcome.reason);
  shk_outcome_clear(&outcome);
  return code;
}

int main(void)
{
  static const char *const problems[] = {"drawn(seed=1,shape=clusters)",
                                         "drawn(seed=5,shape=clusters)"};
  static const char *const right[] = {"rattle",      "shake",     "rattle(flow=midpoint)",
                                      "composition", "spark",     "variational",
                                      "projection",  "baumgarte", "bad-rattle"};
  static const char *const wrong[] = {"no-carry", "other-carry", "momentum-carry"};
  struct shk_message error;
  const char *const plugin = getenv("SHAKEDOWN_BAD_RATTLE");
  double floors;
  tap_ok(plugin && shk_registry_load(&test_context, plugin, &error), "the wrong method loads");
  for (size_t i = 0; i < sizeof right / sizeof right[0]; i++)
    for (size_t k = 0; k < 2; k++) {
      const enum shk_code code = measure(&floors, problems[k], right[i]);
      tap_ok(code == SHK_OK && floors <= 1e3, "%s on %s: %.2g floors", right[i], problems[k],
             floors);
    }
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    char spec[64];
    snprintf(spec, sizeof spec, "bad-rattle(fault=%s)", wrong[i]);
    const enum shk_code code = measure(&floors, problems[0], spec);
    tap_ok(code == SHK_OK && floors >= 1e6, "%s: %.2g floors", spec, floors);
  }
  tap_is_int(measure(&floors, "pendulum", "rattle"), SHK_REFUSED, "an anchor");
  tap_is_int(measure(&floors, "drawn(seed=2,shape=clusters)", "rattle"), SHK_REFUSED, "gravity");
  tap_is_int(measure(&floors, "charged-pendulum", "rattle"), SHK_REFUSED, "no rods");
  return tap_done();
}
