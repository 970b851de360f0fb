/*
 * Blocks of a path, for the sweeps of tridiagonal.c.
 *
 * A path is processed in blocks of `length` rods, known at compilation. A block has the numbers of
 * all slots that they touch and of one more rod at either end side by side: for a contiguous path
 * in place, for others gathered. Local rod b is rod k0 - 1 + b and joins the local slots b and
 * b + 1; the block's own are b = 1 … length.
 */
#ifndef MECHANICS_SOLVERS_RODS_ROD_BLOCKS_H
#define MECHANICS_SOLVERS_RODS_ROD_BLOCKS_H

#include "mechanics/algebra/inlined.h"
#include "mechanics/solvers/rods/paths.h"

enum { BLOCK = SHK_BLOCK_LONG };

/* The start of a block, and what is carried over from the one before. */
struct block {
  const struct shk_paths *paths;
  const struct shk_path *path;
  int k0, own;    /* its first rod; its rods */
  bool interior;  /* every slot exists and moves */
  int moving[2];  /* on a contiguous path, the first and the last local slot that moves, */
  int at;         /* and where a vector has the first */
  real before[3]; /* d1 of rod k0 - 1 */
  real minor, older, right, scale, ratio; /* N, the one before it, z, of the last row */
};

INLINED int offset_of(const struct block *b, int local)
{
  return b->paths->offset[b->path->slot + b->k0 - 1 + local];
}

static void enter(struct block *b, int k0, int length)
{
  const struct shk_path *path = b->path;
  const int before = k0 - 1, last = k0 + length + 1;
  b->k0 = k0;
  b->own = path->count - k0 < length ? path->count - k0 : length;
  b->moving[0] = path->moving[0] > before ? path->moving[0] - before : 0;
  b->moving[1] = (path->moving[1] < last ? path->moving[1] : last) - before;
  b->at = offset_of(b, b->moving[0]);
  b->interior = k0 > 0 && last <= path->count && offset_of(b, 0) >= 0 &&
                b->paths->offset[path->slot + last] >= 0;
}

/* `count` numbers for the slots or rods k0 - 1, k0, … of the block, `width` each: those from `first`
 * to `last` from an array that has that of `first` at its beginning, and zeros beside them. */
INLINED void copy_between(const struct block *b, int count, int width, int first, int last,
                          const real *from, real *to)
{
  const int begin = b->k0 - 1 > first ? b->k0 - 1 : first;
  const int end = b->k0 - 1 + count < last + 1 ? b->k0 - 1 + count : last + 1;
  const real *const source = from + (begin - first) * width;
  real *const there = to + (begin - (b->k0 - 1)) * width;
  for (int t = 0; t < count * width; t++)
    to[t] = 0;
  for (int t = 0; t < (end - begin) * width; t++)
    there[t] = source[t];
}

/* Where views of vectors are that a solve does not change; `kept`: they are there from its last sweep. */
INLINED shk_view *views_of(const struct block *b, shk_view *local, bool *kept)
{
  struct shk_views *const views = &b->paths->views[b->k0 > 0];
  const int block = 1 + b->path->first + b->k0;
  *kept = !b->interior && views->block == block && views->solve == b->paths->solve;
  if (b->interior)
    return local;
  views->block = block;
  views->solve = b->paths->solve;
  return views->of;
}

/* The block's part of a vector over the coordinates, with `fixed` (NULL: zeros) at fixed points and
 * zeros beyond the ends; `kept`: `buffer` has it. */
INLINED const real *view(const struct block *b, int length, int dimension, const real *vector,
                         const real *fixed, real *buffer, bool kept)
{
  if (b->interior && b->path->contiguous)
    return vector + offset_of(b, 0);
  if (kept)
    return buffer;
  const struct shk_path *path = b->path;
  if (path->contiguous) {
    const int *const offset = b->paths->offset + path->slot;
    for (int t = 0; t < (length + 3) * dimension; t++)
      buffer[t] = 0;
    const real *const source = vector + b->at;
    real *const there = buffer + b->moving[0] * dimension;
    for (int t = 0; t < (b->moving[1] - b->moving[0] + 1) * dimension; t++)
      there[t] = source[t];
    for (int end = 0; fixed && end <= path->count; end += path->count) {
      const int local = end - (b->k0 - 1);
      for (int j = 0; offset[end] < 0 && local >= 0 && local < length + 3 && j < dimension; j++)
        buffer[local * dimension + j] = fixed[(-1 - offset[end]) * dimension + j];
    }
    return buffer;
  }
  for (int a = 0; a < length + 3; a++) {
    const int slot = b->k0 - 1 + a;
    const bool there = slot >= 0 && slot <= b->path->count;
    const int offset = there ? offset_of(b, a) : 0;
    const real *from = !there        ? NULL
                       : offset >= 0 ? vector + offset
                       : fixed       ? fixed + (-1 - offset) * dimension
                                     : NULL;
    for (int j = 0; j < dimension; j++)
      buffer[a * dimension + j] = from ? from[j] : 0;
  }
  return buffer;
}

