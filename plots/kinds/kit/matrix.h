/* Figures with a row for each method and a column for each of something else. Private to plots/. */
#ifndef PLOTS_KINDS_KIT_MATRIX_H
#define PLOTS_KINDS_KIT_MATRIX_H

#include "plots/canvas/drawing.h"

/* A place of the matrix: a short text on a colour, or nothing. */
struct shk_place {
  bool filled;
  int colour; /* 0xRRGGBB */
  const char *text;
};

/* places: rows × columns. */
struct shk_matrix {
  int rows, columns;
  const struct shk_place *places;
  const char *const *names, *const *heads; /* of the rows and of the columns; user text */
  const char *corner;                      /* what the columns are, or "" */
};

/* Writes the matrix for the template `matrix` and chooses the width. */
void shk_matrix_write(const struct shk_drawing *drawing, struct shk_chart *chart,
                      const struct shk_matrix *matrix);
/* Adds a colour to the legend, with its meaning. */
void shk_matrix_legend(struct shk_chart *chart, int colour, const char *meaning);

#endif
