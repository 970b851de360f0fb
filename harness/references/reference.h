/*
 * References: a problem's solution at some times with the digits that are agreed, as it is computed
 * from records and as it is committed to a file.
 *
 * Digits are relative to the largest component of a group, and of all of it alike. They are those
 * to which the best computation agrees with extrapolation at other settings, at a time and a little
 * before, when the rounding of the start is added, which all runs share: it is multiplied by the
 * condition of the motion, which runs from nudged starts tell. They are no more than
 *
 *   - the formula of the multipliers leaves, by what it does in double at the same state;
 *   - a composition of RATTLE of order 10 in quad agrees to, where that is further away than its
 *     own
 *     two steps are apart.
 *
 * What RADAU5 and IDA say at tight tolerances in double is kept as well. Multipliers are those of
 * p' = -H_q + Q - Gᵀ lambda.
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
/* "q", "p", "lambda". */
extern const char *const shk_reference_letters[SHK_REFERENCE_GROUPS];

struct shk_reference_row {
  char *time;      /* t, as text */
  char *component; /* a letter and an index from 1 */
  char *value;     /* all digits of quad */
  int digits;      /* decimal ones that are agreed, 0 to SHK_REFERENCE_MOST_DIGITS */
};

/* What one other computation says: digits of agreement of each group, of the worst time, relative
 * to the group's largest component. */
struct shk_reference_check {
  char *method; /* integrator, precision, step or tolerance */
  int digits[SHK_REFERENCE_GROUPS];
};

struct shk_reference {
  char *problem; /* canonical */
  char *method;  /* what computed it, and against what */
  int row_count, check_count;
  struct shk_reference_row *rows; /* by time, group, index */
  struct shk_reference_check *checks;
};

/* The reference at these times from the records of its cells; NULL where there is none. False with
 * the reason if the best did not finish or kept no states. If nothing in quad can be compared with
 * it the digits are those of the best independent formulation. */
bool shk_reference_make(const struct shk_context *context, struct shk_reference *reference,
                        struct shk_record *const records[SHK_REFERENCE_CELLS],
                        const struct shk_numbers *times, const struct shk_inspection *inspection,
                        struct shk_message *error);

/* The time t of a sample, `since` the initial time, as rows have it. The caller frees it. */
char *shk_reference_time(const char *since, double since_value, double initial_time);

/* The committed form, YAML; the reader names file, line, what was found and what was expected. */
void shk_reference_print(FILE *file, const struct shk_reference *reference);
bool shk_reference_read(struct shk_reference *reference, const char *path,
                        struct shk_message *error);
void shk_reference_clear(struct shk_reference *reference);

/* Finds the committed reference of a problem (canonical) among the files of a folder. False with an
 * empty message if there is none, with the reason if a file is not what it should be. */
bool shk_reference_find(struct shk_reference *reference, const char *folder, const char *problem,
                        struct shk_message *error);

/* Decimal digits on which two numbers agree, relative to the second; differences below the
 * round-off of `size` (the largest number near it, 0: none) are none. */
int shk_common_digits(const struct shk_vector *a, const struct shk_vector *b, double size);

#endif
