/* Creates and writes baselines; see baseline.h. */
#include "harness/check/baseline.h"
#include "foundation/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char finished[] = "finished"; /* the status of cells that have all finished */

int shk_baseline_order(const void *a, const void *b)
{
  const struct shk_baseline_value *const x = a, *const y = b;
  int order = strcmp(x->integrator, y->integrator);
  if (order == 0)
    order = strcmp(x->problem, y->problem);
  if (order == 0)
    order = strcmp(x->precision, y->precision);
  return order != 0 ? order : strcmp(x->quantity, y->quantity);
}

static void clear_value(struct shk_baseline_value *value)
{
  char *const texts[] = {value->integrator, value->problem,  value->precision, value->quantity,
                         value->word,       value->expected, value->reason,    value->because};
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
  /* A word is stored only if there is no number. "undetermined" is not stored as a word. */
  const bool is_word = isnan(f->value) && f->word && strcmp(f->word, "undetermined") != 0;
  struct shk_baseline_value *const value = SHK_APPEND(baseline->values, baseline->count);
  *value = (struct shk_baseline_value){.integrator = shk_copy_text(f->integrator),
                                       .problem = shk_copy_text(f->problem),
                                       .precision = shk_copy_text(f->precision),
                                       .quantity = shk_copy_text(f->quantity),
                                       .id = f->named.id,
                                       .value = f->value,
                                       .word = is_word ? shk_copy_text(f->word) : NULL,
                                       .half_width = f->uncertainty > 0 ? f->uncertainty : NAN,
                                       .verdict = f->verdict,
                                       .expected = shk_copy_text(f->expected),
                                       .reason = shk_copy_text(f->reason)};
  value->band = shk_band_of(f, &value->why);
}

bool shk_baseline_same_cells(const struct shk_baseline_value *a, const struct shk_baseline_value *b)
{
  return strcmp(a->integrator, b->integrator) == 0 && strcmp(a->problem, b->problem) == 0 &&
         strcmp(a->precision, b->precision) == 0;
}

/* Adds the status "finished" for the cells of a finding. If the cells also have another status,
 * join_all removes this one. */
static void add_finished(struct shk_baseline *baseline, const struct shk_finding *f)
{
  struct shk_finding status = {.integrator = f->integrator,
                               .problem = f->problem,
                               .precision = f->precision,
                               .value = NAN,
                               .word = (char *)finished};
  status.quantity =
      shk_finding_name(&status.named, SHK_QUANTITY_STATUS, NULL, SHK_STATISTIC_NONE, "");
  add_finding(baseline, &status);
  free(status.quantity);
}

/* Merges two statuses with the same name, one for refused cells and one for failed cells. The
 * result contains both words, and takes its verdict and reason from the failed cells. Clears the
 * second value. */
static void join_baseline(struct shk_baseline_value *first, struct shk_baseline_value *second)
{
  if (first->word && second->word && strcmp(first->word, second->word) != 0)
    shk_append_text(&first->word, " and %s", second->word);
  if (second->verdict == SHK_VERDICT_FAILED && first->verdict != SHK_VERDICT_FAILED) {
    first->verdict = second->verdict;
    free(first->reason);
    first->reason = shk_copy_text(second->reason);
  }
  clear_value(second);
}

/* Merges adjacent values that have the same name. Removes "finished" if it is followed by another
 * status of the same cells. */
static void join_all(struct shk_baseline *baseline)
{
  int count = 0;
  for (int i = 0; i < baseline->count; i++) {
    struct shk_baseline_value *const value = &baseline->values[i],
                                     *const last = &baseline->values[count > 0 ? count - 1 : 0];
    const bool same = count > 0 && shk_baseline_order(last, value) == 0;
    if (same && shk_same_text(value->word, finished)) {
      clear_value(value);
    } else if (count > 0 && value->id == SHK_QUANTITY_STATUS &&
               shk_same_text(last->word, finished) && shk_baseline_same_cells(last, value)) {
      clear_value(last);
      *last = *value;
    } else if (same) {
      join_baseline(last, value);
    } else {
      baseline->values[count++] = *value;
    }
  }
  baseline->count = count;
}

void shk_baseline_make(struct shk_baseline *baseline, const char *study,
                       const struct shk_analysis *analysis)
{
  *baseline = (struct shk_baseline){.study = shk_copy_text(study)};
  for (int i = 0; i < analysis->finding_count; i++) {
    const struct shk_finding *const f = &analysis->findings[i];
    const enum shk_quantity_kind kind = f->named.entry->kind;
    if (kind == SHK_KIND_CLOCK || kind == SHK_KIND_REPEATED)
      continue;
    add_finding(baseline, f);
    /* A finding that combines many initial states does not belong to a single problem, so there is
     * no status. */
    if (kind != SHK_KIND_GROWTH)
      add_finished(baseline, f);
  }
  if (baseline->count > 1)
    qsort(baseline->values, (size_t)baseline->count, sizeof *baseline->values, shk_baseline_order);
  join_all(baseline);
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
    snprintf(buffer, size, "%.*g", value->why == SHK_BECAUSE_ROUND_OFF ? 2 : 6, x);
    /* Whole numbers, and numbers that become whole when rounded, are written with all their digits.
     * They would otherwise be read back as different values. */
    const double y = x == floor(x) ? x : strtod(buffer, NULL);
    if (y == floor(y) && fabs(y) < 1e15)
      snprintf(buffer, size, "%.0f", y == 0 ? 0 : y);
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

double shk_baseline_notices(const struct shk_baseline_value *v)
{
  const struct shk_band_range range =
      shk_band_range(&v->band, v->value, v->half_width, v->half_width);
  return v->band.kind == SHK_BAND_NONE ? NAN : fmin(range.high - v->value, v->value - range.low);
}

bool shk_baseline_is_gated_slope(const struct shk_baseline_value *v)
{
  return shk_quantities[v->id].kind == SHK_KIND_SECULAR && v->band.kind == SHK_BAND_WITHIN &&
         !isnan(v->value) && shk_named_finding(v->quantity).statistic == SHK_STATISTIC_NONE;
}

void shk_baseline_print_line(FILE *file, const struct shk_baseline_value *value)
{
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
                                shk_band_reasons[value->why].word,
                                shk_verdict_word(value->verdict)};
  for (size_t k = 0; k < sizeof fields / sizeof fields[0]; k++) {
    if (k > 0)
      fputs(" | ", file);
    print_field(file, fields[k]);
  }
  if (shk_baseline_is_gated_slope(value))
    fprintf(file, " | notices %.2g", shk_baseline_notices(value));
}

void shk_baseline_print(FILE *file, const struct shk_baseline *baseline)
{
  fputs(
      "shakedown baseline 1\n"
      "#\n"
      "# Analysed values of a study. `shakedown check` runs the study again and compares each\n"
      "# value with its band; `shakedown baseline --update` rewrites the values that left theirs.\n"
      "#\n"
      "# integrator | problem | precision | quantity | value | half-width | band | why | "
      "verdict\n"
      "# and for a slope the smallest drift that is noticed\n"
      "#\n"
      "# Why a band applies:\n",
      file);
  for (int i = 0; i < SHK_BAND_REASONS; i++)
    fprintf(file, "#   %-12s  %s\n", shk_band_reasons[i].word, shk_band_reasons[i].sentence);
  fputs("#\nstudy | ", file);
  print_field(file, baseline->study);
  putc('\n', file);
  for (int i = 0; i < baseline->count; i++) {
    shk_baseline_print_line(file, &baseline->values[i]);
    putc('\n', file);
  }
}
