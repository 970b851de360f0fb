/*
 * Cells that a test drives step by step, in the precision of the compilation.
 */
#ifndef TESTS_KIT_DRIVING_H
#define TESTS_KIT_DRIVING_H

#include "engine/cells/drive.h"
#include "mechanics/system/state.h"
#include "tests/kit/binding.h"
#include "tests/kit/registry.h"
#include "tests/kit/tap.h"

enum { DRIVING_TEXT = 96 };

/* Binds a cell at the problem's own start or the one given; stores the reason of a failure in
 * `reason` (256 bytes). */
static inline enum shk_code begin_at(struct shk_drive *d, char *reason, const char *problem,
                                     const char *integrator, const char *step, const char *q,
                                     const char *p, bool project)
{
  struct shk_outcome outcome = {0};
  const size_t length = strcspn(integrator, "(");
  char name[DRIVING_TEXT];
  snprintf(name, sizeof name, "%.*s", (int)length, integrator);
  const struct shk_integrator *found = integrator_named(name);
  const bool adaptive = found != NULL && found->info.adaptive && !found->info.exact;
  const struct shk_cell cell =
      TEST_CELL(.problem = (char *)problem, .integrator = (char *)integrator,
                .step = adaptive ? NULL : (char *)step, .tolerance = adaptive ? "1e-8" : NULL,
                .until = (char *)step, .q = (char *)q, .p = (char *)p, .project = project);
  shk_drive_begin(&test_context, d, &outcome, &cell);
  const enum shk_code code = outcome.code;
  if (reason)
    snprintf(reason, 256, "%.255s", outcome.reason);
  shk_outcome_clear(&outcome);
  return code;
}

/* The same at the problem's own start; prints the reason of a failure. */
static inline bool begin_own(struct shk_drive *d, const char *problem, const char *integrator,
                             const char *step)
{
  char reason[256];
  const bool ok = begin_at(d, reason, problem, integrator, step, NULL, NULL, false) == SHK_OK;
  if (!ok)
    tap_diag("%s on %s: %s", integrator, problem, reason);
  return ok;
}

/* The same with METHOD(flow=FLOW). */
static inline bool begin(struct shk_drive *d, const char *problem, const char *method,
                         const char *flow, const char *step)
{
  char integrator[DRIVING_TEXT];
  snprintf(integrator, sizeof integrator, "%s(flow=%s)", method, flow);
  return begin_own(d, problem, integrator, step);
}

/* Prints a point: it is refused there, with the reason `why`. */
static inline void is_refused(const char *problem, const char *integrator, const char *why)
{
  DRIVE d = {0};
  char reason[256] = "";
  const enum shk_code code = begin_at(&d, reason, problem, integrator, "0.01", NULL, NULL, false);
  tap_ok(code == SHK_REFUSED && strstr(reason, why), "%s refuses %s: %s", integrator, problem,
         reason);
}

static inline bool advance(struct shk_drive *d, long steps)
{
  for (long k = 0; k < steps; k++) {
    const struct shk_status status = shk_drive_step(d, d->current.t + d->bound.step);
    if (status.code != SHK_OK) {
      char text[256];
      tap_diag("step %ld: %s", k, shk_status_text(text, sizeof text, status));
      return false;
    }
    shk_drive_accept(d);
  }
  return true;
}

/* Largest difference of q and p; NaN if there is one. */
static inline real difference(const struct shk_state *a, const struct shk_state *b)
{
  real worst = 0;
  for (int i = 0; i < a->n; i++) {
    const real q = real_fabs(a->q[i] - b->q[i]), p = real_fabs(a->p[i] - b->p[i]);
    worst = q <= worst ? worst : q; /* keeps a NaN */
    worst = p <= worst ? worst : p;
  }
  return worst;
}

/* Binds the problem at its start; prints a diagnosis if that fails. */
static inline bool begin_problem(struct shk_bound *bound, const char *spec)
{
  struct shk_message error = {.text = ""};
  const bool ok = shk_bind_problem(&test_context, bound, spec, &error) == SHK_OK &&
                  shk_bind_point(bound, NULL, NULL, false, &error) == SHK_OK;
  if (!ok)
    tap_diag("%s: %s", spec, error.text);
  return ok;
}

#endif
