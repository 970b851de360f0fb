/* Certificates as TAP points, used by `plugin check`. */
#ifndef CLI_COMMANDS_CERTIFY_H
#define CLI_COMMANDS_CERTIFY_H

#include "cli/shared/options.h"
#include "foundation/index.h"

/* Certifies the integrators (canonical specifications) on `problems` in addition to the usual
 * problems, using the plug-ins of `arguments`, which must have been loaded. If `quick` is true,
 * only their contract is checked. Prints the rows as TAP points without a plan, and continues the
 * count in *points. Returns an enum shk_exit. */
int shk_certify_points(int *points, const struct shk_arguments *arguments,
                       const struct shk_index *integrators, const struct shk_words *problems,
                       bool quick);

#endif
