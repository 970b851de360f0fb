/*
 * The certificate matrix: every claim of every integrator of a study, and its verdict.
 *
 * A place has the stated claim and the colour of its verdict: held on every problem that decided;
 * falsified on at least one, with an exclamation mark; undecided on all; white if the integrator
 * does not apply to any of the problems, or its runs failed. It is empty if there is no claim. The
 * data have the numbers of problems that decided. Columns follow the order of claims in
 * certificates; many integrators are split over several figures.
 */
#include "foundation/memory.h"
#include "harness/check/certify.h"
#include "plots/kinds/kinds.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 28, MOST_LETTERS = 36 }; /* for two thirds of a page; of a name */

struct entry {
  bool made; /* the integrator makes such a claim */
  int held, falsified, undecided;
  const char *stated;
};

struct matrix {
  int rows, columns;
  int abouts[SHK_CERTIFIED_CLAIMS]; /* the claims of the columns, and their texts */
  const char *claims[SHK_CERTIFIED_CLAIMS];
  struct entry *entries; /* rows × SHK_CERTIFIED_CLAIMS */
};

static int column_of(struct matrix *matrix, const struct shk_certificate_row *row)
{
  for (int i = 0; i < matrix->columns; i++)
    if (matrix->abouts[i] == row->about)
      return i;
  matrix->abouts[matrix->columns] = row->about;
  matrix->claims[matrix->columns] = row->claim;
  return matrix->columns++;
}

static void fill(struct matrix *matrix, const struct shk_certificate *certificate,
                 const char *const *methods)
{
  matrix->entries =
      shk_allocate((size_t)matrix->rows * SHK_CERTIFIED_CLAIMS + 1, sizeof *matrix->entries);
  for (int i = 0; i < certificate->count; i++) {
    const struct shk_certificate_row *const row = &certificate->rows[i];
    if (row->about >= SHK_CERTIFIED_CLAIMS || row->verdict == SHK_VERDICT_NONE)
      continue;
    const int column = column_of(matrix, row);
    for (int m = 0; m < matrix->rows; m++) {
      if (strcmp(methods[m], row->integrator) != 0)
        continue;
      struct entry *const entry = &matrix->entries[m * SHK_CERTIFIED_CLAIMS + column];
      entry->made = true;
      entry->stated = row->stated;
      entry->held += row->verdict == SHK_VERDICT_HELD;
      entry->falsified += row->verdict == SHK_VERDICT_FALSIFIED;
      entry->undecided +=
          row->verdict == SHK_VERDICT_UNDECIDED || row->verdict == SHK_VERDICT_NOT_SHOWN;
    }
  }
}

/* Colours of a place. */
enum colour { HELD, FALSIFIED, UNDECIDED, NOT_MEASURED, COLOURS };

static enum colour colour_of(const struct entry *entry)
{
  return entry->falsified > 0   ? FALSIFIED
         : entry->held > 0      ? HELD
         : entry->undecided > 0 ? UNDECIDED
                                : NOT_MEASURED;
}

/* ---- one figure: some of the rows ---- */

struct part {
  const struct matrix *matrix;
  int first, rows;
};

static int longest_of(const char *const *texts, int count)
{
  int longest = 0;
  for (int i = 0; i < count; i++)
    longest = shk_text_length(texts[i]) > longest ? shk_text_length(texts[i]) : longest;
  return longest < MOST_LETTERS ? longest : MOST_LETTERS;
}

static void write_entries(struct shk_chart *chart, const struct part *part)
{
  const struct matrix *const matrix = part->matrix;
  shk_chart_block(chart, "claims", NULL,
                  "column, row, 1 held, 2 falsified, 3 undecided, 4 not measured, what is claimed");
  for (int i = 0; i < part->rows; i++)
    for (int c = 0; c < matrix->columns; c++) {
      const struct entry *const entry =
          &matrix->entries[(part->first + i) * SHK_CERTIFIED_CLAIMS + c];
      if (!entry->made)
        continue;
      const enum colour colour = colour_of(entry);
      fprintf(chart->data, "%d\t%d\t%d\t%s%s\n", c + 1, i + 1, colour + 1, entry->stated,
              colour == FALSIFIED ? "!" : "");
      chart->has_rows = true;
    }
}

