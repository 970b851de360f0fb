/*
 * Measures how a single-precision step rounds the velocities of free points that interact only
 * through bonds and springs (measures/identities.c). For such points, every consistent step
 * preserves the total momentum, just as the exact flow does. Whatever the method, any change in the
 * total momentum is therefore due to single precision. If eps is the single-precision round-off,
 * the change is about
 *
 *     eps |Σ m v|      if the impulses of forces and constraints are added to the velocities
 *     eps |Σ m q|/h    if velocities are computed as differences of positions, (q1 - q0)/h, which
 *                      divides the rounding error of the positions by h
 *
 * Each start adds a different velocity, common to all points (a Galilean transformation), so that
 * the rounding errors differ. Steps have the length h/FINER, so positions are roughly a hundred
 * times as large as their change in one step. This distinguishes the two cases. Moving the points
 * far from the origin would also distinguish them, but bond lengths would lose as many digits as
 * positions, and even a correct solver could then not reach its tolerance.
 *
 *   rounding            the root mean square, over STARTS steps, of a component of the change,
 *                       divided by eps and by the root mean square of (Σ (m v)²)½
 *   rounding-positions  the root mean square of (Σ (m q)²)½/h, divided by that of (Σ (m v)²)½;
 *                       `rounding` is a few tenths of this value if velocities are differences of
 *                       positions
 *
 * Neither value is recorded if half of the steps fail or if the points are not free.
 */
#include "measures/identities.h"

#include "mechanics/algebra/random.h"

enum { STARTS = 32, FINER = 16 };

/* The sums of squares over all components of all steps. */
struct squares {
  int steps;
  real change, momenta, positions;
};

/* Stores the start after adding a random velocity, common to all points, of at most `speed` along
 * each axis. */
static struct shk_status begin_step(struct shk_identities *k, uint64_t *random, real speed, real h)
{
  const struct shk_system *const system = &k->map->instance->system;
  real common[SHK_MOST_DIMENSIONS];
  for (int j = 0; j < SHK_MOST_DIMENSIONS; j++)
    common[j] = speed * (2 * shk_random_uniform(random) - 1);
  shk_state_copy(k->from, k->map->start);
  for (int i = 0; i < k->n; i++)
    k->from->p[i] += system->mass[i] * common[i % system->rods->dimension];
  return shk_map_begin(k->map, k->from, h);
}

static void take_identities_single(struct squares *all, const struct shk_identities *k)
{
  const struct shk_system *const system = &k->map->instance->system;
  const struct shk_state *const a = k->from, *const b = k->to;
  real total[SHK_MOST_DIMENSIONS] = {0};
  for (int i = 0; i < k->n; i++) {
    const real weighted = system->mass[i] * a->q[i];
    total[i % system->rods->dimension] += (b->p[i] - a->p[i]) + (b->p_carry[i] - a->p_carry[i]);
    all->momenta += a->p[i] * a->p[i];
    all->positions += weighted * weighted;
  }
  all->change += real_dot(total, total, SHK_MOST_DIMENSIONS);
  all->steps++;
}

struct shk_status shk_identities_of_single(struct shk_identities *k, real eps)
{
  const struct shk_system *const system = &k->map->instance->system;
  const real h = k->map->step / FINER;
  struct squares all = {0};
  uint64_t random = 1;
  real speed = 0;
  bool is_free = false;
  SHK_TRY(shk_map_is_free(&is_free, k->map, k->x));
  if (!is_free)
    return shk_ok();
  for (int i = 0; i < k->n; i++)
    speed = real_max(speed, real_fabs(k->map->start->p[i]) / system->mass[i]);
  for (int s = 0; s < STARTS; s++)
    if (begin_step(k, &random, speed, h).code == SHK_OK &&
        shk_map_step(k->map, k->to, k->from, h).code == SHK_OK)
      take_identities_single(&all, k);
  if (all.steps <= STARTS / 2 || !(all.momenta > 0))
    return shk_ok();
  shk_identity_add(k, "rounding", real_sqrt(all.change / all.momenta) / eps);
  shk_identity_add(k, "rounding-positions", real_sqrt(all.positions / all.momenta) / real_fabs(h));
  return shk_ok();
}
