/*
 * Checks that a certificate makes of every method, whatever it claims.
 *
 * - Steps backward: a map of order p has Φ_{-h} ∘ Φ_h = id + O(h^{p+1}), since the local errors of
 *   both have that size. A method that takes |h| for h, or is made for h > 0, leaves O(h) or O(h²).
 *   The check applies to methods whose state after a step is on both constraints: momenta that are
 *   carried unprojected are off by O(h) in one step, which does not test the step backward.
 * - Applicability: a method that refuses most problems with only its supported features is
 *   reported.
 * - Tolerance: errors of an adaptive method fall with the tolerance.
 * - Double computes the same as quad: at the same steps the two runs differ by round-off, and not
 *   by an offset that is the same at all steps. Applied if a certificate has both precisions.
 */
#include "engine/names.h"
#include "foundation/memory.h"
#include "harness/analysis/families/verdict.h"
#include "harness/check/certify.h"
#include "results/record/cell_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct shk_certificate_row *add(struct shk_certificate *certificate,
                                       const struct shk_certification *c, int about,
                                       const char *problem, const char *precision)
{
  struct shk_certificate_row *const row =
      shk_certificate_add(certificate, c->integrator, about, "owed");
  row->problem = problem;
  row->precision = precision;
  return row;
}

/* ---- steps backward ---- */

static const struct shk_finding *find(const struct shk_certification *c, const char *problem,
                                      const char *precision, enum shk_quantity_id quantity,
                                      const char *measure)
{
  for (int i = 0; i < c->analysis->finding_count; i++) {
    const struct shk_finding *f = &c->analysis->findings[i];
    if (f->named.id == quantity && strcmp(f->integrator, c->integrator) == 0 &&
        strcmp(f->problem, problem) == 0 && strcmp(f->precision, precision) == 0 &&
        (!measure || strncmp(f->named.parameter, measure, strlen(measure)) == 0))
      return f;
  }
  return NULL;
}

static void check_back(struct shk_certificate *certificate, const struct shk_certification *c)
{
  const char *const symmetry = shk_measures[SHK_MEASURE_SYMMETRY].name;
  const int order = c->claims.order_q < c->claims.order_p ? c->claims.order_q : c->claims.order_p;
  if (c->info->adaptive || c->claims.keeps_hidden != SHK_YES ||
      !shk_is_claimed(&c->claims, SHK_CLAIM_ORDER_Q) ||
      !shk_is_claimed(&c->claims, SHK_CLAIM_ORDER_P) || order < 1)
    return;
  for (int i = 0; i < c->analysis->finding_count; i++) {
    const struct shk_finding *defect = &c->analysis->findings[i];
    if (defect->named.id != SHK_QUANTITY_SYMMETRY || isnan(defect->value) ||
        strcmp(defect->integrator, c->integrator) != 0)
      continue;
    const struct shk_finding *const exponent =
        find(c, defect->problem, defect->precision, SHK_QUANTITY_DEFECT_EXPONENT, symmetry);
    /* Exponents are whole numbers in the limit. The exponent of the two finest steps is nearer to
     * its limit than to the next whole number. */
    const double least = order + shk_bounds[SHK_BOUND_REVERSED];
    struct shk_certificate_row *const row =
        add(certificate, c, SHK_CERTIFIED_BACKWARD, defect->problem, defect->precision);
    /* If there is no exponent, the remainder is near round-off, or too small to decide. */
    row->value = exponent ? exponent->value : NAN;
    row->owned = shk_print_text("at least %g", least);
    row->expected = row->owned;
    if (!exponent && defect->value <= SHK_DOES_NOT_VANISH * defect->floor) {
      row->verdict = SHK_VERDICT_HELD;
      row->word = "at round-off";
    } else if (!exponent) {
      row->verdict = SHK_VERDICT_UNDECIDED;
      row->reason = "a step and a step back leave more than round-off, with no clear power of h";
    } else if (exponent->value >= least) {
      row->verdict = SHK_VERDICT_HELD;
    } else {
      row->verdict = SHK_VERDICT_FALSIFIED;
      row->reason =
          "a step and a step back leave a lower power of h than their order allows: check "
          "the use of the step's sign";
    }
  }
}

