/* Decimal numbers as text: their length in a text and their canonical form. */
#ifndef FOUNDATION_NUMBER_H
#define FOUNDATION_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the length of the decimal number at the beginning of the text,
 *
 *     [+-] digits [. digits] [(e|E) [+-] digits]        (digits before or after the point)
 *
 * or 0 if there is none or its exponent is beyond ±99999. */
size_t shk_number_length(const char *text);

/* Stores the significant digits of `text`, which is a number, in `digits` (size at least
 * strlen(text) + 1). Returns the decimal exponent of the first digit. Zero has no digits. */
long shk_number_digits(char *digits, const char *text);

/* Returns the canonical form of a number that is the whole text: exact, without needless zeros and
 * signs, as 0.001, 1500, 1e-4 or 2.5e6; with `whole` never with an exponent. NULL if the text is no
 * number or, with `whole`, not a whole number of at most 18 digits. The caller frees it. */
char *shk_number_canonical(const char *text, bool whole);

/* Returns the canonical form of a number, for an angle also with the unit deg or rad; NULL for any
 * other text. The unit "rad" is left out, since it is the default. The caller frees it. */
char *shk_number_with_unit(const char *text, bool angle, bool whole);

#endif
