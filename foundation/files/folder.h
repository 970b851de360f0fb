/*
 * Files that specifications name, `particles(file="linkage.yaml")`: found from one folder, which is
 * that of the study where there is one, and never outside of it. A study from a stranger reads
 * nothing else.
 */
#ifndef FOUNDATION_FILES_FOLDER_H
#define FOUNDATION_FILES_FOLDER_H

#include "foundation/message.h"
#include <stdbool.h>
#include <stddef.h>

/* Sets the folder for the whole process; "" or NULL: the working directory, as at the beginning. */
void shk_folder_set(const char *path);
/* The same for the folder that a file is in. */
void shk_folder_set_of(const char *file);
/* "" for the working directory. */
const char *shk_folder(void);

/* Whether a path may be named at all: relative, and without a step upwards (..). */
bool shk_folder_permits(const char *path, struct shk_message *error);

/* The whole of a regular file in the folder, of at most `limit` bytes, with a '\0' after its end.
 * NULL with the reason: not there, outside of the folder by a symbolic link, too large. The caller
 * frees it. */
char *shk_folder_read(size_t *length, const char *path, size_t limit, struct shk_message *error);

#endif
