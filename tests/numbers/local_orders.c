/*
 * Orders of the error of one step: found where they are one more than the order, where SHAKE's momenta
 * are off by O(h) and no further at the end, and where a method's order hides them; and claims that are too
 * high or too low are falsified.
 */
#include "harness/analysis/report.h"

#include "foundation/memory.h"
#include "tests/kit/context.h"
#include "tests/kit/tap.h"

enum { STEPS = 5 };

/* A family of cells of one method at several steps, with their records. */
struct ladder {
  struct shk_cell cells[STEPS];
  struct shk_record records[STEPS];
  const struct shk_record *record[STEPS];
  double steps[STEPS];
  struct shk_family family;
};

static void climb(struct ladder *ladder, const char *problem, const char *integrator)
{
  static const char *const steps[STEPS] = {"0.04", "0.02", "0.01", "0.008", "0.005"};
  const struct shk_engine *const engine = shk_finest_engine();
  struct shk_message error;
  *ladder =
      (struct ladder){.family = {.suffix = (char *)"", .epsilon = engine->epsilon, .count = STEPS}};
  for (int i = 0; i < STEPS; i++) {
    ladder->cells[i] = (struct shk_cell){.kind = (char *)"local-error",
                                         .problem = (char *)problem,
                                         .integrator = (char *)integrator,
                                         .precision = (char *)engine->precision,
                                         .step = (char *)steps[i],
                                         .until = (char *)steps[i]};
    ladder->steps[i] = strtod(steps[i], NULL);
    ladder->record[i] = &ladder->records[i];
    engine->run(&test_context, &ladder->records[i].outcome, &ladder->cells[i]);
    if (ladder->records[i].outcome.code != SHK_OK)
      tap_diag("%s", ladder->records[i].outcome.reason);
  }
  ladder->family.records = ladder->record;
  ladder->family.steps = ladder->steps;
  ladder->family.cell = &ladder->cells[0];
  ladder->family.problem = (char *)problem;
  if (!engine->claims(&test_context, &ladder->family.claims, integrator, &error) ||
      !engine->inspect(&test_context, &ladder->family.inspection, problem, &error))
    tap_diag("%s", error.text);
  ladder->family.time_scale = ladder->family.inspection.time_scale;
}

static void come_down(struct ladder *ladder)
{
  for (int i = 0; i < STEPS; i++)
    shk_outcome_clear(&ladder->records[i].outcome);
}

/* The verdict on a block under the claims of the ladder, and its order. */
static enum shk_verdict verdict_of(double *order, const struct ladder *ladder, const char *block)
{
  struct shk_analysis *const analysis = shk_allocate(1, sizeof *analysis);
  struct shk_reporter reporter = {.family = &ladder->family, .analysis = analysis};
  shk_finding_local_orders(&reporter);
  enum shk_verdict verdict = SHK_VERDICT_NONE;
  *order = NAN;
  for (int i = 0; i < analysis->finding_count; i++) {
    const struct shk_finding *const f = &analysis->findings[i];
    if (strcmp(f->quantity + strlen("local order of "), block) != 0)
      continue;
    *order = f->value;
    verdict = f->verdict;
  }
  shk_analysis_free(analysis);
  return verdict;
}

static void held(const char *problem, const char *integrator, int q, int p)
{
  struct ladder rungs;
  double of_q, of_p;
  climb(&rungs, problem, integrator);
  const bool in_q = verdict_of(&of_q, &rungs, "q") == SHK_VERDICT_HELD;
  const bool in_p = verdict_of(&of_p, &rungs, "p") == SHK_VERDICT_HELD;
  tap_ok(in_q && in_p && fabs(of_q - q) < 0.1 && fabs(of_p - p) < 0.1,
         "%s on %s: %.3f in q, %.3f in p", integrator, problem, of_q, of_p);
  static const int wrong[] = {-1, 1};
  for (size_t i = 0; i < 2; i++) {
    double order;
    struct ladder other = rungs;
    other.family.claims.local_order_p += wrong[i];
    other.family.claims.local_order_q = other.family.claims.local_order_p;
    /* One problem may have an order above the claim; three falsify it. */
    const enum shk_verdict verdict = verdict_of(&order, &other, "p");
    tap_ok(verdict == (wrong[i] > 0                            ? SHK_VERDICT_FALSIFIED
                       : other.family.claims.local_order_p > 0 ? SHK_VERDICT_HELD
                                                               : SHK_VERDICT_UNDECIDED),
           wrong[i] < 0 ? "... %d may be lower than on this problem" : "... %d is falsified",
           other.family.claims.local_order_p);
  }
  come_down(&rungs);
}

static void is(const char *problem, const char *integrator, const char *block, double expected)
{
  struct ladder rungs;
  double order;
  climb(&rungs, problem, integrator);
  verdict_of(&order, &rungs, block);
  tap_is_near(order, expected, 0.1, "%s of %s", block, integrator);
  come_down(&rungs);
}

int main(void)
{
  static const char sphere[] = "harmonic-sphere(dimension=3,gravity=0.05,quartic=0.1,start=half)";
  held("sprung-pendulum", "rattle", 3, 3);
  held("sprung-pendulum", "shake", 3, 1);
  held("sprung-pendulum", "symplectic-euler-rattle", 2, 2);
  held("sprung-pendulum", "composition(scheme=yoshida6)", 7, 7);
  held("charged-pendulum", "projection", 5, 5);
  held(sphere, "rattle", 3, 3);
  /* Its largest coordinate is another one after a shorter step: errors have one scale for all steps. */
  held(
      "transformed(product(driven-pendulum,rotating-hoop),seed=69128362567,rewrite=yes,shift=57.3)",
      "rattle", 3, 3);
  held(sphere, "shake", 1, 1); /* fibres move q as well */
  is("sprung-pendulum", "rattle", "lambda", 1);
  is("sprung-pendulum", "rattle", "mu", 1);
  is("sprung-pendulum", "rattle", "lambda-state", 3);
  /* Of order 1 in q all the same: what is off in p adds up. */
  is("sprung-pendulum", "shake-minimal-displacement", "q", 3);
  is("sprung-pendulum", "shake-minimal-displacement", "p", 2);
  return tap_done();
}
