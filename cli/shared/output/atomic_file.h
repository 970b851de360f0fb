/* A file that is written whole or not at all. */
#ifndef CLI_SHARED_OUTPUT_ATOMIC_FILE_H
#define CLI_SHARED_OUTPUT_ATOMIC_FILE_H

#include <stdbool.h>
#include <stdio.h>

/* Calls `print` to fill a file beside `path`, which then replaces `path`; a pipe or device is
 * written directly. `path` NULL: standard output. Returns false after an error message; a regular
 * file is then unchanged. */
bool shk_write_file(const char *path, void (*print)(FILE *file, const void *what),
                    const void *what);

#endif
