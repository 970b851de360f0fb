/* Prints messages on a terminal, and defines the exit status that accompanies them. */
#ifndef CLI_SHARED_OUTPUT_TERMINAL_H
#define CLI_SHARED_OUTPUT_TERMINAL_H

#include "results/export/export.h"
#include <stdio.h>

/* The exit status of every command. */
enum shk_exit {
  SHK_EXIT_HELD = 0,      /* all claims held; refused cells count as results */
  SHK_EXIT_SHORT = 1,     /* a measured value contradicts its claim or is outside its band */
  SHK_EXIT_BAD_INPUT = 2, /* bad input: the command did not run to completion */
  /* a claim is undecided, or cells failed, stopped early or were interrupted */
  SHK_EXIT_INCOMPLETE = 3
};

/* Print "shakedown: …" to standard error, on one or more lines, and return false,
 * SHK_EXIT_BAD_INPUT and SHK_EXIT_INCOMPLETE, respectively. Control characters are escaped, because
 * the message may quote user input or a file. On a terminal, lines are wrapped at its width, and
 * nothing is truncated. In a file or a pipe, lines are not wrapped. */
bool shk_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define shk_bad_input(...) (shk_complain(__VA_ARGS__), (int)SHK_EXIT_BAD_INPUT)
#define shk_incomplete(...) (shk_complain(__VA_ARGS__), (int)SHK_EXIT_INCOMPLETE)
/* Returns `ok`. If `ok` is false, prints the error first. */
bool shk_accept(bool ok, const struct shk_message *error);
/* Prints lines, escaped in the same way, with all lines except the first indented by `indent`
 * blanks. Adds a newline at the end and frees the string. */
void shk_print_lines(FILE *file, char *owned, int indent);
/* Prints lines to standard output, escaped in the same way. */
void shk_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints a TAP point, such as "ok 3 - TEXT # SKIP WHY", followed by `detail` as a comment unless it
 * is NULL. */
void shk_tap_point(int number, bool ok, const char *text, const char *skip, const char *detail);

/* Returns the escape sequence for a colour, or "" if the file is not a terminal or colour is
 * disabled (NO_COLOR, TERM=dumb). */
enum shk_colour { SHK_PLAIN, SHK_BOLD, SHK_RED, SHK_GREEN, SHK_YELLOW };
const char *shk_colour(FILE *file, enum shk_colour colour);

/* Creates a folder for figures or a report page unless it already exists. On failure, prints an
 * error message that names the option, and returns false. */
bool shk_output_folder(const char *option, const char *path);

/* Returns the maximum line width: the value of the environment variable COLUMNS if it is set, the
 * width of the terminal if there is one, or else `otherwise`. A width of 0 means that there is no
 * limit, for example for a table that is written to a pipe. */
int shk_terminal_width(FILE *file, int otherwise);
/* Prints a line, followed by a newline, to standard output. The line is wrapped at the width of the
 * terminal, and continuation lines are indented by `indent` blanks. */
void shk_print_line(const char *text, int indent);
/* Text width that is used if the width of the terminal is unknown. */
enum { SHK_USUAL_WIDTH = 80 };

/* Initializes an empty table with columns given in the form "integrator|>step|#order", where >
 * means right-aligned, and # means that the column contains numbers. */
void shk_columns(struct shk_table *table, const char *columns);
/* Prints a table to standard output. A table in text format is fitted to the width of the
 * terminal. */
void shk_show_table(const struct shk_table *table, enum shk_format format);
void shk_show_and_clear(struct shk_table *table, enum shk_format format);

/* Returns the words in a form for use in a shell script, with each word quoted and preceded by
 * `before`. The caller frees the string. */
char *shk_shell_words(const char *before, const char *const *words, int count);
/* Returns a word in the form used in a printed command. The word is quoted only if a shell would
 * otherwise misinterpret it. The caller frees the string. */
char *shk_shell_word(const char *word);

#endif
