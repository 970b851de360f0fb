/*
 * Cells as text. Parts are separated by blanks; a blank within a part can only occur in a quoted
 * string of a specification, where backslashes are doubled, so that the text can be parsed in one
 * way only.
 */
#include "results/record/cell_text.h"

#include "foundation/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A text that grows. */
struct text {
  char *begin;
  size_t length, capacity;
};

static void add_bytes(struct text *text, const char *bytes, size_t count)
{
  if (text->length + count > text->capacity) {
    text->capacity = 2 * (text->length + count);
    text->begin = shk_reallocate(text->begin, text->capacity, 1);
  }
  memcpy(text->begin + text->length, bytes, count);
  text->length += count;
}

static void print_part(struct text *out, const char *text)
{
  for (; *text; text++) {
    const unsigned char c = (unsigned char)*text;
    char escape[8];
    if (c < 0x20 || c == 0x7F)
      add_bytes(out, escape, (size_t)snprintf(escape, sizeof escape, "\\x%02x", c));
    else
      add_bytes(out, text, 1);
  }
}

static void print_named(struct text *out, const char *name, const char *text)
{
  if (!text)
    return;
  add_bytes(out, " ", 1);
  add_bytes(out, name, strlen(name));
  add_bytes(out, "=", 1);
  print_part(out, text);
}

char *shk_cell_text(const struct shk_cell *cell)
{
  enum { USUAL = 512 };
  struct text text = {.begin = shk_reallocate(NULL, USUAL, 1), .capacity = USUAL};
  struct text *const out = &text;
  print_part(out, cell->kind);
  print_named(out, "problem", cell->problem);
  print_named(out, "integrator", cell->integrator);
  print_named(out, "precision", cell->precision);
  print_named(out, "step", cell->step);
  print_named(out, "tolerance", cell->tolerance);
  print_named(out, "until", cell->until);
  for (int i = 0; i < cell->time_count; i++) {
    if (i == 0)
      add_bytes(out, " times=", 7);
    else
      add_bytes(out, ",", 1);
    print_part(out, cell->times[i]);
  }
  print_named(out, "q", cell->q);
  print_named(out, "p", cell->p);
  print_named(out, "project", cell->project ? "yes" : NULL);
  for (int i = 0; i < cell->member_count; i++) {
    print_named(out, "member", cell->members[i].problem);
    print_named(out, "member-q", cell->members[i].q);
    print_named(out, "member-p", cell->members[i].p);
  }
  add_bytes(out, "", 1);
  return text.begin;
}

static char *with_start(const char *problem, const char *q, const char *p)
{
  return q || p ? shk_print_text("%s q=%s p=%s", problem, q ? q : "", p ? p : "")
                : shk_copy_text(problem);
}

char *shk_cell_problem(const struct shk_cell *cell)
{
  char *const one = with_start(cell->problem, cell->q, cell->p);
  if (cell->member_count == 0)
    return one;
  char *const all = shk_print_text("%s over %d members", one, cell->member_count);
  free(one);
  return all;
}

char *shk_member_problem(const struct shk_member *member)
{
  return with_start(member->problem, member->q, member->p);
}
