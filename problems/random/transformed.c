/*
 * A change of coordinates, rows and units for any problem with constraints g(q) or g(q,t)
 * (problems/kit/transform.h). Coordinates and rows are reordered and rotated, rows are scaled or
 * replaced by another function of the same constraint, and the initial time is changed. The motion
 * is that of the original problem, whose exact solutions and invariants are transformed with it. If
 * the system declares distance constraints between points, all of space is rotated. Otherwise, up
 * to three coordinates with the same unit and mass are rotated together. If M depends on q or H is
 * general, the masses of these coordinates need not be equal.
 */
#include "problems/kit/draw.h"
#include "problems/kit/problem.h"
#include "problems/kit/transform.h"

#include <string.h>

struct transformed {
  /* the functions of the transform use this member as their context */
  struct shk_transform transform;
  long seed;
  bool reorder; /* true if coordinates and rows are reordered */
  bool turn;    /* true if coordinates are rotated */
  bool scale;   /* rows are multiplied by factors from 1/16 to 16 with either sign */
  /* rows become g + a g², where 1/|a| is the change in g over a distance equal to the size of q */
  bool rewrite;
  uint64_t random;
};

#define SYSTEM(s) (&(s)->transform.parts[0].inner.system)

/* Stores 0 … count - 1 in this order or in a random order. */
static void shuffle_transformed(struct transformed *s, int *order, int count)
{
  bool same = true;
  for (int i = 0; i < count; i++)
    order[i] = i;
  for (int i = count - 1; i > 0; i--) {
    const int other = shk_draw_index(&s->random, i + 1), kept = order[i];
    if (s->reorder) {
      order[i] = order[other];
      order[other] = kept;
    }
  }
  for (int i = 0; i < count; i++)
    same = same && order[i] == i;
  for (int i = 0; same && s->reorder && i < count; i++)
    order[i] = (i + 1) % count;
}

/* Sets the rotation of a block to a random orthogonal matrix, which may include a reflection. */
static void draw_turn(struct transformed *s, struct shk_axis *block)
{
  const int size = block->size;
  for (int i = 0; i < size; i++) {
    real length = 0, *const row = block[i].turn;
    do {
      for (int j = 0; j < size; j++)
        row[j] = s->turn ? 2 * shk_random_uniform(&s->random) - 1 : i == j;
      for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < i; k++) {
          const real part = real_dot(row, block[k].turn, size);
          for (int j = 0; j < size; j++)
            row[j] -= part * block[k].turn[j];
        }
      length = real_sqrt(real_dot(row, row, size));
    } while (length < R(0.25));
    for (int j = 0; j < size; j++)
      row[j] /= length;
  }
}

/* Makes the coordinates of each point a block. The same rotation is applied to all blocks. */
static void group_points(struct transformed *s, int *order)
{
  struct shk_axis *const axes = s->transform.axes;
  const int size = SYSTEM(s)->rods->dimension, n = s->transform.n;
  shuffle_transformed(s, order, n / size);
  axes[0].size = size;
  draw_turn(s, axes);
  for (int i = 0; i < n; i++) {
    const int point = i / size;
    if (i >= size)
      memcpy(axes[i].turn, axes[i % size].turn, sizeof axes[i].turn);
    axes[i].size = size;
    axes[i].outer = order[point] * size + i % size;
    for (int j = 0; j < size; j++)
      axes[i].inner[j] = point * size + j;
  }
}

static bool go_together(const struct shk_system *system, int a, int b)
{
  const bool alike = !system->mass || (system->features & SHK_GENERAL_HAMILTONIAN) != 0 ||
                     system->mass[a] == system->mass[b];
  return alike && (!system->units || system->units[a] == system->units[b]);
}

/* Groups coordinates that can be rotated together, at most three at a time. They need not be
 * adjacent. */
static void group_coordinates(struct transformed *s, int *order)
{
  struct shk_axis *block = s->transform.axes;
  const int n = s->transform.n, most = s->turn ? SHK_BLOCK : 1;
  shuffle_transformed(s, order, n);
  for (int first = 0; first < n; first++) {
    int size = 0, inner[SHK_BLOCK] = {0};
    if (order[first] < 0)
      continue;
    for (int i = first; i < n && size < most; i++)
      if (order[i] >= 0 && go_together(SYSTEM(s), first, i)) {
        inner[size] = i;
        block[size++].outer = order[i];
        order[i] = -1; /* taken */
      }
    for (int i = 0; i < size; i++) {
      block[i].size = size;
      memcpy(block[i].inner, inner, sizeof inner);
    }
    draw_turn(s, block);
    block += size;
  }
}

