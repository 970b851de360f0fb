/*
 * Computes errors of q, p and the multipliers relative to the group's reference:
 *
 *     e = max over sample times t > 0 of ‖x(t) - x*(t)‖∞ / max over [0,T] of ‖x*‖∞
 *
 * The divisor is at least 10⁻⁶ times the scale that the block has in motions of the problem
 * (measures/scales.c). The round-off floor is proportional to the scale or to the size, whichever
 * is larger. For multipliers that are solved for in a step, that is, those that differ from the
 * multipliers of the states by more than round-off, the floor also contains the term
 * (eps/h²) solved-lambda.
 *
 * The fit uses the maximum over the sample times instead of the error at the end, because orders
 * appear too high if the end time is symmetric. The blocks lambda, mu, their mean, their sum and
 * lambda-state are all compared with the reference's lambda-state, which is the exact multiplier at
 * its (q,p). The corresponding wrenches are compared with the reference's wrench-state.
 */
#include "harness/analysis/families/curve.h"
#include "foundation/memory.h"
#include "foundation/specifications/claims.h"
#include "results/record/cell_text.h"
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

bool shk_is_discrete_multiplier(enum shk_block_id block)
{
  return block >= SHK_BLOCK_LAMBDA && block <= SHK_BLOCK_LAMBDA_SUM;
}

static enum shk_reference_block compared_with(enum shk_block_id block)
{
  return block == SHK_BLOCK_Q       ? SHK_REFERENCE_Q
         : block == SHK_BLOCK_P     ? SHK_REFERENCE_P
         : block < SHK_BLOCK_WRENCH ? SHK_REFERENCE_LAMBDA
                                    : SHK_REFERENCE_WRENCH;
}

int shk_curve_claim(const struct shk_family *family, enum shk_block_id block)
{
  const enum shk_claim claim = shk_blocks[block].decides;
  return claim != SHK_NO_CLAIM ? shk_claim_value(&family->claims, claim) : SHK_NO_ORDER;
}

/* ---- errors of one outcome ---- */

/* The maximum number of signed errors per point. A point with more components than this stores
 * none. */
enum { MOST_SIGNED = 100000 };

static void drop_signs(struct shk_point *point)
{
  free(point->signed_errors);
  point->signed_errors = NULL;
  point->signed_count = 0;
}

/* Sums over all sample times for one component, where a is its value in a run and b its value in
 * the reference. */
struct product {
  double aa, ab, bb;
};
struct products {
  int count, times;
  struct product *each; /* array of `count` elements */
};

static void add_products(struct products *products, const struct shk_block_errors *errors)
{
  if (!products->each) {
    products->count = errors->room;
    products->each = shk_allocate((size_t)errors->room + 1, sizeof *products->each);
  }
  for (int i = 0; i < errors->room && i < products->count; i++) {
    products->each[i].aa += errors->left[i] * errors->left[i];
    products->each[i].ab += errors->left[i] * errors->right[i];
    products->each[i].bb += errors->right[i] * errors->right[i];
  }
  products->times++;
}

/* Finds the multiple of the reference that approximates each component, and frees the products.
 * Components that are zero in both solutions are skipped. */
static void find_multiples(struct shk_point *point, struct products *products)
{
  point->least_multiple = point->most_multiple = point->misfit = NAN;
  point->times = products->times;
  for (int i = 0; i < products->count; i++) {
    const struct product *const product = &products->each[i];
    const double multiple = product->ab / product->bb, rest = product->aa - multiple * product->ab;
    if (product->aa == 0 && product->bb == 0)
      continue;
    const double misfit = sqrt(fmax(rest, 0) / product->bb) / fabs(multiple);
    point->least_multiple = fmin(point->least_multiple, multiple);
    point->most_multiple = fmax(point->most_multiple, multiple);
    point->misfit = isnan(misfit) ? INFINITY : fmax(point->misfit, misfit);
  }
  free(products->each);
}

/* Compares a block with the same block of the reference. The signed errors are divided by the size
 * and appended to those of the point, unless there are too many. Returns false if the errors cannot
 * be evaluated. */
