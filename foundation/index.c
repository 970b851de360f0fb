/* Numbers for texts, in the C library's balanced search tree. See index.h. */
#include "foundation/index.h"

#include "foundation/memory.h"

#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct numbered {
  char *text;
  int number;
};

static int compare(const void *a, const void *b)
{
  return strcmp(((const struct numbered *)a)->text, ((const struct numbered *)b)->text);
}

int shk_index_number(struct shk_index *index, const char *format, ...)
{
  va_list arguments;
  char *text = NULL;
  va_start(arguments, format);
  if (vasprintf(&text, format, arguments) < 0)
    shk_when_memory_ends();
  va_end(arguments);
  struct numbered *entry = shk_allocate(1, sizeof *entry);
  *entry = (struct numbered){.text = text, .number = index->count};
  struct numbered **found = tsearch(entry, &index->root, compare);
  if (found == NULL)
    shk_when_memory_ends();
  if (*found == entry) {
    index->count++;
    return entry->number;
  }
  free(text);
  free(entry);
  return (*found)->number;
}

static void free_entry(void *entry)
{
  free(((struct numbered *)entry)->text);
  free(entry);
}

void shk_index_clear(struct shk_index *index)
{
  tdestroy(index->root, free_entry);
  *index = (struct shk_index){0};
}