/* Draws the coefficients a, of order 1/change. The change in a row of g is the size of the
 * corresponding row of G at the initial state, times the size of q. */
static struct shk_status draw_bends(struct transformed *s)
{
  struct shk_transform *const t = &s->transform;
  const struct shk_instance *const inner = &t->parts[0].inner;
  const void *const context = inner->system.context;
  if (inner->start(context, t->q, t->p) != 0 ||
      inner->system.jacobian(context, t->values, inner->initial_time, t->q) != 0)
    return shk_failure(SHK_STOPPED, "the problem cannot compute its start", 0, 0);
  const real size = real_max_norm(t->q, t->n);
  for (int i = 0; i < t->rows; i++) {
    const int from = t->inner_start[t->row[i]], count = t->inner_start[t->row[i] + 1] - from;
    const real change = size * real_max_norm(t->values + from, count);
    const real share = R(0.3) + R(0.7) * shk_random_uniform(&s->random);
    if (change > 0)
      t->bend[i] = (shk_draw_index(&s->random, 2) == 0 ? share : -share) / change;
  }
  return shk_ok();
}

static struct shk_status draw_rows(struct transformed *s)
{
  struct shk_transform *const t = &s->transform;
  shuffle_transformed(s, t->row, t->rows);
  for (int i = 0; i < t->rows; i++) {
    /* The factors are stratified over the rows, so no two rows have nearly the same factor. */
    const real share = ((real)i + shk_random_uniform(&s->random)) / (real)t->rows;
    const real size = real_exp(real_log(16) * (2 * share - 1));
    if (s->scale)
      t->factor[i] = shk_draw_index(&s->random, 2) == 0 ? size : -size;
  }
  return s->rewrite ? draw_bends(s) : shk_ok();
}

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct transformed *s = context;
  struct shk_transform *const t = &s->transform;
  int *order;
  SHK_TRY(shk_transform_part(t, instance, "problem"));
  SHK_TRY(shk_transform_begin(t, instance->workspace, t->m));
  SHK_TRY(shk_integers(instance->workspace, &order, (size_t)t->n));
  s->random = (uint64_t)s->seed;
  if (SYSTEM(s)->rods)
    group_points(s, order);
  else
    group_coordinates(s, order);
  SHK_TRY(draw_rows(s));
  return shk_transform_end(t, instance);
}

static const struct shk_option options[] = {
    SHK_PART_OPTION("problem", "sprung-pendulum", "the problem"),
    SHK_INTEGER(transformed, seed, "seed", "1", "seed of the random numbers", .minimum = "0"),
    SHK_FLAG(transformed, reorder, "reorder", "yes", "reorder the coordinates and rows"),
    SHK_FLAG(transformed, turn, "turn", "yes",
             "rotate space, or up to three coordinates of equal mass together"),
    SHK_FLAG(transformed, scale, "scale", "yes",
             "multiply the rows by numbers from 1/16 to 16, of either sign"),
    SHK_FLAG(transformed, rewrite, "rewrite", "no",
             "replace the rows by g + a g^2, where 1/a is of the order of the change in g"),
    SHK_REAL(transformed, transform.length, "length", "1", "unit of length", SHK_POSITIVE),
    SHK_REAL(transformed, transform.mass, "mass", "1", "unit of mass", SHK_POSITIVE),
    SHK_REAL(transformed, transform.time, "time", "1", "unit of time", SHK_POSITIVE),
    SHK_REAL(transformed, transform.shift, "shift", "0", "time shift"),
    {0}};

SHK_PROVIDE_PROBLEM(
    transformed, transformed, NULL, .name = "transformed", .family = "random or derived",
    .summary = "another problem in other coordinates, rows and units, with the same motion",
    .equations = "those of the problem, with q~ = L T q, p~ = (m L/τ) T p, t~ = τ t + t_0,\n"
                 "g~_i = c_i (g_k + a_i g_k²), λ~_i = (m L²/τ²) λ_k/c_i, T orthogonal",
    .citation = "ours", .units = "multiples of the problem's units, as set by the options",
    .coordinates = "the problem's coordinates, in another order and rotated");
