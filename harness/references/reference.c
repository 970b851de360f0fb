/* Determines how many digits of a reference are reliable, using the records of its cells. See
 * reference.h. */
#include "harness/references/reference.h"

#include "foundation/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const shk_reference_letters[SHK_REFERENCE_GROUPS] = {"q", "p", "lambda"};
static const char *const blocks[SHK_REFERENCE_GROUPS] = {"q", "p", "lambda-state"};

/* ---- two numbers ---- */

/* Converts a relative difference to a number of agreeing digits. */
static int digits_of(double error)
{
  const double digits = -log10(error);
  if (!(digits > 0))
    return 0;
  return digits >= SHK_REFERENCE_MOST_DIGITS ? SHK_REFERENCE_MOST_DIGITS : (int)digits;
}

/* Adds rows for the components of a group at one time. */
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

/* Returns max|other - best| divided by max|best| for a group at one time, or a negative number if
 * either record lacks this group. */
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

/* Returns the number of digits to which two records agree in a group, at the common time with the
 * worst agreement. */
static int digits_agreed(const struct shk_record *record, const struct shk_record *best, int group)
{
  double worst = -1;
  for (int i = 0; i < record->cell.time_count; i++)
    worst = fmax(worst, distance_of_records(record, best, record->cell.times[i], group));
  return worst < 0 ? 0 : digits_of(worst);
}

/* ---- error of the best computation ---- */

/* Data needed to estimate the number of digits. */
struct judge {
  const struct shk_context *context;
  const struct shk_record *const *records;
  const struct shk_inspection *inspection;
};

/*
 * Lower bound on the error of the best computation, as a fraction of its distance from the
 * extrapolation with a longer table (LONGER). A lower bound is needed because AGAINST may be close
 * to the best computation by coincidence. The errors of LONGER, which come from rounding and from
 * its tolerance, are four to five times as large as those of the best computation. An exact
 * solution has neither kind of error.
 */
#define SHARE (1.0 / 4)
#define SHARE_OF_EXACT (1.0 / 32)
/* Errors of similar magnitude may cancel in the difference between two computations. The error of
 * the best computation is therefore estimated as twice this difference. */
#define ALIKE 2
/*
 * Rounding error, in units of epsilon times the condition number. Converting a decimal start to
 * quad involves up to four parameters and their units, functions and products. This amounts to
 * eight independent rounding errors of up to half a unit, each with a variance of 1/12; three
 * standard deviations are 2.45. The actual displacement is three quarters of its nominal magnitude.
 * The phase is affected by the rounding of the time and of the frequencies computed from the start:
 * six rounding errors in all, for which three standard deviations are 2.1.
 */
#define ROUNDING_UNITS 3.3
#define PHASE_UNITS 2.1
/* Safety factor for estimating a rounding error in quad by scaling the error in double, which may
 * be small by chance. */
#define CHANCE 4

/* Returns the factor by which a displacement of the start has been amplified at a given time,
 * relative to the magnitude of the group. The result is at least 1. */
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

/* Returns the rate at which a group changes between the previous sample and the i-th, relative to
 * the group's magnitude and per time scale. The result is at least 1. */
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

/* Returns the distance between the composition and the best computation if it cannot be explained
 * by `error` and the difference between the composition's results at its two step sizes. Otherwise,
 * returns `error`. */
static double other_kind(const struct shk_record *const *records, const char *time, int group,
                         double error)
{
  const struct shk_record *finer = records[SHK_REFERENCE_COMPOSITION];
  const double from_best = distance_of_records(finer, records[SHK_REFERENCE_BEST], time, group);
  const double own = distance_of_records(records[SHK_REFERENCE_COARSER], finer, time, group);
  return own >= 0 && from_best > own + error ? from_best : error;
}

/* Returns the rounding error of the formula for the multipliers at a state. This error is common to
 * all runs. It is estimated by scaling the rounding error in double at the same state to the finest
 * precision. Returns a negative number for other groups. */
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

/* Returns the relative error of a group at the i-th time of the best computation, or a negative
 * number if there is no other computation to compare with. */
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
    /* If there is no extrapolation to compare with, uses the first other computation that contains
     * the block. */
    for (int k = SHK_REFERENCE_COMPOSITION; k < SHK_REFERENCE_CELLS && error < 0; k++)
      error = distance_of_records(records[k], best, time, group);
    return error;
  }
  const double phase = best->cell.numbers.times[i] / judge->inspection->time_scale;
  const double rounding = hypot(ROUNDING_UNITS * amplification_until(records, time, group),
                                PHASE_UNITS * phase * rate_of_group(judge, i, group));
  /* The differences do not include the rounding error that all computations share. This error is
   * independent of the differences, so it is added in quadrature. */
  error = hypot(ALIKE * error, shk_finest_engine()->epsilon * rounding);
  error = fmax(error, formula_error(judge, time, group));
  return other_kind(records, time, group, error);
}

/* Returns the number of reliable digits of a group at the i-th time of the best computation. This
 * is the smaller of the numbers at that time and at the previous time. */
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

/* Lists the computations that determine the number of digits, in the form "BEST; against A; B;
 * …". */
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
    /* Sample times are relative to the initial time, which is zero for most problems. */
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
