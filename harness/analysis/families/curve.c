/*
 * Errors of q, p and the multipliers against the group's reference.
 *
 *     e = max over sample times t > 0 of ‖x(t) - x*(t)‖∞ / max over [0,T] of ‖x*‖∞
 *
 * The maximum over the sample times is fitted, not the error at the end: at a symmetric end time
 * orders are higher than they are. lambda, mu, their mean, their sum and lambda-state are all
 * compared with the reference's lambda-state, the exact multiplier at its (q,p).
 */
#include "harness/analysis/families/curve.h"
#include "foundation/memory.h"
#include "foundation/specifications/claims.h"
#include "results/record/cell_text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool shk_is_discrete_multiplier(enum shk_block_id block)
{
  return block >= SHK_BLOCK_LAMBDA && block <= SHK_BLOCK_LAMBDA_SUM;
}

static const char *const reference_names[SHK_REFERENCE_BLOCKS] = {"q", "p", "lambda-state"};

static bool compared_with_multiplier(const char *against)
{
  return strcmp(against, reference_names[SHK_REFERENCE_LAMBDA]) == 0;
}

static enum shk_reference_block compared_with(enum shk_block_id block)
{
  return block == SHK_BLOCK_Q   ? SHK_REFERENCE_Q
         : block == SHK_BLOCK_P ? SHK_REFERENCE_P
                                : SHK_REFERENCE_LAMBDA;
}

int shk_curve_claim(const struct shk_claims *claims, enum shk_block_id block)
{
  const enum shk_claim claim = shk_blocks[block].decides;
  return claim != SHK_NO_CLAIM ? shk_claim_value(claims, claim) : SHK_NO_ORDER;
}

/* Signed errors beyond this number per step are not stored. */
enum { MOST_SIGNED = 100000 };

/* Makes room for the comparison of a block with another one. */
static void make_room(struct shk_block_errors *comparison, const struct shk_vector *block)
{
  const int count = block->count > MOST_SIGNED ? 0 : block->count; /* 0: nothing is stored */
  if (count > comparison->room) {
    comparison->room = count;
    comparison->differences =
        shk_reallocate(comparison->differences, 3 * (size_t)count, sizeof(double));
    comparison->left = comparison->differences + count;
    comparison->right = comparison->left + count;
  }
}

/* Appends a block's signed errors to the point's. Returns false if there are none. */
static bool keep_signs(struct shk_point *point, const struct shk_block_errors *comparison,
                       double size)
{
  const int count = comparison->count;
  if (point->signed_count + count > MOST_SIGNED)
    return false;
  const size_t all = (size_t)(point->signed_count + count);
  point->signed_errors = shk_reallocate(point->signed_errors, all, sizeof *point->signed_errors);
  double *const here = point->signed_errors + point->signed_count;
  for (int i = 0; i < count; i++)
    here[i] = comparison->differences[i] / size;
  point->signed_count += count;
  return true;
}

static void drop_signs(struct shk_point *point)
{
  free(point->signed_errors);
  point->signed_errors = NULL;
  point->signed_count = 0;
}

/* Sums of products over all components and times of a and the reference b. */
struct products {
  double aa, ab, bb;
};

static void add_products(struct products *products, const struct shk_block_errors *comparison)
{
  if (comparison->count > MOST_SIGNED)
    return;
  const double *const x = comparison->left, *const y = comparison->right;
  for (int i = 0; i < comparison->count; i++) {
    products->aa += x[i] * x[i];
    products->ab += x[i] * y[i];
    products->bb += y[i] * y[i];
  }
}

/* Sets the multiple of the reference that is nearest to the multipliers. */
static void set_multiple(struct shk_point *point, const struct products *products)
{
  point->multiple = products->ab / products->bb;
  point->off_multiple = sqrt(fmax(products->aa - point->multiple * products->ab, 0) / products->bb);
}

/* Finds the largest error over the sample times and the error at the last; NaN unless the cell
 * reached every sample time. The multiplier of the step that starts there is missing at the last
 * time: its maximum is over the others, at every step size. Returns false if the block is missing
 * altogether. */
