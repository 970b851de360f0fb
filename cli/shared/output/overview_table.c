/* Prints one table of the overview. See overview_table.h. */
#include "cli/shared/output/overview_table.h"
#include "cli/shared/output/row_words.h"
#include "cli/shared/output/terminal.h"

#include "foundation/index.h"
#include "foundation/memory.h"
#include "harness/analysis/families/verdict.h"
#include "harness/analysis/statistics/drift.h"
#include "measures/quantity.h"
#include "results/export/export.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The quantities that have columns, and the tables in which these columns appear. `show --values`
 * shows all quantities. If a table is too wide for the line, the columns with the highest rank are
 * omitted; those of rank 0 are always shown. */
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
  const char *parameter, *unit; /* the error and the unit of a cost; NULL for other quantities */
} columns[] = {{SHK_QUANTITY_ORDER, SHK_BLOCK_Q, PROBLEM | ACCURACY, 0, NULL, NULL},
               {SHK_QUANTITY_ORDER, SHK_BLOCK_P, PROBLEM | ACCURACY, 1, NULL, NULL},
               {SHK_QUANTITY_ORDER, SHK_BLOCK_LAMBDA, PROBLEM | ACCURACY, 3, NULL, NULL},
               {SHK_QUANTITY_ORDER, SHK_BLOCK_MU, PROBLEM, 8, NULL, NULL},
               {SHK_QUANTITY_ORDER, SHK_BLOCK_LAMBDA_MEAN, PROBLEM, 6, NULL, NULL},
               {SHK_QUANTITY_ORDER, SHK_BLOCK_LAMBDA_SUM, PROBLEM, 7, NULL, NULL},
               {SHK_QUANTITY_ENERGY_CLASS, SHK_BLOCKS, PROBLEM | KEPT, 2, NULL, NULL},
               {SHK_QUANTITY_CONSTRAINT_MAX, SHK_BLOCKS, PROBLEM | KEPT, 4, NULL, NULL},
               {SHK_QUANTITY_HIDDEN_MAX, SHK_BLOCKS, PROBLEM | KEPT, 5, NULL, NULL},
               {SHK_QUANTITY_COST_SECONDS, SHK_BLOCKS, COSTS, 0, "1e-4", "ms"},
               {SHK_QUANTITY_COST_SECONDS, SHK_BLOCKS, COSTS | ACCURACY, 2, "1e-6", "ms"},
               {SHK_QUANTITY_COST_SECONDS, SHK_BLOCKS, COSTS, 0, "1e-8", "ms"},
               {SHK_QUANTITY_COST_EVALUATIONS, SHK_BLOCKS, COSTS, 1, "1e-4", "evals"},
               {SHK_QUANTITY_COST_EVALUATIONS, SHK_BLOCKS, COSTS | ACCURACY, 4, "1e-6", "evals"},
               {SHK_QUANTITY_COST_EVALUATIONS, SHK_BLOCKS, COSTS, 1, "1e-8", "evals"}};
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

/* Returns the index of a finding's column in a table, or -1 if the finding has no column there. */
static int column_of(const struct shk_finding *f, enum shk_overview_part part)
{
  for (int i = 0; i < COLUMNS; i++)
    if (columns[i].parts & 1 << part && f->named.id == columns[i].quantity &&
        f->named.block == columns[i].block && f->named.statistic == SHK_STATISTIC_NONE &&
        has_parameter(&f->named, columns[i].parameter))
      return i;
  return -1;
}

static bool is_undetermined(const struct shk_finding *f)
{
  return f->word && strcmp(f->word, "undetermined") == 0;
}

static bool has_no_value(const struct shk_finding *f)
{
  return f->verdict == SHK_VERDICT_REFUSED || f->verdict == SHK_VERDICT_FAILED;
}

/* Formats a cost, in ms or evaluations. "<" marks an upper bound. */
static void fill_cost(char *text, size_t size, const struct shk_finding *f)
{
  const double unit = f->named.entry->kind == SHK_KIND_CLOCK ? 1000 : 1; /* ms */
  if (!isnan(f->value))
    snprintf(text, size, unit > 1 ? "%s%.3g" : "%s%.0f", f->reason ? "<" : "", unit * f->value);
}

