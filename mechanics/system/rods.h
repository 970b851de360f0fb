/*
 * Check of the distance constraints that a system declares (struct shk_rods) against its functions.
 */
#ifndef MECHANICS_SYSTEM_RODS_H
#define MECHANICS_SYSTEM_RODS_H

#include <shakedown/system.h>

/* The fault of the declaration that shows without evaluations: sizes, ends, features, masses and
 * the pattern of the Jacobian. NULL: none. Only for systems that declare distance constraints. */
const char *shk_rods_fault(const struct shk_system *system);

/* SHK_REFUSED with the sentence if the system declares no distance constraints, or wrong ones. */
struct shk_status shk_rods_needed(const struct shk_system *system, const char *sentence);

/* text <- the fault of the declaration, or the first row at (t,q) that differs from it by more than
 * round-off; empty if there is none, or nothing is declared. SHK_NO_MEMORY; SHK_STOPPED if a
 * callback fails. */
struct shk_status shk_rods_check(const struct shk_system *system, char *text, size_t size, real t,
                                 const real *q);

#endif
