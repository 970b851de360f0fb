/* Error texts for people: bounded, and cut between characters rather than inside one. */
#include "foundation/message.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void shk_message_set(struct shk_message *message, const char *format, ...)
{
  static const char ellipsis[] = "…";
  /* A text of its own first: an argument may be the old message. */
  char fresh[sizeof message->text];
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(fresh, sizeof fresh, format, arguments);
  va_end(arguments);
  if (length < 0)
    fresh[0] = '\0';
  if (length >= (int)sizeof fresh) {
    size_t cut = sizeof fresh - sizeof ellipsis;
    while (cut > 0 && ((unsigned char)fresh[cut] & 0xC0) == 0x80) /* UTF-8 continuation */
      cut--;
    memcpy(fresh + cut, ellipsis, sizeof ellipsis);
  }
  memcpy(message->text, fresh, sizeof fresh);
}
