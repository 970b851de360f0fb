/* What is said on a terminal, beside results. */
#ifndef CLI_SHARED_OUTPUT_TERMINAL_H
#define CLI_SHARED_OUTPUT_TERMINAL_H

#include <stdio.h>

/* "shakedown: …" on standard error, one line or several. Control characters are escaped: the text
 * may hold what a user or a file said. */
void shk_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The escape sequence of a colour, "" where the file is no terminal or colour is not wanted
 * (NO_COLOR, TERM=dumb). */
enum shk_colour { SHK_PLAIN, SHK_BOLD, SHK_RED, SHK_GREEN, SHK_YELLOW };
const char *shk_colour(FILE *file, enum shk_colour colour);

#endif
