/* Prints an overview of a study's results. See overview.h. */
#include "cli/shared/output/overview.h"

#include "cli/shared/output/overview_table.h"
#include "cli/shared/output/terminal.h"
#include "foundation/index.h"
#include "foundation/memory.h"
#include "harness/analysis/families/verdict.h"
#include "harness/analysis/singular.h"
#include "measures/quantity.h"
#include "results/record/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Limits on the size of an overview. No more than MOST_BLOCKS tables are printed, but the list of
 * findings that contradict claims is always complete. If there are more than MOST_ROWS rows,
 * several problems share one table. */
enum { MOST_BLOCKS = 100, MOST_ROWS = 12 };

/* How findings are grouped into tables: by problem, by problem and precision, or all together. */
enum grouping { BY_PROBLEM, BY_PRECISION, TOGETHER };

/* The findings, sorted by block (a table) and then by row (an integrator in that table). */
struct layout {
  enum grouping by;
  int count, rows, blocks;
  const struct shk_finding **f;
};

/* A finding with the indices of its block and its row. Blocks and rows are numbered in order of
 * first appearance. */
struct place {
  const struct shk_finding *f;
  int block, row;
};

static int by_place(const void *a, const void *b)
{
  const struct place *const x = a, *const y = b;
  return x->block != y->block ? x->block - y->block
         : x->row != y->row   ? x->row - y->row
                              : (x->f > y->f) - (x->f < y->f);
}

static struct layout lay_out(const struct shk_analysis *analysis, enum grouping by)
{
  const size_t count = (size_t)analysis->finding_count;
  struct layout layout = {.by = by, .count = analysis->finding_count};
  struct shk_index rows = {0}, blocks = {0};
  struct place *const places = shk_allocate(count + 1, sizeof *places);
  layout.f = shk_allocate(count + 1, sizeof *layout.f);
  for (size_t i = 0; i < count; i++) {
    const struct shk_finding *const f = &analysis->findings[i];
    const int block = shk_index_number(&blocks, "%s\n%s", by == TOGETHER ? "" : f->problem,
                                       by == BY_PRECISION ? f->precision : "");
    places[i] = (struct place){f, block, shk_index_number(&rows, "%d\n%s", block, f->integrator)};
  }
  qsort(places, count, sizeof *places, by_place);
  for (size_t i = 0; i < count; i++)
    layout.f[i] = places[i].f;
  layout.rows = rows.count;
  layout.blocks = blocks.count;
  free(places);
  shk_index_clear(&rows);
  shk_index_clear(&blocks);
  return layout;
}

/* Returns one plus the index of the last finding in the block that starts at `begin`. */
static int block_end(const struct layout *layout, int begin)
{
  const struct shk_finding *const *const f = layout->f;
  int end = begin;
  while (end < layout->count &&
         (layout->by == TOGETHER || strcmp(f[end]->problem, f[begin]->problem) == 0) &&
         (layout->by != BY_PRECISION || strcmp(f[end]->precision, f[begin]->precision) == 0))
    end++;
  return end;
}

/* If the finding is the outcome of a cell, returns a description of the cell, such as "step 0.1
 * (until 3)". Returns NULL for other findings. */
static const char *outcome_of(const struct shk_finding *f)
{
  return f->word != NULL && f->named.id == SHK_QUANTITY_OUTCOME ? f->named.parameter : NULL;
}

enum { MOST_QUANTITIES = 4 };

/* Lists findings with the same verdict and reason, such as "order of q, order of p of rattle on
 * pendulum, double, and 3 more". */
