/*
 * Files that specifications name, `particles(file="linkage.yaml")`: found from one folder, which is
 * that of the study where there is one, and never outside of it. A study from a stranger reads
 * nothing else. A folder that is NULL or "" is the working directory.
 */
#ifndef FOUNDATION_FILES_FOLDER_H
#define FOUNDATION_FILES_FOLDER_H

#include "foundation/message.h"
#include <stdbool.h>
#include <stddef.h>

/* As a folder: no file is opened, whatever it is called. What reads a store reads in it, for the
 * names of files in a store may be a stranger's. It is none that could have files. */
#define SHK_NO_FOLDER "/dev/null"

/* The folder that a file is in; "" for the working directory. The caller frees it. */
char *shk_folder_of(const char *file);

/* Whether a path may be named at all: relative, and without "..". */
bool shk_folder_permits(const char *path, struct shk_message *error);

/* The whole of a regular file in the folder, of at most `limit` bytes, with a '\0' after its end.
 * NULL with the reason: not there, outside of the folder through a symbolic link, too large;
 * SHK_NO_FOLDER. The caller frees it. */
char *shk_folder_read(const char *folder, size_t *length, const char *path, size_t limit,
                      struct shk_message *error);

#endif
