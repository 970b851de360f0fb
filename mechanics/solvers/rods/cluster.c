/*
 * The position and the hidden solve of a batch of clusters. See cluster.h.
 *
 * With d_i = r_b - r_a along rod i at q, d'_i at q1, and w_ij = Σ ±1/m over the points that rods i
 * and j share (+ if both begin or both end there),
 *
 *     position   lambda += K⁻¹ g(q1) / (drift kick),    K_ij = w_ij d'_i·d_j
 *     hidden     mu     += A⁻¹ (G1 v) / kick,           A_ij = w_ij d'_i·d'_j
 *
 * K and A are small, A positive definite and K near it: they are factored without pivoting. After
 * an iterate that is worse than the last, a pivot that is round-off, or anything else out of the
 * ordinary, the cluster is solved again from the start, with pivoting and the full stopping rule.
 * Which clusters share a batch therefore does not affect any of them.
 *
 * Triangles in space (water) have a solve of their own: cluster_triangle.h.
 */
#include "mechanics/solvers/rods/cluster.h"

#include "mechanics/algebra/factorizations/block.h"
#include "mechanics/solvers/kit/stopping.h"
#include "mechanics/solvers/rods/cluster_parts.h"

/* The factors of either kind of solve. */
struct matrix {
  simd K[RODS * RODS];
  /* Alone: lane 0, factored with pivoting. */
  real factors[RODS * RODS], diagonal[RODS], x[RODS];
  int pivots[RODS];
};

static bool factor_pivoted(struct matrix *a, int rods)
{
  for (int i = 0; i < rods * rods; i++)
    a->factors[i] = simd_get(a->K[i], 0);
  for (int i = 0; i < rods; i++)
    a->diagonal[i] = a->factors[i * (rods + 1)];
  return shk_lu_factor(a->factors, a->pivots, rods) &&
         shk_lu_is_regular(a->factors, a->pivots, a->diagonal, rods);
}

static void substitute_pivoted(simd *x, struct matrix *a, int rods)
{
  for (int i = 0; i < rods; i++)
    a->x[i] = simd_get(x[i], 0);
  shk_lu_solve(a->x, a->factors, a->pivots, rods);
  for (int i = 0; i < rods; i++)
    x[i] = simd_all(a->x[i]);
}

/* ---- when a lane ends ---- */

struct progress {
  const struct shk_cluster_run *run;
  struct lanes lanes;
  struct shk_status status;
};

/* Lane 0 alone. */
static bool ends_alone(struct progress *p, simd residual)
{
  p->status = shk_iteration_next(p->run->iteration, simd_get(residual, 0));
  return p->run->iteration->converged || p->status.code != SHK_OK;
}

/* x <- K⁻¹ x, with the factors of K or, if it is `fresh`, factoring it first. */
INLINED void solve(struct progress *p, struct matrix *a, simd *x, int rods, bool alone, bool fresh,
                   int row)
{
  if (!alone) {
    if (fresh)
      shk_lanes_leave(&p->lanes, simd_less(simd_all(0), factor_plainly(a->K, rods)));
    substitute_plainly(x, a->K, rods);
  } else if (fresh && !factor_pivoted(a, rods)) {
    p->status = shk_block_singular(row);
  } else {
    substitute_pivoted(x, a, rods);
  }
}

/* x <- better, but for lanes that are done. */
INLINED void replace(simd *x, simd better, const struct progress *p)
{
  *x = simd_choose(p->lanes.done, *x, better);
}

INLINED struct shk_cluster_end end_of(const struct progress *p, bool alone)
{
  return (struct shk_cluster_end){.iterations = p->lanes.count,
                                  .solved = alone ? SIMD_ALL : simd_bits(p->lanes.done),
                                  .status = p->status};
}

/* ---- the position solve ---- */

struct position {
  const struct shk_cluster_shape *shape;
  simd factor; /* |drift kick| */
  simd lambda[RODS], inverse_mass[SHK_CLUSTER_POINTS];
  simd q[COORDINATES], d0[COMPONENTS]; /* q, and the vectors along the rods at which lambda acts */
};

/* max_i Σ_k |G_ik| |q_k| */
INLINED simd size_of_positions(const struct shk_cluster_shape *s, const struct position *w)
{
  simd result = simd_all(REAL_SMALLEST / REAL_EPSILON);
  for (int i = 0; i < s->rods; i++) {
    simd sum = simd_all(0);
    for (int k = 0; k < s->dimension; k++) {
      simd size = simd_abs(w->q[s->b[i] * s->dimension + k]);
      if (s->a[i] < s->moving)
        size += simd_abs(w->q[s->a[i] * s->dimension + k]);
      sum += simd_abs(w->d0[i * s->dimension + k]) * size;
    }
    result = simd_max(result, sum);
  }
  return result;
}

