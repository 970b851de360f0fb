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

/* The findings by row (problem and integrator) and block (problem). Those of row r are
 * order[row_start[r]] … in the order of the analysis. The rows of block b are
 * row_order[block_start[b]] …. Rows and blocks are numbered in the order in which they first
 * appear. */
struct layout {
  const struct shk_analysis *analysis;
  int rows, blocks;
  int *row_start, *order;       /* length rows + 1; length findings */
  int *block_start, *row_order; /* length blocks + 1; length rows */
};

/* Groups the numbers 0 … count - 1 by group_of. The members of group g are order[start[g]] …, in
 * increasing order; start has groups + 1 zeros. */
static void gather(int *start, int *order, const int *group_of, int count, int groups)
{
  for (int i = 0; i < count; i++)
    start[group_of[i] + 1]++;
  for (int g = 0; g < groups; g++)
    start[g + 1] += start[g];
  for (int i = 0; i < count; i++)
    order[start[group_of[i]]++] = i;
  for (int g = groups; g > 0; g--)
    start[g] = start[g - 1];
  start[0] = 0;
}

static bool same_row(const struct shk_finding *a, const struct shk_finding *b)
{
  return strcmp(a->problem, b->problem) == 0 && strcmp(a->integrator, b->integrator) == 0 &&
         strcmp(a->precision, b->precision) == 0;
}

static void lay_out(struct layout *layout, const struct shk_analysis *analysis, bool apart,
                    bool together)
{
  const int count = analysis->finding_count;
  struct shk_index rows = {0}, blocks = {0};
  int *row_of = shk_allocate((size_t)count + 1, sizeof *row_of);
  int *block_of = shk_allocate((size_t)count + 1, sizeof *block_of); /* block of each row */
  for (int i = 0; i < count; i++) {
    const struct shk_finding *f = &analysis->findings[i];
    if (i > 0 && same_row(f, f - 1)) {
      row_of[i] = row_of[i - 1];
      continue;
    }
    const char *const precision = apart ? f->precision : "";
    const char *const problem = together ? "" : f->problem;
    row_of[i] = shk_index_number(&rows, "%s\n%s\n%s", problem, precision, f->integrator);
    block_of[row_of[i]] = shk_index_number(&blocks, "%s\n%s", problem, precision);
  }
  *layout = (struct layout){.analysis = analysis, .rows = rows.count, .blocks = blocks.count};
  layout->row_start = shk_allocate((size_t)rows.count + 2, sizeof *layout->row_start);
  layout->order = shk_allocate((size_t)count + 1, sizeof *layout->order);
  layout->block_start = shk_allocate((size_t)blocks.count + 2, sizeof *layout->block_start);
  layout->row_order = shk_allocate((size_t)rows.count + 1, sizeof *layout->row_order);
  gather(layout->row_start, layout->order, row_of, count, rows.count);
  gather(layout->block_start, layout->row_order, block_of, rows.count, blocks.count);
  free(row_of);
  free(block_of);
  shk_index_clear(&rows);
  shk_index_clear(&blocks);
}

static void layout_clear(struct layout *layout)
{
  free(layout->row_start);
  free(layout->order);
  free(layout->block_start);
  free(layout->row_order);
}

/* The cell, "step 0.1 (until 3)", if the finding is its outcome; NULL for other findings. */
static const char *outcome_of(const struct shk_finding *f)
{
  return f->word != NULL && f->named.id == SHK_QUANTITY_OUTCOME ? f->named.parameter : NULL;
}

/* Title of a table: "pendulum, single, double and quad", or "…, least cost of an error of q". With
 * a study the problem has its label. */
