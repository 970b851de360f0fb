/* From the cells of a reference to its digits. See reference.h. */
#include "harness/references/reference.h"

#include "foundation/memory.h"
#include "harness/analysis/family.h"
#include "harness/study/decimal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const shk_reference_letters[SHK_REFERENCE_GROUPS] = {"q", "p", "lambda"};
static const char *const blocks[SHK_REFERENCE_GROUPS] = {"q", "p", "lambda-state"};

/* Steps of the composition a time scale: its error is then near 1e-25 on smooth problems. Where a
 * step is a system of equations to be solved and costs a hundred times as much, fewer: 1e-20. */
enum { STEPS_PER_TIME_SCALE = 128, DEAR_STEPS_PER_TIME_SCALE = 32 };
#define COMPOSITION "composition(scheme=sofroniou-spaletta10)"
#define OTHER "composition(scheme=kahan-li8)"
#define TIGHT_IN_DOUBLE "1e-12"

/* ---- the cells ---- */

/* The longest time of which all of these are multiples. */
static bool common_divisor(struct shk_decimal *divisor, char *const *times, int count)
{
  enum { MOST_DIGITS = 36 };
  if (!shk_decimal_read(divisor, times[0]))
    return false;
  for (int i = 1; i < count; i++) {
    struct shk_decimal other;
    if (!shk_decimal_read(&other, times[i]))
      return false;
    struct shk_decimal *fine = other.exponent < divisor->exponent ? &other : divisor;
    struct shk_decimal *coarse = fine == divisor ? &other : divisor;
    if (coarse->exponent - fine->exponent > MOST_DIGITS - SHK_DECIMAL_DIGITS)
      return false;
    for (; coarse->exponent > fine->exponent; coarse->exponent--)
      coarse->coefficient *= 10;
    shk_wide a = divisor->coefficient, b = other.coefficient;
    while (b > 0) {
      const shk_wide rest = a % b;
      a = b;
      b = rest;
    }
    divisor->coefficient = a;
  }
  return true;
}

/* The step of the composition: the longest that divides all times 2^a 5^b times and is no longer
 * than this part of the time scale. NULL if there is no such decimal. */
static char *composition_step(const struct shk_cell *cell, const struct shk_inspection *inspection,
                              int steps_per_time_scale)
{
  struct shk_decimal interval, step;
  if (!common_divisor(&interval, cell->times, cell->time_count))
    return NULL;
  const double least =
      shk_decimal_approximate(interval) * steps_per_time_scale / inspection->time_scale;
  if (!(least < 1e12))
    return NULL;
  long long best = 0;
  for (long long fives = 1; (double)fives < 5 * least + 5; fives *= 5)
    for (long long n = fives; (double)n < 2 * least + 2; n *= 2)
      if ((double)n >= least && (best == 0 || n < best))
        best = n;
  return shk_decimal_divide(&step, interval, shk_decimal_from_integer(best))
             ? shk_decimal_text(step)
             : NULL;
}

static void fill(struct shk_cell *cell, const struct shk_cell *like, const char *integrator,
                 const char *precision, const char *tolerance, const char *step)
{
  shk_cell_copy(cell, like);
  free(cell->integrator);
  free(cell->precision);
  free(cell->tolerance);
  free(cell->step);
  cell->integrator = shk_copy_text(integrator);
  cell->precision = shk_copy_text(precision);
  cell->tolerance = shk_copy_text(tolerance);
  cell->step = shk_copy_text(step);
}

bool shk_reference_needs_steps(const struct shk_inspection *inspection, bool exact)
{
  return (inspection->features & SHK_MOMENTUM_CONSTRAINT) != 0 && !exact;
}

bool shk_reference_by_steps(struct shk_cell cells[2], const struct shk_cell *like,
                            const struct shk_inspection *inspection, int steps_per_time_scale,
                            struct shk_message *error)
{
  struct shk_decimal half;
  char *composition = shk_canonical_integrator(COMPOSITION, error);
  char *step = composition_step(like, inspection, steps_per_time_scale);
  const bool divisible =
      step != NULL && shk_decimal_read(&half, step) && shk_decimal_halve(&half, half);
  if (composition != NULL && divisible) {
    char *half_step = shk_decimal_text(half);
    fill(&cells[SHK_REFERENCE_BEST], like, composition, "quad", NULL, half_step);
    fill(&cells[SHK_REFERENCE_AGAINST], like, composition, "quad", NULL, step);
    free(half_step);
  } else if (composition != NULL) {
    shk_message_set(error, "%s: the times have no common step of %d digits", like->problem,
                    SHK_DECIMAL_DIGITS);
  }
  const bool good = composition != NULL && divisible;
  free(composition);
  free(step);
  return good;
}

