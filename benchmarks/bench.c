/*
 * shakedown-bench CASE [N]: what a step of RATTLE costs, per constraint.
 *
 *     pendulum          the planar pendulum
 *     chain [N]         chain(links=N,start=random(seed=1)) in 2-D without gravity; N = 10² … 10⁵
 *     chain-3d [N]      the same in 3-D
 *     blocks [K]        480 links in separate planar chains of K each (1 … 48): many components
 *
 * Solvers are named by their factorization (of newton), or by their own name. What is dense or
 * converges slowly is left out of long chains. `blocks` needs the plug-in tests/plugins/chains.c,
 * named by the environment variable SHAKEDOWN_CHAINS.
 *
 * One line a measurement; ns per constraint and step as minimum and median of the repeats, bytes
 * per constraint, Newton iterations a step (both solves) and the constraint violation left.
 */
#define SHK_PRECISION 64
#include "benchmarks/timing.h"
#include "engine/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool time_steps_f128(struct timing *timing, const char *problem, const char *integrator,
                     const char *step, char *reason);

static const struct solver {
  const char *name, *options;
  int limit; /* largest number of constraints, 0: none */
} solvers[] = {{"lu", "linear=lu", 128},
               {"cholesky", "linear=cholesky", 128},
               {"sparse-ldl", "linear=sparse-ldl", 0},
               {"block", "linear=block", 128},
               {"qr", "linear=qr", 128},
               {"svd", "linear=svd", 16},
               {"simplified-newton", "solver=simplified-newton,linear=sparse-ldl", 0},
               {"gauss-seidel", "solver=gauss-seidel,iterations=100000", 128},
               {"linearized", "solver=linearized,linear=sparse-ldl", 0}};
enum { SOLVERS = sizeof solvers / sizeof solvers[0], COMPONENT_LINKS = 480 };

static int failures;

static void print_case(const char *name, const char *problem, const char *step,
                       const char *tolerance, int n, const struct solver *s, bool quad)
{
  char integrator[128], reason[256];
  const char *solver = s->name;
  struct timing t;
  snprintf(integrator, sizeof integrator, "rattle(tolerance=%s,%s)", tolerance, s->options);
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
    if (n <= solvers[i].limit || solvers[i].limit == 0)
      print_case(name, problem, "0.02", "1e-10", n, &solvers[i], false);
  if (n <= 10000)
    print_case(name, problem, "0.02", "1e-10", n, &solvers[2], true);
}

/* Components of `links` constraints, solved as one sparse matrix and each by itself. */
static void blocks(int links)
{
  static const int chosen[] = {2, 3, 7}; /* sparse-ldl, block, gauss-seidel */
  char problem[64];
  snprintf(problem, sizeof problem, "chains(count=%d,links=%d)", COMPONENT_LINKS / links, links);
  for (size_t i = 0; i < sizeof chosen / sizeof chosen[0]; i++)
    print_case("blocks", problem, "0.02", "1e-10", links, &solvers[chosen[i]], false);
}

static bool load_chains(void)
{
  const char *plugin = getenv("SHAKEDOWN_CHAINS");
  struct shk_message error;
  if (plugin != NULL && shk_registry_load(plugin, &error))
    return true;
  fprintf(stderr, "shakedown-bench: %s\n",
          plugin != NULL ? error.text : "SHAKEDOWN_CHAINS names no plug-in");
  return false;
}

int main(int count, char **arguments)
{
  const char *name = count > 1 ? arguments[1] : "";
  const int n = count > 2 ? atoi(arguments[2]) : 0;
  if (strcmp(name, "pendulum") == 0) {
    for (int quad = 0; quad < 2; quad++)
      for (int i = 0; i < SOLVERS; i++)
        print_case(name, "pendulum(angle=0.7,rate=1.1)", "0.0125", "0", 1, &solvers[i], quad);
  } else if (strcmp(name, "chain") == 0 || strcmp(name, "chain-3d") == 0) {
    const int dimension = strcmp(name, "chain") == 0 ? 2 : 3;
    for (int links = 100; n == 0 && links <= 100000; links *= 10)
      chain(name, dimension, links);
    if (n > 0)
      chain(name, dimension, n);
  } else if (strcmp(name, "blocks") == 0) {
    static const int sizes[] = {1, 2, 3, 4, 6, 8, 10, 12, 16, 24, 48};
    if (!load_chains())
      return 2;
    for (size_t i = 0; n == 0 && i < sizeof sizes / sizeof sizes[0]; i++)
      blocks(sizes[i]);
    if (n > 0)
      blocks(n);
  } else {
    fprintf(stderr, "usage: shakedown-bench pendulum|chain|chain-3d|blocks [N]\n");
    return 2;
  }
  return failures > 0;
}
