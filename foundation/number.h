/* Handles decimal numbers as strings: determines their length and their canonical form. */
#ifndef FOUNDATION_NUMBER_H
#define FOUNDATION_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the length of the decimal number at the beginning of the string,
 *
 *     [+-] digits [. digits] [(e|E) [+-] digits]        (digits before or after the point)
 *
 * or 0 if there is no number or if the absolute value of its exponent exceeds 99999. */
size_t shk_number_length(const char *text);

/* Stores the significant digits of `text`, which must be a number, in `digits` (size at least
 * strlen(text) + 1). Returns the decimal exponent of the first digit. Zero has no significant
 * digits. */
long shk_number_digits(char *digits, const char *text);

/* Returns the canonical form of a number that is given as a string. The canonical form is exact and
 * contains no unnecessary zeros or signs, as in 0.001, 1500, 1e-4 or 2.5e6. If `whole` is true, it
 * has no exponent. Returns NULL if the string is not a number or, if `whole` is true, not a whole
 * number of at most 18 digits. The caller must free the result. */
char *shk_number_canonical(const char *text, bool whole);

/* Returns the canonical form of a number. If `angle` is true, the number can have the unit deg or
 * rad. The canonical form omits rad, because it is the default. Returns NULL for any other string.
 * The caller must free the result. */
char *shk_number_with_unit(const char *text, bool angle, bool whole);

#endif
