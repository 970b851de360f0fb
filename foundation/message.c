/* Error messages: of bounded length, never cut within a character. */
#include "foundation/message.h"

#include "foundation/memory.h"

#include <stdlib.h>
#include <string.h>

void shk_text_fit(char *to, size_t size, const char *from)
{
  static const char ellipsis[] = "…";
  if (snprintf(to, size, "%s", from) < (int)size || size < sizeof ellipsis)
    return;
  size_t cut = size - sizeof ellipsis;
  while (cut > 0 && ((unsigned char)to[cut] & 0xC0) == 0x80) /* UTF-8 continuation byte */
    cut--;
  memcpy(to + cut, ellipsis, sizeof ellipsis);
}

bool shk_message_set(struct shk_message *message, const char *format, ...)
{
  /* Formatted into a copy first: an argument may be the old message. */
  va_list arguments;
  va_start(arguments, format);
  char *const fresh = shk_print_arguments(format, arguments);
  va_end(arguments);
  shk_text_fit(message->text, sizeof message->text, fresh);
  free(fresh);
  return false;
}
