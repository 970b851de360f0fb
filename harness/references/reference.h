/*
 * A reference contains the solution of a problem at selected times, with the number of digits on
 * which independent computations agree. It is computed from records or read from a committed file.
 *
 * The number of digits is relative to the largest component of a group (q, p or lambda) and is the
 * same for the whole group. It counts the digits on which the best computation agrees with
 * extrapolation at other settings, both at the given time and a little before it. Rounding errors
 * in the start are common to all runs. They are multiplied by the condition number of the motion,
 * which is determined from displaced starts, and are added to the difference. The number of digits
 * is limited to
 *
 *   - the digits that are not affected by rounding errors in the formula for the multipliers, where
 *     these errors are scaled from double;
 *   - the digits on which a tenth-order composition of RATTLE in quad agrees, if its distance from
 *     the best computation exceeds the distance between its own two step sizes.
 *
 * The digits on which RADAU5 and IDA agree in double, at tight tolerances, are listed as checks.
 * Multipliers are those of p' = -H_q + Q - Gᵀ lambda.
 */
#ifndef HARNESS_REFERENCES_REFERENCE_H
#define HARNESS_REFERENCES_REFERENCE_H

#include "engine/engine.h"
#include "harness/plan/reference_cells.h"
#include "results/record/record.h"

#include <stdio.h>

enum { SHK_REFERENCE_MOST_DIGITS = 34 };

enum shk_reference_group {
  SHK_GROUP_COORDINATES, /* q1, q2, … */
  SHK_GROUP_MOMENTA,     /* p1, … */
  SHK_GROUP_MULTIPLIERS, /* lambda1, … */
  SHK_REFERENCE_GROUPS
};
/* "q", "p" and "lambda". */
extern const char *const shk_reference_letters[SHK_REFERENCE_GROUPS];

struct shk_reference_row {
  char *time;      /* t, as text */
  char *component; /* "q1", "p1", "lambda1", …, counted from 1 */
  char *value;     /* the value, with all digits that quad provides */
  int digits;      /* number of agreed decimal digits, from 0 to SHK_REFERENCE_MOST_DIGITS */
};

/* Comparison with another computation: the number of agreeing digits in each group at the worst
 * time, relative to the largest component of the group. */
struct shk_reference_check {
  char *method; /* integrator, precision, and step or tolerance */
  int digits[SHK_REFERENCE_GROUPS];
};

struct shk_reference {
  char *problem; /* canonical specification */
  char *method;  /* the best computation, and those with which it is compared */
  int row_count, check_count;
  struct shk_reference_row *rows; /* sorted by time, group and index */
  struct shk_reference_check *checks;
};

/* Computes the reference at the given times from the records of its cells; a missing record is
 * NULL. If there is no second extrapolation, the digits counted are those on which the best
 * computation agrees with the first of the other computations. Returns false and sets the reason if
 * the best computation did not finish or has no states. */
bool shk_reference_make(const struct shk_context *context, struct shk_reference *reference,
                        const struct shk_record *const records[SHK_REFERENCE_CELLS],
                        const struct shk_numbers *times, const struct shk_inspection *inspection,
                        struct shk_message *error);

/* Write and read the committed form, which is YAML. If reading fails, shk_reference_read returns
 * false and sets a message that gives the file and the line, and states what was found and what was
 * expected. */
void shk_reference_print(FILE *file, const struct shk_reference *reference);
bool shk_reference_read(struct shk_reference *reference, const char *path,
                        struct shk_message *error);
void shk_reference_clear(struct shk_reference *reference);

/* Searches the files in a folder for the committed reference of a problem, given as a canonical
 * specification. If there is none, returns false with an empty message. If a file is invalid,
 * returns false and sets the reason. */
bool shk_reference_find(struct shk_reference *reference, const char *folder, const char *problem,
                        struct shk_message *error);

#endif
