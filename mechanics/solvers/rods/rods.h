/*
 * Whether a system is what it declares of its rods (struct shk_rods).
 */
#ifndef MECHANICS_SOLVERS_RODS_RODS_H
#define MECHANICS_SOLVERS_RODS_RODS_H

#include <shakedown/system.h>

#define shk_rods_fault SHK_NAME(shk_rods_fault)
#define shk_rods_check SHK_NAME(shk_rods_check)

/* What speaks against the declaration before anything is evaluated: sizes, ends, features, masses
 * and the pattern of the Jacobian. NULL: nothing. Only for systems that declare rods. */
const char *shk_rods_fault(const struct shk_system *system);

/* What speaks against it at (t,q) as well: that or the first row of what the callbacks answer that
 * is not its rod's, beyond round-off. Writes an empty text if nothing does, or if the system
 * declares no rods. SHK_NO_MEMORY; SHK_STOPPED if a callback fails. */
struct shk_status shk_rods_check(const struct shk_system *system, char *text, size_t size, real t,
                                 const real *q);

#endif