static char *group_text(const struct shk_analysis *analysis, enum shk_verdict verdict,
                        const char *reason)
{
  struct shk_index quantities = {0}, subjects = {0};
  char *text = NULL;
  for (int i = 0; i < analysis->finding_count; i++) {
    const struct shk_finding *f = &analysis->findings[i];
    if (f->verdict != verdict || !shk_same_text(f->reason, reason))
      continue;
    shk_index_text(&quantities, f->quantity);
    shk_index_number(&subjects, "%s on %s, %s", f->integrator, f->problem, f->precision);
  }
  for (int i = 0; i < quantities.count && i < MOST_QUANTITIES; i++)
    shk_append_text(&text, "%s%s", i > 0 ? ", " : "", quantities.texts[i]);
  if (quantities.count > MOST_QUANTITIES)
    shk_append_text(&text, " and %d more", quantities.count - MOST_QUANTITIES);
  shk_append_text(&text, " of %s", subjects.texts[0]);
  if (subjects.count > 1)
    shk_append_text(&text, ", and %d more", subjects.count - 1);
  shk_append_text(&text, ": %s", reason);
  shk_index_clear(&quantities);
  shk_index_clear(&subjects);
  return text;
}

bool shk_is_bad_for_exit(enum shk_verdict verdict)
{
  return verdict == SHK_VERDICT_FALSIFIED || verdict == SHK_VERDICT_FAILED;
}

void shk_print_verdict(enum shk_verdict verdict, const char *word, const char *text)
{
  printf("%s%s%s ", shk_colour(stdout, shk_is_bad_for_exit(verdict) ? SHK_RED : SHK_YELLOW), word,
         shk_colour(stdout, SHK_PLAIN));
  shk_print_wrapped(stdout, text, (int)strlen(word) + 1, 2, shk_terminal_width(stdout, 0));
  putchar('\n');
}

/* Prints each distinct reason for the given verdict, together with the findings to which it
 * applies. */
static void print_reasons(const struct shk_analysis *analysis, enum shk_verdict verdict)
{
  struct shk_index reasons = {0};
  for (int i = 0; i < analysis->finding_count; i++) {
    const struct shk_finding *const f = &analysis->findings[i];
    const int known = reasons.count;
    if (f->verdict != verdict || !f->reason || shk_index_text(&reasons, f->reason) < known)
      continue;
    char *const text = group_text(analysis, verdict, f->reason);
    shk_print_verdict(verdict, shk_verdict_word(verdict), text);
    free(text);
  }
  shk_index_clear(&reasons);
}

/* Prints the growth rates of ensembles, which do not appear in any table. */
static void print_growth(const struct shk_overview_page *page, const struct shk_analysis *analysis)
{
  bool any = false;
  for (int i = 0; i < analysis->finding_count; i++) {
    const struct shk_finding *f = &analysis->findings[i];
    char number[48];
    if (f->named.entry->kind != SHK_KIND_GROWTH)
      continue;
    shk_concise_number(number, sizeof number, f->value, f->uncertainty);
    char *const line = shk_print_text("%s of %s on %s in %s: %s", f->quantity, f->integrator,
                                      f->problem, f->precision, f->word ? f->word : number);
    shk_overview_line(page, line, 2);
    free(line);
    any = true;
  }
  if (any)
    shk_overview_gap(page);
}

/* ---- runs through singular points ---- */

/* Returns the steps in a row at which the outcome is that of the row's i-th finding, such as "step
 * 0.1, step 0.05". Returns NULL if an earlier finding has this outcome. Sets *all to whether all
 * outcomes in the row are the same. */
static char *steps_of(const struct shk_finding *const *row, int count, int i, bool *all)
{
  char *text = NULL;
  *all = true;
  for (int k = 0; k < count; k++) {
    const char *const cell = outcome_of(row[k]);
    const bool same = cell && strcmp(row[k]->word, row[i]->word) == 0;
    if (same && k < i)
      return NULL;
    if (same)
      shk_append_text(&text, "%s%.*s", text ? ", " : "", row[k]->named.length, cell);
    *all = *all && (same || !cell);
  }
  return text;
}

/* Returns the length, in bytes, of the first part of a reason, which describes the event and its
 * time. This part ends before the colon that introduces the evidence. */
