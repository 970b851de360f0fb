/*
 * solver=auto on systems of rods against the general solver: the same motion to a few roundings, on
 * molecules of water, and on chains in the plane and in space, free, fixed at one end and at both, with
 * rods in either direction; no more iterations, the same failures with their histories; and what is
 * neither, or has fewer than nine bonds, or asks for a factorization, goes the general way.
 */
#include "foundation/files/file.h"
#include "mechanics/binding/real_text.h"
#include "tests/kit/motion.h"
#include <shakedown/bind.h>

#include <unistd.h>

static real difference(const real *a, const real *b, int n)
{
  return largest_difference(a, b, n) / real_max(1, real_max_norm(b, n));
}

/* Runs a problem both ways. Multipliers carry round-off over the square of the step. */
static void compare(const char *problem, const char *integrator, const char *step, long steps,
                    bool special, real roundings)
{
  MOTION a = move_plainly(problem, integrator, step, steps, false);
  MOTION b = move_plainly(problem, integrator, step, steps, true);
  real h;
  if (!shk_real_parse(&h, step))
    abort();
  const int n = a.state.n, m = a.state.m;
  const real unit = REAL_EPSILON * roundings;
  const real q = difference(a.state.q, b.state.q, n), p = difference(a.state.p, b.state.p, n);
  const real l = difference(a.state.lambda, b.state.lambda, m);
  const real mu = difference(a.state.mu, b.state.mu, m);
  tap_diag("%s: q %g p %g eps, lambda %g mu %g eps/h^2, iterations %ld and %ld", problem,
           (double)(q / REAL_EPSILON), (double)(p / REAL_EPSILON),
           (double)(l * h * h / REAL_EPSILON), (double)(mu * h * h / REAL_EPSILON),
           a.counters.iterations, b.counters.iterations);
  tap_ok(a.code == SHK_OK && b.code == SHK_OK, "%s, %s: %s", problem, integrator,
         special ? "is solved as rods" : "goes the general way");
  /* What rounding leaves over is carried on by both. */
  const int carried = carries(&a.state), plainly = carries(&b.state);
  tap_ok(4 * carried >= 3 * plainly && 4 * plainly >= 3 * carried && plainly > 0 &&
             real_max_norm(a.state.q_carry, n) <= REAL_EPSILON * real_max_norm(a.state.q, n),
         "%s, %s: as much is carried", problem, integrator);
  tap_ok(q <= unit && p <= unit / h && l * h * h <= unit && mu * h * h <= unit,
         "%s, %s: the same motion either way", problem, integrator);
  if (special)
    tap_ok(a.counters.iterations <= b.counters.iterations + steps &&
               b.counters.iterations >= steps &&
               a.counters.constraint <= b.counters.constraint + steps &&
               a.counters.factorizations <= a.counters.iterations,
           "%s, %s: no more iterations", problem, integrator);
  else
    tap_ok(q == 0 && p == 0 && l == 0 && a.counters.iterations == b.counters.iterations,
           "%s, %s: bit for bit", problem, integrator);
}

/* ---- systems in files ---- */

static char folder[64];

/* A file of particles: `list` of pairs of points, ended by -1 -1; of the points the last `fixed` do
 * not move. Positions wander about; everything begins at rest. */
static void write_file(char *problem, size_t size, const char *name, int dimension, int points,
                       int fixed, const int (*list)[2])
{
  char path[256];
  double r[3] = {0, 0, 0};
  unsigned long seed = 12345;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  if (!file)
    abort();
  fprintf(file, "gravity: [0.3, -1%s]\n", dimension == 3 ? ", 0.2" : "");
  for (int i = 0; i < points; i++) {
    if (i == 0)
      fprintf(file, "particles:\n");
    if (i == points - fixed)
      fprintf(file, "fixed:\n");
    fprintf(file, "  - {name: P%d, ", i);
    if (i < points - fixed)
      fprintf(file, "mass: %g, ", 1 + 0.25 * (i % 3));
    fprintf(file, "position: [%.9f, %.9f", r[0], r[1]);
    if (dimension == 3)
      fprintf(file, ", %.9f", r[2]);
    fprintf(file, "]}\n");
    for (int j = 0; j < 3; j++) {
      seed = (seed * 1103515245 + 12345) % 2147483648ul;
      r[j] += (j == 0 ? 0.6 : 0) + (double)seed / 2147483648.0 - 0.5;
    }
  }
  /* Springs, or what is free would only fall. */
  fprintf(file, "springs:\n");
  for (int i = 0; i + 3 < points - fixed; i += 2)
    fprintf(file, "  - {between: [P%d, P%d], stiffness: 5, length: 0.4}\n", i, i + 3);
  fprintf(file, "rods:\n");
  for (int i = 0; list[i][0] >= 0; i++)
    fprintf(file, "  - [P%d, P%d]\n", list[i][0], list[i][1]);
  fclose(file);
  snprintf(problem, size, "particles(file=\"%s\")", name);
}

/* Rods joining a row of points. */
static void row(int (*list)[2], int points)
{
  for (int i = 0; i + 1 < points; i++) {
    list[i][0] = i;
    list[i][1] = i + 1;
  }
  list[points - 1][0] = list[points - 1][1] = -1;
}

