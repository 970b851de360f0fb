/*
 * Paths of files that come with the program. They are next to the program if it is installed
 * (PREFIX/bin/shakedown), and in the source tree if it runs from a build folder.
 */
#ifndef CLI_SHARED_INSTALL_PATHS_H
#define CLI_SHARED_INSTALL_PATHS_H

/* Returns the folder that contains shakedown/HEADER, or NULL if it was not found. The caller frees
 * the text. */
char *shk_header_folder(const char *header);
/* Returns the path of a file or folder that comes with the program, in "studies", "published" or
 * "templates", or NULL if it was not found. The caller frees the text. */
char *shk_data_file(const char *path);
/* Returns the path of a study that comes with the program, or NULL if there is none with that name.
 * The caller frees the text. */
char *shk_shipped_study(const char *name);
/* Returns the names of all studies that come with the program, sorted. The caller frees each name
 * and the list. */
char **shk_shipped_studies(int *count);
/* Returns the path of the plug-in that --plugin names. This is NAME itself if it contains a slash
 * or exists in the current folder. Otherwise, it is the first FOLDER/NAME or FOLDER/NAME.so that
 * can be read, for the folders in SHAKEDOWN_PLUGIN_PATH, which are separated by colons. If there is
 * none, it is NAME. The caller frees the text. */
char *shk_plugin_path(const char *name);

#endif
