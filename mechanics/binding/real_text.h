/* Conversion of numbers of the type `real` from and to text. */
#ifndef MECHANICS_BINDING_REAL_TEXT_H
#define MECHANICS_BINDING_REAL_TEXT_H

#include <shakedown/parts/real.h>

/* Reads a text that consists of a decimal or hexadecimal number, optionally followed by the angle
 * unit `deg` or `rad` (degrees are converted to radians). If the text is anything else, or the
 * number is not finite, returns false and leaves *x unchanged. */
bool shk_real_parse(real *x, const char *text);

/* Writes x with enough significant digits to read back the same bits, or writes "nan", "inf" or
 * "-inf" if x is not finite. `size` is the size of the buffer, at least 48. */
void shk_real_format(char *buffer, size_t size, real x);

#endif
