/*
 * Writes TAP 13 (testanything.org, version 13 specification, with YAML blocks below test points)
 * and JUnit XML. There is no standard for JUnit XML, so the output uses the elements that CI
 * systems read: <testsuites>, <testsuite>, <testcase> and <failure>.
 */
#include "harness/check/check_report.h"
#include "foundation/memory.h"
#include "results/export/export.h"
#include <stdlib.h>
#include <string.h>

/* ---- changes ---- */

/* Prints a line of TAP, which consists of a prefix and a string. */
static void print_line(FILE *file, const char *prefix, const char *text)
{
  fputs(prefix, file);
  shk_print_tap(file, text);
  putc('\n', file);
}

/* The order in which changes are reported: claims that are now falsified come first, followed by
 * other failures. */
enum { FELL, FAILS, PASSES, RANKS };

static int rank_of_row(const struct shk_compared *row)
{
  return row->fell ? FELL : shk_changes[row->change].fails ? FAILS : PASSES;
}

enum {
  /* the maximum number of methods in a headline and in the lines below it, and the maximum number
   * of changes listed for each method */
  MOST_CHOSEN = 3,
  MOST_LINES = 5 /* the maximum number of values in the lines below a headline */
};

/* Returns true if a change has this rank and gets a sentence of its own. Each change is reported
 * only once for all precisions. Changes that are explained by the status of failed cells are not
 * reported. */
static bool is_said(const struct shk_compared *row, int of_rank)
{
  return row->precisions && !row->follows && rank_of_row(row) == of_rank;
}

/* Returns a string that is the same for all rows that count as one change. The caller must free it.
 * A claim counts once, no matter how many problems, runs and quantities falsify it. */
static char *counted_as(const struct shk_compared *row)
{
  const struct shk_named_quantity named = shk_named_finding(row->of->quantity);
  const enum shk_claim claim = shk_decided_by(&named);
  return row->fell && claim != SHK_NO_CLAIM ? shk_print_text("%d", (int)claim)
         : row->fell                        ? shk_copy_text(row->of->quantity)
                     : shk_print_text("%s %s", row->of->quantity, row->moved);
}

/* Prints a phrase such as "3 claims of rattle failed: order of q 2.00 → 1.00, …" about all rows of
 * a method that have this rank, in the order of measures/quantities.def, and adds 1 to *methods.
 * Does nothing if there are no such rows. */
static void print_method(FILE *text, int *methods, const struct shk_compared *rows, int count,
                         int of_rank)
{
  struct shk_index counted = {0}, chosen = {0};
  int all = 0;
  bool ended = true; /* true if each of these rows is the status of failed cells */
  for (int id = 0; id <= SHK_QUANTITIES; id++)
    for (int i = count - 1; i >= 0; i--)
      if (is_said(&rows[i], of_rank) && (int)rows[i].of->id == id) {
        char *const as = counted_as(&rows[i]);
        const int known = counted.count;
        if (shk_index_text(&counted, as) == known)
          shk_index_number(&chosen, "%s %s", rows[i].of->quantity, rows[i].moved);
        ended = ended && id == SHK_QUANTITY_STATUS && rows[i].incomplete;
        free(as);
        all++;
      }
  all = of_rank == FELL ? counted.count : all;
  if (all > 0 && ++*methods <= MOST_CHOSEN) {
    fputs(*methods > 1 ? "; " : "", text);
    if (ended)
      fprintf(text, "cells of %s did not finish", rows->of->integrator);
    else
      fprintf(text, "%d %s%s of %s %s", all, of_rank == FELL ? "claim" : "value",
              all == 1 ? "" : "s", rows->of->integrator,
              of_rank == FELL ? "failed"
              : all == 1      ? "left its band"
                              : "left their bands");
    for (int k = 0; k < chosen.count && k < MOST_CHOSEN; k++)
      fprintf(text, "%s %s", k == 0 ? ":" : ",", chosen.texts[k]);
    fputs(chosen.count > MOST_CHOSEN ? ", …" : "", text);
  }
  shk_index_clear(&counted);
  shk_index_clear(&chosen);
}

