/* The step in lanes. See verlet_kernel.h; the equations and the order of their operations are those of
 * stormer_verlet.c, impulse.h and mechanics/solvers/kit/. */
#include "integrators/kit/verlet_lanes.h"
#include "mechanics/algebra/vectors_name.h"
#include "mechanics/solvers/kit/stopping.h"

#include <stdint.h>

/* Constraints and Jacobians of the lanes that go on. */
INLINED void look(struct shk_verlet_lanes *w, struct lanes *progress, int m)
{
  const unsigned open = going(progress);
  real *places[SIMD_LANES];
  for (int k = 0; k < SIMD_LANES; k++)
    places[k] = w->room[k].q1;
  if (SIMD_LANES > 1)
    rows_of(places, w->to.q, w->n);
  for (int k = 0; k < w->count; k++)
    if (open >> k & 1) {
      w->room[k].counts.positions = (int)progress->count;
      call(w, progress, k, w->room[k].system->constraint, w->room[k].g,
           &w->room[k].counts.constraints);
      call(w, progress, k, w->room[k].system->jacobian, w->lanes[k].G1,
           &w->room[k].counts.jacobians);
    }
  COLUMNS(w->residual, m, w->room[k].g);
  COLUMNS(w->G1, w->entries, w->lanes[k < w->count ? k : 0].G1);
}

/* The second half of the kick of the forces, and g_t. */
INLINED simd_mask take_gradients(struct shk_verlet_lanes *w, simd_mask left)
{
  struct lanes progress = {.left = left};
  const unsigned open = going(&progress);
  for (int k = 0; k < w->count; k++) {
    if ((open >> k & 1) == 0)
      continue;
    if (w->forces)
      call(w, &progress, k, w->room[k].system->gradient, w->lanes[k].end_gradient,
           &w->room[k].counts.gradients);
    if (w->rates)
      call(w, &progress, k, w->room[k].system->constraint_rate, w->room[k].rate,
           &w->room[k].counts.rates);
  }
  if (w->rates)
    COLUMNS(w->rate, w->m, w->room[k].rate);
  if (w->forces)
    COLUMNS(w->gradient1, w->n, w->lanes[k < w->count ? k : 0].end_gradient);
  for (int i = 0; w->forces && i < w->n; i++)
    w->dp[i] += -w->half * w->gradient1[i];
  return progress.left;
}

/* ---- the position stage ---- */

INLINED simd rounding_of_positions(const struct shk_verlet_lanes *w, int m)
{
  simd size[N];
  for (int i = 0; i < w->n; i++)
    size[i] = simd_abs(w->from.q[i]) +
              (w->moving ? simd_abs(over_mass(w, w->h * w->from.p[i], i)) : simd_all(0));
  return rounding(w, w->G0, size, m);
}

INLINED void move(struct shk_verlet_lanes *w, int m)
{
  const struct lanes_state *const from = &w->from, *const to = &w->to;
  for (int i = 0; i < w->n; i++)
    w->dp[i] = w->forces ? -w->half * w->gradient0[i] : simd_all(0);
  add_transposed(w, w->dp, w->G0, -w->half, to->lambda, simd_none(), m);
  for (int i = 0; i < w->n; i++) {
    const simd p = from->p[i] + (w->dp[i] + from->p_carry[i]);
    accumulate(&to->q[i], &to->q_carry[i], from->q[i], from->q_carry[i], w->h * over_mass(w, p, i));
  }
}

INLINED simd_mask solve_positions(struct shk_verlet_lanes *w, simd_mask left, int m)
{
  struct lanes progress = {w->iteration, &shk_position_rule, .left = left};
  const bool to_tolerance = w->iteration->tolerance > 0;
  const simd per_correction = simd_all(w->h * w->half);
  progress.rounding =
      to_tolerance ? simd_all(w->iteration->tolerance) : rounding_of_positions(w, m);
  for (int i = 0; i < m; i++)
    w->to.lambda[i] = w->from.lambda[i];
  for (;; progress.count++) {
    move(w, m);
    look(w, &progress, m);
    if (shk_lanes_end(&progress, shk_lanes_norm(w->residual, m), to_tolerance))
      return progress.left;
    factor(w, &progress, w->G1, w->G0, m);
    lanes_lu_solve(w->residual, w->matrix, w->swaps, m);
    for (int i = 0; i < m; i++) {
      simd *const lambda = &w->to.lambda[i];
      *lambda = simd_choose(progress.done, *lambda, *lambda + w->residual[i] / per_correction);
    }
  }
}

