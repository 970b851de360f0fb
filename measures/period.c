/*
 * Measures the period of a periodic orbit. A return is a crossing of the plane p0·(q - q0) = 0
 * through the start, in the direction of p0 and near q0, that is, within 1/200 of the largest
 * distance from q0 so far. The time of a return is a root of the polynomial, of order 8, that
 * matches the values and slopes at four states. "period" is the mean time between returns, and
 * "returns" is the number of returns. Counting stops when the duration of a return differs by at
 * least a tenth from that of the first one. The period is measured only for fixed steps and at most
 * 1,000 coordinates, and not for general DAEs.
 */
#include "measures/measure.h"

enum { NODES = 4 };

struct period {
  const struct shk_measured *run;
  long seen;
  /* n numbers each, except for q, which has NODES x n numbers; row k % NODES contains the state
   * with index k */
  real *q0, *p0, *v, *q;
  real t[NODES], s[NODES], slope[NODES];
  real farthest, last, first;
  int returns;
  bool ended;
};

static bool period_applies(const struct shk_measured *run)
{
  const struct shk_system *const system = &run->instance->system;
  return !run->adaptive && !(system->features & SHK_GENERAL_DAE) && system->n <= 1000;
}

static struct shk_status period_create(void *state, const struct shk_measured *run)
{
  struct shk_workspace *const workspace = run->evaluator->workspace;
  const size_t n = (size_t)run->instance->system.n;
  struct period *const period = state;
  *period = (struct period){.run = run};
  SHK_TRY(shk_reals(workspace, &period->q0, n));
  SHK_TRY(shk_reals(workspace, &period->p0, n));
  SHK_TRY(shk_reals(workspace, &period->v, n));
  return shk_reals(workspace, &period->q, NODES * n);
}

/* Evaluates a polynomial at x from its Newton coefficients over the doubled nodes -1, 0, 1, 2. */
static real polynomial_period(const real *coefficients, real x)
{
  real value = 0;
  for (int i = 2 * NODES - 1; i >= 0; i--)
    value = coefficients[i] + value * (x - (real)(i / 2 - 1));
  return value;
}

/* Returns the time of the root of s between states k-2 and k-1, using states k-3 to k. */
static real find_root(const struct period *period, long k)
{
  real c[2 * NODES], low = 0, high = 1;
  const real h = period->t[(k - 1) % NODES] - period->t[(k - 2) % NODES];
  for (int i = 0; i < 2 * NODES; i++)
    c[i] = period->s[(k - NODES + 1 + i / 2) % NODES];
  for (int order = 1; order < 2 * NODES; order++)
    for (int i = 2 * NODES - 1; i >= order; i--) {
      const int apart = i / 2 - (i - order) / 2;
      c[i] = apart == 0 ? h * period->slope[(k - NODES + 1 + i / 2) % NODES]
                        : (c[i] - c[i - 1]) / (real)apart;
    }
  while (high - low > REAL_EPSILON) {
    const real middle = (low + high) / 2;
    *(polynomial_period(c, middle) < 0 ? &low : &high) = middle;
  }
  return period->t[(k - 2) % NODES] + h * low;
}

/* Returns the distance from q0 at the crossing between two states, found by linear
 * interpolation. */
static real distance_at_crossing(const struct period *period, long before, long after)
{
  const int n = period->run->instance->system.n;
  const real s = period->s[before % NODES], share = s / (s - period->s[after % NODES]);
  real largest = 0;
  for (int i = 0; i < n; i++) {
    const real a = period->q[before % NODES * n + i], b = period->q[after % NODES * n + i];
    largest = real_max(largest, real_fabs(a + share * (b - a) - period->q0[i]));
  }
  return largest;
}

static void note_return(struct period *period, real t)
{
  const real time = t - period->last;
  if (period->returns == 0)
    period->first = time;
  period->ended = real_fabs(time - period->first) > period->first / 10;
  if (period->ended)
    return;
  period->last = t;
  period->returns++;
}

static struct shk_status period_observe(void *state, const struct shk_state *at)
{
  struct period *period = state;
  const int n = at->n;
  const long k = period->seen++;
  const int node = (int)(k % NODES);
  real *const q = period->q + node * n, away = 0;
  if (period->ended)
    return shk_ok();
  SHK_TRY(shk_velocity(period->run->evaluator, period->v, at->t, at->q, at->p));
  for (int i = 0; i < n && k == 0; i++) {
    period->q0[i] = at->q[i];
    period->p0[i] = at->p[i];
    period->last = at->t;
  }
  period->t[node] = at->t;
  period->s[node] = 0;
  for (int i = 0; i < n; i++) {
    q[i] = at->q[i];
    period->s[node] += period->p0[i] * (q[i] - period->q0[i]);
    away = real_max(away, real_fabs(q[i] - period->q0[i]));
  }
  period->slope[node] = real_dot(period->p0, period->v, n);
  period->farthest = real_max(period->farthest, away);
  if (k >= NODES && period->s[(k - 2) % NODES] < 0 && period->s[(k - 1) % NODES] >= 0 &&
      distance_at_crossing(period, k - 2, k - 1) <= period->farthest / 200)
    note_return(period, find_root(period, k));
  return shk_ok();
}

static void period_finish(void *state, struct shk_outcome *outcome)
{
  const struct period *period = state;
  if (period->returns == 0)
    return;
  shk_outcome_add_scalar(
      outcome, "period",
      (double)((period->last - period->run->instance->initial_time) / period->returns));
  shk_outcome_add_scalar(outcome, "returns", period->returns);
}

const struct shk_measure shk_measure_period = {.size = sizeof(struct period),
                                               .applies = period_applies,
                                               .create = period_create,
                                               .observe = period_observe,
                                               .finish = period_finish};
