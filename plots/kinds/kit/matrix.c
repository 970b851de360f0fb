/* Figures with a row for each method. See matrix.h. */
#include "plots/kinds/kit/matrix.h"
#include <math.h>
#include <stdlib.h>

enum { MOST_LETTERS = 40 }; /* of a name */

/* Writes a block of names, numbered from `number`, cut to a limit; returns the longest length. */
static int write_names(struct shk_chart *chart, const char *what, const char *const *names,
                       int count)
{
  int longest = 0;
  shk_chart_block(chart, what, "%s: number, name, the same for LaTeX", what);
  for (int i = 0; i < count; i++) {
    char *const name = shk_text_cut(names[i], MOST_LETTERS);
    const int length = shk_text_length(name);
    longest = length > longest ? length : longest;
    shk_chart_text(chart, i + 1, name);
    free(name);
  }
  return longest;
}

void shk_matrix_write(const struct shk_drawing *drawing, struct shk_chart *chart,
                      const struct shk_matrix *matrix)
{
  static const double widths[] = {SHK_COLUMN_WIDTH, SHK_MIDDLE_WIDTH, SHK_PAGE_WIDTH};
  enum { UPRIGHT = 8 }; /* longer heads are turned */
  const double letter = 0.155, turned = 0.55;
  shk_chart_block(chart, "places", "column, row, colour, text");
  for (int i = 0; i < matrix->rows * matrix->columns; i++) {
    const struct shk_place *const place = &matrix->places[i];
    chart->has_rows = chart->has_rows || place->filled;
    if (place->filled)
      fprintf(chart->data, "%d\t%d\t%d\t%s\n", i % matrix->columns + 1, i / matrix->columns + 1,
              place->colour, place->text);
  }
  const int corner = shk_text_length(matrix->corner),
            names = write_names(chart, "rows", matrix->names, matrix->rows),
            longest = names > corner ? names : corner,
            heads = write_names(chart, "columns", matrix->heads, matrix->columns);
  shk_chart_block(chart, "corner", "what the columns are");
  shk_chart_text(chart, 0, matrix->corner);
  const double column = heads > UPRIGHT ? turned : letter * fmax(heads + 1, 4);
  for (int i = 0; i < 3; i++)
    if (i == 0 || letter * longest + column * matrix->columns > widths[i - 1] - 0.8)
      shk_drawing_width(drawing, chart, widths[i]);
  shk_chart_set(chart, "columns", matrix->columns);
  shk_chart_set(chart, "lines_of_map", matrix->rows);
  shk_chart_set(chart, "longest", longest);
  shk_chart_set(chart, "longest_head", heads);
  shk_chart_set(chart, "turned", heads > UPRIGHT);
}

void shk_matrix_legend(struct shk_chart *chart, int colour, const char *meaning)
{
  shk_chart_legend(chart, chart->row_count + 1, meaning, "");
  shk_chart_list(chart, "colours", 0, colour);
}
