/*
 * Writes LaTeX tables. See latex_tables.h.
 *
 * A table is set at 8 points in a minipage of the given width. Columns that do not fit are moved to
 * additional parts of the table, which are placed below and have the same rows. Widths are
 * estimated for Computer Modern, which is the widest of the common fonts, and for siunitx's default
 * format for uncertainties, 2.000(1).
 */
#include "cli/shared/output/latex_tables.h"
#include "cli/shared/output/overview_table.h"
#include "foundation/index.h"
#include "foundation/memory.h"
#include "measures/quantity.h"
#include "results/export/export.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The column separation, the minimum width of the first column, and the indent of a row's second
 * line, all in TeX points. */
enum { BETWEEN = 6, FIRST = 50, INDENT = 4 };
/* Maximum line lengths for column and row labels. The shorter length for rows is used if it reduces
 * the number of parts of the table. */
enum { COLUMN_LINE = 11, ROW_LINE = 26, SHORT_ROW_LINE = 16 };
static const double points_per_cm = 72.27 / 2.54;

/* A table under construction. lines[0] contains the rows, and lines[1] the columns. */
struct grid {
  const struct shk_study *study;
  const struct shk_analysis *analysis;
  const struct shk_latex_layout *layout;
  const char *quantity; /* without horizon */
  size_t length;
  struct shk_index lines[2];
  const struct shk_finding *any; /* any finding about the quantity */
  /* findings by row, then by column; NULL if there is none */
  const struct shk_finding **f;
  struct shk_index notes;
  int *columns, column_count; /* indices of the columns that contain values */
  size_t row_line;            /* maximum line length in row labels */
};

/* ---- the findings for a quantity ---- */

/* Returns the length of a quantity's name without the horizon. */
static size_t base_length(const struct shk_finding *f)
{
  size_t length = strlen(f->quantity) - strlen(f->named.detail);
  while (length > 0 && f->quantity[length - 1] == ' ')
    length--;
  return length;
}

static bool is_asked(const struct shk_latex_layout *layout, const struct shk_finding *f)
{
  return layout->asked.count > 0 ? shk_quantity_is_asked(&layout->asked, f->quantity)
                                 : shk_overview_has(f);
}

static bool belongs(const struct grid *grid, const struct shk_finding *f)
{
  return is_asked(grid->layout, f) && base_length(f) == grid->length &&
         strncmp(f->quantity, grid->quantity, grid->length) == 0;
}

/* Returns true if the verdict needs a footnote. */
static bool is_noted(const struct shk_finding *f)
{
  return f->verdict == SHK_VERDICT_FALSIFIED || f->verdict == SHK_VERDICT_UNDECIDED ||
         f->verdict == SHK_VERDICT_FAILED || f->verdict == SHK_VERDICT_REFUSED;
}

/* Formats a count, or any other number with two digits. Numbers below 0.001 are written with a
 * power of ten. */
static char *compact_number(char *buffer, size_t size, double value, bool counted)
{
  if (counted)
    snprintf(buffer, size, "%.0f", value);
  else if (!isfinite(value) || value == 0 || fabs(value) >= 1e-3)
    shk_number_text(buffer, size, value, 2);
  else {
    snprintf(buffer, size, "%.1e", value); /* "3.0e-04" */
    char *const power = strchr(buffer, 'e');
    const long exponent = strtol(power + 1, NULL, 10);
    snprintf(power, size - (size_t)(power - buffer), "e%ld", exponent);
  }
  return buffer;
}

/* Formats an entry as plain text. The result is empty if there is no value. */
static void entry_text(char text[96], const struct grid *grid, const struct shk_finding *f)
{
  text[0] = '\0';
  if (!f || f->verdict == SHK_VERDICT_FAILED || f->verdict == SHK_VERDICT_REFUSED)
    return;
  if (f->word || f->named.entry->kind == SHK_KIND_ORDER) {
    shk_overview_text(text, 96, f, false);
  } else {
    char number[48];
    const bool cost = f->named.entry->measure == SHK_MEASURE_WORK_PRECISION,
               counted = f->named.entry->kind == SHK_KIND_COUNT;
    if (!isnan(f->value))
      snprintf(text, 96, "%s%s", cost && f->reason ? "<" : "",
               compact_number(number, sizeof number, f->value, counted));
  }
  if (strcmp(text, "-") == 0)
    text[0] = '\0';
  const struct shk_finding **all = NULL;
  int count = 0;
  for (int i = 0; i < grid->analysis->finding_count; i++)
    if (strcmp(grid->analysis->findings[i].integrator, f->integrator) == 0)
      *SHK_APPEND(all, count) = &grid->analysis->findings[i];
  shk_overview_rate(text, 96, f, all, count);
  free(all);
}

