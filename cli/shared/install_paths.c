/* Finds files that come with the program. See install_paths.h. SHK_SOURCE_ROOT is the source tree
 * in which the program was built. Installed files are looked up relative to the program, and
 * headers in SHK_INCLUDE. */
#include "cli/shared/install_paths.h"

#include "foundation/files/file.h"
#include "foundation/memory.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Returns `path` if it can be read; otherwise frees it and returns NULL. */
static char *if_there(char *path)
{
  if (path && access(path, R_OK) == 0)
    return path;
  free(path);
  return NULL;
}

/* Returns the folder that contains the program, or an empty string if /proc does not provide it.
 * The caller frees the string. */
static char *program_folder(void)
{
  char *const path = realpath("/proc/self/exe", NULL);
  char *const slash = path ? strrchr(path, '/') : NULL;
  if (slash)
    *slash = '\0';
  return path ? path : shk_copy_text("");
}

char *shk_header_folder(const char *header)
{
  char *const own = program_folder();
  char *const folders[] = {shk_print_text("%s/" SHK_INCLUDE, own),
                           shk_print_text("%s/include", own),
                           shk_copy_text(SHK_SOURCE_ROOT "/include")};
  char *place = NULL;
  for (int i = 0; i < 3; i++) {
    char *const file = if_there(shk_print_text("%s/shakedown/%s", folders[i], header));
    if (file && !place)
      place = folders[i];
    else
      free(folders[i]);
    free(file);
  }
  free(own);
  return place;
}

char *shk_data_file(const char *path)
{
  static const char *const in_source[][2] = {
      {"templates", "cli/templates"}, {"published", "results/published"}, {"studies", "studies"}};
  char *const own = program_folder();
  char *place = if_there(shk_print_text("%s/../share/shakedown/%s", own, path));
  for (size_t i = 0; !place && i < sizeof in_source / sizeof in_source[0]; i++)
    if (strncmp(path, in_source[i][0], strlen(in_source[i][0])) == 0)
      place = if_there(
          shk_print_text(SHK_SOURCE_ROOT "/%s%s", in_source[i][1], path + strlen(in_source[i][0])));
  free(own);
  return place;
}

char *shk_shipped_study(const char *name)
{
  char *const path = shk_print_text("studies/%s.yaml", name);
  char *const file = strchr(name, '/') ? NULL : shk_data_file(path);
  free(path);
  return file;
}

char **shk_shipped_studies(int *count)
{
  char *const folder = shk_data_file("studies");
  char **names = shk_files_ending(folder ? folder : "", ".yaml", count);
  free(folder);
  return names;
}

char *shk_plugin_path(const char *name)
{
  const char *path = getenv("SHAKEDOWN_PLUGIN_PATH");
  if (!path || strchr(name, '/') || access(name, F_OK) == 0)
    return shk_copy_text(name);
  char *folders = shk_copy_text(path), *rest = folders, *place = NULL;
  for (char *folder; !place && (folder = strsep(&rest, ":")) != NULL;) {
    if (*folder == '\0')
      continue; /* the current folder has already been tried */
    place = if_there(shk_print_text("%s/%s", folder, name));
    if (!place)
      place = if_there(shk_print_text("%s/%s.so", folder, name));
  }
  free(folders);
  return place ? place : shk_copy_text(name);
}