static char *title_of(const struct layout *layout, int block, enum shk_overview_part part,
                      const struct shk_study *study)
{
  struct shk_index precisions = {0}, problems = {0};
  for (int at = layout->block_start[block]; at < layout->block_start[block + 1]; at++) {
    const int row = layout->row_order[at];
    for (int k = layout->row_start[row]; k < layout->row_start[row + 1]; k++) {
      const struct shk_finding *const f = &layout->analysis->findings[layout->order[k]];
      shk_index_text(&precisions, f->precision);
      if (shk_overview_table_has(part, f))
        shk_index_text(&problems, f->problem);
    }
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

/* Prints a table of the rows of one problem, or of all, without empty columns: in lines of this
 * width, or in LaTeX if `latex` is given. Returns whether there was a row. */
static bool print_block(const struct layout *layout, int block, enum shk_overview_part part,
                        int width, const struct shk_study *latex)
{
  struct shk_overview_table table = {.part = part};
  for (int at = layout->block_start[block]; at < layout->block_start[block + 1]; at++) {
    const int row = layout->row_order[at], first = layout->row_start[row];
    shk_overview_table_add(&table, layout->analysis->findings, layout->order + first,
                           layout->row_start[row + 1] - first);
  }
  const bool any = table.row_count > 0;
  if (any) {
    char *const title = title_of(layout, block, part, latex);
    if (latex) {
      shk_overview_table_print_latex(&table, title, latex);
    } else {
      if (part != SHK_OVERVIEW_KEPT) {
        shk_print_wrapped(stdout, title, 0, 0, width);
        puts(":");
      }
      shk_overview_table_print(&table, width);
    }
    if (!latex)
      shk_overview_table_explain(&table, width);
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

/* True for findings of an unfinished study that may change when the rest of its cells is run. */
static bool is_pending(const struct shk_finding *f)
{
  return f->verdict == SHK_VERDICT_UNDECIDED ||
         (f->verdict == SHK_VERDICT_FAILED &&
          (!f->word || strcmp(f->word, shk_record_status(NULL)) == 0));
}

/* Prints the findings of this verdict, each reason once. */
static void print_reasons(const struct shk_analysis *analysis, enum shk_verdict verdict, int width)
{
  struct shk_index reasons = {0};
  int *group_of = shk_allocate((size_t)analysis->finding_count + 1, sizeof *group_of);
  for (int i = 0; i < analysis->finding_count; i++) {
    const struct shk_finding *f = &analysis->findings[i];
    group_of[i] = f->verdict == verdict && f->reason ? shk_index_text(&reasons, f->reason) : -1;
  }
  const bool bad = verdict == SHK_VERDICT_FALSIFIED || verdict == SHK_VERDICT_FAILED;
  const char *const word = shk_verdict_word(verdict);
  for (int group = 0; group < reasons.count; group++) {
    char *what = group_text(analysis, group_of, group);
    char *line = shk_print_text("%s: %s", what, reasons.texts[group]);
    printf("%s%s%s ", shk_colour(stdout, bad ? SHK_RED : SHK_YELLOW), word,
           shk_colour(stdout, SHK_PLAIN));
    shk_print_wrapped(stdout, line, (int)strlen(word) + 1, 2, width);
    putchar('\n');
    free(line);
    free(what);
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
    shk_print_plain(stdout, f->quantity);
    fputs(" of ", stdout);
    shk_print_plain(stdout, f->integrator);
    fputs(" on ", stdout);
    shk_print_plain(stdout, f->problem);
    printf(" in %s: %s\n", f->precision, f->word ? f->word : number);
    any = true;
  }
  if (any)
    putchar('\n');
}

/* The first finding of a row with the same outcome as this one. */
static const struct shk_finding *first_alike(const struct layout *layout, int row,
                                             const struct shk_finding *f)
{
  const struct shk_finding *const all = layout->analysis->findings;
  for (int k = layout->row_start[row]; k < layout->row_start[row + 1]; k++)
    if (outcome_of(&all[layout->order[k]]) && strcmp(all[layout->order[k]].word, f->word) == 0)
      return &all[layout->order[k]];
  return f;
}

/* The steps of a row with the outcome of f, ": step 0.1, step 0.05". */
static char *steps_of(const struct layout *layout, int row, const struct shk_finding *f)
{
  const struct shk_finding *const all = layout->analysis->findings;
  char *text = NULL;
  for (int k = layout->row_start[row]; k < layout->row_start[row + 1]; k++)
    if (outcome_of(&all[layout->order[k]]) && strcmp(all[layout->order[k]].word, f->word) == 0)
      shk_append_text(&text, "%s%.*s", text ? ", " : "", all[layout->order[k]].named.length,
                      outcome_of(&all[layout->order[k]]));
  return text;
}

static bool is_right(const struct shk_finding *f)
{
  return strcmp(f->word, shk_singular_word(SHK_OUTCOME_RIGHT)) == 0;
}

/* Length of the event, with its time, at the beginning of a reason; the evidence follows after a
 * colon. */
static size_t event_length(const char *reason)
{
  const char *const colon = strstr(reason, ": ");
  const bool advice = strstr(reason, ": take ");
  return colon && !advice ? (size_t)(colon - reason) : strlen(reason);
}

/* Prints the outcomes of the cells of a row that did not finish well, a line each: "rattle stopped
 * at t = 0.7 (step 0.1, step 0.05)". Returns whether one is on another branch. */
static bool print_row_outcomes(const struct layout *layout, int row, int width)
{
  bool left = false;
  for (int k = layout->row_start[row]; k < layout->row_start[row + 1]; k++) {
    const struct shk_finding *const f = &layout->analysis->findings[layout->order[k]];
    if (!outcome_of(f) || first_alike(layout, row, f) != f || is_right(f))
      continue;
    left = left || strcmp(f->word, shk_singular_word(SHK_OUTCOME_OTHER_BRANCH)) == 0;
    char *const steps = steps_of(layout, row, f);
    char *const line = shk_print_text("%s %.*s (%s)", f->integrator, (int)event_length(f->reason),
                                      f->reason, steps);
    fputs("  ", stdout);
    shk_print_wrapped(stdout, line, 2, 4, width);
    putchar('\n');
    free(line);
    free(steps);
  }
  return left;
}

/* Integrators that are right at all their steps, or at some of them, "rattle (step 0.1)"; NULL:
 * none. */
static char *right_of(const struct layout *layout, int block)
{
  char *text = NULL;
  for (int i = layout->block_start[block]; i < layout->block_start[block + 1]; i++) {
    const int row = layout->row_order[i];
    const struct shk_finding *right = NULL;
    bool all = true;
    for (int k = layout->row_start[row]; k < layout->row_start[row + 1]; k++) {
      const struct shk_finding *const f = &layout->analysis->findings[layout->order[k]];
      if (outcome_of(f) && is_right(f))
        right = f;
      else
        all = all && !outcome_of(f);
    }
    if (!right)
      continue;
    char *const steps = all ? shk_copy_text("") : steps_of(layout, row, right);
    shk_append_text(&text, "%s%s%s%s%s", text ? ", " : "", right->integrator, all ? "" : " (",
                    steps, all ? "" : ")");
    free(steps);
  }
  return text;
}

static bool has_outcomes(const struct layout *layout, int block)
{
  for (int i = layout->block_start[block]; i < layout->block_start[block + 1]; i++)
    for (int row = layout->row_order[i], k = layout->row_start[row]; k < layout->row_start[row + 1];
         k++)
      if (outcome_of(&layout->analysis->findings[layout->order[k]]))
        return true;
  return false;
}

/* Prints "four-bar, double, through its singular configurations: rattle, shake", and a line for
 * each other outcome. */
static void print_block_outcomes(const struct layout *layout, int block, int width)
{
  const int first = layout->order[layout->row_start[layout->row_order[layout->block_start[block]]]];
  const struct shk_finding *const f = &layout->analysis->findings[first];
  char *const right = right_of(layout, block);
  char *const line = shk_print_text("%s, %s, on the right branch to the end: %s", f->problem,
                                    f->precision, right ? right : "none");
  shk_print_wrapped(stdout, line, 0, 2, width);
  putchar('\n');
  bool left = false;
  for (int i = layout->block_start[block]; i < layout->block_start[block + 1]; i++)
    left = print_row_outcomes(layout, layout->row_order[i], width) || left;
  if (left)
    puts("  (left: the velocity jumped to another branch, where g = 0 holds too)");
  putchar('\n');
  free(line);
  free(right);
}

static void print_outcomes(const struct shk_analysis *analysis, int width)
{
  struct layout layout;
  lay_out(&layout, analysis, true, false);
  for (int block = 0; block < layout.blocks && block < MOST_BLOCKS; block++)
    if (has_outcomes(&layout, block))
      print_block_outcomes(&layout, block, width);
  layout_clear(&layout);
}

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
  const int blocks = layout->blocks < MOST_BLOCKS ? layout->blocks : MOST_BLOCKS;
  bool costs = false;
  for (int block = 0; block < blocks; block++) {
    print_block(layout, block, SHK_OVERVIEW_PROBLEM, width, NULL);
    costs = print_block(layout, block, SHK_OVERVIEW_COSTS, width, NULL) || costs;
  }
  if (costs) {
    shk_print_wrapped(
        stdout,
        "(CPU time in ms, evaluations of force and constraint Jacobian, and where there is room "
        "the step, or tolerance; \"<\", \">\": the coarsest run is more accurate; blank: none is "
        "so accurate)",
        0, 0, width);
    fputs("\n\n", stdout);
  }
  if (layout->blocks > blocks)
    printf("and %d more tables: these are the first %d; `shakedown show STORE --values` has every "
           "value\n\n",
           layout->blocks - blocks, blocks);
}

static void print_tables(const struct shk_analysis *analysis, bool each, int width)
{
  struct layout layout, methods;
  lay_out(&layout, analysis, false, false);
  lay_out(&methods, analysis, false, true);
  if (each || layout.blocks < 2 || layout.rows <= MOST_ROWS || methods.rows < 2) {
    print_each_problem(&layout, width);
  } else {
    print_block(&methods, 0, SHK_OVERVIEW_ACCURACY, width, NULL);
    print_block(&methods, 0, SHK_OVERVIEW_KEPT, width, NULL);
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
    if (analysis->finding_count > 0 && has_several_precisions(analysis)) {
      shk_print_wrapped(stdout,
                        "(of several precisions: the sharpest order, the largest violation)", 0, 0,
                        width);
      putchar('\n');
    }
  }
  for (size_t k = 0; k < sizeof order / sizeof order[0]; k++)
    print_reasons(analysis, order[k], shk_terminal_width(stdout, 0));
  shk_print_verdicts(counts);
}

/* Removes pending findings and returns their number. The remaining ones are stored in `kept`, which
 * has room for all. */
static int leave_out_pending(struct shk_analysis *analysis, struct shk_finding *kept)
{
  int count = 0;
  for (int i = 0; i < analysis->finding_count; i++)
    if (!is_pending(&analysis->findings[i]))
      kept[count++] = analysis->findings[i];
  const int pending = analysis->finding_count - count;
  analysis->findings = kept;
  analysis->finding_count = count;
  return pending;
}

int shk_overview_print_unfinished(const struct shk_analysis *analysis, enum shk_tables tables)
{
  struct shk_analysis known = *analysis;
  struct shk_finding *const kept = shk_allocate((size_t)analysis->finding_count + 1, sizeof *kept);
  const int pending = leave_out_pending(&known, kept);
  shk_overview_print(&known, tables);
  free(kept);
  return pending;
}

void shk_overview_print_latex(const struct shk_analysis *analysis, const struct shk_study *study)
{
  struct layout layout;
  lay_out(&layout, analysis, false, false);
  for (int block = 0; block < layout.blocks; block++)
    for (int part = SHK_OVERVIEW_PROBLEM; part <= SHK_OVERVIEW_COSTS; part++)
      print_block(&layout, block, (enum shk_overview_part)part, 0, study);
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
