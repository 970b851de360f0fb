/* Messages between processes. See frame.h. */
#include "results/record/frame.h"
#include "foundation/memory.h"
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

enum { VERSION = 3, HEAD = 24 };
static const unsigned char mark[4] = {0xf5, 's', 'h', 'k'};
static const size_t longest = (size_t)1 << 30;

static void pass_choice(struct shk_stream *s, int64_t *size, uint64_t *hash)
{
  unsigned char begin[sizeof mark];
  memcpy(begin, mark, sizeof begin);
  uint32_t version = VERSION;
  shk_pass_bytes(s, begin, sizeof begin);
  shk_pass_numbers(s, &version, 1, 32);
  *size = shk_pass_integer(s, *size, INT64_MAX >> 1);
  shk_pass_numbers(s, hash, 1, 64);
  s->bad = s->bad || memcmp(begin, mark, sizeof begin) != 0 || version != VERSION;
}

struct shk_stream shk_frame_begin(void)
{
  struct shk_stream s = {0};
  int64_t rest = 0;
  uint64_t hash = 0;
  pass_choice(&s, &rest, &hash);
  return s;
}

size_t shk_frame_end(struct shk_stream *s)
{
  const size_t size = s->at;
  int64_t rest = (int64_t)(size - HEAD);
  uint64_t hash = XXH3_64bits(s->bytes + HEAD, (size_t)rest);
  s->at = 0;
  pass_choice(s, &rest, &hash);
  return size;
}

struct shk_stream shk_frame_open(const void *bytes, size_t size)
{
  struct shk_stream s = shk_stream_of(bytes, size);
  int64_t rest = 0;
  uint64_t hash = 0;
  pass_choice(&s, &rest, &hash);
  s.bad = s.bad || (size_t)rest != size - HEAD || XXH3_64bits(s.bytes + HEAD, (size_t)rest) != hash;
  return s;
}

bool shk_frame_done(const struct shk_stream *s)
{
  return !s->bad && s->at == s->size;
}

size_t shk_frame_length(const void *bytes, size_t count)
{
  struct shk_stream s = shk_stream_of(bytes, count);
  int64_t size = 0;
  uint64_t hash = 0;
  if (count == 0 || *s.bytes != mark[0])
    return 0;
  if (count >= HEAD)
    pass_choice(&s, &size, &hash);
  return s.bad ? 0 : HEAD + (size_t)size;
}

/* ---- receiving ---- */

char *shk_inbox_take(struct shk_inbox *inbox, size_t *size)
{
  *size = shk_frame_length(inbox->buffer, inbox->length);
  if (*size == 0 || *size > inbox->length)
    return NULL;
  char *const message = shk_allocate(*size, 1);
  memcpy(message, inbox->buffer, *size);
  inbox->length -= *size;
  memmove(inbox->buffer, inbox->buffer + *size, inbox->length);
  return message;
}

ssize_t shk_inbox_read(struct shk_inbox *inbox, int from)
{
  enum { FIRST = 65536 };
  if (inbox->length > 0) {
    const size_t size = shk_frame_length(inbox->buffer, inbox->length);
    if (size == 0 || size > longest)
      return 0;
  }
  if (inbox->length == inbox->capacity) {
    inbox->capacity = inbox->capacity ? 2 * inbox->capacity : FIRST;
    inbox->buffer = shk_reallocate(inbox->buffer, inbox->capacity, 1);
  }
  const ssize_t count = read(from, inbox->buffer + inbox->length, inbox->capacity - inbox->length);
  inbox->length += count > 0 ? (size_t)count : 0;
  return count;
}
