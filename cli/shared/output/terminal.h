/* Messages on a terminal, apart from results. */
#ifndef CLI_SHARED_OUTPUT_TERMINAL_H
#define CLI_SHARED_OUTPUT_TERMINAL_H

#include "results/export/export.h"
#include <stdio.h>

/* Prints "shakedown: …" on standard error, one line or several. Control characters are escaped: the
 * text may quote a user or a file. */
void shk_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Escape sequence of a colour; "" if the file is not a terminal or colour is switched off
 * (NO_COLOR, TERM=dumb). */
enum shk_colour { SHK_PLAIN, SHK_BOLD, SHK_RED, SHK_GREEN, SHK_YELLOW };
const char *shk_colour(FILE *file, enum shk_colour colour);

/* Creates a folder for figures or a page. Returns false after an error message that names the
 * option. */
bool shk_output_folder(const char *option, const char *path);

/* Maximal width of lines: COLUMNS if it is set, the width of a terminal, else `otherwise`. 0 means
 * no limit, as for a table that goes to a pipe. */
int shk_terminal_width(FILE *file, int otherwise);
/* Width of running text if the width of the terminal is not known. */
enum { SHK_USUAL_WIDTH = 80 };

/* Prints a table on standard output; as text, at the width of the terminal. */
void shk_show_table(const struct shk_table *table, enum shk_format format);

#endif
