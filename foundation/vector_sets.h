/*
 * The vector instructions that inner loops are compiled for, beside those that every processor of the
 * kind has (`vector_sets` in meson.build): the numbers are the same with all of them, to the bit.
 */
#ifndef FOUNDATION_VECTOR_SETS_H
#define FOUNDATION_VECTOR_SETS_H

#include "build_parts.h"

#include <stdbool.h>

/* SHK_VECTOR_SETS(X, what): X(name, what) for each set beyond the portable one, the widest last. */
#define SHK_VECTOR_SET(name, prefix) prefix##name,
enum shk_vector_set {
  SHK_VECTORS_portable,
  SHK_VECTOR_SETS(SHK_VECTOR_SET, SHK_VECTORS_) SHK_VECTOR_SET_COUNT
};
#undef SHK_VECTOR_SET

const char *shk_vector_set_name(enum shk_vector_set set);
/* Whether this processor can run it. */
bool shk_vector_set_runs(enum shk_vector_set set);
enum { SHK_VECTOR_SETS_TEXT = 64 };
/* Those that it can run: "portable, avx2". */
void shk_vector_sets_that_run(char text[SHK_VECTOR_SETS_TEXT]);

/* The one in use: the widest that this processor can run, or what the environment variable
 * SHAKEDOWN_VECTORS names. It is found at the first call and stays. */
enum shk_vector_set shk_vectors(void);
/* Whether SHAKEDOWN_VECTORS is unset or names a set that can run here; otherwise it has no effect. */
bool shk_vectors_are_given_well(void);

#endif
