/*
 * A system whose functions are watched: every call is made twice, with copies of its inputs and
 * with outputs that hold a NaN of our own, between guard words. Found is the first fault of each
 * function:
 *
 *     an entry of the output that was not written, or was added to
 *     a write beyond the output, or through an input
 *     different outputs for the same inputs
 *
 * A function that does not return 0 has no output. Reads beyond an input, and accesses to memory
 * that is not passed in the call, are not found.
 */
#ifndef MECHANICS_SYSTEM_AUDIT_H
#define MECHANICS_SYSTEM_AUDIT_H

#include <shakedown/system.h>

enum { SHK_AUDIT_FUNCTIONS = 32 };

struct shk_audit; /* the watch */

/* The largest number of entries that a function of the system writes. */
size_t shk_audit_room(const struct shk_system *system);

/* *watched becomes *system with watched functions; it must not outlive the audit, nor the audit
 * the system. NULL without memory. */
struct shk_audit *shk_audit_create(struct shk_system *watched, const struct shk_system *system);
void shk_audit_destroy(struct shk_audit *audit);

/* The functions called so far, in the order of their first call; the fault of each, NULL if there
 * is none. */
int shk_audit_count(const struct shk_audit *audit);
const char *shk_audit_function(const struct shk_audit *audit, int index);
const char *shk_audit_fault(const struct shk_audit *audit, int index);

/* The call after `call` - 1 others answers `returned` in place of its own answer, and leaves its
 * outputs alone; 0: none does. Whether it has. */
void shk_audit_fail(struct shk_audit *audit, long call, int returned);
bool shk_audit_has_failed(const struct shk_audit *audit);

/* Fills with a NaN that no computation makes by itself; the index of the first entry that still has
 * it, -1 if none. */
void shk_poison(real *values, size_t count);
long shk_poisoned(const real *values, size_t count);

#endif
