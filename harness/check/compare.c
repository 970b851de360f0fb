/*
 * Comparing analysed values.
 *
 * Which way is better, where a value is beyond its band, is a column of measures/quantities.def;
 * classes are ranked by their own list, and words that are in none are neither better nor worse. A
 * number that has become a word (refused, crashed, undetermined) is worse, the reverse better. A
 * verdict that became "falsified" is a change even within the band, since claims may change where
 * numbers do not.
 */
#include "harness/check/compare.h"
#include "foundation/memory.h"
#include "harness/analysis/statistics/drift.h"
#include "measures/quantity.h"
#include "results/record/record.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *word;
  bool fails;
} changes[SHK_CHANGES] = {
#define CHANGE(id, word, fails) [SHK_CHANGE_##id] = {word, fails},
#include "harness/check/changes.def"
#undef CHANGE
};

const char *shk_change_word(enum shk_change change)
{
  return changes[change].word;
}

bool shk_change_fails(enum shk_change change)
{
  return changes[change].fails;
}

int shk_comparison_exit_code(const struct shk_comparison *comparison)
{
  bool incomplete = false;
  for (int i = 0; i < comparison->count; i++)
    if (shk_change_fails(comparison->rows[i].change)) {
      if (!comparison->rows[i].incomplete)
        return 1;
      incomplete = true;
    }
  return incomplete ? 3 : 0;
}

/* ---- which way ---- */

/* Refusals are better than failures, which all other words are. */
static int rank_of_status(const char *word)
{
  if (strcmp(word, shk_end_names[SHK_END_FINISHED]) == 0)
    return 0;
  return strcmp(word, shk_code_name(SHK_REFUSED)) == 0 ? 1 : 2;
}

/* Below zero: it is in no list. */
static int rank_of_class(const char *word)
{
  const enum shk_energy_class class = shk_energy_class_named(word);
  return class == SHK_ENERGY_UNDETERMINED || class == SHK_ENERGY_CLASSES ? -1 : (int)class;
}

static enum shk_change direction_of_words(enum shk_quantity_id quantity, const char *was,
                                          const char *is)
{
  const bool status = quantity == SHK_QUANTITY_STATUS;
  const int before = status ? rank_of_status(was) : rank_of_class(was);
  const int now = status ? rank_of_status(is) : rank_of_class(is);
  if (before < 0 || now < 0 || before == now)
    return SHK_CHANGE_CHANGED;
  return now > before ? SHK_CHANGE_REGRESSED : SHK_CHANGE_IMPROVED;
}

static enum shk_change direction_of_numbers(enum shk_quantity_id quantity, double was, double is)
{
  const enum shk_better better = shk_quantities[quantity].better;
  if (better == SHK_BETTER_NEITHER)
    return SHK_CHANGE_CHANGED;
  const bool larger_is_better = better == SHK_BETTER_MORE;
  const bool larger = larger_is_better ? is > was : fabs(is) > fabs(was);
  return larger == larger_is_better ? SHK_CHANGE_IMPROVED : SHK_CHANGE_REGRESSED;
}

static bool is_undetermined(const struct shk_baseline_value *v)
{
  return !v->word && isnan(v->value);
}

static enum shk_change change_of(const struct shk_baseline_value *was,
                                 const struct shk_baseline_value *is)
{
  const bool gated = was->band.kind != SHK_BAND_NONE;
  const bool falsified = is->verdict == SHK_VERDICT_FALSIFIED;
  if (falsified != (was->verdict == SHK_VERDICT_FALSIFIED))
    return falsified ? SHK_CHANGE_REGRESSED : SHK_CHANGE_IMPROVED;
  if (is_undetermined(was))
    return is_undetermined(is) ? SHK_CHANGE_NONE : SHK_CHANGE_NOTED;
  if (was->word && is->word) {
    if (strcmp(was->word, is->word) == 0)
      return SHK_CHANGE_NONE;
    /* Among the classes of round-off nothing is held, but to leave them is. */
    if (!gated && is->why == SHK_BECAUSE_ROUND_OFF)
      return SHK_CHANGE_NOTED;
    return direction_of_words(was->id, was->word, is->word);
  }
  if (was->word)
    return is_undetermined(is) ? gated ? SHK_CHANGE_REGRESSED : SHK_CHANGE_NOTED
                               : SHK_CHANGE_IMPROVED;
  if (isnan(is->value))
    return gated ? SHK_CHANGE_REGRESSED : SHK_CHANGE_NOTED;
  if (!gated || shk_band_holds(&was->band, was->value, was->half_width, is->value, is->half_width))
    return SHK_CHANGE_NONE;
  return direction_of_numbers(was->id, was->value, is->value);
}

