/* Whole files. */
#ifndef FOUNDATION_FILES_FILE_H
#define FOUNDATION_FILES_FILE_H

#include "foundation/hash.h"
#include "foundation/message.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Returns the bytes from the stream's current position to its end, followed by a zero byte. The
 * caller must free them. On failure, returns NULL and sets errno, which is EFBIG if there are more
 * than `most` bytes. */
char *shk_read_stream(FILE *file, size_t most, size_t *length);

/* Returns the contents of a file, followed by a zero byte. The caller must free the result. `what`
 * names the type of file in messages, for example "baseline". Returns NULL and sets the reason if
 * the file cannot be read or contains more than `most` bytes, which must be a multiple of 1 MiB. */
char *shk_read_file(const char *path, size_t most, const char *what, size_t *length,
                    struct shk_message *error);

/* Computes the hash of a file's contents. Returns false and sets the reason if the file cannot be
 * read. */
bool shk_hash_file(char hash[SHK_HASH_SIZE], const char *path, struct shk_message *error);

/* Copies the contents of a file. `to` can be on a different file system. On failure, returns false
 * and sets a reason that names the file. */
bool shk_copy_file(const char *from, const char *to, struct shk_message *error);

/* Returns the sorted names of all files with a given suffix in a folder, without the suffix. The
 * list is empty if the folder does not exist. The caller must free each name and the list. */
char **shk_files_ending(const char *folder, const char *ending, int *count);

/* ---- files that specifications name ----
 *
 * A specification can name a file, as in `particles(file="linkage.yaml")`. Such files are searched
 * for only in the study's folder, so that an untrusted study cannot read other files. NULL or ""
 * means the working directory, which is used if there is no study. */

/* A folder in which no file can be opened. It is used when a store is read, because the file names
 * in a store are not trusted. /dev/null is not a directory, so it cannot contain files. */
#define SHK_NO_FOLDER "/dev/null"

/* Returns the folder that contains a file, or "" for the working directory. The caller must free
 * the string. */
char *shk_folder_of(const char *file);

/* Returns true if a specification is allowed to name this path, that is, if the path is relative
 * and does not contain "..". Otherwise, returns false and sets the reason. */
bool shk_folder_permits(const char *path, struct shk_message *error);

/* Reads a regular file of at most `limit` bytes in the folder. Returns its contents, followed by
 * '\0', which the caller must free. Returns NULL and sets the reason if the file is missing or too
 * large, if a symbolic link leads out of the folder, or if the folder is SHK_NO_FOLDER. */
char *shk_folder_read(const char *folder, size_t *length, const char *path, size_t limit,
                      struct shk_message *error);

#endif
