/* Text files of other programs, line by line and word by word, with messages that name the place. */
#ifndef RESULTS_IMPORT_LINES_H
#define RESULTS_IMPORT_LINES_H

#include "foundation/message.h"
#include <stdbool.h>
#include <stddef.h>

enum { SHK_LINE_WORDS = 64, SHK_FILE_LIMIT = 1 << 22 };

struct shk_lines {
  const char *path;
  struct shk_message *error;
  int line;
  char *text, *next; /* the whole file, which is cut into lines as they are read */
  char *current;
  int count;
  char *words[SHK_LINE_WORDS]; /* of the current line */
};

/* Opens a file of the folder. False with the message; close it if true. */
bool shk_lines_open(struct shk_lines *lines, const char *folder, const char *path,
                    struct shk_message *error);
void shk_lines_close(struct shk_lines *lines);
/* The next line as it stands in `current`; false at the end. */
bool shk_lines_next(struct shk_lines *lines);
/* Cuts the current line into words, without what follows the sign of comments. */
bool shk_lines_split(struct shk_lines *lines, char comment);
/* "path:line: found …, expected …". False. */
bool shk_lines_fail(const struct shk_lines *lines, const char *found, const char *expected);
/* Word `at` as a finite number, or as a whole number in a range. False with the message. */
bool shk_lines_number(const struct shk_lines *lines, double *x, int at, const char *expected);
bool shk_lines_whole(const struct shk_lines *lines, int *x, int at, int low, int high,
                     const char *expected);

#endif
