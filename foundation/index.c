/* Assigns numbers to strings, using a binary tree from the C library (tsearch). See index.h. */
#include "foundation/index.h"

#include "foundation/memory.h"

#include <search.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct numbered {
  char *text;
  int number;
};

static int compare_index(const void *a, const void *b)
{
  return strcmp(((const struct numbered *)a)->text, ((const struct numbered *)b)->text);
}

int shk_index_find(const struct shk_index *index, const char *text)
{
  struct numbered *const *const found =
      tfind(&(struct numbered){.text = (char *)text}, &index->tree, compare_index);
  return found ? (*found)->number : -1;
}

int shk_index_text(struct shk_index *index, const char *text)
{
  struct numbered fresh = {(char *)text, index->count};
  struct numbered **const found = tsearch(&fresh, &index->tree, compare_index);
  if (!found)
    shk_out_of_memory();
  if (*found == &fresh) {
    fresh.text = *SHK_APPEND(index->texts, index->count) = shk_copy_text(text);
    *found = shk_allocate(1, sizeof fresh);
    **found = fresh;
  }
  return (*found)->number;
}

int shk_index_number(struct shk_index *index, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  char *const text = shk_print_arguments(format, arguments);
  va_end(arguments);
  const int number = shk_index_text(index, text);
  free(text);
  return number;
}

void shk_index_clear(struct shk_index *index)
{
  tdestroy(index->tree, free);
  shk_free_texts(index->texts, index->count);
  *index = (struct shk_index){0};
}
