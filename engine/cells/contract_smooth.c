/*
 * Whether a step is a smooth function of its length and of the momenta it starts with: no other
 * method takes over above some length, below another, for negative ones, from rest or beyond some
 * speed. With F(x) where a step of length x leads, or one of an ordinary length from (q, x p), the
 * fourth differences
 *
 *     D(x,d) = F(x-2d) - 4 F(x-d) + 6 F(x) - 4 F(x+d) + F(x+2d)
 *
 * of a smooth F fall like d⁴, those across a jump not at all, across a kink like d. Windows of x
 * are halved, and the half followed whose D is the larger. Where lengths change their sign a method
 * of order p may be two, one the adjoint of the other, and fall like d^(p+1).
 *
 * What D is told from: its own rounding, 16 r (structure.h), and what solvers leave, half the
 * digits. At large steps the equations of implicit methods have other solutions, further away than
 * any fault is large; there nothing is said.
 */
#include "engine/cells/contract.h"

#include <stdio.h>
#include <stdlib.h>

/* As for structure (harness/analysis/families/verdict.h); what is so far away is another
 * solution. */
#define FLOORS 1000
#define FAR_ABOVE 1000000
#define ELSEWHERE R(0.05)
/* Halvings of a window; those over which D must not fall as it should, since it differs by factors
 * of three with the place of a jump in the window; a fall that no jump has. */
enum { HALVINGS = 16, SPAN = 6, FALL = 4 };
/* Of the time scale, from where on other solutions are met. */
enum { LONG = 16 };

struct path {
  struct shk_contract *contract;
  struct shk_state *from, *begin, *to;
  bool of_momenta; /* x is a factor of p; else a length */
  real *sum;       /* 2n */
  char fault[240];
};

static bool step_at(struct path *path, real x)
{
  const struct shk_contract *const c = path->contract;
  shk_state_copy(path->begin, path->from);
  for (int i = 0; path->of_momenta && i < path->begin->n; i++) {
    path->begin->p[i] *= x;
    path->begin->p_carry[i] *= x;
  }
  if (!path->of_momenta && x == 0)
    shk_state_copy(path->to, path->begin);
  else
    return shk_contract_step(c, path->to, path->begin, path->of_momenta ? c->h : x).code == SHK_OK;
  return true;
}

/* The largest of D(x,d), scaled; negative if a step fails. */
static real fourth_difference(struct path *path, real x, real d)
{
  static const int weights[] = {1, -4, 6, -4, 1};
  const struct shk_map map = shk_contract_map(path->contract);
  const struct shk_state *const to = path->to, *const from = path->from;
  const int n = to->n;
  real *const dq = path->sum, *const dp = path->sum + n, q_scale, p_scale;
  for (int i = 0; i < 2 * n; i++)
    path->sum[i] = 0;
  for (int k = 0; k < 5; k++) {
    if (!step_at(path, x + (k - 2) * d))
      return -1;
    for (int i = 0; i < n; i++) {
      dq[i] += weights[k] * ((to->q[i] - from->q[i]) + (to->q_carry[i] - from->q_carry[i]));
      dp[i] += weights[k] * ((to->p[i] - from->p[i]) + (to->p_carry[i] - from->p_carry[i]));
    }
  }
  shk_map_scales(&map, &q_scale, &p_scale);
  return real_max(real_max_norm(dq, n) / q_scale, real_max_norm(dp, n) / p_scale);
}

static real rounding_at(const struct path *path, real x, real d)
{
  const struct shk_map map = shk_contract_map(path->contract);
  const real least = real_max(real_fabs(x) - 2 * d, d);
  return 16 * shk_map_rounding(&map, path->of_momenta ? path->contract->h : least);
}

static void tell(struct path *path, real x, real size)
{
  const struct shk_contract *const c = path->contract;
  const double scale = (double)c->bound.instance.time_scale;
  if (path->of_momenta)
    snprintf(path->fault, sizeof path->fault,
             "a step of %.3g (time scale %.3g) from %.4g times the momenta of the start is %.2g "
             "away from where its neighbours lead: look for what is done from rest or at some "
             "speeds only",
             (double)c->h, scale, (double)x, (double)size);
  else
    snprintf(path->fault, sizeof path->fault,
             "a step of %.3g (%.4g of the time scale) is %.2g away from where its neighbours lead: "
             "look for what is done at some lengths only, or with one sign",
             (double)x, (double)x / scale, (double)size);
}

static bool is_long(const struct path *path, real x)
{
  return !path->of_momenta && LONG * x >= path->contract->bound.instance.time_scale;
}

/* Halves the window [x-2d,x+2d], or what is around x unless it may roam, until D shows what it is.
 * A fall of less than 2^power each time is no smooth one. False where a step fails or leads
 * elsewhere. */
