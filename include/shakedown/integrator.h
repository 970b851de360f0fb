/*
 * An integrator: a one-step map (q,p,lambda) -> (q,p,lambda), or an adaptive solver that is told
 * how far to go.
 */
#ifndef SHAKEDOWN_INTEGRATOR_H
#define SHAKEDOWN_INTEGRATOR_H

#include <shakedown/problem.h>

/* What an integrator carries from step to step. `q` and `p` are the rounded values, the carries
 * what rounding left over (compensated summation): q + q_carry stands for the exact sum. A method
 * that does not compensate sets the carries to zero. */
struct shk_state {
  int n, m;
  real t;
  real *q, *p;             /* n */
  real *lambda;            /* m: the multiplier that made g(q) = 0 in the step that ended here */
  real *mu;                /* m: the one of the hidden constraint in that step; zero without one */
  real *q_carry, *p_carry; /* n */
};

struct shk_binding {
  size_t struct_size;
  const struct shk_instance *instance;
  struct shk_evaluator *evaluator; /* all evaluations go through it */
  const struct shk_values *options;
  real tolerance; /* adaptive integrators: the tolerance of the cell */
};

struct shk_integrator {
  size_t struct_size;
  struct shk_integrator_info info;
  /* Binds to a system: all sizes, memory and symbolic work are settled here. May refuse. */
  struct shk_status (*create)(void **method, const struct shk_binding *binding);
  /* One step from *from to *to (same sizes, no overlap) of signed length h. Whatever it returns,
   * *from is untouched; unless it returns ok, *to is worthless. to->t is set by the caller.
   * Nothing allocates in a step of a fixed-step method. */
  struct shk_status (*step)(void *method, struct shk_state *to, const struct shk_state *from,
                            real h);
  void (*destroy)(void *method);
  /* The claims under these options, where they differ from info.claims. NULL: never. */
  void (*claims)(struct shk_claims *claims, const struct shk_values *options);
  /* The residual history of the solve that failed last: up to `limit` norms, the newest last.
   * Returns how many. NULL if the method has none. */
  int (*history)(const void *method, double *residuals, int limit);
};

#endif
