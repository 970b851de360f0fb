/*
 * shakedown-bench [OPTION…] CASE [N]: the cost of a step of RATTLE per constraint, compared with
 * code written by hand for the same system (hand.h).
 *
 *     pendulum          the planar pendulum, multipliers to round-off
 *     chain [N]         N links in 2-D without gravity, random start; N = 10 … 10⁶
 *     chain-3d [N]      the same in 3-D
 *     branched-alkane [N]  a tree: N units of two backbone atoms and one side atom
 *     water-box [N]     N free molecules of rigid water; N = 10² … 10⁵
 *     memory [N]        chain-3d of 10⁶ links: the peak memory of the process
 */
#define SHK_PRECISION 64
#include "benchmarks/timing.h"
#include "engine/registry.h"
#include "tests/kit/context.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/*
 * Solvers are named by their factorization (of newton) or by their own name; `auto` is the default
 * of rattle. Large systems are run without dense and slowly converging solvers, the largest without
 * quadruple precision.
 *
 * Output: one line per measurement. ns per constraint and step of our method and of the reference
 * (`floor`), minimum and median of alternating repeats; `ratio` of the minima; bytes per constraint
 * of our method; Newton iterations per step (both solves); largest constraint violation at the end;
 * largest difference from the reference after eight steps, which is checked; and a sum of all bits
 * of our state after these steps.
 *
 * --seconds S: time of one repeat (0.03). --solver NAME, --precision double|quad: only these lines.
 * --damage lengthens the step of the reference by a thousandth, which must be detected. Exit 0:
 * success; 1: a step failed, or method and reference differ; 2: bad usage.
 */

/* time_steps in quadruple precision; it reads only texts, doubles and `hand` of the task. */
bool time_steps_f128(struct timing *timing, const struct timing_task *task, char *reason);
bool shk_registry_load_f128(struct shk_context *context, const char *path,
                            struct shk_message *error);
extern const struct hand *const hands_f128[HAND_COUNT];

/* `limit`: largest number of constraints, 0: any. `local`: the same if components of the graph are
 * small. */
static const struct solver {
  const char *name, *options;
  int limit, local;
  bool control;
} solvers[] = {
    {"auto", "linear=auto", 0, 0, false},
    {"lu", "linear=lu", 128, 128, false},
    {"cholesky", "linear=cholesky", 128, 128, false},
    {"sparse-ldl", "linear=sparse-ldl", 0, 0, false},
    {"block", "linear=block", 128, 0, false},
    {"qr", "linear=qr", 128, 128, false},
    {"svd", "linear=svd", 16, 16, false},
    {"simplified-newton", "solver=simplified-newton", 0, 0, false},
    {"damped-newton", "solver=damped-newton", 128, 0, false},
    {"gauss-seidel", "solver=gauss-seidel,iterations=100000", 128, 0, false},
    {"linearized", "solver=linearized", 0, 0, true},
};
enum { SOLVERS = sizeof solvers / sizeof solvers[0], SIZES = 7 };
/* Largest numbers of constraints in quadruple precision and with every solver; number of
 * constraints of `memory`. */
enum { QUAD = 10000, ALL_SOLVERS = 300000, MEMORY = 1000000 };

#define CHAIN(dimension) "chain(links=%d,dimension=" dimension ",gravity=0,start=random(seed=1))"

static const struct bench {
  const char *name, *problem; /* a format for N */
  const char *step, *tolerance;
  int hand;         /* index of the reference */
  long most;        /* steps from the start */
  int sizes[SIZES]; /* sizes if N is not given; {0}: the case has no N */
  bool local;       /* components of its graph are small */
} benches[] = {
    {.name = "pendulum",
     .problem = "pendulum(angle=0.7,rate=1.1)",
     .step = "0.0125",
     .tolerance = "0",
     .hand = HAND_PENDULUM,
     .most = 100000},
    {.name = "chain",
     .problem = CHAIN("2"),
     .step = "0.02",
     .tolerance = "1e-10",
     .hand = HAND_CHAIN,
     .most = 100,
     .sizes = {10, 100, 1000, 10000, 100000, 1000000}},
    {.name = "chain-3d",
     .problem = CHAIN("3"),
     .step = "0.02",
     .tolerance = "1e-10",
     .hand = HAND_CHAIN,
     .most = 100,
     .sizes = {10, 100, 1000, 10000, 100000, 1000000}},
    {.name = "branched-alkane",
     .problem = "branched-alkane(units=%d)",
     .step = "0.01",
     .tolerance = "1e-10",
     .hand = HAND_BRANCHED,
     .most = 100,
     .sizes = {10, 1000, 10000}},
    {.name = "water-box",
     .problem = "water-box(molecules=%d,pairs=no)",
     .step = "0.001",
     .tolerance = "1e-12",
     .hand = HAND_WATER,
     .most = 500,
     .sizes = {100, 1000, 10000, 100000},
     .local = true},
};
enum { BENCHES = sizeof benches / sizeof benches[0] };

static double seconds = 0.03;
static bool damage;
static const char *only_solver, *only_precision; /* NULL: all */
static int failures;

