/* Messages on a terminal, beside results. */
#ifndef CLI_SHARED_OUTPUT_TERMINAL_H
#define CLI_SHARED_OUTPUT_TERMINAL_H

#include "results/export/export.h"
#include <stdio.h>

/* "shakedown: …" on standard error, one line or several. Control characters are escaped: the text
 * may quote a user or a file. */
void shk_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The escape sequence of a colour, "" if the file is not a terminal or colour is not wanted
 * (NO_COLOR, TERM=dumb). */
enum shk_colour { SHK_PLAIN, SHK_BOLD, SHK_RED, SHK_GREEN, SHK_YELLOW };
const char *shk_colour(FILE *file, enum shk_colour colour);

/* Makes a folder for figures or a page; false after a complaint that names the option. */
bool shk_output_folder(const char *option, const char *path);

/* How wide lines may be: COLUMNS where it is set, the width of a terminal, else `otherwise`; 0
 * stands for no limit, as what reads a pipe wants of a table. */
int shk_terminal_width(FILE *file, int otherwise);
/* Lines for people that are no table are so wide where nothing else is known. */
enum { SHK_USUAL_WIDTH = 80 };

/* Prints a table on standard output; for people, as wide as the terminal. */
void shk_show_table(const struct shk_table *table, enum shk_format format);

#endif
