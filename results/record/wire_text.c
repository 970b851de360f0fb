/*
 * Texts, numbers and members of JSON. See wire_text.h.
 */
#include "results/record/wire_text.h"

#include "foundation/memory.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char hexadecimal[] = "0123456789abcdef";

void shk_wire_format_real(char *buffer, unsigned long size, double value)
{
  if (isnan(value))
    snprintf(buffer, size, "nan");
  else if (isinf(value))
    snprintf(buffer, size, value > 0 ? "inf" : "-inf");
  else
    snprintf(buffer, size, "%.17g", value);
}

bool shk_wire_parse_real(double *value, const char *text)
{
  if (strcmp(text, "nan") == 0) {
    *value = NAN;
  } else if (strcmp(text, "inf") == 0) {
    *value = INFINITY;
  } else if (strcmp(text, "-inf") == 0) {
    *value = -INFINITY;
  } else {
    if (text[0] != '-' && (text[0] < '0' || text[0] > '9'))
      return false;
    char *end;
    const double number = strtod(text, &end);
    if (*end || !isfinite(number))
      return false;
    *value = number;
  }
  return true;
}

/* Bytes of the UTF-8 sequence at `at`, 0 if it is none (overlong forms, surrogates). */
static size_t utf8_length(const unsigned char *at, size_t left)
{
  const unsigned char c = at[0];
  if (c < 0x80)
    return c ? 1 : 0;
  size_t length;
  unsigned long point, least;
  if (c >= 0xC2 && c <= 0xDF)
    length = 2, point = c & 0x1Fu, least = 0x80;
  else if (c >= 0xE0 && c <= 0xEF)
    length = 3, point = c & 0x0Fu, least = 0x800;
  else if (c >= 0xF0 && c <= 0xF4)
    length = 4, point = c & 0x07u, least = 0x10000;
  else
    return 0;
  if (length > left)
    return 0;
  for (size_t i = 1; i < length; i++) {
    if ((at[i] & 0xC0) != 0x80)
      return 0;
    point = point << 6 | (at[i] & 0x3Fu);
  }
  if (point < least || point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF))
    return 0;
  return length;
}

/* Nearly every text is: then no copy has to be made of it. */
static bool is_plain(const char *bytes, unsigned long length)
{
  for (unsigned long i = 0; i < length; i++)
    if (bytes[i] == 0 || (bytes[i] & 0x80))
      return false;
  return true;
}

json_t *shk_wire_had(json_t *json)
{
  if (!json)
    shk_out_of_memory();
  return json;
}

void shk_wire_set(json_t *object, const char *member, json_t *owned)
{
  if (is_plain(member, strlen(member))) {
    if (json_object_set_new_nocheck(object, member, shk_wire_had(owned)))
      shk_out_of_memory();
    return;
  }
  json_t *name = shk_wire_text(member, strlen(member));
  if (json_object_set_new_nocheck(object, json_string_value(name), shk_wire_had(owned)))
    shk_out_of_memory();
  json_decref(name);
}

void shk_wire_append(json_t *array, json_t *owned)
{
  if (json_array_append_new(array, shk_wire_had(owned)))
    shk_out_of_memory();
}

char *shk_utf8_text(const char *bytes, size_t length)
{
  const unsigned char *in = (const unsigned char *)bytes;
  char *const out = shk_reallocate(NULL, 4 * length + 1, 1);
  size_t written = 0;
  for (size_t i = 0; i < length;) {
    const size_t sequence = utf8_length(in + i, length - i);
    if (sequence) {
      memcpy(out + written, in + i, sequence);
      written += sequence;
      i += sequence;
    } else {
      out[written++] = '\\';
      out[written++] = 'x';
      out[written++] = hexadecimal[in[i] >> 4];
      out[written++] = hexadecimal[in[i] & 15];
      i++;
    }
  }
  out[written] = '\0';
  return out;
}

json_t *shk_wire_text(const char *bytes, unsigned long length)
{
  if (is_plain(bytes, length))
    return shk_wire_had(json_stringn_nocheck(bytes, length));
  char *const text = shk_utf8_text(bytes, length);
  json_t *const json = shk_wire_had(json_string_nocheck(text));
  free(text);
  return json;
}

void shk_wire_set_text(json_t *object, const char *member, const char *text)
{
  if (text)
    shk_wire_set(object, member, shk_wire_text(text, strlen(text)));
}

json_t *shk_wire_real(double value)
{
  char buffer[40];
  shk_wire_format_real(buffer, sizeof buffer, value);
  return json_string_nocheck(buffer);
}

void shk_wire_set_real(json_t *object, const char *member, double value)
{
  shk_wire_set(object, member, shk_wire_real(value));
}

bool shk_wire_get_text(char **owned, const json_t *object, const char *member,
                       struct shk_message *error)
{
  *owned = NULL;
  const json_t *value = json_object_get(object, member);
  if (!value || json_is_null(value))
    return true;
  const char *text = json_string_value(value);
  if (!text || strlen(text) != json_string_length(value)) {
    shk_message_set(error, "member \"%s\": expected a string without NUL", member);
    return false;
  }
  *owned = shk_copy_text(text);
  return true;
}

bool shk_wire_read_real(double *value, const json_t *json)
{
  const char *text = json_string_value(json);
  return text && shk_wire_parse_real(value, text);
}

bool shk_wire_get_real(double *value, const json_t *object, const char *member,
                       struct shk_message *error)
{
  if (shk_wire_read_real(value, json_object_get(object, member)))
    return true;
  shk_message_set(error, "member \"%s\": expected a string that holds a number", member);
  return false;
}

bool shk_wire_get_integer(long *value, const json_t *object, const char *member, long least,
                          long most, struct shk_message *error)
{
  const json_t *json = json_object_get(object, member);
  if (json_is_integer(json) && json_integer_value(json) >= least &&
      json_integer_value(json) <= most) {
    *value = (long)json_integer_value(json);
    return true;
  }
  shk_message_set(error, "member \"%s\": expected a whole number from %ld to %ld", member, least,
                  most);
  return false;
}

char *shk_wire_line(json_t *owned)
{
  enum { USUAL = 16384 }; /* enough for most records, which are then printed once */
  char *line = shk_reallocate(NULL, USUAL, 1);
  const size_t size = json_dumpb(owned, line, USUAL, JSON_COMPACT);
  size_t written = size;
  if (size + 2 > USUAL) {
    line = shk_reallocate(line, size + 2, 1);
    written = json_dumpb(owned, line, size, JSON_COMPACT);
  }
  json_decref(owned);
  if (size == 0 || written > size)
    shk_out_of_memory();
  line[size] = '\n';
  line[size + 1] = '\0';
  return line;
}
