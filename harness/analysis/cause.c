/*
 * Reports the finding "likely cause", which names likely mistakes in the implementation of a
 * method. Each mistake is recognized by identities that hold for every step of a method that makes
 * it (measures/identities.c). A mistake is named if, on at least two problems, the steps satisfy
 * its identity to round-off and violate the identity of a correct step, and if no problem
 * contradicts it by violating both. If several mistakes fit the evidence, all of them are named,
 * except those implied by another one. The finding is not a verdict. Reports print it next to
 * falsified claims.
 *
 * An identity counts as satisfied if its residual is at most 100 rounding floors at every step size
 * of a problem. It counts as violated if the residual is at least 10⁴ floors at two step sizes. In
 * single precision one step size is enough, because violations are resolved only at the largest
 * steps. If an identity contains an unknown constant, such as a factor, its value must be the same
 * at every step size and on every problem. A single problem is not enough, because an identity may
 * hold on it by accident. For example, if a rod hangs from a fixed point, a solver that stops too
 * early cannot be distinguished from a fixed point that moves.
 */
#include "harness/analysis/report.h"

#include "foundation/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double at_round_off = 100, off = 1e4;
enum { LEAST_PROBLEMS = 2 };

/* The residuals of the identities, with their floors. `slope` is half the power of h with which an
 * uncorrected residual decreases. A residual that decreases more slowly indicates that the solver
 * stopped at its tolerance. */
static const struct residual {
  const char *name, *floor;
  double slope;
} residuals[] = {{"uncorrected", "floor", 0},
                 {"defect", "floor", 0},
                 {"along-new", "floor", 0},
                 {"along-predicted", "floor", 0},
                 {"along-drifted", "floor", 0},
                 {"along-current", "floor", 0},
                 {"along-current-drifted", "floor", 0},
                 {"without-masses", "floor", 0},
                 {"exchanged", "floor", 0},
                 {"force-new", "velocity-floor", 0},
                 {"force-old", "velocity-floor", 0},
                 {"force-predicted", "velocity-floor", 0},
                 {"force-none", "velocity-floor", 0},
                 {"no-feedback", "velocity-floor", 0},
                 {"factor-misfit", "velocity-floor", 0},
                 {"velocity-old", "velocity-floor", 0},
                 {"velocity-without-masses", "velocity-floor", 0},
                 {"velocity-exchanged", "velocity-floor", 0},
                 {"unprojected", "velocity-floor", 0},
                 {"row-least", "row-floor", 1},
                 {"row-most", "row-floor", 1},
                 {"row-most-free", "row-floor", 1},
                 {"fixed-misfit", "row-floor", 1},
                 {"fixed-off", "row-floor", 1},
                 {"rate-right", "rate-floor", 0},
                 {"rate-no-curvature", "rate-floor", 0},
                 {"hidden", "state-floor", 0.5},
                 {"hidden-old", "state-floor", 0},
                 {"hidden-middle", "state-floor", 0},
                 {"share-misfit", "state-floor", 0},
                 {"reversed", "state-floor", 0},
                 {"symmetric", "state-floor", 0},
                 {"repeated", "state-floor", 0}};
enum { RESIDUALS = sizeof residuals / sizeof residuals[0], MOST_NAMES = 2, MOST_IMPLYING = 4 };

/* A mistake is considered only if the method makes the corresponding claim; see can_be. */
enum about { ANY, OF_ORDER_2, OF_HIDDEN, OF_TANGENT, OF_CONSTRAINT, OF_ON_CONSTRAINT };

/* The behaviour, as h goes to zero, of the residual of an identity that correct steps satisfy and
 * the mistake violates. */
enum trend { EITHER, FALLS, STAYS };

