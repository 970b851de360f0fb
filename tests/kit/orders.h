/*
 * Orders measured in cells of kind "run", for tests that are compiled per precision: error of a
 * block against the reference integrator, the larger of two generic sample times.
 */
#ifndef TESTS_KIT_ORDERS_H
#define TESTS_KIT_ORDERS_H

#include "engine/cells/run.h"
#include "engine/engine.h"
#include "tests/kit/context.h"

#include <math.h>
#include <string.h>

#define ORDER_FIRST "0.8"
#define ORDER_END "1.6"

#if SHK_PRECISION == 64
#define ORDER_ENGINE shk_engine_f64
#else
#define ORDER_ENGINE shk_engine_f128
#endif

/* Exactly one of step and tolerance is not NULL. The caller clears the outcome. */
static inline void order_run(struct shk_outcome *outcome, const char *problem,
                             const char *integrator, const char *step, const char *tolerance)
{
  char *times[] = {(char *)ORDER_FIRST, (char *)ORDER_END};
  const struct shk_cell cell = {.kind = (char *)"run",
                                .problem = (char *)problem,
                                .integrator = (char *)integrator,
                                .precision = (char *)ORDER_ENGINE.precision,
                                .step = (char *)step,
                                .tolerance = (char *)tolerance,
                                .until = (char *)ORDER_END,
                                .times = times,
                                .time_count = 2};
  shk_run_cell(&test_context, outcome, &cell);
}

/* NaN if one of them has no such block or did not get to the end. */
static inline double order_error(const struct shk_outcome *outcome,
                                 const struct shk_outcome *reference, const char *block)
{
  const bool multiplier = strncmp(block, "lambda", 6) == 0 || strcmp(block, "mu") == 0;
  double worst = 0;
  if (outcome->code != SHK_OK || reference->code != SHK_OK || outcome->sample_count != 3)
    return NAN;
  for (int i = 1; i < outcome->sample_count; i++) {
    const char *a = shk_sample_block(&outcome->samples[i], block);
    const char *b = shk_sample_block(&reference->samples[i], multiplier ? "lambda-state" : block);
    double difference, size;
    if (a == NULL || b == NULL || !ORDER_ENGINE.difference(&difference, &size, a, b))
      return NAN;
    worst = fmax(worst, difference);
  }
  return worst;
}

/* A block that an order may be claimed of, and that order. */
struct order_claim {
  const char *block;
  int order; /* SHK_NO_ORDER: none is claimed */
};

enum { ORDER_BLOCKS = 7 };

static inline void order_claims(struct order_claim to[ORDER_BLOCKS],
                                const struct shk_claims *claims)
{
  const struct order_claim all[ORDER_BLOCKS] = {{"q", claims->order_q},
                                                {"p", claims->order_p},
                                                {"lambda", claims->order_lambda},
                                                {"mu", claims->order_mu},
                                                {"lambda-mean", claims->order_lambda_mean},
                                                {"lambda-sum", claims->order_lambda_sum},
                                                {"lambda-state", claims->order_lambda_state}};
  memcpy(to, all, sizeof all);
}

#endif
