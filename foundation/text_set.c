/* A set of texts, in a table of hashes with open addressing. See text_set.h. */
#include "foundation/text_set.h"

#include "foundation/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static size_t hash_text(const char *text)
{
  uint64_t hash = 0xcbf29ce484222325U; /* FNV-1a */
  for (; *text; text++)
    hash = (hash ^ (unsigned char)*text) * 0x100000001b3U;
  return (size_t)(hash ^ hash >> 29);
}

static void place(struct shk_text_set *set, int index)
{
  size_t at = hash_text(set->texts[index]) & (set->slots - 1);
  while (set->table[at])
    at = (at + 1) & (set->slots - 1);
  set->table[at] = index + 1;
}

int shk_text_number(struct shk_text_set *set, char *owned, bool *is_new)
{
  *is_new = false;
  for (size_t at = set->slots ? hash_text(owned) & (set->slots - 1) : 0;
       set->slots && set->table[at]; at = (at + 1) & (set->slots - 1))
    if (strcmp(set->texts[set->table[at] - 1], owned) == 0) {
      free(owned);
      return set->table[at] - 1;
    }
  *is_new = true;
  set->texts = shk_grow(set->texts, (size_t)set->count, sizeof *set->texts);
  set->texts[set->count++] = owned;
  if (2 * (size_t)set->count >= set->slots) {
    set->slots = set->slots ? 2 * set->slots : 64;
    free(set->table);
    set->table = shk_allocate(set->slots, sizeof *set->table);
    for (int i = 0; i < set->count; i++)
      place(set, i);
  } else {
    place(set, set->count - 1);
  }
  return set->count - 1;
}

void shk_text_set_clear(struct shk_text_set *set)
{
  for (int i = 0; i < set->count; i++)
    free(set->texts[i]);
  free(set->texts);
  free(set->table);
  *set = (struct shk_text_set){0};
}
