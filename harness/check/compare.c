/*
 * Compares analysed values.
 *
 * If a value leaves its band, the BETTER column of measures/quantities.def determines which
 * direction counts as better. Classes and statuses are ranked, but other words are neither better
 * nor worse. A value that turns from a number into a word (refused, crashed) or becomes
 * undetermined counts as worse. Time ratios are an exception, because they may merely be too noisy.
 * A word that turns into a number counts as better. If the verdict becomes "falsified", that counts
 * as a change even if the value is within its band, because a claim can change while the number
 * stays the same.
 */
#include "harness/check/compare.h"
#include "foundation/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct shk_change_entry shk_changes[SHK_CHANGES] = {
#define CHANGE(id, word, fails, ending) [SHK_CHANGE_##id] = {word, fails, ending},
#include "harness/check/changes.def"
#undef CHANGE
};

/* ---- direction of changes ---- */

/* Returns the rank of a status (finished, refused, any failure) or of a class, starting with the
 * best. Returns a negative number for any other word. */
static int rank_of(enum shk_quantity_id quantity, const char *word)
{
  const enum shk_energy_class class = shk_energy_class_named(word);
  if (quantity != SHK_QUANTITY_STATUS)
    return class == SHK_ENERGY_UNDETERMINED || class == SHK_ENERGY_CLASSES ? -1 : (int)class;
  return strcmp(word, shk_end_names[SHK_END_FINISHED]) == 0 ? 0
         : strcmp(word, shk_code_name(SHK_REFUSED)) == 0    ? 1
                                                            : 2;
}

/* Determines whether a change is for the better or for the worse. Words are compared by rank. */
static enum shk_change direction_of(const struct shk_baseline_value *was,
                                    const struct shk_baseline_value *is)
{
  const enum shk_better better = shk_quantities[was->id].better;
  double before = fabs(was->value), now = fabs(is->value);
  if (was->word) {
    before = rank_of(was->id, was->word);
    now = rank_of(is->id, is->word);
  } else if (better == SHK_BETTER_MORE) {
    before = -was->value;
    now = -is->value;
  }
  if (before == now || (was->word ? before < 0 || now < 0 : better == SHK_BETTER_NEITHER))
    return SHK_CHANGE_CHANGED;
  return now > before ? SHK_CHANGE_REGRESSED : SHK_CHANGE_IMPROVED;
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
  const enum shk_change worse = gated ? SHK_CHANGE_REGRESSED : SHK_CHANGE_NOTED;
  if (falsified != (was->verdict == SHK_VERDICT_FALSIFIED))
    return falsified ? SHK_CHANGE_REGRESSED : SHK_CHANGE_IMPROVED;
  if (is_undetermined(was))
    return is_undetermined(is) ? SHK_CHANGE_NONE : SHK_CHANGE_NOTED;
  if (was->word && is->word)
    return strcmp(was->word, is->word) == 0 ? SHK_CHANGE_NONE
           /* A change from one class at round-off to another is only noted. A change to any other
            * class is a failure. */
           : !gated && is->why == SHK_BECAUSE_ROUND_OFF ? SHK_CHANGE_NOTED
                                                        : direction_of(was, is);
  if (was->word && !is_undetermined(is))
    return SHK_CHANGE_IMPROVED;
  if (is_undetermined(is) && !was->word && shk_quantities[is->id].kind == SHK_KIND_PACE)
    return SHK_CHANGE_NOTED; /* The computer was too busy for times to be measured. */
  if (was->word || isnan(is->value))
    return worse;
  if (!gated || shk_band_holds(&was->band, was->value, was->half_width, is->value, is->half_width))
    return SHK_CHANGE_NONE;
  return direction_of(was, is);
}

/* ---- sentences ---- */

char *shk_compared_band(char *buffer, unsigned long size, const struct shk_baseline_value *was,
                        const struct shk_baseline_value *is)
{
  char band[128];
  const struct shk_band_range range =
      shk_band_range(&was->band, was->value, was->half_width, is ? is->half_width : NAN);
  const bool any = was->band.kind == SHK_BAND_WITHIN || was->band.kind == SHK_BAND_FACTOR;
  shk_band_text(band, sizeof band, &was->band);
  if (any && !isnan(was->value))
    snprintf(buffer, size, "%.6g … %.6g (%s)", range.low, range.high, band);
  else
    snprintf(buffer, size, "%s", band);
  return buffer;
}

/* Formats both values with the smallest number of digits that distinguishes them, but with at least
 * three digits or, for orders, two decimal places. Whole numbers that are not orders are written
 * with all their digits. */
