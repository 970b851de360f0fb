/*
 * Whether steps know in which coordinates they are taken: the same steps from the same state of the
 * problem and of the problem in disguise (problems/kit/disguise.h), taken off.
 *
 *   permutation  coordinates (points, where there are rods) and constraints in another order
 *   covariance   that, turned, with rows times numbers of either sign, in other units, from another
 *                time
 *   rewriting    rows g + a g², whose zeros and gradients there are those of g: what uses g and G on
 *                the constraint alone does not see it; index-reduced equations away from it do
 *
 *   NAME-defect   max of the distance in q and p after 1 … STEPS steps
 *   NAME-control  the change that a rounding of the start makes
 *   NAME-floor    the larger of STEPS r (structure.h) and the control
 */
#include "measures/structure.h"

#include "mechanics/system/state.h"
#include "problems/kit/disguise.h"

enum { STEPS = 3 };

struct trio {
  const struct shk_map *plain, *disguised;
  struct shk_state now, rounded, next, dressed, after, off;
};

static struct shk_status advance(const struct shk_map *map, struct shk_state *state,
                                 struct shk_state *next, real h)
{
  SHK_TRY(shk_map_step(map, next, state, h));
  shk_state_copy(state, next);
  return shk_ok();
}

static struct shk_status begin(struct trio *t)
{
  shk_state_copy(&t->now, t->plain->start);
  shk_state_copy(&t->rounded, t->plain->start);
  shk_map_perturb(t->plain, &t->rounded);
  /* A start off the constraints would be pulled back: only tangent perturbations count. */
  SHK_TRY(shk_manifold_project(t->plain->manifold, t->rounded.q, t->rounded.p, t->rounded.t));
  shk_state_copy(&t->dressed, t->disguised->start);
  shk_disguise_put_on(t->disguised->instance, t->dressed.q, t->dressed.p, t->now.q, t->now.p);
  return shk_ok();
}

static struct shk_status follow(struct shk_outcome *outcome, struct trio *t, const char *name)
{
  const real h = t->plain->step;
  const real dressed_h = h * shk_disguise_time(t->disguised->instance);
  real worst = 0, control = 0;
  SHK_TRY(begin(t));
  for (int k = 0; k < STEPS; k++) {
    SHK_TRY(advance(t->plain, &t->now, &t->next, h));
    SHK_TRY(advance(t->plain, &t->rounded, &t->next, h));
    SHK_TRY(advance(t->disguised, &t->dressed, &t->after, dressed_h));
    shk_state_copy(&t->off, &t->dressed);
    shk_disguise_take_off(t->disguised->instance, t->off.q, t->off.p, t->dressed.q, t->dressed.p);
    shk_disguise_take_off(t->disguised->instance, t->off.q_carry, t->off.p_carry,
                          t->dressed.q_carry, t->dressed.p_carry);
    worst = real_max(worst, shk_map_distance(t->plain, &t->off, &t->now, false));
    control = real_max(control, shk_map_distance(t->plain, &t->rounded, &t->now, false));
  }
  shk_structure_add(outcome, name, "defect", worst);
  shk_structure_add(outcome, name, "control", control);
  shk_structure_add(outcome, name, "floor",
                    real_max(STEPS * shk_map_rounding(t->plain, h), control));
  return shk_ok();
}

static struct shk_status compare(struct shk_outcome *outcome, const struct shk_map *map,
                                 const struct shk_map *disguised, const char *name)
{
  const int n = map->start->n, m = map->start->m;
  struct trio t = {.plain = map, .disguised = disguised};
  struct shk_state *const states[] = {&t.now, &t.rounded, &t.next, &t.dressed, &t.after, &t.off};
  const size_t count = sizeof states / sizeof states[0];
  bool ok = true;
  for (size_t i = 0; i < count; i++)
    ok = shk_state_init(states[i], n, m) && ok;
  const struct shk_status status =
      ok ? follow(outcome, &t, name)
         : shk_failure(SHK_NO_MEMORY, "no memory for steps in disguise", 0, 0);
  for (size_t i = 0; i < count; i++)
    shk_state_clear(states[i]);
  return status;
}

/* What cannot be put into a disguise. */
#define OBJECTIONS                                                                                 \
  {                                                                                                \
    {SHK_MOMENTUM_CONSTRAINT, 0,                                                                   \
     "constraints on momenta: the disguise is for constraints g(q) and g(q,t)"},                   \
    {                                                                                              \
      SHK_VELOCITY_CONSTRAINT | SHK_GENERAL_DAE, 0, "no Hamiltonian system: there is no disguise"  \
    }                                                                                              \
  }

#define DISGUISED(word, options)                                                                   \
  static struct shk_status word(struct shk_outcome *outcome, const struct shk_map *map,            \
                                const struct shk_map *disguised)                                   \
  {                                                                                                \
    return compare(outcome, map, disguised, #word);                                                \
  }                                                                                                \
  const struct shk_structure SHK_STRUCTURE(word) = {                                               \
      .asks = {.disguise = options, .meaningless = OBJECTIONS}, .measure = word};

DISGUISED(permutation, "seed=1,turn=no,scale=no")
DISGUISED(covariance, "seed=2,length=0.001,mass=7,time=3,shift=0.3")
DISGUISED(rewriting, "seed=3,reorder=no,turn=no,scale=no,rewrite=yes")
