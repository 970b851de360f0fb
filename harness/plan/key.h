/*
 * Keys: a record can stand for a cell as long as nothing that determines its numbers has changed.
 * The key is XXH3-128 over the cell's canonical text, the hash of the numeric sources, the hash of
 * the plug-ins that the cell names, and that of every file named in the command of an external
 * integrator.
 * Files that a problem's options name count with their contents.
 */
#ifndef HARNESS_PLAN_KEY_H
#define HARNESS_PLAN_KEY_H

#include "engine/context.h"
#include "foundation/hash.h"
#include "foundation/specifications/cell.h"

/* The problems and integrators of plug-ins, each with the hash of the file that it is in. */
struct shk_keys {
  int count;
  struct shk_key_name {
    char *name;
    char hash[SHK_HASH_SIZE];
  } * names;
};

void shk_keys_add(struct shk_keys *keys, const char *name, const char *hash);
void shk_keys_clear(struct shk_keys *keys);

/* `text` is the cell's (cell_text.h); `keys` may be NULL. */
void shk_key_make(const struct shk_context *context, char key[SHK_HASH_SIZE],
                  const struct shk_keys *keys, const struct shk_cell *cell, const char *text);

/* The same for cells that follow each other in a plan: what the problem and integrator of the last
 * one name is looked up once, until others come. Begins as zeros; the same `keys` for all. */
struct shk_key_series {
  char *problem, *integrator; /* of the last cell */
  char *lines;                /* what they add to its key */
};
void shk_key_make_next(const struct shk_context *context, struct shk_key_series *series,
                       char key[SHK_HASH_SIZE], const struct shk_keys *keys,
                       const struct shk_cell *cell, const char *text);
void shk_key_series_clear(struct shk_key_series *series);

/* To which of so many parts a cell belongs, 1 … count: the first 16 digits of its key as a number,
 * modulo the count. The same for whoever has the same sources and plug-ins. */
int shk_key_part(const char *key, int count);

#endif
