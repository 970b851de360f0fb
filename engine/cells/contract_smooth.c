/*
 * Tests that a step is a smooth function of its size and of its initial momenta. This means that
 * the method does not switch to a different one at certain step sizes, for negative steps, from
 * rest, or beyond a certain speed. Let F(x) be the result of a step of size x or of an ordinary
 * step from (q, x p). The fourth differences
 *
 *     D(x,d) = F(x-2d) - 4 F(x-d) + 6 F(x) - 4 F(x+d) + F(x+2d)
 *
 * decrease like d⁴ for a smooth F and like d across a kink; across a jump, they do not decrease.
 * Windows of x are halved repeatedly, always continuing with the half that has the larger D. At x =
 * 0, a method of order p may change to its adjoint, and D then decreases like d^(p+1). D is
 * compared with its rounding error, 16 r (structure.h), and with the error of solvers: half the
 * digits, or 16 ℓ τ/h for momenta if the constraint is kept to the level ℓ. For large steps,
 * implicit equations have other solutions, and the distance between solutions is larger than the
 * effect of any fault. No fault is reported for such steps.
 */
#include "engine/cells/contract.h"

#include <string.h>

/* If a difference is larger than this value, it is due to another solution of the implicit
 * equations. */
#define ELSEWHERE R(0.05)
/* HALVINGS is the number of times a window is halved. SPAN is the number of halvings over which D
 * is compared; it is needed because D varies by factors of three with the position of a jump in the
 * window. If one halving reduces D by the factor FALL, there is no jump. Steps of at least the time
 * scale divided by LONG may reach other solutions. */
enum { HALVINGS = 16, SPAN = 6, FALL = 4, LONG = 16 };

struct path {
  struct shk_contract *contract;
  bool of_momenta; /* true if x is a factor that multiplies p, false if x is a step size */
};

/* Takes the step to c->to, starting with the memory left by a first step. Returns false if the step
 * fails. */
static bool step_at(const struct path *path, real x)
{
  struct shk_contract *const c = path->contract;
  shk_state_copy(&c->at, &c->from);
  shk_state_copy(&c->to, &c->from);
  for (int i = 0; path->of_momenta && i < c->at.n; i++) {
    c->at.p[i] *= x;
    c->at.p_carry[i] *= x;
  }
  const real h = path->of_momenta ? c->h : x;
  return h == 0 || (shk_map_begin(&c->map, &c->at, h).code == SHK_OK &&
                    shk_cell_contract_step(c, &c->to, &c->at, h));
}

/* Returns the largest scaled component of D(x,d), or a negative number if a step fails. */
static real fourth_difference(const struct path *path, real x, real d)
{
  static const int weights[] = {1, -4, 6, -4, 1};
  struct shk_contract *const c = path->contract;
  const struct shk_state *const to = &c->to, *const from = &c->from;
  real *const dq = c->scratch.q, *const dp = c->scratch.p, largest = 0;
  memset(dq, 0, 2 * (size_t)c->n * sizeof *dq);
  for (int k = 0; k < 5; k++) {
    if (!step_at(path, x + (k - 2) * d))
      return -1;
    for (int i = 0; i < c->n; i++) {
      dq[i] += weights[k] * ((to->q[i] - from->q[i]) + (to->q_carry[i] - from->q_carry[i]));
      dp[i] += weights[k] * ((to->p[i] - from->p[i]) + (to->p_carry[i] - from->p_carry[i]));
    }
  }
  for (int i = 0; i < c->n; i++)
    largest = real_max(largest, real_max(real_fabs(dq[i]) / c->map.q_scale[i],
                                         real_fabs(dp[i]) / c->map.p_scale[i]));
  return largest;
}

static void tell_contract_smooth(const struct path *path, real x, real size)
{
  if (path->of_momenta)
    shk_cell_contract_fault(
        path->contract, path->contract->h,
        "from %.4g times the initial momenta differs by %.2g from what its neighbours suggest: "
        "look for code that runs only at rest or at certain speeds",
        (double)x, (double)size);
  else
    shk_cell_contract_fault(path->contract, x,
                            "differs by %.2g from what its neighbours suggest: look for code that "
                            "runs only for certain lengths or only for one sign",
                            (double)size);
}

/* Halves the window [x-2d,x+2d] around x or, if `roams` is true, moves to the half with the larger
 * D. Stops when D decreases as it does for a smooth function, or at a fault, that is, if D
 * decreases by a factor of less than 2^power per halving over SPAN halvings. Returns false after a
 * fault, after a failed step, or if another solution was found. */
