/* One table of the overview. See overview_table.h. */
#include "cli/shared/output/overview_table.h"

#include "foundation/memory.h"
#include "harness/analysis/families/verdict.h"
#include "harness/analysis/statistics/drift.h"
#include "measures/quantity.h"
#include "results/export/export.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The quantities with columns of their own; the others are in the long table. Where a line has no
 * room for all, those of the highest rank are left out. What an error costs is a table of its
 * own. */
static const struct {
  enum shk_quantity_id quantity;
  enum shk_block_id block;
  int rank;
  const char *parameter, *heading; /* of costs */
} columns[] = {{SHK_QUANTITY_ORDER, SHK_BLOCK_Q, 0, NULL, NULL},
               {SHK_QUANTITY_ORDER, SHK_BLOCK_P, 1, NULL, NULL},
               {SHK_QUANTITY_ORDER, SHK_BLOCK_LAMBDA, 2, NULL, NULL},
               {SHK_QUANTITY_ORDER, SHK_BLOCK_MU, 8, NULL, NULL},
               {SHK_QUANTITY_ORDER, SHK_BLOCK_LAMBDA_MEAN, 6, NULL, NULL},
               {SHK_QUANTITY_ORDER, SHK_BLOCK_LAMBDA_SUM, 7, NULL, NULL},
               {SHK_QUANTITY_ENERGY_CLASS, SHK_BLOCKS, 3, NULL, NULL},
               {SHK_QUANTITY_CONSTRAINT_MAX, SHK_BLOCKS, 4, NULL, NULL},
               {SHK_QUANTITY_HIDDEN_MAX, SHK_BLOCKS, 5, NULL, NULL},
               {SHK_QUANTITY_COST_SECONDS, SHK_BLOCKS, 0, "1e-4", "ms 1e-4"},
               {SHK_QUANTITY_COST_SECONDS, SHK_BLOCKS, 2, "1e-6", "ms 1e-6"},
               {SHK_QUANTITY_COST_SECONDS, SHK_BLOCKS, 0, "1e-8", "ms 1e-8"},
               {SHK_QUANTITY_COST_EVALUATIONS, SHK_BLOCKS, 1, "1e-4", "evals 1e-4"},
               {SHK_QUANTITY_COST_EVALUATIONS, SHK_BLOCKS, 3, "1e-6", "evals 1e-6"},
               {SHK_QUANTITY_COST_EVALUATIONS, SHK_BLOCKS, 1, "1e-8", "evals 1e-8"},
               {SHK_QUANTITY_COST_STEP, SHK_BLOCKS, 4, "1e-4", "h 1e-4"},
               {SHK_QUANTITY_COST_STEP, SHK_BLOCKS, 6, "1e-6", "h 1e-6"},
               {SHK_QUANTITY_COST_STEP, SHK_BLOCKS, 5, "1e-8", "h 1e-8"}};
enum { COLUMNS = sizeof columns / sizeof columns[0], MOST_DECIMALS = 3, GAP = 2 };

void shk_concise_number(char *buffer, size_t size, double value, double half_width)
{
  int decimals = MOST_DECIMALS;
  const bool known = half_width > 0 && half_width < 10;
  if (known) {
    decimals = (int)fmin(MOST_DECIMALS, fmax(0, ceil(-log10(half_width))));
    if (half_width * pow(10, decimals) < 2 && decimals < MOST_DECIMALS)
      decimals++;
  }
  const double unit = pow(10, -decimals);
  const double shown = fabs(value) < unit / 2 ? 0 : value; /* no "-0.000" */
  if (isnan(value))
    buffer[0] = '\0';
  else if (known)
    snprintf(buffer, size, "%.*f(%.0f)", decimals, shown, ceil(half_width / unit));
  else
    snprintf(buffer, size, "%.*f", decimals, shown);
}

static bool has_parameter(const struct shk_named_quantity *named, const char *parameter)
{
  return !parameter || (strlen(parameter) == (size_t)named->length &&
                        strncmp(named->parameter, parameter, strlen(parameter)) == 0);
}

/* The column of a finding; -1 if it has none. */
static int column_of(const struct shk_finding *f, bool costs)
{
  for (int i = 0; i < COLUMNS; i++)
    if (costs == (columns[i].parameter != NULL) && f->named.id == columns[i].quantity &&
        f->named.block == columns[i].block && f->named.statistic == SHK_STATISTIC_NONE &&
        has_parameter(&f->named, columns[i].parameter))
      return i;
  return -1;
}