static bool compare_curve(struct shk_block_errors *errors, struct shk_point *point,
                          struct products *products, const struct shk_vector *a,
                          const struct shk_vector *b, double size)
{
  const int room = point->signed_count + a->count > MOST_SIGNED ? 0 : a->count;
  double *const numbers = shk_allocate(3 * (size_t)room + 1, sizeof *numbers);
  *errors = (struct shk_block_errors){
      .room = room, .differences = numbers, .left = numbers + room, .right = numbers + 2 * room};
  const bool ok = shk_finest_engine()->compare(errors, a, b) && isfinite(errors->difference);
  const size_t all = (size_t)(point->signed_count + room);
  if (ok && room > 0)
    point->signed_errors = shk_reallocate(point->signed_errors, all, sizeof *point->signed_errors);
  for (int i = 0; ok && i < room; i++)
    point->signed_errors[point->signed_count++] = numbers[i] / size;
  if (ok && room > 0)
    add_products(products, errors);
  free(numbers);
  return ok;
}

/* A block may be missing at some times. For example, there is no multiplier at the end time,
 * because no step starts there. The maximum is then taken over the remaining times. */
bool shk_point_measure(struct shk_point *point, const struct shk_outcome *outcome,
                       const struct shk_outcome *reference, const char *block,
                       const char *reference_block, double size)
{
  double largest = 0, last = NAN;
  int components = 0;
  bool present = false, whole = true;
  struct products products = {0};
  for (int i = 0; i < reference->sample_count; i++) {
    const struct shk_sample *const right = &reference->samples[i];
    if (right->t == 0)
      continue;
    const struct shk_sample *const sample = shk_outcome_sample(outcome, right->time);
    const struct shk_vector *const a = sample ? shk_sample_block(sample, block) : NULL;
    const struct shk_vector *const b = shk_sample_block(right, reference_block);
    struct shk_block_errors errors;
    whole = whole && sample;
    last = point->scd = point->mescd = NAN;
    if (!a || !b)
      continue;
    present = true;
    components += a->count;
    if (!compare_curve(&errors, point, &products, a, b, size)) {
      whole = false;
      continue;
    }
    last = errors.difference / size;
    largest = fmax(largest, last);
    point->scd = -log10(errors.pure);
    point->mescd = -log10(errors.mixed);
  }
  if (present && whole) {
    point->error = largest;
    point->end_error = last;
  }
  find_multiples(point, &products);
  if (!whole || point->signed_count < components)
    drop_signs(point);
  return present;
}

/* Returns the contribution of the claimed constraint level to the relative error of a block after a
 * number of steps, or 0 if no level is claimed. A solve that leaves a relative violation L changes
 * the momentum by L m d/h along the constraint forces. The part L m v of this change is tangential
 * and accumulates from step to step. Multipliers change by L (τ/h)². */
static double level_effect(const struct shk_family *family, enum shk_block_id block, double steps)
{
  const double level = shk_claim_level(&family->claims, SHK_CLAIM_KEEPS_CONSTRAINT);
  const double state = level * (4 + steps * fmax(1, family->until / family->time_scale));
  return block == SHK_BLOCK_Q || block == SHK_BLOCK_P
             ? state
             : state + shk_multiplier_floor(level, family->until / steps, family->time_scale);
}

/* ---- curves ---- */

static struct shk_point *member_point(const struct shk_curve *curve, int member, int i)
{
  return &curve->members[(size_t)member * (size_t)curve->count + (size_t)i];
}

/* Computes the statistics of the members' errors at one step size. The largest of these errors
 * become the errors of the point. If any member has no error, the point has none either. */
static void combine_members(struct shk_curve *curve, int i)
{
  struct shk_point *const point = &curve->points[i];
  const struct shk_point *const first = member_point(curve, 0, i);
  const size_t count = (size_t)curve->member_count,
               next = (size_t)curve->count * sizeof *first / sizeof(double);
  if (count == 0)
    return;
  point->members = shk_member_statistics(&first->error, next, curve->member_count);
  point->error = point->members.largest;
  point->end_error = gsl_stats_max(&first->end_error, next, count);
  point->scd = gsl_stats_min(&first->scd, next, count);
  point->mescd = gsl_stats_min(&first->mescd, next, count);
}

