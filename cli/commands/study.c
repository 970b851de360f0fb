/* shakedown study new: writes a study file from a template. */
#include "cli/commands/templates.h"
#include "cli/shared/options.h"

#include "harness/study/study.h"
#include <string.h>

static int run_study(void *self)
{
  char *const *const words = ((struct shk_arguments *)self)->words;
  if (strcmp(words[0], "new") != 0)
    return shk_bad_input("study: found '%s', expected `shakedown study new NAME`", words[0]);
  if (!shk_is_study_name(words[1]))
    return shk_bad_input("study new: found the name '%s', expected at most 64 letters, digits, "
                         "'-', '_' and '.', beginning with a letter or digit",
                         words[1]);
  return shk_begin_file(words[1], ".yaml", "study.yaml", "run");
}

const struct shk_command shk_command_study = {
    .name = "study",
    .synopsis = "new NAME",
    .summary = "Writes a first study file, NAME.yaml",
    .line = {2, 2, 0, NULL},
    .does = {sizeof(struct shk_arguments), run_study, NULL}};
