/*
 * Statuses as text. The reason may come from a plug-in, so it is never a format of printf: its at
 * most two %g are filled in one by one.
 */
#include <shakedown/status.h>

#include <stdbool.h>
#include <stdio.h>

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
  if (size == 0)
    return buffer;
  const double numbers[2] = {status.value, status.limit};
  const char *from = status.reason ? status.reason : shk_code_name(status.code);
  size_t at = 0;
  for (int used = 0; *from && at + 1 < size;) {
    const bool is_number = from[0] == '%' && from[1] == 'g' && used < 2;
    if (is_number)
      at += (size_t)snprintf(buffer + at, size - at, "%g", numbers[used++]);
    else
      buffer[at++] = *from;
    from += is_number || (from[0] == '%' && from[1] == '%') ? 2 : 1;
  }
  at = at < size ? at : size - 1;
  /* Removes a partial character at the end, which would not be UTF-8. */
  if (*from)
    while (at > 0 && ((unsigned char)*from & 0xC0) == 0x80)
      from = &buffer[--at];
  buffer[at] = '\0';
  return buffer;
}
