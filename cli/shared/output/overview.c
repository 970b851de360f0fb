/* Overview of the results of a study. See overview.h. */
#include "cli/shared/output/overview.h"

#include "cli/shared/output/overview_table.h"
#include "cli/shared/output/terminal.h"
#include "foundation/index.h"
#include "foundation/memory.h"
#include "harness/analysis/families/verdict.h"
#include "harness/analysis/singular.h"
#include "measures/quantity.h"
#include "plots/kinds/kinds.h"
#include "results/record/record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Limits of the tables of a large study. Further tables are left out; findings that contradict
 * their claims are listed below all. With more rows than MOST_ROWS, several problems share one
 * table. */
enum { MOST_BLOCKS = 100, MOST_ROWS = 12 };

/* A finding with the numbers of its table and its row, in the order of their first appearance. */
struct place {
  const struct shk_finding *f;
  int block, row;
};

/* The findings by block (a problem), row (a problem and an integrator), and their own order. */
struct layout {
  int count, rows, blocks;
  struct place *places;
  const struct shk_finding **f; /* those of the places */
};

static int by_place(const void *a, const void *b)
{
  const struct place *const x = a, *const y = b;
  return x->block != y->block ? x->block - y->block
         : x->row != y->row   ? x->row - y->row
                              : (x->f > y->f) - (x->f < y->f);
}

/* `apart`: precisions have rows of their own; `together`: there is one block. */
static struct layout lay_out(const struct shk_analysis *analysis, bool apart, bool together)
{
  const int count = analysis->finding_count;
  struct layout layout = {.count = count};
  struct shk_index rows = {0}, blocks = {0};
  layout.places = shk_allocate((size_t)count + 1, sizeof *layout.places);
  layout.f = shk_allocate((size_t)count + 1, sizeof *layout.f);
  for (int i = 0; i < count; i++) {
    const struct shk_finding *const f = &analysis->findings[i];
    const char *const precision = apart ? f->precision : "", *problem = together ? "" : f->problem;
    layout.places[i] =
        (struct place){f, shk_index_number(&blocks, "%s\n%s", problem, precision),
                       shk_index_number(&rows, "%s\n%s\n%s", problem, precision, f->integrator)};
  }
  qsort(layout.places, (size_t)count, sizeof *layout.places, by_place);
  for (int i = 0; i < count; i++)
    layout.f[i] = layout.places[i].f;
  layout.rows = rows.count;
  layout.blocks = blocks.count;
  shk_index_clear(&rows);
  shk_index_clear(&blocks);
  return layout;
}

static void layout_clear(struct layout *layout)
{
  free(layout->places);
  free(layout->f);
}

/* The findings from `begin` to before `end` of a layout: those of a block, or of a row. */
struct part {
  const struct layout *layout;
  int begin, end;
};

/* The first block, or the one after `before`; it is empty after the last. */
static struct part next_block(const struct layout *layout, const struct part *before)
{
  struct part part = {layout, before ? before->end : 0, before ? before->end : 0};
  while (part.end < layout->count &&
         layout->places[part.end].block == layout->places[part.begin].block)
    part.end++;
  return part;
}

/* The first row of a block, or the one after `before`; it is empty after the last. */
static struct part next_row(const struct part *block, const struct part *before)
{
  const struct place *const places = block->layout->places;
  struct part part = {block->layout, before ? before->end : block->begin,
                      before ? before->end : block->begin};
  while (part.end < block->end && places[part.end].row == places[part.begin].row)
    part.end++;
  return part;
}

/* The cell, "step 0.1 (until 3)", if the finding is its outcome; NULL for other findings. */
static const char *outcome_of(const struct shk_finding *f)
{
  return f->word != NULL && f->named.id == SHK_QUANTITY_OUTCOME ? f->named.parameter : NULL;
}

/* Title of a table: "pendulum, single, double and quad", or "…, least cost of an error of q". With
 * a study the problem has its label. */
static char *title_of(const struct part *block, enum shk_overview_part part,
                      const struct shk_study *study)
{
  struct shk_index precisions = {0}, problems = {0};
  for (int i = block->begin; i < block->end; i++) {
    const struct shk_finding *const f = block->layout->f[i];
    shk_index_text(&precisions, f->precision);
    if (shk_overview_table_has(part, f))
      shk_index_text(&problems, f->problem);
  }
  char *title = NULL;
  for (int i = 0; i < problems.count; i++) {
    char *const name = study ? shk_study_shown(study, problems.texts[i]) : NULL;
    const char *const text = name ? name : problems.texts[i];
    const size_t length = problems.count > 1 ? strcspn(text, "(") : strlen(text);
    shk_append_text(&title, "%s%.*s", i > 0 ? ", " : "", (int)length, text);
    free(name);
  }
  for (int i = 0; i < precisions.count; i++)
    shk_append_text(&title, "%s%s", i > 0 && i + 1 == precisions.count ? " and " : ", ",
                    precisions.texts[i]);
  if (part == SHK_OVERVIEW_COSTS)
    shk_append_text(&title, ", least cost of an error of q");
  shk_index_clear(&precisions);
  shk_index_clear(&problems);
  return title;
}

