/* Files to begin with, made from templates that come with the program. */
#ifndef CLI_TEMPLATES_H
#define CLI_TEMPLATES_H

#include "foundation/message.h"
#include <stdbool.h>

/* Whether the name is one of lower-case letters, digits and single dashes that begins with a letter
 * and has at most 48: what problems and integrators may be called. */
bool shk_is_name(const char *name);

/* Writes `path`, which must not exist, from a template: @name@ becomes the name and @symbol@ the
 * name with underscores for everything that C does not take in one. False with the reason. */
bool shk_write_template(const char *path, const char *template_name, const char *name,
                        struct shk_message *error);

#endif
