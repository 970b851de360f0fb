/*
 * Reports the finding "power of the tolerance" if the study names the measure `tolerance`. The
 * errors of an adaptive method must decrease with the tolerance. If a method of order p keeps its
 * local error equal to the tolerance, its global error is proportional to the tolerance raised to
 * the power p/(p+1), which is at least a half.
 */
#include "harness/analysis/report.h"

#include "foundation/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The minimum number of tolerances for a finding, and the minimum for a problem that is run with
 * many tolerances because it is inexpensive. */
enum { LEAST_TOLERANCES = 3, MANY_TOLERANCES = 5 };

struct followed {
  int finding; /* the index of the finding */
  bool many;   /* whether the finding is based on at least MANY_TOLERANCES tolerances */
};

/* Returns the power of the tolerance that relates the errors at two tolerances. Errors below the
 * tolerance are replaced by the tolerance, because a loose tolerance may not limit the steps. */
static double exponent_between(const struct shk_point *loose, const struct shk_point *tight)
{
  return log(fmax(loose->error, loose->step) / fmax(tight->error, tight->step)) /
         log(loose->step / tight->step);
}

/* Returns true if two successive tolerances give the same error and that error exceeds the tighter
 * tolerance. */
static bool ignores_one(const struct shk_point *points, int count)
{
  for (int i = 1; i < count; i++)
    if (points[i].error > points[i].step && fabs(points[i - 1].error - points[i].error) <=
                                                shk_bounds[SHK_BOUND_SAME_ERROR] * points[i].error)
      return true;
  return false;
}

/* The exponent that relates the errors of a family to the tolerances of one run of the study. */
struct power {
  double value;
  enum shk_verdict verdict;
  const char *reason;
};

/* Decides whether the errors follow the tolerance, based on the exponent over all tolerances. The
 * method is assumed to ignore the tolerance if this exponent is less than half the smallest
 * possible one, or if the errors decrease too slowly between the two tightest tolerances. The
 * second criterion is lenient, because individual errors may be off by a factor of five. */
static struct power judge_tolerances(const struct shk_point *points, int count)
{
  const struct shk_point *const last = points + count - 1;
  const double whole = exponent_between(points, last);
  const bool finest = exponent_between(last - 1, last) >= shk_bounds[SHK_BOUND_IGNORES_FINEST];
  if (ignores_one(points, count) || !(whole >= shk_bounds[SHK_BOUND_IGNORES]) || !finest)
    return (struct power){whole, SHK_VERDICT_FALSIFIED,
                          "errors do not decrease with the tolerance: check the bound on the "
                          "estimated local error and the limits on the step"};
  if (whole >= shk_bounds[SHK_BOUND_FOLLOWS])
    return (struct power){whole, SHK_VERDICT_HELD, NULL};
  return (struct power){whole, SHK_VERDICT_UNDECIDED,
                        "errors decrease with the tolerance, but slowly"};
}

/* Computes the error curve of a loaded family. Each error is that of q or p, whichever is
 * larger. */
static bool measure_tolerances(struct shk_curve *q, const struct shk_family *family)
{
  struct shk_curve p;
  if (!shk_curve_make(q, family, SHK_BLOCK_Q))
    return false;
  const bool both = shk_curve_make(&p, family, SHK_BLOCK_P);
  for (int i = 0; i < family->count; i++) {
    const double sum = q->points[i].error + (both ? p.points[i].error : NAN);
    if (shk_record_finished(family->records[i]))
      q->points[i].error = isnan(sum) ? INFINITY : fmax(q->points[i].error, p.points[i].error);
  }
  if (both)
    shk_curve_clear(&p);
  return true;
}

/* Evaluates each run of the study separately. Tolerances from different runs may be so close to
 * each other that a method that uses only a few step sizes has the same error at several of them.
 * Stores the worst result and returns the largest number of tolerances in a run. */
