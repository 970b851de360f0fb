/* Formats error messages, whose length is limited. A message that is too long is shortened in the
 * middle, never at its end or within a character. */
#include "foundation/message.h"

#include "foundation/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool continues_character(char byte)
{
  return ((unsigned char)byte & 0xC0) == 0x80; /* a continuation byte of UTF-8 */
}

void shk_text_fit(char *to, size_t size, const char *from)
{
  static const char ellipsis[] = " … ";
  const size_t length = strlen(from);
  if (length < size || size < sizeof ellipsis) {
    snprintf(to, size, "%s", from);
    return;
  }
  const size_t room = size - sizeof ellipsis;
  size_t head = room / 2, tail = length - (room - head);
  while (head > 0 && continues_character(from[head]))
    head--;
  while (continues_character(from[tail]))
    tail++;
  snprintf(to, size, "%.*s%s%s", (int)head, from, ellipsis, from + tail);
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
