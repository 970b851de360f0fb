/* Files made from templates that come with the program (cli/templates). */
#ifndef CLI_COMMANDS_TEMPLATES_H
#define CLI_COMMANDS_TEMPLATES_H

#include <stdbool.h>

/* A mark in templates, such as "@name@", and the text that replaces it; a list ends with a mark of
 * NULL. */
struct shk_filling {
  const char *mark;
  char *value;
};

/* Writes a file, in place of an old one, from a template with all marks replaced. Returns false
 * after an error message. */
bool shk_fill_template(const char *path, const char *template_name,
                       const struct shk_filling *fillings);

/* Frees the values of a list. */
void shk_clear_fillings(const struct shk_filling *fillings);

/* Writes NAME with the ending, a file that must not exist, for a user to start from: @name@ becomes
 * the name, and @symbol@ the name as a C identifier. Prints the file's name and suggests `shakedown
 * NEXT FILE`, or prints an error. Returns an enum shk_exit. */
int shk_begin_file(const char *name, const char *ending, const char *template_name,
                   const char *next);

/* Runs a script, which prints its own errors, with this descriptor as its standard output. Returns
 * its exit status; -1 if a signal ended it, or after an error message if it cannot be started. */
int shk_run_script(char *path, int output);

#endif
