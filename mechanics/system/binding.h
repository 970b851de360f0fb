/*
 * How the struct of a method or a problem is made from its tables.
 */
#ifndef MECHANICS_SYSTEM_BINDING_H
#define MECHANICS_SYSTEM_BINDING_H

#include <shakedown/system.h>
#include <shakedown/values.h>
#include <shakedown/workspace.h>

/* A workspace whose first allocation, *first, is `size` zeroed bytes (NULL: none is made); NULL
 * without memory. */
struct shk_workspace *shk_workspace_create(void **first, size_t size);
/* The workspace of this memory. */
struct shk_workspace *shk_workspace_of(void *memory);
/* Frees all that it holds. Accepts NULL. */
void shk_workspace_destroy(struct shk_workspace *workspace);

/* All memory of a workspace lies between guards, at first of bytes 0xFF, which make a NaN: fills
 * them with other bytes; whether they are still what they were filled with. */
void shk_workspace_guard(void *first, int byte);
bool shk_workspace_is_guarded(void *first, int byte);

/* Puts the values of options into the struct `into`, where their table says so. */
void shk_land_options(void *into, const struct shk_option *options,
                      const struct shk_values *values);
/* Length of an array of this shape in the struct `into`, whose options are stored. */
size_t shk_array_length(const void *into, const struct shk_array *array,
                        const struct shk_evaluator *evaluator);
/* Allocates the arrays of a table and puts them into the struct `into`. */
struct shk_status shk_land_arrays(void *into, const struct shk_array *arrays,
                                  const struct shk_evaluator *evaluator,
                                  struct shk_workspace *workspace);

#endif
