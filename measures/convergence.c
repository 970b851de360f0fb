/*
 * Convergence of the solve for the multipliers: the residual max|g| of a step from the start after
 * 1, 2, … SHK_ITERATES iterations, with criterion=count.
 *
 *   convergence-defect  the residual after the last of them
 *   convergence-floor   eps max|q|²: a residual below 10³ floors is round-off and is not used
 *   convergence-rate    the last used residual over the one before; absent with fewer than two
 *   convergence-order   log of that ratio over the log of the previous ratio: 1 where the residual
 *                       falls by a factor, 2 where the number of correct digits doubles. Absent
 *                       unless three decreasing residuals are used
 */
#include "measures/structure.h"

#include "mechanics/system/state.h"

#include <stdlib.h>

#define ROUNDINGS 1000

struct work {
  const struct shk_map *maps;
  struct shk_state reached;
  real *g; /* 2m: with the hidden residuals */
  real residual[SHK_ITERATES];
};

/* Counts the first residuals that decrease and exceed round-off. */
static int used(const struct work *w, real floor)
{
  int count = 0;
  while (count < SHK_ITERATES && w->residual[count] > ROUNDINGS * floor &&
         (count == 0 || w->residual[count] < w->residual[count - 1]))
    count++;
  return count;
}

static struct shk_status count_up(struct shk_outcome *outcome, struct work *w)
{
  const struct shk_map *const first = w->maps;
  const real q = real_max_norm(first->start->q, first->start->n), floor = REAL_EPSILON * q * q;
  for (int k = 0; k < SHK_ITERATES; k++) {
    SHK_TRY(shk_map_step(&w->maps[k], &w->reached, first->start, first->step));
    SHK_TRY(shk_manifold_residuals(first->manifold, w->g, w->g + w->reached.m, w->reached.t,
                                   w->reached.q, w->reached.p));
    w->residual[k] = real_max_norm(w->g, w->reached.m);
  }
  shk_structure_add(outcome, "convergence", "defect", w->residual[SHK_ITERATES - 1]);
  shk_structure_add(outcome, "convergence", "floor", floor);
  const int count = used(w, floor);
  const real *const last = w->residual + count - 1;
  if (count >= 2)
    shk_structure_add(outcome, "convergence", "rate", last[0] / last[-1]);
  if (count >= 3)
    shk_structure_add(outcome, "convergence", "order",
                      real_log(last[0] / last[-1]) / real_log(last[-1] / last[-2]));
  return shk_ok();
}

static struct shk_status measure(struct shk_outcome *outcome, const struct shk_map *map,
                                 const struct shk_map *counted)
{
  struct work w = {.maps = counted, .g = calloc(2 * (size_t)map->start->m + 1, sizeof(real))};
  const bool ok = shk_state_init_like(&w.reached, map->start) && w.g;
  const struct shk_status status = ok ? count_up(outcome, &w) : shk_no_memory();
  shk_state_clear(&w.reached);
  free(w.g);
  return status;
}

const struct shk_structure shk_structure_convergence = {.asks = {.others = SHK_WITH_COUNTS},
                                                        .measure = measure};
