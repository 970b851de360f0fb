/*
 * Specifications that run a program: those that are or contain `external(command="…")`,
 * `engine(command="…")` or `solver=program(command="…")`. They are refused unless the command line
 * allows them: a study from a stranger starts nothing.
 */
#ifndef FOUNDATION_SPECIFICATIONS_PROGRAM_H
#define FOUNDATION_SPECIFICATIONS_PROGRAM_H

#include "foundation/message.h"
#include "foundation/specifications/access.h"
#include <stdbool.h>

/* The version of the protocols that such programs speak. */
enum { SHK_PROGRAM_PROTOCOL = 1 };

/* Calls `visit`, unless NULL, with every command in an integrator's specification, in order;
 * returns their number. A text that is no specification has none. */
int shk_spec_programs(const char *spec, void (*visit)(void *user, const char *command), void *user);

/* False with the reason if the specification runs a program and that is not allowed. */
bool shk_programs_permit(const struct shk_access *access, const char *spec,
                         struct shk_message *error);

#endif
