/*
 * Files that specifications name, `particles(file="linkage.yaml")`. They are found in the folder of
 * the study, never outside it, so that an untrusted study cannot read other files. A folder that is
 * NULL or "" is the working directory; it is used if there is no study.
 */
#ifndef FOUNDATION_FILES_FOLDER_H
#define FOUNDATION_FILES_FOLDER_H

#include "foundation/message.h"
#include <stdbool.h>
#include <stddef.h>

/* A folder in which no file is opened. It is used when a store is read, since the file names in a
 * store are not trusted. /dev/null is no directory, so it cannot contain files. */
#define SHK_NO_FOLDER "/dev/null"

/* Returns the folder of a file; "" for the working directory. The caller frees it. */
char *shk_folder_of(const char *file);

/* True if a path may be named: relative and without "..". False with the reason. */
bool shk_folder_permits(const char *path, struct shk_message *error);

/* Reads a regular file in the folder, of at most `limit` bytes, followed by '\0'; the caller frees
 * it. NULL with the reason: missing, too large, outside the folder through a symbolic link, or
 * SHK_NO_FOLDER. */
char *shk_folder_read(const char *folder, size_t *length, const char *path, size_t limit,
                      struct shk_message *error);

#endif
