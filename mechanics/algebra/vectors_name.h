/* Names of what is compiled once per precision and, in double, once per set of vector instructions:
 * these have the set's name, _avx2, behind that of the precision. */
#ifndef MECHANICS_ALGEBRA_VECTORS_NAME_H
#define MECHANICS_ALGEBRA_VECTORS_NAME_H

#include <shakedown/real.h>

#ifdef SHK_VECTORS
#define SHK_VECTORS_NAME(name) SHK_PASTE(SHK_NAME(name), SHK_VECTORS)
#else
#define SHK_VECTORS_NAME(name) SHK_NAME(name)
#endif

#endif
