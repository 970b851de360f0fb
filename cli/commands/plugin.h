/* The parts of `shakedown plugin`. Each returns an enum shk_exit. */
#ifndef CLI_COMMANDS_PLUGIN_H
#define CLI_COMMANDS_PLUGIN_H

#include "cli/shared/options.h"

/* What is compiled, with what. */
struct shk_plugin_sources {
  const char *const *files; /* C or C++ */
  int count;
  struct shk_words includes, libraries; /* as of -I and -l */
};

/* Compiles sources to a plug-in: `output`, or (NULL) the first's name with .so. */
int shk_plugin_build(const struct shk_plugin_sources *sources, const char *output);

/* Loads a plug-in and prints as TAP whether what it offers keeps its promises: of a problem its
 * derivatives, start, invariants and functions; of an integrator its steps and its certificate,
 * which is left out if `quick`, on these problems before others. The plug-ins of `arguments` are
 * loaded too. */
int shk_plugin_check(const char *path, struct shk_arguments *arguments, bool quick,
                     const struct shk_words *problems, long jobs);

#endif
