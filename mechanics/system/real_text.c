/* Numbers of the compilation's precision as text and back, by the C library's own conversions. */
#include <shakedown/real.h>
#include <shakedown/values.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if SHK_PRECISION == 64
static real read_real(const char *text, char **end)
{
  return strtod(text, end);
}
static int write_real(char *buffer, size_t size, real x)
{
  return snprintf(buffer, size, "%.17g", x);
}
#else
real strtof128(const char *, char **);
int strfromf128(char *, size_t, const char *, real);
static real read_real(const char *text, char **end)
{
  return strtof128(text, end);
}
static int write_real(char *buffer, size_t size, real x)
{
  return strfromf128(buffer, size, "%.36g", x);
}
#endif

bool shk_real_parse(real *x, const char *text)
{
  char *end;
  real value = read_real(text, &end);
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
    write_real(buffer, size, x);
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
