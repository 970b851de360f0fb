/* Numbers of the type `real` as text. */
#ifndef MECHANICS_BINDING_REAL_TEXT_H
#define MECHANICS_BINDING_REAL_TEXT_H

#include <shakedown/parts/real.h>

/* Reads a decimal or hexadecimal number that fills the whole text, optionally followed by an angle
 * unit `deg` or `rad` (deg is converted to radians). False, with *x unchanged, if the text is
 * anything else or not finite. */
bool shk_real_parse(real *x, const char *text);

/* Writes x with as many significant digits as reading needs to return the same bits; "nan", "inf"
 * and "-inf" if it is not finite. size: of the buffer, at least 48. */
void shk_real_format(char *buffer, size_t size, real x);

#endif
