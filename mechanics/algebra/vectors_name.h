/* What is compiled once per precision and, in double, once per set of vector instructions: its names, with
 * the set's, _avx2, behind that of the precision, and the one for the vectors in use. */
#ifndef MECHANICS_ALGEBRA_VECTORS_NAME_H
#define MECHANICS_ALGEBRA_VECTORS_NAME_H

#include "foundation/vector_sets.h"
#include <shakedown/real.h>

#ifdef SHK_VECTORS
#define SHK_VECTORS_NAME(name) SHK_PASTE(SHK_NAME(name), SHK_VECTORS)
#else
#define SHK_VECTORS_NAME(name) SHK_NAME(name)
#endif

/* Defines `function`, which returns the `name` (an object or a function of this type) in use. */
#if SHK_PRECISION == 64
#define SHK_IN_USE(function, type, name)                                                           \
  extern type name;                                                                                \
  SHK_VECTOR_SETS(SHK_OF_SET_DECLARED, type name##_f64)                                            \
  type *function(void)                                                                             \
  {                                                                                                \
    static type *const of_set[] = {&name SHK_VECTOR_SETS(SHK_OF_SET, name##_f64)};                 \
    return of_set[shk_vectors()];                                                                  \
  }
#define SHK_OF_SET_DECLARED(set, what) extern what##_##set;
#define SHK_OF_SET(set, name) , &name##_##set
#else /* no vector holds these numbers */
#define SHK_IN_USE(function, type, name)                                                           \
  extern type name;                                                                                \
  type *function(void)                                                                             \
  {                                                                                                \
    return &name;                                                                                  \
  }
#endif

#endif
