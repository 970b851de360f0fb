/* Prints the claims that nothing decided (harness/check/open_claims.h). */
#ifndef CLI_SHARED_OUTPUT_CLAIMS_LEFT_H
#define CLI_SHARED_OUTPUT_CLAIMS_LEFT_H

#include "harness/check/open_claims.h"

#include <stdio.h>

/* Prints the open claims with their reasons, unless the reasons were printed before, and the single
 * command that asks for all of them: `certify` with these options (" --plugin FILE"). If `options`
 * is NULL, no further command can decide them. Each line begins with `prefix`. Prints nothing if no
 * claim is open. */
void shk_print_claims_left(FILE *file, const char *prefix, const struct shk_open_claims *open,
                           bool reasons, const char *options);

#endif
