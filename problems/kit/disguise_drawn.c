/* A disguise is drawn: its coordinates, its rows, and the pattern that they have; see disguise.h. */
#include "problems/kit/disguise_drawn.h"

#include <shakedown/distance.h>
#include <shakedown/random.h>

#include <string.h>

static int choose(uint64_t *random, int count)
{
  return (int)(shk_random_next(random) % (uint64_t)count);
}

/* 0 … count - 1 in an order that is drawn, or in their own. */
static void shuffle(int *order, int count, bool reorder, uint64_t *random)
{
  for (int i = 0; i < count; i++)
    order[i] = i;
  for (int i = count - 1; i > 0; i--) {
    const int other = choose(random, i + 1), kept = order[i];
    if (reorder) {
      order[i] = order[other];
      order[other] = kept;
    }
  }
}

/* An orthogonal matrix: rows drawn and made orthonormal, reflections included. */
static void draw_turn(real turn[SHK_TURNED_MOST][SHK_TURNED_MOST], int size, bool turned,
                      uint64_t *random)
{
  for (int i = 0; i < size; i++) {
    real length = 0;
    do {
      for (int j = 0; j < size; j++)
        turn[i][j] = turned ? 2 * shk_random_uniform(random) - 1 : i == j;
      for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < i; k++) {
          const real part = real_dot(turn[i], turn[k], size);
          for (int j = 0; j < size; j++)
            turn[i][j] -= part * turn[k][j];
        }
      length = real_sqrt(real_dot(turn[i], turn[i], size));
    } while (length < R(0.25));
    for (int j = 0; j < size; j++)
      turn[i][j] /= length;
  }
}

/* Points, each with all of its coordinates, turned alike. */
static void group_points(struct shk_disguise *s, const struct shk_disguise_choice *choice,
                         int *order, uint64_t *random)
{
  const int size = SYSTEM.rods->dimension;
  s->block_count = SYSTEM.n / size;
  shuffle(order, s->block_count, choice->reorder, random);
  draw_turn(s->blocks[0].turn, size, choice->turn, random);
  for (int k = 0; k < s->block_count; k++) {
    struct shk_turned *b = &s->blocks[k];
    memcpy(b->turn, s->blocks[0].turn, sizeof b->turn);
    b->size = size;
    for (int j = 0; j < size; j++) {
      b->inner[j] = k * size + j;
      b->outer[j] = order[k] * size + j;
    }
  }
}

static bool go_together(const struct shk_system *system, int a, int b)
{
  return !system->mass || (system->features & SHK_GENERAL_HAMILTONIAN) != 0 ||
         system->mass[a] == system->mass[b];
}

/* Coordinates in threes, or fewer, wherever they are. */
static void group_coordinates(struct shk_disguise *s, const struct shk_disguise_choice *choice,
                              int *order, uint64_t *random)
{
  const int most = choice->turn ? SHK_TURNED_MOST : 1;
  shuffle(order, SYSTEM.n, choice->reorder, random);
  for (int i = 0; i < SYSTEM.n; i++) {
    int k = 0;
    while (k < s->block_count &&
           (s->blocks[k].size == most || !go_together(&SYSTEM, s->blocks[k].inner[0], i)))
      k++;
    struct shk_turned *b = &s->blocks[k];
    s->block_count += k == s->block_count;
    b->inner[b->size] = i;
    b->outer[b->size++] = order[i];
  }
  for (int k = 0; k < s->block_count; k++)
    draw_turn(s->blocks[k].turn, s->blocks[k].size, choice->turn, random);
}

static struct shk_status draw_coordinates(struct shk_disguise *s, struct shk_workspace *workspace,
                                          const struct shk_disguise_choice *choice,
                                          uint64_t *random)
{
  int *order;
  s->blocks = shk_memory(workspace, (size_t)SYSTEM.n * sizeof *s->blocks);
  if (!s->blocks)
    return shk_no_memory();
  SHK_TRY(shk_integers(workspace, &order, (size_t)SYSTEM.n));
  SHK_TRY(shk_integers(workspace, &s->block_of, (size_t)SYSTEM.n));
  SHK_TRY(shk_reals(workspace, &s->mass, (size_t)SYSTEM.n));
  if (SYSTEM.rods)
    group_points(s, choice, order, random);
  else
    group_coordinates(s, choice, order, random);
  for (int k = 0; k < s->block_count; k++)
    for (int j = 0; j < s->blocks[k].size; j++) {
      s->block_of[s->blocks[k].inner[j]] = k;
      if (SYSTEM.mass)
        s->mass[s->blocks[k].outer[j]] = s->mass_unit * SYSTEM.mass[s->blocks[k].inner[j]];
    }
  return shk_ok();
}