static const struct cause {
  /* the residuals of the identities that hold with the mistake, and of those that hold for a
   * correct step but not with the mistake */
  const char *kept[MOST_NAMES], *missed[MOST_NAMES];
  enum about about;
  enum trend trend; /* the trend of missed[0] */
  /* The name of a measured number that equals a constant times h to the power `power`. The constant
   * is printed, or its reciprocal if `reciprocal` is true. The floor of the number is recorded as
   * NUMBER-floor. */
  const char *number;
  int power;
  bool reciprocal;
  bool alone;        /* whether this cause is named only if no other cause fits */
  const char *level; /* the residual whose largest value is printed */
  /* The causes that imply this one, each identified by its kept[0]. */
  const char *unless[MOST_IMPLYING];
  const char *words; /* the description, with %s for the number or the level */
} causes[] = {
    {.kept = {"uncorrected"},
     .missed = {"row-most"},
     .about = OF_CONSTRAINT,
     .trend = FALLS,
     .words = "the constraints do not act on the positions"},
    {.kept = {"along-new"},
     .missed = {"defect"},
     .words = "positions are corrected along the bonds at the end of the step, not along those at "
              "its start"},
    {.kept = {"along-predicted"},
     .missed = {"defect"},
     .words = "positions are corrected along the bonds of the predicted positions, not along those "
              "at the start of the step"},
    {.kept = {"along-drifted"},
     .missed = {"defect"},
     .words = "positions are corrected along the bonds after the drift, not along the bonds at the "
              "start of the step"},
    {.kept = {"along-current"},
     .missed = {"defect"},
     .unless = {"along-new", "along-predicted"},
     .words = "positions are corrected along the current bonds, which turn from sweep to "
              "sweep, not along the bonds at the start of the step"},
    {.kept = {"along-current-drifted"},
     .missed = {"defect"},
     .unless = {"along-new", "along-predicted", "along-drifted", "along-current"},
     .words = "positions are corrected along the current bonds, which turn from sweep to "
              "sweep, not along the bonds at the start of the step"},
    {.kept = {"without-masses"},
     .missed = {"defect"},
     .words = "corrections of positions are not divided by the masses"},
    {.kept = {"exchanged"},
     .missed = {"defect"},
     .words = "corrections of positions are divided by the mass of the other end of the bond"},
    {.kept = {"fixed-misfit"},
     .missed = {"fixed-off"},
     .about = OF_CONSTRAINT,
     .number = "fixed-inverse",
     .reciprocal = true,
     .words = "points that should be fixed move while the constraints are solved, as if their mass "
              "were %s"},
    {.kept = {"hidden-middle"},
     .missed = {"hidden"},
     .about = OF_HIDDEN,
     .words = "velocities are difference quotients of positions, or half-step velocities"},
    {.kept = {"force-old"},
     .missed = {"force-new"},
     .about = OF_ORDER_2,
     .words =
         "the second half kick uses the force at the start of the step, not the force at its end"},
    {.kept = {"force-predicted"},
     .missed = {"force-new"},
     .about = OF_ORDER_2,
     .words = "the second half kick uses the force at the predicted positions, before the "
              "constraints act"},
    {.kept = {"force-none"},
     .missed = {"force-new"},
     .about = OF_ORDER_2,
     .unless = {"hidden-middle"},
     .words = "a half kick is missing"},
    {.kept = {"no-feedback"},
     .missed = {"force-new"},
     .about = OF_ORDER_2,
     .words = "the correction of the positions does not reach the velocities: it must add its w/h "
              "to M v"},
    {.kept = {"factor-misfit"},
     .missed = {"force-new"},
     .number = "factor",
     .unless = {"no-feedback"},
     .words = "the correction of the positions reaches the velocities with the factor %s: it must "
              "add its w/h to M v"},
    {.kept = {"factor-misfit"},
     .missed = {"force-new"},
     .number = "factor",
     .power = 1,
     .unless = {"no-feedback"},
     .words = "the correction of the positions adds %s times w to the velocities, without the "
              "division by h: it must add its w/h to M v"},
    {.kept = {"hidden-old"},
     .missed = {"hidden"},
     .about = OF_HIDDEN,
     .words = "velocities are projected with the constraint Jacobian of the old positions"},
    {.kept = {"velocity-old"},
     .missed = {"force-new"},
     .about = OF_TANGENT,
     .unless = {"hidden-old"},
     .words = "velocities are corrected along the bonds at the start of the step, not along those "
              "at its end"},
    {.kept = {"velocity-without-masses"},
     .missed = {"force-new"},
     .about = OF_TANGENT,
     .words = "corrections of velocities are not divided by the masses"},
    {.kept = {"velocity-exchanged"},
     .missed = {"force-new"},
     .about = OF_TANGENT,
     .words = "corrections of velocities are divided by the mass of the other end of the bond"},
    {.kept = {"unprojected"},
     .missed = {"hidden"},
     .about = OF_HIDDEN,
     .words = "velocities are not projected onto the hidden constraint"},
    {.kept = {"share-misfit", "force-new"},
     .missed = {"hidden"},
     .about = OF_TANGENT,
     .number = "share",
     .unless = {"unprojected"},
     .words = "the correction of the velocities at the end of the step is applied with the factor "
              "%s"},
    {.kept = {"force-new"},
     .missed = {"hidden"},
     .about = OF_TANGENT,
     .trend = FALLS,
     .unless = {"unprojected", "share-misfit", "hidden-old", "fixed-misfit"},
     .words = "the solve for the velocities ends too early: their components along the constraints "
              "retain a residual that decreases with h"},
    {.kept = {"force-new"},
     .missed = {"hidden"},
     .about = OF_TANGENT,
     .trend = STAYS,
     .level = "hidden",
     .words = "the solve for the velocities stops at a loose tolerance: up to %s of them remains "
              "along the constraints, whatever the step"},
    {.kept = {"reversed"},
     .missed = {"symmetric"},
     .words = "the sign of the step is ignored: a step back uses |h| in place of h"},
    {.kept = {"row-least"},
     .missed = {"row-most-free"},
     .about = OF_CONSTRAINT,
     .trend = FALLS,
     .words =
         "the constraint solve ends as soon as one row is satisfied, and leaves others unsolved"},
    {.kept = {"defect"},
     .missed = {"row-least"},
     .about = OF_CONSTRAINT,
     .trend = FALLS,
     .words = "the solve for the multipliers ends too early: every constraint retains a residual "
              "that decreases with h"},
    {.kept = {"defect"},
     .missed = {"row-most"},
     .about = OF_CONSTRAINT,
     .trend = STAYS,
     .level = "row-most",
     .words = "the solve for the positions stops at a loose tolerance: relative constraint "
              "residuals of up to %s remain, whatever the step"},
    {.missed = {"repeated"},
     .words = "something is kept between steps: a step from the same state has a different result "
              "after other steps"},
    {.kept = {"rate-no-curvature"},
     .missed = {"rate-right"},
     .words = "the multiplier lacks the rate at which the constraint Jacobian changes, g_qq[v,v]"},
    {.kept = {"rate-right"},
     .missed = {"hidden", "defect"},
     .alone = true,
     .about = OF_TANGENT,
     .trend = FALLS,
     .words = "the accelerations are right, but no projection returns the velocities to the hidden "
              "constraint"},
    {.kept = {"rate-right"},
     .missed = {"row-most", "defect"},
     .alone = true,
     .about = OF_ON_CONSTRAINT,
     .trend = FALLS,
     .words =
         "the accelerations are right, but no projection returns the positions to the constraints"},
};
enum { CAUSES = sizeof causes / sizeof causes[0] };

