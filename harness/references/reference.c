/* Digits of a reference, from the records of its cells. See reference.h. */
#include "harness/references/reference.h"

#include "foundation/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const shk_reference_letters[SHK_REFERENCE_GROUPS] = {"q", "p", "lambda"};
static const char *const blocks[SHK_REFERENCE_GROUPS] = {"q", "p", "lambda-state"};

/* ---- two numbers ---- */

/* Returns the number of digits that agree if this is the relative difference. */
static int digits_of(double error)
{
  const double digits = -log10(error);
  if (!(digits > 0))
    return 0;
  return digits >= SHK_REFERENCE_MOST_DIGITS ? SHK_REFERENCE_MOST_DIGITS : (int)digits;
}

/* Adds the components of a group at a time. */
static void add_group(struct shk_reference *reference, const char *time, const char *letter,
                      const struct shk_vector *values, int digits)
{
  char *copy = shk_vector_text(values), *rest = copy;
  const char *value;
  for (int i = 1; copy && (value = strsep(&rest, " ")) != NULL && *value != '\0'; i++)
    *SHK_APPEND(reference->rows, reference->row_count) =
        (struct shk_reference_row){.time = shk_copy_text(time),
                                   .component = shk_print_text("%s%d", letter, i),
                                   .value = shk_copy_text(value),
                                   .digits = digits};
  free(copy);
}

/* ---- distances between records ---- */

static const struct shk_vector *block_of(const struct shk_record *record, const char *time,
                                         int group)
{
  const struct shk_sample *sample =
      shk_record_finished(record) ? shk_outcome_sample(&record->outcome, time) : NULL;
  return sample ? shk_sample_block(sample, blocks[group]) : NULL;
}

/* Returns max|other - best| divided by max|best| in a group at a time, or a negative number if one
 * is missing. */
static double distance_of_records(const struct shk_record *other, const struct shk_record *best,
                                  const char *time, int group)
{
  const struct shk_vector *const theirs = block_of(other, time, group), *const ours = block_of(
                                                                            best, time, group);
  double difference, size;
  if (!theirs || !ours)
    return -1;
  if (!shk_difference(&difference, &size, theirs, ours) || !isfinite(difference))
    return INFINITY;
  if (difference == 0)
    return 0;
  return size > 0 ? difference / size : INFINITY;
}

/* Returns the number of digits on which the records agree in a group, at the worst common time. */
static int digits_agreed(const struct shk_record *record, const struct shk_record *best, int group)
{
  double worst = -1;
  for (int i = 0; i < record->cell.time_count; i++)
    worst = fmax(worst, distance_of_records(record, best, record->cell.times[i], group));
  return worst < 0 ? 0 : digits_of(worst);
}

/* ---- error of the best computation ---- */

/* Data for the estimate of digits. */
struct judge {
  const struct shk_context *context;
  const struct shk_record *const *records;
  const struct shk_inspection *inspection;
};

/*
 * Least error of the best computation, as a share of its distance from the extrapolation with a
 * longer table (LONGER). It is needed because AGAINST may be near the best by coincidence. The
 * rounding and the tolerance of LONGER make its errors four to five times as large as those of the
 * best; an exact solution has neither.
 */
#define SHARE (1.0 / 4)
#define SHARE_OF_EXACT (1.0 / 32)
/* Errors of the same size may cancel in the difference of two computations, so that twice the
 * difference is the estimate for the error of the best. */
#define ALIKE 2
/*
 * Rounding in units of epsilon times the condition. A start in decimals is rounded to quad through
 * up to four parameters and their units, functions and products: eight independent roundings of up
 * to half a unit, each with a variance of 1/12; three standard deviations are 2.45. A displacement
 * is three quarters of its nominal size. Phase is off by the rounding of the time and of
 * frequencies computed from the start, six in all: three standard deviations are 2.1.
 */
#define ROUNDING_UNITS 3.3
#define PHASE_UNITS 2.1
/* Factor on a rounding error in double that is scaled to quad: by chance it may be small. */
#define CHANCE 4

/* Returns the amplification of a displacement of the start until a time, relative to the size of
 * the group, but at least 1. */
