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
} columns[] = {{"order of q", "order q"},
               {"order of p", "order p"},
               {"order of lambda", "order lambda"},
               {"order of mu", "order mu"},
               {"order of lambda-mean", "order lambda-mean"},
               {"order of lambda-sum", "order lambda-sum"},
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

/* What stands in the columns for the integrator of this finding; NULL where nothing. Returns
 * whether anything does. */
static bool fill_row(const char **fields, char (*texts)[64], const struct shk_analysis *analysis,
                     int first)
{
  const struct shk_finding *head = &analysis->findings[first];
  bool any = false;
  for (int i = 0; i < COLUMNS; i++)
    fields[i] = NULL;
  for (int i = first; i < analysis->finding_count; i++) {
    const struct shk_finding *f = &analysis->findings[i];
    const int column = column_of(f);
    if (column < 0 || !same_block(f, head) || strcmp(f->integrator, head->integrator) != 0)
      continue;
    /* Of several horizons the first is shown. */
    if (fields[column] != NULL)
      continue;
    fill(texts[column], sizeof texts[column], f, column);
    fields[column] = texts[column];
    any = true;
  }
  return any;
}

/* A table of the rows of one problem and precision, with the columns that say something. */
static void print_block(const struct shk_analysis *analysis, int first)
{
  const struct shk_finding *head = &analysis->findings[first];
  const char *fields[COLUMNS], *names[COLUMNS + 1] = {"integrator"};
  char texts[COLUMNS][64];
  enum shk_alignment sides[COLUMNS + 1] = {SHK_ALIGN_LEFT};
  bool used[COLUMNS] = {0};
  int count = 1;
  for (int i = first; i < analysis->finding_count; i++)
    if (same_block(&analysis->findings[i], head) && !seen(analysis, i, true) &&
        fill_row(fields, texts, analysis, i))
      for (int k = 0; k < COLUMNS; k++)
        used[k] = used[k] || fields[k] != NULL;
  for (int k = 0; k < COLUMNS; k++)
    if (used[k]) {
      names[count] = columns[k].heading;
      sides[count++] = SHK_ALIGN_RIGHT;
    }
  if (count == 1)
    return;
  struct shk_table table;
  shk_table_init(&table, count, names, sides);
  for (int i = first; i < analysis->finding_count; i++)
    if (same_block(&analysis->findings[i], head) && !seen(analysis, i, true) &&
        fill_row(fields, texts, analysis, i)) {
      const char *row[COLUMNS + 1] = {analysis->findings[i].integrator};
      int at = 1;
      for (int k = 0; k < COLUMNS; k++)
        if (used[k])
          row[at++] = fields[k];
      shk_table_add(&table, row);
    }
  shk_print_plain(stdout, head->problem);
  fputs(", ", stdout);
  shk_print_plain(stdout, head->precision);
  puts(":");
  shk_table_print(stdout, &table, SHK_FORMAT_TABLE);
  putchar('\n');
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