static bool can_be(enum about about, const struct shk_claims *claims)
{
  const bool can[] = {[ANY] = true,
                      [OF_ORDER_2] = fmax(claims->order_q, claims->order_p) >= 2,
                      [OF_HIDDEN] = claims->keeps_hidden != SHK_NO,
                      [OF_TANGENT] = claims->keeps_hidden == SHK_YES,
                      [OF_CONSTRAINT] = claims->keeps_constraint != SHK_NO,
                      [OF_ON_CONSTRAINT] = claims->keeps_constraint == SHK_YES};
  return can[about];
}

/* ---- one problem ---- */

static double number(const struct shk_family *family, int i, const char *name, const char *end)
{
  char whole[SHK_SCALAR_NAME], scalar[SHK_SCALAR_NAME];
  const struct shk_record *const record = family->records[i];
  snprintf(whole, sizeof whole, "%s%s", name, end);
  shk_scalar_name(scalar, sizeof scalar, SHK_QUANTITY_IDENTITY, whole);
  return shk_record_finished(record) ? shk_outcome_scalar(&record->outcome, scalar) : NAN;
}

static const struct residual *residual_named(const char *name)
{
  int i = 0;
  while (strcmp(residuals[i].name, name) != 0)
    i++;
  return &residuals[i];
}

