/*
 * Whether what is returned as good is good. From two states, steps are doubled from an ordinary one
 * to ten thousand time scales, of which most cannot succeed, and divided down to a hundred-millionth of
 * it. A step that returns ok has a state that is finite and, where the method claims to keep the
 * constraints, on them; and it is not two steps of half its length where shorter steps are not. Where
 * there are as many constraints as coordinates they alone say where a step ends, and halves end there
 * too, or a turn away.
 */
#include "engine/cells/conduct.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A quantity vanishes within so many floors and does not from so many
 * (harness/analysis/verdict.h). */
#define FLOORS 1000
/* What nobody would take for a small violation, in the units of g. */
#define GROSS 1
#define FAR_ABOVE 1000000

struct ladder {
  struct shk_conduct *conduct;
  struct shk_state from, to, half, halves, near;
  real *residuals; /* g, then the hidden ones (m each); a velocity (n) */
  bool differs;    /* a step so far was not two of half its length */
  char state[240], halving[240], unclaimed[240];
};

/* Residuals of a state that a step of length h returned, over half the digits of positions of the
 * size |q| (1 + h/τ) that they come from: so many a nearly singular constraint matrix may cost.
 * Whether a constraint is kept to the last digits is for the claim to decide, in runs. */
static struct shk_status residuals(struct ladder *l, real *g, real *hidden, real h)
{
  struct shk_conduct *const c = l->conduct;
  struct shk_bound *const bound = &c->bound;
  const struct shk_state *const to = &l->to;
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
  const real size = real_max(1, real_max(real_max_norm(to->q, n), real_max_norm(l->from.q, n)));
  const real left = real_sqrt(REAL_EPSILON) * size * size * through;
  *g = shk_constraint_norm(&bound->instance.system, l->residuals) / left;
  *hidden =
      shk_constraint_norm(&bound->instance.system, l->residuals + m) / (left * real_max(1, speed));
  return shk_ok();
}

/* Whether a state that has a velocity has been left, as far as it can be seen. */
static bool has_moved(struct ladder *l, real h)
{
  const struct shk_state *const to = &l->to, *const from = &l->from;
  const size_t n = (size_t)to->n * sizeof(real);
  real *const v = l->residuals + 2 * to->m;
  struct shk_evaluator *const e = &l->conduct->bound.observer;
  if (memcmp(to->q, from->q, n) != 0 || memcmp(to->p, from->p, n) != 0 ||
      memcmp(to->q_carry, from->q_carry, n) != 0 || memcmp(to->p_carry, from->p_carry, n) != 0)
    return true;
  return (e->system->features & SHK_GENERAL_DAE) ||
         shk_velocity(e, v, from->t, from->q, from->p).code != SHK_OK ||
         real_fabs(h) * real_max_norm(v, to->n) <= 4 * REAL_EPSILON * real_max_norm(from->q, to->n);
}

static void look_at_state(struct ladder *l, real h)
{
  const struct shk_claims *const claims = &l->conduct->claims;
  real g = 0, hidden = 0;
  if (l->state[0] == '\0' && !has_moved(l, h))
    snprintf(l->state, sizeof l->state,
             "a step of %.3g (time scale %.3g) returns ok and nothing has moved", (double)h,
             (double)l->conduct->bound.instance.time_scale);
  if (l->state[0] != '\0' || l->to.m == 0)
    return;
  const struct shk_status status = residuals(l, &g, &hidden, h);
  const bool off = claims->keeps_constraint == SHK_YES && !(g <= 1);
  const bool away = claims->keeps_hidden == SHK_YES && !(hidden <= 1);
  const real size = shk_constraint_norm(&l->conduct->bound.instance.system, l->residuals);
  if (claims->keeps_constraint == SHK_UNKNOWN && l->unclaimed[0] == '\0' && !(size <= GROSS))
    snprintf(
        l->unclaimed, sizeof l->unclaimed,
        "a step of %.3g (time scale %.3g) returns ok and a state with max|g| = %.3g; nothing is "
        "claimed about the constraint",
        (double)h, (double)l->conduct->bound.instance.time_scale, (double)size);
  if (status.code != SHK_OK || off || away)
    snprintf(
        l->state, sizeof l->state,
        "a step of %.3g (time scale %.3g) returns ok and a state with max|g| = %.3g, hidden "
        "%.3g, though the method claims to keep %s: look at when its solve has converged",
        (double)h, (double)l->conduct->bound.instance.time_scale,
        (double)shk_constraint_norm(&l->conduct->bound.instance.system, l->residuals),
        (double)shk_constraint_norm(&l->conduct->bound.instance.system, l->residuals + l->to.m),
        off || !away ? "the constraint" : "the hidden constraint");
}

/* Whether two steps of half the length end at l->to: compared in floors of a step that long. False
 * if they fail. */
