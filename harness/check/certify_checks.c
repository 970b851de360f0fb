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
#include "harness/analysis/families/family.h"
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

/* The lower of the orders of q and p; 0 or less: none, or an adaptive method. */
static int order_of(const struct shk_certification *c)
{
  const int order = c->claims.order_q < c->claims.order_p ? c->claims.order_q : c->claims.order_p;
  return c->info->adaptive ? 0 : order;
}

/* ---- steps backward ---- */

/* Returns the finding of the exponent of the symmetry defect beside this one; NULL: none. */
static const struct shk_finding *exponent_of(const struct shk_certification *c,
                                             const struct shk_finding *defect)
{
  const char *const symmetry = shk_measures[SHK_MEASURE_SYMMETRY].name;
  for (int i = 0; i < c->count; i++) {
    const struct shk_finding *const f = c->findings[i];
    if (f->named.id == SHK_QUANTITY_DEFECT_EXPONENT && strcmp(f->problem, defect->problem) == 0 &&
        strcmp(f->precision, defect->precision) == 0 &&
        strncmp(f->named.parameter, symmetry, strlen(symmetry)) == 0)
      return f;
  }
  return NULL;
}

/* Exponents are whole numbers in the limit. The exponent of the two finest steps is nearer to its
 * limit than to the next whole number. If there is none, the remainder is near round-off, or too
 * small to decide. */
static void decide_back(struct shk_certificate_row *row, const struct shk_finding *defect,
                        const struct shk_finding *exponent, double least)
{
  row->value = exponent ? exponent->value : NAN;
  row->expected = row->owned = shk_print_text("at least %g", least);
  row->verdict = SHK_VERDICT_HELD;
  if (exponent && exponent->value < least) {
    row->verdict = SHK_VERDICT_FALSIFIED;
    row->reason = "a step and a step back leave a lower power of h than their order allows: check "
                  "the use of the step's sign";
  } else if (!exponent && !(defect->value <= SHK_DOES_NOT_VANISH * defect->floor)) {
    row->verdict = SHK_VERDICT_UNDECIDED;
    row->reason = "a step and a step back leave more than round-off, with no clear power of h";
  } else if (!exponent) {
    row->word = "at round-off";
  }
}

static void check_back(struct shk_certificate *certificate, const struct shk_certification *c)
{
  const int order = order_of(c);
  if (c->claims.keeps_hidden != SHK_YES || order < 1 ||
      !shk_is_claimed(&c->claims, SHK_CLAIM_ORDER_Q) ||
      !shk_is_claimed(&c->claims, SHK_CLAIM_ORDER_P))
    return;
  for (int i = 0; i < c->count; i++) {
    const struct shk_finding *const defect = c->findings[i];
    if (defect->named.id == SHK_QUANTITY_SYMMETRY && !isnan(defect->value))
      decide_back(add(certificate, c, SHK_CERTIFIED_BACKWARD, defect->problem, defect->precision),
                  defect, exponent_of(c, defect), order + shk_bounds[SHK_BOUND_REVERSED]);
  }
}

/* The order of a symmetric map that is smooth in h is even (GNI, theorem II.3.2). */
static void check_parity(struct shk_certificate *certificate, const struct shk_certification *c)
{
  const int order = order_of(c);
  if (c->claims.symmetric != SHK_YES || order < 1 || order % 2 == 0)
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

/* ---- differences of runs ---- */

/* Differences of a block between two runs: of all components at all sample times of the second,
 * relative to the block's largest size. */
struct differences {
  double *all; /* NULL: none */
  int count;
  double largest; /* infinite if a state is missing */
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
    its.all = shk_reallocate(its.all, (size_t)(its.count + b->count), sizeof *its.all);
    its.count += engine->differences(its.all + its.count, b->count, a, b);
    its.largest = fmax(its.largest, here);
    size = fmax(size, own);
  }
  for (int i = 0; i < its.count && size > 0; i++)
    its.all[i] /= size;
  its.largest /= size > 0 ? size : 1;
  if (size > 0)
    return its;
  free(its.all);
  return (struct differences){.largest = its.largest};
}

