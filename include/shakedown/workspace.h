/*
 * Allocations of a method or a problem: zeroed arrays, and other objects with their destructors.
 * The binding owns the workspace and frees all of it, in reverse order, also after a failure
 * half-way: methods free nothing.
 */
#ifndef SHAKEDOWN_WORKSPACE_H
#define SHAKEDOWN_WORKSPACE_H

#include <shakedown/descriptor.h>
#include <shakedown/real.h>
#include <shakedown/status.h>

struct shk_evaluator;
struct shk_workspace;

/* Allocates `count` zeros for *array. SHK_NO_MEMORY, with *array NULL. */
struct shk_status shk_reals(struct shk_workspace *workspace, real **array, size_t count);
struct shk_status shk_integers(struct shk_workspace *workspace, int **array, size_t count);
/* Allocates `size` zeroed bytes, aligned for any type; NULL if that fails. */
void *shk_memory(struct shk_workspace *workspace, size_t size);
/* Frees memory or an array of a workspace early; not NULL. */
void shk_give_back(void *memory);
/* Returns the status of a failed allocation. */
struct shk_status shk_no_memory(void);
/* The same if `memory` is NULL. */
static inline struct shk_status shk_allocated(const void *memory)
{
  return memory ? shk_ok() : shk_no_memory();
}
/* Registers `destroy` to be called with `object` at the end; calls it at once if registering
 * fails. */
struct shk_status shk_keep(struct shk_workspace *workspace, void *object,
                           void (*destroy)(void *object));

/* An array of a method by its shape: its length is the sum of these counts times their sizes, with
 * n coordinates, m constraints and the entries of the pattern of G. */
struct shk_array {
  size_t at; /* SHK_AT(struct, member) of the pointer; 0 ends a list */
  size_t n, m, nn, nm, mm, entries, ones;
  size_t times;  /* SHK_AT of an option, a long, that multiplies the length; 0: once */
  unsigned only; /* enum shk_feature: allocated only for systems with one of these; 0: always */
  bool integers; /* the member is an int * */
  unsigned char beside; /* how many members of the same shape follow it in the struct */
};
#define SHK_ARRAY(type, member, ...)                                                               \
  {                                                                                                \
    .at = SHK_AT_A(real *, type, member), __VA_ARGS__                                              \
  }
/* All members from `first` to `last`, which are declared side by side. */
#define SHK_ARRAYS(type, first, last, ...)                                                         \
  {                                                                                                \
    .at = SHK_AT_A(real *, type, first), __VA_ARGS__,                                              \
    .beside = (SHK_AT_A(real *, type, last) - SHK_AT(type, first)) / sizeof(real *)                \
  }
#define SHK_INTEGERS(type, member, ...)                                                            \
  {                                                                                                \
    .at = SHK_AT_A(int *, type, member), .integers = true, __VA_ARGS__                             \
  }

/* Allocates a struct that is part of a method, of `size` bytes, zeroed, with the arrays of its
 * table, for the system of an evaluator; NULL if that fails. */
void *shk_part(struct shk_workspace *workspace, size_t size, const struct shk_array *arrays,
               const struct shk_evaluator *evaluator);

#endif
