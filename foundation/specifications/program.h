/*
 * Specifications that run a program: those that are or contain `external(command="…")`,
 * `engine(command="…")` or `solver=program(command="…")`. They are refused unless the command line
 * allows them, so that an untrusted study cannot start programs.
 */
#ifndef FOUNDATION_SPECIFICATIONS_PROGRAM_H
#define FOUNDATION_SPECIFICATIONS_PROGRAM_H

#include "foundation/message.h"
#include "foundation/specifications/access.h"
#include <stdbool.h>

/* The protocol version of such programs. */
enum { SHK_PROGRAM_PROTOCOL = 1 };

/* Calls `visit`, unless NULL, with every command in an integrator's specification, in order, and
 * returns their number; 0 if the text is no specification. */
int shk_spec_programs(const char *spec, void (*visit)(void *user, const char *command), void *user);

/* False with the reason if the specification runs a program and that is not allowed. */
bool shk_programs_permit(const struct shk_access *access, const char *spec,
                         struct shk_message *error);

#endif