/* The order of a symmetric map that is smooth in h is even (GNI, theorem II.3.2). */
static void check_parity(struct shk_certificate *certificate, const struct shk_certification *c)
{
  const int order = c->claims.order_q < c->claims.order_p ? c->claims.order_q : c->claims.order_p;
  if (c->info->adaptive || c->claims.symmetric != SHK_YES || order < 1 || order % 2 == 0)
    return;
  struct shk_certificate_row *const row =
      shk_certificate_add(certificate, c->integrator, SHK_CLAIM_SYMMETRIC, "yes");
  row->verdict = SHK_VERDICT_FALSIFIED;
  row->owned = shk_print_text(
      "order %d and symmetric contradict each other: the order of a symmetric map that is smooth "
      "in "
      "h is even. A method and its adjoint that are joined at h = 0 are not symmetric",
      order);
  row->reason = row->owned;
}

/* ---- both precisions ---- */

static bool is_convergence_run(const struct shk_cell *cell, const struct shk_certification *c,
                               const char *precision)
{
  return strcmp(cell->kind, "run") == 0 && cell->step && cell->time_count > 0 &&
         strcmp(cell->integrator, c->integrator) == 0 && strcmp(cell->precision, precision) == 0;
}

static bool same_run(const struct shk_cell *a, const struct shk_cell *b)
{
  return strcmp(a->problem, b->problem) == 0 && strcmp(a->step, b->step) == 0 &&
         strcmp(a->until, b->until) == 0 && a->time_count == b->time_count;
}

/* The largest difference of a block over the sample times, relative to the block's largest size. */
static double difference(const struct shk_record *low, const struct shk_record *high,
                         const char *block)
{
  double largest = high->outcome.sample_count > 0 ? 0 : INFINITY, size = 0;
  for (int i = 0; i < high->outcome.sample_count; i++) {
    const struct shk_sample *const theirs = &high->outcome.samples[i];
    const struct shk_sample *const ours = shk_outcome_sample(&low->outcome, theirs->time);
    const struct shk_vector *const a = ours ? shk_sample_block(ours, block) : NULL;
    const struct shk_vector *const b = shk_sample_block(theirs, block);
    double here, own;
    if (!a || !b || !shk_finest_engine()->difference(&here, &own, a, b) || !isfinite(here))
      return INFINITY;
    largest = fmax(largest, here);
    size = fmax(size, own);
  }
  return size > 0 ? largest / size : 0;
}

/* Offset of one block between precisions, from step to step. Round-off is not the same at two
 * steps. */
struct offset {
  double *last; /* relative differences of all components at all times, at the last step */
  int count, alike;
  double level; /* the largest, if it is the same at three steps */
};

static const char *const compared[] = {"q", "p", "lambda", "mu"};
enum { COMPARED = sizeof compared / sizeof compared[0] };

/* Differences relative to the floor, at each step of a convergence run in both precisions. */
struct twins {
  const char *problem;
  double *ratios, worst, floor;
  int count;
  struct offset offsets[COMPARED];
};

/* The components of low - high at all of high's sample times, relative to the block's size; NULL if
 * there are none. */
static double *components(int *count, const struct shk_record *low, const struct shk_record *high,
                          const char *block)
{
  const int room = (high->outcome.n + high->outcome.m) * high->outcome.sample_count;
  double *const all = shk_allocate((size_t)room + 1, sizeof *all);
  double size = 0, here, own;
  *count = 0;
  for (int i = 0; i < high->outcome.sample_count; i++) {
    const struct shk_sample *const theirs = &high->outcome.samples[i];
    const struct shk_sample *const ours = shk_outcome_sample(&low->outcome, theirs->time);
    const struct shk_vector *const a = ours ? shk_sample_block(ours, block) : NULL;
    const struct shk_vector *const b = shk_sample_block(theirs, block);
    const int got =
        a && b ? shk_finest_engine()->differences(all + *count, room - *count, a, b) : -1;
    if (got < 0 || got > room - *count || !shk_finest_engine()->difference(&here, &own, a, b))
      continue;
    size = fmax(size, own);
    *count += got;
  }
  for (int i = 0; i < *count && size > 0; i++)
    all[i] /= size;
  if (size > 0)
    return all;
  free(all);
  return NULL;
}

/* Adds the differences at one step. Rounding errors vary from step to step. A difference that is
 * the same at three steps to within a quarter, and above 10³ roundings, is an offset: it is neither
 * rounding nor the rounding of the start or of the problem's numbers. */
