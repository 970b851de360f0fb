/*
 * States and multipliers at the sample times, as blocks:
 *     q, p, memory   the state that the method carries; no memory if the method has none
 *     lambda         of the step that starts there (adaptive solvers: of the state); absent if the
 *                    method has none, or the step failed
 *     mu             of the step that ended there; absent at the start or if the method has none
 *     lambda-mean    (lambda + mu)/2        lambda-sum    lambda + mu      absent at the
 *                    start, without lambda, and for adaptive solvers
 *     lambda-state   the exact formula at (q,p); absent where its matrix is singular
 * Of rows that depend on each other only the force Gᵀλ is determined: all these are the shortest
 * multipliers that have this force, whatever the method's own are.
 *     force          -Gᵀ lambda at q, unique also where redundant constraints leave lambda
 *                    undetermined. For constraints g(q,t) only
 * Nothing is recorded for n > 1000: the record would be larger than the run.
 */
#include "measures/block.h"
#include "measures/measure.h"
#include "mechanics/system/manifold.h"

#include <string.h>

#define LARGEST 1000

struct multiplier {
  const struct shk_measured *run;
  bool has_lambda, has_mu; /* a value that is not zero was found */
  real *values, *lambda, *mu;
  real *jacobian, *force; /* for g(q,t) only, else NULL */
};

static struct shk_status multiplier_create(void *state, const struct shk_measured *run)
{
  struct shk_workspace *const workspace = run->evaluator->workspace;
  const struct shk_system *const system = &run->instance->system;
  const size_t m = (size_t)system->m;
  struct multiplier *const w = state;
  w->run = run;
  SHK_TRY(shk_reals(workspace, &w->values, m));
  SHK_TRY(shk_reals(workspace, &w->lambda, m));
  SHK_TRY(shk_reals(workspace, &w->mu, m));
  if (m == 0 || !system->jacobian)
    return shk_ok();
  SHK_TRY(shk_reals(workspace, &w->jacobian, (size_t)run->evaluator->row_start[m]));
  return shk_reals(workspace, &w->force, (size_t)system->n);
}

static struct shk_status multiplier_observe(void *state, const struct shk_state *at)
{
  struct multiplier *w = state;
  w->has_mu = w->has_mu || real_max_norm(at->mu, at->m) != 0;
  return shk_ok();
}

/* Adds -Gᵀ lambda at the state. */
static struct shk_status add_force(struct multiplier *w, struct shk_sample *sample,
                                   const struct shk_state *at, const real *lambda)
{
  struct shk_evaluator *const e = w->run->evaluator;
  if (!w->force)
    return shk_ok();
  for (int i = 0; i < at->n; i++)
    w->force[i] = 0;
  SHK_TRY(shk_jacobian(e, w->jacobian, at->t, at->q));
  shk_jacobian_transposed_add(e, w->force, w->jacobian, -1, lambda);
  shk_block_add(sample, "force", w->force, at->n);
  return shk_ok();
}

/* Stores what is determined of the method's own multipliers at the state. */
static struct shk_status find_determined(struct multiplier *w, real *found,
                                         const struct shk_state *at, const real *own)
{
  for (int k = 0; k < at->m; k++)
    found[k] = own[k];
  return w->run->instance->undecidable & SHK_REDUNDANT_ROWS && w->force
             ? shk_manifold_shortest(w->run->manifold, found, at->t, at->q, at->p)
             : shk_ok();
}

static struct shk_status multiplier_sample(void *state, struct shk_sample *sample,
                                           const struct shk_state *at, const struct shk_state *next,
                                           bool is_start)
{
  struct multiplier *w = state;
  const int n = at->n, m = at->m;
  if (n > LARGEST)
    return shk_ok();
  shk_block_add(sample, "q", at->q, n);
  shk_block_add(sample, "p", at->p, n);
  if (at->memory_count > 0)
    shk_block_add(sample, "memory", at->memory, at->memory_count);
  const struct shk_status formula =
      shk_exact_multiplier(w->run->manifold, w->values, at->t, at->q, at->p);
  if (formula.code == SHK_OK)
    shk_block_add(sample, "lambda-state", w->values, m);
  else if (formula.code != SHK_SINGULAR) /* singular states are samples too */
    return formula;
  if (w->run->adaptive) {
    SHK_TRY(add_force(w, sample, at, at->lambda));
    SHK_TRY(find_determined(w, w->lambda, at, at->lambda));
    shk_block_add(sample, "lambda", w->lambda, m);
    return shk_ok();
  }
  w->has_lambda = w->has_lambda || (next && real_max_norm(next->lambda, m) != 0);
  if (next && w->has_lambda) {
    SHK_TRY(add_force(w, sample, at, next->lambda));
    SHK_TRY(find_determined(w, w->lambda, at, next->lambda));
    shk_block_add(sample, "lambda", w->lambda, m);
  }
  if (is_start)
    return shk_ok();
  SHK_TRY(find_determined(w, w->mu, at, at->mu));
  if (w->has_mu)
    shk_block_add(sample, "mu", w->mu, m);
  if (!next || !w->has_lambda)
    return shk_ok();
  for (int i = 0; i < m; i++)
    w->values[i] = (w->lambda[i] + w->mu[i]) / 2;
  shk_block_add(sample, "lambda-mean", w->values, m);
  for (int i = 0; i < m; i++)
    w->values[i] *= 2;
  shk_block_add(sample, "lambda-sum", w->values, m);
  return shk_ok();
}

const struct shk_measure shk_measure_multiplier = {.size = sizeof(struct multiplier),
                                                   .create = multiplier_create,
                                                   .observe = multiplier_observe,
                                                   .sample = multiplier_sample};
