/*
 * Finding "double as quad", if the study names the measure: runs in double and in quad at the same
 * steps differ by round-off, and not by an offset that is the same at all steps.
 */
#include "harness/analysis/report.h"

#include "foundation/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The first two are compared with the floor of states. */
static const char *const compared[] = {"q", "p", "lambda", "mu"};
enum { STATES = 2, COMPARED = sizeof compared / sizeof compared[0] };

/* Differences of a block between two runs: of all components at all sample times of the second,
 * relative to the block's largest size. */
struct differences {
  double *all;
  int count;
  double largest; /* infinite if a state is missing */
};

/* The steps compared so far. */
struct twins {
  int count;
  double *ratios;      /* largest difference of q and p at each step, in floors */
  double worst, floor; /* likewise, not divided; the largest floor */
  struct differences last[COMPARED];
  int alike[COMPARED]; /* successive steps with the same difference */
  double offset[COMPARED];
};

static struct differences differences_of(const struct shk_outcome *low,
                                         const struct shk_outcome *high, const char *block)
{
  const struct shk_engine *const engine = shk_finest_engine();
  struct differences its = {.all = NULL};
  double size = 0;
  for (int i = 0; i < high->sample_count; i++) {
    const struct shk_sample *const ours = shk_outcome_sample(low, high->samples[i].time);
    const struct shk_vector *const a = ours ? shk_sample_block(ours, block) : NULL;
    const struct shk_vector *const b = shk_sample_block(&high->samples[i], block);
    double here, own;
    if (!a || !b || !engine->difference(&here, &own, a, b) || !isfinite(here)) {
      its.largest = INFINITY;
      continue;
    }
    its.all = shk_reallocate(its.all, (size_t)(its.count + b->count) + 1, sizeof *its.all);
    its.count += engine->differences(its.all + its.count, b->count, a, b);
    its.largest = fmax(its.largest, here);
    size = fmax(size, own);
  }
  if (size == 0)
    its.count = 0;
  for (int i = 0; i < its.count; i++)
    its.all[i] /= size;
  its.largest /= size > 0 ? size : 1;
  return its;
}

/* Returns the size of a difference that is the same at this step and at the last; 0: it is another
 * one. Rounding errors vary from step to step. A difference that is the same to within a quarter,
 * and above 10³ roundings, is neither rounding nor the rounding of the start or of the problem's
 * numbers. */
static double same_difference(const struct differences *last, const struct differences *now)
{
  double level = 0, change = 0;
  for (int i = 0; last->count == now->count && i < now->count; i++) {
    level = fmax(level, fabs(now->all[i]));
    change = fmax(change, fabs(now->all[i] - last->all[i]));
  }
  return change <= level / 4 && level >= SHK_VANISHES * shk_engine_f64.epsilon ? level : 0;
}

static void add_step(struct twins *twins, const struct shk_record *low,
                     const struct shk_record *high, double time_scale)
{
  const double until = low->cell.numbers.until, steps = until / low->cell.numbers.step;
  double apart = 0;
  for (int i = 0; i < COMPARED; i++) {
    const struct differences now = differences_of(&low->outcome, &high->outcome, compared[i]);
    const double level = same_difference(&twins->last[i], &now);
    twins->alike[i] = level > 0 ? twins->alike[i] + 1 : 0;
    if (twins->alike[i] >= 2)
      twins->offset[i] = fmax(twins->offset[i], level);
    apart = i < STATES ? fmax(apart, now.largest) : apart;
    free(twins->last[i].all);
    twins->last[i] = now;
  }
  const double floor = shk_state_floor(shk_engine_f64.epsilon, steps, until, time_scale);
  *SHK_APPEND(twins->ratios, twins->count) = apart / floor;
  twins->worst = fmax(twins->worst, apart);
  twins->floor = fmax(twins->floor, floor);
}

/* Reports about the family in double. */
static void decide(struct shk_reporter *c, const struct twins *twins)
{
  bool at_floor;
  const struct shk_decision decision =
      shk_decide_vanishing(&at_floor, twins->ratios, twins->count, SHK_YES, NULL);
  int block = 0;
  while (block < COMPARED && twins->offset[block] == 0)
    block++;
  struct shk_finding *const finding =
      shk_report(c, SHK_QUANTITY_DOUBLE_AS_QUAD, NULL, twins->worst, NAN);
  finding->floor = twins->floor;
  finding->verdict = decision.verdict;
  if (decision.verdict != SHK_VERDICT_FALSIFIED && block < COMPARED) {
    finding->verdict = SHK_VERDICT_FALSIFIED;
    finding->value = twins->offset[block];
    finding->reason = shk_print_text(
        "%s differs between the precisions by %.2g of its size, by the same at every step, which "
        "rounding does not: look for code of one precision only, and for short constants",
        compared[block], twins->offset[block]);
  } else if (decision.verdict != SHK_VERDICT_HELD) {
    finding->reason = shk_print_text("the states of both precisions at the same steps differ by %s",
                                     decision.reason);
  }
}

static bool is_convergence_run(const struct shk_family *family, const char *precision)
{
  const struct shk_cell *const cell = family->cell;
  return family->in == SHK_IN_RUNS && cell->step && cell->time_count > 0 &&
         strcmp(cell->precision, precision) == 0;
}

/* Compares the steps that both families have, of which the second is in quad. */
static void compare(struct shk_reporter *c, const struct shk_family *low,
                    const struct shk_family *high)
{
  struct twins twins = {.count = 0};
  shk_family_take(c->all, low, NAN, SHK_PART_STATES);
  shk_family_take(c->all, high, NAN, SHK_PART_STATES);
  for (int i = 0; i < high->count; i++)
    for (int j = 0; j < low->count; j++)
      if (low->steps[j] == high->steps[i] && shk_record_finished(low->records[j]) &&
          shk_record_finished(high->records[i]))
        add_step(&twins, low->records[j], high->records[i], high->time_scale);
  shk_family_put_back(c->all, high, NAN);
  shk_family_put_back(c->all, low, NAN);
  c->family = low;
  if (twins.count > 0)
    decide(c, &twins);
  for (int i = 0; i < COMPARED; i++)
    free(twins.last[i].all);
  free(twins.ratios);
}

static void report_all(struct shk_reporter *c)
{
  for (int i = 0; i < c->all->count; i++) {
    const struct shk_family *const high = c->family = &c->all->families[i];
    if (!is_convergence_run(high, "quad") || !high->inspected ||
        !shk_reporter_is_asked(c, SHK_MEASURE_DOUBLE_AS_QUAD))
      continue;
    for (int j = 0; j < c->all->count; j++) {
      const struct shk_family *const low = &c->all->families[j];
      if (is_convergence_run(low, "double") &&
          strcmp(low->cell->integrator, high->cell->integrator) == 0 &&
          strcmp(low->problem, high->problem) == 0 &&
          strcmp(low->cell->until, high->cell->until) == 0 &&
          low->cell->time_count == high->cell->time_count)
        compare(c, low, high);
    }
  }
}

const struct shk_finder shk_finder_precisions = {.in = SHK_IN_RUNS, .report_all = report_all};
