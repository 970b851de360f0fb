/* Loads, builds and checks plug-ins for several commands. */
#ifndef CLI_COMMANDS_PLUGIN_H
#define CLI_COMMANDS_PLUGIN_H

#include "cli/shared/options.h"

/* Loads a plug-in in addition to those of the command line. Returns the items of all of them, which
 * belong to `arguments`. On failure, or if there are no items, prints an error message and returns
 * NULL. */
const struct shk_remote_provider *shk_plugin_offer(struct shk_arguments *arguments,
                                                   const char *path);

/* Returns the specification of an integrator or, for a solver, of RATTLE with this solver. Returns
 * NULL for a problem. The caller frees the text. */
char *shk_offered_method(const struct shk_offer *offer);

/* Returns the plug-in that `plugin build` makes from a source: FILE.so next to FILE.c. The caller
 * frees the text. */
char *shk_plugin_target(const char *source);
/* Returns the path of a plug-in as a word of a command that will be printed. The caller frees
 * it. */
char *shk_plugin_word(const char *path);
/* Builds the plug-in `target` from a single source. On failure prints an error message and returns
 * false. */
bool shk_plugin_build(const struct shk_arguments *arguments, const char *source,
                      const char *target);

/* Loads a plug-in in addition to those of `arguments`, and prints checks of all items as TAP. For a
 * problem these are checks of its derivatives, start, invariants and functions. For an integrator,
 * or for RATTLE with a solver, they are the contract and, unless `quick` is true, the certificate
 * on `problems` in addition to the usual problems. Returns an enum shk_exit. */
int shk_plugin_check(const char *path, struct shk_arguments *arguments, bool quick,
                     const struct shk_words *problems);

#endif
