/* A cell as one line of text, the same for the same cell: what keys are made of. */
#ifndef RESULTS_RECORD_CELL_TEXT_H
#define RESULTS_RECORD_CELL_TEXT_H

#include "foundation/message.h"
#include "foundation/specifications/cell.h"

/* `kind problem=… integrator=… precision=… step=… tolerance=… until=… times=…,… q=… p=…
 * project=yes` in this order, absent parts left out; then for each member of an ensemble
 * `member=… member-q=… member-p=…`. Specifications, steps and times are taken to be canonical; two
 * cells have the same text exactly when all their parts are the same. Printable, without line
 * breaks: control characters in quoted strings are written \xNN. The caller frees it.
 */
char *shk_cell_text(const struct shk_cell *cell);

/* The cell of such a text, without its numbers; the caller clears it. False with the reason if it
 * is none. */
bool shk_cell_read(struct shk_cell *cell, const char *text, struct shk_message *error);

/* What the cell integrates, for people: its problem, then `q=… p=…` of an explicit start, or how
 * many members it has. The caller frees it. */
char *shk_cell_problem(const struct shk_cell *cell);
/* The same of a member. */
char *shk_member_problem(const struct shk_member *member);

#endif
