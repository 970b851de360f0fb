/*
 * Checked memory allocation for code outside the numerics. See memory.h.
 */
#include "foundation/memory.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void report_and_abort(void)
{
  fputs("shakedown: out of memory\n", stderr);
  abort();
}

void (*shk_out_of_memory)(void) = report_and_abort;

void *shk_allocate(size_t count, size_t size)
{
  void *memory = calloc(count ? count : 1, size ? size : 1);
  if (!memory)
    shk_out_of_memory();
  return memory;
}

void *shk_reallocate(void *old, size_t count, size_t size)
{
  void *const memory = reallocarray(old, count ? count : 1, size ? size : 1);
  if (!memory)
    shk_out_of_memory();
  return memory;
}

void *shk_grow(void *list, size_t count, size_t size)
{
  /* The capacity is the smallest power of two that is large enough for the list, so it does not
   * have to be stored. */
  if (count & (count - 1))
    return list;
  return shk_reallocate(list, count ? 2 * count : 1, size);
}

char *shk_copy_text(const char *text)
{
  char *const copy = text ? strdup(text) : NULL;
  if (text && !copy)
    shk_out_of_memory();
  return copy;
}

void shk_free_texts(char **texts, int count)
{
  for (int i = 0; i < count; i++)
    free(texts[i]);
  free(texts);
}

void shk_list_text(struct shk_text_list *list, const char *text)
{
  *SHK_APPEND(list->all, list->count) = shk_copy_text(text);
  *SHK_APPEND(list->all, list->count) = NULL;
  list->count--;
}

void shk_list_text_once(struct shk_text_list *list, const char *text)
{
  for (int i = 0; i < list->count; i++)
    if (strcmp(list->all[i], text) == 0)
      return;
  shk_list_text(list, text);
}

void shk_list_clear(struct shk_text_list *list)
{
  shk_free_texts(list->all, list->count);
  *list = (struct shk_text_list){0};
}

bool shk_same_text(const char *a, const char *b)
{
  return a != NULL && b ? strcmp(a, b) == 0 : a == b;
}

char *shk_print_arguments(const char *format, va_list arguments)
{
  char *text = NULL;
  if (vasprintf(&text, format, arguments) < 0)
    shk_out_of_memory();
  return text;
}

bool shk_ends_with(const char *text, const char *ending)
{
  const size_t length = strlen(text), ending_length = strlen(ending);
  return length >= ending_length && strcmp(text + length - ending_length, ending) == 0;
}

char *shk_take_paragraph(const char **text)
{
  const size_t skipped = strspn(*text, "\n ");
  const char *const begin = *text + skipped, *const empty = strstr(begin, "\n\n");
  const bool after_empty = skipped >= 2 && strstr(*text, "\n\n") == *text;
  size_t length = empty         ? (size_t)(empty - begin)
                  : after_empty ? strlen(begin)
                                : strcspn(begin, "\n");
  *text = begin + length;
  while (length > 0 && strchr("\n ", begin[length - 1]))
    length--;
  if (length == 0)
    return NULL;
  char *const paragraph = shk_print_text("%.*s", (int)length, begin);
  for (char *at = paragraph; (at = strchr(at, '\n')) != NULL;)
    *at = ' ';
  return paragraph;
}

char *shk_print_text(const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  char *text = shk_print_arguments(format, arguments);
  va_end(arguments);
  return text;
}

void shk_append_text(char **text, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  char *added = shk_print_arguments(format, arguments);
  va_end(arguments);
  const size_t length = *text ? strlen(*text) : 0, size = strlen(added) + 1;
  *text = shk_reallocate(*text, length + size, 1);
  memcpy(*text + length, added, size);
  free(added);
}

char *shk_printed_text(void (*print)(FILE *file, const void *thing), const void *thing)
{
  char *text = NULL;
  size_t length;
  FILE *const file = open_memstream(&text, &length);
  if (file)
    print(file, thing);
  /* `text` is NULL if memory ran out at the end */
  if (!file || ferror(file) || fclose(file) != 0 || !text)
    shk_out_of_memory();
  return text;
}
