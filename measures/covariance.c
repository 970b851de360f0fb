/*
 * Equivariance of steps under changes of coordinates: steps from the same state of the problem and
 * of the transformed problem (problems/kit/transform.h), pulled back to the same coordinates.
 *
 *   permutation  coordinates (points, for distance constraints) and constraints in another order
 *   covariance   also rotated, rows times numbers of either sign, in other units, from another time
 *   rewriting    rows g + a g², with the zeros of g and its gradients there: methods that use g and
 *                G on the constraint alone do not see it; index-reduced equations off it do
 *
 *   NAME-defect   largest distance in q and p after 1 … STEPS steps, and of the impulses h Gᵀλ and
 *                 h Gᵀμ in the last one. λ and μ are pulled back first: a row c g_k has λ_k/c. Rows
 *                 g + a g² are excluded: their gradients differ in the middle of a step
 *   NAME-control  the change that a rounding of the start makes
 *   NAME-floor    the larger of STEPS r (structure.h) and the control
 */
#include "measures/structure.h"

#include "mechanics/system/state.h"
#include "problems/kit/transform.h"

enum { STEPS = 3 };

struct trio {
  const struct shk_map *plain, *disguised;
  struct shk_evaluator evaluator; /* of the original problem */
  real *G, *differ, *impulse;     /* entries of G; m; n */
  struct shk_state now, rounded, next, dressed, after, off;
};

static struct shk_status advance(const struct shk_map *map, struct shk_state *state,
                                 struct shk_state *next, real h)
{
  SHK_TRY(shk_map_step(map, next, state, h));
  shk_state_copy(state, next);
  return shk_ok();
}

/* Distance of the impulses h Gᵀλ and h Gᵀμ at the end of a step. Impulses are compared because
 * redundant rows leave λ undetermined, but not Gᵀλ. */
static struct shk_status compare_multipliers(struct trio *t, real *distance)
{
  const int n = t->now.n, m = t->now.m;
  real q_scale, p_scale;
  shk_map_scales(t->plain, &q_scale, &p_scale);
  SHK_TRY(shk_jacobian(&t->evaluator, t->G, t->now.t, t->now.q));
  const real *const plain[] = {t->now.lambda, t->now.mu};
  const real *const dressed[] = {t->dressed.lambda, t->dressed.mu};
  *distance = 0;
  for (int k = 0; k < 2; k++) {
    shk_transform_multipliers(t->disguised->instance, t->differ, dressed[k]);
    for (int i = 0; i < m; i++)
      t->differ[i] -= plain[k][i];
    for (int i = 0; i < n; i++)
      t->impulse[i] = 0;
    shk_jacobian_transposed_add(&t->evaluator, t->impulse, t->G, t->plain->step, t->differ);
    *distance = real_max(*distance, real_max_norm(t->impulse, n) / p_scale);
  }
  return shk_ok();
}

static struct shk_status begin(struct trio *t)
{
  shk_state_copy(&t->now, t->plain->start);
  shk_state_copy(&t->rounded, t->plain->start);
  shk_map_perturb(t->plain, &t->rounded);
  /* Projected, since a start off the constraints would be pulled back: only tangent perturbations
   * count. */
  SHK_TRY(shk_manifold_project(t->plain->manifold, t->rounded.q, t->rounded.p, t->rounded.t));
  shk_state_copy(&t->dressed, t->disguised->start);
  shk_transform_state(t->disguised->instance, t->dressed.q, t->dressed.p, t->now.q, t->now.p);
  return shk_ok();
}

