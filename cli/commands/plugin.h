/* shakedown plugin check, and what a plug-in offers. */
#ifndef CLI_COMMANDS_PLUGIN_H
#define CLI_COMMANDS_PLUGIN_H

#include "cli/shared/options.h"

/* Loads a plug-in, beside those of the command line, and returns what they offer; NULL after an
 * error message. */
const struct shk_remote_provider *shk_plugin_offer(struct shk_arguments *arguments,
                                                   const char *path);

/* Builds the plug-in `target` from one source. Returns false after an error message. */
bool shk_plugin_build(const struct shk_arguments *arguments, const char *source,
                      const char *target);

/* Loads a plug-in and prints as TAP the checks of its contents: of a problem its derivatives,
 * start, invariants and functions; of an integrator its steps and, unless `quick`, its certificate,
 * on these problems before others. The plug-ins of `arguments` are loaded too. */
int shk_plugin_check(const char *path, struct shk_arguments *arguments, bool quick,
                     const struct shk_words *problems);

#endif
