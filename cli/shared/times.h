/* The start, the step and the end time from a command line. */
#ifndef CLI_SHARED_TIMES_H
#define CLI_SHARED_TIMES_H

#include "cli/shared/options.h"
#include "harness/study/decimal.h"
#include <stdbool.h>

/* Checks that `until` is a whole number of steps (exactly, or to 1e-9 of a step if no decimal
 * divides) of the same sign, stores that number, and makes both canonical; the caller frees them.
 * Returns false with the reason, which names the nearest valid step; nothing is allocated
 * then. */
bool shk_check_times(long *steps, char **step_text, char **until_text, const char *step,
                     const char *until, struct shk_message *error);

/* Copies an explicit start, --q, --p and --project, into a cell. Returns false with the reason. */
bool shk_fill_start(struct shk_cell *cell, const struct shk_arguments *arguments,
                    struct shk_message *error);

/* Reads a number above zero. Returns false with the reason. `what` is the option's name. */
bool shk_positive_number(struct shk_decimal *x, const char *what, const char *text,
                         struct shk_message *error);

#endif
