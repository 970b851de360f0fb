/* Numbers read from text are those of the C library, bit for bit, by whatever way they are read. */
#include "tests/kit/tap.h"

#include <shakedown/real.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

real real_strto(const char *, char **);

static unsigned long long state = 88172645463325252ULL;

static unsigned below(unsigned most)
{
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (unsigned)(state >> 33) % most;
}

/* A number with so many digits, a point somewhere among them or none, and an exponent or none. */
static void write_any(char *text)
{
  const unsigned digits = 1 + below(40), point = below(2 * digits + 1);
  if (below(2))
    *text++ = '-';
  for (unsigned i = 0; i < digits; i++) {
    if (i == point)
      *text++ = '.';
    *text++ = (char)('0' + (below(8) ? below(10) : 0));
  }
  if (digits == point)
    *text++ = '.';
  if (below(3) == 0)
    text += sprintf(text, "e%c%02u", "+-"[below(2)], below(70));
  *text = '\0';
}

static bool is_the_same(const char *text)
{
  char *end;
  const real right = real_strto(text, &end);
  real read = 7;
  const bool ok = shk_real_parse(&read, text);
  if (*end != '\0' || end == text)
    return !ok && read == 7;
  return ok && read == right && (read != 0 || (1 / read > 0) == (1 / right > 0));
}

int main(void)
{
  enum { TEXTS = 200000 };
  int wrong = 0;
  for (int i = 0; i < TEXTS; i++) {
    char text[128];
    write_any(text);
    if (!is_the_same(text) && wrong++ < 5)
      tap_diag("%s", text);
  }
  tap_ok(wrong == 0, "%d texts of every length and exponent are read as by the C library", TEXTS);
  static const char *const some[] = {"0",
                                     "-0",
                                     "-0.0",
                                     "0e+05",
                                     "1e+48",
                                     "1e-48",
                                     "1e+49",
                                     "1e+4",
                                     "1e4",
                                     "1E+10",
                                     "+1",
                                     " 1",
                                     "1 ",
                                     ".5",
                                     "5.",
                                     ".",
                                     "-",
                                     "",
                                     "--1",
                                     "1..2",
                                     "1e",
                                     "1e+",
                                     "1e+1x",
                                     "12e-0456",
                                     "0x10",
                                     "9999999999999999999",
                                     "18446744073709551616",
                                     "99999999999999999999",
                                     "0.00000000000000000000000001"};
  for (size_t i = 0; i < sizeof some / sizeof some[0]; i++)
    tap_ok(is_the_same(some[i]), "so is '%s'", some[i]);
  real degrees = 0, radians = 0;
  tap_ok(shk_real_parse(&degrees, "180deg") && real_fabs(degrees - REAL_PI) <= 4 * REAL_EPSILON &&
             shk_real_parse(&radians, "2rad") && radians == 2,
         "units of angles are understood");
  return tap_done();
}