static const struct shk_finding *finding_at(const struct grid *grid, int row, int column)
{
  return grid->f[row * grid->lines[1].count + column];
}

/* Returns true if the finding states why a method has no result for a problem in the table. The
 * method's row or column then refers to the reason. */
static bool is_absence(const struct grid *grid, const struct shk_finding *f)
{
  return f->named.id == SHK_QUANTITY_STATUS && is_noted(f) &&
         shk_index_find(&grid->lines[grid->layout->problems_in_rows ? 0 : 1], f->problem) >= 0;
}

/* Numbers the rows and columns, starting with those in which the quantity occurs, and selects the
 * finding for each entry. */
static void fill_grid(struct grid *grid)
{
  const int of_method = grid->layout->problems_in_rows ? 1 : 0;
  enum { QUANTITY, ABSENT, ENTRIES };
  for (int pass = QUANTITY; pass <= ENTRIES; pass++) {
    for (int i = 0; i < grid->analysis->finding_count; i++) {
      const struct shk_finding *const f = &grid->analysis->findings[i];
      if (!belongs(grid, f) && (pass == QUANTITY || !is_absence(grid, f)))
        continue;
      const int method = shk_index_text(&grid->lines[of_method], f->integrator),
                problem = shk_index_text(&grid->lines[1 - of_method], f->problem),
                row = of_method ? problem : method, column = of_method ? method : problem;
      grid->any = pass == QUANTITY ? f : grid->any;
      const struct shk_finding **const place =
          pass == ENTRIES ? &grid->f[row * grid->lines[1].count + column] : NULL;
      if (place && (!*place || shk_overview_prefers(f, *place, SHK_OVERVIEW_COSTS)))
        *place = f;
    }
    if (pass == ABSENT)
      grid->f = shk_allocate((size_t)grid->lines[0].count * (size_t)grid->lines[1].count + 1,
                             sizeof *grid->f);
  }
}

/* Returns true if any entry in a row (line 0) or column (line 1) has a value or a footnote. */
static bool is_shown(const struct grid *grid, int line, int at)
{
  for (int i = 0; i < grid->lines[1 - line].count; i++) {
    const struct shk_finding *const f =
        line == 0 ? finding_at(grid, at, i) : finding_at(grid, i, at);
    char text[96];
    entry_text(text, grid, f);
    if (text[0] != '\0' || (f && is_noted(f)))
      return true;
  }
  return false;
}

/* ---- widths ---- */

/* Estimates the width, in points, of plain text set at 8 points. */
static double text_width(const char *text, size_t length)
{
  double width = 0;
  for (size_t i = 0; i < length; i++) {
    const char c = text[i];
    width += strchr("ijl.,:;'|![]", c)      ? 2.5
             : strchr("()-tfrs ", c)        ? 3.4
             : strchr("aceovxyz", c)        ? 4.2
             : c >= '0' && c <= '9'         ? 4.3
             : strchr("mwMW<>=+_%&@", c)    ? 7.2
             : c >= 'A' && c <= 'Z'         ? 6.3
             : ((unsigned char)c >> 6) == 2 ? 0 /* a continuation byte of a UTF-8 character */
                                            : 4.75;
  }
  return width;
}

static double entry_width(const char *text, bool noted)
{
  const char *const power = strchr(text, 'e'), *const mark = strrchr(text, ' ');
  const bool number = shk_is_latex_number(mark ? mark + 1 : text + (text[0] == '<'));
  const double plain = text_width(text, strlen(text));
  return plain + (number && power ? 20 : 0) + (noted ? 5 : 0);
}

/* Returns true if a label can be broken before its i-th byte. Breaks are allowed after a blank, a
 * comma, or a hyphen between letters, and before a parenthesis. */
static bool may_break(const char *label, size_t i)
{
  const char before = label[i - 1], at = label[i];
  return before == ' ' || before == ',' ? at != ' '
         : before == '-'                ? i > 1 && at >= 'a' && label[i - 2] >= 'a'
                                        : at == '(';
}

/* Returns the length of a label's first line, which is at most `most` bytes if the label can be
 * broken. */
static size_t first_line(const char *label, size_t most)
{
  const size_t all = strlen(label);
  size_t length = 0;
  for (size_t i = 1; i < all && all > most && (i <= most || length == 0); i++)
    if (may_break(label, i))
      length = i;
  return length > 0 ? length : all;
}

