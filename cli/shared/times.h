/* The start, the step and the end time from a command line. */
#ifndef CLI_SHARED_TIMES_H
#define CLI_SHARED_TIMES_H

#include "cli/shared/options.h"
#include "harness/study/decimal.h"
#include <stdbool.h>

/* Checks that `until` is a whole number of steps, of the same sign and at most 1e15, exactly or to
 * a relative error of 1e-9. Stores the number, and both as canonical texts, which the caller frees.
 * Returns false with the reason, which may name the nearest valid step, and allocates nothing. */
bool shk_check_times(long *steps, char **step_text, char **until_text, const char *step,
                     const char *until, struct shk_message *error);

/* Copies a start, --q, --p, --project and --kick, into a cell, which owns the texts. Returns
 * false with the reason. */
bool shk_fill_start(struct shk_cell *cell, const struct shk_arguments *arguments,
                    struct shk_message *error);

/* Reads a number above zero. Returns false with the reason. `what`: the option without dashes. */
bool shk_positive_number(struct shk_decimal *x, const char *what, const char *text,
                         struct shk_message *error);

#endif
