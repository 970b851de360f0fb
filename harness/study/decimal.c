/*
 * Exact decimal arithmetic on coefficients of at most 30 digits; see decimal.h. A 128-bit integer
 * has 38 digits, so that eight are left for intermediate results.
 */
#include "harness/study/decimal.h"

#include "foundation/memory.h"
#include "foundation/number.h"

#include <ctype.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { widest = 38 }; /* 10^38 < 2^128 */

static shk_wide power_of_ten(int exponent)
{
  shk_wide power = 1;
  while (exponent-- > 0)
    power *= 10;
  return power;
}

static int digit_count(shk_wide x)
{
  int count = 0;
  for (; x > 0; x /= 10)
    count++;
  return count;
}

static shk_wide greatest_common_divisor(shk_wide a, shk_wide b)
{
  while (b > 0) {
    const shk_wide rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* Normalizes the number: equal numbers get equal fields. Returns false if it is out of range. */
static bool normalize(struct shk_decimal *result, bool negative, shk_wide coefficient, int exponent)
{
  if (coefficient == 0) {
    *result = (struct shk_decimal){.negative = false};
    return true;
  }
  for (; coefficient % 10 == 0; coefficient /= 10)
    exponent++;
  if (digit_count(coefficient) > SHK_DECIMAL_DIGITS || abs(exponent) > SHK_DECIMAL_EXPONENT)
    return false;
  *result = (struct shk_decimal){negative, coefficient, exponent};
  return true;
}

bool shk_decimal_read(struct shk_decimal *x, const char *text)
{
  const size_t length = shk_number_length(text);
  if (length == 0 || text[length] != '\0')
    return false;
  shk_wide coefficient = 0;
  int exponent = 0;
  int zeros = 0; /* zeros since the last other digit; stored only if another digit follows */
  bool fraction = false;
  const char *at = text;
  for (; *at && *at != 'e' && *at != 'E'; at++) {
    if (*at == '.')
      fraction = true;
    if (!isdigit((unsigned char)*at))
      continue;
    exponent -= fraction;
    if (*at == '0') {
      zeros += coefficient > 0;
      continue;
    }
    if (digit_count(coefficient) + zeros + 1 > SHK_DECIMAL_DIGITS)
      return false;
    coefficient = coefficient * power_of_ten(zeros + 1) + (shk_wide)(*at - '0');
    zeros = 0;
  }
  if (*at)
    exponent += atoi(at + 1);
  return normalize(x, *text == '-', coefficient, exponent + zeros);
}

struct shk_decimal shk_decimal_from_integer(long long x)
{
  struct shk_decimal result;
  const unsigned long long size = x < 0 ? 0 - (unsigned long long)x : (unsigned long long)x;
  normalize(&result, x < 0, size, 0); /* 19 digits at most */
  return result;
}

bool shk_decimal_round(struct shk_decimal *x, double value, int digits)
{
  const double size = fabs(value);
  if (!(size > 1e-25 && size < 1e30) || digits < 1 || digits > 6)
    return false;
  /* The value is exactly whole · 2^twos, and whole · 2^twos / 10^exponent is rounded. */
  int twos;
  const double whole = ldexp(frexp(size, &twos), DBL_MANT_DIG);
  const int exponent = (int)floor(log10(size)) + 1 - digits;
  twos -= DBL_MANT_DIG + exponent;
  shk_wide above = (shk_wide)whole, below = 1;
  for (int i = 0; i < abs(exponent); i++)
    *(exponent < 0 ? &above : &below) *= 5;
  *(twos < 0 ? &below : &above) <<= abs(twos);
  shk_wide rounded = above / below;
  const shk_wide twice = 2 * (above % below);
  rounded += twice > below || (twice == below && rounded % 2 != 0);
  return normalize(x, value < 0, rounded, exponent);
}

/* Canonical text has the form -ddd…e±n. */
char *shk_decimal_text(struct shk_decimal x)
{
  char buffer[64], digits[widest + 2];
  char *first = digits + sizeof digits - 1;
  *first = '\0';
  do {
    *--first = (char)('0' + (int)(x.coefficient % 10));
    x.coefficient /= 10;
  } while (x.coefficient > 0);
  snprintf(buffer, sizeof buffer, "%s%se%d", x.negative ? "-" : "", first, x.exponent);
  return shk_number_canonical(buffer, false);
}

/* Returns the double nearest to above/below, both positive and below at most 10^38: it computes
 * more binary digits than a double has, and one for the remainder. */
static double quotient_of(shk_wide above, shk_wide below)
{
  shk_wide quotient = above / below, rest = above % below;
  int shift = 0;
  for (; quotient < (shk_wide)1 << 62; shift++) {
    rest *= 2;
    quotient = 2 * quotient + (rest >= below);
    rest -= rest >= below ? below : 0;
  }
  return ldexp((double)(quotient | (rest != 0)), -shift);
}

double shk_decimal_approximate(struct shk_decimal x)
{
  enum { apart = 22 }; /* 10^22 is exactly a double */
  if (x.coefficient == 0)
    return 0;
  if (x.exponent < -widest) {
    x.exponent += apart;
    return shk_decimal_approximate(x) / 1e22;
  }
  if (digit_count(x.coefficient) + x.exponent > widest) {
    x.exponent -= apart;
    return shk_decimal_approximate(x) * 1e22;
  }
  const double size = x.exponent < 0 ? quotient_of(x.coefficient, power_of_ten(-x.exponent))
                                     : (double)(x.coefficient * power_of_ten(x.exponent));
  return x.negative ? -size : size;
}

static int compare_sizes(struct shk_decimal a, struct shk_decimal b)
{
  if (a.coefficient == 0 || b.coefficient == 0)
    return (a.coefficient > 0) - (b.coefficient > 0);
  const int a_places = digit_count(a.coefficient) + a.exponent;
  const int b_places = digit_count(b.coefficient) + b.exponent;
  if (a_places != b_places)
    return a_places < b_places ? -1 : 1;
  /* With equal leading positions, shifting one makes it as long as the other. */
  if (a.exponent > b.exponent)
    a.coefficient *= power_of_ten(a.exponent - b.exponent);
  else
    b.coefficient *= power_of_ten(b.exponent - a.exponent);
  return (a.coefficient > b.coefficient) - (a.coefficient < b.coefficient);
}

int shk_decimal_compare(struct shk_decimal a, struct shk_decimal b)
{
  if (a.negative != b.negative)
    return a.negative ? -1 : 1;
  return a.negative ? compare_sizes(b, a) : compare_sizes(a, b);
}

bool shk_decimal_is_multiple(long long *k, struct shk_decimal a, struct shk_decimal b)
{
  if (b.coefficient == 0)
    return false;
  if (a.coefficient == 0) {
    *k = 0;
    return true;
  }
  if (compare_sizes(a, b) < 0)
    return false;
  /* Since |a| ≥ |b|, a shift of b cannot be longer than a. */
  for (; b.exponent > a.exponent; b.exponent--)
    b.coefficient *= 10;
  shk_wide quotient = a.coefficient / b.coefficient, rest = a.coefficient % b.coefficient;
  for (; a.exponent > b.exponent; a.exponent--) {
    if (quotient > LLONG_MAX)
      return false;
    rest *= 10; /* rest < b < 10^30 */
    quotient = 10 * quotient + rest / b.coefficient;
    rest %= b.coefficient;
  }
  if (rest != 0 || quotient > LLONG_MAX)
    return false;
  *k = a.negative == b.negative ? (long long)quotient : -(long long)quotient;
  return true;
}

bool shk_decimal_multiply(struct shk_decimal *result, struct shk_decimal a, long long k)
{
  const struct shk_decimal factor = shk_decimal_from_integer(k);
  if (factor.coefficient != 0 && a.coefficient > ~(shk_wide)0 / factor.coefficient)
    return false;
  return normalize(result, a.negative != factor.negative && factor.coefficient != 0,
                   a.coefficient * factor.coefficient, a.exponent + factor.exponent);
}

bool shk_decimal_divide(struct shk_decimal *result, struct shk_decimal a, struct shk_decimal b)
{
  if (b.coefficient == 0)
    return false;
  if (a.coefficient == 0)
    return normalize(result, false, 0, 0);
  const shk_wide common = greatest_common_divisor(a.coefficient, b.coefficient);
  shk_wide above = a.coefficient / common, below = b.coefficient / common;
  int exponent = a.exponent - b.exponent;
  /* The remaining denominator must be 2^i 5^j; each factor costs one place: 1/2 = 5/10, 1/5 =
   * 2/10. */
  while (below % 10 == 0) {
    below /= 10;
    exponent--;
  }
  while (below > 1) {
    const int factor = below % 2 == 0 ? 5 : 2;
    if (below % 2 != 0 && below % 5 != 0)
      return false;
    if (digit_count(above) > SHK_DECIMAL_DIGITS)
      return false;
    above *= (unsigned)factor;
    below /= (unsigned)(10 / factor);
    exponent--;
  }
  return normalize(result, a.negative != b.negative, above, exponent);
}

bool shk_decimal_halve(struct shk_decimal *result, struct shk_decimal a)
{
  return shk_decimal_divide(result, a, shk_decimal_from_integer(2));
}

bool shk_decimal_common_multiple(struct shk_decimal *result, struct shk_decimal a,
                                 struct shk_decimal b)
{
  const int exponent = a.exponent < b.exponent ? a.exponent : b.exponent;
  if (digit_count(a.coefficient) + a.exponent - exponent > widest ||
      digit_count(b.coefficient) + b.exponent - exponent > widest)
    return false;
  const shk_wide x = a.coefficient * power_of_ten(a.exponent - exponent);
  const shk_wide y = b.coefficient * power_of_ten(b.exponent - exponent);
  const shk_wide common = greatest_common_divisor(x, y);
  if (common == 0 || x / common > ~(shk_wide)0 / y)
    return false;
  return normalize(result, false, x / common * y, exponent);
}

void shk_numbers_add(struct shk_numbers *numbers, struct shk_decimal x)
{
  const size_t count = (size_t)numbers->count++;
  numbers->exact = shk_grow(numbers->exact, count, sizeof *numbers->exact);
  numbers->texts = shk_grow(numbers->texts, count, sizeof *numbers->texts);
  numbers->values = shk_grow(numbers->values, count, sizeof *numbers->values);
  numbers->exact[count] = x;
  numbers->texts[count] = shk_decimal_text(x);
  numbers->values[count] = shk_decimal_approximate(x);
}

void shk_numbers_clear(struct shk_numbers *numbers)
{
  shk_free_texts(numbers->texts, numbers->count);
  free(numbers->exact);
  free(numbers->values);
  *numbers = (struct shk_numbers){.count = 0};
}
