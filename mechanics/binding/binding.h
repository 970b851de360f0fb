/*
 * Constructs the struct of a method or a problem from its tables.
 */
#ifndef MECHANICS_BINDING_BINDING_H
#define MECHANICS_BINDING_BINDING_H

#include <shakedown/parts/integrator.h>
#include <shakedown/parts/values.h>
#include <shakedown/parts/workspace.h>
#include <shakedown/system.h>

/* Creates a workspace. Unless `first` is NULL, *first receives the workspace's first allocation,
 * which consists of `size` zeroed bytes. Returns NULL if memory runs out. */
struct shk_workspace *shk_workspace_create(void **first, size_t size);
/* Returns the workspace that owns this memory. */
struct shk_workspace *shk_workspace_of(void *memory);
/* Frees all memory of the workspace. Accepts NULL. */
void shk_workspace_destroy(struct shk_workspace *workspace);

/* Every block of workspace memory is surrounded by guards. They initially consist of 0xFF bytes,
 * which read as NaN. The first function fills all guards of the workspace that owns `first` with a
 * byte. The second returns true if all of them still contain it. */
void shk_workspace_guard(void *first, int byte);
bool shk_workspace_is_guarded(void *first, int byte);

/* Returns a pointer to the member of a struct whose offset was computed by SHK_AT. */
static inline void *shk_member(void *into, size_t at)
{
  return (char *)into + (at - 1);
}

/* Stores the option values in the struct `into`, at the offsets that the table lists. */
void shk_store_options(void *into, const struct shk_option *options,
                       const struct shk_values *values);
/* Returns the given status, which results from binding code with these values. If the code read an
 * option that its descriptor does not list, returns a failure that names the option instead. */
struct shk_status shk_options_known(struct shk_status status, const struct shk_values *values);
/* Returns the length of an array of the given shape in the struct `into`, which must already
 * contain its options. */
size_t shk_array_length(const void *into, const struct shk_array *array,
                        const struct shk_evaluator *evaluator);
/* Allocates the arrays that a table lists and stores their addresses in the struct `into`. */
struct shk_status shk_create_arrays(void *into, const struct shk_array *arrays,
                                    const struct shk_evaluator *evaluator,
                                    struct shk_workspace *workspace);

/* Calls the integrator's member `constraint_work` or, if there is none, uses `constraint_work_at`.
 * Returns false if the method does not compute the work. */
bool shk_method_constraint_work(const struct shk_integrator *integrator, void *method, real *sum);

#endif
