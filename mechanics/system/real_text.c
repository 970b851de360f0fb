/* Numbers of the compilation's precision as text and back, by the C library's own conversions. */
#include <shakedown/real.h>
#include <shakedown/values.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The C library has these wherever it has the type; its headers hide those of quad from clang. */
real real_strto(const char *, char **);
int real_strfrom(char *, size_t, const char *, real);

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define FORMAT "%." TEXT(REAL_DIGITS) "g"

#if SHK_PRECISION == 128

/* 5^48 has 112 bits: these are exact. */
#define TEN(n) R(1e##n)
static const real powers_of_ten[] = {
    TEN(0),  TEN(1),  TEN(2),  TEN(3),  TEN(4),  TEN(5),  TEN(6),  TEN(7),  TEN(8),  TEN(9),
    TEN(10), TEN(11), TEN(12), TEN(13), TEN(14), TEN(15), TEN(16), TEN(17), TEN(18), TEN(19),
    TEN(20), TEN(21), TEN(22), TEN(23), TEN(24), TEN(25), TEN(26), TEN(27), TEN(28), TEN(29),
    TEN(30), TEN(31), TEN(32), TEN(33), TEN(34), TEN(35), TEN(36), TEN(37), TEN(38), TEN(39),
    TEN(40), TEN(41), TEN(42), TEN(43), TEN(44), TEN(45), TEN(46), TEN(47), TEN(48)};

/* Most texts are of a double: an integer and a power of ten that both are exact, whose product or
 * quotient is rounded once, as the C library rounds (Clinger 1990), in a quarter of its time. False
 * if the text is another. */
static bool read_short(real *x, const char *text)
{
  enum { MOST_DIGITS = 19, MOST_POWER = sizeof powers_of_ten / sizeof powers_of_ten[0] - 1 };
  const char *at = text + (*text == '-');
  unsigned long long whole = 0;
  int digits = 0, power = 0;
  bool behind_point = false;
  for (; digits <= MOST_DIGITS; at++) {
    if (*at >= '0' && *at <= '9') {
      whole = 10 * whole + (unsigned long long)(*at - '0');
      digits++;
      power -= behind_point;
    } else if (*at == '.' && !behind_point) {
      behind_point = true;
    } else {
      break;
    }
  }
  if (digits == 0 || digits > MOST_DIGITS)
    return false;
  if (*at == 'e' && (at[1] == '-' || at[1] == '+') && at[2] >= '0' && at[2] <= '9' &&
      at[3] >= '0' && at[3] <= '9') {
    const int exponent = 10 * (at[2] - '0') + at[3] - '0';
    power += at[1] == '-' ? -exponent : exponent;
    at += 4;
  }
  if (*at != '\0' || power < -MOST_POWER || power > MOST_POWER)
    return false;
  const real value =
      power < 0 ? (real)whole / powers_of_ten[-power] : (real)whole * powers_of_ten[power];
  *x = *text == '-' ? -value : value;
  return true;
}

#else

/* A double of 17 digits takes more than this: the C library is quick at it. */
static bool read_short(real *x, const char *text)
{
  (void)x;
  (void)text;
  return false;
}

#endif

bool shk_real_parse(real *x, const char *text)
{
  if (read_short(x, text))
    return true;
  char *end;
  real value = real_strto(text, &end);
  if (end == text)
    return false;
  if (strcmp(end, "deg") == 0)
    value = value * REAL_PI / 180;
  else if (*end != '\0' && strcmp(end, "rad") != 0)
    return false;
  if (!real_isfinite(value))
    return false;
  *x = value;
  return true;
}

void shk_real_format(char *buffer, size_t size, real x)
{
  if (real_isfinite(x))
    real_strfrom(buffer, size, FORMAT, x);
  else
    snprintf(buffer, size, "%s", x > 0 ? "inf" : x < 0 ? "-inf" : "nan");
}

real shk_values_real(const struct shk_values *values, const char *option)
{
  real x = 0;
  if (!shk_real_parse(&x, shk_values_text(values, option)))
    abort(); /* binding has checked that it is a number */
  return x;
}