/* ---- the momentum stage ---- */

INLINED void kick(struct shk_verlet_lanes *w)
{
  const struct lanes_state *const from = &w->from, *const to = &w->to;
  for (int i = 0; i < w->n; i++) {
    accumulate(&to->p[i], &to->p_carry[i], from->p[i], from->p_carry[i], w->dp[i]);
    w->velocity[i] = over_mass(w, to->p[i], i);
  }
}

/* The residual G1 v + g_t, and its rounding. */
INLINED void look_at_momenta(struct shk_verlet_lanes *w, struct lanes *progress, int m)
{
  const unsigned open = going(progress);
  simd size[N];
  for (int k = 0; k < w->count; k++)
    if (open >> k & 1)
      w->room[k].counts.hiddens = (int)progress->count;
  for (int i = 0; i < m; i++) {
    simd sum = simd_all(0);
    for (int k = w->row_start[i]; k < w->row_start[i + 1]; k++)
      sum += w->G1[k] * w->velocity[w->columns[k]];
    w->residual[i] = (w->rates ? w->rate[i] : simd_all(0)) + sum;
  }
  for (int i = 0; i < w->n; i++)
    size[i] = simd_abs(w->velocity[i]) + simd_abs(over_mass(w, w->dp[i], i));
  progress->rounding = simd_max(progress->rounding, rounding(w, w->G1, size, m));
}

INLINED simd_mask solve_hidden(struct shk_verlet_lanes *w, simd_mask left, int m)
{
  struct lanes progress = {w->iteration, &shk_hidden_rule, .left = left};
  for (int i = 0; i < m; i++)
    w->to.mu[i] = simd_all(0);
  for (;; progress.count++) {
    kick(w);
    if (!w->hidden)
      return left;
    look_at_momenta(w, &progress, m);
    if (shk_lanes_end(&progress, shk_lanes_norm(w->residual, m), false))
      return progress.left;
    if (progress.count == 0)
      factor(w, &progress, w->G1, w->G1, m);
    lanes_lu_solve(w->residual, w->matrix, w->swaps, m);
    for (int i = 0; i < m; i++) {
      w->residual[i] /= simd_all(w->half);
      w->to.mu[i] = simd_choose(progress.done, w->to.mu[i], w->to.mu[i] + w->residual[i]);
    }
    add_transposed(w, w->dp, w->G1, -w->half, w->residual, progress.done, m);
  }
}

/* ---- the work of the constraint's kicks, as shk_kick_work has it ---- */

INLINED simd kick_work(struct shk_verlet_lanes *w, const simd *G, const simd *multiplier,
                       const simd *p, real sign, int m)
{
  simd impulse[N], sum = simd_all(0);
  for (int i = 0; i < w->n; i++)
    impulse[i] = simd_all(0);
  add_transposed(w, impulse, G, -w->half, multiplier, simd_none(), m);
  for (int i = 0; i < w->n; i++)
    sum += over_mass(w, impulse[i] * (p[i] + p[i] + sign * impulse[i]), i);
  return sum / 2;
}

INLINED simd work_of_kicks(struct shk_verlet_lanes *w, int m)
{
  simd_mask none = simd_true();
  for (int i = 0; i < m; i++)
    none &= simd_at_most(simd_abs(w->to.mu[i]), simd_all(0));
  return kick_work(w, w->G0, w->to.lambda, w->from.p, 1, m) +
         simd_choose(none, simd_all(0), kick_work(w, w->G1, w->to.mu, w->to.p, -1, m));
}

/* ---- the step ---- */

INLINED void load(simd *x, int lane, const real *from, int count)
{
  for (int i = 0; i < count; i++)
    simd_set(&x[i], lane, from[i]);
}

