/* Messages on a terminal, beside results. */
#ifndef CLI_SHARED_OUTPUT_TERMINAL_H
#define CLI_SHARED_OUTPUT_TERMINAL_H

#include <stdio.h>

/* "shakedown: …" on standard error, one line or several. Control characters are escaped: the text
 * may quote a user or a file. */
void shk_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The escape sequence of a colour, "" if the file is not a terminal or colour is not wanted
 * (NO_COLOR, TERM=dumb). */
enum shk_colour { SHK_PLAIN, SHK_BOLD, SHK_RED, SHK_GREEN, SHK_YELLOW };
const char *shk_colour(FILE *file, enum shk_colour colour);

#endif