/* The larger of the distances of q and p. */
static double distance_between(const struct shk_record *low, const struct shk_record *high)
{
  const struct differences q = differences_of(&low->outcome, &high->outcome, "q"),
                           p = differences_of(&low->outcome, &high->outcome, "p");
  free(q.all);
  free(p.all);
  return fmax(q.largest, p.largest);
}

/* ---- both precisions ---- */

static const char *const compared[] = {"q", "p", "lambda", "mu"};
enum { COMPARED = sizeof compared / sizeof compared[0] };

/* A convergence run in both precisions: at each step the differences of each block, and the largest
 * of q and p relative to its floor. */
struct twins {
  const char *problem;
  int count;
  double worst, *ratios;
  struct differences (*steps)[COMPARED];
};

static void add_twin(struct twins *twins, const struct shk_record *low,
                     const struct shk_record *high, double time_scale)
{
  const double until = low->cell.numbers.until, steps = until / low->cell.numbers.step;
  twins->steps = shk_grow(twins->steps, (size_t)twins->count, sizeof *twins->steps);
  twins->ratios = shk_grow(twins->ratios, (size_t)twins->count, sizeof *twins->ratios);
  struct differences *const now = twins->steps[twins->count];
  for (int i = 0; i < COMPARED; i++)
    now[i] = differences_of(&low->outcome, &high->outcome, compared[i]);
  const double apart = fmax(now[0].largest, now[1].largest);
  twins->ratios[twins->count++] =
      apart / shk_state_floor(shk_engine_f64.epsilon, steps, until, time_scale);
  twins->worst = fmax(twins->worst, apart);
}

/* Returns the largest difference of a block that is an offset; 0: there is none. Rounding errors
 * vary from step to step. A difference that is the same at three steps to within a quarter, and
 * above 10³ roundings, is neither rounding nor the rounding of the start or of the problem's
 * numbers. */
static double offset_of(const struct twins *twins, int block)
{
  double offset = 0;
  for (int step = 1, alike = 0; step < twins->count; step++) {
    const struct differences *const last = &twins->steps[step - 1][block],
                                    *const now = &twins->steps[step][block];
    double level = 0, change = last->count == now->count ? 0 : INFINITY;
    for (int i = 0; i < now->count; i++) {
      level = fmax(level, fabs(now->all[i]));
      change = last->count == now->count ? fmax(change, fabs(now->all[i] - last->all[i])) : change;
    }
    const bool same = change <= level / 4 && level >= SHK_VANISHES * shk_engine_f64.epsilon;
    alike = same ? alike + 1 : 0;
    offset = alike >= 2 ? fmax(offset, level) : offset;
  }
  return offset;
}

/* Adds the row of a problem, if there is one, and begins anew. */
static void decide_twins(struct shk_certificate *certificate, const struct shk_certification *c,
                         struct twins *twins)
{
  bool at_floor;
  if (!twins->problem)
    return;
  const struct shk_decision decision =
      shk_decide_vanishing(&at_floor, twins->ratios, twins->count, SHK_YES, NULL);
  struct shk_certificate_row *const row =
      add(certificate, c, SHK_CERTIFIED_PRECISIONS, twins->problem, "double");
  row->value = twins->worst;
  row->verdict = decision.verdict;
  if (decision.verdict != SHK_VERDICT_HELD)
    row->owned = shk_print_text("the states of both precisions at the same steps differ by %s",
                                decision.reason);
  for (int i = 0; i < COMPARED && row->verdict != SHK_VERDICT_FALSIFIED; i++) {
    const double offset = offset_of(twins, i);
    if (offset == 0)
      continue;
    row->verdict = SHK_VERDICT_FALSIFIED;
    row->value = offset;
    free(row->owned);
    row->owned = shk_print_text(
        "%s differs between the precisions by %.2g of its size, by the same at every step, which "
        "rounding does not: look for code of one precision only, and for short constants",
        compared[i], offset);
  }
  row->reason = row->owned;
  for (int i = 0; i < twins->count * COMPARED; i++)
    free(twins->steps[i / COMPARED][i % COMPARED].all);
  free(twins->steps);
  free(twins->ratios);
  *twins = (struct twins){.problem = NULL};
}

static bool is_convergence_run(const struct shk_family *family, const struct shk_certification *c,
                               const char *precision)
{
  const struct shk_cell *const cell = family->cell;
  return family->in == SHK_IN_RUNS && cell->step && cell->time_count > 0 &&
         strcmp(cell->integrator, c->integrator) == 0 && strcmp(cell->precision, precision) == 0;
}

