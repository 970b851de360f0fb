/* For functions that what calls them is compiled with, so that what is known there is known in
 * them. */
#ifndef MECHANICS_ALGEBRA_INLINED_H
#define MECHANICS_ALGEBRA_INLINED_H

#define INLINED static inline __attribute__((always_inline))

#endif
