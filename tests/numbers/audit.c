/*
 * The audit of the contract (engine/cells/cells.h) on all problems that are built in: every function
 * writes all of its output and nothing else, and every invariant is one. Integrators are in
 * tests/verdicts/contract.c, faults of plug-ins in tests/processes/plugin_check.sh.
 */
#include "engine/names.h"
#include "tests/kit/registry.h"
#include "tests/kit/tap.h"

#include "engine/cells/cells.h"
#include "mechanics/system/audit.h"

static bool all_hold(const struct shk_checks *checks, const char *name)
{
  bool ok = checks->count > 0;
  for (int i = 0; i < checks->count; i++)
    if (!checks->items[i].holds) {
      tap_diag("%s: %s: %s", name, checks->items[i].name, checks->items[i].detail);
      ok = false;
    }
  return ok;
}

static void poison(void)
{
  real values[3] = {1, 2, 3};
  tap_ok(shk_poisoned(values, 3) < 0, "ordinary numbers are no poison");
  values[1] = (real)NAN;
  tap_ok(shk_poisoned(values, 3) < 0, "a NaN of a computation is no poison");
  shk_poison(values + 1, 1);
  tap_ok(shk_poisoned(values, 3) == 1, "poison is found where it is");
  values[1] += 1;
  tap_ok(shk_poisoned(values, 3) == 1, "... also if something was added to it");
}

static void problems(void)
{
  const struct shk_problem *problem;
  for (int i = 0; (problem = nth_problem(i)) != NULL; i++) {
    struct shk_message error;
    struct shk_checks checks;
    const char *name = problem->info.name;
    char *spec = shk_canonical_problem(&test_context, name, &error);
    if (!spec)
      continue; /* it cannot be had without options */
    if (shk_audit_problem(&test_context, &checks, spec, &error))
      tap_ok(all_hold(&checks, name), "problem %s keeps to the contract, %d points", name,
             checks.count);
    else if (strstr(error.text, "general differential-algebraic"))
      tap_diag("%s: %s", name, error.text);
    else { /* those that are there to be refused */
      struct shk_message reason;
      struct shk_diagnosis diagnosis;
      tap_ok(shk_diagnose_problem(&test_context, &diagnosis, spec, NULL, NULL, false, &reason) &&
                 diagnosis.ill_posed[0] != '\0',
             "problem %s is not audited, being ill-posed: %s", name, error.text);
    }
    free(spec);
  }
}

int main(void)
{
  poison();
  problems();
  return tap_done();
}