static bool look_into(const struct path *path, real x, real d, bool roams, real power)
{
  const struct shk_map *const map = &path->contract->map;
  const real least = real_pow(2, SPAN * power), scale = map->instance->time_scale;
  real D[HALVINGS + 1] = {fourth_difference(path, x, d)};
  for (int k = 1; k <= HALVINGS && D[k - 1] >= 0 && path->contract->faults == 0; k++) {
    d /= 2;
    const real shortest = path->of_momenta ? map->step : real_max(real_fabs(x) - 2 * d, d);
    const real noise = 16 * shk_map_rounding(map, shortest);
    const real level = (real)path->contract->claims.constraint_level;
    const real solve = real_max(real_sqrt(REAL_EPSILON), 16 * level * scale / shortest);
    D[k] = fourth_difference(path, roams ? x - 2 * d : x, d);
    if (roams) {
      const real other = fourth_difference(path, x + 2 * d, d);
      if (D[k] < 0 || other < 0)
        return false;
      x += D[k] >= other ? -2 * d : 2 * d;
      D[k] = real_max(D[k], other);
    }
    if (D[k] <= SHK_CONTRACT_FLOORS * noise || (roams && D[k - 1] >= FALL * D[k]))
      return true;
    if (k < SPAN || D[k - SPAN] >= least * D[k])
      continue;
    if (D[k] > ELSEWHERE && !path->of_momenta && LONG * x >= scale)
      return false;
    if (D[k] >= SHK_CONTRACT_FAR_ABOVE * noise && D[k] >= solve)
      tell_contract_smooth(path, x, D[k]);
  }
  return path->contract->faults == 0;
}

/* Tests step sizes from 10⁻⁸ time scales up to one time scale. */
static void look_at_lengths(const struct path *path)
{
  enum { BELOW = 22, PARTS = LONG };
  bool goes_on = true;
  real width = path->contract->bound.instance.time_scale / PARTS / (1L << BELOW);
  for (int k = 0; goes_on && k < BELOW; k++, width *= 2)
    goes_on = look_into(path, 3 * width / 2, width / 4, true, R(1.5));
  for (int k = 1; goes_on && k < PARTS; k++)
    goes_on = look_into(path, (k + R(0.5)) * width, width / 4, true, R(1.5));
}

/* Returns true if (q, x p) satisfies the hidden constraint for all x. */
static bool can_be_scaled(struct shk_contract *c)
{
  bool can = !(c->bound.instance.system.features &
               (SHK_RHEONOMIC | SHK_GENERAL_DAE | SHK_MOMENTUM_CONSTRAINT));
  struct shk_cell_contract_rows rows;
  shk_state_copy(&c->at, &c->from);
  for (int factor = 0; can && factor <= 2; factor += 2) {
    for (int i = 0; i < c->n; i++)
      c->at.p[i] = factor * c->from.p[i];
    can = shk_cell_contract_residuals(c, &rows, &c->at).code == SHK_OK &&
          rows.relative[1] <= real_sqrt(REAL_EPSILON);
  }
  return can;
}

/* Tests momenta multiplied by factors from -4 to 4. */
static void look_at_momenta(const struct path *path)
{
  enum { FASTEST = 4, PARTS = 2 };
  if (!can_be_scaled(path->contract))
    return;
  look_into(path, 0, R(1.0) / 64, false, R(1.5));
  for (int k = -FASTEST * PARTS; k < FASTEST * PARTS; k++)
    look_into(path, (k + R(0.5)) / PARTS, R(0.25) / PARTS, true, R(1.5));
}

struct shk_status shk_cell_contract_smooth(struct shk_contract *c)
{
  /* Adaptive methods, and methods that do not claim an order, do not solve their equations to
   * round-off, so their errors are not smooth. */
  if (c->adaptive || c->claims.order_q == SHK_NO_ORDER)
    return shk_ok();
  const int order = c->claims.order_q, exponent = order < 1 ? 1 : order < 3 ? order : 3;
  const real scale = c->bound.instance.time_scale;
  shk_state_copy(&c->from, &c->bound.start);
  look_at_momenta(&(struct path){c, true});
  /* Around zero, the test starts from a consistent state, because a step would project any other
   * state. */
  look_into(&(struct path){c, false}, 0, scale / 64, false, exponent + R(0.5));
  SHK_TRY(shk_cell_contract_move_away(c));
  look_at_lengths(&(struct path){c, false});
  return shk_ok();
}