/* ---- in words ---- */

char *shk_compared_band(char *buffer, unsigned long size, const struct shk_baseline_value *was,
                        const struct shk_baseline_value *is)
{
  char band[128];
  shk_band_text(band, sizeof band, &was->band);
  if (isnan(was->value) || was->band.kind == SHK_BAND_NONE || was->band.kind == SHK_BAND_EQUAL) {
    snprintf(buffer, size, "%s", band);
    return buffer;
  }
  const struct shk_band_range range =
      shk_band_range(&was->band, was->value, was->half_width, is ? is->half_width : NAN);
  snprintf(buffer, size, "%.6g … %.6g (%s)", range.low, range.high, band);
  return buffer;
}

static bool is_measured(const struct shk_baseline_value *v)
{
  return !v->word && isfinite(v->value);
}

/* Both values with as few digits as distinguish them, two at least behind an order's point; whole
 * numbers that are no orders in full. */
static void short_texts(char *was, char *is, size_t size, const struct shk_baseline_value *a,
                        const struct shk_baseline_value *b)
{
  const enum shk_quantity_kind kind = shk_quantities[a->id].kind;
  const bool order = kind == SHK_KIND_ORDER || kind == SHK_KIND_GROWTH;
  for (int digits = 2; digits <= 17; digits++) {
    const struct shk_baseline_value *const values[2] = {a, b};
    char *const texts[2] = {was, is};
    for (int k = 0; k < 2; k++)
      if (!is_measured(values[k]) || (!order && values[k]->value == floor(values[k]->value)))
        shk_baseline_text(texts[k], size, values[k]);
      else
        snprintf(texts[k], size, order ? "%.*f" : "%.*g", order ? digits : digits + 1,
                 values[k]->value);
    if (strcmp(was, is) != 0 || a->value == b->value)
      break;
  }
}

static char *name_of(const struct shk_baseline_value *v)
{
  return shk_print_text("%s on %s in %s: %s", v->integrator, v->problem, v->precision, v->quantity);
}

static char *sentence_of(const struct shk_compared *row)
{
  char was[128], is[128];
  char *name = name_of(row->was ? row->was : row->is), *sentence;
  if (!row->was) {
    shk_baseline_text(is, sizeof is, row->is);
    sentence =
        shk_print_text("%s %s%s%s, new", name, is, row->change == SHK_CHANGE_NEW_BAD ? ", " : "",
                       row->change == SHK_CHANGE_NEW_BAD ? shk_verdict_word(row->is->verdict) : "");
  } else if (!row->is) {
    shk_baseline_text(was, sizeof was, row->was);
    sentence = shk_print_text("%s %s → nothing, missing", name, was);
  } else {
    short_texts(was, is, sizeof was, row->was, row->is);
    const bool verdict =
        row->was->verdict != row->is->verdict &&
        (row->was->verdict == SHK_VERDICT_FALSIFIED || row->is->verdict == SHK_VERDICT_FALSIFIED);
    char *verdicts = verdict ? shk_print_text(" (%s → %s)", shk_verdict_word(row->was->verdict),
                                              shk_verdict_word(row->is->verdict))
                             : shk_copy_text("");
    if (row->change == SHK_CHANGE_NONE)
      sentence = shk_print_text("%s %s", name, is);
    else
      sentence = shk_print_text(
          "%s %s → %s%s, %s%s", name, was, is, verdicts,
          row->change == SHK_CHANGE_NOTED ? "not gated" : shk_change_word(row->change),
          row->change == SHK_CHANGE_IMPROVED ? " (renew the baseline if that is meant)" : "");
    free(verdicts);
  }
  free(name);
  return sentence;
}

