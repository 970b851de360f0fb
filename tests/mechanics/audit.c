/*
 * The audit of the contract (engine/cells/cells.h) on all that is built in: every function of every
 * problem writes all of its output and nothing else, every invariant is one, every integrator
 * writes all of the state that it makes and leaves the old one alone. Faults of all kinds, found in
 * plug-ins that have them on purpose, are in tests/cli/plugin_check.sh.
 */
#include "engine/names.h"
#include "tests/kit/context.h"
#include "tests/kit/registry.h"
#include "tests/kit/tap.h"

#include "engine/cells/cells.h"
#include "engine/cells/contract.h"
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

/* True if an option must be given. */
static bool needs_option(const struct shk_integrator *integrator)
{
  const struct shk_option *option = integrator->info.options;
  while (option && option->name && option->fallback)
    option++;
  return option && option->name;
}

/* The contract checks as plug-ins get them. */
static void integrators(void)
{
  static const char *const on[] = {"sprung-pendulum", "harmonic-sphere"};
  static const char *const kinds[] = {"contract", "stateless", "valid-states", "smooth"};
  const struct shk_integrator *integrator;
  for (int i = 0; (integrator = nth_integrator(i)) != NULL; i++)
    for (int k = 0; k < 2 && !needs_option(integrator); k++) {
      struct shk_outcome outcome = {.code = SHK_OK};
      for (int part = 0; part < 4 && outcome.code == SHK_OK; part++) {
        const struct shk_cell cell = {.kind = (char *)kinds[part],
                                      .problem = (char *)on[k],
                                      .integrator = (char *)integrator->info.name,
                                      .tolerance = (char *)"1e-6"};
        shk_outcome_clear(&outcome);
        shk_contract_cell(&test_context, &outcome, &cell);
        if (outcome.code == SHK_OK && outcome.scalars[0].value > 0)
          outcome.code = SHK_STOPPED;
      }
      tap_ok(outcome.code == SHK_OK || outcome.code == SHK_REFUSED, "integrator %s on %s%s %s",
             integrator->info.name, on[k], outcome.code == SHK_OK ? "" : ":", outcome.reason);
      shk_outcome_clear(&outcome);
    }
}

int main(void)
{
  poison();
  problems();
  integrators();
  return tap_done();
}