static void print_headline(FILE *text, const void *thing)
{
  const struct shk_comparison *const comparison = thing;
  int methods = 0;
  for (int first = 0, end; first < comparison->count; first = end) {
    end = shk_comparison_end(comparison, first);
    print_method(text, &methods, &comparison->rows[first], end - first,
                 comparison->fell > 0 ? FELL : FAILS);
  }
  if (methods > MOST_CHOSEN)
    fprintf(text, "; %d more methods are affected", methods - MOST_CHOSEN);
}

char *shk_check_headline(const struct shk_comparison *comparison)
{
  return comparison->failing > 0 ? shk_printed_text(print_headline, comparison) : NULL;
}

/* Appends the number of values that are missing or changed because cells failed. */
static void append_followers(char **text, const struct shk_compared *row)
{
  if (row->followers > 0)
    shk_append_text(text, "; so %d value%s missing or wrong", row->followers,
                    row->followers == 1 ? " is" : "s are");
}

void shk_check_print_changes(FILE *file, const char *prefix,
                             const struct shk_comparison *comparison)
{
  const int *const counts = comparison->counts;
  for (int r = 0; r < RANKS; r++)
    for (int i = 0; i < comparison->count; i++) {
      const struct shk_compared *const row = &comparison->rows[i];
      const struct shk_baseline_value *const v = row->of;
      if (!is_said(row, r))
        continue;
      char *line = shk_print_text("%s on %s in %s: %s: %s", v->integrator, v->problem,
                                  row->precisions, row->saying, row->cause);
      append_followers(&line, row);
      print_line(file, prefix, line);
      free(line);
    }
  fprintf(file,
          "%s%d values: %d within their bands, %d regressed, %d improved, %d changed, "
          "%d missing, %d new",
          prefix, comparison->count, counts[SHK_CHANGE_NONE] + counts[SHK_CHANGE_NOTED],
          counts[SHK_CHANGE_REGRESSED], counts[SHK_CHANGE_IMPROVED], counts[SHK_CHANGE_CHANGED],
          counts[SHK_CHANGE_MISSING], counts[SHK_CHANGE_NEW] + counts[SHK_CHANGE_NEW_BAD]);
  if (counts[SHK_CHANGE_NEW_BAD] > 0)
    fprintf(file, " (%d of them falsified or failed)", counts[SHK_CHANGE_NEW_BAD]);
  putc('\n', file);
}

/* ---- the first lines ---- */

/* Returns a line about a change, such as "order of q of rattle on pendulum in double: 2.00 since
 * 3f2a1b0 of 2026-10-01, 1.00 now; the claim failed 2 more times". The caller must free the
 * string. */
static char *line_of_change(const struct shk_compared *row, int more)
{
  const struct shk_baseline_value *const v = row->of;
  char *text = shk_print_text("%s of %s on %s in %s: ", v->quantity, v->integrator, v->problem,
                              row->precisions);
  if (row->incomplete && row->cause)
    shk_append_text(&text, "%s", row->cause);
  else
    shk_append_text(&text, "%s %s, %s now", row->before ? row->before : "not",
                    row->since ? row->since : "in the baseline", row->now ? row->now : "missing");
  if (row->fell && row->before && row->now && strcmp(row->before, row->now) == 0)
    shk_append_text(&text, ", but claimed: %s",
                    row->is->expected ? row->is->expected : "otherwise");
  append_followers(&text, row);
  if (more > 0)
    shk_append_text(&text, "; the claim failed %d more time%s", more, more == 1 ? "" : "s");
  return text;
}

/* Returns true if both rows are reported in a single line because they are about the same falsified
 * claim of a method. */
static bool is_same_fall(const struct shk_compared *a, const struct shk_compared *b)
{
  if (!a->fell || !b->fell || strcmp(a->of->integrator, b->of->integrator) != 0)
    return false;
  char *const one = counted_as(a), *const other = counted_as(b);
  const bool same = strcmp(one, other) == 0;
  free(one);
  free(other);
  return same;
}

/* Prints one line for each newly falsified claim or, if there are none, for each value that left
 * its band. If there are too many, only the first ones are printed, followed by the number of those
 * left out. */
