/* Certificates as points of TAP, for `plugin check`. */
#ifndef CLI_COMMANDS_CERTIFY_H
#define CLI_COMMANDS_CERTIFY_H

#include "cli/shared/options.h"
#include "foundation/index.h"

/* Certifies the integrators (canonical specifications), on `problems` beside the usual ones, with
 * the plug-ins of `arguments`, which must be loaded; quick: their contract alone. Prints the rows
 * as points of TAP, without a plan, and continues the count in *points. Returns an enum
 * shk_exit. */
int shk_certify_points(int *points, const struct shk_arguments *arguments,
                       const struct shk_index *integrators, const struct shk_words *problems,
                       bool quick);

#endif