static double label_width(const char *label, size_t most)
{
  double width = 0;
  for (size_t length; *label; label += length) {
    length = first_line(label, most);
    width = fmax(width, text_width(label, length));
  }
  return width;
}

/* ---- printing ---- */

static void print_piece(FILE *file, const char *text, size_t length)
{
  char *const piece = shk_print_text("%.*s", (int)length, text);
  shk_print_latex(file, piece);
  free(piece);
}

/* Prints the label of a row, or of a column with the given alignment. Long labels are broken into
 * several lines. */
static void print_label(FILE *file, const char *label, size_t most, bool row, char side)
{
  const bool several = first_line(label, most) < strlen(label);
  if (several)
    fprintf(file, "\\begin{tabular}[%c]{@{}%c@{}}", row ? 't' : 'b', side);
  for (size_t length; *label; label += length) {
    length = first_line(label, most);
    print_piece(file, label, length - (label[length] && label[length - 1] == ' '));
    if (label[length])
      fputs(row ? "\\\\\\enspace " : "\\\\", file);
  }
  fputs(several ? "\\end{tabular}" : "", file);
}

/* Prints the name of the quantity. The parameter in a name is user-supplied text and must be
 * escaped. */
static void print_quantity(FILE *file, const struct grid *grid)
{
  const struct shk_named_quantity *const named = &grid->any->named;
  const char *const latex = named->entry->latex, *const at = latex ? strchr(latex, '%') : NULL;
  if (!latex || named->statistic != SHK_STATISTIC_NONE || named->id == SHK_QUANTITIES ||
      (at && named->block == SHK_BLOCKS && !named->parameter)) {
    print_piece(file, grid->quantity, grid->length);
    return;
  }
  fprintf(file, "%.*s", (int)(at ? at - latex : (long)strlen(latex)), latex);
  if (at && named->block != SHK_BLOCKS)
    fputs(shk_blocks[named->block].latex, file);
  else if (at)
    print_piece(file, named->parameter, (size_t)named->length);
  fputs(at ? at + 1 : "", file);
}

/* Prints a footnote mark: a, b, …, z, aa, ab, …. */
static void print_mark(FILE *file, int note)
{
  fputs("\\textsuperscript{", file);
  if (note >= 26)
    putc('a' + note / 26 % 26 - 1, file);
  fprintf(file, "%c}", 'a' + note % 26);
}

static void print_entry(FILE *file, struct grid *grid, const struct shk_finding *f)
{
  char text[96];
  entry_text(text, grid, f);
  const char *at = text;
  if (*at == '<')
    fputs("$<$", file);
  at += *at == '<';
  const char *const blank = strrchr(at, ' '), *const number = blank ? blank + 1 : at;
  if (shk_is_latex_number(number)) {
    print_piece(file, at, (size_t)(number - at));
    fprintf(file, "\\num{%s}", number);
  } else {
    shk_print_latex(file, *at ? at : f ? "–" : "");
  }
  if (f && is_noted(f))
    print_mark(file, shk_index_number(&grid->notes, "%s%s%s", shk_verdict_word(f->verdict),
                                      f->reason ? ": " : "", f->reason ? f->reason : ""));
}

/* Returns the label of a row or column. The caller frees the label. */
static char *label_of(const struct grid *grid, int line, int at)
{
  return shk_study_shown(grid->study, grid->lines[line].texts[at]);
}

static double column_width(const struct grid *grid, int column)
{
  char *const label = label_of(grid, 1, column);
  double width = label_width(label, COLUMN_LINE);
  for (int row = 0; row < grid->lines[0].count; row++) {
    const struct shk_finding *const f = finding_at(grid, row, column);
    char text[96];
    entry_text(text, grid, f);
    width = fmax(width, entry_width(text, f && is_noted(f)));
  }
  free(label);
  return width;
}

static double first_width(const struct grid *grid)
{
  double width = FIRST;
  for (int row = 0; row < grid->lines[0].count; row++) {
    char *const label = label_of(grid, 0, row);
    width = fmax(width, label_width(label, grid->row_line) + INDENT);
    free(label);
  }
  return width;
}

/* Returns one plus the index of the last column that fits into a part of the table that starts with
 * column `from`. */
static int part_end(const struct grid *grid, int from)
{
  double width = first_width(grid);
  for (int to = from; to < grid->column_count; to++) {
    width += BETWEEN + column_width(grid, grid->columns[to]);
    if (to > from && width > grid->layout->width * points_per_cm)
      return to;
  }
  return grid->column_count;
}