static int judge_runs(struct power *worst, const struct shk_reporter *c,
                      const struct shk_curve *curve)
{
  static const int rank[SHK_VERDICTS] = {
      [SHK_VERDICT_HELD] = 1, [SHK_VERDICT_UNDECIDED] = 2, [SHK_VERDICT_FALSIFIED] = 3};
  const struct shk_planned *const cells = c->plan->cells;
  struct shk_point *const points = shk_allocate((size_t)curve->count, sizeof *points);
  int most = 0;
  *worst = (struct power){.verdict = SHK_VERDICT_NONE};
  for (int k = 0; k < curve->count; k++) {
    int found = 0;
    for (int i = 0; i < curve->count; i++)
      if (cells[c->family->cells[i]].run == cells[c->family->cells[k]].run &&
          !isnan(curve->points[i].error))
        points[found++] = curve->points[i];
    most = found > most ? found : most;
    if (found < LEAST_TOLERANCES)
      continue;
    const struct power power = judge_tolerances(points, found);
    if (rank[power.verdict] > rank[worst->verdict])
      *worst = power;
  }
  free(points);
  return most;
}

/* Changes an integrator's falsified findings to undecided unless more than half of its findings are
 * falsified. A method that ignores the tolerance does so on most problems, whereas a single problem
 * may limit the solver for other reasons, for example because it is solved as an index-3 equation
 * in its original form. */
static void excuse_few(struct shk_reporter *c, const struct followed *all, int count)
{
  for (int i = 0; i < count; i++) {
    struct shk_finding *const excused = &c->analysis->findings[all[i].finding];
    int asked = 0, ignoring = 0;
    for (int k = 0; k < count; k++) {
      const struct shk_finding *const other = &c->analysis->findings[all[k].finding];
      if (all[k].many == all[i].many && strcmp(other->integrator, excused->integrator) == 0) {
        asked++;
        ignoring += other->verdict == SHK_VERDICT_FALSIFIED;
      }
    }
    if (excused->verdict != SHK_VERDICT_FALSIFIED || 2 * ignoring > asked)
      continue;
    excused->verdict = SHK_VERDICT_UNDECIDED;
    free(excused->reason);
    excused->reason =
        shk_copy_text("errors do not decrease with the tolerance, but only a few problems show it");
  }
}

static void report_all(struct shk_reporter *c)
{
  struct followed *all = NULL;
  int count = 0;
  for (int i = 0; i < c->all->count; i++) {
    struct shk_family *const family = &c->all->families[i];
    c->family = family;
    if (family->in != SHK_IN_RUNS || !family->by_tolerance ||
        (c->study && !shk_reporter_is_asked(c, SHK_BIT(TOLERANCE))))
      continue;
    shk_family_take(c->all, family, SHK_PART_STATES);
    shk_family_refer(c->all, family);
    struct shk_curve curve;
    const bool measured = measure_tolerances(&curve, family);
    shk_family_put_back(c->all, family);
    if (!measured)
      continue;
    struct power power;
    const int tolerances = judge_runs(&power, c, &curve);
    shk_curve_clear(&curve);
    if (tolerances < LEAST_TOLERANCES)
      continue;
    struct shk_finding *const finding =
        shk_report(c, SHK_QUANTITY_TOLERANCE_POWER, NULL, power.value, NAN);
    finding->expected = shk_copy_text("at least 0.5");
    /* The errors of a system at rest consist of round-off, which does not decrease with the
     * tolerance. */
    finding->verdict = shk_family_rests(family) ? SHK_VERDICT_UNDECIDED : power.verdict;
    finding->reason = shk_copy_text(power.reason);
    shk_finding_rests(c);
    *SHK_APPEND(all, count) =
        (struct followed){c->analysis->finding_count - 1, tolerances >= MANY_TOLERANCES};
  }
  excuse_few(c, all, count);
  free(all);
}

const struct shk_finder shk_finder_tolerances = {.in = SHK_IN_RUNS, .report_all = report_all};
