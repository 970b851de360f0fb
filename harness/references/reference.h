/*
 * References contain the solution of a problem at some times, to an agreed number of digits. They
 * are computed from records or read from a committed file.
 *
 * Digits are relative to the largest component of a group (q, p or lambda), and are the same for
 * the whole group. They are the digits on which the best computation agrees with extrapolation at
 * other settings, both at a time and a little before it. All runs share the rounding of the start.
 * It is multiplied by the condition of the motion, which is found from displaced starts, and added
 * to the difference. The number of digits is limited to
 *
 *   - the digits that are not affected by rounding in the formula for the multipliers, scaled from
 *     double;
 *   - the digits on which a composition of RATTLE of order 10 in quad agrees, if its distance is
 *     larger than the distance between its own two steps.
 *
 * Digits on which RADAU5 and IDA agree at tight tolerances in double are listed as checks.
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
  char *value;     /* the value with all digits of quad */
  int digits;      /* number of agreed decimal digits, from 0 to SHK_REFERENCE_MOST_DIGITS */
};

/* Comparison with another computation: the number of agreed digits of each group at the worst time,
 * relative to the largest component of the group. */
struct shk_reference_check {
  char *method; /* integrator, precision, and step or tolerance */
  int digits[SHK_REFERENCE_GROUPS];
};

struct shk_reference {
  char *problem; /* canonical specification */
  char *method;  /* the computation, and those with which it is compared */
  int row_count, check_count;
  struct shk_reference_row *rows; /* sorted by time, group and index */
  struct shk_reference_check *checks;
};

/* Makes the reference at these times from the records of its cells (NULL: no record). If there is
 * no second extrapolation, the digits are those on which the best computation agrees with the first
 * of the other computations. Returns false and sets the reason if the best computation did not
 * finish or has no states. */
bool shk_reference_make(const struct shk_context *context, struct shk_reference *reference,
                        const struct shk_record *const records[SHK_REFERENCE_CELLS],
                        const struct shk_numbers *times, const struct shk_inspection *inspection,
                        struct shk_message *error);

/* Write and read the committed form, which is YAML. If reading fails, it returns false with a
 * message that contains the file, the line, what was found and what was expected. */
void shk_reference_print(FILE *file, const struct shk_reference *reference);
bool shk_reference_read(struct shk_reference *reference, const char *path,
                        struct shk_message *error);
void shk_reference_clear(struct shk_reference *reference);

/* Finds the committed reference of a problem (a canonical specification) among the files in a
 * folder. Returns false with an empty message if there is none, and with a reason if a file is
 * invalid. */
bool shk_reference_find(struct shk_reference *reference, const char *folder, const char *problem,
                        struct shk_message *error);

#endif
