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
 * cannot be read or has more than `most` bytes (whole MiB). `what` names the file's type in the
 * message: "baseline". */
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

#endif
