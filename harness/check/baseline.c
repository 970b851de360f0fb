/*
 * Making and writing baselines. See baseline.h.
 */
#include "harness/check/baseline.h"
#include "foundation/memory.h"
#include "harness/study/decimal.h"
#include "measures/quantity.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

int shk_baseline_order(const struct shk_baseline_value *a, const struct shk_baseline_value *b)
{
  int order = strcmp(a->integrator, b->integrator);
  if (order == 0)
    order = strcmp(a->problem, b->problem);
  if (order == 0)
    order = strcmp(a->precision, b->precision);
  return order != 0 ? order : strcmp(a->quantity, b->quantity);
}

static int compare_values(const void *a, const void *b)
{
  return shk_baseline_order(a, b);
}

/* True if the finding contains information that no other has. */
static bool is_kept(const struct shk_finding *f, bool seconds)
{
  const enum shk_quantity_kind kind = f->named.entry->kind;
  return kind != SHK_KIND_REPEATED && (seconds || kind != SHK_KIND_CLOCK);
}

/* Adds a value with these names, which are copied. */
static struct shk_baseline_value *add_value(struct shk_baseline *baseline, const char *integrator,
                                            const char *problem, const char *precision,
                                            const char *quantity)
{
  struct shk_baseline_value *const value = SHK_APPEND(baseline->values, baseline->count);
  *value = (struct shk_baseline_value){.integrator = shk_copy_text(integrator),
                                       .problem = shk_copy_text(problem),
                                       .precision = shk_copy_text(precision),
                                       .quantity = shk_copy_text(quantity),
                                       .value = NAN,
                                       .half_width = NAN};
  return value;
}

static void clear_value(struct shk_baseline_value *value)
{
  char *const texts[] = {value->integrator, value->problem,  value->precision, value->quantity,
                         value->word,       value->expected, value->reason};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    free(texts[i]);
}

void shk_baseline_clear(struct shk_baseline *baseline)
{
  for (int i = 0; i < baseline->count; i++)
    clear_value(&baseline->values[i]);
  free(baseline->values);
  free(baseline->study);
  *baseline = (struct shk_baseline){0};
}

static void add_finding(struct shk_baseline *baseline, const struct shk_finding *f)
{
  struct shk_baseline_value *const value =
      add_value(baseline, f->integrator, f->problem, f->precision, f->quantity);
  value->id = f->named.id;
  value->value = f->value;
  value->half_width = f->uncertainty > 0 ? f->uncertainty : NAN;
  value->verdict = f->verdict;
  value->expected = shk_copy_text(f->expected);
  value->reason = shk_copy_text(f->reason);
  value->band = shk_band_of(f, &value->why);
  /* A value with a number and a word counts as the number; "undetermined" is not a word. */
  if (isnan(f->value) && f->word && strcmp(f->word, "undetermined") != 0)
    value->word = shk_copy_text(f->word);
}

/* Joins two findings of one name, a status for refused cells and one for failed cells: both words,
 * and the graver verdict. */
static void join(struct shk_baseline_value *first, struct shk_baseline_value *second)
{
  if (first->word && second->word && strcmp(first->word, second->word) != 0) {
    char *both = shk_print_text("%s and %s", first->word, second->word);
    free(first->word);
    first->word = both;
  }
  if (second->verdict == SHK_VERDICT_FAILED && first->verdict != SHK_VERDICT_FAILED) {
    char *reason = first->reason;
    first->verdict = second->verdict;
    first->reason = second->reason;
    second->reason = reason;
  }
  clear_value(second);
}

static void sort(struct shk_baseline *baseline)
{
  if (baseline->count > 1)
    qsort(baseline->values, (size_t)baseline->count, sizeof *baseline->values, compare_values);
}

bool shk_baseline_same_cells(const struct shk_baseline_value *a, const struct shk_baseline_value *b)
{
  return strcmp(a->integrator, b->integrator) == 0 && strcmp(a->problem, b->problem) == 0 &&
         strcmp(a->precision, b->precision) == 0;
}

/* Adds the status "finished" for every triple without a status. The values are sorted; new ones go
 * to the end. */
