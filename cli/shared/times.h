/* Reads the start, the step and the end time from a command line. */
#ifndef CLI_SHARED_TIMES_H
#define CLI_SHARED_TIMES_H

#include "cli/shared/options.h"
#include "harness/study/decimal.h"
#include <stdbool.h>

/* Checks that `until` is a whole number of steps, which has the same sign as the step and is at
 * most 1e15. The quotient must be whole exactly or to a relative error of 1e-9. Stores the number,
 * and both times as canonical texts, which the caller frees. On failure, returns false, sets the
 * reason, which may name the nearest valid step, and allocates nothing. */
bool shk_check_times(long *steps, char **step_text, char **until_text, const char *step,
                     const char *until, struct shk_message *error);

/* Copies a start, which consists of --q, --p, --project and --kick, into a cell, which then owns
 * the texts. On failure, returns false and sets the reason. */
bool shk_fill_start(struct shk_cell *cell, const struct shk_arguments *arguments,
                    struct shk_message *error);

/* Reads a number above zero. `what` is the option without its dashes. On failure, returns false and
 * sets the reason. */
bool shk_positive_number(struct shk_decimal *x, const char *what, const char *text,
                         struct shk_message *error);

#endif
