/*
 * The memory of a method or problem: zeroed arrays, and other objects with their destructors. The
 * binding owns the workspace and frees everything in reverse order, even if binding fails partway
 * through. Methods do not free anything themselves.
 */
#ifndef SHAKEDOWN_WORKSPACE_H
#define SHAKEDOWN_WORKSPACE_H

#include <shakedown/parts/descriptor.h>
#include <shakedown/parts/real.h>
#include <shakedown/parts/status.h>

struct shk_evaluator;
struct shk_workspace;

/* Allocates an array of `count` zeros. If that fails, sets *array to NULL and returns
 * SHK_NO_MEMORY. */
struct shk_status shk_reals(struct shk_workspace *workspace, real **array, size_t count);
struct shk_status shk_integers(struct shk_workspace *workspace, int **array, size_t count);
/* Allocates `size` zeroed bytes, aligned for any type. Returns NULL if that fails. */
void *shk_memory(struct shk_workspace *workspace, size_t size);
/* Frees memory or an array that belongs to a workspace before the workspace itself is freed.
 * `memory` must not be NULL. */
void shk_give_back(void *memory);
/* Returns the status of a failed allocation. */
struct shk_status shk_no_memory(void);
/* Returns the status of a failed allocation if `memory` is NULL, and ok otherwise. */
static inline struct shk_status shk_allocated(const void *memory)
{
  return memory ? shk_ok() : shk_no_memory();
}
/* Registers `destroy`, which is called with `object` when the workspace is freed, or immediately if
 * the registration fails. */
struct shk_status shk_keep(struct shk_workspace *workspace, void *object,
                           void (*destroy)(void *object));

/* An array that belongs to a method, described by its shape. The length of the array is the sum of
 * these counts, each multiplied by the size after which it is named: n is the number of
 * coordinates, m the number of constraints, and `entries` the number of entries in the sparsity
 * pattern of G. */
struct shk_array {
  size_t at; /* SHK_AT(struct, member) for the pointer; 0 terminates a list */
  size_t n, m, nn, nm, mm, entries, ones;
  /* SHK_AT of an option of type long by which the length is multiplied; 0 if there is none */
  size_t times;
  /* set of enum shk_feature: the array is allocated only for systems with one of these features, or
   * always if the set is 0 */
  unsigned only;
  bool integers; /* the member is an int * */
};
#define SHK_ARRAY(type, member, ...)                                                               \
  {                                                                                                \
    .at = SHK_AT_A(real *, type, member), __VA_ARGS__                                              \
  }
#define SHK_INTEGERS(type, member, ...)                                                            \
  {                                                                                                \
    .at = SHK_AT_A(int *, type, member), .integers = true, __VA_ARGS__                             \
  }
/* Lists up to twelve arrays of the same shape, for example SHK_ARRAYS(verlet, (.n = 1), H_q, dp,
 * dp_free). SHK_k_ lists k arrays. SHK_COUNTED_ selects the right SHK_k_, which is its thirteenth
 * argument. */
#define SHK_ARRAYS(type, shape, ...)                                                               \
  SHK_COUNTED_(__VA_ARGS__, SHK_12_, SHK_11_, SHK_10_, SHK_9_, SHK_8_, SHK_7_, SHK_6_, SHK_5_,     \
               SHK_4_, SHK_3_, SHK_2_, SHK_1_, )                                                   \
  (type, shape, __VA_ARGS__)
#define SHK_COUNTED_(a, b, c, d, e, f, g, h, i, j, k, l, macro, ...) macro
#define SHK_SHAPE_(...) __VA_ARGS__
#define SHK_1_(t, s, a) SHK_ARRAY(t, a, SHK_SHAPE_ s)
#define SHK_2_(t, s, a, ...) SHK_1_(t, s, a), SHK_1_(t, s, __VA_ARGS__)
#define SHK_3_(t, s, a, ...) SHK_1_(t, s, a), SHK_2_(t, s, __VA_ARGS__)
#define SHK_4_(t, s, a, ...) SHK_1_(t, s, a), SHK_3_(t, s, __VA_ARGS__)
#define SHK_5_(t, s, a, ...) SHK_1_(t, s, a), SHK_4_(t, s, __VA_ARGS__)
#define SHK_6_(t, s, a, ...) SHK_1_(t, s, a), SHK_5_(t, s, __VA_ARGS__)
#define SHK_7_(t, s, a, ...) SHK_1_(t, s, a), SHK_6_(t, s, __VA_ARGS__)
#define SHK_8_(t, s, a, ...) SHK_1_(t, s, a), SHK_7_(t, s, __VA_ARGS__)
#define SHK_9_(t, s, a, ...) SHK_1_(t, s, a), SHK_8_(t, s, __VA_ARGS__)
#define SHK_10_(t, s, a, ...) SHK_1_(t, s, a), SHK_9_(t, s, __VA_ARGS__)
#define SHK_11_(t, s, a, ...) SHK_1_(t, s, a), SHK_10_(t, s, __VA_ARGS__)
#define SHK_12_(t, s, a, ...) SHK_1_(t, s, a), SHK_11_(t, s, __VA_ARGS__)

/* Allocates a zeroed struct of `size` bytes that is part of a method, and the arrays in its table,
 * for the system of an evaluator. Returns NULL if an allocation fails. */
void *shk_part(struct shk_workspace *workspace, size_t size, const struct shk_array *arrays,
               const struct shk_evaluator *evaluator);

#endif
