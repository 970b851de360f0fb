/*
 * Baselines: the analysed values of a study, in a text file that is reviewed and committed. Later
 * runs are compared with it. It has one value on each line and is sorted, for short diffs:
 *
 *   shakedown baseline 1
 *   # comment
 *   study | NAME
 *   INTEGRATOR | PROBLEM | PRECISION | QUANTITY | VALUE | HALF-WIDTH | BAND | WHY | VERDICT
 *
 * and, for a slope with a band, a tenth field "notices N": the smallest drift that a check notices,
 * if the newer half-width is the same. It is for people; reading checks its form only.
 *
 * VALUE is a number or a word, "undetermined" if there is none; HALF-WIDTH a number or "-"; BAND
 * and WHY as in band.h; VERDICT a word of finding.h. In a field "\|", "\\" and "\xNN" (control
 * characters) are escapes. Values have their significant digits: two at round-off, six elsewhere,
 * all for whole numbers. Lines are sorted by bytes, fields from left to right; they are read in any
 * order, since users merge and edit these files. There is a value for every finding except seconds
 * and those that repeat others (errors at the end time). Cells of one integrator, problem and
 * precision that all finished have the "status" "finished".
 */
#ifndef HARNESS_CHECK_BASELINE_H
#define HARNESS_CHECK_BASELINE_H

#include "harness/check/band.h"
#include <stdio.h>

struct shk_baseline_value {
  char *integrator, *problem, *precision, *quantity;
  enum shk_quantity_id id; /* of the quantity; SHK_QUANTITIES: unknown */
  double value;            /* NaN: undetermined, or a word */
  char *word;              /* NULL: a number or undetermined */
  double half_width;       /* above zero; NaN: none */
  struct shk_band band;
  enum shk_band_reason why;
  char *because; /* the reason that the study states; NULL: the one of `why` */
  bool restated; /* this is not the band of the file, but that of the study */
  enum shk_verdict verdict;
  char *expected, *reason; /* as in the finding; NULL if read from a file */
  int line;                /* of the file; 0 for values that were not read */
};

struct shk_baseline {
  char *study;
  int count;
  struct shk_baseline_value *values; /* sorted; names are unique */
};

/* Makes a baseline from the findings of a study. */
void shk_baseline_make(struct shk_baseline *baseline, const char *study,
                       const struct shk_analysis *analysis);
void shk_baseline_print(FILE *file, const struct shk_baseline *baseline);
/* Prints the line of a value, without its end. */
void shk_baseline_print_line(FILE *file, const struct shk_baseline_value *value);
/* Returns the smallest change of a value that leaves its band; NaN if it has no band. */
double shk_baseline_notices(const struct shk_baseline_value *value);
/* True for a slope that is compared, for which a line says what it notices. */
bool shk_baseline_is_gated_slope(const struct shk_baseline_value *value);

/* Reads a text of this length that was read from `path`. Returns false with path, line, text found
 * and text expected; nothing is allocated then. */
bool shk_baseline_parse(struct shk_baseline *baseline, const char *text, size_t length,
                        const char *path, struct shk_message *error);
void shk_baseline_clear(struct shk_baseline *baseline);

/* Compares two struct shk_baseline_value by integrator, problem, precision and quantity: negative,
 * 0 or positive. */
int shk_baseline_order(const void *a, const void *b);
/* True if integrator, problem and precision are the same. */
bool shk_baseline_same_cells(const struct shk_baseline_value *a,
                             const struct shk_baseline_value *b);
/* Writes the value as in the file; size at least 64 (longer words are cut). Returns the buffer. */
char *shk_baseline_text(char *buffer, unsigned long size, const struct shk_baseline_value *value);

#endif
