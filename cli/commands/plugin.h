/* The parts of `shakedown plugin`. Each returns an enum shk_exit. */
#ifndef CLI_COMMANDS_PLUGIN_H
#define CLI_COMMANDS_PLUGIN_H

#include "cli/shared/options.h"

/* Compiles a source file, C or C++, to a plug-in: `output`, or (NULL) the source's name with .so.
 */
int shk_plugin_build(const char *source, const char *output);

/* Loads a plug-in and prints as TAP whether what it offers keeps its promises: of a problem its
 * derivatives, start, invariants and functions; of an integrator its steps and its certificate,
 * which is left out if `quick`. The plug-ins of `arguments` are loaded too. */
int shk_plugin_check(const char *path, struct shk_arguments *arguments, bool quick, long jobs);

#endif
