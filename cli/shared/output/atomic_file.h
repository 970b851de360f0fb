/* Writes a file either completely or not at all. */
#ifndef CLI_SHARED_OUTPUT_ATOMIC_FILE_H
#define CLI_SHARED_OUTPUT_ATOMIC_FILE_H

#include <stdbool.h>
#include <stdio.h>

/* Calls `print` to fill a file next to `path`, which then replaces `path`. A pipe or a device is
 * written to directly. If `path` is NULL, standard output is used. On failure, prints an error
 * message, leaves a regular file unchanged, and returns false. */
bool shk_write_file(const char *path, void (*print)(FILE *file, const void *what),
                    const void *what);

#endif