static bool measure(struct shk_point *point, const struct shk_outcome *outcome,
                    const struct shk_outcome *reference, const char *name, const char *against,
                    double size, const struct shk_analysis_source *source)
{
  double largest = 0, last = NAN;
  bool present = false, whole = true, signs = true;
  struct products products = {0};
  struct shk_block_errors comparison = {0};
  for (int i = 0; i < reference->sample_count; i++) {
    const struct shk_sample *right = &reference->samples[i];
    if (right->t == 0)
      continue;
    const struct shk_sample *sample = shk_outcome_sample(outcome, right->time);
    whole = whole && sample;
    const struct shk_vector *const a = sample ? shk_sample_block(sample, name) : NULL;
    const struct shk_vector *const b = shk_sample_block(right, against);
    last = point->scd = point->mescd = NAN;
    if (!a || !b)
      continue;
    present = true;
    make_room(&comparison, a);
    if (source->compare(&comparison, a, b) && isfinite(comparison.difference)) {
      last = comparison.difference / size;
      largest = fmax(largest, last);
      signs = signs && keep_signs(point, &comparison, size);
      if (compared_with_multiplier(against))
        add_products(&products, &comparison);
      point->scd = -log10(comparison.pure);
      point->mescd = -log10(comparison.mixed);
    } else {
      whole = false;
    }
  }
  if (present && whole) {
    point->error = largest;
    point->end_error = last;
  }
  free(comparison.differences);
  set_multiple(point, &products);
  if (!whole || !signs)
    drop_signs(point);
  return present;
}

/* Error of a member at one step, with its signs. */
struct member_error {
  double error, *signed_errors;
  int signed_count;
};

static struct shk_member_statistics statistics_of(const struct member_error *errors, int count)
{
  double *const numbers = shk_allocate((size_t)count + 1, sizeof *numbers);
  for (int i = 0; i < count; i++)
    numbers[i] = errors[i].error;
  const struct shk_member_statistics statistics = shk_member_statistics(numbers, count);
  free(numbers);
  return statistics;
}

/* Finds the worst of the members, each measured like a cell of its own. Stores one
 * error per member in `errors`. */
static bool measure_members(struct shk_point *point, struct member_error *errors,
                            const struct shk_group_reference *reference, enum shk_block_id block,
                            const struct shk_analysis_source *source)
{
  const struct shk_outcome *const outcome = &point->record->outcome;
  const struct shk_outcome *const right = &reference->record->outcome;
  const enum shk_reference_block against = compared_with(block);
  bool present = false;
  point->scd = point->mescd = INFINITY;
  point->end_error = 0;
  for (int i = 0; i < outcome->member_count; i++) {
    struct shk_point member = {.error = NAN, .end_error = NAN, .scd = NAN, .mescd = NAN};
    if (i < right->member_count && reference->member_sizes[i][against] > 0)
      present = measure(&member, &outcome->members[i], &right->members[i], shk_blocks[block].name,
                        reference_names[against], reference->member_sizes[i][against], source) ||
                present;
    errors[i] = (struct member_error){member.error, member.signed_errors, member.signed_count};
    /* A member without an error leaves the cell without one. */
    if (!(member.end_error <= point->end_error))
      point->end_error = isnan(point->end_error) ? NAN : member.end_error;
    if (!(member.scd >= point->scd))
      point->scd = isnan(point->scd) ? NAN : member.scd;
    if (!(member.mescd >= point->mescd))
      point->mescd = isnan(point->mescd) ? NAN : member.mescd;
  }
  point->members = statistics_of(errors, outcome->member_count);
  point->error = point->members.largest;
  return present;
}

struct shk_fit shk_points_fit(struct shk_point *points, int count, bool by_tolerance)
{
  struct shk_step_error *const errors = shk_allocate((size_t)count + 1, sizeof *errors);
  bool *const in_window = shk_allocate((size_t)count + 1, sizeof *in_window);
  for (int i = 0; i < count; i++)
    errors[i] = (struct shk_step_error){.step = points[i].step,
                                        .error = points[i].error,
                                        .reference_error = points[i].reference_error,
                                        .floor = points[i].floor,
                                        .signed_errors = points[i].signed_errors,
                                        .signed_count = points[i].signed_count};
  const struct shk_fit fit = shk_order_fit(in_window, errors, count, by_tolerance);
  for (int i = 0; i < count; i++)
    points[i].in_window = in_window[i];
  free(in_window);
  free(errors);
  return fit;
}

/* Finds the orders of the members, each from its own errors: their spread is an
 * uncertainty of the common order. */
