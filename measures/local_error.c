/*
 * Measures the local error: the error of one step from states on the hidden manifold M^H along the
 * motion. For a method of order p, the local error is O(h^(p+1)) in q and p, unless the errors of
 * successive steps cancel or do not propagate. SHAKE's momenta, for example, have an error of O(h)
 * along the fibre, which is no larger after a run than after one step (McLachlan, Modin, Verdier &
 * Wilkins, Found. Comput. Math. 14 (2014) 339, remark 4.5).
 *
 * The steps start from the states that the reference integrator reaches after 0.31, 0.83 and 1.27
 * time scales. These states are the same for all step sizes, and unlike the start of the problem,
 * they are not likely to be symmetric or at rest.
 *
 *   NAME-defect    largest scaled difference in q and p (structure.h)
 *   NAME-doubt     error of the reference: the scaled difference between one of its steps and two
 *                  of its steps of half the length
 *   NAME-floor     the larger of NAME-doubt and r (structure.h)
 */
#include "measures/block.h"
#include "measures/structure.h"

#include <stdio.h>

static const int hundredths[] = {31, 83, 127}; /* times in hundredths of the time scale */
enum { STATES = sizeof hundredths / sizeof hundredths[0] };

struct probe {
  struct shk_trial *trial;
  struct shk_state *at, *reached, *right, *half, *again;
  real *multipliers; /* exact multipliers at the start of the step (m numbers) */
  real defect, doubt;
};

static void add_pair(struct shk_sample *sample, const char *block, const real *x,
                     const real *reference, int n)
{
  char label[64];
  snprintf(label, sizeof label, "%s-reference", block);
  shk_block_add(sample, block, x, n);
  shk_block_add(sample, label, reference, n);
}

static struct shk_status exact_multiplier(const struct probe *probe, real *lambda,
                                          const struct shk_state *s)
{
  return shk_exact_multiplier(probe->trial->map->manifold, lambda, s->t, s->q, s->p);
}

static void add_carries(struct shk_state *s)
{
  for (int i = 0; i < s->n; i++) {
    s->q[i] += s->q_carry[i];
    s->p[i] += s->p_carry[i];
    s->q_carry[i] = s->p_carry[i] = 0;
  }
}

/* Adds the results of the step to a sample as blocks, and the reference values as blocks
 * NAME-reference.
 *
 *   q, p           at the state reached, compared with the reference's step of the same length
 *   lambda, mu     from the step; lambda is compared with the exact multiplier at the start, and mu
 *                  with the one at the state that the reference reached; added only if nonzero
 *   lambda-state   exact multiplier at the state reached, compared with that at the reference's
 *                  state */
static struct shk_status record_local_error(struct probe *probe, struct shk_sample *sample)
{
  const int n = probe->at->n, m = probe->at->m;
  struct shk_state *const got = probe->reached, *const right = probe->right;
  add_pair(sample, "q", got->q, right->q, n);
  add_pair(sample, "p", got->p, right->p, n);
  if (m == 0)
    return shk_ok();
  if (real_max_norm(got->lambda, m) > 0)
    add_pair(sample, "lambda", got->lambda, probe->multipliers, m);
  SHK_TRY(exact_multiplier(probe, right->lambda, right));
  if (real_max_norm(got->mu, m) > 0)
    add_pair(sample, "mu", got->mu, right->lambda, m);
  SHK_TRY(exact_multiplier(probe, got->lambda, got));
  add_pair(sample, "lambda-state", got->lambda, right->lambda, m);
  return shk_ok();
}

/* Compares one step of the map, taken from probe->at, with one step and with two half steps of the
 * reference. */
static struct shk_status compare_local_error(struct probe *probe, int which)
{
  const struct shk_map *const map = probe->trial->map, *const reference = probe->trial->other;
  const real h = map->step;
  char label[32];
  SHK_TRY(exact_multiplier(probe, probe->multipliers, probe->at));
  for (int i = 0; i < probe->at->m; i++)
    probe->at->lambda[i] = probe->multipliers[i];
  SHK_TRY(shk_map_begin(map, probe->at, h));
  SHK_TRY(shk_map_step(map, probe->reached, probe->at, h));
  SHK_TRY(shk_map_step(reference, probe->right, probe->at, h));
  SHK_TRY(shk_map_step(reference, probe->half, probe->at, h / 2));
  SHK_TRY(shk_map_step(reference, probe->again, probe->half, h / 2));
  add_carries(probe->reached);
  add_carries(probe->right);
  add_carries(probe->again);
  probe->defect =
      real_max(probe->defect, shk_map_distance(map, probe->reached, probe->right, false));
  probe->doubt = real_max(probe->doubt, shk_map_distance(map, probe->again, probe->right, false));
  snprintf(label, sizeof label, "%d", which + 1);
  return record_local_error(probe, shk_outcome_add_sample(probe->trial->outcome, label, which + 1));
}

static struct shk_status measure_local_error(struct shk_trial *trial)
{
  const struct shk_map *const map = trial->map;
  struct shk_state *const states = trial->state;
  struct probe made = {.trial = trial,
                       .at = states,
                       .reached = states + 1,
                       .right = states + 2,
                       .half = states + 3,
                       .again = states + 4},
               *const probe = &made;
  const real time_scale = map->instance->time_scale;
  SHK_TRY(shk_reals(trial->evaluator.workspace, &probe->multipliers, (size_t)map->start->m));
  shk_state_copy(probe->at, map->start);
  for (int i = 0; i < STATES; i++) {
    const int further = hundredths[i] - (i > 0 ? hundredths[i - 1] : 0);
    SHK_TRY(shk_map_step(trial->other, probe->right, probe->at, time_scale * further / 100));
    shk_state_copy(probe->at, probe->right);
    add_carries(probe->at);
    SHK_TRY(compare_local_error(probe, i));
  }
  shk_trial_add(trial, "defect", probe->defect);
  shk_trial_add(trial, "doubt", probe->doubt);
  shk_trial_add(trial, "floor", real_max(probe->doubt, shk_map_rounding(map, map->step)));
  return shk_ok();
}

const struct shk_structure shk_structure_local_error = {
    .asks = {.reference = true}, .states = 5, .measure = measure_local_error};
