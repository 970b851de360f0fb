/* Error messages: of bounded length, never cut within a character. */
#include "foundation/message.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Ends a text that was cut to `size` bytes, terminator included, with an ellipsis. */
static void end_cut(char *text, size_t size)
{
  static const char ellipsis[] = "…";
  size_t cut = size > sizeof ellipsis ? size - sizeof ellipsis : 0;
  while (cut > 0 && ((unsigned char)text[cut] & 0xC0) == 0x80) /* UTF-8 continuation byte */
    cut--;
  if (size >= sizeof ellipsis)
    memcpy(text + cut, ellipsis, sizeof ellipsis);
}

void shk_text_fit(char *to, size_t size, const char *from)
{
  if (snprintf(to, size, "%s", from) >= (int)size)
    end_cut(to, size);
}

bool shk_message_set(struct shk_message *message, const char *format, ...)
{
  /* Formatted into a copy first: an argument may be the old message. */
  char fresh[sizeof message->text];
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(fresh, sizeof fresh, format, arguments);
  va_end(arguments);
  fresh[length < 0 ? 0 : sizeof fresh - 1] = '\0';
  if (length >= (int)sizeof fresh)
    end_cut(fresh, sizeof fresh);
  memcpy(message->text, fresh, sizeof fresh);
  return false;
}