/* Adds the steps that both families have, of which the second is in quad. */
static void add_twins(struct twins *twins, struct shk_families *all, const struct shk_family *low,
                      const struct shk_family *high)
{
  shk_family_take(all, low, NAN, SHK_PART_STATES);
  shk_family_take(all, high, NAN, SHK_PART_STATES);
  for (int i = 0; i < high->count; i++)
    for (int j = 0; j < low->count; j++)
      if (low->steps[j] == high->steps[i] && shk_record_finished(low->records[j]) &&
          shk_record_finished(high->records[i])) {
        twins->problem = high->cell->problem;
        add_twin(twins, low->records[j], high->records[i], high->time_scale);
      }
  shk_family_put_back(all, high, NAN);
  shk_family_put_back(all, low, NAN);
}

/* Compares the convergence runs in quad with those in double, problem by problem. */
static void check_precisions(struct shk_certificate *certificate, const struct shk_certification *c)
{
  struct twins twins = {.problem = NULL};
  for (int i = 0; i < c->all->count; i++) {
    const struct shk_family *const high = &c->all->families[i];
    if (!is_convergence_run(high, c, "quad") || !high->inspected)
      continue;
    if (!shk_same_text(twins.problem, high->cell->problem))
      decide_twins(certificate, c, &twins);
    for (int j = 0; j < c->all->count; j++) {
      const struct shk_family *const low = &c->all->families[j];
      if (is_convergence_run(low, c, "double") && strcmp(low->problem, high->problem) == 0 &&
          strcmp(low->cell->until, high->cell->until) == 0 &&
          low->cell->time_count == high->cell->time_count)
        add_twins(&twins, c->all, low, high);
    }
  }
  decide_twins(certificate, c, &twins);
}

/* ---- tolerances ---- */

/* Tolerances of a problem: those that every method takes, and more on problems that are cheap. */
enum { LEAST_TOLERANCES = 3, MANY_TOLERANCES = 5 };

/* Errors of the states of a problem at each tolerance, loosest first. */
struct tolerances {
  double *tolerance, *error;
  int count;
};

/* An error below the tolerance counts as the tolerance: a loose one may not limit the steps. */
static double exponent_between(const struct tolerances *all, int loose, int tight)
{
  const double *const tolerance = all->tolerance, *const error = all->error;
  return log(fmax(error[loose], tolerance[loose]) / fmax(error[tight], tolerance[tight])) /
         log(tolerance[loose] / tolerance[tight]);
}

/* True if some tolerance has the error of the next tighter one, which exceeds that. */
static bool ignores_one(const struct tolerances *all)
{
  for (int i = 0; i + 1 < all->count; i++)
    if (all->error[i + 1] > all->tolerance[i + 1] &&
        fabs(all->error[i] - all->error[i + 1]) <=
            shk_bounds[SHK_BOUND_SAME_ERROR] * all->error[i + 1])
      return true;
  return false;
}

/* A method of order p with a local error at the tolerance has a global error like its power
 * p/(p+1), at least a half. Below half of that the tolerance is ignored. Over the finest pair alone
 * errors may be off by a factor of five. */