static double amplification_until(const struct shk_record *const *records, const char *time,
                                  int group)
{
  double largest = 1;
  for (int i = SHK_REFERENCE_NUDGED; i <= SHK_REFERENCE_NUDGED_AGAIN; i++)
    largest =
        fmax(largest, distance_of_records(records[i], records[SHK_REFERENCE_BEST], time, group) /
                          shk_reference_nudge);
  return largest;
}

/* Returns the rate of change of a group, in its sizes per time scale, between the i-th sample and
 * the one before, but at least 1. */
static double rate_of_group(const struct judge *judge, int i, int group)
{
  const struct shk_record *best = judge->records[SHK_REFERENCE_BEST];
  const struct shk_cell *cell = &best->cell;
  const struct shk_vector *const now = block_of(best, cell->times[i], group);
  const struct shk_vector *const before = i > 0 ? block_of(best, cell->times[i - 1], group) : NULL;
  double moved, size;
  if (!before || !shk_difference(&moved, &size, before, now) || !(size > 0))
    return 1;
  const double passed = cell->numbers.times[i] - cell->numbers.times[i - 1];
  return fmax(1, moved / size * judge->inspection->time_scale / passed);
}

/* Returns the distance of the composition from the best, if `error` and the difference of the
 * composition's two steps do not explain it; else `error`. */
static double other_kind(const struct shk_record *const *records, const char *time, int group,
                         double error)
{
  const struct shk_record *finer = records[SHK_REFERENCE_COMPOSITION];
  const double from_best = distance_of_records(finer, records[SHK_REFERENCE_BEST], time, group);
  const double own = distance_of_records(records[SHK_REFERENCE_COARSER], finer, time, group);
  return own >= 0 && from_best > own + error ? from_best : error;
}

/* Returns the rounding error of the formula for the multipliers at a state, which all runs share:
 * that in double at the same state, scaled to the finest precision. Returns a negative number for
 * other groups. */
static double formula_error(const struct judge *judge, const char *time, int group)
{
  const struct shk_record *best = judge->records[SHK_REFERENCE_BEST];
  struct shk_vector lambda = {0};
  struct shk_message none;
  double error = -1, difference, size;
  if (group != SHK_GROUP_MULTIPLIERS || !block_of(best, time, group))
    return error;
  if (shk_engine_f64.multiplier(judge->context, &lambda, best->cell.problem, time,
                                block_of(best, time, SHK_GROUP_COORDINATES),
                                block_of(best, time, SHK_GROUP_MOMENTA), &none) &&
      shk_difference(&difference, &size, &lambda, block_of(best, time, group)) && size > 0)
    error = CHANCE * difference / size * (shk_finest_engine()->epsilon / shk_engine_f64.epsilon);
  shk_vector_clear(&lambda);
  return error;
}

/* Returns the relative error of a group at the i-th time of the best, or a negative number if there
 * is nothing to compare with. */
static double error_at(const struct judge *judge, int i, int group)
{
  const struct shk_record *const *records = judge->records;
  const struct shk_record *best = records[SHK_REFERENCE_BEST];
  const char *time = best->cell.times[i];
  const double share = !best->cell.tolerance ? SHARE_OF_EXACT : SHARE;
  double error = distance_of_records(records[SHK_REFERENCE_AGAINST], best, time, group);
  error =
      fmax(error, share * distance_of_records(records[SHK_REFERENCE_LONGER], best, time, group));
  if (error < 0) {
    /* Without an extrapolation, compares with the first of the other computations that has the
     * block. */
    for (int k = SHK_REFERENCE_COMPOSITION; k < SHK_REFERENCE_CELLS && error < 0; k++)
      error = distance_of_records(records[k], best, time, group);
    return error;
  }
  const double phase = best->cell.numbers.times[i] / judge->inspection->time_scale;
  const double rounding = hypot(ROUNDING_UNITS * amplification_until(records, time, group),
                                PHASE_UNITS * phase * rate_of_group(judge, i, group));
  /* Differences do not show the rounding that all computations share, which is independent. */
  error = hypot(ALIKE * error, shk_finest_engine()->epsilon * rounding);
  error = fmax(error, formula_error(judge, time, group));
  return other_kind(records, time, group, error);
}

/* Returns the digits of a group at the i-th time of the best: the smaller of the numbers at this
 * time and at the time before. */
