/*
 * Cells as text. Parts are parted by blanks; a blank inside a part can only stand in a quoted
 * string of a specification, where backslashes are doubled, so the text can be taken apart in one
 * way only.
 */
#include "harness/cell_text.h"

#include "foundation/memory.h"

#include <stdio.h>
#include <stdlib.h>

static void print_part(FILE *out, const char *text)
{
  for (; *text; text++) {
    const unsigned char c = (unsigned char)*text;
    if (c < 0x20 || c == 0x7F)
      fprintf(out, "\\x%02x", c);
    else
      putc(c, out);
  }
}

static void print_named(FILE *out, const char *name, const char *text)
{
  if (!text)
    return;
  fprintf(out, " %s=", name);
  print_part(out, text);
}

char *shk_cell_text(const struct shk_cell *cell)
{
  char *text = NULL;
  size_t length = 0;
  FILE *const out = open_memstream(&text, &length);
  if (!out)
    shk_when_memory_ends();
  print_part(out, cell->kind);
  print_named(out, "problem", cell->problem);
  print_named(out, "integrator", cell->integrator);
  print_named(out, "precision", cell->precision);
  print_named(out, "step", cell->step);
  print_named(out, "tolerance", cell->tolerance);
  print_named(out, "until", cell->until);
  for (int i = 0; i < cell->time_count; i++) {
    fputs(i ? "," : " times=", out);
    print_part(out, cell->times[i]);
  }
  print_named(out, "q", cell->q);
  print_named(out, "p", cell->p);
  print_named(out, "project", cell->project ? "yes" : NULL);
  if (fclose(out) != 0)
    shk_when_memory_ends();
  return text;
}
