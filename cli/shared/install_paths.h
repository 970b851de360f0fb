/*
 * Paths of files that come with the program: beside it when it is installed (PREFIX/bin/shakedown),
 * in the source tree when it runs from a build folder.
 */
#ifndef CLI_SHARED_INSTALL_PATHS_H
#define CLI_SHARED_INSTALL_PATHS_H

/* Folder that has shakedown/HEADER; NULL if not found. The caller frees it. */
char *shk_header_folder(const char *header);
/* Path of a file or folder that comes with the program, in "studies", "published" or "templates";
 * NULL if not found. The caller frees it. */
char *shk_data_file(const char *path);
/* Path of a study that comes with the program; NULL if there is none of that name. The caller frees
 * it. */
char *shk_shipped_study(const char *name);
/* Names of all studies that come with the program, sorted. The caller frees each and the list. */
char **shk_shipped_studies(int *count);
/* Returns the path of the plug-in that --plugin names: NAME itself if it has a slash or is in the
 * current folder; otherwise the first FOLDER/NAME or FOLDER/NAME.so that can be read, for the
 * folders in SHAKEDOWN_PLUGIN_PATH, separated by colons. NAME if there is none. The caller frees
 * it. */
char *shk_plugin_path(const char *name);

#endif
