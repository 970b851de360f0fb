/* Texts of any bytes. See utf8.h. */
#include "results/record/utf8.h"
#include "foundation/memory.h"
#include <string.h>

/* Bytes of the UTF-8 sequence at `at`, 0 if it is none (overlong forms, surrogates). */
static size_t utf8_length(const unsigned char *at, size_t left)
{
  const unsigned char c = at[0];
  if (c < 0x80)
    return c ? 1 : 0;
  size_t length;
  unsigned long point, least;
  if (c >= 0xC2 && c <= 0xDF)
    length = 2, point = c & 0x1Fu, least = 0x80;
  else if (c >= 0xE0 && c <= 0xEF)
    length = 3, point = c & 0x0Fu, least = 0x800;
  else if (c >= 0xF0 && c <= 0xF4)
    length = 4, point = c & 0x07u, least = 0x10000;
  else
    return 0;
  if (length > left)
    return 0;
  for (size_t i = 1; i < length; i++) {
    if ((at[i] & 0xC0) != 0x80)
      return 0;
    point = point << 6 | (at[i] & 0x3Fu);
  }
  if (point < least || point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF))
    return 0;
  return length;
}

char *shk_utf8_text(const char *bytes, size_t length)
{
  const unsigned char *in = (const unsigned char *)bytes;
  static const char hexadecimal[] = "0123456789abcdef";
  char *const out = shk_reallocate(NULL, 4 * length + 1, 1);
  size_t written = 0;
  for (size_t i = 0; i < length;) {
    const size_t sequence = utf8_length(in + i, length - i);
    if (sequence) {
      memcpy(out + written, in + i, sequence);
      written += sequence;
      i += sequence;
    } else {
      out[written++] = '\\';
      out[written++] = 'x';
      out[written++] = hexadecimal[in[i] >> 4];
      out[written++] = hexadecimal[in[i] & 15];
      i++;
    }
  }
  out[written] = '\0';
  return out;
}
