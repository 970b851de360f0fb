/*
 * Check of the distance constraints that a system declares (struct shk_rods) against its functions.
 */
#ifndef MECHANICS_SYSTEM_RODS_H
#define MECHANICS_SYSTEM_RODS_H

#include <shakedown/system.h>

/* Returns a fault of the declaration that is found without evaluations: sizes, ends, features,
 * masses and the pattern of the Jacobian. NULL: none. There must be a declaration. */
const char *shk_rods_fault(const struct shk_system *system);

/* SHK_REFUSED with the sentence if the system declares no distance constraints, or wrong ones. */
struct shk_status shk_rods_needed(const struct shk_system *system, const char *sentence);

/* Writes the fault of the declaration, or the first row at (t,q) that differs from it by more than
 * round-off; "" if there is none or nothing is declared. SHK_STOPPED if a callback fails. */
struct shk_status shk_rods_check(const struct shk_system *system, char *text, size_t size, real t,
                                 const real *q);

#endif
