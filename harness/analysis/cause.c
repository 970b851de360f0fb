/*
 * Finding "likely cause": a mistake in the step of a method, recognized by its identity
 * (measures/identities.c). The finding is the first mistake of the table whose identity all
 * measured steps satisfy to round-off while they violate that of a correct step. It is no verdict:
 * reports print it beside falsified claims.
 *
 * An identity is satisfied up to 100 rounding floors and violated from 10⁴ floors on. Violations
 * are O(h); they are needed at two steps, or at one in single precision, which resolves them at the
 * largest steps only.
 */
#include "harness/analysis/report.h"

#include "foundation/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double at_round_off = 100, off = 1e4;

/* Claims of the methods that can make a mistake (can_be). */
enum about { ANY, OF_ORDER_2, OF_HIDDEN, OF_TANGENT, OF_CONSTRAINT };

static const struct cause {
  /* Names of identities (missed: that of a correct step), and of the floor of both. */
  const char *kept, *missed, *floor;
  enum about about;
  const char *words;
} causes[] = {
    {"uncorrected", "row-most", "floor", OF_CONSTRAINT,
     "the constraints do not act on the positions"},
    {"along-new", "defect", "floor", ANY,
     "positions are corrected along the bonds at the end of the step, not along those at its "
     "start"},
    {"along-predicted", "defect", "floor", ANY,
     "positions are corrected along the bonds of the predicted positions, not along those at the "
     "start of the step"},
    {"without-masses", "defect", "floor", ANY,
     "corrections of positions are not divided by the masses"},
    {"hidden-middle", "hidden", "state-floor", OF_HIDDEN,
     "velocities are difference quotients of positions, or those of half a step"},
    {"force-old", "force-new", "velocity-floor", OF_ORDER_2,
     "the second half kick has the force at the start of the step, not that at its end"},
    {"force-predicted", "force-new", "velocity-floor", OF_ORDER_2,
     "the second half kick has the force at the predicted positions, before the constraints act"},
    {"force-none", "force-new", "velocity-floor", OF_ORDER_2, "a half kick is missing"},
    {"no-feedback", "force-new", "velocity-floor", OF_ORDER_2,
     "the correction of the positions does not reach the velocities: it must add its w/h to M v"},
    {"hidden-old", "hidden", "state-floor", OF_HIDDEN,
     "velocities are projected with the constraint Jacobian of the old positions"},
    {"velocity-old", "force-new", "velocity-floor", OF_TANGENT,
     "velocities are corrected along the bonds at the start of the step, not along those at its "
     "end"},
    {"unprojected", "hidden", "velocity-floor", OF_HIDDEN,
     "velocities are not projected onto the hidden constraint"},
    {"reversed", "symmetric", "state-floor", ANY,
     "the step enters as a length: a step back uses |h| in place of h"},
    {"row-least", "row-most", "state-floor", OF_CONSTRAINT,
     "the constraint solve ends when one row is satisfied, and leaves others unsolved"},
    {"defect", "row-least", "floor", OF_CONSTRAINT,
     "the solve for the multipliers ends too early: every constraint keeps a residual that falls "
     "with h"}};
enum { CAUSES = sizeof causes / sizeof causes[0] };

static bool can_be(enum about about, const struct shk_claims *claims)
{
  const bool can[] = {[ANY] = true,
                      [OF_ORDER_2] = fmax(claims->order_q, claims->order_p) >= 2,
                      [OF_HIDDEN] = claims->keeps_hidden != SHK_NO,
                      [OF_TANGENT] = claims->keeps_hidden == SHK_YES,
                      [OF_CONSTRAINT] = claims->keeps_constraint != SHK_NO};
  return can[about];
}

static double number(const struct shk_family *family, int i, const char *name)
{
  char scalar[SHK_SCALAR_NAME];
  const struct shk_record *const record = family->records[i];
  shk_scalar_name(scalar, sizeof scalar, SHK_QUANTITY_IDENTITY, name);
  return shk_record_finished(record) ? shk_outcome_scalar(&record->outcome, scalar) : NAN;
}

/* True if all numbers of all states are numbers of single precision. */
static bool is_single(const struct shk_family *family)
{
  bool any = false;
  for (int i = 0; i < family->count; i++) {
    const double distance = number(family, i, "single");
    if (distance > 8 * family->epsilon)
      return false;
    any = any || !isnan(distance);
  }
  return any;
}

static bool is_kept(const struct shk_family *family, const struct cause *cause, bool single)
{
  int missed = 0;
  double most[2] = {0}; /* residuals of the missed identity at the largest and the smallest step */
  for (int i = 0; i < family->count; i++) {
    const double floor = number(family, i, cause->floor), kept = number(family, i, cause->kept),
                 right = number(family, i, cause->missed);
    if (isnan(kept) || isnan(right))
      continue;
    if (!(kept <= at_round_off * floor))
      return false;
    missed += right >= off * floor;
    most[0] = most[0] > 0 ? most[0] : right;
    most[1] = right;
  }
  /* A residual that does not fall with the step comes from a solve at its tolerance. */
  const bool falls = cause->about != OF_CONSTRAINT || most[0] >= 16 * most[1];
  return falls && missed >= (single ? 1 : 2);
}

static void report(struct shk_reporter *c)
{
  const struct shk_family *const family = c->family;
  const bool single = is_single(family);
  const char *const first = single && strcmp(family->cell->precision, "single") != 0
                                ? "all numbers that a step returns are of single precision"
                                : NULL;
  size_t i = 0;
  while (i < CAUSES &&
         !(can_be(causes[i].about, &family->claims) && is_kept(family, &causes[i], single)))
    i++;
  if (i == CAUSES && !first)
    return;
  char *const words = shk_print_text("%s%s%s", first ? first : "", first && i < CAUSES ? "; " : "",
                                     i < CAUSES ? causes[i].words : "");
  shk_report_word(c, SHK_QUANTITY_CAUSE, NULL, words);
  free(words);
}

const struct shk_finder shk_finder_cause = {
    .in = SHK_IN_STEPS, .measures = SHK_BIT(IDENTITIES), .report = report};
