/* shakedown plugin build: compiles sources to a plug-in, by the script build.sh.in, which says
 * how. */
#include "cli/commands/plugin.h"
#include "cli/commands/templates.h"
#include "cli/shared/install_paths.h"

#include "engine/engine.h"
#include "foundation/files/scratch.h"
#include "foundation/memory.h"
#include "foundation/processes/subprocess.h"
#include "harness/run/said.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Name of the plug-in for a source: FILE.c, FILE.cpp, … -> FILE.so. The caller frees it. */
static char *target_of(const char *source)
{
  static const char *const endings[] = {".c", ".cc", ".cpp", ".cxx", ".C"};
  size_t length = strlen(source);
  for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
    if (shk_ends_with(source, endings[i]))
      length = strlen(source) - strlen(endings[i]);
  return shk_print_text("%.*s.so", (int)length, source);
}

/* Writes the script. Returns false after an error message. */
static bool write_script(const char *script, const struct shk_plugin_sources *sources,
                         const char *folder, const char *made, const char *const headers[2])
{
  char *precisions = NULL;
  for (int i = 0; shk_engines[i]; i++)
    shk_append_text(&precisions, " %d", shk_engines[i]->bits);
  char *includes = shk_shell_words(" -I", sources->includes.all, sources->includes.count);
  char *const ours = shk_shell_words(" -I", headers, 2);
  shk_append_text(&includes, "%s", ours);
  free(ours);
  const struct shk_filling fillings[] = {
      {"@folder@", shk_shell_words("", &folder, 1)},
      {"@made@", shk_shell_words("", &made, 1)},
      {"@includes@", includes},
      {"@sources@", shk_shell_words(" ", sources->files, sources->count)},
      {"@precisions@", precisions},
      {"@libraries@", shk_shell_words(" -l", sources->libraries.all, sources->libraries.count)},
      {NULL, NULL}};
  const bool ok = shk_fill_template(script, "build.sh.in", fillings);
  shk_clear_fillings(fillings);
  return ok;
}

/* Runs the script, which prints its own errors. */
static bool run_script(char *script)
{
  char *const words[] = {(char *)"sh", script, NULL};
  const struct shk_child as = {.out = STDERR_FILENO, .last_signal = SIGTERM};
  fflush(NULL);
  const pid_t child = shk_child_start(&as, words[0], words);
  if (child < 0)
    return shk_complain("cannot start sh: %s", strerror(errno));
  const int status = shk_child_wait(child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Prints the contents of a plug-in, one line each, after a cell server has loaded it. Returns false
 * after an error message. */
static bool show_offer(const char *path)
{
  struct shk_message error = {.text = ""};
  fflush(stdout);
  const struct shk_context context = {0};
  struct shk_host *const host = shk_host_start(&(struct shk_servers){&context, &path, 1}, &error);
  if (!shk_accept(host, &error))
    return false;
  struct shk_said *const said = shk_said_new(host);
  const struct shk_remote_provider *const offer = shk_said_provider(said);
  for (int i = 0; i < offer->integrator_count; i++)
    shk_say("  integrator %s: %s", offer->integrators[i].name, offer->integrators[i].summary);
  for (int i = 0; i < offer->problem_count; i++)
    shk_say("  problem %s: %s", offer->problems[i].name, offer->problems[i].summary);
  for (int i = 0; i < offer->solver_count; i++)
    shk_say("  solver %s: %s", offer->solvers[i].name, offer->solvers[i].summary);
  const bool some = offer->integrator_count + offer->problem_count + offer->solver_count > 0;
  if (!some)
    shk_complain("%s: offers neither integrators nor problems nor solvers", path);
  shk_said_free(said);
  shk_host_stop(host);
  return some;
}

/* Builds `target`. The new file replaces an old one by renaming: a program that has loaded the old
 * one keeps it. */
static bool build(const struct shk_plugin_sources *sources, const char *target,
                  const char *const headers[2])
{
  char *const folder = shk_scratch_make();
  char *const made = shk_print_text("%s.new", target);
  char *const script = shk_print_text("%s/build.sh", folder ? folder : "");
  bool ok = folder && write_script(script, sources, folder, made, headers) && run_script(script);
  if (!folder)
    shk_complain("no folder for temporary files: %s", strerror(errno));
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

int shk_plugin_build(const struct shk_plugin_sources *sources, const char *output)
{
  for (int i = 0; i < sources->count; i++)
    if (access(sources->files[i], R_OK) != 0)
      return shk_bad_input("%s: %s", sources->files[i], strerror(errno));
  char *const headers[2] = {shk_include_folder(), shk_names_folder()};
  char *const target = output ? shk_copy_text(output) : target_of(sources->files[0]);
  bool ok = false;
  if (!headers[0] || !headers[1])
    shk_complain("the header shakedown/%s.h is neither in ../include beside the program nor in the "
                 "%s",
                 headers[0] ? "names" : "plugin",
                 headers[0] ? "folder it was built in" : "source tree it was built from");
  else if (build(sources, target, (const char *const *)headers)) {
    printf("%s offers\n", target);
    ok = show_offer(target);
    if (!ok)
      remove(target); /* does not load */
  }
  if (ok)
    printf("try next:\n  shakedown plugin check %s%s\n", strchr(target, '/') ? "" : "./", target);
  free(target);
  free(headers[0]);
  free(headers[1]);
  return ok ? SHK_EXIT_HELD : SHK_EXIT_BAD_INPUT;
}
