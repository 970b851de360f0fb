/* One table of the overview. See overview_table.h. */
#include "cli/shared/output/overview_table.h"
#include "cli/shared/output/row_words.h"
#include "cli/shared/output/terminal.h"

#include "foundation/memory.h"
#include "harness/analysis/families/verdict.h"
#include "harness/analysis/statistics/drift.h"
#include "measures/quantity.h"
#include "results/export/export.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The quantities with columns of their own, and the tables that have them; the others are in the
 * long table. If a line is too narrow for all, those of the highest rank are left out. */
enum {
  PROBLEM = 1 << SHK_OVERVIEW_PROBLEM,
  COSTS = 1 << SHK_OVERVIEW_COSTS,
  ACCURACY = 1 << SHK_OVERVIEW_ACCURACY,
  KEPT = 1 << SHK_OVERVIEW_KEPT
};
static const struct {
  enum shk_quantity_id quantity;
  enum shk_block_id block;
  int parts, rank;
  const char *parameter, *heading; /* used by costs only */
} columns[] = {
    {SHK_QUANTITY_ORDER, SHK_BLOCK_Q, PROBLEM | ACCURACY, 0, NULL, NULL},
    {SHK_QUANTITY_ORDER, SHK_BLOCK_P, PROBLEM | ACCURACY, 1, NULL, NULL},
    {SHK_QUANTITY_ORDER, SHK_BLOCK_LAMBDA, PROBLEM | ACCURACY, 2, NULL, NULL},
    {SHK_QUANTITY_ORDER, SHK_BLOCK_MU, PROBLEM, 8, NULL, NULL},
    {SHK_QUANTITY_ORDER, SHK_BLOCK_LAMBDA_MEAN, PROBLEM, 6, NULL, NULL},
    {SHK_QUANTITY_ORDER, SHK_BLOCK_LAMBDA_SUM, PROBLEM, 7, NULL, NULL},
    {SHK_QUANTITY_ENERGY_CLASS, SHK_BLOCKS, PROBLEM | KEPT, 3, NULL, NULL},
    {SHK_QUANTITY_CONSTRAINT_MAX, SHK_BLOCKS, PROBLEM | KEPT, 4, NULL, NULL},
    {SHK_QUANTITY_HIDDEN_MAX, SHK_BLOCKS, PROBLEM | KEPT, 5, NULL, NULL},
    {SHK_QUANTITY_COST_SECONDS, SHK_BLOCKS, COSTS, 0, "1e-4", "ms 1e-4"},
    {SHK_QUANTITY_COST_SECONDS, SHK_BLOCKS, COSTS | ACCURACY, 2, "1e-6", "ms 1e-6"},
    {SHK_QUANTITY_COST_SECONDS, SHK_BLOCKS, COSTS, 0, "1e-8", "ms 1e-8"},
    {SHK_QUANTITY_COST_EVALUATIONS, SHK_BLOCKS, COSTS, 1, "1e-4", "evals 1e-4"},
    {SHK_QUANTITY_COST_EVALUATIONS, SHK_BLOCKS, COSTS | ACCURACY, 3, "1e-6", "evals 1e-6"},
    {SHK_QUANTITY_COST_EVALUATIONS, SHK_BLOCKS, COSTS, 1, "1e-8", "evals 1e-8"},
    {SHK_QUANTITY_COST_STEP, SHK_BLOCKS, COSTS, 4, "1e-4", "h 1e-4"},
    {SHK_QUANTITY_COST_STEP, SHK_BLOCKS, COSTS, 6, "1e-6", "h 1e-6"},
    {SHK_QUANTITY_COST_STEP, SHK_BLOCKS, COSTS, 5, "1e-8", "h 1e-8"}};
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
static int column_of(const struct shk_finding *f)
{
  for (int i = 0; i < COLUMNS; i++)
    if (f->named.id == columns[i].quantity && f->named.block == columns[i].block &&
        f->named.statistic == SHK_STATISTIC_NONE && has_parameter(&f->named, columns[i].parameter))
      return i;
  return -1;
}

