/* Files that come with the program. See install_paths.h. SHK_SOURCE_ROOT is the source tree in
 * which the program was built; installed files are found relative to the program, headers in
 * SHK_INCLUDE. */
#include "cli/shared/install_paths.h"

#include "foundation/files/file.h"
#include "foundation/memory.h"
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Folder of the program; NULL if the system does not tell it. */
static char *program_folder(void)
{
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length <= 0)
    return NULL;
  path[length] = '\0';
  char *slash = strrchr(path, '/');
  if (!slash)
    return NULL;
  *slash = '\0';
  return shk_copy_text(path);
}

/* `path` if it can be read; otherwise it is freed and NULL returned. */
static char *if_there(char *path)
{
  if (path && access(path, R_OK) == 0)
    return path;
  free(path);
  return NULL;
}

/* The folder `installed`, relative to the program, if it has the file `witness`; otherwise `below`
 * in the folder `otherwise`, or NULL. */
static char *find_in(const char *otherwise, const char *below, const char *installed,
                     const char *witness)
{
  char *const own = program_folder();
  const char *const folders[][2] = {{own, installed}, {otherwise ? otherwise : own, below}};
  char *place = NULL;
  for (int i = 0; !place && i < 2; i++)
    if (folders[i][0]) {
      char *const file =
          if_there(shk_print_text("%s/%s/%s", folders[i][0], folders[i][1], witness));
      place = file ? shk_print_text("%s/%s", folders[i][0], folders[i][1]) : NULL;
      free(file);
    }
  free(own);
  return place;
}

char *shk_include_folder(void)
{
  return find_in(SHK_SOURCE_ROOT, "include", SHK_INCLUDE, "shakedown/plugin.h");
}

char *shk_names_folder(void)
{
  return find_in(NULL, "include", SHK_INCLUDE, "shakedown/names.h"); /* or in the build folder */
}

char *shk_data_folder(const char *folder)
{
  char *installed = shk_print_text("../share/shakedown/%s", folder);
  const char *in_source = strcmp(folder, "templates") == 0   ? "cli/templates"
                          : strcmp(folder, "published") == 0 ? "results/published"
                          : strcmp(folder, "report") == 0    ? "plots/report/page"
                                                             : folder;
  char *place = find_in(SHK_SOURCE_ROOT, in_source, installed, ".");
  free(installed);
  return place;
}

char *shk_shipped_study(const char *name)
{
  if (strchr(name, '/'))
    return NULL;
  char *const folder = shk_data_folder("studies");
  char *const path = folder ? shk_print_text("%s/%s.yaml", folder, name) : NULL;
  free(folder);
  return if_there(path);
}

char **shk_shipped_studies(int *count)
{
  char *folder = shk_data_folder("studies");
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
      continue; /* the current folder was already tried */
    place = if_there(shk_print_text("%s/%s", folder, name));
    if (!place)
      place = if_there(shk_print_text("%s/%s.so", folder, name));
  }
  free(folders);
  return place ? place : shk_copy_text(name);
}