/* The cells whose method is the composition alone, at the step of the best of them. */
static bool fill_by_steps(struct shk_cell cells[SHK_REFERENCE_CELLS], const struct shk_cell *like,
                          const struct shk_inspection *inspection, struct shk_message *error)
{
  char *other = shk_canonical_integrator(OTHER, error);
  const bool good =
      other != NULL && shk_reference_by_steps(cells, like, inspection, STEPS_PER_TIME_SCALE, error);
  if (good)
    fill(&cells[SHK_REFERENCE_COMPOSITION], like, other, "quad", NULL,
         cells[SHK_REFERENCE_BEST].step);
  free(other);
  return good;
}

static bool fill_by_tolerance(struct shk_cell cells[SHK_REFERENCE_CELLS],
                              const struct shk_cell *like, const struct shk_inspection *inspection,
                              bool exact, struct shk_message *error)
{
  const bool dear =
      (inspection->features & (SHK_GENERAL_HAMILTONIAN | SHK_FORCES | SHK_RHEONOMIC)) != 0;
  char *composition = shk_canonical_integrator(COMPOSITION, error);
  char *step =
      composition_step(like, inspection, dear ? DEAR_STEPS_PER_TIME_SCALE : STEPS_PER_TIME_SCALE);
  const bool good = composition != NULL && step != NULL;
  if (good) {
    fill(&cells[SHK_REFERENCE_BEST], like, exact ? "exact" : "reference", "quad",
         exact ? NULL : SHK_REFERENCE_TOLERANCE, NULL);
    fill(&cells[SHK_REFERENCE_AGAINST], like, "reference", "quad",
         exact ? SHK_REFERENCE_TOLERANCE : SHK_REFERENCE_CHECK_TOLERANCE, NULL);
    fill(&cells[SHK_REFERENCE_COMPOSITION], like, composition, "quad", NULL, step);
  } else if (composition != NULL) {
    shk_message_set(error, "%s: the times have no common step of %d digits", like->problem,
                    SHK_DECIMAL_DIGITS);
  }
  free(composition);
  free(step);
  return good;
}

bool shk_reference_cells(struct shk_cell cells[SHK_REFERENCE_CELLS], const struct shk_cell *like,
                         const struct shk_inspection *inspection, struct shk_message *error)
{
  const bool exact = inspection->exact && like->q == NULL;
  if (!(shk_reference_needs_steps(inspection, exact)
            ? fill_by_steps(cells, like, inspection, error)
            : fill_by_tolerance(cells, like, inspection, exact, error)))
    return false;
  fill(&cells[SHK_REFERENCE_RADAU5], like, "radau5", "double", TIGHT_IN_DOUBLE, NULL);
  fill(&cells[SHK_REFERENCE_IDA], like, "ida", "double", TIGHT_IN_DOUBLE, NULL);
  return true;
}

/* ---- digits ---- */

int shk_common_digits(const char *a, const char *b, double size)
{
  double difference, own;
  if (!shk_engine_f128.difference(&difference, &own, a, b) || !isfinite(difference))
    return 0;
  if (difference <= size * pow(10, -SHK_REFERENCE_MOST_DIGITS))
    return SHK_REFERENCE_MOST_DIGITS;
  const double digits = -log10(difference / own);
  if (!(digits > 0))
    return 0;
  return digits >= SHK_REFERENCE_MOST_DIGITS ? SHK_REFERENCE_MOST_DIGITS : (int)digits;
}

static double block_size(const char *values)
{
  double none, size;
  return shk_engine_f128.difference(&none, &size, values, values) ? size : 0;
}

static void add_row(struct shk_reference *reference, struct shk_reference_row row)
{
  reference->rows =
      shk_grow(reference->rows, (size_t)reference->row_count, sizeof *reference->rows);
  reference->rows[reference->row_count++] = row;
}

/* The components of a group at a time; without `others` no digits are certain yet. */
static void add_group(struct shk_reference *reference, const char *time, const char *letter,
                      const char *values, const char *others)
{
  char *copies[2] = {shk_copy_text(values), shk_copy_text(others)};
  char *rests[2] = {copies[0], copies[1]};
  const double size = block_size(values);
  const char *value;
  for (int i = 1; (value = strsep(&rests[0], " ")) != NULL && *value != '\0'; i++) {
    const char *other = strsep(&rests[1], " ");
    add_row(reference, (struct shk_reference_row){
                           .time = shk_copy_text(time),
                           .component = shk_print_text("%s%d", letter, i),
                           .value = shk_copy_text(value),
                           .digits = other != NULL ? shk_common_digits(other, value, size) : 0});
  }
  free(copies[0]);
  free(copies[1]);
}

