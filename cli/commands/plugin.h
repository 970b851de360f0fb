/* The parts of `shakedown plugin`. Each returns an enum shk_exit. */
#ifndef CLI_COMMANDS_PLUGIN_H
#define CLI_COMMANDS_PLUGIN_H

#include "cli/shared/options.h"

/* The sources of a plug-in and the options of the compiler. */
struct shk_plugin_sources {
  const char *const *files; /* C or C++ */
  int count;
  struct shk_words includes, libraries; /* the arguments of -I and -l */
};

/* Compiles sources to a plug-in: to `output`, or (NULL) to the first source's name with .so. */
int shk_plugin_build(const struct shk_plugin_sources *sources, const char *output);

/* Loads a plug-in and prints as TAP the checks of its contents: of a problem its derivatives,
 * start, invariants and functions; of an integrator its steps and, unless `quick`, its certificate,
 * on these problems before others. The plug-ins of `arguments` are loaded too. */
int shk_plugin_check(const char *path, struct shk_arguments *arguments, bool quick,
                     const struct shk_words *problems);

#endif
