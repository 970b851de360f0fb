/* Sweeps over the constraints, one at a time: the iteration of solver=gauss-seidel. */
#ifndef MECHANICS_SOLVERS_SWEEP_H
#define MECHANICS_SOLVERS_SWEEP_H

#include <shakedown/solve.h>

struct shk_sweep;

#define shk_sweep_create SHK_NAME(shk_sweep_create)
#define shk_sweep_destroy SHK_NAME(shk_sweep_destroy)
#define shk_sweep_positions SHK_NAME(shk_sweep_positions)
#define shk_sweep_momenta SHK_NAME(shk_sweep_momenta)

/* Separable systems. */
struct shk_status shk_sweep_create(struct shk_sweep **sweep, struct shk_evaluator *e);
void shk_sweep_destroy(struct shk_sweep *sweep);
/* One sweep for g(q1) = 0. In and out: lambda, dp, p1, q1 with its carry, of the task; g (m):
 * scratch, on entry g(q1). G1 is scratch too. SHK_SINGULAR where a constraint's own entry of K is
 * zero. */
struct shk_status shk_sweep_positions(const struct shk_sweep *sweep,
                                      const struct shk_position_solve *task, real *g);
/* One sweep for G1 v + rate = 0, rate (m) being g_t. In and out: mu and dp of the task, v (n). */
struct shk_status shk_sweep_momenta(const struct shk_sweep *sweep,
                                    const struct shk_hidden_solve *task, real *v, const real *rate);

#endif
