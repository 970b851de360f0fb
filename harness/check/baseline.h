/*
 * A baseline contains the analysed values of a study in a text file that is reviewed and committed.
 * Later runs are compared with it. Each line contains one value, and the lines are sorted to keep
 * diffs short:
 *
 *   shakedown baseline 1
 *   # comment
 *   study | NAME
 *   INTEGRATOR | PROBLEM | PRECISION | QUANTITY | VALUE | HALF-WIDTH | BAND | WHY | VERDICT
 *
 * The line of a slope with a band has a tenth field "notices N", where N is the smallest drift that
 * a check notices if the newer half-width is the same. This field is for human readers. When the
 * file is read, only the form of the field is checked.
 *
 * VALUE is a number or a word, which is "undetermined" if there is no value. HALF-WIDTH is a number
 * or "-". BAND and WHY are as in band.h, and VERDICT is a word of finding.h. "\|", "\\" and "\xNN"
 * (control characters) are escapes in all fields. Only significant digits are written: two at
 * round-off, six elsewhere, and all digits of whole numbers. Lines are sorted by the bytes of their
 * fields from left to right. They are accepted in any order, because users merge and edit these
 * files. There is a value for every finding except seconds and findings that repeat others (errors
 * at the end time). If all cells of an integrator, problem and precision have finished, their
 * "status" is "finished".
 */
#ifndef HARNESS_CHECK_BASELINE_H
#define HARNESS_CHECK_BASELINE_H

#include "harness/check/band.h"
#include <stdio.h>

struct shk_baseline_value {
  char *integrator, *problem, *precision, *quantity;
  enum shk_quantity_id id; /* the quantity; SHK_QUANTITIES if it is unknown */
  double value;            /* NaN if the value is undetermined or a word */
  char *word;              /* NULL if the value is a number or undetermined */
  double half_width;       /* above zero, or NaN if there is none */
  struct shk_band band;
  enum shk_band_reason why;
  char *because; /* the reason that the study states; NULL if the reason is `why` */
  bool restated; /* true if the study states this band but the file contains another one */
  enum shk_verdict verdict;
  char *expected, *reason; /* as in the finding; NULL if the value was read from a file */
  int line;                /* line of the file; 0 if the value was not read from one */
};

struct shk_baseline {
  char *study;
  int count;
  struct shk_baseline_value *values; /* sorted by name; names are unique */
};

/* Makes a baseline from the findings of a study. */
void shk_baseline_make(struct shk_baseline *baseline, const char *study,
                       const struct shk_analysis *analysis);
void shk_baseline_print(FILE *file, const struct shk_baseline *baseline);
/* Prints the line of a value without a line break. */
void shk_baseline_print_line(FILE *file, const struct shk_baseline_value *value);
/* Returns the smallest change that takes a value out of its band, or NaN if it has no band. */
double shk_baseline_notices(const struct shk_baseline_value *value);
/* Returns true for a slope with a band. The line of such a slope ends with the field "notices
 * N". */
bool shk_baseline_is_gated_slope(const struct shk_baseline_value *value);

/* Reads a text of this length that came from the file `path`. On failure returns false with a
 * message that contains the path, the line, what was found and what was expected. Nothing is
 * allocated in that case. */
bool shk_baseline_parse(struct shk_baseline *baseline, const char *text, size_t length,
                        const char *path, struct shk_message *error);
void shk_baseline_clear(struct shk_baseline *baseline);

/* Compares two struct shk_baseline_value by integrator, problem, precision and quantity, and
 * returns a negative number, 0 or a positive number. */
int shk_baseline_order(const void *a, const void *b);
/* Returns true if the integrator, the problem and the precision are the same. */
bool shk_baseline_same_cells(const struct shk_baseline_value *a,
                             const struct shk_baseline_value *b);
/* Writes the value as in the file to a buffer of at least 64 bytes, truncating long words. Returns
 * the buffer. */
char *shk_baseline_text(char *buffer, unsigned long size, const struct shk_baseline_value *value);

#endif
