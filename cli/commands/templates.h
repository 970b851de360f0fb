/* Makes files from templates that come with the program (cli/templates). */
#ifndef CLI_COMMANDS_TEMPLATES_H
#define CLI_COMMANDS_TEMPLATES_H

#include <stdbool.h>

/* A mark in templates, such as "@name@", and the text that replaces it. The last element of a list
 * has the mark NULL. */
struct shk_filling {
  const char *mark;
  char *value;
};

/* Writes a file from a template, with all marks replaced, and overwrites an existing file. On
 * failure prints an error message and returns false. */
bool shk_fill_template(const char *path, const char *template_name,
                       const struct shk_filling *fillings);

/* Frees the replacement texts of a list. */
void shk_clear_fillings(const struct shk_filling *fillings);

/* Writes the file NAME with this ending, which must not exist yet, as a starting point for a user.
 * @name@ becomes the name, and @symbol@ the name as a C identifier. Prints the file's name and
 * suggests `shakedown NEXT FILE`, or prints an error. Returns an enum shk_exit. */
int shk_begin_file(const char *name, const char *ending, const char *template_name,
                   const char *next);

/* Runs a script, which prints its own errors, with this descriptor as its standard output. Returns
 * the script's exit status, or -1 if it was ended by a signal. If the script cannot be started,
 * prints an error message and returns -1. */
int shk_run_script(char *path, int output);

#endif
