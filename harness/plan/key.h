/*
 * Cell keys. A record is valid for a cell if and only if their keys are equal. The key depends on
 * everything that affects the results. It is the XXH3-128 hash of the cell's canonical string, the
 * hash of the numerical sources, the hashes of the plug-ins to which the cell refers, and the
 * hashes of all files named in the command of an external integrator or in a problem's options.
 */
#ifndef HARNESS_PLAN_KEY_H
#define HARNESS_PLAN_KEY_H

#include "engine/context.h"
#include "foundation/hash.h"
#include "foundation/specifications/cell.h"

/* The name of a problem or integrator from a plug-in, and the hash of the plug-in's file. */
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
 * problem and the integrator. These lines are reused as long as neither changes. Initialize the
 * cache with zeros, and pass the same `keys` in every call. */
struct shk_key_series {
  char *problem, *integrator; /* problem and integrator of the last cell */
  char *lines;                /* the lines of the key for this problem and integrator */
};
/* Computes the key of a cell. `text` is the cell as a string (cell_text.h). `series` and `keys` can
 * be NULL. */
void shk_key_make(const struct shk_context *context, struct shk_key_series *series,
                  char key[SHK_HASH_SIZE], const struct shk_keys *keys, const struct shk_cell *cell,
                  const char *text);
void shk_key_series_clear(struct shk_key_series *series);

/* Returns the number, from 1 to `count`, of the part to which a cell belongs. The number is 1 plus
 * the remainder when the first 16 digits of the key, read as a number, are divided by `count`. It
 * is the same on all machines with the same sources and plug-ins. */
int shk_key_part(const char *key, int count);

#endif
