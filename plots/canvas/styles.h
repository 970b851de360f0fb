/* Colours, lines and marks of methods, as plots/kinds/page.gp has them. */
#ifndef PLOTS_CANVAS_STYLES_H
#define PLOTS_CANVAS_STYLES_H

#include "plots/canvas/chart.h"

/* Chooses a look for each name: mostly the same in all studies, and with different colours in one
 * study as long as there are colours. company: count × count, true where two are drawn together. */
void shk_choose_looks(struct shk_look *looks, const char *const *names, int count,
                      const bool *company);

#endif
