/*
 * Keys: a record stands for a cell as long as nothing that determines its numbers has changed. The
 * key is XXH3-128 over the cell's canonical text, the hash of the numeric sources, the hashes of
 * the plug-ins that the cell names, and the hashes of all files named in the command of an external
 * integrator or in a problem's options.
 */
#ifndef HARNESS_PLAN_KEY_H
#define HARNESS_PLAN_KEY_H

#include "engine/context.h"
#include "foundation/hash.h"
#include "foundation/specifications/cell.h"

/* Problems and integrators of plug-ins, each with the hash of its file. */
struct shk_keys {
  int count;
  struct shk_key_name {
    char *name;
    char hash[SHK_HASH_SIZE];
  } * names;
};

void shk_keys_add(struct shk_keys *keys, const char *name, const char *hash);
void shk_keys_clear(struct shk_keys *keys);

/* Makes a cell's key. `text` is the cell's (cell_text.h); `keys` may be NULL. */
void shk_key_make(const struct shk_context *context, char key[SHK_HASH_SIZE],
                  const struct shk_keys *keys, const struct shk_cell *cell, const char *text);

/* State for successive cells of a plan: keeps the lines of the last problem and integrator, which
 * are looked up again only when they change. Initially zeros; use the same `keys` always. */
struct shk_key_series {
  char *problem, *integrator; /* of the last cell */
  char *lines;                /* their lines of the key */
};
void shk_key_make_next(const struct shk_context *context, struct shk_key_series *series,
                       char key[SHK_HASH_SIZE], const struct shk_keys *keys,
                       const struct shk_cell *cell, const char *text);
void shk_key_series_clear(struct shk_key_series *series);

/* Returns the part, 1 … count, of a cell: the first 16 digits of its key as a number, modulo the
 * count. It is the same everywhere with the same sources and plug-ins. */
int shk_key_part(const char *key, int count);

#endif