/* Every third rod the other way round. */
static void turn(int (*list)[2], int rods)
{
  for (int i = 0; i < rods; i += 3) {
    const int first = list[i][0];
    list[i][0] = list[i][1];
    list[i][1] = first;
  }
}

static void files(const char *rattle)
{
  char problem[320];
  int list[64][2];
  for (int dimension = 2; dimension <= 3; dimension++) {
    const char *const d = dimension == 2 ? "plane" : "space";
    char name[64];
    row(list, 20);
    snprintf(name, sizeof name, "free-%s.yaml", d);
    write_file(problem, sizeof problem, name, dimension, 20, 0, (const int(*)[2])list);
    compare(problem, rattle, "0.01", 100, true, 1000);
    snprintf(name, sizeof name, "one-end-%s.yaml", d);
    write_file(problem, sizeof problem, name, dimension, 20, 1, (const int(*)[2])list);
    compare(problem, rattle, "0.01", 100, true, 1000);
    /* Both ends: P0 … P17 move, and P19 is joined to P0. */
    row(list, 19);
    list[18][0] = 19;
    list[18][1] = 0;
    list[19][0] = list[19][1] = -1;
    snprintf(name, sizeof name, "both-ends-%s.yaml", d);
    write_file(problem, sizeof problem, name, dimension, 20, 2, (const int(*)[2])list);
    compare(problem, rattle, "0.01", 100, true, 1000);
    /* Chains of 13, 1, 17 and 16 rods, some of whose rods begin where they should end. */
    row(list, 51);
    list[13][0] = list[13][1] = list[15][0] = list[15][1] = list[33][0] = list[33][1] = 0;
    int rods = 0;
    for (int i = 0; i < 50; i++)
      if (list[i][0] != list[i][1]) {
        list[rods][0] = list[i][0];
        list[rods++][1] = list[i][1];
      }
    list[rods][0] = list[rods][1] = -1;
    turn(list, rods);
    snprintf(name, sizeof name, "turned-%s.yaml", d);
    write_file(problem, sizeof problem, name, dimension, 51, 0, (const int(*)[2])list);
    compare(problem, rattle, "0.01", 100, true, 1000);
    /* A side branch, and a ring. */
    row(list, 20);
    list[18][0] = 7;
    snprintf(name, sizeof name, "branched-%s.yaml", d);
    write_file(problem, sizeof problem, name, dimension, 20, 0, (const int(*)[2])list);
    compare(problem, rattle, "0.01", 20, false, 1000);
    row(list, 16);
    list[15][0] = 15;
    list[15][1] = 0;
    list[16][0] = list[16][1] = -1;
    snprintf(name, sizeof name, "ring-%s.yaml", d);
    write_file(problem, sizeof problem, name, dimension, 16, 0, (const int(*)[2])list);
    compare(problem, rattle, "0.01", 20, false, 1000);
  }
}

/* Molecules that settle takes, more than a block of them, their points in any order among atoms
 * without rods. */
static void mixed(void)
{
  enum { MOLECULES = 10 };
  char path[256];
  snprintf(path, sizeof path, "%s/mixed.yaml", folder);
  FILE *file = fopen(path, "w");
  if (!file)
    abort();
  fprintf(file, "gravity: [0.3, -1, 0.2]\nparticles:\n");
  for (int i = 0; i < MOLECULES; i++) { /* the ends of one beside the apex of another */
    const double x = 0.4 * i, z = 0.1 * (i % 3), v = 0.05 * (i % 4);
    fprintf(file, "  - {name: A%d, mass: 1, position: [%g, 0.06, %g], velocity: [0, %g, 0.3]}\n", i,
            x + 0.08, z, v);
    fprintf(file, "  - {name: B%d, mass: 1, position: [%g, 0.06, %g]}\n", i, x - 0.08, z);
    fprintf(file, "  - {name: Na%d, mass: 23, position: [%g, 0.5, 0.3]}\n", i, x);
    fprintf(file, "  - {name: O%d, mass: %d, position: [%g, 0, %g]}\n", MOLECULES - 1 - i, 16 + i,
            0.4 * (MOLECULES - 1 - i), 0.1 * ((MOLECULES - 1 - i) % 3));
  }
  fprintf(file, "springs: [{between: [Na0, O4], stiffness: 5, length: 0.4}]\nrods:\n");
  for (int i = 0; i < MOLECULES; i++)
    fprintf(file, "  - [A%d, O%d]\n  - [B%d, A%d]\n  - [O%d, B%d]\n", i, i, i, i, i, i);
  fclose(file);
  compare("particles(file=\"mixed.yaml\",project=yes)", "rattle", "0.01", 100, true, 1000);
}

/* ---- failures ---- */

