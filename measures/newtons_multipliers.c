/*
 * Distance of a solver's multipliers from those of solver=newton: steps with both from STATES
 * states of a run with solver=newton.
 *
 *   newtons-multipliers-defect  max |lambda - lambda_N| and |mu - mu_N| over max |lambda_N|, |mu_N|
 *   newtons-multipliers-floor   eps (1 + τ/|h|)²: multipliers have the rounding of g(q) = 0 over h²
 */
#include "measures/structure.h"

#include "mechanics/system/state.h"

enum { STATES = 4 };

struct pair {
  const struct shk_map *own, *newton;
  struct shk_state at, found, right;
  real defect, size;
};

static void compare(struct pair *p, const real *found, const real *right)
{
  for (int i = 0; i < p->at.m; i++) {
    const real off = real_fabs(found[i] - right[i]);
    p->defect = !(off <= p->defect) ? off : p->defect;
    p->size = real_max(p->size, real_fabs(right[i]));
  }
}

static struct shk_status follow(struct shk_outcome *outcome, struct pair *p)
{
  const real h = p->own->step, r = 1 + p->own->instance->time_scale / real_fabs(h);
  shk_state_copy(&p->at, p->own->start);
  for (int k = 0; k < STATES; k++) {
    SHK_TRY(shk_map_step(p->own, &p->found, &p->at, h));
    SHK_TRY(shk_map_step(p->newton, &p->right, &p->at, h));
    compare(p, p->found.lambda, p->right.lambda);
    compare(p, p->found.mu, p->right.mu);
    shk_state_copy(&p->at, &p->right);
  }
  shk_structure_add(outcome, "newtons-multipliers", "defect",
                    p->defect / (p->size > 0 ? p->size : 1));
  shk_structure_add(outcome, "newtons-multipliers", "floor", REAL_EPSILON * r * r);
  return shk_ok();
}

static struct shk_status measure(struct shk_outcome *outcome, const struct shk_map *map,
                                 const struct shk_map *newton)
{
  struct pair p = {.own = map, .newton = newton};
  struct shk_state *const states[] = {&p.at, &p.found, &p.right};
  struct shk_status status = shk_map_states(map, states, 3);
  if (status.code == SHK_OK)
    status = follow(outcome, &p);
  shk_map_states_clear(states, 3);
  return status;
}

const struct shk_structure shk_structure_newtons_multipliers = {
    .asks = {.others = SHK_WITH_NEWTON,
             .no_power =
                 "the rounding of multipliers: the solve has not converged, or moves points in "
                 "directions other than those of M^-1 G^T at the old positions"},
    .measure = measure};
