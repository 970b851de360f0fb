/*
 * Paths of files that come with the program. These files are located next to the program if it is
 * installed (PREFIX/bin/shakedown), or in the source tree if it runs from a build folder.
 */
#ifndef CLI_SHARED_INSTALL_PATHS_H
#define CLI_SHARED_INSTALL_PATHS_H

/* Returns the folder that contains shakedown/HEADER, or NULL if it was not found. The caller frees
 * the path. */
char *shk_header_folder(const char *header);
/* Returns the path of a file or folder in "studies", "published" or "templates", all of which come
 * with the program. Returns NULL if it was not found. The caller frees the path. */
char *shk_data_file(const char *path);
/* Returns the path of a study that comes with the program, or NULL if there is no such study. The
 * caller frees the path. */
char *shk_shipped_study(const char *name);
/* Returns a sorted list of the names of all studies that come with the program. The caller frees
 * each name and the list. */
char **shk_shipped_studies(int *count);
/* Returns the path of the plug-in NAME given by --plugin. If NAME contains a slash or exists in the
 * current folder, the path is NAME itself. Otherwise, it is the first readable file FOLDER/NAME or
 * FOLDER/NAME.so, where FOLDER is one of the colon-separated folders in SHAKEDOWN_PLUGIN_PATH. If
 * there is no such file, NAME is returned. The caller frees the path. */
char *shk_plugin_path(const char *name);

#endif