static const char *heading(char *text, size_t size, int column, bool latex)
{
  const enum shk_block_id block = columns[column].block;
  const struct shk_quantity *const quantity = &shk_quantities[columns[column].quantity];
  if (columns[column].heading)
    return columns[column].heading;
  if (latex)
    return shk_quantity_words(text, size, quantity->latex,
                              block != SHK_BLOCKS ? shk_blocks[block].latex : NULL);
  return shk_quantity_words(text, size, quantity->text,
                            block != SHK_BLOCKS ? shk_blocks[block].text : NULL);
}

static bool is_undetermined(const struct shk_finding *f)
{
  return f->word && strcmp(f->word, "undetermined") == 0;
}

/* "<": at most so much; of a step at least. */
static void fill_cost(char *text, size_t size, const struct shk_finding *f)
{
  const bool milliseconds = f->named.entry->kind == SHK_KIND_CLOCK;
  if (isnan(f->value))
    text[0] = '\0';
  else if (f->named.id == SHK_QUANTITY_COST_STEP)
    snprintf(text, size, "%s%.2g", f->reason ? ">" : "", f->value);
  else
    snprintf(text, size, milliseconds ? "%s%.3g" : "%s%.0f", f->reason ? "<" : "",
             milliseconds ? 1000 * f->value : f->value);
}

static void fill(char *text, size_t size, const struct shk_finding *f, int column)
{
  if (columns[column].parameter) {
    fill_cost(text, size, f);
    return;
  }
  const char *mark = f->verdict == SHK_VERDICT_FALSIFIED   ? "!"
                     : f->verdict == SHK_VERDICT_UNDECIDED ? "?"
                                                           : "";
  char number[48];
  if (f->word)
    snprintf(number, sizeof number, "%s", f->word);
  else if (shk_quantities[columns[column].quantity].kind == SHK_KIND_ORDER)
    shk_concise_number(number, sizeof number, f->value, f->uncertainty);
  else
    shk_number_text(number, sizeof number, f->value, 2);
  if (f->verdict == SHK_VERDICT_REFUSED || f->verdict == SHK_VERDICT_FAILED)
    snprintf(text, size, "%s", shk_verdict_word(f->verdict));
  else if (is_undetermined(f))
    snprintf(text, size, "%s", mark); /* nothing where nothing was asked */
  else
    snprintf(text, size, "%s%s", *number != '\0' ? number : "-", mark);
}

/* How much a finding has to say: a claim that fails comes first, then a value that is as claimed,
 * one that decides nothing, none. */
static int standing(const struct shk_finding *f)
{
  if (f->verdict == SHK_VERDICT_FALSIFIED)
    return 4;
  if (f->verdict == SHK_VERDICT_REFUSED || f->verdict == SHK_VERDICT_FAILED)
    return 0;
  if (is_undetermined(f) || (!f->word && isnan(f->value)))
    return 1;
  return f->verdict == SHK_VERDICT_UNDECIDED ? 2 : 3;
}

/* Of two findings of a row in one column, of several precisions or horizons: the one to show. */
static bool says_more(const struct shk_finding *a, const struct shk_finding *b)
{
  if (standing(a) != standing(b))
    return standing(a) > standing(b);
  if (a->named.entry->kind == SHK_KIND_CLASS && a->word && b->word)
    return shk_energy_class_named(a->word) > shk_energy_class_named(b->word); /* the worse */
  if (a->named.entry->measure == SHK_MEASURE_WORK_PRECISION)
    return a->value < b->value;
  return a->named.entry->kind == SHK_KIND_ORDER ? a->uncertainty < b->uncertainty
                                                : a->value > b->value;
}

/* What the row has to say in each column; NULL: nothing. Returns whether there is anything. */
static bool choose(const struct shk_finding *chosen[COLUMNS], const struct shk_finding *findings,
                   const int *which, int count, bool costs)
{
  bool any = false;
  for (int i = 0; i < COLUMNS; i++)
    chosen[i] = NULL;
  for (int i = 0; i < count; i++) {
    const struct shk_finding *const f = &findings[which[i]];
    const int column = column_of(f, costs);
    if (column < 0)
      continue;
    if (!chosen[column] || says_more(f, chosen[column]))
      chosen[column] = f;
    any = true;
  }
  return any;
}

struct shk_overview_row {
  const char *integrator;
  char texts[COLUMNS][64];
  double cost; /* by which rows of costs are sorted */
};

static double seconds_at(const struct shk_finding *const chosen[COLUMNS], const char *error)
{
  for (int i = 0; i < COLUMNS; i++)
    if (chosen[i] && columns[i].quantity == SHK_QUANTITY_COST_SECONDS &&
        strcmp(columns[i].parameter, error) == 0)
      return chosen[i]->value;
  return NAN;
}

/* What is less accurate than 1e-6 comes after what is not. */
static double sorting_cost(const struct shk_finding *const chosen[COLUMNS])
{
  const double middle = seconds_at(chosen, "1e-6"), first = seconds_at(chosen, "1e-4");
  return !isnan(middle) ? middle : !isnan(first) ? 1e9 + first : INFINITY;
}

