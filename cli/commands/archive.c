/* shakedown archive: references and equations as files, which the package for Python writes. */
#include "cli/shared/install_paths.h"
#include "cli/shared/options.h"
#include "foundation/memory.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Python finds the package that comes with this program, and this program. */
static void set_surroundings(void)
{
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length > 0) {
    path[length] = '\0';
    setenv("SHAKEDOWN", path, true);
  }
  char *package = shk_data_folder("python");
  const char *others = getenv("PYTHONPATH");
  char *all =
      package ? shk_print_text("%s%s%s", package, others ? ":" : "", others ? others : "") : NULL;
  if (all)
    setenv("PYTHONPATH", all, true);
  free(all);
  free(package);
}

/* Becomes Python; returns only where that fails. */
static int start(const char *folder, const struct shk_arguments *arguments)
{
  char *published = shk_data_folder("published");
  if (!published) {
    shk_complain("archive: the references that come with the program are not found");
    return SHK_EXIT_BAD_INPUT;
  }
  const char *given = getenv("SHAKEDOWN_PYTHON"), *const python = given ? given : "python3";
  const char *const fixed[] = {python, "-B",   "-m",          "shakedown", "write-archive",
                               "-o",   folder, "--published", published};
  const size_t count = sizeof fixed / sizeof fixed[0];
  const char **words = shk_allocate(count + (size_t)arguments->count + 1, sizeof *words);
  memcpy(words, fixed, sizeof fixed);
  for (int i = 0; i < arguments->count; i++)
    words[count + (size_t)i] = arguments->words[i];
  set_surroundings();
  execvp(python, (char *const *)words);
  shk_complain("archive: %s does not start (%s): it needs Python with numpy, pandas and sympy",
               python, strerror(errno));
  free(words);
  free(published);
  return SHK_EXIT_BAD_INPUT;
}

static int run(const struct shk_command *command, int argc, char **argv)
{
  enum { MOST_NAMES = 1000 };
  const char *folder = NULL;
  const struct shk_flag flags[] = {{"output", 'o', SHK_FLAG_TEXT, "DIR",
                                    "where to: a folder that is empty or not there yet", &folder},
                                   {NULL, 0, SHK_FLAG_SWITCH, NULL, NULL, NULL}};
  struct shk_arguments arguments;
  int status;
  if (shk_arguments_read(&arguments, &status, command, flags, 0, MOST_NAMES, argc, argv)) {
    status = SHK_EXIT_BAD_INPUT;
    if (folder)
      status = start(folder, &arguments);
    else
      shk_complain("archive: where to? `shakedown archive -o DIR`");
  }
  shk_arguments_clear(&arguments);
  return status;
}

const struct shk_command shk_command_archive = {
    .name = "archive",
    .synopsis = "-o DIR [NAME…]",
    .summary = "Writes references and equations as files that need no program",
    .help =
        "Of all problems that have a reference or equations, or of those named: references as\n"
        "CSV with digits and units, parameters and start as JSON with its schema, equations as\n"
        "LaTeX and as functions in Python, metadata for a deposit, and checksums. The same\n"
        "version writes the same bytes. It is done by the package for Python (python3, or what\n"
        "SHAKEDOWN_PYTHON names), with numpy, pandas and sympy. docs/references.md has the rest.",
    .run = run};