/* The size of each row of G at the start times that of q: what g changes by. */
static struct shk_status draw_bends(struct shk_disguise *s, uint64_t *random)
{
  if (s->wrapped->inner.start(CONTEXT, s->q, s->p) != 0 ||
      SYSTEM.jacobian(CONTEXT, s->values, s->wrapped->inner.initial_time, s->q) != 0)
    return shk_failure(SHK_STOPPED, "the problem cannot compute its start", 0, 0);
  const real size = real_max_norm(s->q, SYSTEM.n);
  for (int i = 0; i < SYSTEM.m; i++) {
    const int from = s->wrapped->pattern.row_start[s->row[i]];
    const real change =
        size * real_max_norm(s->values + from, s->wrapped->pattern.row_start[s->row[i] + 1] - from);
    const real share = R(0.3) + R(0.7) * shk_random_uniform(random);
    if (change > 0)
      s->bend[i] = (choose(random, 2) == 0 ? share : -share) / change;
  }
  return shk_ok();
}

static struct shk_status draw_rows(struct shk_disguise *s, struct shk_workspace *workspace,
                                   const struct shk_disguise_choice *choice, uint64_t *random)
{
  const size_t m = (size_t)SYSTEM.m;
  SHK_TRY(shk_integers(workspace, &s->row, m));
  SHK_TRY(shk_reals(workspace, &s->factor, m));
  SHK_TRY(shk_reals(workspace, &s->bend, m));
  SHK_TRY(shk_reals(workspace, &s->scale, m));
  shuffle(s->row, SYSTEM.m, choice->reorder, random);
  for (int i = 0; i < SYSTEM.m; i++) {
    /* One in each m-th of the range: rows are never alike. */
    const real share = ((real)i + shk_random_uniform(random)) / (real)SYSTEM.m;
    const real size = real_exp(real_log(16) * (2 * share - 1));
    s->factor[i] = !choice->scale ? 1 : choose(random, 2) == 0 ? size : -size;
    s->scale[i] = real_fabs(s->factor[i]) *
                  (!SYSTEM.constraint_scale ? 1 : SYSTEM.constraint_scale[s->row[i]]);
  }
  return choice->rewrite ? draw_bends(s, random) : shk_ok();
}

/* Adds the columns of a block in ascending order. */
static void add_columns(int *columns, int *count, const struct shk_turned *b)
{
  for (int j = 0; j < b->size; j++) {
    int at = (*count)++;
    for (; at > 0 && columns[at - 1] > b->outer[j]; at--)
      columns[at] = columns[at - 1];
    columns[at] = b->outer[j];
  }
}

static bool touches(const struct shk_disguise *s, int from, int count, int block)
{
  for (int k = from; k < count; k++)
    if (s->touched[k] == block)
      return true;
  return false;
}

static struct shk_status find_pattern(struct shk_disguise *s, struct shk_workspace *workspace)
{
  const int entries = s->wrapped->pattern.row_start[SYSTEM.m];
  int touched = 0, next = 0;
  SHK_TRY(shk_integers(workspace, &s->touched_from, (size_t)SYSTEM.m + 1));
  SHK_TRY(shk_integers(workspace, &s->touched, (size_t)entries));
  SHK_TRY(shk_integers(workspace, &s->row_start, (size_t)SYSTEM.m + 1));
  SHK_TRY(shk_integers(workspace, &s->columns, SHK_TURNED_MOST * (size_t)entries));
  for (int i = 0; i < SYSTEM.m; i++) {
    const int row = s->row[i], first = next;
    s->touched_from[i] = touched;
    s->row_start[i] = first;
    for (int k = s->wrapped->pattern.row_start[row]; k < s->wrapped->pattern.row_start[row + 1];
         k++) {
      const int block = s->block_of[s->wrapped->pattern.columns[k]];
      if (touches(s, s->touched_from[i], touched, block))
        continue;
      int count = next - first;
      s->touched[touched++] = block;
      add_columns(s->columns + first, &count, &s->blocks[block]);
      next = first + count;
    }
  }
  s->touched_from[SYSTEM.m] = touched;
  s->row_start[SYSTEM.m] = next;
  return shk_ok();
}

struct shk_status shk_disguise_draw(struct shk_disguise *s, struct shk_workspace *workspace,
                                    const struct shk_disguise_choice *choice)
{
  uint64_t random = (uint64_t)choice->seed;
  SHK_TRY(draw_coordinates(s, workspace, choice, &random));
  SHK_TRY(draw_rows(s, workspace, choice, &random));
  return find_pattern(s, workspace);
}
