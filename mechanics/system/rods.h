/*
 * Whether a system has the rods that it declares (struct shk_rods).
 */
#ifndef MECHANICS_SYSTEM_RODS_H
#define MECHANICS_SYSTEM_RODS_H

#include <shakedown/system.h>

/* What is wrong with the declaration without evaluating anything: sizes, ends, features, masses and
 * the pattern of the Jacobian. NULL: nothing. Only for systems that declare rods. */
const char *shk_rods_fault(const struct shk_system *system);

/* SHK_REFUSED with the sentence where a system does not declare rods, or declares them wrongly. */
struct shk_status shk_rods_needed(const struct shk_system *system, const char *sentence);

/* What is wrong with the declaration, or the first row by the callbacks at (t,q) that differs from
 * its rod's by more than round-off. Writes an empty text if nothing is wrong, or if the system
 * declares no rods. SHK_NO_MEMORY; SHK_STOPPED if a callback fails. */
struct shk_status shk_rods_check(const struct shk_system *system, char *text, size_t size, real t,
                                 const real *q);

#endif