static void fill_value(char *text, size_t size, const struct shk_finding *f, const char *mark)
{
  char number[48];
  if (f->word)
    snprintf(number, sizeof number, "%s", f->word);
  else if (f->named.entry->kind == SHK_KIND_ORDER)
    shk_concise_number(number, sizeof number, f->value, f->uncertainty);
  else
    shk_number_text(number, sizeof number, f->value, 2);
  if (f->adaptive && f->named.id == SHK_QUANTITY_ORDER)
    snprintf(text, size, "%s", f->named.block == SHK_BLOCK_Q ? "by tol." : "");
  else if (has_no_value(f))
    snprintf(text, size, "%s", shk_verdict_word(f->verdict));
  else if (is_undetermined(f))
    snprintf(text, size, "%s", mark); /* the quantity was not requested */
  else
    snprintf(text, size, "%s%s", *number != '\0' ? number : "-", mark);
}

void shk_overview_text(char *text, size_t size, const struct shk_finding *f, bool marked)
{
  const char *const mark = !marked                               ? ""
                           : f->verdict == SHK_VERDICT_FALSIFIED ? "!"
                           : f->verdict == SHK_VERDICT_UNDECIDED ? "?"
                                                                 : "";
  text[0] = '\0';
  if (f->named.id == SHK_QUANTITY_COST_SECONDS || f->named.id == SHK_QUANTITY_COST_EVALUATIONS)
    fill_cost(text, size, f);
  else
    fill_value(text, size, f, mark);
}

/* Returns the significance of a finding as a number. The most significant finding is a falsified
 * claim, followed in this order by a value that agrees with its claim, an undecided value, an
 * undetermined value, and a missing value. */
static int standing_of_finding(const struct shk_finding *f)
{
  return f->verdict == SHK_VERDICT_FALSIFIED                   ? 4
         : has_no_value(f)                                     ? 0
         : is_undetermined(f) || (!f->word && isnan(f->value)) ? 1
         : f->verdict == SHK_VERDICT_UNDECIDED                 ? 2
                                                               : 3;
}

bool shk_overview_prefers(const struct shk_finding *a, const struct shk_finding *b,
                          enum shk_overview_part part)
{
  if (standing_of_finding(a) != standing_of_finding(b))
    return standing_of_finding(a) > standing_of_finding(b);
  if (a->named.entry->kind == SHK_KIND_CLASS && a->word && b->word)
    return shk_energy_class_named(a->word) > shk_energy_class_named(b->word); /* the worse class */
  if (a->named.entry->measure == SHK_MEASURE_WORK_PRECISION && part == SHK_OVERVIEW_COSTS)
    return a->value < b->value;
  return a->named.entry->kind == SHK_KIND_ORDER ? a->uncertainty < b->uncertainty
                                                : fabs(a->value) > fabs(b->value);
}

struct row {
  const char *integrator;
  const struct shk_row_word *word; /* NULL if there is none */
  char texts[COLUMNS][64];
  double cost; /* sort key for the rows of a cost table */
};

struct table {
  enum shk_overview_part part;
  int row_count;
  struct row *rows;
  char headings[COLUMNS][64];
  int widths[COLUMNS]; /* 0 if the column is empty */
  bool summed_up;      /* true if any row has a summary word */
};

/* Returns the sort key for costs, which is the CPU time needed for an error of 1e-6. Methods that
 * do not reach 1e-6 come last and are sorted by the time needed for an error of 1e-4. */
static double sorting_cost(const struct shk_finding *const chosen[COLUMNS])
{
  double cost = INFINITY;
  for (int i = 0; i < COLUMNS; i++)
    if (chosen[i] && columns[i].quantity == SHK_QUANTITY_COST_SECONDS && !isnan(chosen[i]->value) &&
        strcmp(columns[i].parameter, "1e-8") != 0)
      cost = (columns[i].parts & ACCURACY ? 0 : 1e9) + chosen[i]->value;
  return cost;
}

static int by_cost(const void *a, const void *b)
{
  const struct row *const x = a, *const y = b;
  const int order = (x->cost > y->cost) - (x->cost < y->cost);
  return order != 0 ? order : strcmp(x->integrator, y->integrator);
}