/* ---- independent formulations ---- */

/* Digits on which the records agree in a group, at the worst time. */
static int agreement(const struct shk_record *record, const struct shk_record *best, int group)
{
  int digits = SHK_REFERENCE_MOST_DIGITS;
  for (int i = 0; i < best->cell.time_count; i++) {
    const struct shk_sample *ours = shk_record_sample(best, best->cell.times[i]);
    const struct shk_sample *theirs = shk_record_sample(record, best->cell.times[i]);
    const char *a = theirs != NULL ? shk_sample_block(theirs, blocks[group]) : NULL;
    const char *b = ours != NULL ? shk_sample_block(ours, blocks[group]) : NULL;
    const int here = a != NULL && b != NULL ? shk_common_digits(a, b, block_size(b)) : 0;
    if (here < digits)
      digits = here;
  }
  return digits;
}

static char *method_text(const struct shk_cell *cell)
{
  return cell->tolerance != NULL ? shk_print_text("%s, %s, tolerance %s", cell->integrator,
                                                  cell->precision, cell->tolerance)
         : cell->step != NULL
             ? shk_print_text("%s, %s, step %s", cell->integrator, cell->precision, cell->step)
             : shk_print_text("%s, %s", cell->integrator, cell->precision);
}

static void add_check(struct shk_reference *reference, const struct shk_record *record,
                      const struct shk_record *best)
{
  struct shk_reference_check check = {.method = method_text(&record->cell)};
  for (int k = 0; k < SHK_REFERENCE_GROUPS; k++)
    check.digits[k] = agreement(record, best, k);
  reference->checks =
      shk_grow(reference->checks, (size_t)reference->check_count, sizeof *reference->checks);
  reference->checks[reference->check_count++] = check;
}

static const char *block_of(const struct shk_record *record, const char *time, int group)
{
  const struct shk_sample *sample =
      shk_record_finished(record) ? shk_record_sample(record, time) : NULL;
  return sample != NULL ? shk_sample_block(sample, blocks[group]) : NULL;
}

char *shk_reference_time(const char *since, double initial_time)
{
  /* Samples count from the problem's initial time, which is zero nearly always. */
  return initial_time == 0 ? shk_copy_text(since)
                           : shk_print_text("%.15g", initial_time + strtod(since, NULL));
}

bool shk_reference_make(struct shk_reference *reference,
                        struct shk_record *const records[SHK_REFERENCE_CELLS],
                        const struct shk_inspection *inspection, struct shk_message *error)
{
  const struct shk_record *best = records[SHK_REFERENCE_BEST];
  const struct shk_record *against = records[SHK_REFERENCE_AGAINST];
  *reference = (struct shk_reference){0};
  if (!shk_record_finished(best)) {
    char reason[256] = "it was not run";
    if (best != NULL)
      shk_record_reason(reason, sizeof reason, best);
    shk_message_set(error, "no reference: %s", reason);
    return false;
  }
  /* An exact solution of what no integrator in quad takes is held against the best that can. */
  for (int i = SHK_REFERENCE_COMPOSITION; i < SHK_REFERENCE_CELLS && !shk_record_finished(against);
       i++)
    against = records[i];
  reference->problem = shk_copy_text(best->cell.problem);
  char *ours = method_text(&best->cell);
  char *theirs = shk_record_finished(against) ? method_text(&against->cell) : NULL;
  reference->method =
      theirs != NULL ? shk_print_text("%s; against %s", ours, theirs) : shk_copy_text(ours);
  free(ours);
  free(theirs);
  for (int i = 0; i < best->cell.time_count; i++) {
    char *time = shk_reference_time(best->cell.times[i], inspection->initial_time);
    for (int k = 0; k < SHK_REFERENCE_GROUPS; k++) {
      const char *values = block_of(best, best->cell.times[i], k);
      if (values != NULL)
        add_group(reference, time, shk_reference_letters[k], values,
                  block_of(against, best->cell.times[i], k));
    }
    free(time);
  }
  for (int i = SHK_REFERENCE_COMPOSITION; i < SHK_REFERENCE_CELLS; i++)
    if (shk_record_finished(records[i]))
      add_check(reference, records[i], best);
  if (reference->row_count > 0)
    return true;
  shk_message_set(error, "the records keep no states: %d coordinates are too many", inspection->n);
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
