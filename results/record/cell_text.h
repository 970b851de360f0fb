/* Represents a cell as a one-line string, from which its key is computed. Equal cells have equal
 * strings. */
#ifndef RESULTS_RECORD_CELL_TEXT_H
#define RESULTS_RECORD_CELL_TEXT_H

#include "foundation/message.h"
#include "foundation/specifications/cell.h"

/* Returns `kind problem=… integrator=… precision=… step=… tolerance=… until=… times=…,… q=… p=…
 * project=yes`, omitting missing parts, followed by `member=…` for each member of an ensemble.
 * Specifications, steps and times must be canonical, so that two cells have the same string if and
 * only if all their parts are equal. The string contains no line breaks; control characters in
 * quoted strings are written as \xNN. The caller frees the string. */
char *shk_cell_text(const struct shk_cell *cell);

/* Reads a cell from such a string, without its numeric values. The caller clears the cell. On
 * failure, returns false and sets the reason. */
bool shk_cell_read(struct shk_cell *cell, const char *text, struct shk_message *error);

/* Describes a cell's start: the problem, followed by `q=… p=…` for an explicit start, or by the
 * number of members. The caller frees the string. */
char *shk_cell_problem(const struct shk_cell *cell);
/* Describes a member's start, or the cell's own start if the cell has no members. */
char *shk_member_problem(const struct shk_cell *cell, int member);

#endif
