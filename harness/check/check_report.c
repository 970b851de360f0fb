/*
 * TAP 13 (testanything.org, version 13 specification: YAML blocks below a point) and JUnit XML as
 * CI systems read it (one <testsuites>, <testsuite>, <testcase>, <failure>; there is no standard).
 */
#include "harness/check/check_report.h"
#include "foundation/memory.h"
#include "results/export/export.h"
#include <stdlib.h>
#include <string.h>

/* ---- changes ---- */

/* Prints a line of TAP: a prefix and a text. */
static void print_line(FILE *file, const char *prefix, const char *text)
{
  fputs(prefix, file);
  shk_print_tap(file, text);
  putc('\n', file);
}

/* Order of the changes: claims that fell (are falsified now) first, then other failures. */
enum { FELL, FAILS, PASSES, RANKS };

static int rank_of_row(const struct shk_compared *row)
{
  return row->fell ? FELL : shk_changes[row->change].fails ? FAILS : PASSES;
}

enum { MOST_CHOSEN = 3 }; /* largest number of methods in a headline, and of changes of each */

/* Prints "3 claims of rattle fell: order of q 2.00 → 1.00, …" for the rows of a method with this
 * rank, if there are any, in the order of measures/quantities.def; adds 1 to *methods. */
static void print_method(FILE *text, int *methods, const struct shk_compared *rows, int count,
                         int of_rank)
{
  struct shk_index chosen = {0};
  int all = 0;
  for (int id = 0; id <= SHK_QUANTITIES; id++)
    for (int i = count - 1; i >= 0; i--)
      if (rows[i].precisions && rank_of_row(&rows[i]) == of_rank && (int)rows[i].of->id == id) {
        shk_index_number(&chosen, "%s %s", rows[i].of->quantity, rows[i].moved);
        all++;
      }
  if (all > 0 && ++*methods <= MOST_CHOSEN) {
    fprintf(text, "%s%d %s%s of %s %s", *methods > 1 ? "; " : "", all,
            of_rank == FELL ? "claim" : "value", all == 1 ? "" : "s", rows->of->integrator,
            of_rank == FELL ? "fell"
            : all == 1      ? "left its band"
                            : "left their bands");
    for (int k = 0; k < chosen.count && k < MOST_CHOSEN; k++)
      fprintf(text, "%s %s", k == 0 ? ":" : ",", chosen.texts[k]);
    fputs(chosen.count > MOST_CHOSEN ? ", …" : "", text);
  }
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
    fprintf(text, "; and of %d more methods", methods - MOST_CHOSEN);
}

char *shk_check_headline(const struct shk_comparison *comparison)
{
  return comparison->failing > 0 ? shk_printed_text(print_headline, comparison) : NULL;
}

void shk_check_print_changes(FILE *file, const char *prefix,
                             const struct shk_comparison *comparison)
{
  const int *const counts = comparison->counts;
  for (int r = 0; r < RANKS; r++)
    for (int i = 0; i < comparison->count; i++) {
      const struct shk_compared *const row = &comparison->rows[i];
      const struct shk_baseline_value *const v = row->of;
      if (rank_of_row(row) != r || !row->precisions)
        continue;
      char *const line = shk_print_text("%s on %s in %s: %s: %s", v->integrator, v->problem,
                                        row->precisions, row->saying, row->cause);
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

/* ---- TAP ---- */

static const char *value_text(char *text, size_t size, const struct shk_baseline_value *v)
{
  char value[128];
  if (!v)
    return "nothing";
  if (!(v->half_width > 0))
    return shk_baseline_text(text, size, v);
  snprintf(text, size, "%s ± %.2g", shk_baseline_text(value, sizeof value, v), v->half_width);
  return text;
}

/* Prints the details of a value that fails, each on a line that begins with `before`. */
static void print_details(FILE *file, const char *before, const struct shk_compared *row,
                          void (*print)(FILE *file, const char *text))
{
  char was[256], is[256], band[256] = "none yet";
  if (row->was)
    shk_compared_band(band, sizeof band, row->was, row->is);
  const char *const lines[][2] = {{"was", value_text(was, sizeof was, row->was)},
                                  {"is", value_text(is, sizeof is, row->is)},
                                  {"band", band},
                                  {"why", shk_band_reasons[row->of->why].sentence},
                                  {"cause", row->cause}};
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    fprintf(file, "%s%s: ", before, lines[i][0]);
    print(file, lines[i][1]);
    putc('\n', file);
  }
}

void shk_check_print_tap(FILE *file, const struct shk_comparison *comparison)
{
  char *const headline = shk_check_headline(comparison);
  fprintf(file, "TAP version 13\n1..%d\n", comparison->count);
  if (headline)
    print_line(file, "# ", headline);
  free(headline);
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
      print_details(file, "  ", row, shk_print_json);
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

static void print_lines(FILE *file, const void *row)
{
  print_details(file, "", row, print_as_it_is);
}

static void add_case(struct shk_junit *junit, const struct shk_compared *row)
{
  const struct shk_baseline_value *const v = row->of;
  const bool fails = shk_changes[row->change].fails;
  char *const class = shk_print_text("%s on %s in %s", v->integrator, v->problem, v->precision),
              *const lines = fails ? shk_printed_text(print_lines, row) : NULL;
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
        add_case(&junit, &comparison->rows[i]);
  shk_junit_print(file, &junit);
  shk_junit_clear(&junit);
  free(headline);
}
