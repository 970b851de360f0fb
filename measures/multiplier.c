/*
 * Records states and multipliers at the sample times, as blocks:
 *     q, p, memory   the method's state; `memory` is absent if the method has none
 *     lambda         the multiplier of the step that starts there (for adaptive solvers, the
 *                    multiplier at the state); absent if the method has none or the step failed
 *     mu             the multiplier of the step that ended there; absent at the start or if the
 *                    method has none
 *     lambda-mean    (lambda + mu)/2        lambda-sum    lambda + mu      absent at the
 *                    start, if there is no lambda, and for adaptive solvers
 *     lambda-state   the exact formula at (q,p); absent if its matrix is singular
 * If rows depend on each other, only the force Gᵀλ is determined. Whichever multipliers the method
 * uses, the shortest ones that produce this force are therefore recorded.
 *     force          -Gᵀ lambda at q, which is unique even if redundant constraints leave lambda
 *                    undetermined; only for constraints g(q,t)
 * Nothing is recorded for n > 1000, because recording would cost more than the run itself.
 */
#include "measures/block.h"
#include "measures/measure.h"
#include "mechanics/system/manifold.h"

#include <string.h>

#define LARGEST 1000

struct multiplier {
  const struct shk_measured *run;
  bool has_lambda, has_mu; /* true once a nonzero value has been found */
  real *values, *lambda, *mu;
  real *jacobian, *force; /* used for constraints g(q,t); NULL for others */
};

static struct shk_status multiplier_create(void *state, const struct shk_measured *run)
{
  struct shk_workspace *const workspace = run->evaluator->workspace;
  const struct shk_system *const system = &run->instance->system;
  const size_t m = (size_t)system->m;
  struct multiplier *const multiplier = state;
  multiplier->run = run;
  SHK_TRY(shk_reals(workspace, &multiplier->values, m));
  SHK_TRY(shk_reals(workspace, &multiplier->lambda, m));
  SHK_TRY(shk_reals(workspace, &multiplier->mu, m));
  if (m == 0 || !system->jacobian)
    return shk_ok();
  SHK_TRY(shk_reals(workspace, &multiplier->jacobian, (size_t)run->evaluator->row_start[m]));
  return shk_reals(workspace, &multiplier->force, (size_t)system->n);
}

static struct shk_status multiplier_observe(void *state, const struct shk_state *at)
{
  struct multiplier *multiplier = state;
  multiplier->has_mu = multiplier->has_mu || real_max_norm(at->mu, at->m) != 0;
  return shk_ok();
}

/* Adds -Gᵀ lambda at the state. */
static struct shk_status add_force(struct multiplier *multiplier, struct shk_sample *sample,
                                   const struct shk_state *at, const real *lambda)
{
  struct shk_evaluator *const e = multiplier->run->evaluator;
  if (!multiplier->force)
    return shk_ok();
  for (int i = 0; i < at->n; i++)
    multiplier->force[i] = 0;
  SHK_TRY(shk_jacobian(e, multiplier->jacobian, at->t, at->q));
  shk_jacobian_transposed_add(e, multiplier->force, multiplier->jacobian, -1, lambda);
  shk_block_add(sample, "force", multiplier->force, at->n);
  return shk_ok();
}

/* Stores the shortest multipliers that produce the same force at the state as the method's
 * multipliers. */
static struct shk_status find_determined(struct multiplier *multiplier, real *found,
                                         const struct shk_state *at, const real *own)
{
  for (int k = 0; k < at->m; k++)
    found[k] = own[k];
  return multiplier->run->instance->undecidable & SHK_REDUNDANT_ROWS && multiplier->force
             ? shk_manifold_shortest(multiplier->run->manifold, found, at->t, at->q, at->p)
             : shk_ok();
}

static struct shk_status multiplier_sample(void *state, struct shk_sample *sample,
                                           const struct shk_state *at, const struct shk_state *next,
                                           bool is_start)
{
  struct multiplier *multiplier = state;
  const int n = at->n, m = at->m;
  if (n > LARGEST)
    return shk_ok();
  shk_block_add(sample, "q", at->q, n);
  shk_block_add(sample, "p", at->p, n);
  if (at->memory_count > 0)
    shk_block_add(sample, "memory", at->memory, at->memory_count);
  const struct shk_status formula =
      shk_exact_multiplier(multiplier->run->manifold, multiplier->values, at->t, at->q, at->p);
  if (formula.code == SHK_OK)
    shk_block_add(sample, "lambda-state", multiplier->values, m);
  /* a state is a valid sample even if its matrix is singular */
  else if (formula.code != SHK_SINGULAR)
    return formula;
  if (multiplier->run->adaptive) {
    SHK_TRY(add_force(multiplier, sample, at, at->lambda));
    SHK_TRY(find_determined(multiplier, multiplier->lambda, at, at->lambda));
    shk_block_add(sample, "lambda", multiplier->lambda, m);
    return shk_ok();
  }
  multiplier->has_lambda = multiplier->has_lambda || (next && real_max_norm(next->lambda, m) != 0);
  if (next && multiplier->has_lambda) {
    SHK_TRY(add_force(multiplier, sample, at, next->lambda));
    SHK_TRY(find_determined(multiplier, multiplier->lambda, at, next->lambda));
    shk_block_add(sample, "lambda", multiplier->lambda, m);
  }
  if (is_start)
    return shk_ok();
  SHK_TRY(find_determined(multiplier, multiplier->mu, at, at->mu));
  if (multiplier->has_mu)
    shk_block_add(sample, "mu", multiplier->mu, m);
  if (!next || !multiplier->has_lambda)
    return shk_ok();
  for (int i = 0; i < m; i++)
    multiplier->values[i] = (multiplier->lambda[i] + multiplier->mu[i]) / 2;
  shk_block_add(sample, "lambda-mean", multiplier->values, m);
  for (int i = 0; i < m; i++)
    multiplier->values[i] *= 2;
  shk_block_add(sample, "lambda-sum", multiplier->values, m);
  return shk_ok();
}

const struct shk_measure shk_measure_multiplier = {.size = sizeof(struct multiplier),
                                                   .create = multiplier_create,
                                                   .observe = multiplier_observe,
                                                   .sample = multiplier_sample};