static void decide_tolerances(struct shk_certificate_row *row, const struct tolerances *all)
{
  static const double least = 0.5;
  const int last = all->count - 1;
  const double whole = exponent_between(all, 0, last);
  const bool finest = exponent_between(all, last - 1, last) >= shk_bounds[SHK_BOUND_IGNORES_FINEST];
  row->value = whole;
  row->expected = row->owned = shk_print_text("at least %g", least);
  if (ignores_one(all) || !(whole >= shk_bounds[SHK_BOUND_IGNORES]) || !finest) {
    row->verdict = SHK_VERDICT_FALSIFIED;
    row->reason = "errors do not fall with the tolerance: check the bound of the estimated "
                  "local error, and the least and the largest step";
  } else if (whole >= shk_bounds[SHK_BOUND_FOLLOWS]) {
    row->verdict = SHK_VERDICT_HELD;
  } else {
    row->verdict = SHK_VERDICT_UNDECIDED;
    row->reason = "errors fall with the tolerance, but slowly";
  }
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

/* Compares the cells of a family that belong to a run of the study with the reference. */
static void check_run(struct shk_certificate *certificate, const struct shk_certification *c,
                      struct shk_family *family, int run)
{
  struct tolerances its = {shk_allocate((size_t)family->count, sizeof(double)),
                           shk_allocate((size_t)family->count, sizeof(double)), 0};
  shk_family_take(c->all, family, NAN, SHK_PART_STATES);
  shk_family_refer(c->all, family);
  const struct shk_record *const reference = family->reference->record;
  for (int i = 0; reference && i < family->count; i++)
    if (c->plan->cells[family->cells[i]].run == run && shk_record_finished(family->records[i])) {
      its.tolerance[its.count] = family->steps[i];
      its.error[its.count++] = distance_between(family->records[i], reference);
    }
  shk_family_put_back(c->all, family, NAN);
  if (its.count >= LEAST_TOLERANCES)
    decide_tolerances(add(certificate, c, SHK_CERTIFIED_TOLERANCES, family->cell->problem,
                          family->cell->precision),
                      &its);
  free(its.tolerance);
  free(its.error);
}

/* The number of cells of a family that finished, of the same run as cell k; 0 unless that is the
 * first of the run. */
static int finished_of_run(const struct shk_certification *c, const struct shk_family *family,
                           int k)
{
  const struct shk_planned *const cells = c->plan->cells;
  int finished = 0;
  for (int i = 0; i < family->count; i++)
    if (cells[family->cells[i]].run == cells[family->cells[k]].run) {
      if (i < k)
        return 0;
      finished += shk_record_finished(c->records[family->cells[i]]);
    }
  return finished;
}

/* Checks the problems with many tolerances, or the others. */
static void check_tolerances(struct shk_certificate *certificate, const struct shk_certification *c,
                             bool many)
{
  const int first = certificate->count;
  for (int i = 0; i < c->all->count; i++) {
    struct shk_family *const family = &c->all->families[i];
    if (family->in != SHK_IN_RUNS || !family->by_tolerance ||
        strcmp(family->cell->integrator, c->integrator) != 0)
      continue;
    for (int k = 0; k < family->count; k++) {
      const int finished = finished_of_run(c, family, k);
      if (finished > 0 && many == (finished >= MANY_TOLERANCES))
        check_run(certificate, c, family, c->plan->cells[family->cells[k]].run);
    }
  }
  excuse_few(certificate, first);
}

/* ---- applicability ---- */

/* True if no earlier family of the same integrator has the problem. */
static bool is_first_of_problem(const struct shk_certification *c, int index)
{
  const struct shk_cell *const cell = c->all->families[index].cell;
  for (int i = 0; i < index; i++)
    if (strcmp(c->all->families[i].cell->integrator, c->integrator) == 0 &&
        strcmp(c->all->families[i].cell->problem, cell->problem) == 0)
      return false;
  return strcmp(cell->integrator, c->integrator) == 0;
}

static void check_reach(struct shk_certificate *certificate, const struct shk_certification *c)
{
  int asked = 0, refused = 0;
  for (int i = 0; i < c->all->count; i++) {
    const struct shk_family *const family = &c->all->families[i];
    if (!is_first_of_problem(c, i) || !family->inspected ||
        (family->inspection.features & ~c->info->supports) != 0)
      continue;
    asked++;
    refused += shk_was_refused(c->records[family->cells[0]]);
  }
  if (2 * refused <= asked)
    return;
  struct shk_certificate_row *const row = add(certificate, c, SHK_CERTIFIED_APPLIES, NULL, NULL);
  row->verdict = SHK_VERDICT_UNDECIDED;
  row->reason = row->owned =
      shk_print_text("refuses %d of %d problems whose features it supports: nothing is certified "
                     "on these",
                     refused, asked);
}

void shk_certify_checks(struct shk_certificate *certificate, const struct shk_certification *c)
{
  check_reach(certificate, c);
  check_back(certificate, c);
  check_parity(certificate, c);
  if (!c->with_states)
    return;
  check_precisions(certificate, c);
  for (int many = 0; c->info->adaptive && many < 2; many++)
    check_tolerances(certificate, c, many);
}