/* Returns a residual divided by its floor, or NaN if it was not measured. */
static double in_floors(const struct shk_family *family, int i, const char *name)
{
  return number(family, i, name, "") / number(family, i, residual_named(name)->floor, "");
}

/* Returns true if all components of all states are single-precision numbers. Sets *any to true if
 * at least one state was measured. */
static bool is_single(const struct shk_family *family, bool *any)
{
  for (int i = 0; i < family->count; i++) {
    const double distance = number(family, i, "single", "");
    if (distance > 8 * family->epsilon)
      return false;
    *any = *any || !isnan(distance);
  }
  return true;
}

/* The evidence about a cause from all problems. */
struct answer {
  /* the number of problems on which the mistake's identities hold but those of a correct step do
   * not */
  int problems;
  bool contradicted;
  double low, high; /* bounds on the constant factor of the measured number */
  double level;     /* the largest value of the residual `level` */
  /* sums for fitting log |residual| as a linear function of log h, with a common slope but a
   * separate intercept for each problem */
  double products, squares;
};

/* Adds the values of a residual at all step sizes on one problem to the sums for the trend. */
static void take_trend(struct answer *answer, const struct shk_family *family, const char *name)
{
  double x = 0, y = 0, xx = 0, xy = 0;
  int count = 0;
  for (int i = 0; i < family->count; i++) {
    const double size = number(family, i, name, "");
    if (!(size > 0))
      continue;
    const double a = log(family->steps[i]), b = log(size);
    x += a;
    y += b;
    xx += a * a;
    xy += a * b;
    count++;
  }
  if (count > 1) {
    answer->products += xy - x * y / count;
    answer->squares += xx - x * x / count;
  }
}

/* Returns true if, at this step size, the identities of a mistake hold. Sets *missed to true if the
 * identities of a correct step are also violated, and to false otherwise. If the residuals were not
 * measured, returns true and sets *missed to false. */
static bool is_kept(bool *missed, const struct shk_family *family, int i, const struct cause *cause)
{
  bool kept = true, measured = true;
  *missed = true;
  for (int k = 0; k < MOST_NAMES && cause->missed[k]; k++) {
    const double floors = in_floors(family, i, cause->missed[k]);
    *missed = *missed && floors >= off;
    measured = measured && !isnan(floors);
  }
  for (int k = 0; k < MOST_NAMES && cause->kept[k]; k++) {
    const double floors = in_floors(family, i, cause->kept[k]);
    kept = kept && floors <= at_round_off;
    measured = measured && !isnan(floors);
  }
  *missed = *missed && measured;
  return kept || !measured;
}

/* Narrows the bounds on the constant, using a step size at which the measured number supports the
 * cause. */
static void take_number(struct answer *answer, const struct shk_family *family, int i,
                        const struct cause *cause)
{
  const double unit = pow(family->steps[i], cause->power),
               value = number(family, i, cause->number, "") / unit,
               width = at_round_off * number(family, i, cause->number, "-floor") / unit;
  answer->low = fmax(answer->low, value - width);
  answer->high = fmin(answer->high, value + width);
}

static void take_problem(struct answer *answer, const struct shk_family *family,
                         const struct cause *cause, bool single)
{
  struct answer with = *answer;
  int missed_at = 0;
  bool kept = true;
  for (int i = 0; i < family->count; i++) {
    bool missed;
    kept = is_kept(&missed, family, i, cause) && kept;
    missed_at += missed;
    if (missed && cause->number)
      take_number(&with, family, i, cause);
    if (missed && cause->level)
      with.level = fmax(with.level, number(family, i, cause->level, ""));
  }
  if (missed_at < (single ? 1 : 2))
    return;
  if (kept) {
    *answer = with;
    answer->problems++;
    take_trend(answer, family, cause->missed[0]);
  }
  answer->contradicted = answer->contradicted || !kept;
}

/* ---- all problems ---- */

