/*
 * Converts statuses to strings. The reason may come from a plug-in, so it is never passed to printf
 * as a format string. Instead, the occurrences of %g in the reason, of which there are at most two,
 * are replaced separately.
 */
#include <shakedown/parts/status.h>

#include "foundation/memory.h"
#include "foundation/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *shk_code_name(enum shk_code code)
{
  static const char *const names[SHK_CODE_COUNT] = {
#define CODE(id, name, ...) [SHK_##id] = name,
#include <shakedown/codes.def>
#undef CODE
  };
  return (unsigned)code < SHK_CODE_COUNT ? names[code] : "unknown";
}

const char *shk_status_text(char *buffer, size_t size, struct shk_status status)
{
  enum { LONGEST_NUMBER = 16 };
  const double numbers[2] = {status.value, status.limit};
  const char *from = status.reason ? status.reason : shk_code_name(status.code);
  char *const text =
      shk_allocate(strlen(from) + sizeof numbers / sizeof *numbers * LONGEST_NUMBER, 1);
  size_t at = 0;
  for (int used = 0; *from;) {
    const bool is_number = from[0] == '%' && from[1] == 'g' && used < 2;
    if (is_number)
      at += (size_t)snprintf(text + at, LONGEST_NUMBER, "%g", numbers[used++]);
    else
      text[at++] = *from;
    from += is_number || (from[0] == '%' && from[1] == '%') ? 2 : 1;
  }
  shk_text_fit(buffer, size, text);
  free(text);
  return buffer;
}
