/* Writes or reads a stream of bytes. See stream.h. */
#include "results/record/stream.h"
#include "foundation/memory.h"
#include "foundation/utf8.h"
#include <math.h>
#include <string.h>

struct shk_stream shk_stream_of(const void *bytes, size_t size)
{
  return (struct shk_stream){.bytes = (unsigned char *)bytes, .size = size, .reads = true};
}

void shk_little_endian(void *values, size_t count, int bits)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  const size_t width = (size_t)bits / 8;
  unsigned char *at = values;
  for (size_t i = 0; i < count; i++, at += width)
    for (size_t k = 0; k < width / 2; k++) {
      const unsigned char byte = at[k];
      at[k] = at[width - 1 - k];
      at[width - 1 - k] = byte;
    }
#else
  (void)values, (void)count, (void)bits;
#endif
}

void shk_pass_bytes(struct shk_stream *s, void *bytes, size_t count)
{
  if (count == 0) /* `bytes` can be NULL if `count` is 0 */
    return;
  if (s->reads) {
    s->bad = s->bad || count > s->size - s->at;
    if (s->bad)
      memset(bytes, 0, count);
    else
      memcpy(bytes, s->bytes + s->at, count);
    s->at += s->bad ? 0 : count;
    return;
  }
  while (s->at + count > s->size) {
    s->size = 2 * s->size + 1024;
    s->bytes = shk_reallocate(s->bytes, s->size, 1);
  }
  memcpy(s->bytes + s->at, bytes, count);
  s->at += count;
}

void shk_pass_numbers(struct shk_stream *s, void *values, size_t count, int bits)
{
  shk_little_endian(values, count, bits);
  shk_pass_bytes(s, values, count * (size_t)bits / 8);
  shk_little_endian(values, count, bits);
}

void shk_pass_real(struct shk_stream *s, double *value)
{
  double copy = isnan(*value) ? NAN : *value;
  shk_pass_numbers(s, &copy, 1, 64);
  if (s->reads)
    *value = copy;
}

void shk_pass_flag(struct shk_stream *s, bool *flag)
{
  *flag = shk_pass_integer(s, *flag, 1) != 0;
}

int64_t shk_pass_integer(struct shk_stream *s, int64_t value, int64_t most)
{
  shk_pass_numbers(s, &value, 1, 64);
  s->bad = s->bad || value < 0 || value > most;
  return s->bad ? 0 : value;
}

int shk_pass_length(struct shk_stream *s, int length, size_t least)
{
  const int64_t most = s->reads ? (int64_t)((s->size - s->at) / least) : INT32_MAX;
  return (int)shk_pass_integer(s, length, most < INT32_MAX ? most : INT32_MAX);
}

void shk_pass_text(struct shk_stream *s, char **text)
{
  const size_t length = s->reads || !*text ? 0 : strlen(*text) + 1;
  const size_t count = (size_t)shk_pass_length(s, (int)length, 1);
  if (!s->reads) {
    shk_pass_bytes(s, *text ? *text : (char[]){""}, count);
    return;
  }
  *text = NULL;
  if (count == 0)
    return;
  s->bad = s->bad || count > s->size - s->at || /* the input is too short */
           memchr(s->bytes + s->at, 0, count) != s->bytes + s->at + count - 1;
  if (!s->bad)
    *text = shk_utf8_text((const char *)s->bytes + s->at, count - 1);
  s->at += s->bad ? 0 : count;
}

bool shk_pass_name(struct shk_stream *s, char **name)
{
  shk_pass_text(s, name);
  s->bad = s->bad || !*name;
  return !s->bad;
}