static void fit_members(struct shk_curve *curve, const struct member_error *errors,
                        int member_count)
{
  struct shk_point *const points = shk_allocate((size_t)curve->count, sizeof *points);
  double *const orders = shk_allocate((size_t)member_count, sizeof *orders);
  int determined = 0;
  for (int i = 0; i < member_count; i++) {
    for (int k = 0; k < curve->count; k++) {
      const struct member_error *member = &errors[(size_t)k * (size_t)member_count + (size_t)i];
      points[k] = curve->points[k];
      points[k].error = member->error;
      points[k].signed_errors = member->signed_errors;
      points[k].signed_count = member->signed_count;
    }
    const struct shk_fit fit = shk_points_fit(points, curve->count, curve->against_tolerance);
    if (fit.determined)
      orders[determined++] = fit.order;
  }
  curve->member_orders = shk_member_statistics(orders, determined);
  if (curve->fit.determined && determined > 1)
    curve->fit.half_width = fmax(curve->fit.half_width, curve->member_orders.half_width);
  free(points);
  free(orders);
}

static void start_curve(struct shk_curve *curve, const struct shk_family *family,
                        enum shk_block_id block)
{
  *curve = (struct shk_curve){.run = family->run,
                              .group = family->group,
                              .problem = shk_copy_text(family->problem),
                              .integrator = shk_copy_text(family->cell->integrator),
                              .precision = shk_copy_text(family->cell->precision),
                              .block = block,
                              .against_tolerance = family->by_tolerance,
                              .count = family->count,
                              .claimed = SHK_NO_ORDER};
  curve->points = shk_allocate((size_t)family->count, sizeof *curve->points);
  for (int i = 0; i < family->count; i++) {
    struct shk_point *point = &curve->points[i];
    const struct shk_record *record = family->records[i];
    *point = (struct shk_point){.step = family->steps[i],
                                .error = NAN,
                                .end_error = NAN,
                                .scd = NAN,
                                .mescd = NAN,
                                .seconds = NAN,
                                .work = NAN,
                                .record = record};
    if (shk_record_finished(record)) {
      point->seconds = shk_recorded(&record->outcome, SHK_QUANTITY_CPU_SECONDS, NULL);
      point->work = shk_recorded(&record->outcome, SHK_QUANTITY_WORK_GRADIENT, NULL) +
                    shk_recorded(&record->outcome, SHK_QUANTITY_WORK_JACOBIAN, NULL);
    }
  }
}

/* Allocates the errors of all members at all points, NaN at first; NULL without members. */
static struct member_error *member_room(const struct shk_family *family)
{
  const size_t count = (size_t)family->count * (size_t)family->cell->member_count;
  struct member_error *const errors = count > 0 ? shk_allocate(count, sizeof *errors) : NULL;
  for (size_t i = 0; i < count; i++)
    errors[i].error = NAN;
  return errors;
}

/* Fits the points, and takes ownership of the members' errors. Returns false, with the curve
 * cleared, if there are none. */
static bool finish_curve(struct shk_curve *curve, const struct shk_family *family,
                         struct member_error *owned_members, bool present)
{
  if (present) {
    curve->fit = shk_points_fit(curve->points, curve->count, curve->against_tolerance);
    if (owned_members)
      fit_members(curve, owned_members, family->cell->member_count);
    /* Freed, since they are many and the fit contains their information. */
    for (int i = 0; i < curve->count; i++)
      drop_signs(&curve->points[i]);
  } else {
    shk_curve_clear(curve);
  }
  const size_t members = (size_t)family->count * (size_t)family->cell->member_count;
  for (size_t i = 0; i < members; i++)
    free(owned_members[i].signed_errors);
  free(owned_members);
  return present;
}

bool shk_curve_make(struct shk_curve *curve, const struct shk_family *family,
                    const struct shk_group_reference *reference, enum shk_block_id block,
                    const struct shk_analysis_source *source)
{
  const enum shk_reference_block right = compared_with(block);
  if (!reference->record || !(reference->size[right] > 0))
    return false;
  start_curve(curve, family, block);
  bool present = false;
  const size_t members = (size_t)family->cell->member_count;
  struct member_error *const member_errors = member_room(family);
  for (int i = 0; i < family->count; i++) {
    struct shk_point *point = &curve->points[i];
    point->reference_error = reference->error[right];
    if (!shk_record_finished(point->record))
      continue;
    const bool here = members > 0 ? measure_members(point, member_errors + (size_t)i * members,
                                                    reference, block, source)
                                  : measure(point, &point->record->outcome,
                                            &reference->record->outcome, shk_blocks[block].name,
                                            reference_names[right], reference->size[right], source);
    present = present || here;
    const double steps = shk_family_steps(family, i);
    point->floor = shk_state_floor(family->epsilon, steps, family->until, family->time_scale);
    if (shk_is_discrete_multiplier(block))
      point->floor +=
          shk_multiplier_floor(family->epsilon, family->until / steps, family->time_scale);
  }
  if (!family->by_tolerance)
    curve->claimed = shk_curve_claim(&family->claims, block);
  return finish_curve(curve, family, member_errors, present);
}