/* Determines the order of each member separately. The spread of these orders sets a lower bound on
 * the half-width of the common order. */
static void fit_members(struct shk_curve *curve)
{
  double *const orders = shk_allocate((size_t)curve->member_count, sizeof *orders);
  int determined = 0;
  for (int k = 0; k < curve->member_count; k++) {
    for (int i = 0; i < curve->count; i++) {
      member_point(curve, k, i)->reference_error = curve->points[i].reference_error;
      member_point(curve, k, i)->floor = curve->points[i].floor;
    }
    const struct shk_fit fit =
        shk_order_fit(member_point(curve, k, 0), curve->count, curve->against_tolerance);
    if (fit.determined)
      orders[determined++] = fit.order;
  }
  curve->member_orders = shk_member_statistics(orders, 1, determined);
  if (curve->fit.determined && determined > 1)
    curve->fit.half_width = fmax(curve->fit.half_width, curve->member_orders.half_width);
  free(orders);
}

static void start_error_curve(struct shk_curve *curve, const struct shk_family *family,
                              enum shk_block_id block)
{
  const size_t count = (size_t)family->count, members = (size_t)family->cell->member_count;
  *curve = (struct shk_curve){.group = family->group,
                              .problem = shk_copy_text(family->problem),
                              .integrator = shk_copy_text(family->cell->integrator),
                              .precision = shk_copy_text(family->cell->precision),
                              .block = block,
                              .against_tolerance = family->by_tolerance,
                              .count = family->count,
                              .points = shk_allocate(count, sizeof *curve->points),
                              .claimed = SHK_NO_ORDER,
                              .member_count = (int)members};
  curve->members =
      members > 0 ? shk_allocate(count * members, sizeof *curve->members) : curve->points;
  for (int i = 0; i < family->count; i++) {
    struct shk_point *const point = &curve->points[i];
    point->step = family->steps[i];
    point->record = family->records[i];
    point->error = point->end_error = point->scd = point->mescd = NAN;
    point->least_multiple = point->most_multiple = point->misfit = NAN;
    point->seconds = shk_family_number(family, i, SHK_QUANTITY_CPU_SECONDS, NULL);
    point->work = shk_family_number(family, i, SHK_QUANTITY_WORK_GRADIENT, NULL) +
                  shk_family_number(family, i, SHK_QUANTITY_WORK_JACOBIAN, NULL);
    for (int k = 0; k < curve->member_count; k++)
      *member_point(curve, k, i) = *point;
  }
}

/* Fits the points and frees their signed errors, which use a lot of memory. If no record contains
 * the block, clears the curve and returns false. */
static bool finish_curve(struct shk_curve *curve, bool present)
{
  if (present)
    curve->fit = shk_order_fit(curve->points, curve->count, curve->against_tolerance);
  if (present && curve->member_count > 0)
    fit_members(curve);
  for (int i = 0; i < (curve->member_count > 0 ? curve->member_count : 1) * curve->count; i++)
    drop_signs(&curve->members[i]);
  if (curve->member_count > 0)
    free(curve->members);
  if (!present)
    shk_curve_clear(curve);
  return present;
}

/* Returns true if the multipliers of a run are those of its states, up to the rounding of one
 * evaluation, as they are for methods that compute them from q and p. Multipliers that are obtained
 * by dividing by h² differ from those of the states by more. */
static bool is_of_states(const struct shk_outcome *outcome, enum shk_block_id block, double epsilon)
{
  enum { EVALUATION = 16, LEAST = 3 };
  const char *const state =
      shk_blocks[block < SHK_BLOCK_WRENCH ? SHK_BLOCK_LAMBDA_STATE : SHK_BLOCK_WRENCH_STATE].name;
  double largest = 0, size = 0;
  int count = 0;
  for (int i = 0; i < outcome->sample_count; i++) {
    const struct shk_vector *const a = shk_sample_block(&outcome->samples[i],
                                                        shk_blocks[block].name),
                                   *const b = shk_sample_block(&outcome->samples[i], state);
    struct shk_block_errors errors = {.room = 0};
    if (!a || !b || !shk_finest_engine()->compare(&errors, a, b))
      continue;
    largest = fmax(largest, errors.difference);
    for (int k = 0; k < b->count; k++)
      size = fmax(size, fabs(shk_vector_double(b, k)));
    count++;
  }
  return count >= LEAST && largest <= EVALUATION * epsilon * size;
}

