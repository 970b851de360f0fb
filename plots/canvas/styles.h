/* Colours, lines and marks for methods, as defined in plots/kinds/page.gp. */
#ifndef PLOTS_CANVAS_STYLES_H
#define PLOTS_CANVAS_STYLES_H

#include "plots/canvas/chart.h"

/* Chooses a look for each name. A name usually has the same look in all studies, and the names in a
 * study have different colours as long as there are enough colours. `company` is a count × count
 * array; entry (i, j) tells how often methods i and j are drawn together. */
void shk_choose_looks(struct shk_look *looks, const char *const *names, int count,
                      const int *company);

#endif