/* Prints a line, or several of this width, and ends it. */
static void print_line(const char *text, int indent, int width)
{
  shk_print_wrapped(stdout, text, 0, indent, width);
  putchar('\n');
}

/* Prints a table of the rows of one problem, or of all, without empty columns: in lines of this
 * width, or in LaTeX if `latex` is given. Returns whether there was a row. */
static bool print_block(const struct part *block, enum shk_overview_part part, int width,
                        const struct shk_study *latex)
{
  struct shk_overview_table table = {.part = part};
  for (struct part row = next_row(block, NULL); row.end > row.begin; row = next_row(block, &row))
    shk_overview_table_add(&table, block->layout->f + row.begin, row.end - row.begin);
  const bool any = table.row_count > 0;
  if (any) {
    char *title = title_of(block, part, latex);
    if (!latex && part != SHK_OVERVIEW_KEPT) {
      shk_append_text(&title, ":");
      print_line(title, 0, width);
    }
    shk_overview_table_print(&table, width, latex, title);
    putchar('\n');
    free(title);
  }
  shk_overview_table_clear(&table);
  return any;
}

enum { MOST_QUANTITIES = 4 };

/* Findings of one verdict and reason: "order of q, order of p of rattle on pendulum, double, and 3
 * more". */
static char *group_text(const struct shk_analysis *analysis, const int *group_of, int group)
{
  struct shk_index quantities = {0}, subjects = {0};
  char *text = shk_copy_text("");
  for (int i = 0; i < analysis->finding_count; i++) {
    const struct shk_finding *f = &analysis->findings[i];
    if (group_of[i] != group)
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
  shk_index_clear(&quantities);
  shk_index_clear(&subjects);
  return text;
}

bool shk_is_bad(enum shk_verdict verdict)
{
  return verdict == SHK_VERDICT_FALSIFIED || verdict == SHK_VERDICT_NOT_SHOWN ||
         verdict == SHK_VERDICT_FAILED;
}

void shk_print_verdict(enum shk_verdict verdict, const char *word, const char *text)
{
  printf("%s%s%s ", shk_colour(stdout, shk_is_bad(verdict) ? SHK_RED : SHK_YELLOW), word,
         shk_colour(stdout, SHK_PLAIN));
  shk_print_wrapped(stdout, text, (int)strlen(word) + 1, 2, shk_terminal_width(stdout, 0));
  putchar('\n');
}

/* Prints the findings of this verdict, each reason once. */
static void print_reasons(const struct shk_analysis *analysis, enum shk_verdict verdict)
{
  struct shk_index reasons = {0};
  int *group_of = shk_allocate((size_t)analysis->finding_count + 1, sizeof *group_of);
  for (int i = 0; i < analysis->finding_count; i++) {
    const struct shk_finding *f = &analysis->findings[i];
    group_of[i] = f->verdict == verdict && f->reason ? shk_index_text(&reasons, f->reason) : -1;
  }
  for (int group = 0; group < reasons.count; group++) {
    char *text = group_text(analysis, group_of, group);
    shk_append_text(&text, ": %s", reasons.texts[group]);
    shk_print_verdict(verdict, shk_verdict_word(verdict), text);
    free(text);
  }
  free(group_of);
  shk_index_clear(&reasons);
}

/* Prints the findings on ensembles; they have no block. */
static void print_growth(const struct shk_analysis *analysis)
{
  bool any = false;
  for (int i = 0; i < analysis->finding_count; i++) {
    const struct shk_finding *f = &analysis->findings[i];
    char number[48];
    if (f->named.entry->kind != SHK_KIND_GROWTH)
      continue;
    shk_concise_number(number, sizeof number, f->value, f->uncertainty);
    shk_say("%s of %s on %s in %s: %s", f->quantity, f->integrator, f->problem, f->precision,
            f->word ? f->word : number);
    any = true;
  }
  if (any)
    putchar('\n');
}

/* ---- runs through singular points ---- */

/* The steps of a row with the outcome of the i-th finding, "step 0.1, step 0.05"; NULL if an
 * earlier finding has it. *all: whether no other outcome is in the row. */
static char *steps_of(const struct part *row, int i, bool *all)
{
  const struct shk_finding *const *const f = row->layout->f;
  char *text = NULL;
  *all = true;
  for (int k = row->begin; k < row->end; k++) {
    const char *const cell = outcome_of(f[k]);
    const bool same = cell && strcmp(f[k]->word, f[i]->word) == 0;
    if (same && k < i)
      return NULL;
    if (same)
      shk_append_text(&text, "%s%.*s", text ? ", " : "", f[k]->named.length, cell);
    *all = *all && (same || !cell);
  }
  return text;
}

/* Length of the event, with its time, at the beginning of a reason; the evidence follows after a
 * colon. */
static size_t event_length(const char *reason)
{
  const char *const colon = strstr(reason, ": ");
  const bool advice = strstr(reason, ": take ");
  return colon && !advice ? (size_t)(colon - reason) : strlen(reason);
}

/* Prints "four-bar, double, on the right branch to the end: rattle, shake (step 0.1)", and a line
 * for each other outcome: "rattle stopped at t = 0.7 (step 0.1, step 0.05)". */
static void print_block_outcomes(const struct part *block, int width)
{
  const struct shk_finding *const *const f = block->layout->f;
  char *right = NULL, **lines = NULL;
  int count = 0;
  bool any = false, left = false, all;
  for (struct part row = next_row(block, NULL); row.end > row.begin; row = next_row(block, &row))
    for (int i = row.begin; i < row.end; i++) {
      char *const steps = outcome_of(f[i]) ? steps_of(&row, i, &all) : NULL;
      any = any || steps;
      left =
          left || (steps && strcmp(f[i]->word, shk_singular_word(SHK_OUTCOME_OTHER_BRANCH)) == 0);
      if (steps && strcmp(f[i]->word, shk_singular_word(SHK_OUTCOME_RIGHT)) == 0)
        shk_append_text(&right, "%s%s%s%s%s", right ? ", " : "", f[i]->integrator, all ? "" : " (",
                        all ? "" : steps, all ? "" : ")");
      else if (steps)
        *SHK_APPEND(lines, count) =
            shk_print_text("  %s %.*s (%s)", f[i]->integrator, (int)event_length(f[i]->reason),
                           f[i]->reason, steps);
      free(steps);
    }
  const struct shk_finding *const first = f[block->begin];
  char *const line = shk_print_text("%s, %s, on the right branch to the end: %s", first->problem,
                                    first->precision, right ? right : "none");
  if (any)
    print_line(line, 2, width);
  for (int i = 0; i < count; i++)
    print_line(lines[i], 4, width);
  if (left)
    puts("  (left: the velocity jumped to another branch, where g = 0 holds too)");
  if (any)
    putchar('\n');
  free(line);
  free(right);
  shk_free_texts(lines, count);
}

static void print_outcomes(const struct shk_analysis *analysis, int width)
{
  struct layout layout = lay_out(analysis, true, false);
  struct part block = next_block(&layout, NULL);
  for (int i = 0; block.end > block.begin && i < MOST_BLOCKS; i++) {
    print_block_outcomes(&block, width);
    block = next_block(&layout, &block);
  }
  layout_clear(&layout);
}

/* ---- the whole ---- */

void shk_print_verdicts(const int counts[SHK_VERDICTS])
{
  const int unshown = counts[SHK_VERDICT_NOT_SHOWN]; /* in certificates only */
  const bool wrong =
      counts[SHK_VERDICT_FALSIFIED] > 0 || counts[SHK_VERDICT_FAILED] > 0 || unshown > 0;
  printf("%s%d held, %d falsified", shk_colour(stdout, wrong ? SHK_RED : SHK_GREEN),
         counts[SHK_VERDICT_HELD], counts[SHK_VERDICT_FALSIFIED]);
  if (unshown > 0)
    printf(", %d not shown", unshown);
  printf("%s, %d undecided, %d refused, %d failed\n", shk_colour(stdout, SHK_PLAIN),
         counts[SHK_VERDICT_UNDECIDED], counts[SHK_VERDICT_REFUSED], counts[SHK_VERDICT_FAILED]);
}

static bool has_several_precisions(const struct shk_analysis *analysis)
{
  for (int i = 1; i < analysis->finding_count; i++)
    if (strcmp(analysis->findings[i].precision, analysis->findings[0].precision) != 0)
      return true;
  return false;
}

static void print_each_problem(const struct layout *layout, int width)
{
  bool costs = false;
  struct part block = next_block(layout, NULL);
  for (int i = 0; block.end > block.begin && i < MOST_BLOCKS; i++) {
    print_block(&block, SHK_OVERVIEW_PROBLEM, width, NULL);
    costs = print_block(&block, SHK_OVERVIEW_COSTS, width, NULL) || costs;
    block = next_block(layout, &block);
  }
  if (costs) {
    print_line("(CPU time in ms, evaluations of force and constraint Jacobian, and where there is "
               "room the step, or tolerance; \"<\", \">\": the coarsest run is more accurate; "
               "blank: none is so accurate)",
               0, width);
    putchar('\n');
  }
  if (layout->blocks > MOST_BLOCKS)
    printf("and %d more tables: these are the first %d; `shakedown show STORE --values` has every "
           "value\n\n",
           layout->blocks - MOST_BLOCKS, MOST_BLOCKS);
}

static void print_tables(const struct shk_analysis *analysis, bool each, int width)
{
  struct layout layout = lay_out(analysis, false, false), methods = lay_out(analysis, false, true);
  if (each || layout.blocks < 2 || layout.rows <= MOST_ROWS || methods.rows < 2) {
    print_each_problem(&layout, width);
  } else {
    const struct part all = next_block(&methods, NULL);
    print_block(&all, SHK_OVERVIEW_ACCURACY, width, NULL);
    print_block(&all, SHK_OVERVIEW_KEPT, width, NULL);
  }
  layout_clear(&methods);
  layout_clear(&layout);
  print_outcomes(analysis, width);
  print_growth(analysis);
}

/* Rows have the orders as value(half-width in the last digits), the energy class and the largest
 * constraint violations. Of several precisions, horizons and problems the most significant value is
 * shown. Each problem has a table if there is one problem, if there are few rows, or if requested;
 * of a large study the first hundred. "!" follows a falsified value, "?" an undecided one. */
void shk_overview_print(const struct shk_analysis *analysis, enum shk_tables tables)
{
  static const enum shk_verdict order[] = {SHK_VERDICT_REFUSED, SHK_VERDICT_UNDECIDED,
                                           SHK_VERDICT_FAILED, SHK_VERDICT_FALSIFIED};
  const int width = shk_terminal_width(stdout, SHK_USUAL_WIDTH);
  int counts[SHK_VERDICTS] = {0};
  for (int i = 0; i < analysis->finding_count; i++)
    counts[analysis->findings[i].verdict]++;
  if (tables) {
    print_tables(analysis, tables == SHK_TABLES_EACH, width);
    if (has_several_precisions(analysis))
      print_line("(of several precisions: the sharpest order, the largest violation)", 0, width);
  }
  for (size_t k = 0; k < sizeof order / sizeof order[0]; k++)
    print_reasons(analysis, order[k]);
  shk_print_verdicts(counts);
}

/* Findings of an unfinished study that may change when the rest of its cells is run are left
 * out. */
int shk_overview_print_unfinished(const struct shk_analysis *analysis, enum shk_tables tables)
{
  struct shk_analysis known = *analysis;
  known.findings = shk_allocate((size_t)analysis->finding_count + 1, sizeof *known.findings);
  known.finding_count = 0;
  for (int i = 0; i < analysis->finding_count; i++) {
    const struct shk_finding *const f = &analysis->findings[i];
    const bool unmade = !f->word || strcmp(f->word, shk_record_status(NULL)) == 0;
    if (f->verdict != SHK_VERDICT_UNDECIDED && !(f->verdict == SHK_VERDICT_FAILED && unmade))
      known.findings[known.finding_count++] = *f;
  }
  shk_overview_print(&known, tables);
  free(known.findings);
  return analysis->finding_count - known.finding_count;
}

void shk_overview_print_latex(const struct shk_analysis *analysis, const struct shk_study *study)
{
  struct layout layout = lay_out(analysis, false, false);
  for (struct part block = next_block(&layout, NULL); block.end > block.begin;
       block = next_block(&layout, &block)) {
    print_block(&block, SHK_OVERVIEW_PROBLEM, 0, study);
    print_block(&block, SHK_OVERVIEW_COSTS, 0, study);
  }
  layout_clear(&layout);
}

void shk_complain_of_figures(const struct shk_study *study, const struct shk_plotted *plotted)
{
  if (plotted->left_out > 0)
    shk_complain("%s: no figures of %d problems beyond the limit of %d; select `problems:` under "
                 "`figures:`",
                 study->name, plotted->left_out, SHK_MOST_DRAWN);
  for (int i = 0; i < plotted->undrawn_count; i++) {
    const struct shk_undrawn *const undrawn = &plotted->undrawn[i];
    if (undrawn->measure)
      shk_complain("%s: no figure `%s`: it needs the measure `%s`, which no run has", study->name,
                   undrawn->kind, undrawn->measure);
    else
      shk_complain("%s: no figure `%s`: the records have no data for it", study->name,
                   undrawn->kind);
  }
}