static bool same_triple(const struct shk_baseline_value *a, const struct shk_baseline_value *b)
{
  return strcmp(a->integrator, b->integrator) == 0 && strcmp(a->problem, b->problem) == 0 &&
         strcmp(a->precision, b->precision) == 0;
}

/* The status of the cells that a value comes from, if something is wrong with them. */
static const struct shk_baseline_value *bad_status(const struct shk_baseline *set,
                                                   const struct shk_baseline_value *of)
{
  /* The values of a triple stand together, in the order of sets; its first is looked for. */
  const struct shk_baseline_value key = {.integrator = of->integrator,
                                         .problem = of->problem,
                                         .precision = of->precision,
                                         .quantity = (char *)""};
  int low = 0, high = set->count;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (shk_baseline_order(&set->values[middle], &key) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  for (int i = low; i < set->count && same_triple(&set->values[i], of); i++)
    if ((set->values[i].verdict == SHK_VERDICT_FAILED ||
         set->values[i].verdict == SHK_VERDICT_REFUSED) &&
        set->values[i].id == SHK_QUANTITY_STATUS)
      return &set->values[i];
  return NULL;
}

static void explain(struct shk_compared *row, const struct shk_baseline *newer)
{
  const struct shk_baseline_value *v = row->is ? row->is : row->was;
  const struct shk_baseline_value *status = bad_status(newer, v);
  row->incomplete =
      shk_change_fails(row->change) && ((status && status->verdict == SHK_VERDICT_FAILED) ||
                                        (row->is && row->is->verdict == SHK_VERDICT_FAILED));
  if (row->change == SHK_CHANGE_NONE)
    return;
  if (row->is && row->is->reason)
    row->cause = shk_copy_text(row->is->reason);
  else if (status)
    row->cause = shk_print_text("%s: %s", status->word, status->reason ? status->reason : "");
  else if (!row->is)
    row->cause = shk_copy_text("the study gives no such value any more");
  else if (!row->was)
    row->cause = shk_copy_text("the baseline has no such value");
  else if (row->was->verdict != row->is->verdict && row->is->expected)
    row->cause = shk_print_text("claimed: %s", row->is->expected);
  else
    row->cause = shk_copy_text("outside its band");
}

/* ---- the comparison ---- */

static void add(struct shk_comparison *comparison, const struct shk_baseline_value *was,
                const struct shk_baseline_value *is, const struct shk_baseline *newer)
{
  struct shk_compared row = {.was = was, .is = is};
  if (!was)
    row.change = is->verdict == SHK_VERDICT_FALSIFIED || is->verdict == SHK_VERDICT_FAILED
                     ? SHK_CHANGE_NEW_BAD
                     : SHK_CHANGE_NEW;
  else if (!is)
    row.change = is_undetermined(was) || was->why == SHK_BECAUSE_CLOCK ? SHK_CHANGE_NOTED
                                                                       : SHK_CHANGE_MISSING;
  else
    row.change = change_of(was, is);
  row.sentence = sentence_of(&row);
  explain(&row, newer);
  comparison->rows =
      shk_grow(comparison->rows, (size_t)comparison->count, sizeof *comparison->rows);
  comparison->rows[comparison->count++] = row;
  comparison->counts[row.change]++;
}

void shk_compare(struct shk_comparison *comparison, const struct shk_baseline *was,
                 const struct shk_baseline *is)
{
  *comparison = (struct shk_comparison){0};
  for (int i = 0, j = 0; i < was->count || j < is->count;) {
    const struct shk_baseline_value *a = i < was->count ? &was->values[i] : NULL;
    const struct shk_baseline_value *b = j < is->count ? &is->values[j] : NULL;
    const int order = !a ? 1 : !b ? -1 : shk_baseline_order(a, b);
    add(comparison, order <= 0 ? a : NULL, order >= 0 ? b : NULL, is);
    i += order <= 0;
    j += order >= 0;
  }
}

void shk_comparison_clear(struct shk_comparison *comparison)
{
  for (int i = 0; i < comparison->count; i++) {
    free(comparison->rows[i].sentence);
    free(comparison->rows[i].cause);
  }
  free(comparison->rows);
  *comparison = (struct shk_comparison){0};
}
