/*
 * The audit of the contract (engine/cells/cells.h) on all that is built in: every function of every
 * problem writes all of its output and nothing else, every invariant is one, every integrator
 * writes all of the state that it makes and leaves the old one alone. Faults of all kinds, found in
 * plug-ins that have them on purpose, are in tests/cli/plugin_check.sh.
 */
#include "engine/names.h"
#include "tests/kit/context.h"
#include "tests/kit/tap.h"

#include "engine/cells/cells.h"
#include "engine/cells/contract.h"
#include "engine/registry.h"
#include "mechanics/system/audit.h"

#include <stdlib.h>
#include <string.h>

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
  for (int i = 0; (problem = shk_registry_problem(&test_context, i)) != NULL; i++) {
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

static void integrators(void)
{
  static const char *const on[] = {"sprung-pendulum", "harmonic-sphere"};
  const struct shk_integrator *integrator;
  for (int i = 0; (integrator = shk_registry_integrator(&test_context, i)) != NULL; i++) {
    struct shk_message error;
    struct shk_checks checks;
    const char *name = integrator->info.name;
    char *spec = shk_canonical_integrator(&test_context, name, &error);
    for (size_t k = 0; spec && k < sizeof on / sizeof on[0]; k++) {
      bool applies = true;
      if (shk_contract_audit(&test_context, &checks, &applies, on[k], spec, &error))
        tap_ok(all_hold(&checks, name), "integrator %s on %s", name, on[k]);
      else
        tap_ok(!applies, "integrator %s refuses %s: %s", name, on[k], error.text);
    }
    free(spec);
  }
}

int main(void)
{
  poison();
  problems();
  integrators();
  return tap_done();
}