void shk_overview_rate(char *text, size_t size, const struct shk_finding *class,
                       const struct shk_finding *const *all, int count)
{
  if (!shk_same_text(class->word, shk_energy_words[SHK_ENERGY_DRIFT]))
    return;
  for (int i = 0; i < count; i++) {
    const struct shk_finding *const f = all[i];
    const size_t used = strlen(text);
    if (f->named.id == SHK_QUANTITY_ENERGY_SLOPE && f->named.statistic == SHK_STATISTIC_NONE &&
        strcmp(f->problem, class->problem) == 0 && strcmp(f->precision, class->precision) == 0 &&
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

static bool has_summary(enum shk_overview_part part)
{
  return part == SHK_OVERVIEW_PROBLEM || part == SHK_OVERVIEW_KEPT;
}

/* Adds a row for an integrator if any of its findings has a column. */
static void add_row(struct table *table, const struct shk_finding *const *f, int count)
{
  const struct shk_finding *chosen[COLUMNS] = {NULL};
  bool any = false;
  for (int i = 0; i < count; i++) {
    const int column = column_of(f[i], table->part);
    if (column >= 0 && (!chosen[column] || shk_overview_prefers(f[i], chosen[column], table->part)))
      chosen[column] = f[i];
    any = any || column >= 0;
  }
  if (!any)
    return;
  struct row *const row = SHK_APPEND(table->rows, table->row_count);
  *row = (struct row){.integrator = f[0]->integrator,
                      .word = has_summary(table->part) ? shk_row_word_of(f, count) : NULL,
                      .cost = sorting_cost(chosen)};
  for (int i = 0; i < COLUMNS; i++) {
    if (chosen[i])
      shk_overview_text(row->texts[i], sizeof row->texts[i], chosen[i], true);
    if (chosen[i] && columns[i].quantity == SHK_QUANTITY_ENERGY_CLASS)
      shk_overview_rate(row->texts[i], sizeof row->texts[i], chosen[i], f, count);
  }
}

int shk_row_end(const struct shk_finding *const *f, int count, int begin)
{
  int end = begin;
  while (end < count && strcmp(f[end]->integrator, f[begin]->integrator) == 0)
    end++;
  return end;
}

/* Returns the title of a table, such as "pendulum, double, quad" or "…, least cost of an error of
 * q". */
static char *title_of(const struct shk_finding *const *f, int count, enum shk_overview_part part)
{
  struct shk_index precisions = {0}, problems = {0};
  for (int i = 0; i < count; i++) {
    shk_index_text(&precisions, f[i]->precision);
    if (column_of(f[i], part) >= 0)
      shk_index_text(&problems, f[i]->problem);
  }
  char *title = NULL;
  for (int i = 0; i < problems.count; i++) {
    const char *const text = problems.texts[i];
    const size_t length = problems.count > 1 ? strcspn(text, "(") : strlen(text);
    shk_append_text(&title, "%s%.*s", i > 0 ? ", " : "", (int)length, text);
  }
  for (int i = 0; i < precisions.count; i++)
    shk_append_text(&title, ", %s", precisions.texts[i]);
  if (part == SHK_OVERVIEW_COSTS)
    shk_append_text(&title, ", lowest cost of an error in q");
  shk_index_clear(&precisions);
  shk_index_clear(&problems);
  return title;
}

static const char *fill_heading(char heading[64], int column)
{
  const struct shk_quantity *const quantity = &shk_quantities[columns[column].quantity];
  const enum shk_block_id block = columns[column].block;
  if (!columns[column].unit)
    return shk_quantity_words(heading, 64, quantity->text,
                              block == SHK_BLOCKS ? NULL : shk_blocks[block].text);
  snprintf(heading, 64, "%s %s", columns[column].unit, columns[column].parameter);
  return heading;
}

bool shk_overview_has(const struct shk_finding *f)
{
  return column_of(f, SHK_OVERVIEW_PROBLEM) >= 0 || column_of(f, SHK_OVERVIEW_COSTS) >= 0;
}

/* ---- the page ---- */

void shk_overview_line(const struct shk_overview_page *page, const char *text, int indent)
{
  if (!page->html) {
    shk_print_line(text, indent);
    return;
  }
  fputs("<p>", page->html);
  shk_print_xml(page->html, text + strspn(text, " "));
  fputs("</p>\n", page->html);
}

void shk_overview_gap(const struct shk_overview_page *page)
{
  if (!page->html)
    putchar('\n');
}

void shk_overview_explain(struct shk_overview_page *page)
{
  enum { HEAD = 16 };
  bool any = false;
  for (int i = 0; shk_row_words[i].word; i++) {
    if (!(page->words >> i & 1))
      continue;
    char *const line =
        page->html
            ? shk_print_text("%s: %s", shk_row_words[i].word, shk_row_words[i].meaning)
            : shk_print_text("%-*s %s", HEAD - 1, shk_row_words[i].word, shk_row_words[i].meaning);
    shk_overview_line(page, line, HEAD);
    free(line);
    any = true;
  }
  if (any)
    shk_overview_gap(page);
  page->words = 0;
}

/* ---- printing ---- */

/* Computes the headings and widths of the non-empty columns, and determines whether any row has a
 * summary. Returns the width of the table, including the first column, which contains the
 * integrators. */
static int measure_overview_table(struct table *table)
{
  int sum = (int)strlen("integrator"), summary = 0;
  for (const struct row *row = table->rows; row < table->rows + table->row_count; row++) {
    const int width = row->word ? shk_print_plain(NULL, row->word->word) : 0;
    summary = width > summary ? width : summary;
  }
  table->summed_up = summary > 0;
  for (int i = -1; i < COLUMNS; i++) {
    int widest = 0;
    for (const struct row *row = table->rows; row < table->rows + table->row_count; row++) {
      const int width = shk_print_plain(NULL, i < 0 ? row->integrator : row->texts[i]);
      widest = width > widest ? width : widest;
    }
    if (i < 0) {
      sum = widest > sum ? widest : sum;
    } else if (widest > 0) {
      const int width = shk_print_plain(NULL, fill_heading(table->headings[i], i));
      table->widths[i] = width > widest ? width : widest;
      sum += table->widths[i] + GAP;
    }
  }
  return sum + (summary > 0 ? summary + GAP : 0);
}

/* Removes the columns with the highest rank until the table fits into the given width. */
static void fit_columns(struct table *table, int sum, int width)
{
  while (sum > width) {
    int last = -1;
    for (int i = 0; i < COLUMNS; i++)
      if (table->widths[i] > 0 && (last < 0 || columns[i].rank > columns[last].rank))
        last = i;
    if (last < 0 || columns[last].rank == 0)
      return;
    sum -= table->widths[last] + GAP;
    table->widths[last] = 0;
  }
}

static void print_rows(struct table *table, const struct shk_overview_page *page, const char *title)
{
  const char *names[COLUMNS + 2] = {"integrator"};
  enum shk_alignment sides[COLUMNS + 2] = {SHK_ALIGN_LEFT};
  int count = 1;
  for (int i = 0; i < COLUMNS; i++)
    if (table->widths[i] > 0) {
      const bool word = columns[i].quantity == SHK_QUANTITY_ENERGY_CLASS;
      names[count] = table->headings[i];
      sides[count++] = word ? SHK_ALIGN_LEFT : SHK_ALIGN_NUMBER;
    }
  names[count] = "summary";
  sides[count] = SHK_ALIGN_LEFT;
  struct shk_table printed;
  shk_table_init(&printed, count + table->summed_up, names, sides);
  for (const struct row *row = table->rows; row < table->rows + table->row_count; row++) {
    const char *fields[COLUMNS + 2] = {row->integrator};
    int at = 1;
    for (int i = 0; i < COLUMNS; i++)
      if (table->widths[i] > 0)
        fields[at++] = row->texts[i];
    fields[at] = row->word ? row->word->word : "";
    shk_table_add(&printed, fields);
  }
  if (page->html)
    shk_table_print_html(page->html, &printed, title, "results");
  else
    shk_table_print(stdout, &printed, SHK_FORMAT_TABLE);
  shk_table_clear(&printed);
}

bool shk_overview_table_print(struct shk_overview_page *page, const struct shk_finding *const *f,
                              int count, enum shk_overview_part part)
{
  struct table table = {.part = part};
  bool costs = false;
  for (int row = 0, next; row < count; row = next) {
    next = shk_row_end(f, count, row);
    add_row(&table, f + row, next - row);
  }
  if (table.row_count == 0)
    return false;
  char *title = title_of(f, count, part);
  if (!page->html && part != SHK_OVERVIEW_KEPT) {
    shk_append_text(&title, ":");
    shk_print_line(title, 0);
  }
  fit_columns(&table, measure_overview_table(&table),
              page->html ? INT_MAX : shk_terminal_width(stdout, SHK_USUAL_WIDTH));
  if (part == SHK_OVERVIEW_COSTS)
    qsort(table.rows, (size_t)table.row_count, sizeof *table.rows, by_cost);
  print_rows(&table, page, title);
  for (int i = 0; i < table.row_count; i++) {
    costs = costs || isfinite(table.rows[i].cost);
    if (table.rows[i].word)
      page->words |= 1U << (table.rows[i].word - shk_row_words);
  }
  if (part == SHK_OVERVIEW_ACCURACY && costs)
    shk_overview_line(
        page, "(1e-6: cost of an error of 1e-6 in q; blank: no run reached this accuracy)", 0);
  if (part == SHK_OVERVIEW_KEPT)
    shk_overview_explain(page);
  else
    shk_overview_gap(page);
  free(title);
  free(table.rows);
  return true;
}
