/* Starting files, made from templates that come with the program. */
#ifndef CLI_COMMANDS_TEMPLATES_H
#define CLI_COMMANDS_TEMPLATES_H

/* Writes NAME and the ending, a file which must not exist, from a template: @name@ becomes the name
 * and @symbol@ the name as a C identifier, with underscores. Says so and suggests `shakedown NEXT
 * FILE`, or complains. Returns an enum shk_exit. */
int shk_begin_file(const char *name, const char *ending, const char *template_name,
                   const char *next);

#endif