static int count_parts(struct grid *grid, size_t row_line)
{
  int parts = 0;
  grid->row_line = row_line;
  for (int from = 0; from < grid->column_count; from = part_end(grid, from))
    parts++;
  return parts;
}

/* Prints the part of a table that consists of the columns from index `from` up to, but not
 * including, `to`. */
static void print_part(FILE *file, struct grid *grid, int from, int to)
{
  const char side = grid->any->named.entry->kind == SHK_KIND_CLASS ? 'l' : 'r';
  fputs("\\begin{tabular}{@{}l", file);
  for (int i = from; i < to; i++)
    putc(side, file);
  fprintf(file, "@{}}\n\\toprule\n\\parbox[b]{%.0fpt}{\\raggedright ", first_width(grid));
  print_quantity(file, grid);
  putc('}', file);
  for (int i = from; i < to; i++) {
    char *const label = label_of(grid, 1, grid->columns[i]);
    fputs(" & ", file);
    print_label(file, label, COLUMN_LINE, false, side);
    free(label);
  }
  fputs(" \\\\\n\\midrule\n", file);
  for (int row = 0; row < grid->lines[0].count; row++) {
    if (!is_shown(grid, 0, row))
      continue;
    char *const label = label_of(grid, 0, row);
    print_label(file, label, grid->row_line, true, 'l');
    for (int i = from; i < to; i++) {
      fputs(" & ", file);
      print_entry(file, grid, finding_at(grid, row, grid->columns[i]));
    }
    fputs(" \\\\\n", file);
    free(label);
  }
  fputs("\\bottomrule\n\\end{tabular}\\par\n", file);
}

/* Prints the parts of a table and its footnotes. */
static void print_grid(FILE *file, struct grid *grid, bool first)
{
  fputs(first ? "\n% " : "\n\\bigskip\n% ", file);
  print_piece(file, grid->quantity, grid->length);
  fprintf(file,
          "\n\\noindent\\begin{minipage}{%.4gcm}\\fontsize{8}{9.6}\\selectfont\\setlength{"
          "\\tabcolsep}{%dpt}"
          "\\raggedright\n",
          grid->layout->width, BETWEEN / 2);
  if (count_parts(grid, SHORT_ROW_LINE) >= count_parts(grid, ROW_LINE))
    grid->row_line = ROW_LINE;
  else
    grid->row_line = SHORT_ROW_LINE;
  for (int from = 0, to; from < grid->column_count; from = to) {
    to = part_end(grid, from);
    fputs(from > 0 ? "\\medskip\n" : "", file);
    print_part(file, grid, from, to);
  }
  for (int i = 0; i < grid->notes.count; i++) {
    fputs(i == 0 ? "\\smallskip\n" : "", file);
    print_mark(file, i);
    putc(' ', file);
    shk_print_latex(file, grid->notes.texts[i]);
    fputs("\\par\n", file);
  }
  fputs("\\end{minipage}\\par\n", file);
}

static void clear_grid(struct grid *grid)
{
  free(grid->f);
  free(grid->columns);
  for (int line = 0; line < 2; line++)
    shk_index_clear(&grid->lines[line]);
  shk_index_clear(&grid->notes);
}

int shk_latex_tables_print(FILE *file, const struct shk_analysis *analysis,
                           const struct shk_study *study, const struct shk_latex_layout *layout)
{
  struct shk_index quantities = {0};
  int printed = 0;
  for (int i = 0; i < analysis->finding_count; i++) {
    const struct shk_finding *const f = &analysis->findings[i];
    if (is_asked(layout, f))
      shk_index_number(&quantities, "%.*s", (int)base_length(f), f->quantity);
  }
  for (int i = 0; i < quantities.count; i++) {
    struct grid grid = {.study = study,
                        .analysis = analysis,
                        .layout = layout,
                        .quantity = quantities.texts[i],
                        .length = strlen(quantities.texts[i])};
    fill_grid(&grid);
    for (int column = 0; column < grid.lines[1].count; column++)
      if (is_shown(&grid, 1, column))
        *SHK_APPEND(grid.columns, grid.column_count) = column;
    if (printed == 0 && grid.column_count > 0)
      fputs("% needs \\usepackage{booktabs}, \\usepackage{siunitx} and \\usepackage{textcomp}\n",
            file);
    if (grid.column_count > 0)
      print_grid(file, &grid, printed == 0);
    printed += grid.column_count > 0;
    clear_grid(&grid);
  }
  shk_index_clear(&quantities);
  return printed;
}
