/* Converts numbers of type `real` from and to text. */
#ifndef MECHANICS_BINDING_REAL_TEXT_H
#define MECHANICS_BINDING_REAL_TEXT_H

#include <shakedown/parts/real.h>

/* Parses a string that consists of a decimal or hexadecimal number, optionally followed by the
 * angle unit `deg` or `rad`. Degrees are converted to radians. If the string has any other form or
 * the number is not finite, returns false and leaves *x unchanged. */
bool shk_real_parse(real *x, const char *text);

/* Writes x with enough significant digits to recover the same bits when it is read back. If x is
 * not finite, writes "nan", "inf" or "-inf". `size`, the size of the buffer, must be at least
 * 48. */
void shk_real_format(char *buffer, size_t size, real x);

#endif
