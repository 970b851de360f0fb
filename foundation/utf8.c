/* UTF-8. See utf8.h. */
#include "foundation/utf8.h"
#include "foundation/memory.h"

#include <stdio.h>
#include <string.h>

size_t shk_utf8_character(const char *at, size_t left, unsigned *number)
{
  static const unsigned least[] = {0, 1, 0x80, 0x800, 0x10000};
  const unsigned char *const bytes = (const unsigned char *)at;
  const int ones = left > 0 ? __builtin_clz(~((unsigned)bytes[0] << 24)) : 1; /* leading bits */
  const size_t length = ones == 0 ? 1 : (size_t)ones;
  if (ones == 1 || ones > 4 || length > left)
    return 0;
  *number = length == 1 ? bytes[0] : bytes[0] & (0x7Fu >> length);
  for (size_t i = 1; i < length; i++) {
    if ((bytes[i] & 0xC0) != 0x80)
      return 0;
    *number = *number << 6 | (bytes[i] & 0x3Fu);
  }
  const bool is_surrogate = *number >= 0xD800 && *number < 0xE000;
  return *number < least[length] || is_surrogate || *number > 0x10FFFF ? 0 : length;
}

char *shk_utf8_text(const char *bytes, size_t length)
{
  char *const text = shk_reallocate(NULL, 4 * length + 1, 1), *out = text;
  for (size_t i = 0; i < length;) {
    unsigned number;
    const size_t size = shk_utf8_character(bytes + i, length - i, &number);
    if (size > 0)
      out = mempcpy(out, bytes + i, size);
    else
      out += snprintf(out, 5, "\\x%02x", (unsigned char)bytes[i]);
    i += size > 0 ? size : 1;
  }
  *out = '\0';
  return text;
}
