/* The verdicts in the report of a study. See verdicts.h. */
#include "plots/report/verdicts.h"
#include "foundation/index.h"
#include "foundation/memory.h"
#include "plots/report/elements.h"
#include "results/export/export.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The maximum numbers of findings in the tables of values, of reasons per method, and of names per
 * row. */
enum { MOST_FINDINGS = 20000, MOST_REASONS = 100, MOST_NAMES = 5 };

/* The verdicts that need the reader's attention, in decreasing order of importance. */
static const struct {
  enum shk_verdict verdict;
  const char *advice;
  const char *command; /* command to which the method's name is appended, or NULL */
} open_verdicts[] = {
    {SHK_VERDICT_FALSIFIED,
     "Check the claim against the source of the method. This command looks for a likely cause:",
     "shakedown try "},
    {SHK_VERDICT_FAILED,
     "Repeat a cell with a smaller step, using its command in the section Records below.", NULL},
    {SHK_VERDICT_UNDECIDED,
     "Change the study as the reason suggests: use more or smaller steps, a longer run, or quad "
     "precision. This command chooses them automatically:",
     "shakedown certify "},
    {SHK_VERDICT_NOT_SHOWN, "No problem in the study can show this. Add one that can.", NULL},
    {SHK_VERDICT_REFUSED, "The method does not apply: leave the pair out with `exclude`.", NULL}};
enum { OPEN = sizeof open_verdicts / sizeof *open_verdicts };

/* ---- by method ---- */

/* The number of times that a method received each verdict. */
struct counts {
  const char *integrator;
  int number, of[SHK_VERDICTS]; /* `number` is the method's position in the study */
};

static int by_verdicts(const void *a, const void *b)
{
  const struct counts *const x = a, *const y = b;
  for (int i = 0; i < OPEN; i++) {
    const enum shk_verdict verdict = open_verdicts[i].verdict;
    if ((x->of[verdict] > 0) != (y->of[verdict] > 0))
      return x->of[verdict] > 0 ? -1 : 1;
  }
  return x->number - y->number;
}

/* Writes the first names in an index as a table cell, such as "a, b and 3 more". */
static void put_names(FILE *out, const struct shk_index *names)
{
  char *text = NULL;
  for (int i = 0; i < names->count && i < MOST_NAMES; i++)
    shk_append_text(&text, "%s%s", i > 0 ? ", " : "", names->texts[i]);
  if (names->count > MOST_NAMES)
    shk_append_text(&text, " and %d more", names->count - MOST_NAMES);
  shk_put_element(out, "td", text);
  free(text);
}

/* Writes a table row that summarizes a method's findings with this verdict and reason. */
static void put_reason(FILE *out, const struct shk_analysis *analysis, const char *integrator,
                       int open, const char *reason)
{
  struct shk_index quantities = {0}, problems = {0};
  for (int i = 0; i < analysis->finding_count; i++) {
    const struct shk_finding *const f = &analysis->findings[i];
    if (f->verdict != open_verdicts[open].verdict || strcmp(f->integrator, integrator) != 0 ||
        strcmp(f->reason ? f->reason : "", reason) != 0)
      continue;
    shk_index_text(&quantities, f->quantity);
    shk_index_number(&problems, "%s, %s", f->problem, f->precision);
  }
  const char *const word = shk_verdict_word(open_verdicts[open].verdict);
  fprintf(out, "<tr><td class=\"%s\">%s</td>", word, word);
  put_names(out, &quantities);
  put_names(out, &problems);
  shk_put_element(out, "td", reason);
  fputs("</tr>\n", out);
  shk_index_clear(&quantities);
  shk_index_clear(&problems);
}

/* Writes a table with a method's verdicts and their reasons, starting with the worst verdicts. */
static void put_reasons(FILE *out, const struct shk_analysis *analysis, const struct counts *counts)
{
  int left = MOST_REASONS;
  fputs("<div class=\"scroll\"><table data-name=\"verdicts\"><thead><tr><th>verdict</th>"
        "<th>quantity</th><th>problem</th><th>reason</th></tr></thead><tbody>\n",
        out);
  for (int open = 0; open < OPEN; open++) {
    struct shk_index reasons = {0};
    for (int i = 0; i < analysis->finding_count && left > 0; i++) {
      const struct shk_finding *const f = &analysis->findings[i];
      const char *const reason = f->reason ? f->reason : "";
      const int known = reasons.count;
      if (f->verdict != open_verdicts[open].verdict ||
          strcmp(f->integrator, counts->integrator) != 0 ||
          shk_index_text(&reasons, reason) < known)
        continue;
      put_reason(out, analysis, counts->integrator, open, reason);
      left--;
    }
    shk_index_clear(&reasons);
  }
  fputs("</tbody></table></div>\n", out);
  if (left == 0)
    fprintf(out, "<p>These are the first %d reasons; the tables below contain all values.</p>\n",
            MOST_REASONS);
}

static void print_shell(FILE *file, const void *text)
{
  shk_print_shell(file, text);
}

/* Writes advice on how to act on a method's verdicts. */
static void put_advice(FILE *out, const struct counts *counts)
{
  fputs("<ul>", out);
  for (int open = 0; open < OPEN; open++) {
    if (counts->of[open_verdicts[open].verdict] == 0)
      continue;
    fprintf(out, "<li>%c%s: %s", shk_verdict_word(open_verdicts[open].verdict)[0] - 'a' + 'A',
            shk_verdict_word(open_verdicts[open].verdict) + 1, open_verdicts[open].advice);
    if (open_verdicts[open].command) {
      char *const word = shk_printed_text(print_shell, counts->integrator),
                  *const command = shk_print_text("%s%s", open_verdicts[open].command, word);
      putc(' ', out);
      shk_put_element(out, "code", command);
      free(command);
      free(word);
    }
    fputs("</li>\n", out);
  }
  fputs("</ul>\n", out);
}