/* Returns the round-off floor of a block in cell i, in the block's unit. */
static double floor_of(const struct shk_curve *curve, const struct shk_family *family, int i,
                       double steps)
{
  const enum shk_block_id block = curve->block;
  const enum shk_reference_block against = compared_with(block);
  const struct shk_group_reference *const reference = family->reference;
  const double size = fmax(reference->size[against],
                           (curve->zero ? reference->rest : reference->scale)[against]),
               h = family->until / steps;
  const double state =
      size * shk_state_floor(family->epsilon, steps, family->until, family->time_scale);
  if (!shk_is_discrete_multiplier(block) && block != SHK_BLOCK_WRENCH &&
      block != SHK_BLOCK_WRENCH_MEAN)
    return state;
  if (is_of_states(&family->records[i]->outcome, block, family->epsilon))
    return state;
  const double solved = shk_family_number(
      family, i, block < SHK_BLOCK_WRENCH ? SHK_QUANTITY_SOLVED_LAMBDA : SHK_QUANTITY_SOLVED_WRENCH,
      NULL);
  return state + (solved > 0 ? family->epsilon * solved / (h * h)
                             : size * shk_multiplier_floor(family->epsilon, h, family->time_scale));
}

/* Measures the errors of cell i, or of each of its members if there are any. Returns false if none
 * of them contains the block. */
static bool measure_block(struct shk_curve *curve, const struct shk_family *family, int i)
{
  const enum shk_block_id block = curve->block;
  const struct shk_group_reference *const reference = family->reference;
  const enum shk_reference_block against = compared_with(block);
  const double steps = shk_family_steps(family, i);
  const struct shk_outcome *outcomes, *right;
  const int count = shk_outcomes(&outcomes, family->records[i]),
            right_count = shk_outcomes(&right, reference->record);
  double unit = INFINITY;
  bool present = false;
  for (int k = 0; k < count && k < right_count; k++) {
    if (reference->units[k][against] > 0 &&
        shk_point_measure(member_point(curve, k, i), &outcomes[k], &right[k],
                          shk_blocks[block].name, shk_reference_names[against],
                          reference->units[k][against]))
      present = true;
    unit = fmin(unit, reference->units[k][against]);
  }
  curve->points[i].floor = floor_of(curve, family, i, steps) / unit +
                           level_effect(family, block, steps) / SHK_LEVEL_MARGIN;
  combine_members(curve, i);
  return present;
}

static bool measure_energy(struct shk_curve *curve, const struct shk_family *family, int i)
{
  struct shk_point *const point = &curve->points[i];
  const struct shk_outcome *const outcome = &point->record->outcome;
  for (int k = 0; k < curve->member_count && k < outcome->member_count; k++)
    member_point(curve, k, i)->error =
        shk_recorded(&outcome->members[k], SHK_QUANTITY_ENERGY_MAX, NULL);
  combine_members(curve, i);
  point->error = shk_recorded(outcome, SHK_QUANTITY_ENERGY_MAX, NULL);
  point->end_error = fabs(shk_recorded(outcome, SHK_QUANTITY_ENERGY_FINAL, NULL));
  point->floor = shk_family_energy_floor(family, i);
  return !isnan(point->error);
}

bool shk_curve_make(struct shk_curve *curve, const struct shk_family *family,
                    enum shk_block_id block)
{
  const bool energy = block == SHK_BLOCK_ENERGY;
  const struct shk_group_reference *const reference = family->reference;
  const enum shk_reference_block right = compared_with(block);
  if (!energy && (!reference->record || isnan(reference->size[right])))
    return false;
  start_error_curve(curve, family, block);
  curve->zero = !energy && reference->zero[right];
  bool present = false;
  for (int i = 0; i < family->count; i++) {
    curve->points[i].reference_error = energy ? 0 : reference->error[right];
    if (shk_record_finished(family->records[i]))
      present = (energy ? measure_energy : measure_block)(curve, family, i) || present;
  }
  if (!energy && !family->by_tolerance)
    curve->claimed = shk_curve_claim(family, block);
  return finish_curve(curve, present);
}

