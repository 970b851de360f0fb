/*
 * Error messages. Their length is bounded, because records and results contain them. What makes them
 * long are names and paths, so these are shortened first, all to the same length; a sentence stays
 * whole unless it alone is too long.
 */
#include "foundation/message.h"

#include "foundation/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool continues_character(char byte)
{
  return ((unsigned char)byte & 0xC0) == 0x80; /* a continuation byte of UTF-8 */
}

/* Copies `length` bytes, or `most` at most: then `ellipsis` replaces their middle. Returns the number
 * of bytes written. `to` may be `from`. */
static size_t copy_ends(char *to, size_t most, const char *from, size_t length,
                        const char *ellipsis)
{
  const size_t between = strlen(ellipsis);
  if (length <= most) {
    memmove(to, from, length);
    return length;
  }
  const size_t room = most - between;
  size_t head = room / 2, tail = length - (room - head);
  while (head > 0 && continues_character(from[head]))
    head--;
  while (tail < length && continues_character(from[tail]))
    tail++;
  memmove(to, from, head);
  memmove(to + head + between, from + tail, length - tail);
  memcpy(to + head, ellipsis, between);
  return head + between + length - tail;
}

/* Shortens all words of a text that are longer than `most` bytes. Returns the length of the text. */
static size_t shorten_words(char *text, size_t most)
{
  char *to = text;
  for (const char *from = text; *from != '\0';) {
    const size_t blanks = strspn(from, " \n"), word = strcspn(from + blanks, " \n");
    memmove(to, from, blanks);
    to += blanks;
    to += copy_ends(to, most, from + blanks, word, "…");
    from += blanks + word;
  }
  *to = '\0';
  return (size_t)(to - text);
}

void shk_text_fit(char *to, size_t size, const char *from)
{
  enum { SHORTEST_WORD = 32, STEP = 8 };
  static const char ellipsis[] = " … ";
  size_t length = strlen(from);
  if (length < size || size < sizeof ellipsis) {
    snprintf(to, size, "%s", from);
    return;
  }
  char *const text = shk_copy_text(from);
  for (size_t most = size - 1; length >= size && most >= SHORTEST_WORD; most -= STEP)
    length = shorten_words(text, most);
  to[copy_ends(to, size - 1, text, length, ellipsis)] = '\0';
  free(text);
}

static void print_fitting(char *to, size_t size, const char *format, va_list arguments)
{
  /* The message is first formatted into a copy, because an argument can be the old message. */
  char *const fresh = shk_print_arguments(format, arguments);
  shk_text_fit(to, size, fresh);
  free(fresh);
}

void shk_text_print(char *to, size_t size, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  print_fitting(to, size, format, arguments);
  va_end(arguments);
}

bool shk_message_set(struct shk_message *message, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  print_fitting(message->text, sizeof message->text, format, arguments);
  va_end(arguments);
  return false;
}
