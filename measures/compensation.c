/*
 * Compensated summation: the rounding error of each increment is carried over to the next step (in
 * q_carry and p_carry). For free points that interact only through bonds and springs, any
 * consistent method preserves the total momentum and the uniform motion of the centre of mass,
 *
 *     Σ p_i = P,        Σ m_i q_i(t) = Σ m_i q_i(0) + t P,
 *
 * because the impulses of the multipliers cancel in pairs. After N steps of size h' = √eps h, every
 * eighth of which goes backwards, both sums contain rounding errors. If the carries are added to q
 * and p, these errors consist of
 *
 *   without compensation  one rounding error of q and p per step, eps √N
 *   with compensation     one rounding error of their increments per step, eps (h'/τ + eps τ/h')
 *                         √N; in p, these are the increments due to the forces and the rounding
 *                         errors of the multipliers (structure.h)
 *
 *   NAME-defect  the larger of the two sums' scaled errors
 *   NAME-floor   the error with compensation, but without √N. Without compensation, a defect is
 *                about 1/√eps floors
 */
#include "measures/structure.h"

enum { STEPS = 256, BACK = 8 };

struct sums {
  real q[SHK_MOST_DIMENSIONS],
      p[SHK_MOST_DIMENSIONS]; /* Σ m q and Σ p of a state or of a difference of states */
};

/* Returns the sums for *s or, if `from` is not NULL, for the difference *s - *from. The sums
 * include the carries. */
static struct sums compensated_sums(const struct shk_system *system, const struct shk_state *s,
                                    const struct shk_state *from)
{
  struct sums total = {.q = {0}, .p = {0}};
  for (int i = 0; i < s->n; i++) {
    const int along = i % system->rods->dimension;
    const real q = from ? (s->q[i] - from->q[i]) + (s->q_carry[i] - from->q_carry[i]) : s->q[i];
    const real p = from ? (s->p[i] - from->p[i]) + (s->p_carry[i] - from->p_carry[i]) : s->p[i];
    total.q[along] += system->mass[i] * q;
    total.p[along] += p;
  }
  return total;
}

static struct shk_status measure_compensation(struct shk_trial *trial)
{
  const struct shk_map *const map = trial->map;
  struct shk_state *const now = trial->state, *const next = now + 1;
  const struct shk_system *const system = &map->instance->system;
  const real h = real_sqrt(REAL_EPSILON) * map->step, scale = map->instance->time_scale;
  real mass = 0, worst = 0;
  bool answer = false;
  SHK_TRY(shk_map_is_free(&answer, map, now->q));
  if (!answer)
    return shk_refused("not a system of free points without external forces: the motion of its "
                       "centre is not known");
  const struct sums start = compensated_sums(system, map->start, NULL);
  for (int i = 0; i < system->n; i += system->rods->dimension)
    mass += system->mass[i];
  shk_state_copy(now, map->start);
  SHK_TRY(shk_map_begin(map, now, h));
  for (int k = 0; k < STEPS; k++) {
    const real own = k % BACK == BACK - 1 ? -h : h;
    SHK_TRY(shk_map_step(map, next, now, own));
    shk_state_copy(now, next);
  }
  const real ahead = (STEPS - 2 * (STEPS / BACK)) * h;
  const struct sums moved = compensated_sums(system, now, map->start);
  for (int j = 0; j < system->rods->dimension; j++) {
    worst = real_max(worst, real_fabs(moved.q[j] - ahead * start.p[j]) / (mass * map->q_scale[j]));
    worst = real_max(worst, real_fabs(moved.p[j]) / map->p_scale[j]);
  }
  const real share = real_fabs(h) / scale;
  shk_trial_add(trial, "defect", worst);
  shk_trial_add(trial, "floor", REAL_EPSILON * (share + REAL_EPSILON / share));
  return shk_ok();
}

const struct shk_structure shk_structure_compensation = {
    .asks = {.no_power = "the rounding error of compensated sums: check which carries are added, "
                         "and with which sign"},
    .states = 2,
    .measure = measure_compensation};
