/*
 * Baselines: the analysed values of a study in a text file that is reviewed and committed, and with
 * which later runs are compared. The file has one value on each line and is sorted, so that diffs
 * are short:
 *
 *   shakedown baseline 1
 *   # comment
 *   study | NAME
 *   INTEGRATOR | PROBLEM | PRECISION | QUANTITY | VALUE | HALF-WIDTH | BAND | WHY | VERDICT
 *
 * The line of a slope with a band has a tenth field "notices N": the smallest drift that a check
 * notices, if the newer half-width is the same. This field is for people; reading only checks its
 * form.
 *
 * VALUE is a number or a word, "undetermined" if there is none. HALF-WIDTH is a number or "-". BAND
 * and WHY are as in band.h, and VERDICT is a word of finding.h. "\|", "\\" and "\xNN" (control
 * characters) are escapes in all fields. Values have their significant digits: two at round-off,
 * six elsewhere, and all digits of whole numbers. Lines are sorted by bytes, fields from left to
 * right. They may be read in any order, because users merge and edit these files. Every finding has
 * a value except seconds and findings that repeat others (errors at the end time). If all cells of
 * an integrator, problem and precision have finished, their "status" is "finished".
 */
#ifndef HARNESS_CHECK_BASELINE_H
#define HARNESS_CHECK_BASELINE_H

#include "harness/check/band.h"
#include <stdio.h>

struct shk_baseline_value {
  char *integrator, *problem, *precision, *quantity;
  enum shk_quantity_id id; /* the quantity; SHK_QUANTITIES if it is unknown */
  double value;            /* NaN if undetermined, or if the value is a word */
  char *word;              /* NULL if the value is a number or undetermined */
  double half_width;       /* above zero, or NaN if there is none */
  struct shk_band band;
  enum shk_band_reason why;
  char *because; /* the reason that the study states; NULL if the reason is `why` */
  bool restated; /* true if the study states this band and the file has another */
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
/* Prints the line of a value without its line end. */
void shk_baseline_print_line(FILE *file, const struct shk_baseline_value *value);
/* Returns the smallest change of a value that leaves its band, or NaN if it has no band. */
double shk_baseline_notices(const struct shk_baseline_value *value);
/* Returns true for a slope that is compared and whose line therefore has the field "notices N". */
bool shk_baseline_is_gated_slope(const struct shk_baseline_value *value);

/* Reads a text of this length that came from the file `path`. On failure returns false, with the
 * path, the line, what was found and what was expected, and nothing is allocated. */
bool shk_baseline_parse(struct shk_baseline *baseline, const char *text, size_t length,
                        const char *path, struct shk_message *error);
void shk_baseline_clear(struct shk_baseline *baseline);

/* Compares two struct shk_baseline_value by integrator, problem, precision and quantity, and
 * returns a negative number, 0 or a positive number. */
int shk_baseline_order(const void *a, const void *b);
/* Returns true if integrator, problem and precision are the same. */
bool shk_baseline_same_cells(const struct shk_baseline_value *a,
                             const struct shk_baseline_value *b);
/* Writes the value as in the file to a buffer of at least 64 bytes, and cuts longer words. Returns
 * the buffer. */
char *shk_baseline_text(char *buffer, unsigned long size, const struct shk_baseline_value *value);

#endif
