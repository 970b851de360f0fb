/* The plug-ins that tests load (test_plugins in tests/meson.build). */
#ifndef TESTS_KIT_TEST_PLUGIN_H
#define TESTS_KIT_TEST_PLUGIN_H

#include "engine/registry.h"
#include "tests/kit/context.h"
#include "tests/kit/tap.h"

/* Prints a point: the plug-in that the variable names is loaded; if not, with the reason. */
static inline bool load_test_plugin(const char *variable)
{
  struct shk_message error = {.text = "no file named"};
  const char *file = getenv(variable);
  const bool loaded = file != NULL && shk_registry_load(&test_context, file, &error);
  return tap_ok(loaded, "the plug-in of %s loads%s%s", variable, loaded ? "" : ": ",
                loaded ? "" : error.text);
}

#endif
