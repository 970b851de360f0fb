/* Creates files from the templates that come with the program (cli/templates). */
#ifndef CLI_COMMANDS_TEMPLATES_H
#define CLI_COMMANDS_TEMPLATES_H

#include <stdbool.h>

/* A placeholder in templates, such as "@name@", and the text that replaces it. In the last element
 * of a list, `mark` is NULL. */
struct shk_filling {
  const char *mark;
  char *value;
};

/* Writes a file from a template, replacing all placeholders. An existing file is overwritten. On
 * failure, prints an error message and returns false. */
bool shk_fill_template(const char *path, const char *template_name,
                       const struct shk_filling *fillings);

/* Frees the replacement texts of a list. */
void shk_clear_fillings(const struct shk_filling *fillings);

/* Creates a file from a template, as a starting point for the user. The file is called NAME plus
 * the given ending, and must not exist yet. @name@ is replaced with the name, and @symbol@ with the
 * name as a C identifier. Prints the name of the file and suggests `shakedown NEXT FILE`, or prints
 * an error message. Returns an enum shk_exit. */
int shk_begin_file(const char *name, const char *ending, const char *template_name,
                   const char *next);

/* Runs a script with the given descriptor as its standard output. The script prints its own errors.
 * Returns the script's exit status, or -1 if it was killed by a signal. If the script cannot be
 * started, prints an error message and returns -1. */
int shk_run_script(char *path, int output);

#endif
