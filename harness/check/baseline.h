/*
 * A baseline contains the analysed values of a study. It is a text file that is reviewed and
 * committed, and later runs are compared with it. Each line contains one value. The lines are
 * sorted to keep diffs short:
 *
 *   shakedown baseline 1
 *   # comment
 *   study | NAME
 *   INTEGRATOR | PROBLEM | PRECISION | QUANTITY | VALUE | HALF-WIDTH | BAND | WHY | VERDICT
 *
 * If a slope has a band, its line ends with a tenth field "notices N", where N is the smallest
 * drift that a check would detect if the newer half-width were the same. This field is for human
 * readers only. When the file is read, the format of the field is checked but N is ignored.
 *
 * VALUE is a number or a word, which is "undetermined" if there is no value. HALF-WIDTH is a number
 * or "-". BAND and WHY are described in band.h, and VERDICT is a word from finding.h. The escape
 * sequences "\|", "\\" and "\xNN" (control characters) can be used in all fields. Numbers are
 * written with only their significant digits: two if they are at round-off, all if they are whole,
 * and six otherwise. Lines are sorted by the bytes of their fields from left to right, but they are
 * accepted in any order, because users merge and edit these files.
 *
 * There is a value for every finding except times in seconds and findings that repeat others
 * (errors at the end time). If all cells with the same integrator, problem and precision have
 * finished, their "status" is "finished".
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
  double half_width;       /* positive, or NaN if there is no half-width */
  struct shk_band band;
  enum shk_band_reason why;
  char *because; /* the reason given by the study, or NULL if the reason is `why` */
  bool restated; /* true if the study sets this band but the file contains a different one */
  enum shk_verdict verdict;
  char *expected, *reason; /* as in struct shk_finding, or NULL if the value was read from a file */
  /* the line number in the file, or 0 if the value was not read from a file */
  int line;
};

struct shk_baseline {
  char *study;
  int count;
  struct shk_baseline_value *values; /* sorted by name; all names are different */
};

/* Creates a baseline from the findings of a study. */
void shk_baseline_make(struct shk_baseline *baseline, const char *study,
                       const struct shk_analysis *analysis);
void shk_baseline_print(FILE *file, const struct shk_baseline *baseline);
/* Prints the line for a value, without a line break at the end. */
void shk_baseline_print_line(FILE *file, const struct shk_baseline_value *value);
/* Returns the smallest change that moves a value out of its band, or NaN if the value has no
 * band. */
double shk_baseline_notices(const struct shk_baseline_value *value);
/* Returns true if the value is a slope with a band. Such a line ends with the field "notices N". */
bool shk_baseline_is_gated_slope(const struct shk_baseline_value *value);

/* Parses the contents of the file `path`, given as a string of the given length. On failure,
 * returns false with a message that contains the path, the line, the text found and the text
 * expected. Nothing is left allocated in that case. */
bool shk_baseline_parse(struct shk_baseline *baseline, const char *text, size_t length,
                        const char *path, struct shk_message *error);
void shk_baseline_clear(struct shk_baseline *baseline);

/* Comparison function for qsort that orders values of type struct shk_baseline_value by integrator,
 * problem, precision and quantity. */
int shk_baseline_order(const void *a, const void *b);
/* Returns true if both values have the same integrator, problem and precision. */
bool shk_baseline_same_cells(const struct shk_baseline_value *a,
                             const struct shk_baseline_value *b);
/* Formats a value as it appears in the file, in a buffer of at least 64 bytes. Long words are
 * truncated. Returns the buffer. */
char *shk_baseline_text(char *buffer, unsigned long size, const struct shk_baseline_value *value);

#endif
