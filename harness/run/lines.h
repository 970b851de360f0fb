/* Messages out of a descriptor, as they arrive: lines, and records
 * (results/record/record_bytes.h). */
#ifndef HARNESS_RUN_LINES_H
#define HARNESS_RUN_LINES_H

#include <stddef.h>
#include <sys/types.h>

/* The longest line. */
#define SHK_MOST_LINE ((size_t)1 << 30)

/* Begins as {0}; whoever has it frees `buffer`. */
struct shk_lines {
  char *buffer; /* read but not yet handed out */
  size_t length, capacity, scanned;
};

/* Cuts the first message off, a line without its newline; NULL if none is whole. The caller frees
 * it. */
char *shk_lines_take(struct shk_lines *lines);
/* The same of what is left at the end, whole or not. */
char *shk_lines_rest(struct shk_lines *lines);
/* Reads once; returns what read() does, and 0, as at the end, if the line is too long. */
ssize_t shk_lines_read(struct shk_lines *lines, int from);

#endif
