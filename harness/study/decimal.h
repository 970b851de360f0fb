/*
 * Exact decimal arithmetic for the steps, horizons and sample times of a plan. Because the
 * arithmetic is exact, it reveals whether one number is a multiple of another. Numbers have at most
 * 30 significant digits.
 */
#ifndef HARNESS_STUDY_DECIMAL_H
#define HARNESS_STUDY_DECIMAL_H

#include <stdbool.h>

__extension__ typedef __int128 shk_wide;

enum { SHK_DECIMAL_DIGITS = 30, SHK_DECIMAL_EXPONENT = 9999 };

/* The number coefficient · 10^exponent. The last digit of the coefficient is not zero, and the
 * number zero has exponent 0. Equal numbers therefore have equal fields. */
struct shk_decimal {
  shk_wide coefficient;
  int exponent;
};

/* Parses a number (foundation/number.h). If the string is not a number, has more than 30
 * significant digits, or has an exponent outside ±9999, returns false and leaves *x unchanged. */
bool shk_decimal_read(struct shk_decimal *x, const char *text);
struct shk_decimal shk_decimal_from_integer(long long x);
/* Returns the number as a canonical string, in the format of shk_number_canonical. The caller frees
 * the string. */
char *shk_decimal_text(struct shk_decimal x);
/* Returns the nearest double. */
double shk_decimal_approximate(struct shk_decimal x);
/* Rounds a value to `digits` digits (1 to 6). Ties are rounded to even, as in printf. If `digits`
 * is out of range, or if the absolute value is outside 1e-25 … 1e30, returns false and leaves *x
 * unchanged. */
bool shk_decimal_round(struct shk_decimal *x, double value, int digits);

/* Returns -1, 0 or 1 if a is less than, equal to or greater than b, respectively. */
int shk_decimal_compare(struct shk_decimal a, struct shk_decimal b);
/* Returns true if a = k b for some integer k, and stores k in *k. Returns false if b is zero or if
 * k does not fit into a long long. */
bool shk_decimal_is_multiple(long long *k, struct shk_decimal a, struct shk_decimal b);

/* If the exact result is undefined or is not a decimal number of at most 30 digits, each of these
 * functions returns false and leaves *result unchanged. *result may be one of the arguments. */
bool shk_decimal_multiply(struct shk_decimal *result, struct shk_decimal a, long long k);
bool shk_decimal_divide(struct shk_decimal *result, struct shk_decimal a, struct shk_decimal b);
bool shk_decimal_part(struct shk_decimal *result, struct shk_decimal a, long long k); /* a/k */
/* Computes the least common multiple of a and b, which must be positive. */
bool shk_decimal_common_multiple(struct shk_decimal *result, struct shk_decimal a,
                                 struct shk_decimal b);

/* Returns the smallest number of the form 2^a 5^b that is greater than n, where n must be positive
 * and less than 1e18. */
long long shk_next_2_5(long long n);

/* Finds a decimal number until/N near h, where until and h are positive. N is the integer closest
 * to until/h for which the quotient is a finite decimal. Returns false if there is no such integer
 * within 20,000 of until/h. */
bool shk_decimal_nearest_part(struct shk_decimal *best, struct shk_decimal until, double h);

/* A list of numbers, stored as exact values, as strings for cells, and as doubles for sorting and
 * plotting. */
struct shk_numbers {
  int count;
  struct shk_decimal *exact;
  char **texts;
  double *values;
};

void shk_numbers_add(struct shk_numbers *numbers, struct shk_decimal x);
/* Divides each number by `part` and stores the quotients, stopping at the first number that is not
 * an integer multiple of `part`. Returns the number of quotients. */
int shk_numbers_divide(long long *multiples, const struct shk_numbers *numbers,
                       struct shk_decimal part);
void shk_numbers_clear(struct shk_numbers *numbers);

#endif
