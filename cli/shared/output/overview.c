/* The results of a study at a glance. See overview.h. */
#include "cli/shared/output/overview.h"

#include "cli/shared/output/terminal.h"
#include "foundation/index.h"
#include "foundation/memory.h"
#include "harness/analysis/singular.h"
#include "harness/analysis/verdict.h"
#include "measures/quantity.h"
#include "plots/kinds/kinds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The quantities with columns of their own; the others are in the long table. */
static const struct {
  enum shk_quantity_id quantity;
  enum shk_block_id block;
} columns[] = {
    {SHK_QUANTITY_ORDER, SHK_BLOCK_Q},           {SHK_QUANTITY_ORDER, SHK_BLOCK_P},
    {SHK_QUANTITY_ORDER, SHK_BLOCK_LAMBDA},      {SHK_QUANTITY_ORDER, SHK_BLOCK_MU},
    {SHK_QUANTITY_ORDER, SHK_BLOCK_LAMBDA_MEAN}, {SHK_QUANTITY_ORDER, SHK_BLOCK_LAMBDA_SUM},
    {SHK_QUANTITY_ENERGY_CLASS, SHK_BLOCKS},     {SHK_QUANTITY_CONSTRAINT_MAX, SHK_BLOCKS},
    {SHK_QUANTITY_HIDDEN_MAX, SHK_BLOCKS}};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

char *shk_concise_number(char *buffer, unsigned long size, double value, double half_width)
{
  if (isnan(value)) {
    buffer[0] = '\0';
  } else if (!(half_width > 0) || half_width >= 10) {
    snprintf(buffer, size, "%.3f", value);
  } else {
    /* One digit of the half-width, two if the first is 1, rounded up. */
    int decimals = (int)ceil(-log10(half_width));
    if (decimals < 0)
      decimals = 0;
    if (half_width * pow(10, decimals) < 2)
      decimals++;
    if (decimals > 9)
      decimals = 9;
    snprintf(buffer, size, "%.*f(%.0f)", decimals, value, ceil(half_width * pow(10, decimals)));
  }
  return buffer;
}

/* The column of a finding; -1 if it has none. */
static int column_of(const struct shk_finding *f)
{
  for (int i = 0; i < COLUMNS; i++)
    if (f->named.id == columns[i].quantity && f->named.block == columns[i].block &&
        f->named.statistic == SHK_STATISTIC_NONE)
      return i;
  return -1;
}

static const char *heading(char *text, size_t size, int column)
{
  const enum shk_block_id block = columns[column].block;
  return shk_quantity_words(text, size, shk_quantities[columns[column].quantity].text,
                            block != SHK_BLOCKS ? shk_blocks[block].name : NULL);
}

static void fill(char *text, size_t size, const struct shk_finding *f, int column)
{
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
  else if (f->word && strcmp(f->word, "undetermined") == 0)
    snprintf(text, size, "?");
  else
    snprintf(text, size, "%s%s", *number != '\0' ? number : "-", mark);
}

/* The findings by row and block: those of row r are order[row_start[r]] … in the order of the
 * analysis, the rows of block b those with block_of[r] == b. Rows and blocks are numbered in the
 * order in which they first appear. */
struct layout {
  const struct shk_analysis *analysis;
  int rows, blocks;
  int *row_start, *order;       /* rows + 1; findings */
  int *block_start, *row_order; /* blocks + 1; rows */
};

/* start (groups + 1) and order (count): the members of each group, in their own order. */
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

