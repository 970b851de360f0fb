/* Whole files. */
#ifndef FOUNDATION_FILES_FILE_H
#define FOUNDATION_FILES_FILE_H

#include "foundation/hash.h"
#include "foundation/message.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Returns the bytes from the stream's position to its end, followed by a zero. The caller frees
 * them. On failure, returns NULL and sets errno, which is EFBIG if there are more than `most`
 * bytes. */
char *shk_read_stream(FILE *file, size_t most, size_t *length);

/* Returns a file's bytes, followed by a zero. The caller frees them. `what` names the type of the
 * file in messages, such as "baseline". Returns NULL, and sets the reason, if the file cannot be
 * read or has more than `most` bytes, which is a multiple of 1 MiB. */
char *shk_read_file(const char *path, size_t most, const char *what, size_t *length,
                    struct shk_message *error);

/* Computes the hash of a file's bytes. Returns false, and sets the reason, if the file cannot be
 * read. */
bool shk_hash_file(char hash[SHK_HASH_SIZE], const char *path, struct shk_message *error);

/* Copies a file's bytes. `to` can be on another file system. On failure, returns false and sets a
 * reason that names the file. */
bool shk_copy_file(const char *from, const char *to, struct shk_message *error);

/* Returns the sorted names of those files in a folder that have the given ending, with the ending
 * removed. The list is empty if the folder does not exist. The caller frees each name and the
 * list. */
char **shk_files_ending(const char *folder, const char *ending, int *count);

/* ---- files that specifications name ----
 *
 * A specification can name a file, as in `particles(file="linkage.yaml")`. Such files are searched
 * for only in the folder of the study, so that an untrusted study cannot read other files. If the
 * folder is NULL or "", it is the working directory, which is used if there is no study. */

/* A folder in which no file can be opened. It is used when a store is read, because the file names
 * in a store are not trusted. /dev/null is not a directory, so it cannot contain files. */
#define SHK_NO_FOLDER "/dev/null"

/* Returns the folder of a file, or "" for the working directory. The caller frees the text. */
char *shk_folder_of(const char *file);

/* Returns true if a specification may name this path: it is relative and has no "..". Otherwise
 * returns false and sets the reason. */
bool shk_folder_permits(const char *path, struct shk_message *error);

/* Reads a regular file of at most `limit` bytes in the folder. Returns its bytes, followed by '\0',
 * which the caller frees. Returns NULL and sets the reason if the file is missing or too large, if
 * a symbolic link leads out of the folder, or if the folder is SHK_NO_FOLDER. */
char *shk_folder_read(const char *folder, size_t *length, const char *path, size_t limit,
                      struct shk_message *error);

#endif
