/* INLINED marks functions that are compiled into their callers, so that constants known to the
 * caller are known inside too. */
#ifndef MECHANICS_ALGEBRA_INLINED_H
#define MECHANICS_ALGEBRA_INLINED_H

#define INLINED static inline __attribute__((always_inline))

#endif