/* Where the block's part of a result is written: in place, or into `local`, to be written back by
 * give(). In place the slot after its own is written too, with the same value as by the next
 * block. */
INLINED real *place(const struct block *b, real *vector, real *local)
{
  return b->interior && b->path->contiguous ? vector + offset_of(b, 0) : local;
}

/* Writes the block's own part back: slots k0 … k0 + own - 1, and the last slot of all. */
INLINED void write_back(const struct block *b, int length, int dimension, real *vector,
                        const real *local)
{
  const int slots = b->own + (b->k0 + b->own == b->path->count ? 1 : 0);
  if (b->interior && b->path->contiguous) {
    real *const to = vector + offset_of(b, 1);
    if (to != local + dimension)
      for (int t = 0; t < length * dimension; t++) /* all are its own within the path */
        to[t] = local[dimension + t];
    return;
  }
  const struct shk_path *path = b->path;
  if (path->contiguous) {
    const int first = b->moving[0] > 0 ? b->moving[0] : 1;
    const int last = b->moving[1] < slots ? b->moving[1] : slots;
    const real *const from = local + first * dimension;
    real *const to = vector + b->at + (first - b->moving[0]) * dimension;
    for (int t = 0; t < (last - first + 1) * dimension; t++)
      to[t] = from[t];
    return;
  }
  for (int a = 1; a <= slots; a++)
    for (int j = 0; j < dimension && offset_of(b, a) >= 0; j++)
      vector[offset_of(b, a) + j] = local[a * dimension + j];
}

INLINED void weigh(struct shk_weights *weights, const struct block *b, int length, int dimension)
{
  const struct shk_paths *paths = b->paths;
  copy_between(b, length + 3, 1, 0, b->path->count, paths->inverse + b->path->slot, weights->slot);
  for (int a = 0; a < length + 3; a++)
    for (int j = 0; j < dimension; j++)
      weights->spread[a * dimension + j] = weights->slot[a];
  for (int i = 1; i <= length; i++)
    weights->square[i] =
        i <= b->own ? paths->rods->rod[paths->row[b->path->first + b->k0 + i - 1]].square : 0;
}

/* The weights of a block, which short paths keep from one sweep to the next; blocks within a path of
 * equal masses have the same. */
INLINED const struct shk_weights *weights_of(const struct block *b, int length, int dimension)
{
  const struct shk_paths *paths = b->paths;
  struct shk_weights *weights = &paths->weights[b->k0 == 0 ? 0 : b->interior ? 1 : 2];
  const bool level = b->interior && b->path->uniform;
  const int block = level ? -1 - (int)(b->path - paths->path) : 1 + b->path->first + b->k0;
  if (weights->block != block)
    weigh(weights, b, length, dimension);
  weights->block = block;
  return weights;
}

/* out <- factor times d times a number for each rod of the block: that of its row, or x in the
 * order of the path. */
INLINED void push(const struct block *b, int length, int dimension, real factor, const real *by_row,
                  const real *d, real *out)
{
  const struct shk_paths *paths = b->paths;
  const real *numbers = by_row ? by_row : paths->x;
  real gathered[BLOCK + 2];
  if (b->interior && (!by_row || b->path->contiguous)) {
    numbers += by_row ? paths->row[b->path->first + b->k0 - 1] : b->path->first + b->k0 - 1;
  } else if (!by_row || b->path->contiguous) {
    const int first = by_row ? paths->row[b->path->first] : b->path->first;
    copy_between(b, length + 2, 1, 0, b->path->count - 1, numbers + first, gathered);
    numbers = gathered;
  } else {
    for (int local = 0; local < length + 2; local++) {
      const int rod = b->k0 - 1 + local, at = b->path->first + rod;
      gathered[local] =
          rod < 0 || rod >= b->path->count ? 0 : numbers[by_row ? paths->row[at] : at];
    }
    numbers = gathered;
  }
  for (int local = 0; local < length + 2; local += 2) {
    const real one = factor * numbers[local], two = factor * numbers[local + 1];
    for (int j = 0; j < dimension; j++)
      out[local * dimension + j] = one * d[local * dimension + j];
    for (int j = dimension; j < 2 * dimension; j++)
      out[local * dimension + j] = two * d[local * dimension + j];
  }
}

INLINED void begin_path(struct block *b, const struct shk_paths *paths, int path)
{
  *b = (struct block){.paths = paths, .path = paths->path + path, .minor = 1, .scale = 1};
}

#endif
