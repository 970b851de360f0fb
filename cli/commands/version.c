/* shakedown --version: the program's version, its build options and the programs found. */
#include "cli/commands/version.h"

#include "engine/names.h"
#include "foundation/specifications/program.h"
#include "results/record/provenance.h"
#include <shakedown/plugin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* True if a program of that name is in PATH. */
static bool in_path(const char *name)
{
  const char *path = getenv("PATH");
  for (const char *at = path; at && *at != '\0';) {
    const size_t length = strcspn(at, ":");
    char file[4096];
    snprintf(file, sizeof file, "%.*s/%s", (int)length, at, name);
    if (length > 0 && access(file, X_OK) == 0)
      return true;
    at += length + (at[length] == ':');
  }
  return false;
}

static void show_precisions(void)
{
  for (int i = 0; shk_engines[i]; i++)
    printf("%s%s (%d digits)", i == 0 ? "precisions   " : ", ", shk_engines[i]->precision,
           shk_engines[i]->digits);
  struct shk_message missing = {.text = ""};
  if (!shk_engine_named("quad", &missing))
    printf("; %s", missing.text);
  putchar('\n');
}

int shk_show_version(void)
{
  struct shk_provenance built;
  shk_provenance_collect(&built, NULL, NULL);
  const struct shk_context context = {0};
  int integrators = 0, problems = 0;
  while (shk_integrator_at(&context, integrators))
    integrators++;
  while (shk_problem_at(&context, problems))
    problems++;
  printf("shakedown %s (%s)\n\n", built.version, built.revision);
  show_precisions();
  printf("knows        %d integrators, %d problems\n", integrators, problems);
  printf("plug-ins     binary interface %d\n", SHK_ABI_VERSION);
  printf("protocols    external programs %d\n", SHK_PROGRAM_PROTOCOL);
  printf("numerics     %s\n", built.source);
  printf("compiler     %s, %s\n", built.compiler, built.flags);
  printf("libraries    %s\n", built.libraries);
  printf("found here   gnuplot %s, objcopy %s\n", in_path("gnuplot") ? "yes" : "no",
         in_path("objcopy") ? "yes" : "no");
  shk_provenance_clear(&built);
  return 0;
}
