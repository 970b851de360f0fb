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
  struct balance *const balance = state;
  *balance = (struct balance){.run = run};
  SHK_TRY(shk_reals(workspace, &balance->v, (size_t)system->n));
  SHK_TRY(shk_reals(workspace, &balance->lambda, (size_t)system->m));
  return shk_reals(workspace, &balance->values, (size_t)system->n + (size_t)system->m);
}

/* Stores Q·v + lambdaᵀ g_t. */
static struct shk_status find_power(struct balance *balance, real *power,
                                    const struct shk_state *at)
{
  struct shk_evaluator *const e = balance->run->evaluator;
  real *const g_t = balance->values + at->n;
  SHK_TRY(shk_velocity(e, balance->v, at->t, at->q, at->p));
  SHK_TRY(shk_force(e, balance->values, at->t, at->q, at->p));
  SHK_TRY(shk_constraint_rate(e, g_t, at->t, at->q));
  SHK_TRY(shk_exact_multiplier(balance->run->manifold, balance->lambda, at->t, at->q, at->p));
  *power = real_dot(balance->values, balance->v, at->n) + real_dot(balance->lambda, g_t, at->m);
  return shk_ok();
}

/* Returns the part of the sum that Gregory's rule subtracts at the last state, the k-th. */
static real at_end(const struct balance *balance, long k)
{
  static const real weights[ENDS] = {41393, -23719, 22742, -14762, 5449, -863};
  real part = 0;
  for (int j = 0; j < ENDS; j++)
    part += weights[j] * balance->newest[(k - j) % ENDS];
  return part / 60480;
}

/* Returns the part that Gregory's rule subtracts at the start: at_end of the reversed powers. */
static real at_start(const struct balance *balance)
{
  struct balance mirrored = *balance;
  for (int j = 0; j < ENDS; j++)
    mirrored.newest[j] = balance->newest[ENDS - 1 - j];
  return at_end(&mirrored, ENDS - 1);
}

static struct shk_status balance_observe(void *state, const struct shk_state *at)
{
  struct balance *balance = state;
  struct shk_evaluator *const e = balance->run->evaluator;
  const long k = balance->seen++;
  real energy, later;
  SHK_TRY(shk_hamiltonian(e, &energy, at->t, at->q, at->p));
  if (k == 0) {
    SHK_TRY(
        shk_hamiltonian(e, &later, at->t + balance->run->instance->time_scale / 3, at->q, at->p));
    balance->off = later != energy;
    balance->start = energy;
    balance->t = at->t;
  }
  balance->off = balance->off || find_power(balance, &balance->newest[k % ENDS], at).code != SHK_OK;
  if (balance->off)
    return shk_ok();
  balance->sum += balance->newest[k % ENDS];
  if (k == 1)
    balance->step = at->t - balance->t;
  if (k == ENDS - 1)
    balance->first = at_start(balance);
  if (k < ENDS - 1)
    return shk_ok();
  balance->work = balance->step * (balance->sum - balance->first - at_end(balance, k));
  balance->difference = energy - balance->start - balance->work;
  balance->largest = real_max(balance->largest, real_fabs(balance->difference));
  return shk_ok();
}

static void balance_finish(void *state, struct shk_outcome *outcome)
{
  const struct balance *balance = state;
  if (balance->off || balance->seen < ENDS)
    return;
  shk_outcome_add_scalar(outcome, "balance-max", (double)balance->largest);
  shk_outcome_add_scalar(outcome, "balance-final", (double)balance->difference);
  shk_outcome_add_scalar(outcome, "balance-work", (double)balance->work);
}

const struct shk_measure shk_measure_balance = {.size = sizeof(struct balance),
                                                .applies = balance_applies,
                                                .create = balance_create,
                                                .observe = balance_observe,
                                                .finish = balance_finish};
