/*
 * The distance constraints that a system declares (struct shk_rods). The functions below compute
 * their vectors and check the declaration against the system's functions.
 */
#ifndef MECHANICS_SYSTEM_RODS_H
#define MECHANICS_SYSTEM_RODS_H

#include <shakedown/system.h>

/* For positions x, stores the vector d of rod i, which points from a to b. If `fixed` is NULL,
 * fixed points are at the origin. If x contains velocities, d is then the relative velocity. */
static inline void shk_rods_vector(real *d, const struct shk_rods *s, int i, const real *x,
                                   const real *fixed)
{
  const int a = s->rod[i].a, dimension = s->dimension;
  const real *to = x + (size_t)s->rod[i].b * (size_t)dimension;
  const real *from = a < 0 ? fixed : x;
  for (int j = 0; j < dimension; j++)
    d[j] = from ? to[j] - from[(size_t)(a < 0 ? -1 - a : a) * (size_t)dimension + j] : to[j];
}

/* Returns a description of the first error in the declaration, or NULL if there is none. Checks
 * everything that can be checked without evaluations: sizes, ends, features, masses and the pattern
 * of the Jacobian. The system must provide a declaration. */
const char *shk_rods_fault(const struct shk_system *system);

/* Returns SHK_REFUSED, with `sentence` as the reason, if the system declares no distance
 * constraints or declares them incorrectly. */
struct shk_status shk_rods_needed(const struct shk_system *system, const char *sentence);

/* Writes a description of the first error in the declaration, or of the first row that differs from
 * it at (t,q) by more than round-off. The description is empty if there is no error or no
 * declaration. Returns SHK_STOPPED if a callback fails. */
struct shk_status shk_rods_check(const struct shk_system *system, char *text, size_t size, real t,
                                 const real *q);

#endif
