/* Colours, lines and marks of methods, as defined in plots/kinds/page.gp. */
#ifndef PLOTS_CANVAS_STYLES_H
#define PLOTS_CANVAS_STYLES_H

#include "plots/canvas/chart.h"

/* Chooses a look for each name. A name usually has the same look in all studies, and names in one
 * study have different colours as long as there are enough colours. company: count × count, true
 * for two methods that are drawn together. */
void shk_choose_looks(struct shk_look *looks, const char *const *names, int count,
                      const bool *company);

#endif