INLINED void take_state(struct lanes_state *s, const struct shk_state *state)
{
  s->q = (simd *)state->q;
  s->p = (simd *)state->p;
  s->q_carry = (simd *)state->q_carry;
  s->p_carry = (simd *)state->p_carry;
  s->lambda = (simd *)state->lambda;
  s->mu = (simd *)state->mu;
}

/* Of a single lane all vectors are the arrays of the step. */
INLINED simd_mask take_arrays(struct shk_verlet_lanes *w)
{
  const struct shk_verlet_lane *const lane = &w->lanes[0];
  w->G0 = (simd *)lane->G0;
  w->G1 = (simd *)lane->G1;
  w->gradient0 = (simd *)lane->gradient;
  w->gradient1 = (simd *)lane->end_gradient;
  take_state(&w->from, lane->from);
  take_state(&w->to, lane->to);
  w->room[0].t1 = lane->from->t + w->h;
  w->room[0].q1 = lane->to->q;
  return simd_none();
}

/* Exchanges what the last step ended with for what this begins with, and loads the rest. Returns the
 * lanes without a step. */
INLINED simd_mask begin(struct shk_verlet_lanes *w)
{
  simd *const G0 = w->G0, *const gradient0 = w->gradient0;
  const real *states[SIMD_LANES];
  simd_mask there = simd_none();
  if (SIMD_LANES == 1)
    return take_arrays(w);
  w->G0 = w->G1;
  w->G1 = G0;
  w->gradient0 = w->gradient1;
  w->gradient1 = gradient0;
  for (int k = 0; k < SIMD_LANES; k++) {
    const struct shk_verlet_lane *const lane = &w->lanes[k < w->count ? k : 0];
    states[k] = lane->from->q;
    w->room[k].t1 = lane->from->t + w->h;
    if (k >= w->count || !lane->to)
      continue;
    simd_mark(&there, k);
    if (!lane->G0_stays)
      load(w->G0, k, lane->G0, w->entries);
    if (w->forces && !lane->gradient_stays)
      load(w->gradient0, k, lane->gradient, w->n);
  }
  columns_of(w->from.all, states, 4 * w->n + w->m);
  return ~there;
}

static void count_work(struct shk_work *work, const struct lane_counts *counts)
{
  work->gradient += counts->gradients;
  work->constraint += counts->constraints;
  work->jacobian += counts->jacobians;
  work->factorizations += counts->positions + (counts->hiddens > 0);
  work->iterations += counts->positions + counts->hiddens;
}

INLINED void end(struct shk_verlet_lanes *w, unsigned made, int m)
{
  const simd work = w->lanes[0].work ? work_of_kicks(w, m) : simd_all(0);
  real *states[SIMD_LANES];
  for (int k = 0; k < SIMD_LANES; k++)
    states[k] = k < w->count && (made >> k & 1) ? w->lanes[k].to->q : w->nowhere;
  if (SIMD_LANES > 1)
    rows_of(states, w->to.all, 4 * w->n + 2 * m);
  for (int k = 0; k < w->count; k++) {
    struct shk_verlet_lane *const lane = &w->lanes[k];
    if (!lane->to)
      continue;
    lane->done = (made >> k & 1) || lane->status.code != SHK_OK;
    if (lane->done)
      count_work(&lane->evaluator->work, &w->room[k].counts);
    if ((made >> k & 1) && lane->work)
      *lane->work += simd_get(work, k);
  }
}

INLINED void step_of(struct shk_verlet_lanes *w, struct shk_verlet_lane *lanes, real h, int m)
{
  w->lanes = lanes;
  w->h = h;
  w->half = h / 2;
  for (int k = 0; k < w->count; k++)
    w->room[k].counts = (struct lane_counts){0};
  simd_mask left = begin(w);
  left = solve_positions(w, left, m);
  left = take_gradients(w, left);
  left = solve_hidden(w, left, m);
  end(w, simd_bits(~left), m);
}

