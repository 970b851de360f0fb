/*
 * Orders measured in cells of kind "run", for tests that are compiled per precision: error of a
 * block against the reference integrator, the larger one at two generic sample times.
 */
#ifndef TESTS_KIT_ORDERS_H
#define TESTS_KIT_ORDERS_H

#include "engine/bind.h"
#include "engine/cells/cells.h"
#include "engine/engine.h"
#include "tests/kit/context.h"
#include "tests/kit/step_counts.h"

#include <math.h>
#include <string.h>

#define ORDER_FIRST "0.8"
#define ORDER_END "1.6"

extern const struct shk_engine SHK_ENGINE;

/* Runs a cell; exactly one of step and tolerance is not NULL. The caller clears the outcome. */
static inline void order_run(struct shk_outcome *outcome, const char *problem,
                             const char *integrator, const char *step, const char *tolerance)
{
  char *times[] = {(char *)ORDER_FIRST, (char *)ORDER_END};
  const struct shk_cell cell = {.kind = (char *)"run",
                                .problem = (char *)problem,
                                .integrator = (char *)integrator,
                                .precision = (char *)SHK_ENGINE.precision,
                                .step = (char *)step,
                                .tolerance = (char *)tolerance,
                                .until = (char *)ORDER_END,
                                .times = times,
                                .time_count = 2};
  const struct shk_cell run = with_step_counts((long long[2]){0}, cell);
  shk_run_cell(&test_context, outcome, &run, true);
}

/* Error of a block; NaN if an outcome lacks the block or did not reach the end. */
static inline double order_error(const struct shk_outcome *outcome,
                                 const struct shk_outcome *reference, const char *block)
{
  const bool multiplier = strncmp(block, "lambda", 6) == 0 || strcmp(block, "mu") == 0;
  double worst = 0;
  if (outcome->code != SHK_OK || reference->code != SHK_OK || outcome->sample_count != 3)
    return NAN;
  for (int i = 1; i < outcome->sample_count; i++) {
    const struct shk_vector *const a = shk_sample_block(&outcome->samples[i], block);
    const struct shk_vector *const b =
        shk_sample_block(&reference->samples[i], multiplier ? "lambda-state" : block);
    double difference, size;
    if (!a || !b || !shk_difference(&difference, &size, a, b))
      return NAN;
    worst = fmax(worst, difference);
  }
  return worst;
}

/* A block with its claimed order, and the least order measured over the problems, with its problem
 * (NaN: a run did not reach the end). */
struct order_measured {
  const char *block;
  int claimed; /* SHK_NO_ORDER: none */
  double least;
  const char *where;
};

enum { ORDER_BLOCKS = 7, ORDER_PROBLEMS = 6 };

/* Problems without properties that raise or lower an order: a spring, several degrees of freedom, a
 * Hamiltonian that is not separable, g(q,t), forces that depend on t and p, and a mass matrix. */
static const char *const order_problems[ORDER_PROBLEMS] = {
    "sprung-pendulum",           "double-pendulum", "charged-pendulum",
    "driven-spherical-pendulum", "manufactured",    "sundials-slider-crank"};

/* The reference of one problem: computed on first use, and stored to the end. */
static inline const struct shk_outcome *order_reference(int problem)
{
  static struct shk_outcome kept[ORDER_PROBLEMS];
  static bool is_run[ORDER_PROBLEMS];
  if (!is_run[problem])
    order_run(&kept[problem], order_problems[problem], "reference", NULL, "1e-24");
  is_run[problem] = true;
  return &kept[problem];
}

/* Reads the claims and measures nothing. Returns false if the integrator's specification is
 * invalid. */
static inline bool order_claims(struct order_measured measured[ORDER_BLOCKS],
                                const char *integrator)
{
  struct shk_claims claims;
  struct shk_message error;
  if (!shk_bind_claims(&test_context, &claims, integrator, &error))
    return false;
  const struct order_measured blocks[ORDER_BLOCKS] = {{"q", claims.order_q},
                                                      {"p", claims.order_p},
                                                      {"lambda", claims.order_lambda},
                                                      {"mu", claims.order_mu},
                                                      {"lambda-mean", claims.order_lambda_mean},
                                                      {"lambda-sum", claims.order_lambda_sum},
                                                      {"lambda-state", claims.order_lambda_state}};
  for (int b = 0; b < ORDER_BLOCKS; b++) {
    measured[b] = blocks[b];
    measured[b].least = INFINITY;
    measured[b].where = "no problem";
  }
  return true;
}

static inline void order_add(struct order_measured *measured, double order, const char *problem)
{
  if (!(order >= measured->least) && !isnan(measured->least)) {
    measured->least = order;
    measured->where = problem;
  }
}

/* Measures the claimed orders between two step sizes, the second half the first, on the problems to
 * which the integrator applies. Returns false if its specification is invalid. */
static inline bool order_measure(struct order_measured measured[ORDER_BLOCKS],
                                 const char *integrator, const char *step, const char *half)
{
  if (!order_claims(measured, integrator))
    return false;
  for (int i = 0; i < ORDER_PROBLEMS; i++) {
    struct shk_outcome coarse, fine;
    order_run(&coarse, order_problems[i], integrator, step, NULL);
    order_run(&fine, order_problems[i], integrator, half, NULL);
    for (int b = 0; b < ORDER_BLOCKS && coarse.code != SHK_REFUSED; b++)
      if (measured[b].claimed != SHK_NO_ORDER)
        order_add(&measured[b],
                  log2(order_error(&coarse, order_reference(i), measured[b].block) /
                       order_error(&fine, order_reference(i), measured[b].block)),
                  order_problems[i]);
    shk_outcome_clear(&coarse);
    shk_outcome_clear(&fine);
  }
  return true;
}

#endif