static void print_first_changes(FILE *file, const struct shk_comparison *comparison)
{
  const int rank = comparison->fell > 0 ? FELL : FAILS;
  const struct shk_compared *const rows = comparison->rows;
  int lines = 0;
  for (int i = 0; i < comparison->count; i++) {
    /* numbers of earlier and later rows that share a line with this row */
    int before = 0, after = 0;
    for (int k = 0; is_said(&rows[i], rank) && k < comparison->count; k++)
      if (k != i && is_said(&rows[k], rank) && is_same_fall(&rows[i], &rows[k]))
        *(k < i ? &before : &after) += 1;
    if (!is_said(&rows[i], rank) || before > 0 || ++lines > MOST_LINES)
      continue;
    char *const text = line_of_change(&rows[i], after);
    print_line(file, "#   ", text);
    free(text);
  }
  if (lines > MOST_LINES)
    fprintf(file, "#   and %d more %s%s\n", lines - MOST_LINES, rank == FELL ? "claim" : "value",
            lines - MOST_LINES == 1 ? "" : "s");
}

static const char *likely_cause_of(const struct shk_comparison *comparison, const char *integrator)
{
  for (int i = 0; i < comparison->cause_count; i++)
    if (strcmp(comparison->causes[i].integrator, integrator) == 0)
      return comparison->causes[i].words;
  return NULL;
}

/* Prints a summary of at most 11 lines for human readers: the headline, likely causes, changes, and
 * the command that shows more. */
static void print_first_lines(FILE *file, const struct shk_comparison *comparison, const char *more)
{
  char *const headline = shk_check_headline(comparison);
  if (!headline)
    return;
  print_line(file, "# ", headline);
  for (int i = 0; i < comparison->cause_count && i < MOST_CHOSEN; i++) {
    char *const text = shk_print_text("likely cause %s: %s", comparison->causes[i].integrator,
                                      comparison->causes[i].words);
    print_line(file, "# ", text);
    free(text);
  }
  print_first_changes(file, comparison);
  if (more)
    print_line(file, "# to see more: ", more);
  free(headline);
}

/* ---- TAP ---- */

static const char *value_text(char *text, size_t size, const struct shk_baseline_value *v)
{
  char value[128];
  if (!v)
    return "not computed";
  if (!(v->half_width > 0))
    return shk_baseline_text(text, size, v);
  snprintf(text, size, "%s ± %.2g", shk_baseline_text(value, sizeof value, v), v->half_width);
  return text;
}

/* Prints the details of a value that failed. Each line begins with `before`. */
static void print_details(FILE *file, const char *before, const struct shk_compared *row,
                          const char *likely, void (*print)(FILE *file, const char *text))
{
  char was[256], is[256], band[256] = "none yet";
  if (row->was)
    shk_compared_band(band, sizeof band, row->was, row->is);
  const char *const lines[][2] = {
      {"was", value_text(was, sizeof was, row->was)},
      {"is", value_text(is, sizeof is, row->is)},
      {"band", band},
      {"why", row->of->because ? row->of->because : shk_band_reasons[row->of->why].sentence},
      {"cause", row->cause},
      {"likely cause", row->fell ? likely : NULL}};
  for (size_t i = 0; i < sizeof lines / sizeof lines[0] && lines[i][1]; i++) {
    fprintf(file, "%s%s: ", before, lines[i][0]);
    print(file, lines[i][1]);
    putc('\n', file);
  }
}

void shk_check_print_tap(FILE *file, const struct shk_comparison *comparison, const char *more)
{
  fprintf(file, "TAP version 13\n1..%d\n", comparison->count);
  print_first_lines(file, comparison, more);
  for (int r = 0, point = 0; r < RANKS; r++)
    for (int i = 0; i < comparison->count; i++) {
      const struct shk_compared *const row = &comparison->rows[i];
      if (rank_of_row(row) != r)
        continue;
      fprintf(file, "%sok %d - ", r != PASSES ? "not " : "", ++point);
      print_line(file, "", row->sentence);
      if (r == PASSES)
        continue;
      fputs("  ---\n  message: ", file);
      shk_print_json(file, row->sentence);
      putc('\n', file);
      print_details(file, "  ", row, likely_cause_of(comparison, row->of->integrator),
                    shk_print_json);
      fputs("  ...\n", file);
    }
  shk_check_print_changes(file, "# ", comparison);
}

