/* Manages the memory of a method or a problem. This memory is freed together with the binding. */
#include "mechanics/binding/binding.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The header of each block of memory, or of another object that the workspace owns. */
struct piece {
  struct piece *before;
  struct shk_workspace *workspace;
  void *object;
  void (*destroy)(void *object); /* NULL: memory only */
  size_t size;                   /* of the memory */
};

struct shk_workspace {
  struct piece *last;
};

/* HEAD is a multiple of every alignment. The part of HEAD that follows the struct and the TAIL
 * bytes are the guards before and after the memory. Both sizes must be the same in all precisions,
 * because methods in quad contain factors in double. */
enum { TAIL = 64, HEAD = 48 + TAIL, FRONT = HEAD - sizeof(struct piece) };
_Static_assert(sizeof(struct piece) <= HEAD - TAIL && HEAD % _Alignof(max_align_t) == 0,
               "a piece's header and guard must fit");

/* This byte, repeated, is a NaN in every precision. */
enum { GUARD = 0xFF };

static void guard_piece(struct piece *piece, int byte)
{
  memset(piece + 1, byte, FRONT);
  memset((char *)piece + HEAD + piece->size, byte, TAIL);
}

static struct piece *take_piece(struct shk_workspace *workspace, size_t size)
{
  struct piece *piece = size <= SIZE_MAX - HEAD - TAIL ? calloc(1, HEAD + size + TAIL) : NULL;
  if (!piece)
    return NULL;
  *piece = (struct piece){.before = workspace->last, .workspace = workspace, .size = size};
  workspace->last = piece;
  guard_piece(piece, GUARD);
  return piece;
}

void *shk_memory(struct shk_workspace *workspace, size_t size)
{
  struct piece *piece = take_piece(workspace, size);
  return piece ? (char *)piece + HEAD : NULL;
}

static struct piece *piece_of(void *memory)
{
  return (void *)((char *)memory - HEAD);
}

void shk_give_back(void *memory)
{
  struct piece *const piece = piece_of(memory);
  struct piece **at = &piece->workspace->last;
  while (*at != piece)
    at = &(*at)->before;
  *at = piece->before;
  free(piece);
}

struct shk_status shk_no_memory(void)
{
  return shk_failure(SHK_NO_MEMORY, "no memory for a method or a problem", 0, 0);
}

struct shk_status shk_reals(struct shk_workspace *workspace, real **reals, size_t count)
{
  *reals =
      count <= SIZE_MAX / sizeof **reals ? shk_memory(workspace, count * sizeof **reals) : NULL;
  return *reals ? shk_ok() : shk_no_memory();
}

struct shk_status shk_integers(struct shk_workspace *workspace, int **integers, size_t count)
{
  *integers = count <= SIZE_MAX / sizeof **integers
                  ? shk_memory(workspace, count * sizeof **integers)
                  : NULL;
  return *integers ? shk_ok() : shk_no_memory();
}

struct shk_status shk_keep(struct shk_workspace *workspace, void *object,
                           void (*destroy)(void *object))
{
  struct piece *piece = take_piece(workspace, 0);
  if (!piece) {
    destroy(object);
    return shk_no_memory();
  }
  piece->object = object;
  piece->destroy = destroy;
  return shk_ok();
}

struct shk_workspace *shk_workspace_create(void **first, size_t size)
{
  struct shk_workspace *workspace = calloc(1, sizeof *workspace);
  if (!first)
    return workspace;
  *first = workspace ? shk_memory(workspace, size) : NULL;
  if (!*first) {
    free(workspace);
    return NULL;
  }
  return workspace;
}

struct shk_workspace *shk_workspace_of(void *memory)
{
  return piece_of(memory)->workspace;
}

void shk_workspace_guard(void *first, int byte)
{
  for (struct piece *p = shk_workspace_of(first)->last; p; p = p->before)
    guard_piece(p, byte);
}

static bool is_filled(const void *memory, size_t size, int byte)
{
  for (size_t i = 0; i < size; i++)
    if (((const unsigned char *)memory)[i] != byte)
      return false;
  return true;
}

bool shk_workspace_is_guarded(void *first, int byte)
{
  for (const struct piece *p = shk_workspace_of(first)->last; p; p = p->before)
    if (!is_filled(p + 1, FRONT, byte) || !is_filled((const char *)p + HEAD + p->size, TAIL, byte))
      return false;
  return true;
}

void shk_workspace_destroy(struct shk_workspace *workspace)
{
  if (!workspace)
    return;
  while (workspace->last) {
    struct piece *const piece = workspace->last;
    workspace->last = piece->before;
    if (piece->destroy)
      piece->destroy(piece->object);
    free(piece);
  }
  free(workspace);
}
