/* Loading, building and checking a plug-in, for several commands. */
#ifndef CLI_COMMANDS_PLUGIN_H
#define CLI_COMMANDS_PLUGIN_H

#include "cli/shared/options.h"

/* Loads a plug-in beside those of the command line. Returns the items of all of them, which
 * `arguments` owns; NULL after an error message, also if there are none. */
const struct shk_remote_provider *shk_plugin_offer(struct shk_arguments *arguments,
                                                   const char *path);

/* Returns the specification of an integrator, or of RATTLE with a solver; NULL for a problem. The
 * caller frees it. */
char *shk_offered_method(const struct shk_offer *offer);

/* Returns the plug-in that `plugin build` makes of a source: FILE.so beside FILE.c. The caller frees
 * it. */
char *shk_plugin_target(const char *source);
/* Returns the path of a plug-in as a word of a command to be printed. The caller frees it. */
char *shk_plugin_word(const char *path);
/* Builds the plug-in `target` from one source. Returns false after an error message. */
bool shk_plugin_build(const struct shk_arguments *arguments, const char *source,
                      const char *target);

/* Loads a plug-in, beside those of `arguments`, and prints checks of all items as TAP: of a
 * problem its derivatives, start, invariants and functions; of an integrator, or of RATTLE with a
 * solver, the contract and, unless `quick`, the certificate, on `problems` beside the usual ones.
 * Returns an enum shk_exit. */
int shk_plugin_check(const char *path, struct shk_arguments *arguments, bool quick,
                     const struct shk_words *problems);

#endif
