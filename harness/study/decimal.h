/*
 * Exact decimal arithmetic for the steps, horizons and sample times of a plan. Without rounding, a
 * number either is a multiple of another number or is not. Numbers have at most 30 significant
 * digits.
 */
#ifndef HARNESS_STUDY_DECIMAL_H
#define HARNESS_STUDY_DECIMAL_H

#include <stdbool.h>

__extension__ typedef __int128 shk_wide;

enum { SHK_DECIMAL_DIGITS = 30, SHK_DECIMAL_EXPONENT = 9999 };

/* The number coefficient · 10^exponent. The coefficient does not end in zero, and zero has exponent
 * 0, so equal numbers have equal fields. */
struct shk_decimal {
  shk_wide coefficient;
  int exponent;
};

/* Reads a text that is a number (foundation/number.h). If it is not a number, or if it has more
 * than 30 significant digits or an exponent outside ±9999, returns false and leaves *x
 * unchanged. */
bool shk_decimal_read(struct shk_decimal *x, const char *text);
struct shk_decimal shk_decimal_from_integer(long long x);
/* Returns the canonical text, as shk_number_canonical writes it. The caller frees it. */
char *shk_decimal_text(struct shk_decimal x);
/* Returns the nearest double. */
double shk_decimal_approximate(struct shk_decimal x);
/* Rounds to `digits` digits, from 1 to 6. Ties are rounded to even, as printf does. For any other
 * number of digits, and for absolute values outside 1e-25 … 1e30, returns false and leaves *x
 * unchanged. */
bool shk_decimal_round(struct shk_decimal *x, double value, int digits);

/* Returns -1, 0 or 1 if a is below, equal to or above b. */
int shk_decimal_compare(struct shk_decimal a, struct shk_decimal b);
/* Returns true if a = k b for a whole number k, and stores k in *k. Returns false if b is zero or
 * if k does not fit into a long long. */
bool shk_decimal_is_multiple(long long *k, struct shk_decimal a, struct shk_decimal b);

/* If there is no exact result, or if it is not a decimal of at most 30 digits, each of these
 * functions returns false and leaves *result unchanged. *result may be one of the arguments. */
bool shk_decimal_multiply(struct shk_decimal *result, struct shk_decimal a, long long k);
bool shk_decimal_divide(struct shk_decimal *result, struct shk_decimal a, struct shk_decimal b);
bool shk_decimal_part(struct shk_decimal *result, struct shk_decimal a, long long k); /* a/k */
/* Computes the least common multiple of a and b, which must be positive. */
bool shk_decimal_common_multiple(struct shk_decimal *result, struct shk_decimal a,
                                 struct shk_decimal b);

/* Returns the smallest number of the form 2^a 5^b that is above n. n must be positive and below
 * 1e18. */
long long shk_next_2_5(long long n);

/* Finds a decimal until/N near h, where until and h are positive. N is the whole number closest to
 * until/h for which the quotient is a decimal. Returns false if there is no such number within
 * 20,000. */
bool shk_decimal_nearest_part(struct shk_decimal *best, struct shk_decimal until, double h);

/* A list of numbers: as exact values, as texts for cells, and as doubles for sorting and
 * drawing. */
struct shk_numbers {
  int count;
  struct shk_decimal *exact;
  char **texts;
  double *values;
};

void shk_numbers_add(struct shk_numbers *numbers, struct shk_decimal x);
/* Divides each number by `part` and stores the quotients, up to the first number that is not a
 * whole multiple of `part`. Returns the number of quotients. */
int shk_numbers_divide(long long *multiples, const struct shk_numbers *numbers,
                       struct shk_decimal part);
void shk_numbers_clear(struct shk_numbers *numbers);

#endif