static int by_cost(const void *a, const void *b)
{
  const struct shk_overview_row *const x = a, *const y = b;
  const int order = (x->cost > y->cost) - (x->cost < y->cost);
  return order != 0 ? order : strcmp(x->integrator, y->integrator);
}

void shk_overview_table_add(struct shk_overview_table *table, const struct shk_finding *findings,
                            const int *which, int count)
{
  const struct shk_finding *chosen[COLUMNS];
  if (!choose(chosen, findings, which, count, table->costs))
    return;
  table->rows = shk_grow(table->rows, (size_t)table->row_count, sizeof *table->rows);
  struct shk_overview_row *const row = &table->rows[table->row_count++];
  *row = (struct shk_overview_row){.integrator = findings[which[0]].integrator,
                                   .cost = sorting_cost(chosen)};
  for (int i = 0; i < COLUMNS; i++)
    if (chosen[i])
      fill(row->texts[i], sizeof row->texts[i], chosen[i], i);
}

void shk_overview_table_clear(struct shk_overview_table *table)
{
  free(table->rows);
  *table = (struct shk_overview_table){0};
}

/* Columns of a table of this width; those of the highest ranks are left out. */
static void fit_columns(int widths[COLUMNS], int first, int width)
{
  int sum = first;
  for (int i = 0; i < COLUMNS; i++)
    sum += widths[i] > 0 ? widths[i] + GAP : 0;
  while (sum > width) {
    int last = -1;
    for (int i = 0; i < COLUMNS; i++)
      if (widths[i] > 0 && (last < 0 || columns[i].rank > columns[last].rank))
        last = i;
    if (last < 0 || columns[last].rank == 0)
      return;
    sum -= widths[last] + GAP;
    widths[last] = 0;
  }
}

/* What each column takes; 0: it is empty. Returns what the first takes. */
static int measure(int widths[COLUMNS], const struct shk_overview_table *table)
{
  char words[64];
  int first = (int)strlen("integrator");
  memset(widths, 0, COLUMNS * sizeof widths[0]);
  for (int row = 0; row < table->row_count; row++) {
    const int name = shk_print_plain(NULL, table->rows[row].integrator);
    first = name > first ? name : first;
    for (int i = 0; i < COLUMNS; i++) {
      const int width = shk_print_plain(NULL, table->rows[row].texts[i]);
      widths[i] = width > widths[i] ? width : widths[i];
    }
  }
  for (int i = 0; i < COLUMNS; i++) {
    const int width = shk_print_plain(NULL, heading(words, sizeof words, i, false));
    widths[i] = widths[i] > 0 && width > widths[i] ? width : widths[i];
  }
  return first;
}

static void print(struct shk_overview_table *table, const int widths[COLUMNS],
                  const struct shk_study *latex, const char *title)
{
  const char *names[COLUMNS + 1] = {"integrator"};
  char headings[COLUMNS][64];
  enum shk_alignment sides[COLUMNS + 1] = {SHK_ALIGN_LEFT};
  int count = 1;
  if (table->costs)
    qsort(table->rows, (size_t)table->row_count, sizeof *table->rows, by_cost);
  for (int i = 0; i < COLUMNS; i++)
    if (widths[i] > 0) {
      names[count] = heading(headings[i], sizeof headings[i], i, latex != NULL);
      sides[count++] = SHK_ALIGN_NUMBER;
    }
  struct shk_table printed;
  shk_table_init(&printed, count, names, sides);
  for (int row = 0; row < table->row_count; row++) {
    const char *const integrator = table->rows[row].integrator;
    char *const shown = latex ? shk_study_shown(latex, integrator) : shk_copy_text(integrator);
    const char *fields[COLUMNS + 1] = {shown};
    int at = 1;
    for (int i = 0; i < COLUMNS; i++)
      if (widths[i] > 0)
        fields[at++] = table->rows[row].texts[i];
    shk_table_add(&printed, fields);
    free(shown);
  }
  printed.latex_names = latex != NULL;
  printed.title = title;
  shk_table_print(stdout, &printed, latex ? SHK_FORMAT_LATEX : SHK_FORMAT_TABLE);
  shk_table_clear(&printed);
}

void shk_overview_table_print(struct shk_overview_table *table, int width)
{
  int widths[COLUMNS];
  const int first = measure(widths, table);
  fit_columns(widths, first, width);
  print(table, widths, NULL, NULL);
}

void shk_overview_table_print_latex(struct shk_overview_table *table, const char *title,
                                    const struct shk_study *study)
{
  int widths[COLUMNS];
  measure(widths, table);
  print(table, widths, study, title);
}