static void short_texts(char *was, char *is, size_t size, const struct shk_baseline_value *a,
                        const struct shk_baseline_value *b)
{
  const enum shk_quantity_kind kind = shk_quantities[a->id].kind;
  const bool order = kind == SHK_KIND_ORDER || kind == SHK_KIND_GROWTH;
  for (int digits = 2; digits <= 17; digits++) {
    const struct shk_baseline_value *const values[2] = {a, b};
    char *const texts[2] = {was, is};
    for (int k = 0; k < 2; k++)
      if (values[k]->word || !isfinite(values[k]->value) ||
          (!order && values[k]->value == floor(values[k]->value)))
        shk_baseline_text(texts[k], size, values[k]);
      else
        snprintf(texts[k], size, order ? "%.*f" : "%.*g", order ? digits : digits + 1,
                 values[k]->value);
    if (strcmp(was, is) != 0 || a->value == b->value)
      break;
  }
}

/* Sets the strings `moved`, `sentence` and `saying` of a row. */
static void put_in_words(struct shk_compared *row)
{
  const struct shk_baseline_value *const v = row->of;
  const bool both = row->was && row->is;
  const enum shk_verdict before = both ? row->was->verdict : SHK_VERDICT_NONE;
  char was[128], is[128], verdicts[64] = "";
  if (both)
    short_texts(was, is, sizeof was, row->was, row->is);
  else
    shk_baseline_text(was, sizeof was, v);
  row->moved = both && row->change == SHK_CHANGE_NONE ? shk_copy_text(is)
               : row->was ? shk_print_text("%s → %s", was, both ? is : "not computed")
                          : shk_copy_text(was);
  if (both && (before == SHK_VERDICT_FALSIFIED) != (row->is->verdict == SHK_VERDICT_FALSIFIED))
    snprintf(verdicts, sizeof verdicts, " (%s → %s)", shk_verdict_word(before),
             shk_verdict_word(row->is->verdict));
  else if (row->change == SHK_CHANGE_NEW_BAD)
    snprintf(verdicts, sizeof verdicts, ", %s", shk_verdict_word(row->is->verdict));
  row->before = row->was ? shk_copy_text(was) : NULL;
  row->now = both ? shk_copy_text(is) : row->is ? shk_copy_text(was) : NULL;
  char *const name = shk_print_text("%s on %s in %s: ", v->integrator, v->problem, v->precision);
  row->sentence = shk_print_text("%s%s %s%s%s", name, v->quantity, row->moved, verdicts,
                                 !both && !row->is ? "" : shk_changes[row->change].ending);
  row->saying = row->sentence + strlen(name);
  free(name);
}

/* Returns true if a status describes the cells that produced a value. If the value is itself the
 * status that all cells have finished, the status of any run matches; otherwise it must be that of
 * the same run. Single-step cells do not belong to a run; if they fail, they have findings of their
 * own. */
static bool is_status_of(const struct shk_baseline_value *status,
                         const struct shk_baseline_value *of)
{
  const enum shk_measure_id measure = shk_quantities[of->id].measure;
  if (status->id != SHK_QUANTITY_STATUS || !shk_baseline_same_cells(status, of) ||
      (measure != SHK_MEASURES && shk_measures[measure].in != SHK_IN_RUNS))
    return false;
  const char *const run = shk_named_finding(of->quantity).detail;
  return (of->id == SHK_QUANTITY_STATUS && *run == '\0') ||
         strcmp(shk_named_finding(status->quantity).detail, run) == 0;
}

/* Returns the status of a value's cells if any of them failed or were refused, and NULL
 * otherwise. */
static const struct shk_baseline_value *bad_status(const struct shk_baseline *set,
                                                   const struct shk_baseline_value *of)
{
  for (const struct shk_baseline_value *v = set->values; v < set->values + set->count; v++)
    if ((v->verdict == SHK_VERDICT_FAILED || v->verdict == SHK_VERDICT_REFUSED) &&
        is_status_of(v, of))
      return v;
  return NULL;
}

static void explain_compare(struct shk_compared *row, const struct shk_baseline *newer)
{
  const struct shk_baseline_value *const was = row->was, *const is = row->is;
  const struct shk_baseline_value *const status = bad_status(newer, is ? is : was);
  row->cells_failed = (status && status->verdict == SHK_VERDICT_FAILED) ||
                      (is && is->verdict == SHK_VERDICT_FAILED);
  row->incomplete = shk_changes[row->change].fails && row->cells_failed;
  if (row->change == SHK_CHANGE_NONE)
    return;
  if (!(is && is->reason) && status)
    row->cause = shk_print_text(
        "%s%s%s: %s", status->word, *shk_named_finding(status->quantity).detail ? " " : "",
        shk_named_finding(status->quantity).detail, status->reason ? status->reason : "");
  else if (was && is && !is->reason && was->verdict != is->verdict && is->expected)
    row->cause = shk_print_text("claimed: %s", is->expected);
  else
    row->cause = shk_copy_text(is && is->reason ? is->reason
                               : !is            ? "the study no longer has this value"
                               : !was           ? "the baseline contains no such value"
                                                : "outside its band");
}

