/*
 * The certificate matrix: every claim of every integrator of a study, and what became of it.
 *
 * A disc: held on every problem that decided; a cross: falsified on at least one; a ring: no
 * problem decided; a dot: the integrator does not apply to any of the problems, or its runs
 * failed; nothing where it makes no claim. Beside a mark stand the stated claim and on how many
 * problems it was decided. Columns follow the claims as certificates list them.
 */
#include "foundation/memory.h"
#include "harness/check/certify.h"
#include "plots/kinds/kinds.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double row_height = 0.4, column_width = 1.15, head_height = 2.3, widest_name = 5.2,
                    frame = 0.6; /* margins of the panel, left and right */

struct entry {
  bool made; /* there is such a claim */
  int held, falsified, undecided;
  const char *stated;
};

struct matrix {
  int rows, columns;
  double name_width;                /* cm */
  int abouts[SHK_CERTIFIED_CLAIMS]; /* of the columns, and in words */
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

/* What is drawn of an entry. */
enum look { HELD, FALSIFIED, UNDECIDED, NOT_MEASURED, LOOKS };

static enum look look_of(const struct entry *entry)
{
  return entry->falsified > 0   ? FALSIFIED
         : entry->held > 0      ? HELD
         : entry->undecided > 0 ? UNDECIDED
                                : NOT_MEASURED;
}

static double column_centre(const struct matrix *matrix, int column)
{
  return matrix->name_width + (column + 0.3) * column_width;
}

static double row_centre(const struct matrix *matrix, int row)
{
  return (matrix->rows - row - 0.5) * row_height;
}

static void add_marks(struct shk_figure *figure, struct shk_panel *panel,
                      const struct matrix *matrix)
{
  static const struct {
    const char *word, *style;
  } looks[LOOKS] = {{"held", "pointtype 7 pointsize 0.55 linecolor rgb '#0072B2'"},
                    {"falsified", "pointtype 2 pointsize 0.6 linewidth 2 linecolor rgb '#D55E00'"},
                    {"undecided", "pointtype 6 pointsize 0.55 linewidth 1 linecolor rgb '#606060'"},
                    {"not measured", "pointtype 0 linecolor rgb '#606060'"}};
  for (int look = 0; look < LOOKS; look++) {
    int count = 0, index = 0;
    for (int m = 0; m < matrix->rows; m++)
      for (int c = 0; c < matrix->columns; c++) {
        const struct entry *const entry = &matrix->entries[m * SHK_CERTIFIED_CLAIMS + c];
        if (!entry->made || (int)look_of(entry) != look)
          continue;
        if (count++ == 0)
          index = shk_figure_block(figure, "%s: x, y", looks[look].word);
        fprintf(figure->data, "%.3f\t%.3f\n", column_centre(matrix, c), row_centre(matrix, m));
      }
    if (count > 0)
      shk_panel_layer(panel, "index %d using 1:2 with points %s", index, looks[look].style);
  }
}

static void add_texts(struct shk_figure *figure, struct shk_panel *panel,
                      const struct matrix *matrix, const char *const *names)
{
  int index = shk_figure_block(figure, "integrators: x, y, text, the same for LaTeX");
  for (int m = 0; m < matrix->rows; m++) {
    /* What is too long for its place is cut, and says so. */
    char *const text = shk_copy_text(names[m]);
    for (size_t end = strlen(text); end > 3 && shk_text_width(text) > widest_name; end--)
      memcpy(text + end - 4, "...", 4);
    fprintf(figure->data, "0\t%.3f\t", row_centre(matrix, m));
    shk_print_texts(figure->data, text);
    free(text);
  }
  shk_panel_layer(panel, "index %d using 1:2:text with labels left noenhanced font small", index);
  index = shk_figure_block(figure, "claims: x, y, text, the same for LaTeX");
  for (int c = 0; c < matrix->columns; c++) {
    fprintf(figure->data, "%.3f\t%.3f\t", column_centre(matrix, c),
            matrix->rows * row_height + 0.12);
    shk_print_texts(figure->data, matrix->claims[c]);
  }
  shk_panel_layer(
      panel, "index %d using 1:2:text with labels left rotate by 40 noenhanced font small", index);
  index = shk_figure_block(figure, "beside the marks: x, y, text, the same for LaTeX");
  for (int m = 0; m < matrix->rows; m++)
    for (int c = 0; c < matrix->columns; c++) {
      const struct entry *const entry = &matrix->entries[m * SHK_CERTIFIED_CLAIMS + c];
      if (!entry->made)
        continue;
      const int decided = entry->held + entry->falsified;
      char *const text = shk_print_text("%s (%d)", entry->stated, decided);
      fprintf(figure->data, "%.3f\t%.3f\t", column_centre(matrix, c) + 0.15, row_centre(matrix, m));
      shk_print_texts(figure->data, text);
      free(text);
    }
  shk_panel_layer(panel,
                  "index %d using 1:2:text with labels left noenhanced font small textcolor rgb "
                  "'#404040'",
                  index);
}

static void add_rules(struct shk_figure *figure, struct shk_panel *panel,
                      const struct matrix *matrix)
{
  const int index = shk_figure_block(figure, "rules between the rows: x, y");
  for (int m = 0; m <= matrix->rows; m++)
    fprintf(figure->data, "%s0\t%.3f\n%.3f\t%.3f\n", m > 0 ? "\n" : "", m * row_height,
            column_centre(matrix, matrix->columns), m * row_height);
  shk_panel_layer(panel, "index %d using 1:2 with lines linewidth 0.4 linecolor rgb '#bbbbbb'",
                  index);
}

/* Rows are the integrators that make a claim. */
static bool draw_matrix(struct shk_drawing *drawing, struct matrix *matrix,
                        const char *const *names)
{
  struct shk_figure figure;
  shk_drawing_begin_study(drawing, &figure, NULL, 1, 1);
  const double width = column_centre(matrix, matrix->columns) + 1.2,
               height = matrix->rows * row_height + head_height;
  figure.width = width + frame;
  figure.panel_height = height;
  struct shk_panel *const panel = shk_figure_panel(&figure, 0, 0);
  panel->bare = true;
  panel->x.low = 0;
  panel->x.high = width;
  panel->y.low = 0;
  panel->y.high = height;
  add_rules(&figure, panel, matrix);
  add_marks(&figure, panel, matrix);
  add_texts(&figure, panel, matrix, names);
  shk_key_text(&figure, 0.4, figure.width - 0.6,
               "disc: held; cross: falsified on at least one problem; ring: undecided; dot: not "
               "measured. Beside it the claim, and how many problems decided it.");
  return shk_drawing_finish(drawing, &figure);
}

static bool draw(struct shk_drawing *drawing)
{
  const char **const names = shk_allocate((size_t)drawing->method_count + 1, sizeof *names);
  struct matrix matrix = {0};
  for (int m = 0; m < drawing->method_count; m++)
    if (!drawing->asked || shk_selects(drawing->asked->integrators,
                                       drawing->asked->integrator_count, drawing->methods[m]))
      names[matrix.rows++] = drawing->methods[m];
  for (int m = 0; m < matrix.rows; m++)
    matrix.name_width = fmax(matrix.name_width, shk_text_width(names[m]));
  matrix.name_width = fmin(matrix.name_width, widest_name) + 0.4;
  struct shk_certificate certificate = {0};
  shk_certify(&certificate, names, matrix.rows, drawing->analysis, drawing->plan, drawing->records,
              NULL);
  fill(&matrix, &certificate, names);
  int decided = 0;
  for (int i = 0; i < matrix.rows * SHK_CERTIFIED_CLAIMS; i++)
    decided += matrix.entries[i].held + matrix.entries[i].falsified;
  const bool ok = decided == 0 || draw_matrix(drawing, &matrix, names);
  shk_certificate_clear(&certificate);
  free(matrix.entries);
  free(names);
  return ok;
}

const struct shk_figure_kind shk_figure_kind_certificates = {
    .shows = "claims and verdicts, a row for each integrator", .of_study = draw};
