/*
 * Baselines: the analysed values of a study as a text file that is reviewed and committed, and that
 * later runs are compared with. Sorted, one value a line, so that a change of one value is a change
 * of one line:
 *
 *   shakedown baseline 1
 *   # anything
 *   study | NAME
 *   INTEGRATOR | PROBLEM | PRECISION | QUANTITY | VALUE | HALF-WIDTH | BAND | WHY | VERDICT
 *
 * VALUE is a number or a word, "undetermined" where there is none; HALF-WIDTH a number or "-"; BAND
 * and WHY as in band.h; VERDICT a word of finding.h. In a field "\|", "\\" and "\xNN" (control
 * characters) are escapes. Values have as many digits as mean something: two at round-off, six
 * elsewhere, whole numbers all. The order is that of bytes, fields from left to right; a reader
 * takes lines in any order, since people merge and edit these files.
 *
 * What is in it: every finding but errors at the end time and digits (both say again what errors
 * say) and, unless asked for, seconds. A triple of integrator, problem and precision of which every
 * cell finished has the word "finished" as its "status".
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
  double half_width;       /* NaN: none */
  struct shk_band band;
  enum shk_band_reason why;
  enum shk_verdict verdict;
  char *expected, *reason; /* as in the finding; not in the file: NULL of values that were read */
  int line;                /* of the file; 0 of values that were not read */
};

struct shk_baseline {
  char *study;
  int count;
  struct shk_baseline_value *values; /* sorted, no two of the same name */
};

/* What the analysis of the study found. */
void shk_baseline_make(struct shk_baseline *baseline, const char *study,
                       const struct shk_analysis *analysis, bool seconds);
void shk_baseline_print(FILE *file, const struct shk_baseline *baseline);

/* Reads a file (at most 64 MiB). False with file, line, what was found and what was expected;
 * nothing is held then. */
bool shk_baseline_read(struct shk_baseline *baseline, const char *path, struct shk_message *error);
/* The same of a text of this length that was read from `path`, which only messages name. */
bool shk_baseline_parse(struct shk_baseline *baseline, const char *text, size_t length,
                        const char *path, struct shk_message *error);
void shk_baseline_clear(struct shk_baseline *baseline);

/* By integrator, problem, precision, quantity: negative, 0 or positive. */
int shk_baseline_order(const struct shk_baseline_value *a, const struct shk_baseline_value *b);
/* Whether integrator, problem and precision are the same. */
bool shk_baseline_same_cells(const struct shk_baseline_value *a,
                             const struct shk_baseline_value *b);
/* The value as the file has it. size at least 64. Returns the buffer. */
char *shk_baseline_text(char *buffer, unsigned long size, const struct shk_baseline_value *value);

#endif