static void add_offset(struct offset *offset, double *now, int count)
{
  double level = 0, change = 0;
  for (int i = 0; now && i < count; i++) {
    level = fmax(level, fabs(now[i]));
    if (offset->last && offset->count == count)
      change = fmax(change, fabs(now[i] - offset->last[i]));
  }
  const bool same = now && offset->last && offset->count == count && change <= level / 4 &&
                    level >= SHK_VANISHES * shk_engine_f64.epsilon;
  offset->alike = same ? offset->alike + 1 : 0;
  if (offset->alike >= 2)
    offset->level = fmax(offset->level, level);
  free(offset->last);
  offset->last = now;
  offset->count = count;
}

static void add_twin(struct twins *twins, const struct shk_record *low,
                     const struct shk_record *high, double time_scale)
{
  const double steps = low->cell.numbers.until / low->cell.numbers.step;
  const double floor =
      shk_state_floor(shk_engine_f64.epsilon, steps, low->cell.numbers.until, time_scale);
  const double apart = fmax(difference(low, high, "q"), difference(low, high, "p"));
  twins->ratios = shk_grow(twins->ratios, (size_t)twins->count, sizeof *twins->ratios);
  twins->ratios[twins->count++] = apart / floor;
  twins->worst = fmax(twins->worst, apart);
  twins->floor = fmax(twins->floor, floor);
  for (int i = 0; i < COMPARED; i++) {
    int count;
    double *const now = components(&count, low, high, compared[i]);
    add_offset(&twins->offsets[i], now, count);
  }
}

static void decide_twins(struct shk_certificate *certificate, const struct shk_certification *c,
                         const struct twins *twins)
{
  bool at_floor;
  const struct shk_decision decision =
      shk_decide_vanishing(&at_floor, twins->ratios, twins->count, SHK_YES, NULL);
  struct shk_certificate_row *const row =
      add(certificate, c, SHK_CERTIFIED_PRECISIONS, twins->problem, "double");
  row->value = twins->worst;
  row->verdict = decision.verdict;
  row->owned = decision.verdict == SHK_VERDICT_HELD
                   ? NULL
                   : shk_print_text("the states of both precisions at the same steps differ by %s",
                                    decision.reason);
  for (int i = 0; i < COMPARED && row->verdict != SHK_VERDICT_FALSIFIED; i++)
    if (twins->offsets[i].level > 0) {
      row->verdict = SHK_VERDICT_FALSIFIED;
      row->value = twins->offsets[i].level;
      free(row->owned);
      row->owned = shk_print_text(
          "%s differs between the precisions by %.2g of its size, by the same at every step, which "
          "rounding does not: look for code of one precision only, and for short constants",
          compared[i], row->value);
    }
  row->reason = row->owned;
}

static void clear_twins(struct twins *twins)
{
  for (int i = 0; i < COMPARED; i++)
    free(twins->offsets[i].last);
  free(twins->ratios);
  *twins = (struct twins){.problem = NULL};
}

/* Compares the convergence runs in quad with those in double, problem by problem. */
static void check_precisions(struct shk_certificate *certificate, const struct shk_certification *c)
{
  struct twins twins = {.problem = NULL};
  for (int i = 0; i < c->plan->count; i++) {
    const struct shk_cell *const cell = &c->plan->cells[i].cell;
    if (!is_convergence_run(cell, c, "quad") || !shk_record_finished(c->records[i]))
      continue;
    for (int j = 0; j < c->plan->count; j++) {
      const struct shk_cell *const twin = &c->plan->cells[j].cell;
      struct shk_inspection inspection;
      struct shk_message error;
      if (!is_convergence_run(twin, c, "double") || !same_run(cell, twin) ||
          !shk_record_finished(c->records[j]) ||
          !shk_inspect(c->plan->context, &inspection, "double", cell->problem, &error))
        continue;
      if (twins.problem && strcmp(twins.problem, cell->problem) != 0) {
        decide_twins(certificate, c, &twins);
        clear_twins(&twins);
      }
      const struct shk_record *const low = c->states->take(c->states, j, SHK_PART_STATES);
      const struct shk_record *const high = c->states->take(c->states, i, SHK_PART_STATES);
      twins.problem = cell->problem;
      if (low && high)
        add_twin(&twins, low, high, inspection.time_scale);
      c->states->put_back(c->states, j);
      c->states->put_back(c->states, i);
    }
  }
  if (twins.problem)
    decide_twins(certificate, c, &twins);
  clear_twins(&twins);
}

