/* Files for users to start from, made from templates that come with the program. */
#ifndef CLI_COMMANDS_TEMPLATES_H
#define CLI_COMMANDS_TEMPLATES_H

/* Writes the file NAME with the ending, which must not exist, from a template: @name@ becomes the
 * name and @symbol@ the name as a C identifier. Prints its name and suggests `shakedown NEXT FILE`,
 * or prints an error. Returns an enum shk_exit. */
int shk_begin_file(const char *name, const char *ending, const char *template_name,
                   const char *next);

#endif
