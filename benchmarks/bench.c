/*
 * shakedown-bench CASE [N]: what a step of RATTLE costs, per constraint.
 *
 *     pendulum          the planar pendulum
 *     chain [N]         chain(links=N,start=random(seed=1)) in 2-D without gravity; N = 10² … 10⁵
 *     chain-3d [N]      the same in 3-D
 *
 * One line a measurement; ns per constraint and step as minimum and median of the repeats, bytes
 * per constraint, Newton iterations a step (both solves) and the constraint violation left.
 */
#define SHK_PRECISION 64
#include "benchmarks/timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool time_steps_f128(struct timing *timing, const char *problem, const char *integrator,
                     const char *step, char *reason);

static const char *const solvers[] = {"lu", "cholesky", "sparse-ldl"};
enum { SOLVERS = sizeof solvers / sizeof solvers[0], DENSE_LIMIT = 128 };

static int failures;

static void print_case(const char *name, const char *problem, const char *step,
                       const char *tolerance, int n, const char *solver, bool quad)
{
  char integrator[96], reason[256];
  struct timing t;
  snprintf(integrator, sizeof integrator, "rattle(tolerance=%s,linear=%s)", tolerance, solver);
  const bool well = quad ? time_steps_f128(&t, problem, integrator, step, reason)
                         : time_steps_f64(&t, problem, integrator, step, reason);
  if (!well) {
    printf("case=%s n=%d solver=%s precision=%s failed: %s\n", name, n, solver,
           quad ? "quad" : "double", reason);
    failures++;
    return;
  }
  const double scale = 1e9 / t.m;
  printf("case=%s n=%d solver=%s precision=%s ns_per_constraint_step=%.1f "
         "median_ns_per_constraint_step=%.1f bytes_per_constraint=%.0f iterations_per_step=%.1f "
         "error=%.1e\n",
         name, n, solver, quad ? "quad" : "double", t.least * scale, t.median * scale,
         t.bytes / t.m, (double)t.iterations / (double)(t.steps + 1), t.error);
  fflush(stdout);
}

static void chain(const char *name, int dimension, int n)
{
  char problem[128];
  snprintf(problem, sizeof problem, "chain(links=%d,dimension=%d,gravity=0,start=random(seed=1))",
           n, dimension);
  for (int i = 0; i < SOLVERS; i++)
    if (n <= DENSE_LIMIT || strcmp(solvers[i], "sparse-ldl") == 0)
      print_case(name, problem, "0.02", "1e-10", n, solvers[i], false);
  if (n <= 10000)
    print_case(name, problem, "0.02", "1e-10", n, "sparse-ldl", true);
}

int main(int count, char **arguments)
{
  const char *name = count > 1 ? arguments[1] : "";
  const int n = count > 2 ? atoi(arguments[2]) : 0;
  if (strcmp(name, "pendulum") == 0) {
    for (int quad = 0; quad < 2; quad++)
      for (int i = 0; i < SOLVERS; i++)
        print_case(name, "pendulum(angle=0.7,rate=1.1)", "0.0125", "0", 1, solvers[i], quad);
  } else if (strcmp(name, "chain") == 0 || strcmp(name, "chain-3d") == 0) {
    const int dimension = strcmp(name, "chain") == 0 ? 2 : 3;
    for (int links = 100; n == 0 && links <= 100000; links *= 10)
      chain(name, dimension, links);
    if (n > 0)
      chain(name, dimension, n);
  } else {
    fprintf(stderr, "usage: shakedown-bench pendulum|chain|chain-3d [N]\n");
    return 2;
  }
  return failures > 0;
}