static bool look_into(struct path *path, real x, real d, bool roams, real power)
{
  const real least = real_pow(2, SPAN * power);
  real D[HALVINGS + 1] = {fourth_difference(path, x, d)};
  for (int k = 1; k <= HALVINGS && D[k - 1] >= 0 && path->fault[0] == '\0'; k++) {
    const real noise = rounding_at(path, x, d /= 2);
    D[k] = fourth_difference(path, roams ? x - 2 * d : x, d);
    if (roams) {
      const real other = fourth_difference(path, x + 2 * d, d);
      if (D[k] < 0 || other < 0)
        return false;
      x += D[k] >= other ? -2 * d : 2 * d;
      D[k] = real_max(D[k], other);
    }
    if (D[k] <= FLOORS * noise || (roams && D[k - 1] >= FALL * D[k]))
      return true;
    if (k < SPAN || D[k - SPAN] >= least * D[k])
      continue;
    if (D[k] > ELSEWHERE && is_long(path, x))
      return false;
    if (D[k] >= FAR_ABOVE * noise && D[k] >= real_sqrt(REAL_EPSILON))
      tell(path, x, D[k]);
  }
  return path->fault[0] == '\0';
}

/* Through zero; from a consistent state, since others are left at once. */
static void look_at_signs(struct path *path)
{
  const int order = path->contract->claims.order_q;
  path->of_momenta = false;
  look_into(path, 0, path->contract->bound.instance.time_scale / 64, false,
            (order < 1   ? 1
             : order < 3 ? order
                         : 3) +
                R(0.5));
}

/* From a hundred-millionth of the time scale to all of it. */
static void look_at_lengths(struct path *path)
{
  enum { BELOW = 22, PARTS = LONG };
  const real scale = path->contract->bound.instance.time_scale;
  bool goes_on = true;
  path->of_momenta = false;
  real width = scale / PARTS / (1L << BELOW);
  for (int k = 0; goes_on && k < BELOW; k++, width *= 2)
    goes_on = look_into(path, 3 * width / 2, width / 4, true, R(1.5));
  for (int k = 1; goes_on && k < PARTS; k++)
    goes_on = look_into(path, (k + R(0.5)) * width, width / 4, true, R(1.5));
}

/* Whether (q, x p) is on the hidden constraint for any x. */
static bool can_be_scaled(struct path *path)
{
  struct shk_bound *const bound = &path->contract->bound;
  const int m = path->from->m;
  real *const residuals = path->sum;
  path->of_momenta = true;
  if (bound->instance.system.features & (SHK_RHEONOMIC | SHK_GENERAL_DAE | SHK_MOMENTUM_CONSTRAINT))
    return false;
  for (int factor = 0; factor <= 2; factor += 2) {
    for (int i = 0; i < path->from->n; i++)
      path->begin->p[i] = factor * path->from->p[i];
    if (shk_manifold_residuals(bound->manifold, residuals, residuals + m, path->from->t,
                               path->from->q, path->begin->p)
            .code != SHK_OK)
      return false;
    const real size = 1 + real_max_norm(path->from->p, path->from->n);
    if (real_max_norm(residuals + m, m) > real_sqrt(REAL_EPSILON) * size)
      return false;
  }
  return true;
}

/* From four times the momenta, reversed, to as much as they are. */
static void look_at_momenta(struct path *path)
{
  enum { FASTEST = 4, PARTS = 2 };
  if (!can_be_scaled(path))
    return;
  look_into(path, 0, R(1.0) / 64, false, R(1.5));
  for (int k = -FASTEST * PARTS; k < FASTEST * PARTS; k++)
    look_into(path, (k + R(0.5)) / PARTS, R(0.25) / PARTS, true, R(1.5));
}

static void add(struct path *path, const char *what)
{
  shk_checks_add(path->contract->checks, "smooth", what, path->fault[0] ? path->fault : NULL);
  path->fault[0] = '\0';
}

static struct shk_status look(struct path *path)
{
  enum { AWAY = 20 }; /* steps to the other state */
  struct shk_contract *const c = path->contract;
  shk_state_copy(path->from, &c->bound.start);
  look_at_momenta(path);
  add(path, "in the momenta");
  look_at_signs(path);
  add(path, "where the step changes its sign");
  for (int k = 0; k < AWAY; k++) {
    SHK_TRY(shk_contract_step(c, path->to, path->from, c->h));
    shk_state_copy(path->from, path->to);
  }
  look_at_lengths(path);
  add(path, "in the step");
  return shk_ok();
}

struct shk_status shk_contract_smooth(struct shk_contract *contract)
{
  const int n = contract->bound.start.n, m = contract->bound.start.m;
  struct shk_state *const states = contract->states;
  struct path path = {
      .contract = contract, .from = &states[0], .begin = &states[1], .to = &states[2]};
  /* What is not solved for to round-off leaves what it leaves. */
  if (contract->bound.integrator->info.adaptive || contract->claims.order_q == SHK_NO_ORDER)
    return shk_ok();
  path.sum = calloc(2 * (size_t)(n > m ? n : m) + 1, sizeof *path.sum);
  const struct shk_status status = path.sum ? look(&path) : shk_no_memory();
  free(path.sum);
  return status;
}
