/* Handles decimal numbers as strings. See number.h. A number d_1.d_2…d_k · 10^exponent is
 * represented by its significant digits d_1 … d_k and by the exponent of its first digit. */
#include "foundation/number.h"

#include "foundation/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Limits of the notation without an exponent. Up to `plain_zeros_before` zeros are always written
 * before the digits, and up to `plain_zeros_after` after them. Up to `most_plain_zeros` zeros are
 * written if there are at least as many digits. `longest_whole` is the maximum number of digits in
 * a whole number. */
enum { plain_zeros_before = 2, plain_zeros_after = 3, most_plain_zeros = 5, longest_whole = 18 };

size_t shk_number_length(const char *text)
{
  static const char digits[] = "0123456789";
  const char *at = text;
  at += *at == '+' || *at == '-';
  size_t count = strspn(at, digits);
  at += count;
  if (*at == '.') {
    const size_t fraction = strspn(++at, digits);
    count += fraction;
    at += fraction;
  }
  if (count == 0)
    return 0;
  if (*at == 'e' || *at == 'E') {
    const char *power = at + 1;
    power += *power == '+' || *power == '-';
    const size_t length = strspn(power, digits);
    if (length > 5 + strspn(power, "0"))
      return 0;
    if (length > 0)
      at = power + length;
  }
  return (size_t)(at - text);
}

long shk_number_digits(char *digits, const char *text)
{
  long point = 0; /* number of digits before the point, without leading zeros */
  size_t count = 0;
  bool fraction = false;
  const char *at = text;
  for (; *at && *at != 'e' && *at != 'E'; at++) {
    if (*at == '.') {
      fraction = true;
    } else if (isdigit((unsigned char)*at)) {
      if (count > 0 || *at != '0') {
        digits[count++] = *at;
        point += !fraction;
      } else {
        point -= fraction; /* zeros directly after the point reduce the exponent */
      }
    }
  }
  while (count > 0 && digits[count - 1] == '0')
    count--;
  digits[count] = '\0';
  return point - 1 + (*at ? strtol(at + 1, NULL, 10) : 0);
}

char *shk_number_canonical(const char *text, bool whole)
{
  const size_t length = shk_number_length(text);
  if (length == 0 || text[length] != '\0')
    return NULL;
  char *const digits = shk_allocate(length + 1, 1);
  const long exponent = shk_number_digits(digits, text);
  const int count = (int)strlen(digits);
  const char *const sign = *text == '-' && count > 0 ? "-" : "";
  char *result = NULL;
  const long zeros_after = exponent + 1 - count; /* number of zeros at the end of a whole number */
  /* number of zeros between the point and the digits */
  const long zeros_before = -exponent - 1;
  if (count == 0) {
    result = shk_copy_text("0");
  } else if (whole && (zeros_after < 0 || exponent >= longest_whole)) {
    result = NULL;
  } else if (zeros_after >= 0 && (whole || zeros_after <= plain_zeros_after ||
                                  (zeros_after <= count && zeros_after <= most_plain_zeros))) {
    result = shk_print_text("%s%s%.*s", sign, digits, (int)zeros_after, "00000000000000000000");
  } else if (zeros_after < 0 && exponent >= 0) {
    result = shk_print_text("%s%.*s.%s", sign, (int)exponent + 1, digits, digits + exponent + 1);
  } else if (exponent < 0 && (zeros_before <= plain_zeros_before ||
                              (zeros_before <= count && zeros_before <= most_plain_zeros))) {
    result = shk_print_text("%s0.%.*s%s", sign, (int)zeros_before, "0000000000", digits);
  } else {
    result =
        shk_print_text("%s%c%s%se%ld", sign, digits[0], count > 1 ? "." : "", digits + 1, exponent);
  }
  free(digits);
  return result;
}

char *shk_number_with_unit(const char *text, bool angle, bool whole)
{
  const size_t length = shk_number_length(text);
  const char *const unit = text + length;
  const bool degrees = strcmp(unit, "deg") == 0;
  if (length == 0 || (*unit && (!angle || (!degrees && strcmp(unit, "rad") != 0))))
    return NULL;
  char *const bare = shk_print_text("%.*s", (int)length, text);
  char *number = shk_number_canonical(bare, whole);
  free(bare);
  if (number && degrees)
    shk_append_text(&number, "deg");
  return number;
}
