/*
 * Test of the states that steps return as good. From each of two states the step size is doubled,
 * from an ordinary step to a million time scales, where most steps must fail. Then it is divided
 * down to a hundred-millionth of the time scale. The state of a step that returns ok must have
 * moved and satisfy the constraints that the method claims to keep. It must not equal the result of
 * several equal substeps, unless shorter steps do so too. Substeps are not tested if there are as
 * many constraints as coordinates: the constraints alone then determine the result.
 */
#include "engine/cells/contract.h"

#include <stdio.h>
#include <string.h>

/* Numbers of substeps into which a step may have been split without a report. */
static const int cuts[] = {2, 3, 4, 5, 6, 8, 10, 7, 9, 11, 12, 16, 20, 24, 32, 50, 64, 100};
enum { CUTS = sizeof cuts / sizeof cuts[0] };

struct ladder {
  struct shk_contract *contract;
  bool differs[CUTS]; /* for some step cuts[i] substeps gave another result */
};

/* False if a step h from a state with a velocity has changed nothing, though the change would
 * exceed rounding. */
static bool has_moved(struct shk_contract *c, real h)
{
  const size_t size = 4 * (size_t)c->n * sizeof(real); /* q, p and their carries */
  return memcmp(c->to.q, c->from.q, size) != 0 ||
         (c->bound.instance.system.features & SHK_GENERAL_DAE) ||
         shk_contract_evaluate(c, &c->from).code != SHK_OK ||
         real_fabs(h) * real_max_norm(c->work.q, c->n) <=
             4 * REAL_EPSILON * real_max_norm(c->from.q, c->n);
}

static void look_at_state(struct ladder *l, real h)
{
  struct shk_contract *const c = l->contract;
  real residuals[2];
  if (!has_moved(c, h))
    shk_contract_fault(c, h, "returns ok and nothing has moved");
  if (c->faults > 0 || c->m == 0)
    return;
  const enum shk_off off = shk_contract_off(c, residuals, h);
  const double g = (double)residuals[0], hidden = (double)residuals[1];
  if (off)
    shk_contract_fault(c, h,
                       "returns ok and a state with max|g| = %.3g, hidden %.3g, though the method "
                       "claims to keep the %sconstraint",
                       g, hidden, off == SHK_OFF_HIDDEN ? "hidden " : "");
  else if (c->claims.keeps_constraint == SHK_UNKNOWN && !(g <= 1) && c->reason[0] == '\0')
    snprintf(c->reason, sizeof c->reason,
             "a step of %.3g returns ok and a state with max|g| = %.3g; nothing is claimed about "
             "the constraint",
             (double)h, g);
}

/* Returns the distance from c->to of the result of `count` substeps; negative if one fails. */
static real from_parts(struct shk_contract *c, int count, real h)
{
  shk_state_copy(&c->before, &c->from);
  for (int k = 0; k < count; k++) {
    if (!shk_contract_step(c, &c->at, &c->before, h / count))
      return -1;
    shk_state_copy(&c->before, &c->at);
  }
  return shk_map_distance(&c->map, &c->to, &c->before, false);
}

static void look_at_parts(struct ladder *l, real h)
{
  struct shk_contract *const c = l->contract;
  real floor = 0;
  if (c->m >= c->n || shk_contract_floor(c, &floor, &c->map, &c->to, &c->from, h).code != SHK_OK ||
      !(floor < real_sqrt(REAL_EPSILON))) /* roundings grow too much for a comparison */
    return;
  for (int i = 0; i < CUTS; i++) {
    const real away = from_parts(c, cuts[i], h);
    if (away >= SHK_CONTRACT_FAR_ABOVE * floor)
      l->differs[i] = true;
    else if (l->differs[i] && away >= 0 && away <= SHK_CONTRACT_FLOORS * floor)
      shk_contract_fault(c, h,
                         "is %d steps of a part of its length to the last digits, which shorter "
                         "ones are not: it is cut, and no rejected step is counted",
                         cuts[i]);
  }
}

/* Takes a step and tests it; false if it fails, or after a fault. */
static bool look_at_step(struct ladder *l, real h, bool at_parts)
{
  struct shk_contract *const c = l->contract;
  const struct shk_work *const work = &c->bound.evaluator.work;
  const long rejected = work->rejected;
  if (c->faults > 0 || !shk_contract_step(c, &c->to, &c->from, h))
    return false;
  look_at_state(l, h);
  if (at_parts && work->rejected == rejected && c->faults == 0)
    look_at_parts(l, h);
  return true;
}

static void climb(struct ladder *l)
{
  memset(l->differs, 0, sizeof l->differs);
  for (real h = l->contract->h; h < R(1e6) * l->contract->bound.instance.time_scale; h *= 2)
    look_at_step(l, h, true);
}

/* Takes several steps of each size in succession, so that small errors add up. */
static void descend(struct ladder *l)
{
  enum { FOLLOWING = 8 };
  struct shk_contract *const c = l->contract;
  for (real h = c->h; h > R(1e-8) * c->bound.instance.time_scale; h /= 8)
    for (int k = 0; k < FOLLOWING && look_at_step(l, h, false); k++)
      shk_state_copy(&c->from, &c->to);
}

struct shk_status shk_contract_valid_states(struct shk_contract *c)
{
  struct ladder l = {.contract = c};
  if (c->adaptive)
    return shk_ok(); /* the method divides its steps by a tolerance */
  shk_state_copy(&c->from, &c->bound.start);
  climb(&l);
  SHK_TRY(shk_contract_bind(c));
  if (shk_contract_move_away(c).code == SHK_OK) /* else the start is singular, as reported */
    climb(&l);
  descend(&l);
  return shk_ok();
}