static bool from_two_halves(struct ladder *l, real *floors, real h)
{
  const struct shk_conduct *const c = l->conduct;
  const struct shk_map map = shk_conduct_map(c);
  if (shk_conduct_step(c, &l->half, &l->from, h / 2).code != SHK_OK ||
      shk_conduct_step(c, &l->halves, &l->half, h / 2).code != SHK_OK)
    return false;
  shk_state_copy(&l->near, &l->from);
  shk_map_perturb(&map, &l->near);
  if (shk_conduct_step(c, &l->half, &l->near, h).code != SHK_OK)
    return false;
  const real floor =
      real_max(shk_map_rounding(&map, h), shk_map_distance(&map, &l->half, &l->to, false));
  /* What multiplies roundings so much would not show it. */
  if (!(floor < real_sqrt(REAL_EPSILON)))
    return false;
  *floors = shk_map_distance(&map, &l->to, &l->halves, false) / floor;
  return true;
}

static void look_at_halves(struct ladder *l, real h)
{
  real floors;
  if (l->halving[0] != '\0' || l->to.m >= l->to.n || !from_two_halves(l, &floors, h))
    return;
  if (floors >= FAR_ABOVE)
    l->differs = true;
  else if (l->differs && floors <= FLOORS)
    snprintf(l->halving, sizeof l->halving,
             "a step of %.3g (time scale %.3g) is two steps of half its length to the last digits, "
             "which shorter ones are not: it is halved, and no rejected step is counted",
             (double)h, (double)l->conduct->bound.instance.time_scale);
}

/* A step, and what is to be seen of it; false where it fails. */
static bool look_at_step(struct ladder *l, real h, bool at_halves)
{
  const struct shk_work *const work = &l->conduct->bound.evaluator.work;
  const long rejected = work->rejected;
  if (shk_conduct_step(l->conduct, &l->to, &l->from, h).code != SHK_OK)
    return false;
  look_at_state(l, h);
  if (at_halves && work->rejected == rejected && l->state[0] == '\0')
    look_at_halves(l, h);
  return true;
}

static void climb(struct ladder *l)
{
  const real scale = l->conduct->bound.instance.time_scale;
  l->differs = false;
  for (real h = l->conduct->h; h < R(1e4) * scale; h *= 2)
    look_at_step(l, h, true);
}

/* Steps follow one another, so that what is small adds up. */
static void descend(struct ladder *l)
{
  enum { FOLLOWING = 8 };
  const real scale = l->conduct->bound.instance.time_scale;
  struct shk_state *const from = &l->from;
  for (real h = l->conduct->h; h > R(1e-8) * scale; h /= 8) {
    for (int k = 0; k < FOLLOWING && look_at_step(l, h, false); k++)
      shk_state_copy(from, &l->to);
  }
}

static struct shk_status look(struct ladder *l)
{
  enum { AWAY = 20 }; /* steps to the other state */
  struct shk_conduct *const c = l->conduct;
  shk_state_copy(&l->from, &c->bound.start);
  climb(l);
  SHK_TRY(shk_bind_method(&c->bound));
  bool succeeds = true;
  for (int k = 0; k < AWAY && succeeds; k++) {
    succeeds = shk_conduct_step(c, &l->to, &l->from, c->h).code == SHK_OK;
    if (succeeds)
      shk_state_copy(&l->from, &l->to);
  }
  if (succeeds) /* else it has said so: a singular start */
    climb(l);
  descend(l);
  struct shk_check *const check =
      shk_checks_add(c->checks, "good states", "are on the constraints that are kept",
                     l->state[0] ? l->state : NULL);
  if (check && check->holds)
    snprintf(check->detail, sizeof check->detail, "%s", l->unclaimed);
  shk_checks_add(c->checks, "good states", "of steps that are not halved",
                 l->halving[0] ? l->halving : NULL);
  return shk_ok();
}

struct shk_status shk_conduct_good_states(struct shk_conduct *conduct)
{
  const int n = conduct->bound.start.n, m = conduct->bound.start.m;
  struct ladder l = {.conduct = conduct};
  struct shk_status status = shk_ok();
  if (conduct->bound.integrator->info.adaptive)
    return status; /* a step takes as long as it needs, to a tolerance */
  l.residuals = calloc(2 * (size_t)m + (size_t)n + 1, sizeof *l.residuals);
  if (l.residuals && shk_state_init(&l.from, n, m) && shk_state_init(&l.to, n, m) &&
      shk_state_init(&l.half, n, m) && shk_state_init(&l.halves, n, m) &&
      shk_state_init(&l.near, n, m))
    status = look(&l);
  else
    status = shk_failure(SHK_NO_MEMORY, "no memory for the states", 0, 0);
  free(l.residuals);
  shk_state_clear(&l.from);
  shk_state_clear(&l.to);
  shk_state_clear(&l.half);
  shk_state_clear(&l.halves);
  shk_state_clear(&l.near);
  return status;
}
