/* shakedown study new: writes a study file from a template. */
#include "cli/commands/templates.h"
#include "cli/shared/options.h"

#include <ctype.h>
#include <string.h>

/* The rule for names of studies. */
static bool is_study_name(const char *name)
{
  if (strlen(name) > 64 || !isalnum((unsigned char)name[0]))
    return false;
  for (const char *at = name; *at != '\0'; at++)
    if (!isalnum((unsigned char)*at) && !strchr("-_.", *at))
      return false;
  return true;
}

static int write_study(const char *name)
{
  if (!is_study_name(name)) {
    shk_complain(
        "study new: found the name '%s', expected at most 64 letters, digits, '-', '_' and "
        "'.', beginning with a letter or digit",
        name);
    return SHK_EXIT_BAD_INPUT;
  }
  return shk_begin_file(name, ".yaml", "study.yaml", "run");
}

static int run(const struct shk_command *command, int argc, char **argv)
{
  struct shk_arguments arguments;
  int status;
  if (shk_arguments_read(&arguments, &status, command, NULL, 2, 2, argc, argv)) {
    status = SHK_EXIT_BAD_INPUT;
    if (strcmp(arguments.words[0], "new") == 0)
      status = write_study(arguments.words[1]);
    else
      shk_complain("study: found '%s', expected `shakedown study new NAME`", arguments.words[0]);
  }
  shk_arguments_clear(&arguments);
  return status;
}

const struct shk_command shk_command_study = {.name = "study",
                                              .synopsis = "new NAME",
                                              .summary = "Writes a first study file, NAME.yaml",
                                              .run = run};
