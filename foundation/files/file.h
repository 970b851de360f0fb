/* Whole files. */
#ifndef FOUNDATION_FILES_FILE_H
#define FOUNDATION_FILES_FILE_H

#include "foundation/hash.h"
#include "foundation/message.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Returns the bytes from the stream's position to its end, followed by a zero; the caller frees
 * them. NULL with errno set, to EFBIG if there are more than `most`. */
char *shk_read_stream(FILE *file, size_t most, size_t *length);

/* Returns a file's bytes, followed by a zero; the caller frees them. NULL with the reason if it
 * cannot be read or has more than `most` bytes, a multiple of 1 MiB. `what` names the file's type
 * in the message: "baseline". */
char *shk_read_file(const char *path, size_t most, const char *what, size_t *length,
                    struct shk_message *error);

/* Computes the hash of a file's bytes. False with the reason if it cannot be read. */
bool shk_hash_file(char hash[SHK_HASH_SIZE], const char *path, struct shk_message *error);

/* Copies a file's bytes; `to` may be on another file system. False with the reason, which names the
 * file concerned. */
bool shk_copy_file(const char *from, const char *to, struct shk_message *error);

/* Returns the names of the files in a folder that end in `ending`, without the ending, sorted; none
 * if there is no such folder. The caller frees each name and the list. */
char **shk_files_ending(const char *folder, const char *ending, int *count);

/* ---- files that specifications name ----
 *
 * As in `particles(file="linkage.yaml")`: they are found in the folder of the study, never outside
 * it, so that an untrusted study cannot read other files. A folder that is NULL or "" is the
 * working directory; it is used if there is no study. */

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