/* ---- tolerances ---- */

/* Tolerances of a problem: those that every method takes, and more on problems that are cheap. */
enum { LEAST_TOLERANCES = 3, MANY_TOLERANCES = 5 };

/* Errors of the states of a problem at each tolerance, loosest first. */
struct tolerances {
  const char *problem, *precision;
  double *tolerance, *error;
  int count;
};

static bool is_by_tolerance(const struct shk_cell *cell, const struct shk_certification *c)
{
  return strcmp(cell->kind, "run") == 0 && cell->tolerance &&
         strcmp(cell->integrator, c->integrator) == 0;
}

/* Index in the plan of the finished reference of a cell's group; -1: none. */
static int reference_of(const struct shk_certification *c, int cell)
{
  for (int i = 0; i < c->plan->count; i++)
    if (c->plan->cells[i].role == SHK_ROLE_REFERENCE &&
        c->plan->cells[i].group == c->plan->cells[cell].group && shk_record_finished(c->records[i]))
      return i;
  return -1;
}

/* The larger of the distances of q and p between the states of two cells. */
static double distance_between(const struct shk_certification *c, int low, int high)
{
  const struct shk_record *const a = c->states->take(c->states, low, SHK_PART_STATES);
  const struct shk_record *const b = c->states->take(c->states, high, SHK_PART_STATES);
  const double apart = a && b ? fmax(difference(a, b, "q"), difference(a, b, "p")) : INFINITY;
  c->states->put_back(c->states, high);
  c->states->put_back(c->states, low);
  return apart;
}

static void add_tolerance(struct tolerances *all, double tolerance, double error)
{
  const size_t old = (size_t)all->count;
  all->tolerance = shk_grow(all->tolerance, old, sizeof *all->tolerance);
  all->error = shk_grow(all->error, old, sizeof *all->error);
  int at = all->count++;
  for (; at > 0 && all->tolerance[at - 1] < tolerance; at--) {
    all->tolerance[at] = all->tolerance[at - 1];
    all->error[at] = all->error[at - 1];
  }
  all->tolerance[at] = tolerance;
  all->error[at] = error;
}

/* An error below the tolerance counts as the tolerance: a loose one may not limit the steps. */
static double exponent_between(const struct tolerances *all, int loose, int tight)
{
  const double *const tolerance = all->tolerance, *const error = all->error;
  return log(fmax(error[loose], tolerance[loose]) / fmax(error[tight], tolerance[tight])) /
         log(tolerance[loose] / tolerance[tight]);
}

/* The index of a tolerance with the error of the next tighter one, which exceeds that; -1: none. */
static int ignored_after(const struct tolerances *all)
{
  for (int i = 0; i + 1 < all->count; i++)
    if (all->error[i + 1] > all->tolerance[i + 1] &&
        fabs(all->error[i] - all->error[i + 1]) <=
            shk_bounds[SHK_BOUND_SAME_ERROR] * all->error[i + 1])
      return i;
  return -1;
}

static void decide_tolerances(struct shk_certificate *certificate,
                              const struct shk_certification *c, const struct tolerances *all)
{
  /* A method of order p with a local error at the tolerance has a global error like its power
   * p/(p+1), at least a half. Below half of that the tolerance is ignored. Over the finest pair
   * alone errors may be off by a factor of five. */
  static const double least = 0.5;
  const double ignored_finest = shk_bounds[SHK_BOUND_IGNORES_FINEST];
  const int last = all->count - 1;
  if (all->count < LEAST_TOLERANCES)
    return;
  const double whole = exponent_between(all, 0, last),
               finest = exponent_between(all, last - 1, last);
  struct shk_certificate_row *const row =
      add(certificate, c, SHK_CERTIFIED_TOLERANCES, all->problem, all->precision);
  row->value = whole;
  row->owned = shk_print_text("at least %g", least);
  row->expected = row->owned;
  const int same = ignored_after(all);
  if (same < 0 && whole >= shk_bounds[SHK_BOUND_FOLLOWS] && finest >= ignored_finest) {
    row->verdict = SHK_VERDICT_HELD;
    return;
  }
  const bool ignores =
      same >= 0 || !(whole >= shk_bounds[SHK_BOUND_IGNORES]) || !(finest >= ignored_finest);
  row->verdict = ignores ? SHK_VERDICT_FALSIFIED : SHK_VERDICT_UNDECIDED;
  row->reason = ignores ? "errors do not fall with the tolerance: check the bound of the estimated "
                          "local error, and the least and the largest step"
                        : "errors fall with the tolerance, but slowly";
}

