/* Decimal numbers as text: finding their length in a text, and their canonical form. */
#ifndef FOUNDATION_NUMBER_H
#define FOUNDATION_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the length of the decimal number at the beginning of the text,
 *
 *     [+-] digits [. digits] [(e|E) [+-] digits]        (digits before or after the point)
 *
 * or 0 if there is none or if its exponent is beyond ±99999. */
size_t shk_number_length(const char *text);

/* Stores the significant digits of `text`, which must be a number, in `digits` (size at least
 * strlen(text) + 1). Returns the decimal exponent of the first digit. Zero has no digits. */
long shk_number_digits(char *digits, const char *text);

/* Returns the canonical form of a text that is a number. It is exact and contains no unnecessary
 * zeros and signs, as in 0.001, 1500, 1e-4 or 2.5e6. If `whole` is true, it has no exponent.
 * Returns NULL if the text is not a number or, if `whole` is true, not a whole number of at most 18
 * digits. The caller frees the text. */
char *shk_number_canonical(const char *text, bool whole);

/* Returns the canonical form of a number. If `angle` is true, the number can have the unit deg or
 * rad. The canonical form omits rad, because it is the default. Returns NULL for any other text.
 * The caller frees the result. */
char *shk_number_with_unit(const char *text, bool angle, bool whole);

#endif
