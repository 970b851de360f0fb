/*
 * shakedown plugin: compiles user-defined integrators, problems and solvers to shared objects,
 * using the script build.sh.in, which explains the details. Checks are implemented in
 * plugin_check.c.
 */
#include "cli/commands/plugin.h"
#include "cli/commands/templates.h"
#include "cli/shared/install_paths.h"

#include "engine/names.h"
#include "foundation/files/scratch.h"
#include "foundation/memory.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int create_plugin(const struct shk_context *context, const char *kind, const char *name)
{
  if (strcmp(kind, "integrator") != 0 && strcmp(kind, "problem") != 0 &&
      strcmp(kind, "solver") != 0)
    return shk_bad_input("plugin new: found '%s', expected integrator, problem or solver", kind);
  if (!shk_is_name(name))
    return shk_bad_input("plugin new: found the name '%s', expected " SHK_RULE_OF_NAMES, name);
  if (shk_find_problem(context, name) || shk_find_integrator(context, name) ||
      shk_is_known(context, SHK_OPTION_CHOICE, name))
    return shk_bad_input("plugin new: the name %s is already in use; choose another", name);
  char *const from = shk_print_text("%s.c.in", kind);
  const int status = shk_begin_file(name, ".c", from, "plugin build");
  free(from);
  return status;
}

/* ---- build ---- */

enum { HEADERS = 2 };

struct plugin {
  struct shk_arguments arguments;
  const char *output;
  bool quick;
  struct shk_words problems;
};

char *shk_plugin_target(const char *source)
{
  const char *const dot = strrchr(source, '.');
  const size_t length = dot && !strchr(dot, '/') ? (size_t)(dot - source) : strlen(source);
  return shk_print_text("%.*s.so", (int)length, source);
}

char *shk_plugin_word(const char *path)
{
  char *const place = shk_print_text("%s%s", strchr(path, '/') ? "" : "./", path);
  char *const word = shk_shell_word(place);
  free(place);
  return word;
}

/* Writes a script that compiles the sources into the file `made`. On failure, prints an error
 * message and returns false. */
static bool write_script(const char *script, const struct plugin *plugin, const char *folder,
                         const char *made, const char *const *headers)
{
  char *precisions = NULL;
  for (int i = 0; shk_engines[i]; i++)
    shk_append_text(&precisions, " %d", shk_engines[i]->bits);
  const struct shk_filling fillings[] = {
      {"@folder@", shk_shell_words("", &folder, 1)},
      {"@made@", shk_shell_words("", &made, 1)},
      {"@includes@", shk_shell_words(" -I", headers, HEADERS)},
      {"@sources@", shk_shell_words(" ", (const char *const *)plugin->arguments.words + 1,
                                    plugin->arguments.count - 1)},
      {"@precisions@", precisions},
      {NULL, NULL}};
  const bool ok = shk_fill_template(script, "build.sh.in", fillings);
  shk_clear_fillings(fillings);
  return ok;
}

/* Loads a plug-in and prints its items, one per line. On failure, prints an error message and
 * returns false. */
static bool show_offer(struct shk_arguments *arguments, const char *path)
{
  const struct shk_remote_provider *const offer = shk_plugin_offer(arguments, path);
  if (!offer)
    return false;
  printf("%s offers\n", path);
  for (int i = 0; i < offer->count; i++) {
    const struct shk_offer *const one = &offer->offers[i];
    if (one->kind == SHK_OPTION_PROBLEM)
      shk_say("  problem %s: %s", one->item.name,
              ((const struct shk_problem_info *)one->item.info)->summary);
    else
      shk_say("  %s %s: %s", one->kind == SHK_OPTION_CHOICE ? "solver" : "integrator",
              one->item.name, ((const struct shk_integrator_info *)one->item.info)->summary);
  }
  return true;
}

/* Builds `target` using the two header folders. The new file is renamed to replace an old one, so
 * that a program that has loaded the old file can continue to use it. On failure, prints an error
 * message and returns false. */
static bool build(const struct plugin *plugin, const char *target, const char *const *headers)
{
  char *const folder = shk_scratch_make();
  char *const made = shk_print_text("%s.new", target);
  char *const script = shk_print_text("%s/build.sh", folder ? folder : "");
  bool ok = folder && write_script(script, plugin, folder, made, headers) &&
            shk_run_script(script, STDERR_FILENO) == 0;
  if (!folder)
    shk_complain("cannot create a folder for temporary files: %s", strerror(errno));
  if (ok && rename(made, target) != 0)
    ok = shk_complain("%s: %s", target, strerror(errno));
  if (!ok)
    remove(made);
  shk_scratch_remove(folder);
  free(script);
  free(made);
  free(folder);
  return ok;
}