/* Errors of one outcome, of a cell or of a member; `sizes` are the reference's. */
static void each_error(const struct shk_outcome *outcome, const struct shk_outcome *right,
                       const double sizes[SHK_REFERENCE_BLOCKS],
                       const struct shk_group_reference *reference,
                       const struct shk_analysis_source *source, shk_error_taker *taker, void *user,
                       const struct shk_cell *cell, const char *problem)
{
  for (int i = 0; i < right->sample_count; i++) {
    const struct shk_sample *const sample = shk_outcome_sample(outcome, right->samples[i].time);
    for (int b = 0; sample && b < SHK_BLOCK_ENERGY; b++) {
      const enum shk_reference_block against = compared_with((enum shk_block_id)b);
      const struct shk_vector *const x = shk_sample_block(sample, shk_blocks[b].name);
      const struct shk_vector *const y =
          shk_sample_block(&right->samples[i], reference_names[against]);
      double difference, none;
      if (x && y && sizes[against] > 0 && source->difference(&difference, &none, x, y))
        taker(user, cell, problem, sample->time, shk_blocks[b].name, difference / sizes[against],
              reference->error[against]);
    }
  }
}

void shk_family_each_error(const struct shk_family *family,
                           const struct shk_group_reference *reference,
                           const struct shk_analysis_source *source, shk_error_taker *taker,
                           void *user)
{
  const struct shk_outcome *const right = &reference->record->outcome;
  for (int i = 0; i < family->count; i++) {
    const struct shk_record *const record = family->records[i];
    if (!record)
      continue;
    const struct shk_outcome *const outcome = &record->outcome;
    if (outcome->member_count == 0)
      each_error(outcome, right, reference->size, reference, source, taker, user, &record->cell,
                 family->problem);
    for (int k = 0; k < outcome->member_count && k < right->member_count; k++) {
      char *const problem = shk_member_problem(&record->cell.members[k]);
      each_error(&outcome->members[k], &right->members[k], reference->member_sizes[k], reference,
                 source, taker, user, &record->cell, problem);
      free(problem);
    }
  }
}

bool shk_curve_make_energy(struct shk_curve *curve, const struct shk_family *family)
{
  start_curve(curve, family, SHK_BLOCK_ENERGY);
  bool present = false;
  const size_t members = (size_t)family->cell->member_count;
  struct member_error *const member_errors = member_room(family);
  for (int i = 0; i < family->count; i++) {
    struct shk_point *point = &curve->points[i];
    if (!shk_record_finished(point->record))
      continue;
    for (size_t k = 0; k < members && k < (size_t)point->record->outcome.member_count; k++)
      member_errors[(size_t)i * members + k].error =
          shk_recorded(&point->record->outcome.members[k], SHK_QUANTITY_ENERGY_MAX, NULL);
    if (members > 0)
      point->members = statistics_of(member_errors + (size_t)i * members, (int)members);
    point->error = shk_recorded(&point->record->outcome, SHK_QUANTITY_ENERGY_MAX, NULL);
    point->end_error = fabs(shk_recorded(&point->record->outcome, SHK_QUANTITY_ENERGY_FINAL, NULL));
    point->floor =
        family->epsilon * shk_family_energy(family, i) * (3 + sqrt(shk_family_steps(family, i)));
    present = present || !isnan(point->error);
  }
  return finish_curve(curve, family, member_errors, present);
}

void shk_curve_clear(struct shk_curve *curve)
{
  free(curve->problem);
  free(curve->integrator);
  free(curve->precision);
  for (int i = 0; i < curve->count; i++)
    drop_signs(&curve->points[i]);
  free(curve->points);
  *curve = (struct shk_curve){0};
}
