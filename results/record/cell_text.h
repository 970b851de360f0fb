/* A cell as one line of text, from which its key is computed. Equal cells have equal texts. */
#ifndef RESULTS_RECORD_CELL_TEXT_H
#define RESULTS_RECORD_CELL_TEXT_H

#include "foundation/message.h"
#include "foundation/specifications/cell.h"

/* Returns `kind problem=… integrator=… precision=… step=… tolerance=… until=… times=…,… q=… p=…
 * project=yes` omitting absent parts, and then `member=…` for each member of an ensemble.
 * Specifications, steps and times must be canonical; two cells then have the same text exactly if
 * all their parts are equal. The text has no line breaks, and control characters in quoted strings
 * are written \xNN. The caller frees the text. */
char *shk_cell_text(const struct shk_cell *cell);

/* Reads the cell from such a text, without its numeric values. The caller clears the cell. On
 * failure returns false and sets the reason. */
bool shk_cell_read(struct shk_cell *cell, const char *text, struct shk_message *error);

/* Returns a description of a cell's start: its problem, followed by `q=… p=…` for an explicit
 * start, or by the number of members. The caller frees the text. */
char *shk_cell_problem(const struct shk_cell *cell);
/* Returns the description of a member's start, or of the cell's own start if it has no members. */
char *shk_member_problem(const struct shk_cell *cell, int member);

#endif