static int event_length(const char *reason)
{
  const char *const colon = strstr(reason, ": ");
  return (int)(colon && !strstr(reason, ": take ") ? (size_t)(colon - reason) : strlen(reason));
}

/* The outcomes in a block. One string lists the integrators that stay on the right branch until the
 * end, as in "rattle, shake (step 0.1)"; each other outcome has its own line. */
struct outcomes {
  char *right, **others;
  int count;
  bool left; /* true if any run ended on another branch */
};

static void add_outcomes(struct outcomes *to, const struct shk_finding *const *row, int count)
{
  for (int i = 0; i < count; i++) {
    const struct shk_finding *const f = row[i];
    bool all;
    char *const steps = outcome_of(f) ? steps_of(row, count, i, &all) : NULL;
    if (!steps)
      continue;
    if (strcmp(f->word, shk_singulars[SHK_OUTCOME_RIGHT].word) == 0)
      shk_append_text(&to->right, all ? "%s%s" : "%s%s (%s)", to->right ? ", " : "", f->integrator,
                      steps);
    else
      *SHK_APPEND(to->others, to->count) = shk_print_text(
          "  %s %.*s (%s)", f->integrator, event_length(f->reason), f->reason, steps);
    to->left = to->left || strcmp(f->word, shk_singulars[SHK_OUTCOME_OTHER_BRANCH].word) == 0;
    free(steps);
  }
}

/* Prints a line such as "four-bar, double, on the right branch to the end: rattle, shake (step
 * 0.1)", and one line for each other outcome, such as "rattle stopped at t = 0.7 (step 0.1, step
 * 0.05)". */
static void print_outcomes(const struct shk_overview_page *page, const struct shk_finding *const *f,
                           int count)
{
  struct outcomes counted = {0};
  for (int row = 0, next; row < count; row = next) {
    next = shk_row_end(f, count, row);
    add_outcomes(&counted, f + row, next - row);
  }
  if (counted.right || counted.count > 0) {
    char *const line =
        shk_print_text("%s, %s, stayed on the right branch to the end: %s", f[0]->problem,
                       f[0]->precision, counted.right ? counted.right : "none");
    shk_overview_line(page, line, 2);
    for (int i = 0; i < counted.count; i++)
      shk_overview_line(page, counted.others[i], 4);
    if (counted.left)
      shk_overview_line(
          page, "  (left: the velocity jumped to another branch, where g = 0 also holds)", 2);
    shk_overview_gap(page);
    free(line);
  }
  free(counted.right);
  shk_free_texts(counted.others, counted.count);
}

/* ---- the whole overview ---- */

void shk_print_verdicts(const int counts[SHK_VERDICTS])
{
  const int unshown = counts[SHK_VERDICT_NOT_SHOWN]; /* in certificates only */
  const bool wrong = counts[SHK_VERDICT_FALSIFIED] > 0 || counts[SHK_VERDICT_FAILED] > 0;
  printf("%s%d held, %d falsified", shk_colour(stdout, wrong ? SHK_RED : SHK_GREEN),
         counts[SHK_VERDICT_HELD], counts[SHK_VERDICT_FALSIFIED]);
  if (unshown > 0)
    printf(", %d not demonstrated", unshown);
  printf("%s, %d undecided, %d refused, %d failed\n", shk_colour(stdout, SHK_PLAIN),
         counts[SHK_VERDICT_UNDECIDED], counts[SHK_VERDICT_REFUSED], counts[SHK_VERDICT_FAILED]);
}