void shk_curve_clear(struct shk_curve *curve)
{
  free(curve->problem);
  free(curve->integrator);
  free(curve->precision);
  free(curve->points);
  *curve = (struct shk_curve){0};
}

/* ---- iteration over all errors ---- */

/* Calls `taker` for every block at every sample time that the cells of a family have reached. */
static void each_error(const struct shk_family *family, shk_error_taker *taker, void *user)
{
  const struct shk_group_reference *const reference = family->reference;
  const struct shk_outcome *outcomes, *right;
  const int right_count = shk_outcomes(&right, reference->record);
  for (int i = 0; i < family->count; i++) {
    const struct shk_record *const record = family->records[i];
    const int count = record ? shk_outcomes(&outcomes, record) : 0;
    for (int k = 0; k < count && k < right_count; k++) {
      char *const problem = shk_member_problem(&record->cell, k);
      for (int at = 0; at < right[k].sample_count * SHK_BLOCK_ENERGY; at++) {
        const struct shk_sample *const sample = &right[k].samples[at / SHK_BLOCK_ENERGY];
        const enum shk_block_id block = (enum shk_block_id)(at % SHK_BLOCK_ENERGY);
        const enum shk_reference_block against = compared_with(block);
        const double unit = reference->units[k][against];
        const struct shk_error error = {
            .cell = &record->cell,
            .problem = problem,
            .time = sample->time,
            .block = shk_blocks[block].name,
            .error =
                shk_sample_distance(shk_outcome_sample(&outcomes[k], sample->time),
                                    shk_blocks[block].name, sample, shk_reference_names[against]) /
                unit,
            .reference_error = reference->error[against]};
        if (unit > 0 && !isnan(error.error))
          taker(user, &error);
      }
      free(problem);
    }
  }
}

void shk_each_error(const struct shk_plan *plan, struct shk_records *records,
                    shk_error_taker *taker, void *user)
{
  struct shk_families all;
  shk_families_gather(&all, plan, records, NULL);
  for (int i = 0; i < all.count; i++) {
    struct shk_family *const family = &all.families[i];
    if (family->in != SHK_IN_RUNS)
      continue;
    shk_family_take(&all, family, SHK_PART_STATES);
    shk_family_refer(&all, family);
    if (family->reference->record)
      each_error(family, taker, user);
    shk_family_put_back(&all, family);
  }
  shk_families_clear(&all);
}

/* ---- costs ---- */

struct shk_least_cost shk_least_cost(const struct shk_point *points, int count, double error,
                                     bool timed)
{
  struct shk_least_cost found = {.least = NAN, .step = NAN, .run = -1, .best_error = NAN};
  /* the previous (coarser) point that has both an error and a cost */
  const struct shk_point *before = NULL;
  double cost_before = NAN;
  for (int i = 0; i < count; i++) {
    const struct shk_point *const point = &points[i];
    const double cost = timed ? point->seconds : point->work;
    if (!(point->error > 0 && isfinite(point->error) && cost > 0 && isfinite(cost)))
      continue;
    const bool between = before && before->error > error && point->error <= error;
    /* The position of the error between those of the two points, on a logarithmic scale from 0 to
     * 1. */
    const double part =
        between ? log(before->error / error) / log(before->error / point->error) : 1;
    const double here = between ? cost_before * pow(cost / cost_before, part) : cost;
    if (point->error <= error && !(here >= found.least)) {
      found.least = here;
      found.step = between ? before->step * pow(point->step / before->step, part) : point->step;
      found.bound = !before;
      found.run = i;
    }
    found.best_error = fmin(found.best_error, point->error);
    before = point;
    cost_before = cost;
  }
  return found;
}