/* max_i Σ_k |G_ik| |drift kick|/m_k Σ_j |G_jk lambda_j| */
static simd size_of_pulls(const struct shk_cluster_shape *s, const struct position *w)
{
  simd terms[COORDINATES], result = simd_all(0);
  for (int c = 0; c < s->points * s->dimension; c++)
    terms[c] = simd_all(0);
  for (int i = 0; i < s->rods; i++)
    for (int k = 0; k < s->dimension; k++) {
      const simd pull = simd_abs(w->d0[i * s->dimension + k] * w->lambda[i]);
      terms[s->a[i] * s->dimension + k] += pull;
      terms[s->b[i] * s->dimension + k] += pull;
    }
  for (int i = 0; i < s->rods; i++) {
    simd sum = simd_all(0);
    for (int k = 0; k < s->dimension; k++) {
      simd moved = terms[s->b[i] * s->dimension + k] * w->inverse_mass[s->b[i]];
      if (s->a[i] < s->moving)
        moved += terms[s->a[i] * s->dimension + k] * w->inverse_mass[s->a[i]];
      sum += simd_abs(w->d0[i * s->dimension + k]) * (w->factor * moved);
    }
    result = simd_max(result, sum);
  }
  return result;
}

static real rounding_of_positions(void *user, bool cancelled)
{
  const struct position *w = user;
  return simd_get(cancelled ? size_of_pulls(w->shape, w) : size_of_positions(w->shape, w), 0);
}

INLINED struct shk_cluster_end solve_position(const struct shk_cluster_run *run,
                                              const struct shk_cluster_shape *s,
                                              const struct shk_cluster_batch *b,
                                              const struct shk_position_solve *task, bool alone)
{
  const int dimension = s->dimension;
  const simd kick = simd_all(task->kick), drift = simd_all(task->drift);
  const simd correction = simd_all(1 / (task->drift * task->kick));
  struct position w;
  struct progress progress = {.run = run, .lanes = {run->iteration, &shk_position_rule}};
  simd q_carry[COORDINATES], p[COORDINATES], p_carry[COORDINATES], free[COORDINATES];
  simd dp[COORDINATES], p1[COORDINATES], q1[COORDINATES], d1[COMPONENTS];
  simd pull[RODS], g[RODS], reach[SHK_CLUSTER_POINTS];
  struct matrix a;
  gather(w.q, s, b->point, task->q, 0, s->moving);
  gather(w.q, s, b->point, run->evaluator->system->rods->fixed, s->moving, s->points);
  gather(q_carry, s, b->point, task->q_carry, 0, s->moving);
  gather(p, s, b->point, task->p, 0, s->moving);
  gather(p_carry, s, b->point, task->p_carry, 0, s->moving);
  if (task->dp_free)
    gather(free, s, b->point, task->dp_free, 0, s->moving);
  for (int c = 0; c < s->moving * dimension && !task->dp_free; c++)
    free[c] = simd_all(0);
  gather_rows(w.lambda, s->rods, b->row, task->lambda);
  for (int i = 0; i < s->moving; i++) {
    w.inverse_mass[i] = simd_load(b->inverse_mass + i * SIMD_LANES);
    reach[i] = drift * w.inverse_mass[i];
  }
  for (int i = s->moving * dimension; i < s->points * dimension; i++)
    q1[i] = w.q[i];
  if (!task->G_b)
    along(w.d0, s, w.q);
  else
    read_jacobian(w.d0, s, run, b, task->G_b);
  w.factor = simd_abs(drift * kick);
  if (alone) {
    w.shape = s;
    shk_iteration_begin_estimated(run->iteration, &shk_position_rule, rounding_of_positions, &w);
  }
  const bool to_tolerance = run->iteration->tolerance > 0;
  if (!alone)
    progress.lanes.rounding = to_tolerance ? simd_all(run->iteration->tolerance)
                                           : simd_all(REAL_EPSILON) * size_of_positions(s, &w);

  for (;; progress.lanes.count++) {
    for (int i = 0; i < s->rods; i++)
      pull[i] = kick * w.lambda[i];
    for (int i = 0; i < s->moving; i++)
      for (int k = 0; k < dimension; k++) {
        const int c = i * dimension + k;
        dp[c] = free[c];
        for (int j = 0; j < s->rods; j++)
          if (s->a[j] == i)
            dp[c] += w.d0[j * dimension + k] * pull[j];
          else if (s->b[j] == i)
            dp[c] -= w.d0[j * dimension + k] * pull[j];
        p1[c] = p[c] + (dp[c] + p_carry[c]);
        q1[c] = w.q[c] + (reach[i] * p1[c] + q_carry[c]);
      }
    along(d1, s, q1);
    for (int i = 0; i < s->rods; i++) {
      const simd square = simd_load(b->square + i * SIMD_LANES);
      g[i] = (dot(d1 + i * dimension, d1 + i * dimension, dimension) - square) * simd_all(R(0.5));
    }
    const simd residual = shk_lanes_norm(g, s->rods);
    if (alone ? ends_alone(&progress, residual)
              : shk_lanes_end(&progress.lanes, residual, to_tolerance))
      break;
    assemble(a.K, s, w.inverse_mass, d1, w.d0);
    solve(&progress, &a, g, s->rods, alone, true, b->row[0]);
    if (progress.status.code != SHK_OK)
      break;
    for (int i = 0; i < s->rods; i++)
      replace(&w.lambda[i], w.lambda[i] + g[i] * correction, &progress);
  }
  const struct shk_cluster_end end = end_of(&progress, alone);
  if (end.status.code != SHK_OK)
    return end;
  for (int c = 0; c < s->moving * dimension; c++) { /* as real_accumulate has it */
    const simd y = reach[c / dimension] * p1[c] + q_carry[c];
    const simd part = q1[c] - w.q[c];
    q_carry[c] = (w.q[c] - (q1[c] - part)) + (y - part);
  }
  for (int lane = -1; lane < SIMD_LANES; lane++) { /* -1: all at once */
    if (lane < 0 ? end.solved != SIMD_ALL : (end.solved >> lane & 1) == 0)
      continue;
    scatter(task->dp, s, b->point, lane, dp);
    if (task->p1)
      scatter(task->p1, s, b->point, lane, p1);
    scatter(task->q1, s, b->point, lane, q1);
    scatter(task->q1_carry, s, b->point, lane, q_carry);
    scatter_rows(task->lambda, s->rods, b->row, lane, w.lambda);
    if (task->G1)
      write_jacobian(task->G1, s, run, b, lane, d1);
    if (lane < 0)
      break;
  }
  return end;
}