/* Writes the number of times that each verdict occurs, for example "12 held, 1 falsified". The
 * first `least` verdicts are written even if their count is 0. */
static void put_counts(FILE *out, const int of[SHK_VERDICTS], int least)
{
  bool first = true;
  fputs("<p>", out);
  for (int open = -1; open < OPEN; open++) {
    const enum shk_verdict verdict = open < 0 ? SHK_VERDICT_HELD : open_verdicts[open].verdict;
    if (of[verdict] > 0 || open + 1 < least) {
      fprintf(out, "%s%d %s", first ? "" : ", ", of[verdict], shk_verdict_word(verdict));
      first = false;
    }
  }
  fputs(".</p>\n", out);
}

static bool is_open(const struct counts *counts)
{
  for (int open = 0; open < OPEN; open++)
    if (counts->of[open_verdicts[open].verdict] > 0)
      return true;
  return false;
}

static void put_methods(FILE *out, const struct shk_analysis *analysis)
{
  struct shk_index methods = {0};
  int total[SHK_VERDICTS] = {0};
  char *held = NULL, *silent = NULL;
  for (int i = 0; i < analysis->finding_count; i++)
    shk_index_text(&methods, analysis->findings[i].integrator);
  struct counts *const counts = shk_allocate((size_t)methods.count + 1, sizeof *counts);
  for (int i = 0; i < analysis->finding_count; i++) {
    const struct shk_finding *const f = &analysis->findings[i];
    struct counts *const one = &counts[shk_index_find(&methods, f->integrator)];
    one->integrator = f->integrator;
    one->number = (int)(one - counts);
    one->of[f->verdict]++;
    total[f->verdict]++;
  }
  qsort(counts, (size_t)methods.count, sizeof *counts, by_verdicts);
  put_counts(out, total, 2);
  for (int i = 0; i < methods.count; i++) {
    if (is_open(&counts[i])) {
      shk_put_element(out, "h4", counts[i].integrator);
      put_counts(out, counts[i].of, 0);
      put_reasons(out, analysis, &counts[i]);
      put_advice(out, &counts[i]);
    } else {
      char **const list = counts[i].of[SHK_VERDICT_HELD] > 0 ? &held : &silent;
      shk_append_text(list, "%s%s", *list ? ", " : "", counts[i].integrator);
    }
  }
  char *const lines[] = {
      held ? shk_print_text("All claims of these methods are held: %s.", held) : NULL,
      silent ? shk_print_text("These methods make no claims here: %s.", silent) : NULL};
  for (int i = 0; i < 2; i++) {
    shk_put_element(out, "p", lines[i]);
    free(lines[i]);
  }
  free(held);
  free(silent);
  free(counts);
  shk_index_clear(&methods);
}

/* ---- values ---- */

/* The first five columns are always written. Each of the others is written only if at least one
 * finding has a value for it. */
enum { ALWAYS = 0x1f, UNCERTAINTY = 1 << 5, EXPECTED = 1 << 6, REASON = 1 << 7 };

static unsigned columns_of(const struct shk_finding *f)
{
  return ALWAYS | (isnan(f->uncertainty) ? 0 : UNCERTAINTY) |
         (f->expected && *f->expected != '\0' ? EXPECTED : 0) |
         (f->reason && *f->reason != '\0' ? REASON : 0);
}

static void put_finding(FILE *out, const struct shk_finding *f, unsigned columns)
{
  fputs("<tr>", out);
  shk_put_element(out, "td", f->problem);
  shk_put_element(out, "td", f->integrator);
  shk_put_element(out, "td", f->precision);
  shk_put_element(out, "td", f->quantity);
  if (f->word)
    shk_put_element(out, "td", f->word);
  else
    shk_put_number(out, f->value);
  if (columns & UNCERTAINTY)
    shk_put_number(out, f->uncertainty);
  if (columns & EXPECTED)
    shk_put_element(out, "td", f->expected);
  if (columns & REASON)
    shk_put_element(out, "td", f->reason);
  fputs("</tr>\n", out);
}

/* Writes a table for each verdict. The most important verdicts come first, because the total number
 * of rows is limited. */
static void put_values(FILE *out, const struct shk_analysis *analysis)
{
  static const char *const heads[] = {"problem",     "integrator", "precision", "quantity", "value",
                                      "uncertainty", "expected",   "reason",    NULL};
  int left = MOST_FINDINGS;
  for (int v = 0; v < OPEN + 2; v++) {
    const enum shk_verdict verdict = v < OPEN    ? open_verdicts[v].verdict
                                     : v == OPEN ? SHK_VERDICT_HELD
                                                 : SHK_VERDICT_NONE;
    unsigned columns = 0;
    int count = 0;
    for (int i = 0; i < analysis->finding_count; i++)
      if (analysis->findings[i].verdict == verdict) {
        columns |= columns_of(&analysis->findings[i]);
        count++;
      }
    if (count == 0)
      continue;
    shk_begin_table(out, false, count,
                    verdict == SHK_VERDICT_NONE ? "without a claim" : shk_verdict_word(verdict),
                    heads, columns);
    for (int i = 0; i < analysis->finding_count; i++)
      if (analysis->findings[i].verdict == verdict && left-- > 0)
        put_finding(out, &analysis->findings[i], columns);
    shk_end_table(out);
  }
  if (left < 0)
    shk_put_limit(out, analysis->finding_count, "values", "values");
}

void shk_put_verdicts(FILE *out, const struct shk_analysis *analysis)
{
  put_methods(out, analysis);
  put_values(out, analysis);
}
