/* Reads the start, the step and the end time from the command line. */
#ifndef CLI_SHARED_TIMES_H
#define CLI_SHARED_TIMES_H

#include "cli/shared/options.h"
#include "harness/study/decimal.h"
#include <stdbool.h>

/* Checks that `until` is a whole number of steps. It must have the same sign as the step, and there
 * can be at most 1e15 steps. Their quotient must be an integer, either exactly or to within a
 * relative error of 1e-9. Stores the number of steps, and both times as canonical strings, which
 * the caller frees. On failure, returns false, sets the reason, which may name the nearest valid
 * step, and leaves nothing allocated. */
bool shk_check_times(long *steps, char **step_text, char **until_text, const char *step,
                     const char *until, struct shk_message *error);

/* Copies a start, given by --q, --p, --project and --kick, into a cell, which then owns the
 * strings. On failure, returns false and sets the reason. */
bool shk_fill_start(struct shk_cell *cell, const struct shk_arguments *arguments,
                    struct shk_message *error);

/* Reads a positive number. `what` is the name of the option without dashes. On failure, returns
 * false and sets the reason. */
bool shk_positive_number(struct shk_decimal *x, const char *what, const char *text,
                         struct shk_message *error);

#endif