/* Builds `target` using the headers that come with the program. On failure, prints an error message
 * and returns false. */
static bool build_with_headers(const struct plugin *plugin, const char *target)
{
  static const char *const needed[] = {"plugin.h", "names.h"};
  char *headers[HEADERS];
  char *const *const files = plugin->arguments.words + 1;
  bool ok = true;
  for (int i = 0; ok && files[i]; i++)
    if (access(files[i], R_OK) != 0)
      ok = shk_complain("%s: %s", files[i], strerror(errno));
  for (int i = 0; i < HEADERS; i++) {
    headers[i] = shk_header_folder(needed[i]);
    if (ok && !headers[i])
      ok = shk_complain("the header shakedown/%s was not found in ../include or include next to "
                        "the program, or in the source tree from which it was built",
                        needed[i]);
  }
  ok = ok && build(plugin, target, (const char *const *)headers);
  free(headers[0]);
  free(headers[1]);
  return ok;
}

bool shk_plugin_build(const struct shk_arguments *arguments, const char *source, const char *target)
{
  struct plugin plugin = {.arguments = *arguments};
  plugin.arguments.words = (char *[]){(char *)"build", (char *)source, NULL};
  plugin.arguments.count = 2;
  const bool ok = build_with_headers(&plugin, target);
  return ok;
}

static int build_plugin(struct plugin *plugin)
{
  char *const target = plugin->output ? shk_copy_text(plugin->output)
                                      : shk_plugin_target(plugin->arguments.words[1]);
  bool ok = build_with_headers(plugin, target);
  if (ok && !show_offer(&plugin->arguments, target)) {
    remove(target); /* does not load */
    ok = false;
  }
  char *const word = shk_plugin_word(target);
  if (ok)
    printf("try next:\n  shakedown try %s\n", word);
  free(word);
  free(target);
  return ok ? SHK_EXIT_HELD : SHK_EXIT_BAD_INPUT;
}

/* ---- the command line ---- */

static int run_plugin(void *self)
{
  struct plugin *const plugin = self;
  struct shk_arguments *const arguments = &plugin->arguments;
  const char *action = arguments->words[0], *what = arguments->words[1];
  const bool is_new = strcmp(action, "new") == 0;
  if (strcmp(action, "build") == 0)
    return build_plugin(plugin);
  if (strcmp(action, "check") != 0 && !is_new)
    return shk_bad_input("plugin: found '%s', expected new, build or check", action);
  if (arguments->count != (is_new ? 3 : 2))
    return shk_bad_input("plugin %s takes %s", action,
                         is_new ? "'integrator', 'problem' or 'solver', and a name" : "one file");
  return is_new ? create_plugin(&arguments->context, what, arguments->words[2])
                : shk_plugin_check(what, arguments, plugin->quick, &plugin->problems);
}

#define AT(member) offsetof(struct plugin, member)
static const struct shk_flag flags[] = {
    SHK_OPTION(TEXT, "output", 'o', AT(output), "FILE.so",
               "build: the file to write (default: FILE.so beside FILE.c)"),
    SHK_OPTION(WORDS, "problem", 0, AT(problems), "SPEC",
               "check: also test integrators on this problem, or the system in FILE.yaml; may be "
               "repeated"),
    SHK_SWITCH("quick", 0, AT(quick), "check: skip the integrator certificates"),
    {0}};

const struct shk_command shk_command_plugin = {
    .name = "plugin",
    .synopsis = "new integrator|problem|solver NAME\nbuild FILE.c… [-o FILE.so]\n"
                "check FILE.so [--quick] [--problem SPEC]",
    .summary = "Creates, builds and checks your own integrators, problems and solvers",
    .help = "`new` writes NAME.c, which works as it is. `build` compiles C with $CC and $CFLAGS,\n"
            "and C++ with $CXX and $CXXFLAGS, once for each precision, and links with $LDFLAGS;\n"
            "put your -I and -l options into these variables. `check` tests a problem's\n"
            "functions, an integrator's steps and certificate, and a solver's certificate as an\n"
            "option of RATTLE, and prints TAP. --plugin NAME also searches\n"
            "SHAKEDOWN_PLUGIN_PATH for NAME and NAME.so.",
    .line = {2, 0, SHK_TAKES_JOBS, flags},
    .does = {sizeof(struct plugin), run_plugin, NULL}};
