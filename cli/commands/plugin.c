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
  if (!template_name) {
    shk_complain("plugin new: found '%s', expected integrator, problem or solver", kind);
    return SHK_EXIT_BAD_INPUT;
  }
  if (!shk_is_name(name)) {
    shk_complain("plugin new: found the name '%s', expected lower-case letters, digits and dashes, "
                 "beginning with a letter",
                 name);
    return SHK_EXIT_BAD_INPUT;
  }
  if (shk_find_problem(context, name) || shk_find_integrator(context, name) ||
      shk_is_solver(context, name)) {
    shk_complain("plugin new: the name %s is in use already; choose another", name);
    return SHK_EXIT_BAD_INPUT;
  }
  return shk_begin_file(name, ".c", template_name, "plugin build");
}

static int run(const struct shk_command *command, int argc, char **argv)
{
  struct shk_arguments arguments;
  const char *output = NULL;
  bool quick = false;
  long jobs = 0;
  struct shk_plugin_sources sources = {.count = 0};
  struct shk_words problems = {0};
  const struct shk_flag flags[] = {
      {"output", 'o', SHK_FLAG_TEXT, "FILE.so", "build: what is written (default: beside FILE.c)",
       &output},
      {"include", 'I', SHK_FLAG_WORDS, "DIR", "build: a folder of headers; may be repeated",
       &sources.includes},
      {"library", 'l', SHK_FLAG_WORDS, "NAME", "build: a library; may be repeated",
       &sources.libraries},
      {"problem", 0, SHK_FLAG_WORDS, "SPEC",
       "check: test integrators on this problem first, or the system in FILE.yaml; may be repeated",
       &problems},
      {"quick", 0, SHK_FLAG_SWITCH, NULL, "check: without the certificate of integrators", &quick},
      {"jobs", 'j', SHK_FLAG_COUNT, "N", "check: cell servers (default: as many as processors)",
       &jobs},
      {NULL, 0, SHK_FLAG_SWITCH, NULL, NULL, NULL}};
  int status;
  if (shk_arguments_read(&arguments, &status, command, flags, 2, 100, argc, argv)) {
    static const char *const actions[] = {"new", "build", "check"};
    const char *action = arguments.words[0], *what = arguments.words[1];
    const bool is_new = strcmp(action, "new") == 0, is_build = strcmp(action, "build") == 0;
    status = SHK_EXIT_BAD_INPUT;
    if (!is_build && strcmp(action, "check") != 0 && !is_new) {
      char near[64];
      shk_nearest(near, sizeof near, action, actions, sizeof *actions, 3);
      shk_complain("plugin: found '%s', expected %s", action,
                   *near != '\0' ? near : "new, build or check");
    } else if (!is_build && arguments.count != (is_new ? 3 : 2)) {
      shk_complain("plugin %s takes %s", action,
                   is_new ? "'integrator', 'problem' or 'solver', and a name" : "one file");
    } else if (is_new) {
      status = create(&arguments.context, what, arguments.words[2]);
    } else if (is_build) {
      sources.files = (const char *const *)arguments.words + 1;
      sources.count = arguments.count - 1;
      status = shk_plugin_build(&sources, output);
    } else {
      status = shk_plugin_check(what, &arguments, quick, &problems, jobs);
    }
  }
  free(sources.includes.all);
  free(sources.libraries.all);
  free(problems.all);
  shk_arguments_clear(&arguments);
  return status;
}

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
    .run = run};
