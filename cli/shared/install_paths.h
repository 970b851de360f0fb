/*
 * Where files that come with the program are: beside it when it is installed
 * (PREFIX/bin/shakedown), in the source tree when it runs from a build folder.
 */
#ifndef CLI_SHARED_INSTALL_PATHS_H
#define CLI_SHARED_INSTALL_PATHS_H

/* The folder of headers that has shakedown/plugin.h, and that which has shakedown/names.h: the same
 * when the program is installed. NULL if not found. The caller frees it. */
char *shk_include_folder(void);
char *shk_names_folder(void);
/* A folder of the data that comes with the program: "studies", "published",
 * "report" or "templates". As above. */
char *shk_data_folder(const char *folder);
/* The path of a study that comes with the program; NULL if there is none of that name. As above. */
char *shk_shipped_study(const char *name);
/* All names of such studies, sorted; the caller frees each and the list. */
char **shk_shipped_studies(int *count);
/* The file of the plug-in that --plugin names: the name as it is, or, if it has no slash and is not
 * in the current folder, the first FOLDER/NAME or FOLDER/NAME.so of the folders in
 * SHAKEDOWN_PLUGIN_PATH, separated by colons. The caller frees it. */
char *shk_plugin_path(const char *name);

#endif
