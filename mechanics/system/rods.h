/*
 * The distance constraints that a system declares (struct shk_rods): their vectors, and a check of
 * the declaration against the system's functions.
 */
#ifndef MECHANICS_SYSTEM_RODS_H
#define MECHANICS_SYSTEM_RODS_H

#include <shakedown/system.h>

/* Stores the vector d of rod i, from a to b, at positions x. If `fixed` is NULL, fixed points are
 * at the origin, so that velocities in place of the positions x give the relative velocity. */
static inline void shk_rods_vector(real *d, const struct shk_rods *s, int i, const real *x,
                                   const real *fixed)
{
  const int a = s->rod[i].a, dimension = s->dimension;
  const real *to = x + (size_t)s->rod[i].b * (size_t)dimension;
  const real *from = a < 0 ? fixed : x;
  for (int j = 0; j < dimension; j++)
    d[j] = from ? to[j] - from[(size_t)(a < 0 ? -1 - a : a) * (size_t)dimension + j] : to[j];
}

/* Returns a description of what is wrong with the declaration, or NULL. Checks what can be checked
 * without evaluations: sizes, ends, features, masses and the pattern of the Jacobian. There must be
 * a declaration. */
const char *shk_rods_fault(const struct shk_system *system);

/* Returns SHK_REFUSED, with the sentence as the reason, if the system declares no distance
 * constraints or declares them incorrectly. */
struct shk_status shk_rods_needed(const struct shk_system *system, const char *sentence);

/* Writes a text that describes what is wrong with the declaration, or the first row that differs
 * from it at (t,q) by more than round-off. The text is empty if nothing is wrong or nothing is
 * declared. Returns SHK_STOPPED if a callback fails. */
struct shk_status shk_rods_check(const struct shk_system *system, char *text, size_t size, real t,
                                 const real *q);

#endif