static void print_each_problem(struct shk_overview_page *page, const struct layout *layout)
{
  bool costs = false;
  int begin = 0;
  for (int i = 0, end; begin < layout->count && i < MOST_BLOCKS; i++, begin = end) {
    const struct shk_finding *const *const f = layout->f + begin;
    end = block_end(layout, begin);
    shk_overview_table_print(page, f, end - begin, SHK_OVERVIEW_PROBLEM);
    costs = shk_overview_table_print(page, f, end - begin, SHK_OVERVIEW_COSTS) || costs;
  }
  shk_overview_explain(page);
  if (costs) {
    shk_overview_line(page,
                      "(CPU time in ms, evaluations of force and constraint Jacobian; \"<\": the "
                      "coarsest run is more accurate; blank: no run reached this accuracy)",
                      0);
    shk_overview_gap(page);
  }
  if (begin < layout->count) {
    char *const line = shk_print_text("and %d more tables; these are the first %d. `shakedown show "
                                      "STORE --values` prints every value",
                                      layout->blocks - MOST_BLOCKS, MOST_BLOCKS);
    shk_overview_line(page, line, 0);
    shk_overview_gap(page);
    free(line);
  }
}

static void print_tables(struct shk_overview_page *page, const struct shk_analysis *analysis)
{
  const struct layout layout = lay_out(analysis, BY_PROBLEM),
                      runs = lay_out(analysis, BY_PRECISION), methods = lay_out(analysis, TOGETHER);
  bool several = false; /* precisions */
  for (int i = 0; i < analysis->finding_count; i++)
    several =
        several || strcmp(analysis->findings[i].precision, analysis->findings[0].precision) != 0;
  if (layout.blocks < 2 || layout.rows <= MOST_ROWS || methods.rows < 2)
    print_each_problem(page, &layout);
  else
    for (int part = SHK_OVERVIEW_ACCURACY; part <= SHK_OVERVIEW_KEPT; part++)
      shk_overview_table_print(page, methods.f, methods.count, (enum shk_overview_part)part);
  for (int i = 0, begin = 0, end; begin < runs.count && i < MOST_BLOCKS; i++, begin = end) {
    end = block_end(&runs, begin);
    print_outcomes(page, runs.f + begin, end - begin);
  }
  free(layout.f);
  free(runs.f);
  free(methods.f);
  print_growth(page, analysis);
  if (several)
    shk_overview_line(
        page, "(if there are several precisions: the sharpest order and the largest violation)", 0);
}

void shk_overview_print_html(FILE *file, const struct shk_analysis *analysis)
{
  print_tables(&(struct shk_overview_page){.html = file}, analysis);
}

/* Returns true if the missing cells of an unfinished study could change a finding. */
static bool is_open(const struct shk_finding *f)
{
  const bool unmade = !f->word || strcmp(f->word, shk_record_status(NULL)) == 0;
  return f->verdict == SHK_VERDICT_UNDECIDED || (f->verdict == SHK_VERDICT_FAILED && unmade);
}

/* Each row contains the orders, formatted as value(half-width in the last digits), the energy
 * class, and the largest constraint violations. If there are several precisions, horizons or
 * problems, the most significant value is shown. Each problem has its own table if there is only
 * one problem or if there are few rows. Otherwise, all problems share two tables. "!" marks a
 * falsified value, and "?" an undecided one. */
int shk_overview_print(const struct shk_analysis *analysis, bool tables, bool finished)
{
  static const enum shk_verdict order[] = {SHK_VERDICT_REFUSED, SHK_VERDICT_UNDECIDED,
                                           SHK_VERDICT_FAILED, SHK_VERDICT_FALSIFIED};
  int counts[SHK_VERDICTS] = {0};
  struct shk_analysis known = {0};
  known.findings = shk_allocate((size_t)analysis->finding_count + 1, sizeof *known.findings);
  for (int i = 0; i < analysis->finding_count; i++) {
    const struct shk_finding *const f = &analysis->findings[i];
    if (!finished && is_open(f))
      continue;
    known.findings[known.finding_count++] = *f;
    counts[f->verdict]++;
  }
  if (tables)
    print_tables(&(struct shk_overview_page){NULL}, &known);
  for (size_t k = 0; k < sizeof order / sizeof order[0]; k++)
    print_reasons(&known, order[k]);
  shk_print_verdicts(counts);
  free(known.findings);
  return analysis->finding_count - known.finding_count;
}
