/* Certificates for other commands. */
#ifndef CLI_COMMANDS_CERTIFY_H
#define CLI_COMMANDS_CERTIFY_H

#include "cli/shared/options.h"

/* Certifies the integrators (canonical specifications) with the plug-ins of `arguments`, which must
 * be loaded. Prints the rows as points of TAP, without a plan, and continues the count in *points.
 * Returns an enum shk_exit. */
int shk_certify_points(int *points, const struct shk_arguments *arguments, char *const *integrators,
                       int count, const struct shk_words *problems);

/* The specification of a problem that is named on the command line: a file of particles (FILE.yaml)
 * is `particles(file="FILE.yaml")`. The caller frees it. */
char *shk_problem_named(const char *word);

#endif