/* The hidden solve of a chain between two fixed points that is stretched out: no pivot is left. */
static enum shk_code solve_stretched(const char *problem, bool plain)
{
  DRIVE d = {0};
  OUTCOME outcome = {0};
  const struct shk_cell cell = TEST_CELL(.problem = (char *)problem, .integrator = "rattle",
                                         .step = "0.01", .until = "0.01");
  if (!shk_drive_begin(&test_context, &d, &outcome, &cell))
    abort();
  struct shk_system *system = &d.bound.instance.system;
  const struct shk_rods *rods = system->rods;
  struct shk_evaluator *e = &d.bound.evaluator;
  const int dimension = rods->dimension, n = system->n, m = system->m, points = n / dimension;
  real *G = malloc(((size_t)e->row_start[m] + 2 * (size_t)n + (size_t)m) * sizeof(real));
  struct shk_multiplier_solver *solver;
  if (!G)
    abort();
  real *dp = G + e->row_start[m], *mu = dp + n;
  for (int i = 0; i < n; i++) {
    const real *from = rods->fixed + dimension, *to = rods->fixed;
    const int j = i % dimension;
    d.current.q[i] = from[j] + (to[j] - from[j]) * (real)(i / dimension + 1) / (real)(points + 1);
    d.current.p[i] = (real)(i % 7) / 3;
    dp[i] = 0;
  }
  if (plain)
    system->rods = NULL;
  if (shk_bind_solver(&solver, &(struct shk_binding){.workspace = e->workspace,
                                                     .evaluator = e,
                                                     .options = d.bound.options})
              .code != SHK_OK ||
      shk_jacobian(e, G, 0, d.current.q).code != SHK_OK)
    abort();
  const struct shk_status status = shk_kick(solver, &(struct shk_kick){.until = SHK_ON_HIDDEN,
                                                                       .from = &d.current,
                                                                       .to = &d.next,
                                                                       .along = G,
                                                                       .by = R(0.005),
                                                                       .dp = dp,
                                                                       .multiplier = mu});
  free(G);
  return status.code;
}

static void fails(const char *problem, const char *integrator, const char *step, long steps,
                  enum shk_code code, const char *text)
{
  MOTION a = move_plainly(problem, integrator, step, steps, false);
  MOTION b = move_plainly(problem, integrator, step, steps, true);
  tap_ok(a.code == code && b.code == code && strstr(a.outcome.reason, text) &&
             strstr(b.outcome.reason, text),
         "%s, %s, h = %s fails either way: %s", problem, integrator, step, a.outcome.reason);
  tap_ok(a.history_count == b.history_count && a.history_count > 0,
         "and with as many residuals, %d", a.history_count);
}

int main(void)
{
  strcpy(folder, "/tmp/shakedown-rods-XXXXXX");
  if (!mkdtemp(folder))
    abort();
  test_context.access.folder = folder; /* where files are found from */
  const char *const zigzag = "chain(links=10,start=zigzag)";
  const char *const spring = "chain(links=24,dimension=3,spring=2,gravity=1,start=random(seed=3))";
  const char *const random = "chain(links=100,dimension=3,gravity=0,start=random(seed=1))";
  const char *const plane = "chain(links=33,gravity=0.5,start=random(seed=2))";
  compare(zigzag, "rattle", "0.01", 100, true, 1000);
  compare(zigzag, "shake", "0.01", 100, true, 1000);
  compare(spring, "rattle", "0.01", 100, true, 1000);
  compare(spring, "rattle(tolerance=1e-10)", "0.01", 1, true, R(1e-9) / REAL_EPSILON);
  compare(random, "rattle", "0.01", 50, true, 4000);
  compare(random, "shake", "0.01", 50, true, 4000);
  compare(plane, "rattle", "0.01", 50, true, 4000);
  compare(plane, "symplectic-euler-rattle", "0.01", 50, true, 4000);
  files("rattle");
  mixed();
  compare("water", "rattle", "0.0007", 200, true, 300);
  compare("water(field=3)", "shake", "0.0007", 200, true, 300);
  compare("water-box(molecules=7,pairs=no)", "rattle", "0.0007", 200, true, 300);
  compare("water-box(molecules=7,pairs=no)", "shake", "0.0007", 200, true, 300);
  compare("water-box(molecules=8,cutoff=0.3)", "rattle", "0.0007", 50, true, 300);
  compare("water-box(molecules=6,pairs=no)", "symplectic-euler-rattle", "0.0007", 100, true, 300);
  compare(zigzag, "rattle(linear=sparse-ldl)", "0.01", 20, false, 0);
  compare("chain(links=8)", "rattle", "0.01", 20, false, 0);
  const enum shk_code stretched =
      solve_stretched("particles(file=\"both-ends-plane.yaml\")", false);
  tap_ok(stretched == SHK_SINGULAR &&
             solve_stretched("particles(file=\"both-ends-plane.yaml\")", true) == SHK_SINGULAR,
         "a chain stretched out between two fixed points is singular either way");
  fails(zigzag, "rattle(iterations=1)", "0.3", 5, SHK_NOT_CONVERGED, "reached its iteration limit");
  fails(random, "rattle(tolerance=1e-10)", "5", 5, SHK_NOT_CONVERGED, "");
  char command[96];
  snprintf(command, sizeof command, "rm -r %s", folder);
  if (system(command) != 0)
    abort();
  return tap_done();
}
