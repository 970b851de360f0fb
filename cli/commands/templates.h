/* Files made from templates that come with the program (cli/templates). */
#ifndef CLI_COMMANDS_TEMPLATES_H
#define CLI_COMMANDS_TEMPLATES_H

#include <stdbool.h>

/* A text of templates, such as "@name@", and its value; a list ends with an entry of NULL. */
struct shk_filling {
  const char *mark;
  char *value;
};

/* Writes a file, in place of an old one, from a template with all marks replaced. Returns false
 * after an error message. */
bool shk_fill_template(const char *path, const char *template_name,
                       const struct shk_filling *fillings);

/* Frees the values. */
void shk_clear_fillings(const struct shk_filling *fillings);

/* Writes the file NAME with the ending, which must not exist, for a user to start from: @name@
 * becomes the name and @symbol@ the name as a C identifier. Prints its name and suggests `shakedown
 * NEXT FILE`, or prints an error. Returns an enum shk_exit. */
int shk_begin_file(const char *name, const char *ending, const char *template_name,
                   const char *next);

/* Runs a script, which prints its own errors, with this descriptor as its standard output. Returns
 * its exit status; -1: it did not end by itself. */
int shk_run_script(char *path, int output);

#endif
