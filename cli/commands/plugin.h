/* Loads, builds and checks plug-ins for several commands. */
#ifndef CLI_COMMANDS_PLUGIN_H
#define CLI_COMMANDS_PLUGIN_H

#include "cli/shared/options.h"

/* Loads a plug-in in addition to those named on the command line. Returns the items of all these
 * plug-ins, which `arguments` owns. On failure, or if there are no items, prints an error message
 * and returns NULL. */
const struct shk_remote_provider *shk_plugin_offer(struct shk_arguments *arguments,
                                                   const char *path);

/* Returns the specification of an integrator or, for a solver, of RATTLE with this solver. Returns
 * NULL for a problem. The caller frees the string. */
char *shk_offered_method(const struct shk_offer *offer);

/* Returns the path of the plug-in that `plugin build` makes from a source file, which is FILE.so
 * for FILE.c. The caller frees the path. */
char *shk_plugin_target(const char *source);
/* Returns the path of a plug-in, quoted as needed for a printed command. The caller frees the
 * string. */
char *shk_plugin_word(const char *path);
/* Builds the plug-in `target` from a single source file. On failure, prints an error message and
 * returns false. */
bool shk_plugin_build(const struct shk_arguments *arguments, const char *source,
                      const char *target);

/* Loads a plug-in in addition to those in `arguments`, checks all of its items, and prints the
 * results as TAP. For a problem, the derivatives, start, invariants and functions are checked. For
 * an integrator, or for RATTLE with a solver, the contract is checked and, unless `quick` is true,
 * a certificate is made on the usual problems and on `problems`. Returns an enum shk_exit. */
int shk_plugin_check(const char *path, struct shk_arguments *arguments, bool quick,
                     const struct shk_words *problems);

#endif