static void lay_out(struct layout *layout, const struct shk_analysis *analysis)
{
  const int count = analysis->finding_count;
  struct shk_index rows = {0}, blocks = {0};
  int *row_of = shk_allocate((size_t)count + 1, sizeof *row_of);
  int *block_of = shk_allocate((size_t)count + 1, sizeof *block_of); /* of rows */
  for (int i = 0; i < count; i++) {
    const struct shk_finding *f = &analysis->findings[i];
    if (i > 0 && same_row(f, f - 1)) {
      row_of[i] = row_of[i - 1];
      continue;
    }
    row_of[i] = shk_index_number(&rows, "%s\n%s\n%s", f->problem, f->precision, f->integrator);
    block_of[row_of[i]] = shk_index_number(&blocks, "%s\n%s", f->problem, f->precision);
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

static const struct shk_finding *first_of_row(const struct layout *layout, int row)
{
  return &layout->analysis->findings[layout->order[layout->row_start[row]]];
}

/* Fills the columns of a row, NULL where empty. Returns whether any is not. */
static bool fill_row(const char **fields, char (*texts)[64], const struct layout *layout, int row)
{
  bool any = false;
  for (int i = 0; i < COLUMNS; i++)
    fields[i] = NULL;
  for (int at = layout->row_start[row]; at < layout->row_start[row + 1]; at++) {
    const struct shk_finding *f = &layout->analysis->findings[layout->order[at]];
    const int column = column_of(f);
    /* Of several horizons the first is shown. */
    if (column < 0 || fields[column])
      continue;
    fill(texts[column], sizeof texts[column], f, column);
    fields[column] = texts[column];
    any = true;
  }
  return any;
}

/* A table of the rows of one problem and precision, with the columns that are not empty. */
static void print_block(const struct layout *layout, int block)
{
  const char *fields[COLUMNS], *names[COLUMNS + 1] = {"integrator"};
  char texts[COLUMNS][64], headings[COLUMNS][64];
  enum shk_alignment sides[COLUMNS + 1] = {SHK_ALIGN_LEFT};
  bool used[COLUMNS] = {0};
  int count = 1;
  const int first = layout->block_start[block], last = layout->block_start[block + 1];
  for (int at = first; at < last; at++)
    if (fill_row(fields, texts, layout, layout->row_order[at]))
      for (int k = 0; k < COLUMNS; k++)
        used[k] = used[k] || fields[k];
  for (int k = 0; k < COLUMNS; k++)
    if (used[k]) {
      names[count] = heading(headings[k], sizeof headings[k], k);
      sides[count++] = SHK_ALIGN_RIGHT;
    }
  if (count == 1)
    return;
  struct shk_table table;
  shk_table_init(&table, count, names, sides);
  for (int at = first; at < last; at++)
    if (fill_row(fields, texts, layout, layout->row_order[at])) {
      const char *row[COLUMNS + 1] = {first_of_row(layout, layout->row_order[at])->integrator};
      int cell = 1;
      for (int k = 0; k < COLUMNS; k++)
        if (used[k])
          row[cell++] = fields[k];
      shk_table_add(&table, row);
    }
  const struct shk_finding *head = first_of_row(layout, layout->row_order[first]);
  shk_print_plain(stdout, head->problem);
  fputs(", ", stdout);
  shk_print_plain(stdout, head->precision);
  puts(":");
  shk_table_print(stdout, &table, SHK_FORMAT_TABLE);
  putchar('\n');
  shk_table_clear(&table);
}

/* The findings of this verdict: each quantity and reason once, with their number. */
static void print_reasons(const struct shk_analysis *analysis, enum shk_verdict verdict)
{
  struct shk_index kinds = {0};
  int *number = shk_allocate((size_t)analysis->finding_count + 1, sizeof *number);
  int *counts = shk_allocate((size_t)analysis->finding_count + 1, sizeof *counts);
  for (int i = 0; i < analysis->finding_count; i++) {
    const struct shk_finding *f = &analysis->findings[i];
    number[i] = -1;
    if (f->verdict == verdict && f->reason) {
      number[i] = shk_index_number(&kinds, "%s\n%s", f->quantity, f->reason);
      counts[number[i]]++;
    }
  }
  shk_index_clear(&kinds);
  for (int i = 0; i < analysis->finding_count; i++) {
    const struct shk_finding *f = &analysis->findings[i];
    const int count = number[i] >= 0 ? counts[number[i]] : 0;
    if (count == 0)
      continue;
    counts[number[i]] = 0; /* the first stands for all */
    const bool bad = verdict == SHK_VERDICT_FALSIFIED || verdict == SHK_VERDICT_FAILED;
    printf("%s%s%s ", shk_colour(stdout, bad ? SHK_RED : SHK_YELLOW), shk_verdict_word(verdict),
           shk_colour(stdout, SHK_PLAIN));
    shk_print_plain(stdout, f->quantity);
    fputs(" of ", stdout);
    shk_print_plain(stdout, f->integrator);
    fputs(" on ", stdout);
    shk_print_plain(stdout, f->problem);
    printf(", %s", f->precision);
    if (count > 1)
      printf(", and %d more", count - 1);
    fputs(": ", stdout);
    shk_print_plain(stdout, f->reason);
    putchar('\n');
  }
  free(number);
  free(counts);
}

/* Findings over many starts have no block. */
static void print_growth(const struct shk_analysis *analysis)
{
  bool any = false;
  for (int i = 0; i < analysis->finding_count; i++) {
    const struct shk_finding *f = &analysis->findings[i];
    char number[48];
    if (f->named.entry->kind != SHK_KIND_GROWTH)
      continue;
    shk_print_plain(stdout, f->quantity);
    fputs(" of ", stdout);
    shk_print_plain(stdout, f->integrator);
    fputs(" on ", stdout);
    shk_print_plain(stdout, f->problem);
    printf(": %s\n",
           f->word ? f->word : shk_concise_number(number, sizeof number, f->value, f->uncertainty));
    any = true;
  }
  if (any)
    putchar('\n');
}

/* The cell that the finding is the outcome of, "step 0.1 (until 3)"; NULL for other findings. */
static const char *outcome_of(const struct shk_finding *f)
{
  return f->word != NULL && f->named.id == SHK_QUANTITY_OUTCOME ? f->named.parameter : NULL;
}

/* Why, once for each outcome of the row that is not what it should be. */
static void print_row_reasons(const struct layout *layout, int row)
{
  const struct shk_finding *const all = layout->analysis->findings;
  for (int k = layout->row_start[row]; k < layout->row_start[row + 1]; k++) {
    const struct shk_finding *const f = &all[layout->order[k]];
    bool said = !outcome_of(f) || strcmp(f->word, shk_singular_word(SHK_OUTCOME_RIGHT)) == 0;
    for (int j = layout->row_start[row]; !said && j < k; j++)
      said = outcome_of(&all[layout->order[j]]) != NULL &&
             strcmp(all[layout->order[j]].word, f->word) == 0;
    if (said)
      continue;
    printf("    %s at ", f->word);
    shk_print_plain(stdout, outcome_of(f));
    fputs(": ", stdout);
    shk_print_plain(stdout, f->reason);
    putchar('\n');
  }
}

/* What became of the cells of a row, in its own line: "rattle: right branch at step 0.1, step 0.05;
 * stopped at step 0.2". */
static bool print_row_outcomes(const struct layout *layout, int row, bool first)
{
  const struct shk_finding *before = NULL;
  for (int k = layout->row_start[row]; k < layout->row_start[row + 1]; k++) {
    const struct shk_finding *const f = &layout->analysis->findings[layout->order[k]];
    if (!outcome_of(f))
      continue;
    if (!before && first) {
      fputs("outcomes on ", stdout);
      shk_print_plain(stdout, f->problem);
      printf(", %s\n", f->precision);
    }
    if (!before) {
      fputs("  ", stdout);
      shk_print_plain(stdout, f->integrator);
      printf(": %s at ", f->word);
    } else if (strcmp(before->word, f->word) == 0) {
      fputs(", ", stdout);
    } else {
      printf("; %s at ", f->word);
    }
    shk_print_plain(stdout, outcome_of(f));
    before = f;
  }
  if (!before)
    return false;
  putchar('\n');
  print_row_reasons(layout, row);
  return true;
}

static void print_outcomes(const struct layout *layout, int blocks)
{
  for (int block = 0; block < blocks; block++) {
    bool any = false;
    for (int i = layout->block_start[block]; i < layout->block_start[block + 1]; i++)
      any = print_row_outcomes(layout, layout->row_order[i], !any) || any;
    if (any)
      putchar('\n');
  }
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

/* Of a large study nobody reads every table; what is not as claimed is listed below them all. */
enum { MOST_BLOCKS = 100 };

void shk_overview_print(const struct shk_analysis *analysis, bool tables)
{
  static const enum shk_verdict order[] = {SHK_VERDICT_REFUSED, SHK_VERDICT_UNDECIDED,
                                           SHK_VERDICT_FAILED, SHK_VERDICT_FALSIFIED};
  int counts[SHK_VERDICTS] = {0};
  for (int i = 0; i < analysis->finding_count; i++)
    counts[analysis->findings[i].verdict]++;
  if (tables) {
    struct layout layout;
    lay_out(&layout, analysis);
    const int blocks = layout.blocks < MOST_BLOCKS ? layout.blocks : MOST_BLOCKS;
    for (int block = 0; block < blocks; block++)
      print_block(&layout, block);
    print_outcomes(&layout, blocks);
    if (layout.blocks > blocks)
      printf("and %d more tables: these are the first %d; `shakedown show STORE --values` has "
             "every value\n\n",
             layout.blocks - blocks, blocks);
    layout_clear(&layout);
    print_growth(analysis);
  }
  for (size_t k = 0; k < sizeof order / sizeof order[0]; k++)
    print_reasons(analysis, order[k]);
  shk_print_verdicts(counts);
}

void shk_complain_of_left_out(const char *study, int left_out)
{
  shk_complain("%s: no figures of %d problems, since there are more than %d; what a study asks for "
               "under `figures:` can name its `problems:`",
               study, left_out, SHK_MOST_DRAWN);
}