static void add_finished(struct shk_baseline *baseline)
{
  const int count = baseline->count;
  for (int first = 0, next; first < count; first = next) {
    bool has_status = false;
    /* Findings over many starts do not belong to a triple of cells. */
    bool has_cells = false;
    for (next = first;
         next < count && shk_baseline_same_cells(&baseline->values[first], &baseline->values[next]);
         next++) {
      const enum shk_quantity_kind kind = shk_quantities[baseline->values[next].id].kind;
      has_status = has_status || kind == SHK_KIND_STATUS;
      has_cells = has_cells || kind != SHK_KIND_GROWTH;
    }
    if (has_status || !has_cells)
      continue;
    const struct shk_baseline_value model = baseline->values[first];
    struct shk_baseline_value *const value =
        add_value(baseline, model.integrator, model.problem, model.precision,
                  shk_quantities[SHK_QUANTITY_STATUS].finding);
    value->id = SHK_QUANTITY_STATUS;
    value->word = shk_copy_text("finished");
    value->band = (struct shk_band){.kind = SHK_BAND_EQUAL};
    value->why = SHK_BECAUSE_CLASS;
    value->verdict = SHK_VERDICT_NONE;
  }
}

void shk_baseline_make(struct shk_baseline *baseline, const char *study,
                       const struct shk_analysis *analysis, bool seconds)
{
  *baseline = (struct shk_baseline){.study = shk_copy_text(study)};
  for (int i = 0; i < analysis->finding_count; i++)
    if (is_kept(&analysis->findings[i], seconds))
      add_finding(baseline, &analysis->findings[i]);
  sort(baseline);
  int count = 0;
  for (int i = 0; i < baseline->count; i++)
    if (count > 0 && shk_baseline_order(&baseline->values[count - 1], &baseline->values[i]) == 0)
      join(&baseline->values[count - 1], &baseline->values[i]);
    else
      baseline->values[count++] = baseline->values[i];
  baseline->count = count;
  add_finished(baseline);
  sort(baseline);
}

/* ---- writing ---- */

char *shk_baseline_text(char *buffer, unsigned long size, const struct shk_baseline_value *value)
{
  const double x = value->value;
  if (value->word)
    snprintf(buffer, size, "%s", value->word);
  else if (isnan(x))
    snprintf(buffer, size, "undetermined");
  else {
    const int digits = value->why == SHK_BECAUSE_ROUND_OFF ? 2 : 6;
    struct shk_decimal rounded;
    /* Whole numbers have all digits. So has a number that becomes whole by rounding, since
     * otherwise it would be read as another value than was printed. */
    double y = x == floor(x) ? x : NAN;
    if (isnan(y) && shk_decimal_round(&rounded, x, digits) && rounded.exponent >= 0)
      y = shk_decimal_approximate(rounded);
    if (fabs(y) < 1e15)
      snprintf(buffer, size, "%.0f", y == 0 ? 0 : y);
    else
      snprintf(buffer, size, "%.*g", digits, x);
  }
  return buffer;
}

static void print_field(FILE *file, const char *text)
{
  for (; *text != '\0'; text++) {
    const unsigned char c = (unsigned char)*text;
    if (c == '|' || c == '\\')
      fprintf(file, "\\%c", c);
    else if (c < 0x20 || c == 0x7F)
      fprintf(file, "\\x%02x", c);
    else
      putc(c, file);
  }
}

void shk_baseline_print(FILE *file, const struct shk_baseline *baseline)
{
  fputs("shakedown baseline 1\n"
        "#\n"
        "# Analysed values of a study. `shakedown check` runs the study again and compares each\n"
        "# value with its band; `shakedown baseline` writes this file again.\n"
        "#\n"
        "# integrator | problem | precision | quantity | value | half-width | band | why | "
        "verdict\n"
        "#\n"
        "# Why a band applies:\n",
        file);
  for (int i = 0; i < SHK_BAND_REASONS; i++)
    fprintf(file, "#   %-12s  %s\n", shk_band_word((enum shk_band_reason)i),
            shk_band_sentence((enum shk_band_reason)i));
  fputs("#\nstudy | ", file);
  print_field(file, baseline->study);
  putc('\n', file);
  for (int i = 0; i < baseline->count; i++) {
    const struct shk_baseline_value *value = &baseline->values[i];
    char text[128], half_width[32] = "-", band[128];
    if (!isnan(value->half_width))
      snprintf(half_width, sizeof half_width, "%.2g", value->half_width);
    const char *const fields[] = {value->integrator,
                                  value->problem,
                                  value->precision,
                                  value->quantity,
                                  shk_baseline_text(text, sizeof text, value),
                                  half_width,
                                  shk_band_text(band, sizeof band, &value->band),
                                  shk_band_word(value->why),
                                  shk_verdict_word(value->verdict)};
    for (size_t k = 0; k < sizeof fields / sizeof fields[0]; k++) {
      if (k > 0)
        fputs(" | ", file);
      print_field(file, fields[k]);
    }
    putc('\n', file);
  }
}