static void write_name(struct shk_chart *chart, int row, const char *name)
{
  char *const text = shk_text_cut(name, MOST_LETTERS);
  shk_chart_text(chart, row, row, text);
  free(text);
}

static bool draw_part(struct shk_drawing *drawing, const struct part *part,
                      const char *const *specifications, const char *const *names)
{
  const struct matrix *const matrix = part->matrix;
  struct shk_chart chart;
  char number[16];
  snprintf(number, sizeof number, "%d", part->first / part->rows + 1);
  shk_drawing_chart_of_study(drawing, &chart,
                             part->rows < matrix->rows || part->first > 0 ? number : NULL);
  shk_drawing_width(drawing, &chart, SHK_PAGE_WIDTH);
  for (int i = 0; i < part->rows; i++)
    shk_chart_say(&chart, "integrator", specifications[part->first + i]);
  write_entries(&chart, part);
  shk_chart_block(&chart, "integrators", NULL, "row, row, name, the same for LaTeX");
  for (int i = 0; i < part->rows; i++)
    write_name(&chart, i + 1, names[part->first + i]);
  shk_chart_block(&chart, "claims", NULL, "column, column, claim, the same for LaTeX");
  for (int c = 0; c < matrix->columns; c++)
    shk_chart_text(&chart, c + 1, c + 1, matrix->claims[c]);
  shk_chart_set(&chart, "columns", matrix->columns);
  shk_chart_set(&chart, "lines_of_map", part->rows);
  shk_chart_set(&chart, "longest", longest_of(names + part->first, part->rows));
  shk_chart_set(&chart, "longest_claim", longest_of(matrix->claims, matrix->columns));
  shk_chart_note(&chart, shk_label_words("blue: held on every problem that decided; orange and !: "
                                         "falsified"));
  shk_chart_note(&chart, shk_label_words("grey: undecided; white: not measured"));
  return shk_drawing_draw(drawing, &chart);
}

static bool draw_matrix(struct shk_drawing *drawing, const struct matrix *matrix,
                        const char *const *specifications, const char *const *names)
{
  const int parts = (matrix->rows + MOST_ROWS - 1) / MOST_ROWS,
            rows = (matrix->rows + parts - 1) / parts;
  bool ok = true;
  for (int first = 0; ok && first < matrix->rows; first += rows) {
    const int left = matrix->rows - first;
    const struct part part = {matrix, first, left < rows ? left : rows};
    ok = draw_part(drawing, &part, specifications, names);
  }
  return ok;
}

static bool draw(struct shk_drawing *drawing)
{
  const char **const names = shk_allocate((size_t)drawing->method_count + 1, sizeof *names);
  const char **const shown = shk_allocate((size_t)drawing->method_count + 1, sizeof *shown);
  struct matrix matrix = {0};
  for (int m = 0; m < drawing->method_count; m++)
    if (!drawing->asked || shk_selects(drawing->asked->integrators,
                                       drawing->asked->integrator_count, drawing->methods[m])) {
      shown[matrix.rows] = drawing->shown[m];
      names[matrix.rows++] = drawing->methods[m];
    }
  struct shk_certificate certificate = {0};
  shk_certify(&certificate, names, matrix.rows, drawing->analysis, drawing->plan, drawing->records,
              NULL);
  fill(&matrix, &certificate, names);
  int decided = 0;
  for (int i = 0; i < matrix.rows * SHK_CERTIFIED_CLAIMS; i++)
    decided += matrix.entries[i].held + matrix.entries[i].falsified;
  const bool ok = decided == 0 || draw_matrix(drawing, &matrix, names, shown);
  shk_certificate_clear(&certificate);
  free(matrix.entries);
  free(shown);
  free(names);
  return ok;
}

const struct shk_figure_kind shk_figure_kind_certificates = {
    .shows = "claims and verdicts, a row for each integrator", .of_study = draw};
