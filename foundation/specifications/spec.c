/*
 * A recursive-descent parser for the grammar of specifications (spec.h). The parser builds a tree
 * and does not know any names or options.
 */
#include "foundation/specifications/spec.h"

#include "foundation/memory.h"
#include "foundation/nearest.h"
#include "foundation/number.h"
#include "foundation/utf8.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Maximum depth of the recursion. No method is nested this deeply. */
enum { deepest = 16 };

struct reader {
  const char *start, *at;
  int depth;
  struct shk_message *error;
};

static struct shk_spec *read_spec(struct reader *reader);

static void skip_blanks(struct reader *reader)
{
  reader->at += strspn(reader->at, " \t\n\r");
}

/* Describes the text at a position, for use in messages. */
static void describe_spec(char *buffer, size_t size, const char *at)
{
  unsigned number;
  const int bytes = (int)shk_utf8_character(at, strlen(at), &number);
  if (*at == '\0' || iscntrl((unsigned char)*at))
    snprintf(buffer, size, *at ? "a control character" : "the end");
  else
    snprintf(buffer, size, "'%.*s'", bytes, at);
}

static bool fail_spec(struct reader *reader, const char *expected)
{
  char found[32];
  describe_spec(found, sizeof found, reader->at);
  const bool path = *reader->at != '\0' && strchr("/~\\", *reader->at);
  return shk_message_set(reader->error, "in \"%s\", column %d: found %s, expected %s%s",
                         reader->start, (int)(reader->at - reader->start) + 1, found, expected,
                         path ? "; put paths in quotes: file=\"…\"" : "");
}

/* Reports unbalanced parentheses outside quotes. Such parentheses usually result from a YAML flow
 * list: [a(x=1,y=2)] is split into "a(x=1" and "y=2)". */
static bool balanced_spec(const struct reader *reader)
{
  int open = 0;
  bool quoted = false;
  for (const char *at = reader->start; *at && open >= 0; at++) {
    if (*at == '"')
      quoted = !quoted;
    else if (quoted && *at == '\\' && at[1])
      at++;
    else if (!quoted)
      open += (*at == '(') - (*at == ')');
  }
  /* An unterminated quotation is reported separately. */
  return open == 0 || quoted ||
         shk_message_set(reader->error,
                         "in \"%s\": a parenthesis is %s. In a YAML list [a, b], a comma inside "
                         "parentheses splits the specification: write one specification per line, "
                         "each after `- `, or put it in quotes",
                         reader->start, open > 0 ? "not closed" : "closed without being opened");
}

static size_t name_length(const char *text)
{
  return islower((unsigned char)*text) ? strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-") : 0;
}

bool shk_spec_is_name(const char *text)
{
  const size_t length = name_length(text);
  return length > 0 && text[length] == '\0';
}

static char *read_name(struct reader *reader)
{
  const size_t length = name_length(reader->at);
  reader->at += length;
  return length > 0 ? shk_print_text("%.*s", (int)length, reader->at - length) : NULL;
}

static bool read_string(struct reader *reader, struct shk_spec_item *item)
{
  const char *const opening = reader->at++;
  char *const text = shk_allocate(strlen(opening), 1);
  size_t length = 0;
  while (*reader->at && *reader->at != '"') {
    if (*reader->at == '\\' && (reader->at[1] == '"' || reader->at[1] == '\\'))
      reader->at++;
    text[length++] = *reader->at++;
  }
  item->kind = SHK_SPEC_STRING;
  item->text = text;
  if (*reader->at != '"')
    return fail_spec(reader, "the closing quote \"");
  reader->at++;
  return true;
}

static bool read_number(struct reader *reader, struct shk_spec_item *item)
{
  const size_t length = shk_number_length(reader->at);
  if (length == 0)
    return fail_spec(reader, "a number");
  const char *const number = reader->at;
  reader->at += length;
  skip_blanks(reader);
  /* A unit must consist only of letters, because digits after a space would become part of the
   * number in the canonical form. */
  const char *const unit = reader->at;
  while (isalpha((unsigned char)*reader->at))
    reader->at++;
  item->kind = SHK_SPEC_NUMBER;
  item->text = shk_print_text("%.*s%.*s", (int)length, number, (int)(reader->at - unit), unit);
  return true;
}

static bool read_value(struct reader *reader, struct shk_spec_item *item)
{
  const char first = *reader->at;
  if (first == '"')
    return read_string(reader, item);
  if (isdigit((unsigned char)first) || first == '+' || first == '-' || first == '.')
    return read_number(reader, item);
  if (!islower((unsigned char)first))
    return fail_spec(reader, "a value: a number, a name in small letters, or a \"quoted string\"");
  item->kind = SHK_SPEC_NESTED;
  item->nested = read_spec(reader);
  return item->nested != NULL;
}

