/* Prints certificates as TAP points, for use by `plugin check`. */
#ifndef CLI_COMMANDS_CERTIFY_H
#define CLI_COMMANDS_CERTIFY_H

#include "cli/shared/options.h"
#include "foundation/index.h"

/* Certifies the integrators (canonical specifications) on the usual problems and on `problems`. The
 * plug-ins in `arguments` are used and must already have been loaded. If `quick` is true, only the
 * integrators' contract is checked. Prints the rows as TAP points, without a TAP plan, and
 * continues the numbering in *points. Returns an enum shk_exit. */
int shk_certify_points(int *points, const struct shk_arguments *arguments,
                       const struct shk_index *integrators, const struct shk_words *problems,
                       bool quick);

#endif
