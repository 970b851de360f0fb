/*
 * Whether what is returned as good is good. From two states, steps are doubled from an ordinary one
 * to a million time scales, of which most cannot succeed, and divided down to a hundred-millionth
 * of it. A step that returns ok has a state that is finite and, where the method claims to keep the
 * constraints, on them; and it is not two steps of half its length, or a few of a part of it, where
 * shorter steps are not. Where there are as many constraints as coordinates they alone say where a
 * step ends, and parts end there too, or a turn away.
 */
#include "engine/cells/contract.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A quantity vanishes within so many floors and does not from so many
 * (harness/analysis/families/verdict.h). */
#define FLOORS 1000
/* What nobody would take for a small violation, in the units of g. */
#define GROSS 1
#define FAR_ABOVE 1000000

/* Into how many parts a step may be cut, silently. */
static const int cuts[] = {2, 3, 4, 5, 6, 8, 10};
enum { CUTS = sizeof cuts / sizeof cuts[0] };

struct ladder {
  struct shk_contract *contract;
  struct shk_state *from, *to, *part, *parts, *near;
  real *residuals;    /* g, then the hidden ones (m each); a velocity (n) */
  bool differs[CUTS]; /* a step so far was not that many of a part of its length */
  char state[240], halving[240], unclaimed[240];
};

/* Residuals of a state that a step of length h returned, over half the digits of positions of the
 * size |q| (1 + h/τ) that they come from: so many a nearly singular constraint matrix may cost.
 * Whether a constraint is kept to the last digits is for the claim to decide, in runs. */
static struct shk_status residuals(struct ladder *l, real *g, real *hidden, real h)
{
  struct shk_contract *const c = l->contract;
  struct shk_bound *const bound = &c->bound;
  const struct shk_state *const to = l->to;
  const int n = to->n, m = to->m;
  real *const v = l->residuals + 2 * m;
  SHK_TRY(
      shk_manifold_residuals(bound->manifold, l->residuals, l->residuals + m, to->t, to->q, to->p));
  real speed = real_max_norm(to->p, n);
  if (!(bound->instance.system.features & SHK_GENERAL_DAE)) {
    SHK_TRY(shk_velocity(&bound->observer, v, to->t, to->q, to->p));
    speed = real_max(speed, real_max_norm(v, n));
  }
  const real through = 1 + real_fabs(h) / bound->instance.time_scale;
  const real size = real_max(1, real_max(real_max_norm(to->q, n), real_max_norm(l->from->q, n)));
  const real left = real_sqrt(REAL_EPSILON) * size * size * through;
  *g = shk_constraint_norm(&bound->instance.system, l->residuals) / left;
  *hidden =
      shk_constraint_norm(&bound->instance.system, l->residuals + m) / (left * real_max(1, speed));
  return shk_ok();
}

/* Whether a state that has a velocity has been left, as far as it can be seen. */
static bool has_moved(struct ladder *l, real h)
{
  const struct shk_state *const to = l->to, *const from = l->from;
  const size_t n = (size_t)to->n * sizeof(real);
  real *const v = l->residuals + 2 * to->m;
  struct shk_evaluator *const e = &l->contract->bound.observer;
  if (memcmp(to->q, from->q, n) != 0 || memcmp(to->p, from->p, n) != 0 ||
      memcmp(to->q_carry, from->q_carry, n) != 0 || memcmp(to->p_carry, from->p_carry, n) != 0)
    return true;
  return (e->system->features & SHK_GENERAL_DAE) ||
         shk_velocity(e, v, from->t, from->q, from->p).code != SHK_OK ||
         real_fabs(h) * real_max_norm(v, to->n) <= 4 * REAL_EPSILON * real_max_norm(from->q, to->n);
}

static void look_at_state(struct ladder *l, real h)
{
  const struct shk_claims *const claims = &l->contract->claims;
  real g = 0, hidden = 0;
  if (l->state[0] == '\0' && !has_moved(l, h))
    snprintf(l->state, sizeof l->state,
             "a step of %.3g (time scale %.3g) returns ok and nothing has moved", (double)h,
             (double)l->contract->bound.instance.time_scale);
  if (l->state[0] != '\0' || l->to->m == 0)
    return;
  const struct shk_status status = residuals(l, &g, &hidden, h);
  const bool off = claims->keeps_constraint == SHK_YES && !(g <= 1);
  const bool away = claims->keeps_hidden == SHK_YES && !(hidden <= 1);
  const real size = shk_constraint_norm(&l->contract->bound.instance.system, l->residuals);
  if (claims->keeps_constraint == SHK_UNKNOWN && l->unclaimed[0] == '\0' && !(size <= GROSS))
    snprintf(
        l->unclaimed, sizeof l->unclaimed,
        "a step of %.3g (time scale %.3g) returns ok and a state with max|g| = %.3g; nothing is "
        "claimed about the constraint",
        (double)h, (double)l->contract->bound.instance.time_scale, (double)size);
  if (status.code != SHK_OK || off || away)
    snprintf(
        l->state, sizeof l->state,
        "a step of %.3g (time scale %.3g) returns ok and a state with max|g| = %.3g, hidden "
        "%.3g, though the method claims to keep %s: look at when its solve has converged",
        (double)h, (double)l->contract->bound.instance.time_scale,
        (double)shk_constraint_norm(&l->contract->bound.instance.system, l->residuals),
        (double)shk_constraint_norm(&l->contract->bound.instance.system, l->residuals + l->to->m),
        off || !away ? "the constraint" : "the hidden constraint");
}

