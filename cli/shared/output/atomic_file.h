/* A file that is written whole or not at all. */
#ifndef CLI_SHARED_OUTPUT_ATOMIC_FILE_H
#define CLI_SHARED_OUTPUT_ATOMIC_FILE_H

#include <stdbool.h>
#include <stdio.h>

/* Calls `print` to fill a file beside `path`, which then replaces `path`; NULL: standard output.
 * Returns false after an error message; `path` is then unchanged. */
bool shk_write_file(const char *path, void (*print)(FILE *file, const void *what),
                    const void *what);

#endif
