/* Converts numbers of type `real` from and to text, using the C library. */
#include "mechanics/binding/real_text.h"

#include <shakedown/parts/values.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The C library provides these functions for each type, but its headers hide those for quad from
 * clang. */
real real_strto(const char *, char **);
int real_strfrom(char *, size_t, const char *, real);

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define FORMAT "%." TEXT(REAL_DIGITS) "g"

bool shk_real_parse(real *x, const char *text)
{
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
  /* The text of every number was already checked during binding. The result is zero if the option
   * is not a number or does not exist. */
  real x = 0;
  shk_real_parse(&x, shk_values_text(values, option));
  return x;
}