static struct shk_status follow(struct shk_outcome *outcome, struct trio *t, const char *name,
                                bool with_multipliers)
{
  const real h = t->plain->step;
  const real dressed_h = h * shk_transform_time(t->disguised->instance);
  real worst = 0, control = 0;
  SHK_TRY(begin(t));
  for (int k = 0; k < STEPS; k++) {
    SHK_TRY(advance(t->plain, &t->now, &t->next, h));
    SHK_TRY(advance(t->plain, &t->rounded, &t->next, h));
    SHK_TRY(advance(t->disguised, &t->dressed, &t->after, dressed_h));
    shk_state_copy(&t->off, &t->dressed);
    shk_transform_back(t->disguised->instance, t->off.q, t->off.p, t->dressed.q, t->dressed.p);
    shk_transform_back(t->disguised->instance, t->off.q_carry, t->off.p_carry, t->dressed.q_carry,
                       t->dressed.p_carry);
    worst = real_max(worst, shk_map_distance(t->plain, &t->off, &t->now, false));
    control = real_max(control, shk_map_distance(t->plain, &t->rounded, &t->now, false));
  }
  real multipliers = 0;
  if (with_multipliers)
    SHK_TRY(compare_multipliers(t, &multipliers));
  shk_structure_add(outcome, name, "defect", real_max(worst, multipliers));
  shk_structure_add(outcome, name, "control", control);
  shk_structure_add(outcome, name, "floor",
                    real_max(STEPS * shk_map_rounding(t->plain, h), control));
  return shk_ok();
}

static struct shk_status compare(struct shk_outcome *outcome, const struct shk_map *map,
                                 const struct shk_map *disguised, const char *name,
                                 bool with_multipliers)
{
  const int n = map->start->n, m = map->start->m;
  struct trio t = {.plain = map, .disguised = disguised};
  struct shk_state *const states[] = {&t.now, &t.rounded, &t.next, &t.dressed, &t.after, &t.off};
  const size_t count = sizeof states / sizeof states[0];
  SHK_TRY(shk_evaluator_init(&t.evaluator, &map->instance->system));
  struct shk_workspace *const workspace = t.evaluator.workspace;
  struct shk_status status = shk_reals(workspace, &t.G, (size_t)t.evaluator.row_start[m]);
  if (status.code == SHK_OK)
    status = shk_reals(workspace, &t.differ, (size_t)m);
  if (status.code == SHK_OK)
    status = shk_reals(workspace, &t.impulse, (size_t)n);
  for (size_t i = 0; i < count; i++)
    if (!shk_state_init_like(states[i], map->start))
      status = shk_no_memory();
  if (status.code == SHK_OK)
    status = follow(outcome, &t, name, with_multipliers);
  for (size_t i = 0; i < count; i++)
    shk_state_clear(states[i]);
  shk_evaluator_clear(&t.evaluator);
  return status;
}

/* Problems that have no such change of coordinates. */
#define OBJECTIONS                                                                                 \
  {                                                                                                \
    {SHK_MOMENTUM_CONSTRAINT, 0,                                                                   \
     "constraints on momenta: `disguised` transforms only constraints g(q) and g(q,t)"},           \
    {                                                                                              \
      SHK_VELOCITY_CONSTRAINT | SHK_GENERAL_DAE, 0,                                                \
          "not a Hamiltonian system: `disguised` does not transform it"                            \
    }                                                                                              \
  }

#define COMPARED(word, multipliers)                                                                \
  static struct shk_status word(struct shk_outcome *outcome, const struct shk_map *map,            \
                                const struct shk_map *disguised)                                   \
  {                                                                                                \
    return compare(outcome, map, disguised, #word, multipliers);                                   \
  }
COMPARED(permutation, true)
COMPARED(covariance, true)
COMPARED(rewriting, false)

#define DISGUISED(word, options)                                                                   \
  {                                                                                                \
    .asks = {.disguise = options, .meaningless = OBJECTIONS}, .measure = word                      \
  }

const struct shk_structure shk_structure_permutation =
    DISGUISED(permutation, "seed=1,turn=no,scale=no");
const struct shk_structure shk_structure_covariance =
    DISGUISED(covariance, "seed=2,length=0.001,mass=7,time=3,shift=0.3");
const struct shk_structure shk_structure_rewriting =
    DISGUISED(rewriting, "seed=3,reorder=no,turn=no,scale=no,rewrite=yes");
