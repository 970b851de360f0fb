/*
 * TAP 13 (testanything.org, version 13 specification: YAML blocks below a point) and the JUnit XML
 * that CI systems read (one <testsuites>, <testsuite>, <testcase>, <failure>; there is no
 * standard).
 */
#include "harness/check/check_report.h"
#include "results/export/export.h"
#include <string.h>

/* ---- TAP ---- */

static void print_entry(FILE *file, const char *key, const char *text)
{
  fprintf(file, "  %s: ", key);
  shk_print_yaml(file, text);
  putc('\n', file);
}

struct texts {
  char was[128], is[128], band[256];
};

static void value_text(char *text, size_t size, const struct shk_baseline_value *v)
{
  if (!v) {
    snprintf(text, size, "nothing");
    return;
  }
  shk_baseline_text(text, size, v);
  const size_t length = strlen(text);
  if (v->half_width > 0 && length < size)
    snprintf(text + length, size - length, " ± %.2g", v->half_width);
}

static void fill(struct texts *texts, const struct shk_compared *row)
{
  value_text(texts->was, sizeof texts->was, row->was);
  value_text(texts->is, sizeof texts->is, row->is);
  if (row->was)
    shk_compared_band(texts->band, sizeof texts->band, row->was, row->is);
  else
    snprintf(texts->band, sizeof texts->band, "none yet");
}

static const char *why_of(const struct shk_compared *row)
{
  return shk_band_sentence(row->was ? row->was->why : row->is->why);
}

static void print_block(FILE *file, const struct shk_compared *row)
{
  struct texts texts;
  fill(&texts, row);
  fputs("  ---\n", file);
  print_entry(file, "message", row->sentence);
  print_entry(file, "was", texts.was);
  print_entry(file, "is", texts.is);
  print_entry(file, "band", texts.band);
  print_entry(file, "why", why_of(row));
  print_entry(file, "cause", row->cause);
  fputs("  ...\n", file);
}

static void print_counts(FILE *file, const struct shk_comparison *comparison)
{
  const int *counts = comparison->counts;
  const int new = counts[SHK_CHANGE_NEW] + counts[SHK_CHANGE_NEW_BAD];
  fprintf(file,
          "# %d values: %d within their bands, %d regressed, %d improved, %d changed, "
          "%d missing, %d new",
          comparison->count, counts[SHK_CHANGE_NONE] + counts[SHK_CHANGE_NOTED],
          counts[SHK_CHANGE_REGRESSED], counts[SHK_CHANGE_IMPROVED], counts[SHK_CHANGE_CHANGED],
          counts[SHK_CHANGE_MISSING], new);
  if (counts[SHK_CHANGE_NEW_BAD] > 0)
    fprintf(file, " (%d of them falsified or failed)", counts[SHK_CHANGE_NEW_BAD]);
  putc('\n', file);
}

void shk_check_print_tap(FILE *file, const struct shk_comparison *comparison)
{
  fprintf(file, "TAP version 13\n1..%d\n", comparison->count);
  for (int i = 0; i < comparison->count; i++) {
    const struct shk_compared *row = &comparison->rows[i];
    const bool fails = shk_change_fails(row->change);
    fprintf(file, "%sok %d - ", fails ? "not " : "", i + 1);
    shk_print_tap(file, row->sentence);
    putc('\n', file);
    if (fails)
      print_block(file, row);
  }
  for (int i = 0; i < comparison->count; i++) {
    const struct shk_compared *row = &comparison->rows[i];
    if (row->change == SHK_CHANGE_NONE)
      continue;
    fputs("# ", file);
    shk_print_tap(file, row->sentence);
    fputs(": ", file);
    shk_print_tap(file, row->cause);
    putc('\n', file);
  }
  print_counts(file, comparison);
}

/* ---- JUnit ---- */

static void print_attribute(FILE *file, const char *name, const char *text)
{
  fprintf(file, " %s=\"", name);
  shk_print_xml(file, text);
  putc('"', file);
}

static void print_case(FILE *file, const struct shk_compared *row)
{
  const struct shk_baseline_value *v = row->was != NULL ? row->was : row->is;
  fputs("    <testcase classname=\"", file);
  shk_print_xml(file, v->integrator);
  fputs(" on ", file);
  shk_print_xml(file, v->problem);
  fprintf(file, " in %s\"", v->precision);
  print_attribute(file, "name", v->quantity);
  if (!shk_change_fails(row->change)) {
    fputs("/>\n", file);
    return;
  }
  struct texts texts;
  fill(&texts, row);
  fputs(">\n      <failure", file);
  print_attribute(file, "type", shk_change_word(row->change));
  print_attribute(file, "message", row->sentence);
  fputs(">", file);
  const char *const lines[][2] = {{"was", texts.was},
                                  {"is", texts.is},
                                  {"band", texts.band},
                                  {"why", why_of(row)},
                                  {"cause", row->cause}};
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    fprintf(file, "%s: ", lines[i][0]);
    shk_print_xml(file, lines[i][1]);
    putc('\n', file);
  }
  fputs("</failure>\n    </testcase>\n", file);
}

void shk_check_print_junit(FILE *file, const char *study, const struct shk_comparison *comparison)
{
  int failures = 0;
  for (int i = 0; i < comparison->count; i++)
    failures += shk_change_fails(comparison->rows[i].change);
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", file);
  fprintf(file, "<testsuites tests=\"%d\" failures=\"%d\">\n  <testsuite", comparison->count,
          failures);
  print_attribute(file, "name", study);
  fprintf(file, " tests=\"%d\" failures=\"%d\" errors=\"0\" skipped=\"0\">\n", comparison->count,
          failures);
  for (int i = 0; i < comparison->count; i++)
    print_case(file, &comparison->rows[i]);
  fputs("  </testsuite>\n</testsuites>\n", file);
}
