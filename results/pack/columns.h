/*
 * A text in which the same numbers stand again and again, a little changed, as the states at the
 * sample times do: what is left without its numbers, and each number over all times as a column of
 * differences.
 *
 * Bytes: the size of the rest in four bytes, the rest, in which a byte 1 stands for each number, and
 * the columns in the order of their first numbers. A column has the numbers of one place after one
 * name (a quoted string before a colon; blanks part places). It is how many decimals its numbers
 * have, how often differences of neighbours were taken, and how many bytes an integer has, a byte
 * each, and the integers, their sign in the lowest bit, of each its lowest byte, then of each the
 * next …. A number is an integer over 10^decimals: zeros at its end are not written. Sums are
 * modulo 2^192.
 *
 * Numbers with an exponent stay in the rest.
 */
#ifndef RESULTS_PACK_COLUMNS_H
#define RESULTS_PACK_COLUMNS_H

#include <stddef.h>

enum { SHK_SIZE_BYTES = 4 };

/* A size in four bytes, the lowest first. */
void shk_put_size(unsigned char *at, size_t size);
size_t shk_get_size(const unsigned char *at);

/* Memory that the caller frees; NULL if few numbers stand again, or the text has a byte 1. */
unsigned char *shk_columns_of(const char *text, size_t *size);
/* NULL unless the bytes are such, and become a text of at most so many bytes. */
char *shk_columns_text(const unsigned char *bytes, size_t size, size_t most);

#endif