/* A method that ignores the tolerance does so on most problems. On single problems solvers meet
 * other limits, such as those of equations of index 3 in their original form. */
static void excuse_few(struct shk_certificate *certificate, int first)
{
  int asked = 0, ignoring = 0;
  for (int i = first; i < certificate->count; i++) {
    asked++;
    ignoring += certificate->rows[i].verdict == SHK_VERDICT_FALSIFIED;
  }
  for (int i = first; i < certificate->count && 2 * ignoring <= asked; i++)
    if (certificate->rows[i].verdict == SHK_VERDICT_FALSIFIED) {
      certificate->rows[i].verdict = SHK_VERDICT_UNDECIDED;
      certificate->rows[i].reason = "errors do not fall with the tolerance, on few problems";
    }
}

/* Computes errors against the reference at each tolerance, problem by problem: of the problems with
 * many tolerances, or of the others. */
static void check_tolerances(struct shk_certificate *certificate, const struct shk_certification *c,
                             bool many)
{
  struct tolerances all = {.problem = NULL};
  const int first = certificate->count;
  for (int i = 0; i <= c->plan->count; i++) {
    const struct shk_cell *const cell = i < c->plan->count ? &c->plan->cells[i].cell : NULL;
    if (cell && !is_by_tolerance(cell, c))
      continue;
    if (all.problem && (!cell || strcmp(all.problem, cell->problem) != 0)) {
      if (many == (all.count >= MANY_TOLERANCES))
        decide_tolerances(certificate, c, &all);
      free(all.tolerance);
      free(all.error);
      all = (struct tolerances){.problem = NULL};
    }
    const int reference = cell ? reference_of(c, i) : -1;
    if (reference < 0 || !shk_record_finished(c->records[i]))
      continue;
    all.problem = cell->problem;
    all.precision = cell->precision;
    add_tolerance(&all, cell->numbers.tolerance, distance_between(c, i, reference));
  }
  excuse_few(certificate, first);
}

/* ---- applicability ---- */

/* True if no earlier cell of the same integrator has the problem. */
static bool is_first_of_problem(const struct shk_certification *c, int index)
{
  const struct shk_cell *const cell = &c->plan->cells[index].cell;
  if (strcmp(cell->integrator, c->integrator) != 0)
    return false;
  for (int i = 0; i < index; i++)
    if (strcmp(c->plan->cells[i].cell.integrator, c->integrator) == 0 &&
        strcmp(c->plan->cells[i].cell.problem, cell->problem) == 0)
      return false;
  return true;
}

static void check_reach(struct shk_certificate *certificate, const struct shk_certification *c)
{
  int asked = 0, refused = 0;
  for (int i = 0; i < c->plan->count; i++) {
    struct shk_inspection inspection;
    struct shk_message error;
    if (!is_first_of_problem(c, i) ||
        !shk_inspect(c->plan->context, &inspection, "double", c->plan->cells[i].cell.problem,
                     &error) ||
        (inspection.features & ~c->info->supports) != 0)
      continue;
    asked++;
    refused += c->records[i] != NULL && c->records[i]->end == SHK_END_FINISHED &&
               c->records[i]->outcome.code == SHK_REFUSED;
  }
  if (2 * refused <= asked)
    return;
  struct shk_certificate_row *const row = add(certificate, c, SHK_CERTIFIED_APPLIES, NULL, NULL);
  row->verdict = SHK_VERDICT_UNDECIDED;
  row->owned = shk_print_text("refuses %d of %d problems whose features it supports: nothing is "
                              "certified on these",
                              refused, asked);
  row->reason = row->owned;
}

void shk_certify_checks(struct shk_certificate *certificate, const struct shk_certification *c)
{
  check_reach(certificate, c);
  check_back(certificate, c);
  check_parity(certificate, c);
  if (!c->states)
    return;
  check_precisions(certificate, c);
  for (int many = 0; c->info->adaptive && many < 2; many++)
    check_tolerances(certificate, c, many);
}
