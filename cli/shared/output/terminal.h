/* Messages on a terminal, and the exit status that goes with them. */
#ifndef CLI_SHARED_OUTPUT_TERMINAL_H
#define CLI_SHARED_OUTPUT_TERMINAL_H

#include "results/export/export.h"
#include <stdio.h>

/* The exit status of every command. */
enum shk_exit {
  SHK_EXIT_HELD = 0,      /* all claims held; refused cells count as answers */
  SHK_EXIT_SHORT = 1,     /* a measured value does not meet its claim or band */
  SHK_EXIT_BAD_INPUT = 2, /* bad input: the command did not run to completion */
  SHK_EXIT_INCOMPLETE = 3 /* a claim is not decided; cells failed, stopped or were interrupted */
};

/* These print "shakedown: …" on standard error, one line or several, and return false,
 * SHK_EXIT_BAD_INPUT and SHK_EXIT_INCOMPLETE. Control characters are escaped: the text may quote a
 * user or a file. On a terminal, lines are wrapped at its width, and nothing is cut; a file or a pipe
 * gets each line whole. */
bool shk_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define shk_bad_input(...) (shk_complain(__VA_ARGS__), (int)SHK_EXIT_BAD_INPUT)
#define shk_incomplete(...) (shk_complain(__VA_ARGS__), (int)SHK_EXIT_INCOMPLETE)
/* Returns `ok`, after printing the error if it is false. */
bool shk_accept(bool ok, const struct shk_message *error);
/* Prints lines, escaped in the same way, with `indent` blanks before all but the first, and ends
 * the last one; frees the text. */
void shk_print_lines(FILE *file, char *owned, int indent);
/* Prints lines on standard output, escaped in the same way. */
void shk_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints a point of TAP: "ok 3 - TEXT # SKIP WHY" and, as a comment below, a detail; NULL: none. */
void shk_tap_point(int number, bool ok, const char *text, const char *skip, const char *detail);

/* Escape sequence of a colour; "" if the file is not a terminal or colour is switched off
 * (NO_COLOR, TERM=dumb). */
enum shk_colour { SHK_PLAIN, SHK_BOLD, SHK_RED, SHK_GREEN, SHK_YELLOW };
const char *shk_colour(FILE *file, enum shk_colour colour);

/* Creates a folder for figures or a page unless it exists. Returns false after an error message
 * that names the option. */
bool shk_output_folder(const char *option, const char *path);

/* Maximal width of lines: the variable COLUMNS if it is set, else the width of the terminal, else
 * `otherwise`. 0 means no limit, as for a table that goes to a pipe. */
int shk_terminal_width(FILE *file, int otherwise);
/* Prints a line on standard output, wrapped at the width of the terminal, with `indent` blanks
 * before all but the first part, and ends it. */
void shk_print_line(const char *text, int indent);
/* Width of running text if the width of the terminal is not known. */
enum { SHK_USUAL_WIDTH = 80 };

/* Makes an empty table with these columns: "integrator|>step|#order", where > stands for alignment
 * to the right and # for numbers. */
void shk_columns(struct shk_table *table, const char *columns);
/* Prints a table on standard output; as text, at the width of the terminal. */
void shk_show_table(const struct shk_table *table, enum shk_format format);
void shk_show_and_clear(struct shk_table *table, enum shk_format format);

/* Returns words for a shell script, each quoted and after `before`; the caller frees them. */
char *shk_shell_words(const char *before, const char *const *words, int count);
/* Returns a word of a command to be printed, quoted only if a shell would read it otherwise; the
 * caller frees it. */
char *shk_shell_word(const char *word);

#endif
