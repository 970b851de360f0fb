/*
 * Errors of q, p and the multipliers against the group's reference.
 *
 *     e = max over sample times t > 0 of ‖x(t) - x*(t)‖∞ / max over [0,T] of ‖x*‖∞
 *
 * The maximum over the sample times is fitted, not the error at the end: at a symmetric end time
 * orders are higher than they are. lambda, mu, their mean, their sum and lambda-state are all
 * compared with the reference's lambda-state, the exact multiplier at its (q,p).
 */
#include "harness/curve.h"
#include "foundation/memory.h"
#include "harness/order.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const shk_curve_blocks[SHK_CURVE_BLOCKS] = {
    "q", "p", "lambda", "mu", "lambda-mean", "lambda-sum", "lambda-state"};

/* lambda … lambda-sum are solved for and carry the round-off of a division by h². */
static bool is_discrete_multiplier(int block)
{
  return block >= 2 && block <= 5;
}

static enum shk_reference_block compared_with(int block)
{
  return block == 0 ? SHK_REFERENCE_Q : block == 1 ? SHK_REFERENCE_P : SHK_REFERENCE_LAMBDA;
}

int shk_curve_claim(const struct shk_claims *claims, int block)
{
  const int orders[SHK_CURVE_BLOCKS] = {claims->order_q,           claims->order_p,
                                        claims->order_lambda,      claims->order_mu,
                                        claims->order_lambda_mean, claims->order_lambda_sum,
                                        claims->order_lambda_state};
  return orders[block];
}

/* The largest error over the sample times and the one at the last; NaN unless the cell reached
 * every sample time. A multiplier of the step that begins is missing at the last one: its maximum
 * is over the others, at every step alike. Returns whether the block is there at all. */
static bool measure(struct shk_point *point, const struct shk_record *record,
                    const struct shk_record *reference, const char *name, const char *against,
                    double size, const struct shk_analysis_source *source)
{
  double largest = 0, last = NAN;
  bool present = false, whole = true;
  for (int i = 0; i < reference->outcome.sample_count; i++) {
    const struct shk_sample *right = &reference->outcome.samples[i];
    if (strtod(right->time, NULL) == 0)
      continue;
    const struct shk_sample *sample = shk_record_sample(record, right->time);
    whole = whole && sample;
    const char *a = sample ? shk_sample_block(sample, name) : NULL;
    const char *b = shk_sample_block(right, against);
    double difference, none, pure, mixed;
    last = point->scd = point->mescd = NAN;
    if (!a || !b)
      continue;
    present = true;
    if (source->difference(&difference, &none, a, b) && isfinite(difference)) {
      last = difference / size;
      largest = fmax(largest, last);
      if (source->relative(&pure, &mixed, a, b)) {
        point->scd = -log10(pure);
        point->mescd = -log10(mixed);
      }
    } else {
      whole = false;
    }
  }
  if (present && whole) {
    point->error = largest;
    point->end_error = last;
  }
  return present;
}

static void start_curve(struct shk_curve *curve, const struct shk_family *family,
                        const char *quantity)
{
  *curve = (struct shk_curve){.run = family->run,
                              .group = family->group,
                              .problem = shk_copy_text(family->problem),
                              .integrator = shk_copy_text(family->cell->integrator),
                              .precision = shk_copy_text(family->cell->precision),
                              .quantity = shk_copy_text(quantity),
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
      point->seconds = shk_outcome_scalar(&record->outcome, "cpu-seconds");
      point->work = shk_outcome_scalar(&record->outcome, "work-gradient") +
                    shk_outcome_scalar(&record->outcome, "work-jacobian");
    }
  }
}

bool shk_curve_make(struct shk_curve *curve, const struct shk_family *family,
                    const struct shk_group_reference *reference, int block,
                    const struct shk_analysis_source *source)
{
  static const char *const against[SHK_REFERENCE_BLOCKS] = {"q", "p", "lambda-state"};
  const enum shk_reference_block right = compared_with(block);
  if (!reference->record || !(reference->size[right] > 0))
    return false;
  start_curve(curve, family, shk_curve_blocks[block]);
  bool present = false;
  for (int i = 0; i < family->count; i++) {
    struct shk_point *point = &curve->points[i];
    point->reference_error = reference->error[right];
    if (!shk_record_finished(point->record))
      continue;
    present = measure(point, point->record, reference->record, shk_curve_blocks[block],
                      against[right], reference->size[right], source) ||
              present;
    const double steps = shk_family_steps(family, i);
    point->floor = shk_state_floor(family->epsilon, steps, family->until, family->time_scale);
    if (is_discrete_multiplier(block))
      point->floor +=
          shk_multiplier_floor(family->epsilon, family->until / steps, family->time_scale);
  }
  if (!present) {
    shk_curve_clear(curve);
    return false;
  }
  if (!family->by_tolerance)
    curve->claimed = shk_curve_claim(&family->claims, block);
  curve->fit = shk_order_fit(curve->points, curve->count,
                             family->by_tolerance ? INFINITY : SHK_ORDER_SETTLED);
  return true;
}

bool shk_curve_make_energy(struct shk_curve *curve, const struct shk_family *family)
{
  start_curve(curve, family, "energy");
  bool present = false;
  for (int i = 0; i < family->count; i++) {
    struct shk_point *point = &curve->points[i];
    if (!shk_record_finished(point->record))
      continue;
    point->error = shk_outcome_scalar(&point->record->outcome, "energy-error-max");
    point->end_error = fabs(shk_outcome_scalar(&point->record->outcome, "energy-error-final"));
    point->floor =
        family->epsilon * shk_family_energy(family, i) * (3 + sqrt(shk_family_steps(family, i)));
    present = present || !isnan(point->error);
  }
  if (!present) {
    shk_curve_clear(curve);
    return false;
  }
  curve->fit = shk_order_fit(curve->points, curve->count,
                             family->by_tolerance ? INFINITY : SHK_ORDER_SETTLED);
  return true;
}

void shk_curve_clear(struct shk_curve *curve)
{
  free(curve->problem);
  free(curve->integrator);
  free(curve->precision);
  free(curve->quantity);
  free(curve->points);
  *curve = (struct shk_curve){0};
}
