/* Messages out of a descriptor. See lines.h. */
#include "harness/run/lines.h"
#include "foundation/memory.h"
#include "results/record/record_bytes.h"
#include <string.h>
#include <unistd.h>

/* Takes so many bytes off, and what separates them from the rest. */
static char *cut(struct shk_lines *lines, size_t length, size_t separator)
{
  char *line = shk_allocate(length + 1, 1);
  memcpy(line, lines->buffer, length);
  lines->length -= length + separator;
  memmove(lines->buffer, lines->buffer + length + separator, lines->length);
  lines->scanned = 0;
  return line;
}

char *shk_lines_take(struct shk_lines *lines)
{
  if (!lines->length)
    return NULL;
  const size_t record = shk_record_length(lines->buffer, lines->length);
  if (record > 0)
    return record <= lines->length ? cut(lines, record, 0) : NULL;
  const char *const end =
      memchr(lines->buffer + lines->scanned, '\n', lines->length - lines->scanned);
  if (end)
    return cut(lines, (size_t)(end - lines->buffer), 1);
  lines->scanned = lines->length;
  return NULL;
}

char *shk_lines_rest(struct shk_lines *lines)
{
  return lines->length ? cut(lines, lines->length, 0) : NULL;
}

ssize_t shk_lines_read(struct shk_lines *lines, int from)
{
  enum { FIRST = 65536 };
  if (lines->length == lines->capacity) {
    if (lines->capacity >= SHK_MOST_LINE)
      return 0;
    lines->capacity = lines->capacity ? 2 * lines->capacity : FIRST;
    lines->buffer = shk_reallocate(lines->buffer, lines->capacity, 1);
  }
  const ssize_t count = read(from, lines->buffer + lines->length, lines->capacity - lines->length);
  lines->length += count > 0 ? (size_t)count : 0;
  return count;
}
