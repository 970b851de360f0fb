/* Prints the claims that remain undecided (harness/check/open_claims.h). */
#ifndef CLI_SHARED_OUTPUT_CLAIMS_LEFT_H
#define CLI_SHARED_OUTPUT_CLAIMS_LEFT_H

#include "harness/check/open_claims.h"

#include <stdio.h>

/* Prints the open claims, with their reasons unless these have already been printed, and a single
 * `certify` command that requests all of these claims. `options` contains options for that command,
 * such as " --plugin FILE"; it is NULL if no other command can decide the claims. Each line begins
 * with `prefix`. Prints nothing if no claim is open. */
void shk_print_claims_left(FILE *file, const char *prefix, const struct shk_open_claims *open,
                           bool reasons, const char *options);

#endif