static int digits_at(const struct judge *judge, int i, int group)
{
  double worst = -1;
  for (int k = i > 0 ? i - 1 : 0; k <= i; k++)
    worst = fmax(worst, error_at(judge, k, group));
  return worst < 0 ? 0 : digits_of(worst);
}

/* ---- methods ---- */

static char *method_text(const struct shk_cell *cell)
{
  const char *const by = cell->tolerance ? ", tolerance " : cell->step ? ", step " : "";
  const char *const size = cell->tolerance ? cell->tolerance : cell->step ? cell->step : "";
  return shk_print_text("%s, %s%s%s", cell->integrator, cell->precision, by, size);
}

/* Returns "BEST; against A; B; …", which are the computations that the digits come from. */
static char *methods_text(const struct shk_record *const records[SHK_REFERENCE_CELLS])
{
  char *text = method_text(&records[SHK_REFERENCE_BEST]->cell);
  const char *join = "; against ";
  for (int i = SHK_REFERENCE_AGAINST; i < SHK_REFERENCE_RADAU5; i++) {
    if (!shk_record_finished(records[i]))
      continue;
    char *const other = method_text(&records[i]->cell);
    shk_append_text(&text, "%s%s", join, other);
    join = "; ";
    free(other);
  }
  return text;
}

static bool is_among(const struct shk_numbers *times, const char *time)
{
  for (int i = 0; i < times->count; i++)
    if (strcmp(times->texts[i], time) == 0)
      return true;
  return false;
}

bool shk_reference_make(const struct shk_context *context, struct shk_reference *reference,
                        const struct shk_record *const records[SHK_REFERENCE_CELLS],
                        const struct shk_numbers *times, const struct shk_inspection *inspection,
                        struct shk_message *error)
{
  const struct shk_record *best = records[SHK_REFERENCE_BEST];
  const struct judge judge = {context, records, inspection};
  *reference = (struct shk_reference){0};
  if (!shk_record_finished(best)) {
    char reason[SHK_MESSAGE_SIZE] = "it was not run";
    if (best)
      shk_record_reason(reason, sizeof reason, best);
    return shk_message_set(error, "no reference: %s", reason);
  }
  reference->problem = shk_copy_text(best->cell.problem);
  reference->method = methods_text(records);
  for (int i = 0; i < best->cell.time_count; i++) {
    if (!is_among(times, best->cell.times[i]))
      continue;
    /* The times of samples are relative to the initial time, which is zero for most problems. */
    const double start = inspection->initial_time;
    char *const time = start == 0 ? shk_copy_text(best->cell.times[i])
                                  : shk_print_text("%.15g", start + best->cell.numbers.times[i]);
    for (int k = 0; k < SHK_REFERENCE_GROUPS; k++) {
      const struct shk_vector *const values = block_of(best, best->cell.times[i], k);
      if (values)
        add_group(reference, time, shk_reference_letters[k], values, digits_at(&judge, i, k));
    }
    free(time);
  }
  for (int i = SHK_REFERENCE_COMPOSITION; i < SHK_REFERENCE_CELLS; i++) {
    if (i == SHK_REFERENCE_COARSER || !shk_record_finished(records[i]))
      continue;
    struct shk_reference_check *const check = SHK_APPEND(reference->checks, reference->check_count);
    check->method = method_text(&records[i]->cell);
    for (int k = 0; k < SHK_REFERENCE_GROUPS; k++)
      check->digits[k] = digits_agreed(records[i], best, k);
  }
  if (reference->row_count > 0)
    return true;
  shk_message_set(error,
                  "the records contain no states: found %d coordinates, expected at most 1000",
                  inspection->n);
  shk_reference_clear(reference);
  return false;
}

void shk_reference_clear(struct shk_reference *reference)
{
  for (int i = 0; i < reference->row_count; i++) {
    free(reference->rows[i].time);
    free(reference->rows[i].component);
    free(reference->rows[i].value);
  }
  for (int i = 0; i < reference->check_count; i++)
    free(reference->checks[i].method);
  free(reference->rows);
  free(reference->checks);
  free(reference->problem);
  free(reference->method);
  *reference = (struct shk_reference){0};
}