static bool is_in(int column, enum shk_overview_part part)
{
  return (columns[column].parts & 1 << part) != 0;
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

/* Prints a cost. "<": an upper bound; ">": a lower bound, of a step. */
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
  if (f->adaptive && columns[column].quantity == SHK_QUANTITY_ORDER) {
    snprintf(text, size, "%s", columns[column].block == SHK_BLOCK_Q ? "by tol." : "");
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
    snprintf(text, size, "%s", mark); /* the quantity was not requested */
  else
    snprintf(text, size, "%s%s", *number != '\0' ? number : "-", mark);
}

/* Rank of a finding: a falsified claim comes first, then a value in accordance with its claim, an
 * undecided value, an undetermined one, and none. */
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

/* Order of two findings of a row in one column, of several precisions or horizons: true if `a` is
 * to be shown. */
static bool says_more(const struct shk_finding *a, const struct shk_finding *b)
{
  if (standing(a) != standing(b))
    return standing(a) > standing(b);
  if (a->named.entry->kind == SHK_KIND_CLASS && a->word && b->word)
    return shk_energy_class_named(a->word) > shk_energy_class_named(b->word); /* the worse class */
  if (a->named.entry->measure == SHK_MEASURE_WORK_PRECISION)
    return a->value < b->value;
  return a->named.entry->kind == SHK_KIND_ORDER ? a->uncertainty < b->uncertainty
                                                : a->value > b->value;
}

/* Chooses the finding shown in each column; NULL: none. Of the costs on several problems the
 * highest is taken. Returns whether the part has any. */
static bool choose(const struct shk_finding *chosen[COLUMNS], const struct shk_finding *const *all,
                   int count, enum shk_overview_part part)
{
  bool any = false;
  for (int i = 0; i < COLUMNS; i++)
    chosen[i] = NULL;
  for (int i = 0; i < count; i++) {
    const struct shk_finding *const f = all[i];
    const int column = column_of(f);
    if (column < 0)
      continue;
    const struct shk_finding *const before = chosen[column];
    const bool dearest = before && columns[column].parameter && part == SHK_OVERVIEW_ACCURACY &&
                         standing(f) == standing(before);
    if (!before || (dearest ? f->value > before->value : says_more(f, before)))
      chosen[column] = f;
    any = any || is_in(column, part);
  }
  return any;
}

struct shk_overview_row {
  const char *integrator;
  int word; /* index into shk_row_words; -1: none */
  char texts[COLUMNS][64];
  double cost; /* key by which rows of costs are sorted */
};

static double seconds_at(const struct shk_finding *const chosen[COLUMNS], const char *error)
{
  for (int i = 0; i < COLUMNS; i++)
    if (chosen[i] && columns[i].quantity == SHK_QUANTITY_COST_SECONDS &&
        strcmp(columns[i].parameter, error) == 0)
      return chosen[i]->value;
  return NAN;
}

/* Methods that do not reach 1e-6 come after those that do. */
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

/* Appends the rate, an energy per time, and its half-width to "drift": "drift -1.21(3)e-5". It is
 * the rate of the problem and horizon that have the class. */
static void add_rate(char *text, size_t size, const struct shk_finding *class,
                     const struct shk_finding *const *all, int count)
{
  if (!class->word || strcmp(class->word, shk_energy_word(SHK_ENERGY_DRIFT)) != 0)
    return;
  for (int i = 0; i < count; i++) {
    const struct shk_finding *const f = all[i];
    const size_t used = strlen(text);
    if (f->named.id == SHK_QUANTITY_ENERGY_SLOPE && f->named.statistic == SHK_STATISTIC_NONE &&
        strcmp(f->problem, class->problem) == 0 &&
        strcmp(f->named.detail, class->named.detail) == 0 && f->value != 0) {
      char number[32];
      const int exponent = (int)floor(log10(fabs(f->value)));
      const double unit = pow(10, exponent);
      shk_concise_number(number, sizeof number, f->value / unit, f->uncertainty / unit);
      snprintf(text + used, size - used, " %se%d", number, exponent);
      return;
    }
  }
}

void shk_overview_table_add(struct shk_overview_table *table, const struct shk_finding *const *f,
                            int count)
{
  const struct shk_finding *chosen[COLUMNS];
  if (!choose(chosen, f, count, table->part))
    return;
  struct shk_overview_row *const row = SHK_APPEND(table->rows, table->row_count);
  const bool has_word = table->part == SHK_OVERVIEW_KEPT;
  *row = (struct shk_overview_row){.integrator = f[0]->integrator,
                                   .word = has_word ? shk_row_word_of(f, count) : -1,
                                   .cost = sorting_cost(chosen)};
  for (int i = 0; i < COLUMNS; i++) {
    if (!chosen[i] || !is_in(i, table->part))
      continue;
    fill(row->texts[i], sizeof row->texts[i], chosen[i], i);
    if (has_word && columns[i].quantity == SHK_QUANTITY_ENERGY_CLASS)
      add_rate(row->texts[i], sizeof row->texts[i], chosen[i], f, count);
  }
}

bool shk_overview_table_has(enum shk_overview_part part, const struct shk_finding *f)
{
  const int column = column_of(f);
  return column >= 0 && is_in(column, part);
}

/* Explains costs of several problems, and the words at the end of rows, a line each. */
static void explain(const struct shk_overview_table *table, int width)
{
  enum { HEAD = 16 };
  bool costs = false;
  for (int i = 0; i < table->row_count; i++)
    costs = costs || isfinite(table->rows[i].cost);
  if (table->part == SHK_OVERVIEW_ACCURACY && costs)
    puts("(1e-6: cost of an error of q of 1e-6; blank: no run is as accurate)");
  for (int k = 0; shk_row_words[k].word; k++) {
    bool used = false;
    for (int i = 0; i < table->row_count; i++)
      used = used || table->rows[i].word == k;
    if (!used)
      continue;
    printf("%-*s", HEAD, shk_row_words[k].word);
    shk_print_wrapped(stdout, shk_row_words[k].meaning, HEAD, HEAD, width);
    putchar('\n');
  }
}

void shk_overview_table_clear(struct shk_overview_table *table)
{
  free(table->rows);
  *table = (struct shk_overview_table){0};
}

/* Removes the columns of the highest ranks until the table fits the width. */
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

/* Computes the width of each column; 0: it is empty. Returns the width of the first. */
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

void shk_overview_table_print(struct shk_overview_table *table, int width,
                              const struct shk_study *latex, const char *title)
{
  const bool has_words = table->part == SHK_OVERVIEW_KEPT;
  const char *names[COLUMNS + 2] = {"integrator"};
  char headings[COLUMNS][64];
  enum shk_alignment sides[COLUMNS + 2] = {SHK_ALIGN_LEFT};
  int count = 1, widths[COLUMNS];
  const int first = measure(widths, table);
  if (!latex)
    fit_columns(widths, first, width);
  if (table->part == SHK_OVERVIEW_COSTS)
    qsort(table->rows, (size_t)table->row_count, sizeof *table->rows, by_cost);
  for (int i = 0; i < COLUMNS; i++)
    if (widths[i] > 0) {
      const bool word = has_words && columns[i].quantity == SHK_QUANTITY_ENERGY_CLASS;
      names[count] = heading(headings[i], sizeof headings[i], i, latex != NULL);
      sides[count++] = word ? SHK_ALIGN_LEFT : SHK_ALIGN_NUMBER;
    }
  names[count] = "in a word";
  sides[count] = SHK_ALIGN_LEFT;
  struct shk_table printed;
  shk_table_init(&printed, count + has_words, names, sides);
  for (const struct shk_overview_row *row = table->rows; row < table->rows + table->row_count;
       row++) {
    char *const shown =
        latex ? shk_study_shown(latex, row->integrator) : shk_copy_text(row->integrator);
    const char *fields[COLUMNS + 2] = {shown};
    int at = 1;
    for (int i = 0; i < COLUMNS; i++)
      if (widths[i] > 0)
        fields[at++] = row->texts[i];
    fields[at] = row->word < 0 ? "" : shk_row_words[row->word].word;
    shk_table_add(&printed, fields);
    free(shown);
  }
  printed.latex_names = latex != NULL;
  printed.title = latex ? title : NULL;
  shk_table_print(stdout, &printed, latex ? SHK_FORMAT_LATEX : SHK_FORMAT_TABLE);
  shk_table_clear(&printed);
  if (!latex)
    explain(table, width);
}
