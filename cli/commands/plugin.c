/*
 * shakedown plugin: the user's own integrators, problems and solvers, compiled to shared objects.
 * This file has the command line and `new`; building and checking have files of their own.
 */
#include "cli/commands/plugin.h"
#include "cli/commands/templates.h"

#include "engine/names.h"
#include "foundation/memory.h"
#include "foundation/nearest.h"
#include <stdlib.h>
#include <string.h>

/* Kinds of plug-in that `new` writes, with the template of each. */
static const struct {
  const char *kind, *template_name;
} kinds[] = {
    {"integrator", "integrator.c.in"}, {"problem", "problem.c.in"}, {"solver", "solver.c.in"}};

static const char *template_of(const char *kind)
{
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
    if (strcmp(kinds[i].kind, kind) == 0)
      return kinds[i].template_name;
  return NULL;
}

static int create(const struct shk_context *context, const char *kind, const char *name)
{
  const char *const template_name = template_of(kind);
  if (!template_name)
    return shk_bad_input("plugin new: found '%s', expected integrator, problem or solver", kind);
  if (!shk_is_name(name))
    return shk_bad_input("plugin new: found the name '%s', expected lower-case letters, digits and "
                         "dashes, beginning with a letter",
                         name);
  if (shk_find_problem(context, name) || shk_find_integrator(context, name) ||
      shk_is_solver(context, name))
    return shk_bad_input("plugin new: the name %s is in use already; choose another", name);
  return shk_begin_file(name, ".c", template_name, "plugin build");
}

struct plugin {
  struct shk_arguments arguments;
  const char *output;
  bool quick;
  struct shk_plugin_sources sources;
  struct shk_words problems;
};

static int run(void *self)
{
  struct plugin *const plugin = self;
  struct shk_arguments *const arguments = &plugin->arguments;
  static const char *const actions[] = {"new", "build", "check"};
  const char *action = arguments->words[0], *what = arguments->words[1];
  const bool is_new = strcmp(action, "new") == 0;
  if (strcmp(action, "build") == 0) {
    plugin->sources.files = (const char *const *)arguments->words + 1;
    plugin->sources.count = arguments->count - 1;
    return shk_plugin_build(&plugin->sources, plugin->output);
  }
  if (strcmp(action, "check") != 0 && !is_new) {
    char near[64];
    shk_nearest(near, sizeof near, action, actions, sizeof *actions, 3);
    return shk_bad_input("plugin: found '%s', expected %s", action,
                         *near != '\0' ? near : "new, build or check");
  }
  if (arguments->count != (is_new ? 3 : 2))
    return shk_bad_input("plugin %s takes %s", action,
                         is_new ? "'integrator', 'problem' or 'solver', and a name" : "one file");
  return is_new ? create(&arguments->context, what, arguments->words[2])
                : shk_plugin_check(what, arguments, plugin->quick, &plugin->problems);
}

#define AT(member) offsetof(struct plugin, member)
static const struct shk_flag flags[] = {
    SHK_OPTION(TEXT, "output", 'o', AT(output), "FILE.so",
               "build: what is written (default: beside FILE.c)"),
    SHK_OPTION(WORDS, "include", 'I', AT(sources.includes), "DIR",
               "build: a folder of headers; may be repeated"),
    SHK_OPTION(WORDS, "library", 'l', AT(sources.libraries), "NAME",
               "build: a library; may be repeated"),
    SHK_OPTION(WORDS, "problem", 0, AT(problems), "SPEC",
               "check: test integrators on this problem first, or the system in FILE.yaml; may be "
               "repeated"),
    SHK_SWITCH("quick", 0, AT(quick), "check: without the certificate of integrators"),
    {.name = NULL}};

const struct shk_command shk_command_plugin = {
    .name = "plugin",
    .synopsis = "new integrator|problem|solver NAME\nbuild FILE.c… [-o FILE.so] [-I DIR] [-l LIB]\n"
                "check FILE.so [--quick] [--problem SPEC]",
    .summary = "Creates, builds and checks your own integrators, problems and solvers",
    .help = "`new` writes NAME.c, which works as it is. `build` compiles C with $CC (default cc)\n"
            "and $CFLAGS, or C++ with $CXX (default c++) and $CXXFLAGS, for each precision, links\n"
            "with $LDFLAGS, and loads the result to list its content. `check` prints as TAP tests\n"
            "of a problem's derivatives, start, invariants and functions, of an integrator's\n"
            "steps and certificate, and of a solver's certificate as an option of RATTLE.\n"
            "--plugin NAME is also looked for in SHAKEDOWN_PLUGIN_PATH, as NAME and NAME.so.",
    .line = {2, 0, SHK_TAKES_JOBS, flags},
    .does = {sizeof(struct plugin), run, NULL}};
