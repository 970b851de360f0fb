/* Claims that nothing decided, as text (harness/check/open_claims.h). */
#ifndef CLI_SHARED_OUTPUT_CLAIMS_LEFT_H
#define CLI_SHARED_OUTPUT_CLAIMS_LEFT_H

#include "harness/check/open_claims.h"

#include <stdio.h>

/* Prints the open claims, with their reasons unless these were printed before, and the one command
 * that asks for all of them: `certify` with these options (" --plugin FILE"); NULL: no further
 * command decides them. Each line begins with `prefix`. Prints nothing if no claim is open. */
void shk_print_claims_left(FILE *file, const char *prefix, const struct shk_open_claims *open,
                           bool reasons, const char *options);

#endif
