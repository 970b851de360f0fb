/* Files to begin with, made from templates that come with the program. */
#ifndef CLI_COMMANDS_TEMPLATES_H
#define CLI_COMMANDS_TEMPLATES_H

#include <stdbool.h>

/* Whether the name is one of lower-case letters, digits and single dashes that begins with a letter
 * and has at most 48: what problems and integrators may be called. */
bool shk_is_name(const char *name);

/* Writes NAME and the ending, a file which must not exist, from a template: @name@ becomes the name
 * and @symbol@ the name with underscores for everything that C does not take in one. Says so, and
 * that `shakedown NEXT FILE` is the next thing to try, or complains. An enum shk_exit. */
int shk_begin_file(const char *name, const char *ending, const char *template_name,
                   const char *next);

#endif
