/* The results of a study at a glance. See overview.h. */
#include "cli/overview.h"

#include "cli/cli.h"
#include "harness/verdict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What has a column of its own; everything else is in the long table. */
static const struct {
  const char *quantity, *heading;
} columns[] = {{"order of q", "q"},
               {"order of p", "p"},
               {"order of lambda", "lambda"},
               {"order of mu", "mu"},
               {"order of lambda-mean", "lambda-mean"},
               {"order of lambda-sum", "lambda-sum"},
               {"energy class", "energy"},
               {"constraint max", "max|g|"},
               {"hidden max", "max|G H_p|"}};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

char *shk_concise_number(char *buffer, unsigned long size, double value, double half_width)
{
  if (isnan(value)) {
    buffer[0] = '\0';
  } else if (!(half_width > 0) || half_width >= 10) {
    snprintf(buffer, size, "%.3f", value);
  } else {
    /* One digit of the half-width, two where the first is 1; rounded up. */
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

/* The column of a finding, which may end in " (until T)"; -1 if it has none. */
static int column_of(const struct shk_finding *f)
{
  for (int i = 0; i < COLUMNS; i++) {
    const size_t length = strlen(columns[i].quantity);
    if (strncmp(f->quantity, columns[i].quantity, length) == 0 &&
        (f->quantity[length] == '\0' || f->quantity[length] == ' '))
      return i;
  }
  return -1;
}

static void fill(char *text, size_t size, const struct shk_finding *f, int column)
{
  const char *mark = f->verdict == SHK_VERDICT_FALSIFIED   ? "!"
                     : f->verdict == SHK_VERDICT_UNDECIDED ? "?"
                                                           : "";
  char number[48];
  if (f->word != NULL)
    snprintf(number, sizeof number, "%s", f->word);
  else if (strncmp(columns[column].quantity, "order", 5) == 0)
    shk_concise_number(number, sizeof number, f->value, f->uncertainty);
  else
    shk_number_text(number, sizeof number, f->value, 2);
  if (f->verdict == SHK_VERDICT_REFUSED || f->verdict == SHK_VERDICT_FAILED)
    snprintf(text, size, "%s", shk_verdict_word(f->verdict));
  else if (f->word != NULL && strcmp(f->word, "undetermined") == 0)
    snprintf(text, size, "?");
  else
    snprintf(text, size, "%s%s", *number != '\0' ? number : "-", mark);
}

static bool same_block(const struct shk_finding *a, const struct shk_finding *b)
{
  return strcmp(a->problem, b->problem) == 0 && strcmp(a->precision, b->precision) == 0;
}

/* Whether an earlier finding opened the block, or the row within it. */
static bool seen(const struct shk_analysis *analysis, int index, bool row)
{
  const struct shk_finding *f = &analysis->findings[index];
  for (int i = 0; i < index; i++)
    if (same_block(&analysis->findings[i], f) &&
        (!row || strcmp(analysis->findings[i].integrator, f->integrator) == 0))
      return true;
  return false;
}

static void add_row(struct shk_table *table, const struct shk_analysis *analysis, int first)
{
  const struct shk_finding *head = &analysis->findings[first];
  char texts[COLUMNS][64];
  const char *fields[COLUMNS + 1] = {head->integrator};
  bool any = false;
  for (int i = first; i < analysis->finding_count; i++) {
    const struct shk_finding *f = &analysis->findings[i];
    const int column = column_of(f);
    if (column < 0 || !same_block(f, head) || strcmp(f->integrator, head->integrator) != 0)
      continue;
    /* Of several horizons the first is shown. */
    if (fields[column + 1] != NULL)
      continue;
    fill(texts[column], sizeof texts[column], f, column);
    fields[column + 1] = texts[column];
    any = true;
  }
  if (any)
    shk_table_add(table, fields);
}

static void print_block(const struct shk_analysis *analysis, int first)
{
  const struct shk_finding *head = &analysis->findings[first];
  const char *names[COLUMNS + 1] = {"integrator"};
  enum shk_alignment sides[COLUMNS + 1] = {SHK_ALIGN_LEFT};
  struct shk_table table;
  for (int i = 0; i < COLUMNS; i++) {
    names[i + 1] = columns[i].heading;
    sides[i + 1] = SHK_ALIGN_RIGHT;
  }
  shk_table_init(&table, COLUMNS + 1, names, sides);
  for (int i = first; i < analysis->finding_count; i++)
    if (same_block(&analysis->findings[i], head) && !seen(analysis, i, true))
      add_row(&table, analysis, i);
  if (table.row_count > 0) {
    shk_print_plain(stdout, head->problem);
    fputs(", ", stdout);
    shk_print_plain(stdout, head->precision);
    puts(": orders, energy class, largest violations");
    shk_table_print(stdout, &table, SHK_FORMAT_TABLE);
    putchar('\n');
  }
  shk_table_clear(&table);
}

/* How many findings have this verdict, quantity and reason, from `index` on; 0 if an earlier one
 * stands for them. */
static int alike(const struct shk_analysis *analysis, int index)
{
  const struct shk_finding *f = &analysis->findings[index];
  int count = 0;
  for (int i = 0; i < analysis->finding_count; i++) {
    const struct shk_finding *other = &analysis->findings[i];
    if (other->verdict != f->verdict || other->reason == NULL ||
        strcmp(other->reason, f->reason) != 0 || strcmp(other->quantity, f->quantity) != 0)
      continue;
    if (i < index)
      return 0;
    count++;
  }
  return count;
}

static void print_reasons(const struct shk_analysis *analysis, enum shk_verdict verdict)
{
  for (int i = 0; i < analysis->finding_count; i++) {
    const struct shk_finding *f = &analysis->findings[i];
    const int count = f->verdict == verdict && f->reason != NULL ? alike(analysis, i) : 0;
    if (count == 0)
      continue;
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
}

/* Findings over many starts have no block. */
static void print_growth(const struct shk_analysis *analysis)
{
  bool any = false;
  for (int i = 0; i < analysis->finding_count; i++) {
    const struct shk_finding *f = &analysis->findings[i];
    char number[48];
    if (strncmp(f->quantity, "round-off growth", 16) != 0)
      continue;
    shk_print_plain(stdout, f->quantity);
    fputs(" of ", stdout);
    shk_print_plain(stdout, f->integrator);
    fputs(" on ", stdout);
    shk_print_plain(stdout, f->problem);
    printf(": %s\n", f->word != NULL
                         ? f->word
                         : shk_concise_number(number, sizeof number, f->value, f->uncertainty));
    any = true;
  }
  if (any)
    putchar('\n');
}

void shk_overview_print(const struct shk_analysis *analysis, bool tables)
{
  static const enum shk_verdict order[] = {SHK_VERDICT_REFUSED, SHK_VERDICT_UNDECIDED,
                                           SHK_VERDICT_FAILED, SHK_VERDICT_FALSIFIED};
  int counts[SHK_VERDICT_FAILED + 1] = {0};
  for (int i = 0; i < analysis->finding_count; i++) {
    counts[analysis->findings[i].verdict]++;
    if (tables && !seen(analysis, i, false))
      print_block(analysis, i);
  }
  if (tables)
    print_growth(analysis);
  for (size_t k = 0; k < sizeof order / sizeof order[0]; k++)
    print_reasons(analysis, order[k]);
  const bool short_of = counts[SHK_VERDICT_FALSIFIED] > 0 || counts[SHK_VERDICT_FAILED] > 0;
  printf("%s%d held, %d falsified%s, %d undecided, %d refused, %d failed\n",
         shk_colour(stdout, short_of ? SHK_RED : SHK_GREEN), counts[SHK_VERDICT_HELD],
         counts[SHK_VERDICT_FALSIFIED], shk_colour(stdout, SHK_PLAIN),
         counts[SHK_VERDICT_UNDECIDED], counts[SHK_VERDICT_REFUSED], counts[SHK_VERDICT_FAILED]);
}
