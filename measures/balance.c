/*
 * Balance of energy of damped and driven systems, H(t) - H(0) - W(t) with the work of the forces Q
 * and of the moving constraints,
 *
 *     W' = Q·v + lambdaᵀ g_t,     lambda of the state by the exact formula.
 *
 * W is the sum over the states with Gregory's weights at both ends, of order 7 in the step.
 * "balance-max" begins after the fifth step. Only for fixed steps and constraints g(q,t); no record
 * if H depends on the time explicitly, or the power of a state cannot be evaluated.
 */
#include "measures/measure.h"
#include "mechanics/system/evaluate.h"

enum { ENDS = 6 };

struct balance {
  const struct shk_measured *run;
  long seen;
  bool off; /* H depends on the time, or the power of a state cannot be evaluated */
  real start, step, t, sum, first, largest, difference, work;
  real newest[ENDS];         /* power at the k-th state, in k % ENDS */
  real *v, *lambda, *values; /* n, m, n + m */
};

static bool balance_applies(const struct shk_measured *run)
{
  const unsigned features = run->instance->system.features;
  return !run->adaptive && features & (SHK_FORCES | SHK_RHEONOMIC) &&
         !(features & (SHK_GENERAL_DAE | SHK_VELOCITY_CONSTRAINT | SHK_MOMENTUM_CONSTRAINT)) &&
         run->observations >= ENDS;
}

static struct shk_status balance_create(void *state, const struct shk_measured *run)
{
  const struct shk_system *const system = &run->instance->system;
  struct shk_workspace *const workspace = run->evaluator->workspace;
  struct balance *const w = state;
  *w = (struct balance){.run = run};
  SHK_TRY(shk_reals(workspace, &w->v, (size_t)system->n));
  SHK_TRY(shk_reals(workspace, &w->lambda, (size_t)system->m));
  return shk_reals(workspace, &w->values, (size_t)system->n + (size_t)system->m);
}

/* Stores Q·v + lambdaᵀ g_t. */
static struct shk_status find_power(struct balance *w, real *power, const struct shk_state *at)
{
  struct shk_evaluator *const e = w->run->evaluator;
  real *const g_t = w->values + at->n;
  SHK_TRY(shk_velocity(e, w->v, at->t, at->q, at->p));
  SHK_TRY(shk_force(e, w->values, at->t, at->q, at->p));
  SHK_TRY(shk_constraint_rate(e, g_t, at->t, at->q));
  SHK_TRY(shk_exact_multiplier(w->run->manifold, w->lambda, at->t, at->q, at->p));
  *power = real_dot(w->values, w->v, at->n) + real_dot(w->lambda, g_t, at->m);
  return shk_ok();
}

/* Returns the part of the sum that Gregory's rule subtracts at the last state, the k-th. */
static real at_end(const struct balance *w, long k)
{
  static const real weights[ENDS] = {41393, -23719, 22742, -14762, 5449, -863};
  real part = 0;
  for (int j = 0; j < ENDS; j++)
    part += weights[j] * w->newest[(k - j) % ENDS];
  return part / 60480;
}

/* Returns the part that Gregory's rule subtracts at the start: at_end of the reversed powers. */
static real at_start(const struct balance *w)
{
  struct balance mirrored = *w;
  for (int j = 0; j < ENDS; j++)
    mirrored.newest[j] = w->newest[ENDS - 1 - j];
  return at_end(&mirrored, ENDS - 1);
}

static struct shk_status balance_observe(void *state, const struct shk_state *at)
{
  struct balance *w = state;
  struct shk_evaluator *const e = w->run->evaluator;
  const long k = w->seen++;
  real energy, later;
  SHK_TRY(shk_hamiltonian(e, &energy, at->t, at->q, at->p));
  if (k == 0) {
    SHK_TRY(shk_hamiltonian(e, &later, at->t + w->run->instance->time_scale / 3, at->q, at->p));
    w->off = later != energy;
    w->start = energy;
    w->t = at->t;
  }
  w->off = w->off || find_power(w, &w->newest[k % ENDS], at).code != SHK_OK;
  if (w->off)
    return shk_ok();
  w->sum += w->newest[k % ENDS];
  if (k == 1)
    w->step = at->t - w->t;
  if (k == ENDS - 1)
    w->first = at_start(w);
  if (k < ENDS - 1)
    return shk_ok();
  w->work = w->step * (w->sum - w->first - at_end(w, k));
  w->difference = energy - w->start - w->work;
  w->largest = real_max(w->largest, real_fabs(w->difference));
  return shk_ok();
}

static void balance_finish(void *state, struct shk_outcome *outcome)
{
  const struct balance *w = state;
  if (w->off || w->seen < ENDS)
    return;
  shk_outcome_add_scalar(outcome, "balance-max", (double)w->largest);
  shk_outcome_add_scalar(outcome, "balance-final", (double)w->difference);
  shk_outcome_add_scalar(outcome, "balance-work", (double)w->work);
}

const struct shk_measure shk_measure_balance = {.size = sizeof(struct balance),
                                                .applies = balance_applies,
                                                .create = balance_create,
                                                .observe = balance_observe,
                                                .finish = balance_finish};