static bool cause_holds(const struct cause *cause, const struct answer *answer)
{
  const double slope = answer->products / answer->squares,
               least = residual_named(cause->missed[0])->slope;
  const bool fits = cause->trend == EITHER || (cause->trend == FALLS) == (slope >= least);
  return answer->problems >= LEAST_PROBLEMS && !answer->contradicted && fits &&
         answer->low <= answer->high;
}

/* Returns true if another cause that holds implies this one. A cause with the flag `alone` counts
 * as implied by any cause without this flag. */
static bool is_implied(const struct cause *cause, const bool *held)
{
  for (int i = 0; i < CAUSES; i++)
    if (cause->alone && held[i] && !causes[i].alone)
      return true;
  for (int k = 0; k < MOST_IMPLYING && cause->unless[k]; k++)
    for (int i = 0; i < CAUSES; i++)
      if (held[i] && causes[i].kept[0] && strcmp(causes[i].kept[0], cause->unless[k]) == 0)
        return true;
  return false;
}

static void add_words(char **words, const struct cause *cause, const struct answer *answer)
{
  const char *const gap = strstr(cause->words, "%s");
  const double middle = (answer->low + answer->high) / 2;
  if (*words)
    shk_append_text(words, "; ");
  if (!gap) {
    shk_append_text(words, "%s", cause->words);
    return;
  }
  shk_append_text(words, "%.*s", (int)(gap - cause->words), cause->words);
  if (cause->level)
    shk_append_text(words, "%.0e", answer->level);
  else
    shk_append_text(words, "%.3g", cause->reciprocal ? 1 / middle : middle);
  shk_append_text(words, "%s", gap + 2);
}

/* Returns true if both families use the same method, precision and measure. */
static bool is_alike(const struct shk_family *a, const struct shk_family *b)
{
  return a->measure == b->measure && strcmp(a->cell->integrator, b->cell->integrator) == 0 &&
         strcmp(a->cell->precision, b->cell->precision) == 0;
}

/* Collects the evidence from all problems for one method in one precision. Sets *single to true if
 * all components of all states are single-precision numbers. */
static void take_all(struct answer *answers, bool *single, struct shk_reporter *c, int first)
{
  struct shk_family *const families = c->all->families;
  bool any = false;
  *single = true;
  /* The first pass finds the precision of the states, which the second pass needs. */
  for (int pass = 0; pass < 2; pass++)
    for (int i = first; i < c->all->count; i++) {
      if (!is_alike(&families[i], &families[first]))
        continue;
      shk_family_take(c->all, &families[i], 0);
      if (pass == 0)
        *single = is_single(&families[i], &any) && *single;
      for (int k = 0; pass == 1 && k < CAUSES; k++)
        take_problem(&answers[k], &families[i], &causes[k], *single && any);
      shk_family_put_back(c->all, &families[i]);
    }
  *single = *single && any;
}

static void report_method(struct shk_reporter *c, int first)
{
  const struct shk_family *const family = c->family = &c->all->families[first];
  struct answer answers[CAUSES];
  bool single, held[CAUSES];
  char *words = NULL;
  for (int k = 0; k < CAUSES; k++)
    answers[k] = (struct answer){.low = -INFINITY, .high = INFINITY};
  take_all(answers, &single, c, first);
  if (single && strcmp(family->cell->precision, "single") != 0)
    words = shk_copy_text("all numbers that a step returns are in single precision");
  for (int k = 0; k < CAUSES; k++)
    held[k] = can_be(causes[k].about, &family->claims) && cause_holds(&causes[k], &answers[k]);
  for (int k = 0; k < CAUSES; k++)
    if (held[k] && !is_implied(&causes[k], held))
      add_words(&words, &causes[k], &answers[k]);
  if (words)
    shk_finding_word(c, SHK_QUANTITY_CAUSE, NULL, words);
  free(words);
}

static void report_all(struct shk_reporter *c)
{
  const struct shk_family *const families = c->all->families;
  for (int i = 0; i < c->all->count; i++) {
    int first = 0;
    if (families[i].in != SHK_IN_STEPS || families[i].measure != SHK_MEASURE_IDENTITIES)
      continue;
    while (!is_alike(&families[first], &families[i]))
      first++;
    if (first == i)
      report_method(c, i);
  }
}

const struct shk_finder shk_finder_cause = {.in = SHK_IN_STEPS, .report_all = report_all};
