/*
 * Reports the finding "double as quad" if the study names the measure. At the same step size, runs
 * in double and in quad may differ only by round-off. The finding is falsified if an offset recurs
 * at successive step sizes.
 */
#include "harness/analysis/report.h"

#include "foundation/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The blocks to compare. Differences of the first STATES blocks are also compared with the
 * round-off floor of states. */
static const char *const compared[] = {"q", "p", "lambda", "mu"};
enum { STATES = 2, COMPARED = sizeof compared / sizeof compared[0] };

/* Accumulates the results of comparing double and quad, one step size at a time. */
struct twins {
  int count;
  struct shk_defect *defects; /* the largest difference of q and p at each step size */
  double worst, floor;        /* the largest difference and the largest floor over all step sizes */
  /* The largest constraint violation in quad. It is set only for a method that does not claim to
   * keep the constraint, or claims to keep it only to a level. With a loose tolerance, a solver may
   * take a different number of iterations in double than in quad. For all other methods it is 0. */
  double violation;
  /* the relative differences of each block at the previous step size, for all components and sample
   * times */
  struct shk_point last[COMPARED];
  /* the number of successive step sizes at which the difference of this block has recurred */
  int alike[COMPARED];
  /* the largest difference that recurred at three step sizes; 0 if no difference did */
  double offset[COMPARED];
};

/* Returns the size of a difference if it exceeds 10³ rounding errors and agrees with the one at the
 * previous step size to within a quarter. Returns 0 otherwise. Such a difference is not round-off:
 * accumulated rounding errors would change with the step size, and rounding of the initial state or
 * of the problem's parameters would be smaller. */
static double same_difference(const struct shk_point *last, const struct shk_point *now)
{
  double level = 0, change = 0;
  for (int i = 0; last->signed_count == now->signed_count && i < now->signed_count; i++) {
    level = fmax(level, fabs(now->signed_errors[i]));
    change = fmax(change, fabs(now->signed_errors[i] - last->signed_errors[i]));
  }
  return change <= level / 4 && level >= SHK_VANISHES * shk_engine_f64.epsilon ? level : 0;
}

static void add_step(struct twins *twins, const struct shk_record *low,
                     const struct shk_record *high, double time_scale)
{
  const double until = low->cell.numbers.until, steps = until / low->cell.numbers.step;
  double apart = 0;
  for (int i = 0; i < COMPARED; i++) {
    struct shk_point now = {.error = INFINITY};
    const double size = shk_record_block_size(high, compared[i]);
    shk_point_measure(&now, &low->outcome, &high->outcome, compared[i], compared[i],
                      size > 0 ? size : 1);
    const double level = same_difference(&twins->last[i], &now);
    twins->alike[i] = level > 0 ? twins->alike[i] + 1 : 0;
    if (twins->alike[i] >= 2)
      twins->offset[i] = fmax(twins->offset[i], level);
    apart = i < STATES ? fmax(apart, now.error) : apart;
    free(twins->last[i].signed_errors);
    twins->last[i] = now;
  }
  const double floor =
      fmax(twins->violation, shk_state_floor(shk_engine_f64.epsilon, steps, until, time_scale));
  *SHK_APPEND(twins->defects, twins->count) = (struct shk_defect){.size = apart, .floor = floor};
  twins->worst = fmax(twins->worst, apart);
  twins->floor = fmax(twins->floor, floor);
}

/* Adds the finding for a family of runs in double. */
static void decide_precisions(struct shk_reporter *c, const struct twins *twins)
{
  int block = 0;
  while (block < COMPARED && twins->offset[block] == 0)
    block++;
  struct shk_finding *const finding =
      shk_report(c, SHK_QUANTITY_DOUBLE_AS_QUAD, NULL, twins->worst, NAN);
  /* if not NULL, the sizes are nothing but round-off */
  const char *const rests = shk_family_rests(c->family);
  finding->floor = twins->floor;
  shk_finding_verdict(c, &(struct shk_evidence){.kind = SHK_EVIDENCE_KEPT,
                                                .claimed = SHK_YES,
                                                .defects = twins->defects,
                                                .count = twins->count,
                                                .meaningless = rests});
  if (rests || finding->verdict == SHK_VERDICT_FALSIFIED || block == COMPARED)
    return;
  finding->verdict = SHK_VERDICT_FALSIFIED;
  finding->value = twins->offset[block];
  free(finding->reason);
  finding->reason =
      shk_print_text("%s differs between the precisions by %.2g of its size, by the same amount at "
                     "every step size, which rounding cannot explain: look for code that uses one "
                     "fixed precision and for constants with too few digits",
                     compared[block], twins->offset[block]);
}

/* Compares a family with its counterpart in quad at the step sizes that both contain. */
static void compare_precisions(struct shk_reporter *c, const struct shk_family *low,
                               const struct shk_family *high)
{
  struct twins twins = {.count = 0};
  shk_family_take(c->all, low, SHK_PART_STATES);
  shk_family_take(c->all, high, SHK_PART_STATES);
  for (int i = 0; i < high->count && (high->claims.keeps_constraint == SHK_UNKNOWN ||
                                      high->claims.constraint_level > 0);
       i++)
    twins.violation =
        fmax(twins.violation, shk_family_number(high, i, SHK_QUANTITY_CONSTRAINT_MAX, NULL));
  for (int i = 0; i < high->count; i++)
    for (int j = 0; j < low->count; j++)
      if (low->steps[j] == high->steps[i] && shk_record_finished(low->records[j]) &&
          shk_record_finished(high->records[i]))
        add_step(&twins, low->records[j], high->records[i], high->time_scale);
  shk_family_put_back(c->all, high);
  shk_family_put_back(c->all, low);
  c->family = low;
  if (twins.count > 0)
    decide_precisions(c, &twins);
  for (int i = 0; i < COMPARED; i++)
    free(twins.last[i].signed_errors);
  free(twins.defects);
}

static void report_all(struct shk_reporter *c)
{
  for (int i = 0; i < c->all->count; i++) {
    const struct shk_family *const low = &c->all->families[i];
    c->family = low->in_quad;
    if (low->in_quad && low->in_quad->inspected && strcmp(low->cell->precision, "double") == 0 &&
        low->cell->step && low->cell->time_count > 0 &&
        shk_reporter_is_asked(c, SHK_BIT(DOUBLE_AS_QUAD)))
      compare_precisions(c, low, low->in_quad);
  }
}

const struct shk_finder shk_finder_precisions = {.in = SHK_IN_RUNS, .report_all = report_all};
