/* A cell as one line of text, from which keys are computed: equal cells have equal texts. */
#ifndef RESULTS_RECORD_CELL_TEXT_H
#define RESULTS_RECORD_CELL_TEXT_H

#include "foundation/message.h"
#include "foundation/specifications/cell.h"

/* Returns `kind problem=… integrator=… precision=… step=… tolerance=… until=… times=…,… q=… p=…
 * project=yes` without absent parts, and then `member=…` for each member of an ensemble.
 * Specifications, steps and times must be canonical; two cells then have the same text exactly if
 * all their parts are equal. The text has no line breaks, and control characters in quoted strings
 * are written \xNN. The caller frees the text. */
char *shk_cell_text(const struct shk_cell *cell);

/* Reads the cell from such a text, without its numeric values. The caller clears the cell. On
 * failure returns false and sets the reason. */
bool shk_cell_read(struct shk_cell *cell, const char *text, struct shk_message *error);

/* Returns a description of the start of a cell: its problem, then `q=… p=…` for an explicit start,
 * or the number of members. The caller frees the text. */
char *shk_cell_problem(const struct shk_cell *cell);
/* Returns the description of the start of a member, or of the cell itself if it has no members. */
char *shk_member_problem(const struct shk_cell *cell, int member);

#endif
