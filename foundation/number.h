/* Decimal numbers as text: where one ends, and the one way in which it is written. */
#ifndef FOUNDATION_NUMBER_H
#define FOUNDATION_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/* The length of the decimal number that the text begins with,
 *
 *     [+-] digits [. digits] [(e|E) [+-] digits]        (digits before or after the point)
 *
 * or 0 if it begins with none. Exponents beyond ±99999 are refused too. */
size_t shk_number_length(const char *text);

/* The number that fills the whole text, written in the one way that stands for it: exact, of any
 * length, without needless zeros and signs, plain where that takes few zeros (0.001, 1500), else as
 * 1e-4 or 2.5e6. With `whole` always plain, and NULL if the number is not whole or longer than 18
 * digits. NULL too if the text is no number. The caller frees it. */
char *shk_number_canonical(const char *text, bool whole);

/* Canonical text of a number, for an angle with or without the unit deg or rad; NULL if it is
 * anything else. "rad" is the unit that a bare number has, so it is left out. The caller frees it.
 */
char *shk_number_with_unit(const char *text, bool angle, bool whole);

#endif