/* The floor of a step from l->from to l->to; false if it cannot tell steps apart. */
static bool find_floor(struct ladder *l, real *floor, real h)
{
  const struct shk_contract *const c = l->contract;
  const struct shk_map map = shk_contract_map(c);
  shk_state_copy(l->near, l->from);
  shk_map_perturb(&map, l->near);
  if (shk_contract_step(c, l->part, l->near, h).code != SHK_OK)
    return false;
  *floor = real_max(shk_map_rounding(&map, h), shk_map_distance(&map, l->part, l->to, false));
  /* What multiplies roundings so much would not show it. */
  return *floor < real_sqrt(REAL_EPSILON);
}

/* How far from l->to so many steps of a part of the length end; negative if they fail. */
static real from_parts(struct ladder *l, int count, real h)
{
  const struct shk_map map = shk_contract_map(l->contract);
  shk_state_copy(l->parts, l->from);
  for (int k = 0; k < count; k++) {
    if (shk_contract_step(l->contract, l->part, l->parts, h / count).code != SHK_OK)
      return -1;
    shk_state_copy(l->parts, l->part);
  }
  return shk_map_distance(&map, l->to, l->parts, false);
}

static void look_at_parts(struct ladder *l, real h)
{
  real floor;
  if (l->halving[0] != '\0' || l->to->m >= l->to->n || !find_floor(l, &floor, h))
    return;
  for (int i = 0; i < CUTS; i++) {
    const real away = from_parts(l, cuts[i], h);
    if (away >= FAR_ABOVE * floor)
      l->differs[i] = true;
    else if (l->differs[i] && away >= 0 && away <= FLOORS * floor)
      snprintf(l->halving, sizeof l->halving,
               "a step of %.3g (time scale %.3g) is %d steps of a part of its length to the last "
               "digits, which shorter ones are not: it is cut, and no rejected step is counted",
               (double)h, (double)l->contract->bound.instance.time_scale, cuts[i]);
  }
}

/* A step, and what is to be seen of it; false where it fails. */
static bool look_at_step(struct ladder *l, real h, bool at_parts)
{
  const struct shk_work *const work = &l->contract->bound.evaluator.work;
  const long rejected = work->rejected;
  if (shk_contract_step(l->contract, l->to, l->from, h).code != SHK_OK)
    return false;
  look_at_state(l, h);
  if (at_parts && work->rejected == rejected && l->state[0] == '\0')
    look_at_parts(l, h);
  return true;
}

static void climb(struct ladder *l)
{
  const real scale = l->contract->bound.instance.time_scale;
  memset(l->differs, 0, sizeof l->differs);
  for (real h = l->contract->h; h < R(1e6) * scale; h *= 2)
    look_at_step(l, h, true);
}

/* Steps follow one another, so that what is small adds up. */
static void descend(struct ladder *l)
{
  enum { FOLLOWING = 8 };
  const real scale = l->contract->bound.instance.time_scale;
  struct shk_state *const from = l->from;
  for (real h = l->contract->h; h > R(1e-8) * scale; h /= 8) {
    for (int k = 0; k < FOLLOWING && look_at_step(l, h, false); k++)
      shk_state_copy(from, l->to);
  }
}

static struct shk_status look(struct ladder *l)
{
  enum { AWAY = 20 }; /* steps to the other state */
  struct shk_contract *const c = l->contract;
  shk_state_copy(l->from, &c->bound.start);
  climb(l);
  SHK_TRY(shk_bind_method(&c->bound));
  bool succeeds = true;
  for (int k = 0; k < AWAY && succeeds; k++) {
    succeeds = shk_contract_step(c, l->to, l->from, c->h).code == SHK_OK;
    if (succeeds)
      shk_state_copy(l->from, l->to);
  }
  if (succeeds) /* else it has said so: a singular start */
    climb(l);
  descend(l);
  struct shk_check *const check =
      shk_checks_add(c->checks, "valid states", "are on the constraints that are kept",
                     l->state[0] ? l->state : NULL);
  if (check && check->holds)
    snprintf(check->detail, sizeof check->detail, "%s", l->unclaimed);
  shk_checks_add(c->checks, "valid states", "of steps that are not cut",
                 l->halving[0] ? l->halving : NULL);
  return shk_ok();
}

struct shk_status shk_contract_valid_states(struct shk_contract *contract)
{
  const int n = contract->bound.start.n, m = contract->bound.start.m;
  struct shk_state *const states = contract->states;
  struct ladder l = {.contract = contract,
                     .from = &states[0],
                     .to = &states[1],
                     .part = &states[2],
                     .parts = &states[3],
                     .near = &states[4]};
  if (contract->bound.integrator->info.adaptive)
    return shk_ok(); /* a step takes as long as it needs, to a tolerance */
  l.residuals = calloc(2 * (size_t)m + (size_t)n + 1, sizeof *l.residuals);
  const struct shk_status status = l.residuals ? look(&l) : shk_no_memory();
  free(l.residuals);
  return status;
}
