/*
 * Keys of cells. A record is valid for a cell that has the same key. The key changes with
 * everything that determines the numbers. It is the XXH3-128 hash of the cell's canonical text, the
 * hash of the numeric sources, the hashes of the plug-ins that the cell names, and the hashes of
 * all files named in the command of an external integrator or in a problem's options.
 */
#ifndef HARNESS_PLAN_KEY_H
#define HARNESS_PLAN_KEY_H

#include "engine/context.h"
#include "foundation/hash.h"
#include "foundation/specifications/cell.h"

/* A problem or integrator of a plug-in, and the hash of the plug-in's file. */
struct shk_key_name {
  char *name;
  char hash[SHK_HASH_SIZE];
};

struct shk_keys {
  int count;
  struct shk_key_name *names;
};

void shk_keys_add(struct shk_keys *keys, const char *name, const char *hash);
void shk_keys_clear(struct shk_keys *keys);

/* Cache for successive cells of a plan. It contains the lines of the key that depend only on the
 * problem and the integrator. They are reused as long as these stay the same. Initialize with
 * zeros. All calls must use the same `keys`. */
struct shk_key_series {
  char *problem, *integrator; /* problem and integrator of the last cell */
  char *lines;                /* the lines of the key for that problem and integrator */
};
/* Makes the key of a cell. `text` is the text of the cell (cell_text.h). `series` and `keys` can be
 * NULL. */
void shk_key_make(const struct shk_context *context, struct shk_key_series *series,
                  char key[SHK_HASH_SIZE], const struct shk_keys *keys, const struct shk_cell *cell,
                  const char *text);
void shk_key_series_clear(struct shk_key_series *series);

/* Returns the part, from 1 to `count`, to which a cell belongs: 1 plus the first 16 digits of its
 * key, read as a number, modulo `count`. The part is the same on every machine with the same
 * sources and plug-ins. */
int shk_key_part(const char *key, int count);

#endif