/* Few constraints are compiled for their number, which is most of the gain of a lane alone. */
static void step(struct shk_verlet_lanes *w, struct shk_verlet_lane *lanes, real h)
{
  if (w->m == 2)
    step_of(w, lanes, h, 2);
  else if (SIMD_LANES == 1 && w->m == 3)
    step_of(w, lanes, h, 3);
  else if (SIMD_LANES == 1)
    step_of(w, lanes, h, SHK_LANES_ALONE);
  else if (w->m == 1)
    step_of(w, lanes, h, 1);
  else
    step_of(w, lanes, h, w->m);
}

/* ---- creation ---- */

/* The first place in memory that is aligned for vectors. */
static void *aligned(void *memory)
{
  const uintptr_t wide = sizeof(simd);
  return (void *)(((uintptr_t)memory + wide - 1) / wide * wide);
}

static void arrange(struct lanes_state *s, int n, int m)
{
  s->q = s->all;
  s->p = s->q + n;
  s->q_carry = s->p + n;
  s->p_carry = s->q_carry + n;
  s->lambda = s->p_carry + n;
  s->mu = s->lambda + m;
}

static void weigh(struct shk_verlet_lanes *w, const struct shk_verlet_lane *lanes)
{
  w->exact = true;
  for (int k = 0; k < w->count; k++)
    w->exact = w->exact && lanes[k].evaluator->inverse_mass;
  for (int k = 0; k < SIMD_LANES; k++) {
    const struct shk_evaluator *const e = lanes[k < w->count ? k : 0].evaluator;
    load(w->weight, k, w->exact ? e->inverse_mass : e->system->mass, w->n);
  }
}

/* Lists the products of G_a M⁻¹ G_bᵀ in the order of their columns. */
static void list_products(struct shk_verlet_lanes *w)
{
  int count = 0;
  for (int i = 0; i < w->m; i++)
    for (int j = 0; j < w->m; j++) {
      w->product_start[i * w->m + j] = count;
      for (int a = w->row_start[i]; a < w->row_start[i + 1]; a++)
        for (int b = w->row_start[j]; b < w->row_start[j + 1]; b++)
          if (w->columns[a] == w->columns[b])
            w->product[count++] = (struct product){(unsigned char)a, (unsigned char)b};
    }
  w->product_start[w->m * w->m] = count;
}

static struct shk_status create(struct shk_verlet_lanes **made, struct shk_workspace *workspace,
                                const struct shk_verlet_lane *lanes, int count,
                                const struct shk_iteration *iteration, bool hidden)
{
  void *const memory = shk_memory(workspace, sizeof(struct shk_verlet_lanes) + sizeof(simd));
  if (!memory)
    return shk_no_memory();
  struct shk_verlet_lanes *const w = *made = aligned(memory);
  const struct shk_evaluator *const e = lanes[0].evaluator;
  w->n = e->system->n;
  w->m = e->system->m;
  w->entries = e->row_start[w->m];
  w->count = count;
  w->row_start = e->row_start;
  w->columns = e->columns;
  w->iteration = iteration;
  w->hidden = hidden;
  w->forces = e->system->gradient != NULL;
  w->moving = (e->system->features & SHK_RHEONOMIC) != 0;
  w->rates = hidden && e->system->constraint_rate != NULL;
  w->G0 = w->jacobians[0];
  w->G1 = w->jacobians[1];
  w->gradient0 = w->gradients[0];
  w->gradient1 = w->gradients[1];
  arrange(&w->from, w->n, w->m);
  arrange(&w->to, w->n, w->m);
  weigh(w, lanes);
  list_products(w);
  for (int k = 0; k < SIMD_LANES; k++) {
    struct lane_room *const room = &w->room[k];
    room->system = lanes[k < count ? k : 0].evaluator->system;
    room->q1 = room->memory;
    room->g = SIMD_LANES > 1 ? room->memory + N : (real *)w->residual;
    room->rate = SIMD_LANES > 1 ? room->memory + N + M : (real *)w->rate;
  }
  return shk_ok();
}

#define shk_own_verlet_kernel SHK_VECTORS_NAME(shk_own_verlet_kernel)
extern const struct shk_verlet_kernel shk_own_verlet_kernel;
const struct shk_verlet_kernel shk_own_verlet_kernel = {
    .lanes = SIMD_LANES, .create = create, .step = step};
