/*
 * Exact decimal arithmetic with coefficients of at most 30 digits. See decimal.h. A 128-bit integer
 * has 38 digits, which leaves eight for intermediate results.
 */
#include "harness/study/decimal.h"

#include "foundation/memory.h"
#include "foundation/number.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { widest = 38 }; /* 10^38 < 2^127 */

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
  for (; x != 0; x /= 10)
    count++;
  return count;
}

static int sign_of_wide(shk_wide x)
{
  return (x > 0) - (x < 0);
}

/* Returns the greatest common divisor, with the sign of either a or b. */
static shk_wide common_divisor(shk_wide a, shk_wide b)
{
  while (b != 0) {
    const shk_wide rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* Stores a number in its normalized form, in which equal numbers have equal fields. If the number
 * is out of range, returns false and leaves *result unchanged. */
static bool normalize_decimal(struct shk_decimal *result, shk_wide coefficient, int exponent)
{
  for (; coefficient != 0 && coefficient % 10 == 0; coefficient /= 10)
    exponent++;
  if (coefficient == 0)
    exponent = 0;
  if (digit_count(coefficient) > SHK_DECIMAL_DIGITS || abs(exponent) > SHK_DECIMAL_EXPONENT)
    return false;
  *result = (struct shk_decimal){coefficient, exponent};
  return true;
}

bool shk_decimal_read(struct shk_decimal *x, const char *text)
{
  const size_t length = shk_number_length(text);
  if (length == 0 || text[length] != '\0')
    return false;
  char *const digits = shk_allocate(length + 1, 1);
  const long first = shk_number_digits(digits, text);
  const int count = (int)strlen(digits);
  shk_wide coefficient = 0;
  for (int i = 0; i < count && count <= SHK_DECIMAL_DIGITS; i++)
    coefficient = 10 * coefficient + (digits[i] - '0');
  free(digits);
  return count <= SHK_DECIMAL_DIGITS &&
         normalize_decimal(x, *text == '-' ? -coefficient : coefficient, (int)first + 1 - count);
}

struct shk_decimal shk_decimal_from_integer(long long x)
{
  struct shk_decimal result;
  normalize_decimal(&result, x, 0); /* at most 19 digits */
  return result;
}

bool shk_decimal_round(struct shk_decimal *x, double value, int digits)
{
  const double size = fabs(value);
  char text[32];
  if (!(size > 1e-25 && size < 1e30) || digits < 1 || digits > 6)
    return false;
  snprintf(text, sizeof text, "%.*e", digits - 1, value);
  return shk_decimal_read(x, text);
}

char *shk_decimal_text(struct shk_decimal x)
{
  enum { low = 19 };
  const shk_wide split = power_of_ten(low), size = x.coefficient * sign_of_wide(x.coefficient);
  char buffer[64];
  snprintf(buffer, sizeof buffer, "%s%llu%0*llue%d", x.coefficient < 0 ? "-" : "",
           (unsigned long long)(size / split), low, (unsigned long long)(size % split), x.exponent);
  return shk_number_canonical(buffer, false);
}

double shk_decimal_approximate(struct shk_decimal x)
{
  char *const text = shk_decimal_text(x);
  const double value = strtod(text, NULL);
  free(text);
  return value;
}

/* Converts both numbers to the smaller of their two exponents. Returns false if a coefficient would
 * then need more than 38 digits. */
static bool align_exponents(struct shk_decimal *a, struct shk_decimal *b)
{
  struct shk_decimal *const wide = a->exponent > b->exponent ? a : b;
  const int exponent = wide == a ? b->exponent : a->exponent;
  if (digit_count(wide->coefficient) + wide->exponent - exponent > widest)
    return false;
  wide->coefficient *= power_of_ten(wide->exponent - exponent);
  wide->exponent = exponent;
  return true;
}

int shk_decimal_compare(struct shk_decimal a, struct shk_decimal b)
{
  const int x = sign_of_wide(a.coefficient), y = sign_of_wide(b.coefficient);
  if (x * y <= 0)
    return (x > y) - (x < y);
  /* coefficients have at most 30 digits, so the number with the larger exponent is larger */
  if (!align_exponents(&a, &b))
    return a.exponent > b.exponent ? x : -x;
  return sign_of_wide(a.coefficient - b.coefficient);
}

bool shk_decimal_is_multiple(long long *k, struct shk_decimal a, struct shk_decimal b)
{
  struct shk_decimal ratio;
  if (!shk_decimal_divide(&ratio, a, b) || ratio.exponent < 0 ||
      digit_count(ratio.coefficient) + ratio.exponent > widest)
    return false;
  const shk_wide whole = ratio.coefficient * power_of_ten(ratio.exponent);
  if (whole > LLONG_MAX || whole < LLONG_MIN)
    return false;
  *k = (long long)whole;
  return true;
}

bool shk_decimal_multiply(struct shk_decimal *result, struct shk_decimal a, long long k)
{
  shk_wide product;
  return !__builtin_mul_overflow(a.coefficient, k, &product) &&
         normalize_decimal(result, product, a.exponent);
}

bool shk_decimal_divide(struct shk_decimal *result, struct shk_decimal a, struct shk_decimal b)
{
  if (b.coefficient == 0)
    return false;
  const shk_wide common = common_divisor(a.coefficient, b.coefficient);
  shk_wide above = a.coefficient / common, below = b.coefficient / common;
  int exponent = a.exponent - b.exponent;
  /* The remaining denominator must have the form ±2^i 5^j. Each factor adds one decimal place: 1/2
   * = 5/10, 1/5 = 2/10. */
  for (; below > 1 || below < -1; exponent--) {
    const int factor = below % 2 == 0 ? 2 : 5;
    if (below % factor != 0 || digit_count(above) > SHK_DECIMAL_DIGITS)
      return false;
    above *= 10 / factor;
    below /= factor;
  }
  return normalize_decimal(result, above * below, exponent);
}

bool shk_decimal_part(struct shk_decimal *result, struct shk_decimal a, long long k)
{
  return shk_decimal_divide(result, a, shk_decimal_from_integer(k));
}

bool shk_decimal_common_multiple(struct shk_decimal *result, struct shk_decimal a,
                                 struct shk_decimal b)
{
  shk_wide multiple;
  return align_exponents(&a, &b) && a.coefficient != 0 &&
         !__builtin_mul_overflow(a.coefficient / common_divisor(a.coefficient, b.coefficient),
                                 b.coefficient, &multiple) &&
         normalize_decimal(result, multiple, a.exponent);
}

long long shk_next_2_5(long long n)
{
  long long least = 0;
  for (long long fives = 1; fives <= 5 * n; fives *= 5) {
    long long next = fives;
    while (next <= n)
      next *= 2;
    least = least == 0 || next < least ? next : least;
  }
  return least;
}

bool shk_decimal_nearest_part(struct shk_decimal *best, struct shk_decimal until, double h)
{
  enum { FARTHEST = 20000 };
  const double wanted = shk_decimal_approximate(until) / h;
  const long long around = wanted < 1e15 ? llround(wanted) : 0;
  for (int k = 0; around > 0 && k <= FARTHEST; k++)
    if (shk_decimal_part(best, until, around + k) ||
        (k < around && shk_decimal_part(best, until, around - k)))
      return true;
  return false;
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

int shk_numbers_divide(long long *multiples, const struct shk_numbers *numbers,
                       struct shk_decimal part)
{
  int i = 0;
  while (i < numbers->count && shk_decimal_is_multiple(&multiples[i], numbers->exact[i], part))
    i++;
  return i;
}

void shk_numbers_clear(struct shk_numbers *numbers)
{
  shk_free_texts(numbers->texts, numbers->count);
  free(numbers->exact);
  free(numbers->values);
  *numbers = (struct shk_numbers){.count = 0};
}