/* ---- the hidden solve ---- */

struct hidden {
  const struct shk_cluster_shape *shape;
  simd inverse_mass[SHK_CLUSTER_POINTS];
  simd d[COMPONENTS], v[COORDINATES], dp[COORDINATES];
};

/* max_i Σ_k |G_ik| (|v_k| + |dp_k|/m_k) */
INLINED simd size_of_velocities(const struct shk_cluster_shape *s, const struct hidden *w)
{
  simd size[COORDINATES], result = simd_all(REAL_SMALLEST / REAL_EPSILON);
  for (int c = 0; c < s->moving * s->dimension; c++)
    size[c] = simd_abs(w->v[c]) + simd_abs(w->dp[c] * w->inverse_mass[c / s->dimension]);
  for (int i = 0; i < s->rods; i++) {
    simd sum = simd_all(0);
    for (int k = 0; k < s->dimension; k++) {
      simd both = size[s->b[i] * s->dimension + k];
      if (s->a[i] < s->moving)
        both += size[s->a[i] * s->dimension + k];
      sum += simd_abs(w->d[i * s->dimension + k]) * both;
    }
    result = simd_max(result, sum);
  }
  return result;
}

static real rounding_of_momenta(void *user, bool cancelled)
{
  (void)cancelled; /* velocities of separable systems have no terms that cancel */
  const struct hidden *w = user;
  return simd_get(size_of_velocities(w->shape, w), 0);
}