static bool read_item(struct reader *reader, struct shk_spec_item *item)
{
  /* A name followed by '=' is an option; any other name begins the value. */
  const char *const before = reader->at;
  char *const name = read_name(reader);
  skip_blanks(reader);
  if (name && *reader->at == '=') {
    item->option = name;
    reader->at++;
    skip_blanks(reader);
  } else {
    free(name);
    reader->at = before;
  }
  const bool ok = read_value(reader, item);
  skip_blanks(reader);
  return ok;
}

static bool read_items(struct reader *reader, struct shk_spec *spec)
{
  do {
    reader->at++; /* skip the parenthesis or the comma */
    skip_blanks(reader);
    if (*reader->at == ')' && spec->count == 0)
      break;
    struct shk_spec_item *const item = SHK_APPEND(spec->items, spec->count);
    *item = (struct shk_spec_item){.option = NULL};
    if (!read_item(reader, item))
      return false;
  } while (*reader->at == ',');
  if (*reader->at != ')')
    return fail_spec(reader, "',' or ')'");
  reader->at++;
  return true;
}

static struct shk_spec *read_spec(struct reader *reader)
{
  if (++reader->depth > deepest) {
    shk_message_set(reader->error, "a specification is nested more than %d levels deep", deepest);
    return NULL;
  }
  struct shk_spec *const spec = shk_allocate(1, sizeof *spec);
  spec->name = read_name(reader);
  const char *const after = reader->at;
  skip_blanks(reader);
  bool ok = spec->name != NULL;
  if (!ok)
    fail_spec(reader, "a name: small letters, digits and '-', beginning with a letter");
  else if (*reader->at == '(')
    ok = read_items(reader, spec);
  else
    reader->at = after;
  reader->depth--;
  if (ok)
    return spec;
  shk_spec_free(spec);
  return NULL;
}

struct shk_spec *shk_spec_parse(const char *text, struct shk_message *error)
{
  struct reader reader = {text, text, 0, error};
  if (!balanced_spec(&reader))
    return NULL;
  skip_blanks(&reader);
  struct shk_spec *const spec = read_spec(&reader);
  skip_blanks(&reader);
  if (!spec || *reader.at == '\0')
    return spec;
  fail_spec(&reader, "the end of the specification");
  shk_spec_free(spec);
  return NULL;
}

void shk_spec_free(struct shk_spec *spec)
{
  if (!spec)
    return;
  for (int i = 0; i < spec->count; i++) {
    free(spec->items[i].option);
    free(spec->items[i].text);
    shk_spec_free(spec->items[i].nested);
  }
  free(spec->items);
  free(spec->name);
  free(spec);
}

char *shk_spec_quoted(const char *string)
{
  char *const quoted = shk_allocate(2 * strlen(string) + 3, 1), *out = quoted;
  *out++ = '"';
  for (; *string; *out++ = *string++)
    if (*string == '"' || *string == '\\')
      *out++ = '\\';
  *out = '"';
  return quoted;
}

static void print_spec(FILE *out, const void *thing)
{
  const struct shk_spec *const spec = thing;
  fputs(spec->name, out);
  for (int i = 0; i < spec->count; i++) {
    const struct shk_spec_item *const item = &spec->items[i];
    putc(i ? ',' : '(', out);
    if (item->option)
      fprintf(out, "%s=", item->option);
    if (item->kind == SHK_SPEC_NESTED) {
      print_spec(out, item->nested);
    } else if (item->kind == SHK_SPEC_STRING) {
      char *const quoted = shk_spec_quoted(item->text);
      fputs(quoted, out);
      free(quoted);
    } else {
      fputs(item->text, out);
    }
  }
  if (spec->count)
    putc(')', out);
}

char *shk_spec_text(const struct shk_spec *spec)
{
  return shk_printed_text(print_spec, spec);
}

/* ---- specifications that run programs ---- */

static int walk_arguments(const struct shk_spec *spec,
                          void (*visit)(void *user, const char *command), void *user)
{
  static const char *const runners[] = {"external", "engine", "program"};
  const bool runs = shk_name_index(spec->name, runners, sizeof *runners, 3) >= 0;
  int count = runs;
  for (int i = 0; i < spec->count; i++) {
    const struct shk_spec_item *item = &spec->items[i];
    if (runs && visit && (!item->option || strcmp(item->option, "command") == 0))
      visit(user, item->kind == SHK_SPEC_NESTED ? item->nested->name : item->text);
    if (item->kind == SHK_SPEC_NESTED)
      count += walk_arguments(item->nested, visit, user);
  }
  return count;
}

int shk_spec_programs(const char *text, void (*visit)(void *user, const char *command), void *user)
{
  struct shk_message error;
  struct shk_spec *spec = shk_spec_parse(text, &error);
  const int count = spec ? walk_arguments(spec, visit, user) : 0;
  shk_spec_free(spec);
  return count;
}

bool shk_programs_permit(const struct shk_access *access, const char *spec,
                         struct shk_message *error)
{
  return access->programs || shk_spec_programs(spec, NULL, NULL) == 0 ||
         shk_message_set(error, "%s runs a program; if you trust it, use --allow-external", spec);
}
