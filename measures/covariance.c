/*
 * Measures the equivariance of steps under changes of coordinates. It compares steps from the same
 * state in the original and in the transformed problem (the problem `transformed`), after pulling
 * the results back to the original coordinates.
 *
 *   permutation  coordinates (points, for distance constraints) and constraints in a different
 *                order
 *   covariance   also a rotation, rows multiplied by numbers of either sign, different units, and a
 *                different start time
 *   rewriting    rows g + a g² in place of g, with the same zeros and the same gradients at the
 *                zeros: steps do not change if they use g and G only on the constraint, but they do
 *                change if they use index-reduced equations off it
 *
 *   NAME-defect   largest distance in q and p after 1 … STEPS steps, and of the impulses h Gᵀλ and
 *                 h Gᵀμ in the last one. λ and μ are pulled back first: a row c g_k has the
 *                 multiplier λ_k/c. Impulses are not compared for rewriting, because the gradients
 *                 differ in the middle of a step
 *   NAME-control  the change in the original problem caused by a rounding error in the start
 *   NAME-floor    the larger of STEPS r (structure.h) and the control
 */
#include "measures/structure.h"

enum { STEPS = 3 };
enum { STATES_ALONE, WITH_MULTIPLIERS };

/* The two maps and the states that they reach. `now` belongs to the original problem, `rounded` to
 * the same problem after perturbing the start by a rounding error, and `changed` to the transformed
 * problem; `back` is the pull-back of `changed`. */
struct trio {
  struct shk_trial *trial;
  const struct shk_map *plain, *other;
  real *G, *differ, *impulse; /* the number of entries of G, m, and n */
  struct shk_state *now, *rounded, *next, *changed, *after, *back;
};

static struct shk_status advance_covariance(const struct shk_map *map, struct shk_state *state,
                                            struct shk_state *next, real h)
{
  SHK_TRY(shk_map_step(map, next, state, h));
  shk_state_copy(state, next);
  return shk_ok();
}

/* Transforms q and p to the coordinates of the transformed problem, or back to the original
 * ones. */
static void change_coordinates(const struct trio *t, bool back, real *q_out, real *p_out,
                               const real *q, const real *p)
{
  const struct shk_instance *const instance = t->other->instance;
  instance->change->state(instance->system.context, back, q_out, p_out, q, p);
}

/* Stores the scaled distance between the impulses h Gᵀλ and h Gᵀμ of the last step, with G
 * evaluated at the end of the step. Impulses are compared because redundant rows leave λ
 * undetermined but determine Gᵀλ. */
static struct shk_status compare_multipliers(struct trio *t, real *distance)
{
  const struct shk_instance *const instance = t->other->instance;
  struct shk_evaluator *const e = &t->trial->evaluator;
  const int n = t->now->n, m = t->now->m;
  SHK_TRY(shk_jacobian(e, t->G, t->now->t, t->now->q));
  const real *const plain[] = {t->now->lambda, t->now->mu};
  const real *const changed[] = {t->changed->lambda, t->changed->mu};
  *distance = 0;
  for (int k = 0; k < 2; k++) {
    instance->change->multipliers(instance->system.context, t->differ, changed[k]);
    for (int i = 0; i < m; i++)
      t->differ[i] -= plain[k][i];
    for (int i = 0; i < n; i++)
      t->impulse[i] = 0;
    shk_jacobian_transposed_add(e, t->impulse, t->G, t->plain->step, t->differ);
    for (int i = 0; i < n; i++)
      *distance = real_max(*distance, real_fabs(t->impulse[i]) / t->plain->p_scale[i]);
  }
  return shk_ok();
}

static struct shk_status begin_covariance(struct trio *t)
{
  const struct shk_evaluator *const e = &t->trial->evaluator;
  const int m = t->plain->start->m;
  SHK_TRY(shk_reals(e->workspace, &t->G, (size_t)e->row_start[m]));
  SHK_TRY(shk_reals(e->workspace, &t->differ, (size_t)m));
  SHK_TRY(shk_reals(e->workspace, &t->impulse, (size_t)t->plain->start->n));
  shk_state_copy(t->now, t->plain->start);
  SHK_TRY(shk_map_rounded_start(t->plain, t->rounded));
  shk_state_copy(t->changed, t->other->start);
  change_coordinates(t, false, t->changed->q, t->changed->p, t->now->q, t->now->p);
  return shk_map_begin(t->other, t->changed, t->other->instance->change->time * t->plain->step);
}

static struct shk_status measure_covariance(struct shk_trial *trial)
{
  struct shk_state *const states = trial->state;
  struct trio trio = {.trial = trial,
                      .plain = trial->map,
                      .other = trial->other,
                      .now = states,
                      .rounded = states + 1,
                      .next = states + 2,
                      .changed = states + 3,
                      .after = states + 4,
                      .back = states + 5},
              *const t = &trio;
  const real h = t->plain->step, changed_h = h * t->other->instance->change->time;
  real worst = 0, control = 0, multipliers = 0;
  SHK_TRY(begin_covariance(t));
  for (int k = 0; k < STEPS; k++) {
    SHK_TRY(advance_covariance(t->plain, t->now, t->next, h));
    SHK_TRY(advance_covariance(t->plain, t->rounded, t->next, h));
    SHK_TRY(advance_covariance(t->other, t->changed, t->after, changed_h));
    shk_state_copy(t->back, t->changed);
    change_coordinates(t, true, t->back->q, t->back->p, t->changed->q, t->changed->p);
    change_coordinates(t, true, t->back->q_carry, t->back->p_carry, t->changed->q_carry,
                       t->changed->p_carry);
    worst = real_max(worst, shk_map_distance(t->plain, t->back, t->now, false));
    control = real_max(control, shk_map_distance(t->plain, t->rounded, t->now, false));
  }
  if (trial->variant == WITH_MULTIPLIERS)
    SHK_TRY(compare_multipliers(t, &multipliers));
  shk_trial_compare(trial, real_max(worst, multipliers), control,
                    STEPS * shk_map_rounding(t->plain, h));
  return shk_ok();
}

#define CANNOT (SHK_MOMENTUM_CONSTRAINT | SHK_VELOCITY_CONSTRAINT | SHK_GENERAL_DAE)
#define WHY "`transformed` changes only constraints g(q) and g(q,t)"
#define MEASURE(options, with)                                                                     \
  {                                                                                                \
    .asks = {.transform = options, .meaningless = {{CANNOT, 0, WHY}}}, .states = 6,                \
    .variant = with, .measure = measure_covariance                                                 \
  }

const struct shk_structure shk_structure_permutation =
    MEASURE("seed=1,turn=no,scale=no", WITH_MULTIPLIERS);
const struct shk_structure shk_structure_covariance =
    MEASURE("seed=2,length=0.001,mass=7,time=3,shift=0.3", WITH_MULTIPLIERS);
const struct shk_structure shk_structure_rewriting =
    MEASURE("seed=3,reorder=no,turn=no,scale=no,rewrite=yes", STATES_ALONE);
