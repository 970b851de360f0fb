/* A file that is written whole or not at all. */
#ifndef CLI_SHARED_OUTPUT_ATOMIC_FILE_H
#define CLI_SHARED_OUTPUT_ATOMIC_FILE_H

#include <stdbool.h>
#include <stdio.h>

/* Has `print` fill a file beside `path` that then replaces it, or standard output if path is NULL.
 * False after a complaint; `path` is then as it was. */
bool shk_write_file(const char *path, void (*print)(FILE *file, const void *what),
                    const void *what);

#endif
