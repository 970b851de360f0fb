/*
 * Exact decimal arithmetic, for what a plan needs of steps, horizons and sample times: never a
 * rounding, so that "is a multiple of" has one answer. At most 30 significant digits.
 */
#ifndef HARNESS_STUDY_DECIMAL_H
#define HARNESS_STUDY_DECIMAL_H

#include <stdbool.h>

__extension__ typedef unsigned __int128 shk_wide;

enum { SHK_DECIMAL_DIGITS = 30, SHK_DECIMAL_EXPONENT = 9999 };

/* ± coefficient · 10^exponent; the coefficient does not end in zero, and zero has exponent 0 and no
 * sign, so that equal numbers have equal fields. */
struct shk_decimal {
  bool negative;
  shk_wide coefficient;
  int exponent;
};

/* Reads a number that fills the text (foundation/number.h). False, *x untouched, if it is none, has
 * more than 30 significant digits or an exponent beyond ±9999. */
bool shk_decimal_read(struct shk_decimal *x, const char *text);
struct shk_decimal shk_decimal_from_integer(long long x);
/* Canonical text, as shk_number_canonical writes it. The caller frees it. */
char *shk_decimal_text(struct shk_decimal x);
/* The nearest double, where the number has no more than 38 places on either side of the point. */
double shk_decimal_approximate(struct shk_decimal x);
/* Rounds to so many digits, six at most; of two that are as near, to the even one, as printf does.
 * False, *x untouched, beyond 1e-25 and 1e30 in size. */
bool shk_decimal_round(struct shk_decimal *x, double value, int digits);

/* -1, 0 or 1 as a is below, equal to or above b. */
int shk_decimal_compare(struct shk_decimal a, struct shk_decimal b);
/* Whether a = k b for a whole number k, then *k. False if b is zero or k beyond long long. */
bool shk_decimal_is_multiple(long long *k, struct shk_decimal a, struct shk_decimal b);

/* Each returns false, *result untouched, where the exact result is no decimal of 30 digits (or does
 * not exist). The result may be one of the arguments' variables. */
bool shk_decimal_multiply(struct shk_decimal *result, struct shk_decimal a, long long k);
bool shk_decimal_divide(struct shk_decimal *result, struct shk_decimal a, struct shk_decimal b);
bool shk_decimal_halve(struct shk_decimal *result, struct shk_decimal a);
/* The least positive number that is a whole multiple of a and of b, both positive. */
bool shk_decimal_common_multiple(struct shk_decimal *result, struct shk_decimal a,
                                 struct shk_decimal b);

/* A list of numbers: exactly; as the texts that cells have; and as doubles, to order and draw
 * by. */
struct shk_numbers {
  int count;
  struct shk_decimal *exact;
  char **texts;
  double *values;
};

void shk_numbers_add(struct shk_numbers *numbers, struct shk_decimal x);
void shk_numbers_clear(struct shk_numbers *numbers);

#endif
