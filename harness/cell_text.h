/* A cell as one line of text, the same for the same cell: what keys are made of. */
#ifndef HARNESS_CELL_TEXT_H
#define HARNESS_CELL_TEXT_H

#include "foundation/cell.h"

/* `kind problem=… integrator=… precision=… step=… tolerance=… until=… times=…,… q=… p=…
 * project=yes` in this order, absent parts left out. Specifications, steps and times are taken to
 * be canonical; two cells have the same text exactly when all their parts are the same. Printable,
 * without line breaks: control characters in quoted strings are written \xNN. The caller frees it.
 */
char *shk_cell_text(const struct shk_cell *cell);

#endif
