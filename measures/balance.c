/*
 * Computes the energy balance H(t) - H(0) - W(t) of damped and driven systems. W is the work done
 * by the forces Q and by the moving constraints,
 *
 *     W' = Q·v + lambdaᵀ g_t,     with lambda from the exact formula at the state.
 *
 * The balance is zero on exact solutions, because H' = Q·v - lambdaᵀ G v and G v + g_t = 0. For a
 * numerical method, the balance has the same order as q and p, because a step of order p violates
 * H' = W' by O(h^(p+1)). Only the states computed by the method are needed: W is a sum over these
 * states, with Gregory's weights at both ends, and is accurate to order 7 in the step size. Without
 * forces and moving constraints, W is 0 and the balance is the energy error. "balance-max" covers
 * the values from the fifth step onwards. The balance is recorded only for fixed steps and
 * constraints g(q,t). It is not recorded if H depends explicitly on time or if the power cannot be
 * evaluated at a state.
 */
#include "measures/measure.h"
#include "mechanics/system/evaluate.h"

enum { ENDS = 6 };

/* The time integral of a power, computed from its values at the states. */
struct work {
  /* the sum of the powers, and the correction that Gregory's rule subtracts from it at the start */
  real sum, first;
  real newest[ENDS]; /* the power at the k-th state is at index k % ENDS */
};

struct balance {
  const struct shk_measured *run;
  long seen;
  bool off; /* true if H depends on time, or if the power cannot be evaluated at a state */
  bool moves;
  real start, step, t, largest, difference;
  struct work forces, constraints;
  /* the total work so far, and the part of it done by the moving constraints */
  real work, constraint_work;
  real *v, *lambda, *values; /* n, m, n + m */
};

static bool balance_applies(const struct shk_measured *run)
{
  return !run->adaptive &&
         !(run->instance->system.features &
           (SHK_GENERAL_DAE | SHK_VELOCITY_CONSTRAINT | SHK_MOMENTUM_CONSTRAINT)) &&
         run->observations >= ENDS;
}

static struct shk_status balance_create(void *state, const struct shk_measured *run)
{
  const struct shk_system *const system = &run->instance->system;
  struct shk_workspace *const workspace = run->evaluator->workspace;
  struct balance *const balance = state;
  *balance = (struct balance){.run = run, .moves = (system->features & SHK_RHEONOMIC) != 0};
  SHK_TRY(shk_reals(workspace, &balance->v, (size_t)system->n));
  SHK_TRY(shk_reals(workspace, &balance->lambda, (size_t)system->m));
  return shk_reals(workspace, &balance->values, (size_t)system->n + (size_t)system->m);
}

/* ---- the two powers ---- */

/* Stores lambdaᵀ g_t. If no constraint moves, stores 0 without computing lambda, which can be
 * undetermined. */
static struct shk_status find_constraint_power(struct balance *balance, real *power,
                                               const struct shk_state *at)
{
  real *const g_t = balance->values + at->n;
  *power = 0;
  if (!balance->moves)
    return shk_ok();
  SHK_TRY(shk_constraint_rate(balance->run->evaluator, g_t, at->t, at->q));
  SHK_TRY(shk_exact_multiplier(balance->run->manifold, balance->lambda, at->t, at->q, at->p));
  *power = real_dot(balance->lambda, g_t, at->m);
  return shk_ok();
}

/* Stores Q·v, or 0 if there are no forces. */
static struct shk_status find_force_power(struct balance *balance, real *power,
                                          const struct shk_state *at)
{
  struct shk_evaluator *const e = balance->run->evaluator;
  *power = 0;
  if (!(e->system->features & SHK_FORCES))
    return shk_ok();
  SHK_TRY(shk_velocity(e, balance->v, at->t, at->q, at->p));
  SHK_TRY(shk_force(e, balance->values, at->t, at->q, at->p));
  *power = real_dot(balance->values, balance->v, at->n);
  return shk_ok();
}

/* ---- their integrals ---- */

/* Returns the correction that Gregory's rule subtracts from the sum at the last state, whose index
 * is k. */
static real at_end(const struct work *work, long k)
{
  static const real weights[ENDS] = {41393, -23719, 22742, -14762, 5449, -863};
  real part = 0;
  for (int j = 0; j < ENDS; j++)
    part += weights[j] * work->newest[(k - j) % ENDS];
  return part / 60480;
}

/* Returns the correction that Gregory's rule subtracts at the start. It equals at_end of the powers
 * in reverse order. */
static real at_start(const struct work *work)
{
  struct work mirrored = *work;
  for (int j = 0; j < ENDS; j++)
    mirrored.newest[j] = work->newest[ENDS - 1 - j];
  return at_end(&mirrored, ENDS - 1);
}

/* Adds the power at the state with index k. From the fifth step on, returns the integral up to this
 * state, divided by the step size. */
static real add_power(struct work *work, real power, long k)
{
  work->newest[k % ENDS] = power;
  work->sum += power;
  if (k < ENDS - 1)
    return 0;
  if (k == ENDS - 1)
    work->first = at_start(work);
  return work->sum - work->first - at_end(work, k);
}

/* ---- the balance ---- */

/* Stores the energy at the start, and determines whether H depends on time. */
static void begin_balance(struct balance *balance, const struct shk_state *at)
{
  const struct shk_measured *const run = balance->run;
  const real after = at->t + run->instance->time_scale / 3;
  real later;
  balance->off = shk_hamiltonian(run->evaluator, &later, after, at->q, at->p).code != SHK_OK ||
                 later != run->energy;
  balance->start = run->energy;
  balance->t = at->t;
}

static struct shk_status balance_observe(void *state, const struct shk_state *at)
{
  struct balance *balance = state;
  const long k = balance->seen++;
  real force_power, constraint_power;
  if (k == 0)
    begin_balance(balance, at);
  balance->off = balance->off || find_force_power(balance, &force_power, at).code != SHK_OK ||
                 find_constraint_power(balance, &constraint_power, at).code != SHK_OK;
  if (balance->off)
    return shk_ok();
  if (k == 1)
    balance->step = at->t - balance->t;
  const real forces = balance->step * add_power(&balance->forces, force_power, k);
  balance->constraint_work = balance->step * add_power(&balance->constraints, constraint_power, k);
  if (k < ENDS - 1)
    return shk_ok();
  balance->work = forces + balance->constraint_work;
  balance->difference = balance->run->energy - balance->start - balance->work;
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
  if (balance->moves)
    shk_outcome_add_scalar(outcome, "balance-work-constraints", (double)balance->constraint_work);
}

const struct shk_measure shk_measure_balance = {.size = sizeof(struct balance),
                                                .applies = balance_applies,
                                                .create = balance_create,
                                                .observe = balance_observe,
                                                .finish = balance_finish};
