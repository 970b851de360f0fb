/* A measured cell of one step: its defect in units of the floor. */
#ifndef TESTS_KIT_STRUCTURE_CELL_H
#define TESTS_KIT_STRUCTURE_CELL_H

#include "engine/cells/cells.h"
#include "tests/kit/context.h"
#include "tests/kit/tap.h"

static double structure_scalar(const struct shk_outcome *outcome, const char *kind,
                               const char *what)
{
  char name[64];
  snprintf(name, sizeof name, "%s-%s", kind, what);
  return shk_outcome_scalar(outcome, name);
}

static enum shk_code measure_structure(double *floors, const char *kind, const char *problem,
                                       const char *integrator)
{
  struct shk_outcome outcome = {0};
  const struct shk_cell cell = {.kind = (char *)kind,
                                .problem = (char *)problem,
                                .integrator = (char *)integrator,
                                .precision = "",
                                .step = "0.05",
                                .until = "0.05"};
  shk_structure_cell(&test_context, &outcome, &cell);
  const enum shk_code code = outcome.code;
  *floors = structure_scalar(&outcome, kind, "defect") / structure_scalar(&outcome, kind, "floor");
  if (code != SHK_OK)
    tap_diag("%s of %s on %s: %s", kind, integrator, problem, outcome.reason);
  shk_outcome_clear(&outcome);
  return code;
}

#endif