/* ---- JUnit ---- */

static void print_attribute(FILE *file, const char *name, const char *text)
{
  fprintf(file, " %s=\"", name);
  shk_print_xml(file, text);
  putc('"', file);
}

void shk_junit_add(struct shk_junit *junit, const char *class, const char *name,
                   const char *outcome, const char *type, const char *message, const char *details)
{
  if (!junit->cases)
    junit->cases = open_memstream(&junit->text, &junit->length);
  if (!junit->cases)
    shk_out_of_memory();
  junit->tests++;
  junit->failures += outcome && strcmp(outcome, "failure") == 0;
  junit->skipped += outcome && strcmp(outcome, "skipped") == 0;
  fputs("    <testcase", junit->cases);
  print_attribute(junit->cases, "classname", class);
  print_attribute(junit->cases, "name", name);
  if (!outcome) {
    fputs("/>\n", junit->cases);
    return;
  }
  fprintf(junit->cases, ">\n      <%s", outcome);
  print_attribute(junit->cases, "type", type);
  print_attribute(junit->cases, "message", message);
  fputs(">", junit->cases);
  shk_print_xml(junit->cases, details);
  fprintf(junit->cases, "</%s>\n    </testcase>\n", outcome);
}

void shk_junit_print(FILE *file, const void *with_cases)
{
  const struct shk_junit *const junit = with_cases;
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", file);
  fprintf(file, "<testsuites tests=\"%d\" failures=\"%d\">\n  <testsuite", junit->tests,
          junit->failures);
  print_attribute(file, "name", junit->suite);
  fprintf(file, " tests=\"%d\" failures=\"%d\" errors=\"0\" skipped=\"%d\">\n", junit->tests,
          junit->failures, junit->skipped);
  if (junit->headline) {
    fputs("    <properties>\n      <property name=\"headline\"", file);
    print_attribute(file, "value", junit->headline);
    fputs("/>\n    </properties>\n", file);
  }
  if (junit->cases && fflush(junit->cases) == 0)
    fputs(junit->text, file);
  fputs("  </testsuite>\n</testsuites>\n", file);
}

void shk_junit_clear(struct shk_junit *junit)
{
  if (junit->cases)
    fclose(junit->cases);
  free(junit->text);
}

static void print_as_it_is(FILE *file, const char *text)
{
  fputs(text, file);
}

/* A row that fails, and the likely cause for its method (NULL if unknown). */
struct failure {
  const struct shk_compared *row;
  const char *likely;
};

static void print_lines(FILE *file, const void *of)
{
  const struct failure *const failure = of;
  print_details(file, "", failure->row, failure->likely, print_as_it_is);
}

static void add_case(struct shk_junit *junit, const struct shk_compared *row, const char *likely)
{
  const struct shk_baseline_value *const v = row->of;
  const bool fails = shk_changes[row->change].fails;
  char *const class = shk_print_text("%s on %s in %s", v->integrator, v->problem, v->precision),
              *const lines =
                  fails ? shk_printed_text(print_lines, &(struct failure){row, likely}) : NULL;
  shk_junit_add(junit, class, v->quantity, fails ? "failure" : NULL, shk_changes[row->change].word,
                row->sentence, lines);
  free(lines);
  free(class);
}

void shk_check_print_junit(FILE *file, const struct shk_comparison *comparison)
{
  char *const headline = shk_check_headline(comparison);
  struct shk_junit junit = {.suite = comparison->study, .headline = headline};
  for (int r = 0; r < RANKS; r++)
    for (int i = 0; i < comparison->count; i++)
      if (rank_of_row(&comparison->rows[i]) == r)
        add_case(&junit, &comparison->rows[i],
                 likely_cause_of(comparison, comparison->rows[i].of->integrator));
  shk_junit_print(file, &junit);
  shk_junit_clear(&junit);
  free(headline);
}
