/* Whole files. */
#ifndef FOUNDATION_FILES_FILE_H
#define FOUNDATION_FILES_FILE_H

#include "foundation/hash.h"
#include "foundation/message.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The bytes of a file from where it stands, and a zero after them; the caller frees them. NULL with
 * errno set, to EFBIG if there are more than `most`. */
char *shk_read_stream(FILE *file, size_t most, size_t *length);

/* The bytes of a file and a zero after them; the caller frees them. NULL with the reason if it
 * cannot be read, or has more than `most` bytes (whole MiB), too many for a `what` ("baseline"). */
char *shk_read_file(const char *path, size_t most, const char *what, size_t *length,
                    struct shk_message *error);

/* The hash of its bytes. False with the reason if it cannot be read. */
bool shk_hash_file(char hash[SHK_HASH_SIZE], const char *path, struct shk_message *error);

/* Copies a file's bytes; `to` may be on another disk. False with the reason, naming the file at
 * fault. */
bool shk_copy_file(const char *from, const char *to, struct shk_message *error);

/* The names, without it, of a folder's files that end in `ending`, in their order; none where there
 * is no such folder. The caller frees each name and the list. */
char **shk_files_ending(const char *folder, const char *ending, int *count);

#endif
