/*
 * Constructs the struct of a method or a problem from its tables.
 */
#ifndef MECHANICS_BINDING_BINDING_H
#define MECHANICS_BINDING_BINDING_H

#include <shakedown/parts/integrator.h>
#include <shakedown/parts/values.h>
#include <shakedown/parts/workspace.h>
#include <shakedown/system.h>

/* Creates a workspace whose first allocation, *first, consists of `size` zeroed bytes. If `first`
 * is NULL, there is no such allocation. Returns NULL if memory runs out. */
struct shk_workspace *shk_workspace_create(void **first, size_t size);
/* Returns the workspace that owns this memory. */
struct shk_workspace *shk_workspace_of(void *memory);
/* Frees all memory of the workspace. Accepts NULL. */
void shk_workspace_destroy(struct shk_workspace *workspace);

/* Every piece of memory of a workspace is surrounded by guards, which initially consist of 0xFF
 * bytes and read as NaN. The first function fills all guards of the workspace of `first` with a
 * byte; the second returns true if they still contain it. */
void shk_workspace_guard(void *first, int byte);
bool shk_workspace_is_guarded(void *first, int byte);

/* Returns the member of a struct at an offset made by SHK_AT. */
static inline void *shk_member(void *into, size_t at)
{
  return (char *)into + (at - 1);
}

/* Stores the values of options in the struct `into`, at the offsets of their table. */
void shk_store_options(void *into, const struct shk_option *options,
                       const struct shk_values *values);
/* Returns the status of code that was bound with these values. If the code read an option that its
 * descriptor lacks, returns a failure that names the option. */
struct shk_status shk_options_known(struct shk_status status, const struct shk_values *values);
/* Returns the length of an array of this shape in the struct `into`, which already contains its
 * options. */
size_t shk_array_length(const void *into, const struct shk_array *array,
                        const struct shk_evaluator *evaluator);
/* Allocates the arrays of a table and stores their addresses in the struct `into`. */
struct shk_status shk_create_arrays(void *into, const struct shk_array *arrays,
                                    const struct shk_evaluator *evaluator,
                                    struct shk_workspace *workspace);

/* Calls the member `constraint_work` of an integrator, or uses its `constraint_work_at`. Returns
 * false if the method does not compute the work. */
bool shk_method_constraint_work(const struct shk_integrator *integrator, void *method, real *sum);

#endif
