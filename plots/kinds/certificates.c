/*
 * The certificate matrix: every claim of every integrator of a study, and what became of it.
 *
 * A place has the stated claim and the colour of its verdict: held on every problem that decided;
 * falsified on at least one, with an exclamation mark; undecided by any; white where the integrator
 * does not apply to any of the problems, or its runs failed. Nothing stands where it makes no claim.
 * On how many problems each was decided is in the data. Columns follow the claims as certificates list
 * them; of many integrators there are several figures.
 */
#include "foundation/memory.h"
#include "harness/check/certify.h"
#include "plots/kinds/kinds.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double row_height = 0.4, widest_name = 4.6, widest_column = 1.15, least_column = 0.62,
                    tilt = 60, /* degrees, of the heads */
    frame = 0.6,               /* margins of the panel, left and right */
    note_height = 0.9;

struct entry {
  bool made; /* there is such a claim */
  int held, falsified, undecided;
  const char *stated;
};

struct matrix {
  int rows, columns;
  double name_width, column_width, head_height, width; /* cm */
  int abouts[SHK_CERTIFIED_CLAIMS];                    /* of the columns, and in words */
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

/* ---- lengths ---- */

static double column_left(const struct matrix *matrix, int column)
{
  return matrix->name_width + column * matrix->column_width;
}

static double column_centre(const struct matrix *matrix, int column)
{
  return column_left(matrix, column) + 0.5 * matrix->column_width;
}

static void measure(struct matrix *matrix, const char *const *names)
{
  const double angle = tilt / 180 * 3.14159265358979;
  double longest = 0, overhang = 0;
  for (int m = 0; m < matrix->rows; m++)
    matrix->name_width = fmax(matrix->name_width, shk_text_width(names[m]));
  matrix->name_width = fmin(matrix->name_width, widest_name) + 0.3;
  for (int c = 0; c < matrix->columns; c++)
    longest = fmax(longest, shk_text_width(matrix->claims[c]));
  matrix->head_height = longest * sin(angle) + 0.35;
  overhang = longest * cos(angle);
  matrix->column_width = fmax(
      least_column, fmin(widest_column, (SHK_PAGE_WIDTH - frame - matrix->name_width - overhang) /
                                            (matrix->columns > 0 ? matrix->columns : 1)));
  matrix->width = column_left(matrix, matrix->columns) + overhang;
}

/* ---- one figure: some of the rows ---- */

struct part {
  const struct matrix *matrix;
  int first, rows;
};

static double row_centre(const struct part *part, int row)
{
  return (part->first + part->rows - row - 0.5) * row_height;
}

static const struct entry *entry_at(const struct part *part, int row, int column)
{
  return &part->matrix->entries[row * SHK_CERTIFIED_CLAIMS + column];
}

static void add_places(struct shk_figure *figure, struct shk_panel *panel, const struct part *part)
{
  static const struct {
    const char *word, *colour;
  } looks[LOOKS] = {{"held", "#a9d1ea"},
                    {"falsified", "#f0a878"},
                    {"undecided", "#e3e3e3"},
                    {"not measured", "#ffffff"}};
  for (int look = 0; look < LOOKS; look++) {
    int count = 0, index = 0;
    for (int m = part->first; m < part->first + part->rows; m++)
      for (int c = 0; c < part->matrix->columns; c++) {
        const struct entry *const entry = entry_at(part, m, c);
        if (!entry->made || (int)look_of(entry) != look)
          continue;
        if (count++ == 0)
          index = shk_figure_block(figure, "%s: x, y, problems that decided", looks[look].word);
        fprintf(figure->data, "%.3f\t%.3f\t%d\n", column_centre(part->matrix, c),
                row_centre(part, m), entry->held + entry->falsified);
      }
    if (count > 0)
      shk_panel_layer(panel,
                      "index %d using 1:2:(%.3f):(%.3f) with boxxyerror fillcolor rgb '%s' "
                      "fillstyle solid noborder",
                      index, 0.47 * part->matrix->column_width, 0.44 * row_height,
                      looks[look].colour);
  }
}

static void add_texts(struct shk_figure *figure, struct shk_panel *panel, const struct part *part,
                      const char *const *names)
{
  const struct matrix *const matrix = part->matrix;
  int index = shk_figure_block(figure, "integrators: x, y, text, the same for LaTeX");
  for (int m = part->first; m < part->first + part->rows; m++) {
    char *const text = shk_text_cut(names[m], widest_name);
    fprintf(figure->data, "0\t%.3f\t", row_centre(part, m));
    shk_print_texts(figure->data, text);
    free(text);
  }
  shk_panel_layer(panel, "index %d using 1:2:text with labels left noenhanced font small", index);
  index = shk_figure_block(figure, "claims: x, y, text, the same for LaTeX");
  for (int c = 0; c < matrix->columns; c++) {
    fprintf(figure->data, "%.3f\t%.3f\t", column_centre(matrix, c), part->rows * row_height + 0.15);
    shk_print_texts(figure->data, matrix->claims[c]);
  }
  shk_panel_layer(panel,
                  "index %d using 1:2:text with labels left rotate by %g noenhanced font small",
                  index, tilt);
  index = shk_figure_block(figure, "what is claimed: x, y, text, the same for LaTeX");
  for (int m = part->first; m < part->first + part->rows; m++)
    for (int c = 0; c < matrix->columns; c++) {
      const struct entry *const entry = entry_at(part, m, c);
      if (!entry->made)
        continue;
      char *const text =
          shk_print_text("%s%s", entry->stated, look_of(entry) == FALSIFIED ? "!" : "");
      fprintf(figure->data, "%.3f\t%.3f\t", column_centre(matrix, c), row_centre(part, m));
      shk_print_texts(figure->data, text);
      free(text);
    }
  shk_panel_layer(panel, "index %d using 1:2:text with labels center noenhanced font small", index);
}

static bool draw_part(struct shk_drawing *drawing, const struct part *part,
                      const char *const *specifications, const char *const *names)
{
  struct shk_figure figure;
  char number[16];
  snprintf(number, sizeof number, "%d", part->first / part->rows + 1);
  shk_drawing_begin_study(drawing, &figure,
                          part->rows < part->matrix->rows || part->first > 0 ? number : NULL, 1, 1);
  figure.sized = true;
  figure.width = part->matrix->width + frame;
  figure.panel_height = part->rows * row_height + part->matrix->head_height;
  struct shk_panel *const panel = shk_figure_panel(&figure, 0, 0);
  panel->bare = true;
  panel->x.high = part->matrix->width;
  panel->y.high = figure.panel_height;
  for (int m = part->first; m < part->first + part->rows; m++)
    shk_figure_say(&figure, "integrator", specifications[m]);
  add_places(&figure, panel, part);
  add_texts(&figure, panel, part, names);
  shk_key_note(&figure, "blue: held on every problem that decided; orange and !: falsified on at "
                        "least one; grey: undecided; white: not measured");
  return shk_drawing_finish(drawing, &figure);
}

static bool draw_matrix(struct shk_drawing *drawing, struct matrix *matrix,
                        const char *const *specifications, const char *const *names)
{
  measure(matrix, names);
  const int most = (int)((SHK_MOST_HEIGHT - 1 - note_height - matrix->head_height) / row_height),
            parts = (matrix->rows + most - 1) / most, rows = (matrix->rows + parts - 1) / parts;
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
