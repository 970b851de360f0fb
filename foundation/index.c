/* Numbers for texts: a hash table with linear probing. See index.h. */
#include "foundation/index.h"

#include "foundation/memory.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

struct shk_index_entry {
  uint64_t hash;
  int number; /* + 1; 0: a free place */
};

/* The place of the text, or the free one where it belongs. At least a quarter of all are free. */
static struct shk_index_entry *place_of(const struct shk_index *index, uint64_t hash,
                                        const char *text)
{
  size_t at = hash & (index->places - 1);
  const struct shk_index_entry *const entries = index->entries;
  while (entries[at].number &&
         (entries[at].hash != hash || strcmp(index->texts[entries[at].number - 1], text) != 0))
    at = (at + 1) & (index->places - 1);
  return &index->entries[at];
}

static void make_room(struct shk_index *index)
{
  if (4 * ((size_t)index->count + 1) <= 3 * index->places)
    return;
  const struct shk_index old = *index;
  index->places = old.places ? 2 * old.places : 64;
  index->entries = shk_allocate(index->places, sizeof *index->entries);
  for (size_t i = 0; i < old.places; i++)
    if (old.entries[i].number)
      *place_of(index, old.entries[i].hash, index->texts[old.entries[i].number - 1]) =
          old.entries[i];
  free(old.entries);
}

int shk_index_text(struct shk_index *index, const char *text)
{
  make_room(index);
  const uint64_t hash = XXH3_64bits(text, strlen(text));
  struct shk_index_entry *const entry = place_of(index, hash, text);
  if (!entry->number) {
    index->texts = shk_grow(index->texts, (size_t)index->count, sizeof *index->texts);
    index->texts[index->count++] = shk_copy_text(text);
    *entry = (struct shk_index_entry){.hash = hash, .number = index->count};
  }
  return entry->number - 1;
}

int shk_index_find(const struct shk_index *index, const char *text)
{
  return index->places ? place_of(index, XXH3_64bits(text, strlen(text)), text)->number - 1 : -1;
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
  shk_free_texts(index->texts, index->count);
  free(index->entries);
  *index = (struct shk_index){0};
}
