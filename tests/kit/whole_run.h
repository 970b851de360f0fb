/*
 * A run of one integrator in the precision of the test, as a cell has it.
 */
#ifndef TESTS_KIT_WHOLE_RUN_H
#define TESTS_KIT_WHOLE_RUN_H

#include "engine/cells/cells.h"
#include "tests/kit/orders.h"
#include "tests/kit/tap.h"

/* Runs a cell. Returns whether it finished, and prints a diagnosis if not; clear the outcome either
 * way. */
static inline bool run_whole(struct shk_outcome *outcome, const char *problem,
                             const char *integrator, const char *step, const char *until)
{
  char *times[] = {(char *)until};
  const struct shk_cell cell = {.kind = (char *)"run",
                                .problem = (char *)problem,
                                .integrator = (char *)integrator,
                                .precision = (char *)SHK_ENGINE.precision,
                                .step = (char *)step,
                                .until = (char *)until,
                                .times = times,
                                .time_count = 1};
  *outcome = (struct shk_outcome){0};
  const struct shk_cell run = with_step_counts((long long[1]){0}, cell);
  shk_run_cell(&test_context, outcome, &run, true);
  if (outcome->code != SHK_OK)
    tap_diag("%s on %s: %s", integrator, problem, outcome->reason);
  return outcome->code == SHK_OK;
}

#endif
