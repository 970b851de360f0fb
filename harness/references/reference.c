/* From the cells of a reference to its digits. See reference.h. */
#include "harness/references/reference.h"

#include "foundation/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const shk_reference_letters[SHK_REFERENCE_GROUPS] = {"q", "p", "lambda"};
static const char *const blocks[SHK_REFERENCE_GROUPS] = {"q", "p", "lambda-state"};

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

char *shk_reference_time(const char *since, double since_value, double initial_time)
{
  /* Samples count from the problem's initial time, which is zero nearly always. */
  return initial_time == 0 ? shk_copy_text(since)
                           : shk_print_text("%.15g", initial_time + since_value);
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
  /* If no integrator in quad applies, an exact solution is compared with the best that does. */
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
    char *time = shk_reference_time(best->cell.times[i], best->cell.numbers.times[i],
                                    inspection->initial_time);
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