/* ---- the comparison ---- */

static void add_compare(struct shk_comparison *comparison, const struct shk_baseline_value *was,
                        const struct shk_baseline_value *is, const struct shk_baseline *newer)
{
  struct shk_compared row = {.was = was, .is = is, .of = was ? was : is};
  if (!was)
    row.change = is->verdict == SHK_VERDICT_FALSIFIED || is->verdict == SHK_VERDICT_FAILED
                     ? SHK_CHANGE_NEW_BAD
                     : SHK_CHANGE_NEW;
  else if (!is)
    row.change = is_undetermined(was) || was->why == SHK_BECAUSE_CLOCK ? SHK_CHANGE_NOTED
                                                                       : SHK_CHANGE_MISSING;
  else
    row.change = change_of(was, is);
  row.fell =
      is && is->verdict == SHK_VERDICT_FALSIFIED && (!was || was->verdict != SHK_VERDICT_FALSIFIED);
  explain_compare(&row, newer);
  *SHK_APPEND(comparison->rows, comparison->count) = row;
}

/* Adds the precision of a row to an earlier row with the same change. If there is no such row,
 * stores the precision in the row itself. */
static void join_precisions(struct shk_compared *rows, int index)
{
  struct shk_compared *const row = &rows[index];
  const struct shk_baseline_value *const v = row->of;
  for (int i = 0; i < index; i++)
    if (rows[i].precisions && strcmp(rows[i].saying, row->saying) == 0 &&
        strcmp(rows[i].of->problem, v->problem) == 0 && strcmp(rows[i].cause, row->cause) == 0) {
      shk_append_text(&rows[i].precisions, " and %s", v->precision);
      return;
    }
  row->precisions = shk_copy_text(v->precision);
}

/* Finds the failing status that explains why a row with failed cells fails. If such a status
 * exists, the row does not need to be reported. */
static void follow_status(struct shk_compared *rows, int count, struct shk_compared *row)
{
  for (int i = 0; i < count && row->incomplete && !row->follows; i++) {
    struct shk_compared *const status = &rows[i];
    if (status != row && status->incomplete && status->is && is_status_of(status->is, row->of)) {
      row->follows = true;
      status->followers++;
    }
  }
}

/* Completes the rows of one method and counts its changes. */
static void finish_method(struct shk_comparison *comparison, struct shk_compared *rows, int count)
{
  int fell = 0;
  for (int i = 0; i < count; i++)
    fell += rows[i].fell;
  for (int i = 0; i < count; i++) {
    if (fell > 0 && rows[i].change == SHK_CHANGE_IMPROVED)
      rows[i].change = SHK_CHANGE_CHANGED;
    if (shk_changes[rows[i].change].fails) {
      comparison->failing++;
      if (comparison->exit_code != 1)
        comparison->exit_code = rows[i].incomplete ? 3 : 1;
    }
    put_in_words(&rows[i]);
    follow_status(rows, count, &rows[i]);
    if (rows[i].change != SHK_CHANGE_NONE)
      join_precisions(rows, i);
    comparison->counts[rows[i].change]++;
  }
  comparison->fell += fell;
}

void shk_compare(struct shk_comparison *comparison, const struct shk_baseline *was,
                 const struct shk_baseline *is)
{
  *comparison = (struct shk_comparison){.study = was->study};
  for (int i = 0, j = 0; i < was->count || j < is->count;) {
    const struct shk_baseline_value *a = i < was->count ? &was->values[i] : NULL;
    const struct shk_baseline_value *b = j < is->count ? &is->values[j] : NULL;
    const int order = !a ? 1 : !b ? -1 : shk_baseline_order(a, b);
    add_compare(comparison, order <= 0 ? a : NULL, order >= 0 ? b : NULL, is);
    i += order <= 0;
    j += order >= 0;
  }
  for (int first = 0, end; first < comparison->count; first = end) {
    end = shk_comparison_end(comparison, first);
    finish_method(comparison, &comparison->rows[first], end - first);
  }
}

int shk_comparison_end(const struct shk_comparison *comparison, int first)
{
  const struct shk_compared *const rows = comparison->rows;
  int end = first;
  while (end < comparison->count &&
         strcmp(rows[end].of->integrator, rows[first].of->integrator) == 0)
    end++;
  return end;
}

void shk_comparison_clear(struct shk_comparison *comparison)
{
  for (int i = 0; i < comparison->count; i++) {
    free(comparison->rows[i].since);
    free(comparison->rows[i].before);
    free(comparison->rows[i].now);
    free(comparison->rows[i].precisions);
    free(comparison->rows[i].moved);
    free(comparison->rows[i].sentence);
    free(comparison->rows[i].cause);
  }
  for (int i = 0; i < comparison->cause_count; i++)
    free(comparison->causes[i].words);
  free(comparison->causes);
  free(comparison->rows);
  *comparison = (struct shk_comparison){0};
}
