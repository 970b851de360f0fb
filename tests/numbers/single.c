/*
 * Single precision: every integrator on every problem takes the steps of double to within what single can
 * carry, and no closer, or refuses as it does there.
 */
#include "engine/engine.h"
#include "engine/names.h"
#include "tests/kit/context.h"
#include "tests/kit/step_counts.h"
#include "tests/kit/tap.h"

enum { STEPS = 20 };

/* Of the largest position, in roundings of single: twenty steps are about five by a random walk, and the
 * motion and the solves make them larger. A method that computes in double is nearer than the least on
 * most problems, where a float of the result alone is up to a half. */
static const double most = 64, least = 1e-3;

/* Where single is not double with fewer digits. */
static const struct exception {
  const char *problem, *integrator, *why;
} exceptions[] = {
    {"near-parallel", NULL, "its constraints are parallel to 1e-9, which is redundant in single"},
    {"bricard", NULL, "redundant: which step meets a zero pivot is round-off's"},
    {"duplicate", NULL, "as well"},
    {"beads-on-line", NULL, "as well"},
    {NULL, "reversibility-check", "its tolerance, 1e-8, is for double"},
    {"parallelogram", "penalty", "stiff springs magnify round-off where constraints are dependent"},
    {"water-box", NULL, "648 coordinates take too long; the code is that of water"},
    {"fekete", "energy-momentum", "the rounding of V, of many charges, is divided by the step"},
    {"coupled-spheres", "shake", "its fibres move positions, which nothing holds along them"},
    {"harmonic-sphere", "shake", "as well"},
    {NULL, NULL, NULL}};

static const struct exception *exception_of(const char *problem, const char *integrator)
{
  for (const struct exception *e = exceptions; e->why; e++)
    if ((!e->problem || strcmp(e->problem, problem) == 0) &&
        (!e->integrator || strcmp(e->integrator, integrator) == 0))
      return e;
  return NULL;
}

static void run(struct shk_outcome *outcome, const struct shk_engine *engine, const char *problem,
                const struct shk_integrator_info *integrator, char *step, char *until)
{
  const struct shk_cell cell = {.kind = (char *)"run",
                                .problem = (char *)problem,
                                .integrator = (char *)integrator->name,
                                .precision = (char *)engine->precision,
                                .step = integrator->adaptive ? NULL : step,
                                .tolerance = integrator->adaptive ? (char *)"1e-5" : NULL,
                                .until = until,
                                .time_count = 1,
                                .times = &until};
  *outcome = (struct shk_outcome){0};
  const struct shk_cell run = with_step_counts((long long[1]){0}, cell);
  engine->run(&test_context, outcome, &run);
}

/* Of the positions at the end, in roundings of single; NaN if there are none to compare. */
static double distance(const struct shk_outcome *low, const struct shk_outcome *high,
                       const char *until)
{
  const struct shk_sample *const a = shk_outcome_sample(low, until), *const b = shk_outcome_sample(
                                                                         high, until);
  const struct shk_vector *const one = a ? shk_sample_block(a, "q") : NULL;
  const struct shk_vector *const other = b ? shk_sample_block(b, "q") : NULL;
  double difference, size;
  if (!one || !other || !shk_difference(&difference, &size, one, other))
    return NAN;
  return difference / size * 0x1p23;
}

struct tally {
  int compared, same, refused, differ;
  double largest;
};

static void compare(struct tally *tally, const struct shk_engine *single,
                    const struct shk_inspection *is, const char *problem,
                    const struct shk_integrator_info *integrator)
{
  char step[48], until[48];
  const double h = exp2(floor(log2(is->time_scale / 100)));
  snprintf(step, sizeof step, "%.17g", h);
  snprintf(until, sizeof until, "%.17g", STEPS * h);
  OUTCOME low = {0}, high = {0};
  run(&low, single, problem, integrator, step, until);
  run(&high, &shk_engine_f64, problem, integrator, step, until);
  const double off = distance(&low, &high, until);
  if (integrator->double_only ? low.code != SHK_REFUSED && low.code != high.code
                              : low.code != high.code || (low.code == SHK_OK && off > most)) {
    tap_diag("%s on %s: %s; in double %s; %.3g roundings apart", integrator->name, problem,
             low.code == SHK_OK ? "runs" : low.reason, high.code == SHK_OK ? "runs" : high.reason,
             off);
    tally->differ++;
  } else if (low.code != SHK_OK) {
    tally->refused++;
  } else if (!isnan(off)) {
    tally->compared++;
    tally->same += off < least;
    tally->largest = fmax(tally->largest, off);
  }
}

int main(void)
{
  struct shk_message error;
  const struct shk_engine *const single = shk_engine_named("single", &error);
  tap_ok(single && single->epsilon == 0x1p-23 && single->digits == 9 && shk_engines[0] == single,
         "single precision is there, the least accurate first");
  test_context.untimed = true;
  const struct shk_integrator_info *integrator;
  for (int k = 0; (integrator = shk_integrator_at(&test_context, k)) != NULL; k++) {
    struct tally tally = {0};
    const struct shk_problem_info *problem;
    for (int i = 0; (problem = shk_problem_at(&test_context, i)) != NULL; i++) {
      struct shk_inspection is;
      if (shk_inspect(&test_context, &is, "double", problem->name, &error) &&
          !exception_of(problem->name, integrator->name))
        compare(&tally, single, &is, problem->name, integrator);
    }
    tap_ok(tally.differ == 0 && tally.same <= tally.compared / 4,
           "%s: as in double on %d problems (%d too closely), at most %.3g roundings apart; none "
           "on %d",
           integrator->name, tally.compared, tally.same, tally.largest, tally.refused);
  }
  for (const struct exception *e = exceptions; e->why; e++)
    tap_diag("not compared: %s on %s: %s", e->integrator ? e->integrator : "all",
             e->problem ? e->problem : "all", e->why);
  return tap_done();
}
