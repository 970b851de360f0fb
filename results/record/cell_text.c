/*
 * Converts cells to strings and back. The parts of such a string are separated by blanks. Within a
 * part, a blank can occur only inside a quoted string in a specification. Backslashes are doubled
 * there, so that parsing is unambiguous.
 */
#include "results/record/cell_text.h"

#include "foundation/memory.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns true if a character must be written as its code, \xNN. */
static bool is_escaped(unsigned c)
{
  return c < 0x20 || c == 0x7F;
}

static void print_part(FILE *out, const char *text)
{
  for (; *text; text++)
    if (is_escaped((unsigned char)*text))
      fprintf(out, "\\x%02x", (unsigned char)*text);
    else
      putc_unlocked(*text, out);
}

static void print_named(FILE *out, const char *name, const char *text)
{
  if (!text)
    return;
  fprintf(out, " %s=", name);
  print_part(out, text);
}

static void print_cell(FILE *out, const void *thing)
{
  const struct shk_cell *const cell = thing;
  struct shk_cell copy = *cell;
  print_part(out, cell->kind);
  for (int i = 0; i < SHK_CELL_SETTINGS; i++)
    print_named(out, shk_cell_text_names[i], *shk_cell_text_at(&copy, i));
  for (int i = 0; i < cell->time_count; i++) {
    fputs(i == 0 ? " times=" : ",", out);
    print_part(out, cell->times[i]);
  }
  for (int i = SHK_CELL_SETTINGS; i < SHK_CELL_TEXTS; i++)
    print_named(out, shk_cell_text_names[i], *shk_cell_text_at(&copy, i));
  print_named(out, "project", cell->project ? "yes" : NULL);
  for (int i = 0; i < cell->member_count; i++)
    print_named(out, "member", cell->members[i]);
}

char *shk_cell_text(const struct shk_cell *cell)
{
  return shk_printed_text(print_cell, cell);
}

/* ---- parsing ---- */

/* Returns the end of the part that begins here, which is the first blank outside quotes or the end
 * of the string. Returns NULL if a quote is not closed. */
static const char *end_of_part(const char *at)
{
  bool quoted = false;
  for (; *at && (quoted || *at != ' '); at++) {
    if (quoted && *at == '\\' && at[1])
      at++;
    else if (*at == '"')
      quoted = !quoted;
  }
  return quoted ? NULL : at;
}

/* Reads a part written by print_part. The caller frees it. */
static char *read_part(const char *begin, const char *end)
{
  char *const part = shk_allocate((size_t)(end - begin) + 1, 1), *out = part;
  for (const char *at = begin; at < end; at++) {
    const bool pair = *at == '\\' && end - at >= 2;
    unsigned c = 0;
    if (pair && at[1] == 'x' && end - at >= 4 && isxdigit((unsigned char)at[2]) &&
        isxdigit((unsigned char)at[3]) && sscanf(at + 2, "%2x", &c) == 1 && c > 0 &&
        is_escaped(c)) {
      *out++ = (char)c;
      at += 3;
      continue;
    }
    *out++ = *at;
    if (pair)
      *out++ = *++at;
  }
  return part;
}

static void read_times(struct shk_cell *cell, char *text)
{
  for (const char *time; (time = strsep(&text, ",")) != NULL;)
    *SHK_APPEND(cell->times, cell->time_count) = shk_copy_text(time);
}

/* Stores a part in the field with the given name; the cell then owns the part. Returns false if
 * there is no such field or if it is already set. */
static bool take_part(struct shk_cell *cell, const char *name, char *owned)
{
  char **place = NULL;
  for (int i = 0; i < SHK_CELL_TEXTS; i++)
    if (strcmp(name, shk_cell_text_names[i]) == 0)
      place = shk_cell_text_at(cell, i);
  if (strcmp(name, "member") == 0 && cell->member_count < SHK_MOST_MEMBERS) {
    *SHK_APPEND(cell->members, cell->member_count) = owned;
    return true;
  }
  if (place && !*place) {
    *place = owned;
    return true;
  }
  const bool is_times = strcmp(name, "times") == 0 && cell->time_count == 0;
  const bool is_project = strcmp(name, "project") == 0 && strcmp(owned, "yes") == 0;
  if (is_times)
    read_times(cell, owned);
  cell->project = cell->project || is_project;
  free(owned);
  return is_times || is_project;
}

bool shk_cell_read(struct shk_cell *cell, const char *text, struct shk_message *error)
{
  const char *at = end_of_part(text);
  bool ok = at && at > text;
  *cell = (struct shk_cell){.kind = ok ? read_part(text, at) : NULL};
  while (ok && *at == ' ') {
    const char *const begin = at + 1, *const equals = strchr(begin, '=');
    at = end_of_part(begin);
    ok = at && equals && equals < at;
    char *const name = ok ? read_part(begin, equals) : NULL;
    ok = ok && take_part(cell, name, read_part(equals + 1, at));
    free(name);
  }
  ok = ok && cell->problem && cell->integrator && cell->precision && cell->until;
  if (ok)
    return true;
  shk_cell_clear(cell);
  return shk_message_set(error,
                         "expected a cell as \"run problem=… integrator=… precision=… until=…\"");
}

char *shk_member_problem(const struct shk_cell *cell, int member)
{
  const char *const problem = cell->member_count > 0 ? cell->members[member] : cell->problem;
  char *text =
      cell->q ? shk_print_text("%s q=%s p=%s", problem, cell->q, cell->p) : shk_copy_text(problem);
  if (cell->kick)
    shk_append_text(&text, " kick=%s", cell->kick);
  return text;
}

char *shk_cell_problem(const struct shk_cell *cell)
{
  struct shk_cell one = *cell;
  one.member_count = 0;
  char *text = shk_member_problem(&one, 0);
  if (cell->member_count > 0)
    shk_append_text(&text, " over %d members", cell->member_count);
  return text;
}