static void print_case(const struct bench *b, const char *problem, int n, const struct solver *s,
                       bool quad, bool memory)
{
  char integrator[128], reason[256];
  snprintf(integrator, sizeof integrator, "rattle(tolerance=%s,%s)", b->tolerance, s->options);
  struct timing_task task = {.context = &test_context,
                             .problem = problem,
                             .integrator = integrator,
                             .step = b->step,
                             .tolerance = strtod(b->tolerance, NULL),
                             .most = b->most,
                             .seconds = memory ? 0 : seconds,
                             .control = s->control,
                             .damage = damage};
  struct timing t;
  if (!memory)
    task.hand = (quad ? hands_f128 : hands)[b->hand];
  const bool ok = quad ? time_steps_f128(&t, &task, reason) : time_steps_f64(&t, &task, reason);
  printf("case=%s n=%d solver=%s precision=%s", memory ? "memory" : b->name, n > 0 ? n : t.m,
         s->name, quad ? "quad" : "double");
  if (!ok) {
    printf(" failed: %s\n", reason);
    failures++;
    return;
  }
  const double scale = 1e9 / t.m;
  printf(" ns_per_constraint_step=%.1f median_ns_per_constraint_step=%.1f", t.ours.least * scale,
         t.ours.median * scale);
  if (task.hand)
    printf(" floor_ns_per_constraint_step=%.1f median_floor_ns_per_constraint_step=%.1f ratio=%.2f",
           t.hand.least * scale, t.hand.median * scale, t.ours.least / t.hand.least);
  printf(" bytes_per_constraint=%.0f iterations_per_step=%.1f error=%.1e", t.bytes / t.m,
         t.iterations, t.ours.error);
  if (task.hand)
    printf(" floor_error=%.1e difference=%.1e bits=%016" PRIx64, t.hand.error, t.difference,
           t.bits);
  if (memory) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf(" process_bytes=%.3g", 1024 * (double)usage.ru_maxrss);
  }
  printf("\n");
  fflush(stdout);
}

/* The number of constraints of a case. */
static long constraints(const struct bench *b, int n)
{
  if (b->sizes[0] == 0)
    return 4;
  if (strcmp(b->name, "water-box") == 0 || strcmp(b->name, "branched-alkane") == 0)
    return 3L * n;
  return n;
}

static void run_size(const struct bench *b, int n)
{
  const long m = constraints(b, n);
  char problem[128];
  snprintf(problem, sizeof problem, b->problem, n);
  for (int quad = 0; quad < 2; quad++)
    for (int i = 0; i < SOLVERS; i++) {
      const struct solver *s = &solvers[i];
      if ((only_solver && strcmp(only_solver, s->name) != 0) ||
          (only_precision && (strcmp(only_precision, "quad") == 0) != (quad == 1)))
        continue;
      const int limit = b->local ? s->local : s->limit;
      const bool first = i == 0 || strcmp(s->name, "sparse-ldl") == 0;
      if ((limit == 0 || m <= limit) && (first || m <= ALL_SOLVERS) &&
          (!quad || m <= 500 || (first && m <= QUAD)))
        print_case(b, problem, n, s, quad, false);
    }
}

static bool load(const char *path)
{
  struct shk_message error;
  if (shk_registry_load_f64(&test_context, path, &error) &&
      shk_registry_load_f128(&test_context, path, &error))
    return true;
  fprintf(stderr, "shakedown-bench: %s\n", error.text);
  return false;
}

static int usage(void)
{
  fprintf(stderr, "usage: shakedown-bench [--seconds S] [--solver NAME] "
                  "[--precision double|quad] [--damage] CASE [N]\ncases:");
  for (int i = 0; i < BENCHES; i++)
    fprintf(stderr, " %s", benches[i].name);
  fprintf(stderr, " memory\n");
  return 2;
}

static bool is_solver(const char *name)
{
  for (int i = 0; i < SOLVERS; i++)
    if (strcmp(name, solvers[i].name) == 0)
      return true;
  return false;
}

static bool read_options(int count, char **arguments)
{
  static const struct option options[] = {{"seconds", required_argument, NULL, 's'},
                                          {"solver", required_argument, NULL, 'm'},
                                          {"precision", required_argument, NULL, 'p'},
                                          {"damage", no_argument, NULL, 'd'},
                                          {0}};
  bool ok = true;
  for (int c; ok && (c = getopt_long(count, arguments, "", options, NULL)) != -1;) {
    char *end = NULL;
    switch (c) {
    case 's':
      seconds = strtod(optarg, &end);
      ok = *end == '\0' && seconds > 0 && seconds <= 60;
      break;
    case 'm':
      only_solver = optarg;
      ok = is_solver(optarg);
      break;
    case 'p':
      only_precision = optarg;
      ok = strcmp(optarg, "double") == 0 || strcmp(optarg, "quad") == 0;
      break;
    case 'd':
      damage = true;
      break;
    default:
      ok = false;
    }
  }
  return ok;
}

int main(int count, char **arguments)
{
  const char *number = NULL;
  char *end = NULL;
  long n = 0;
  if (!read_options(count, arguments) || optind >= count || count - optind > 2)
    return usage();
  if (optind + 1 < count) {
    number = arguments[optind + 1];
    n = strtol(number, &end, 10);
    if (*end != '\0' || n < 1 || n > 1000000)
      return usage();
  }
  const char *name = arguments[optind];
  const bool memory = strcmp(name, "memory") == 0;
  const struct bench *b = NULL;
  for (int i = 0; i < BENCHES; i++)
    if (strcmp(memory ? "chain-3d" : name, benches[i].name) == 0)
      b = &benches[i];
  if (!b || (number && b->sizes[0] == 0))
    return usage();
  if (!load(SHAKEDOWN_SYSTEMS))
    return 2;
  if (memory) {
    char problem[128];
    n = number ? n : MEMORY;
    snprintf(problem, sizeof problem, b->problem, (int)n);
    print_case(b, problem, (int)n, &solvers[0], false, true);
  } else if (number || b->sizes[0] == 0) {
    run_size(b, (int)n);
  } else {
    for (int i = 0; i < SIZES && b->sizes[i] > 0; i++)
      run_size(b, b->sizes[i]);
  }
  return failures > 0;
}