INLINED struct shk_cluster_end solve_hidden(const struct shk_cluster_run *run,
                                            const struct shk_cluster_shape *s,
                                            const struct shk_cluster_batch *b,
                                            const struct shk_hidden_solve *task, bool alone)
{
  const int dimension = s->dimension;
  const simd per_kick = simd_all(1 / task->kick);
  struct hidden w;
  struct progress progress = {.run = run, .lanes = {run->iteration, &shk_hidden_rule}};
  simd p[COORDINATES], p_carry[COORDINATES], p1[COORDINATES];
  simd mu[RODS], r[RODS];
  struct matrix a;
  gather(p, s, b->point, task->p, 0, s->moving);
  gather(p_carry, s, b->point, task->p_carry, 0, s->moving);
  gather(w.dp, s, b->point, task->dp, 0, s->moving);
  for (int i = 0; i < s->moving; i++)
    w.inverse_mass[i] = simd_load(b->inverse_mass + i * SIMD_LANES);
  if (!task->G1) {
    simd q1[COORDINATES];
    gather(q1, s, b->point, task->q1, 0, s->moving);
    gather(q1, s, b->point, run->evaluator->system->rods->fixed, s->moving, s->points);
    along(w.d, s, q1);
  } else {
    read_jacobian(w.d, s, run, b, task->G1);
  }
  for (int i = 0; i < s->rods; i++)
    mu[i] = simd_all(0);
  for (int c = s->moving * dimension; c < s->points * dimension; c++)
    w.v[c] = simd_all(0);
  if (alone) {
    w.shape = s;
    shk_iteration_begin_estimated(run->iteration, &shk_hidden_rule, rounding_of_momenta, &w);
  }

  for (;; progress.lanes.count++) {
    for (int c = 0; c < s->moving * dimension; c++) {
      p1[c] = p[c] + (w.dp[c] + p_carry[c]);
      w.v[c] = p1[c] * w.inverse_mass[c / dimension];
    }
    for (int i = 0; i < s->rods; i++) {
      const simd *of_a = w.v + s->a[i] * dimension, *of_b = w.v + s->b[i] * dimension;
      r[i] = simd_all(0);
      for (int k = 0; k < dimension; k++)
        r[i] += w.d[i * dimension + k] * (of_b[k] - of_a[k]);
    }
    /* The first correction is always made: it is hardly ever unnecessary, and finding out costs
     * half as much. */
    const bool first = progress.lanes.count == 0;
    if (!alone && !first)
      progress.lanes.rounding =
          simd_max(progress.lanes.rounding, simd_all(REAL_EPSILON) * size_of_velocities(s, &w));
    const simd residual = shk_lanes_norm(r, s->rods);
    if (alone ? ends_alone(&progress, residual)
              : !first && shk_lanes_end(&progress.lanes, residual, false))
      break;
    if (first)
      assemble(a.K, s, w.inverse_mass, w.d, w.d);
    solve(&progress, &a, r, s->rods, alone, first, b->row[0]);
    if (progress.status.code != SHK_OK)
      break;
    for (int i = 0; i < s->rods; i++)
      replace(&mu[i], mu[i] + r[i] * per_kick, &progress);
    for (int i = 0; i < s->moving; i++)
      for (int k = 0; k < dimension; k++) {
        const int c = i * dimension + k;
        simd dp = w.dp[c];
        for (int j = 0; j < s->rods; j++)
          if (s->a[j] == i)
            dp += w.d[j * dimension + k] * r[j];
          else if (s->b[j] == i)
            dp -= w.d[j * dimension + k] * r[j];
        replace(&w.dp[c], dp, &progress);
      }
  }
  const struct shk_cluster_end end = end_of(&progress, alone);
  if (end.status.code != SHK_OK)
    return end;
  for (int c = 0; c < s->moving * dimension; c++) { /* as real_accumulate has it */
    const simd part = p1[c] - p[c];
    p_carry[c] = (p[c] - (p1[c] - part)) + ((w.dp[c] + p_carry[c]) - part);
  }
  for (int lane = -1; lane < SIMD_LANES; lane++) { /* -1: all at once */
    if (lane < 0 ? end.solved != SIMD_ALL : (end.solved >> lane & 1) == 0)
      continue;
    scatter(task->dp, s, b->point, lane, w.dp);
    scatter(task->p1, s, b->point, lane, p1);
    scatter(task->p1_carry, s, b->point, lane, p_carry);
    scatter_rows(task->mu, s->rods, b->row, lane, mu);
    if (lane < 0)
      break;
  }
  return end;
}

struct shk_cluster_end shk_cluster_position(const struct shk_cluster_run *run,
                                            const struct shk_cluster_shape *shape,
                                            const struct shk_cluster_batch *batch,
                                            const struct shk_position_solve *task)
{
  return run->alone ? solve_position(run, shape, batch, task, true)
                    : solve_position(run, shape, batch, task, false);
}

struct shk_cluster_end shk_cluster_hidden(const struct shk_cluster_run *run,
                                          const struct shk_cluster_shape *shape,
                                          const struct shk_cluster_batch *batch,
                                          const struct shk_hidden_solve *task)
{
  return run->alone ? solve_hidden(run, shape, batch, task, true)
                    : solve_hidden(run, shape, batch, task, false);
}
