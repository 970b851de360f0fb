/*
 * The solvers of molecular dynamics: all that converge have Newton's multipliers and motion; SETTLE is
 * in closed form; what LINCS leaves falls with each term of its series like the spectral radius of the
 * coupling, which is known for chains, triangles and tetrahedra; and what they refuse.
 */
#include "tests/kit/motion.h"
#include "tests/kit/registered.h"

/* `steps` steps of RATTLE from the problem's start. */
static struct motion run(const char *problem, const char *solver, const char *step, long steps)
{
  char spec[128];
  snprintf(spec, sizeof spec, "rattle(solver=%s)", solver);
  return move(problem, spec, step, steps);
}

/* The motion to a few roundings a step, the multipliers to those of positions over h². */
static void test_same(const char *problem, const char *solver, const char *step, long steps)
{
  MOTION newton = run(problem, "newton", step, steps), other = run(problem, solver, step, steps);
  const bool ran = newton.code == SHK_OK && other.code == SHK_OK;
  const int n = newton.state.n, m = newton.state.m;
  real q = 0, lambda = 0;
  if (ran) {
    q = largest_difference(newton.state.q, other.state.q, n) / real_max_norm(newton.state.q, n);
    lambda = largest_difference(newton.state.lambda, other.state.lambda, m) /
             real_max_norm(newton.state.lambda, m);
  }
  tap_ok(ran && q < 3000 * REAL_EPSILON && lambda < REAL_EPSILON * R(1e8),
         "%s on %s, %ld steps: q is %.0f eps from newton's, lambda %.1e times itself%s%s", solver,
         problem, steps, (double)(q / REAL_EPSILON), (double)lambda, ran ? "" : ": ",
         ran ? "" : other.outcome.reason);
}

/* In closed form, in double: no more than a few corrections of round-off, however long the step. */
static void test_settle(const char *step)
{
  const long steps = 20;
  MOTION settled = run("water", "settle", step, steps);
  tap_ok(settled.code == SHK_OK &&
             settled.counters.iterations <= (REAL_DIGITS > 17 ? 5 : 3) * steps,
         "settle with h = %s: %ld solves in %ld steps, for lambda, mu and round-off", step,
         settled.counters.iterations, steps);
}

/* What one series for mu leaves of the hidden constraint, where the position is solved to round-off. */
static real left_by_series(const char *problem, int order)
{
  char solver[64];
  snprintf(solver, sizeof solver, "lincs(order=%d,corrections=40)", order);
  MOTION r = run(problem, solver, "0.001", 1);
  return r.code == SHK_OK ? r.hidden : -1;
}

/* The rest of the series from term N on is its first term there: rho^(N+1), to the second-largest
 * eigenvalue over the largest to that power. */
static void test_series(const char *problem, real radius)
{
  const int low = 40, high = 60;
  const real a = left_by_series(problem, low), b = left_by_series(problem, high);
  const real found = a > 0 && b > 0 ? real_pow(b / a, 1 / (real)(high - low)) : 0;
  tap_ok(real_fabs(found - radius) < R(0.01),
         "lincs on %s: a term leaves %.4f of what was there (spectral radius %.4f)", problem,
         (double)found, (double)radius);
}

/* Of two rods in a line the coupling A has A² = 1/2, so that order 1 leaves half of what there was, which
 * SHAKE leaves as it is; and one rod is as long as it should be after one correction. */
static void test_few_terms(void)
{
  DRIVE d = {0};
  OUTCOME outcome = {0};
  real constraint, hidden = 0;
  if (begin_drive(&d, &outcome, "chain(links=2)", "shake", "0.001", NULL) &&
      shk_drive_step(&d, d.bound.instance.initial_time + d.bound.step).code == SHK_OK) {
    shk_drive_accept(&d);
    residuals_of(&d, &constraint, &hidden);
  }
  const real left = left_by_series("chain(links=2)", 1);
  tap_ok(hidden > 0 && real_fabs(left / hidden - R(0.5)) < R(1e-3),
         "lincs(order=1) on two rods leaves %.5f of what shake leaves", (double)(left / hidden));
  MOTION one = run("chain(links=1)", "lincs(order=0)", "0.1", 5);
  tap_ok(one.code == SHK_OK && one.constraint < 64 * REAL_EPSILON,
         "lincs on one rod: exact after a correction, max|g| = %.1e", (double)one.constraint);
}

/* Where the angles are those of the inverse, it is the matrix of the old point. */
static void test_ccma(void)
{
  MOTION ccma = run("water", "ccma(cutoff=0)", "0.001", 1),
         old = run("water", "ilves(matrix=symmetric)", "0.001", 1);
  tap_ok(ccma.code == SHK_OK && ccma.counters.iterations <= old.counters.iterations + 3,
         "ccma's first step on water: %ld iterations, %ld with the matrix of the old point",
         ccma.counters.iterations, old.counters.iterations);
}

static void test_refused(const char *problem, const char *solver, const char *because)
{
  MOTION r = run(problem, solver, "0.001", 1);
  tap_ok(r.code == SHK_REFUSED && strstr(r.outcome.reason, because), "%s on %s: %s, %s", solver,
         problem, shk_code_name(r.code), r.outcome.reason);
}

/* What the options say holds at the end of each step, and no more than that; and a number of sweeps is
 * that number. */
static void test_criteria(void)
{
  static const char *const relative[] = {"squared", "length"};
  const real square = 4, tolerance = R(1e-4);
  for (int i = 0; i < 2; i++) {
    char solver[96];
    snprintf(solver, sizeof solver, "gauss-seidel,tolerance=1e-4,criterion=%s", relative[i]);
    MOTION r = run("chain(links=2,length=2,start=zigzag)", solver, "0.1", 5);
    MOTION same =
        run("chain(links=2,length=2,start=zigzag)", "gauss-seidel,tolerance=4e-4", "0.1", 5);
    tap_ok(r.code == SHK_OK && r.constraint <= square * tolerance * (1 + tolerance) &&
               r.counters.iterations == same.counters.iterations && r.constraint == same.constraint,
           "%s: max|g| = %.2e, as of d² times the tolerance: %.2e", solver, (double)r.constraint,
           (double)same.constraint);
  }
  MOTION one = run("chain(links=2,start=zigzag)", "gauss-seidel,criterion=count,iterations=1",
                   "0.1", 5),
         two = run("chain(links=2,start=zigzag)", "gauss-seidel,criterion=count,iterations=2",
                   "0.1", 5);
  tap_ok(one.code == SHK_OK && two.code == SHK_OK && one.counters.iterations == 10 &&
             two.counters.iterations == 20 && two.constraint < one.constraint &&
             two.constraint > 1000 * REAL_EPSILON,
         "criterion=count: %ld and %ld sweeps in 5 steps leave %.1e and %.1e",
         one.counters.iterations, two.counters.iterations, (double)one.constraint,
         (double)two.constraint);
  test_refused("ellipsoid-geodesic", "newton,criterion=length,tolerance=1e-4",
               "constraints are rods");
}

/* Four points of one mass at corners of a cube, six rods, turning about the cube's axis. */
static void write_tetrahedron(const char *name)
{
  FILE *file = fopen(name, "w");
  if (!file)
    abort();
  fputs("particles:\n"
        "  - {name: a, mass: 1, position: [0, 0, 0], velocity: [0.5, -0.5, 0]}\n"
        "  - {name: b, mass: 1, position: [1, 1, 0], velocity: [-0.5, 0.5, 0]}\n"
        "  - {name: c, mass: 1, position: [1, 0, 1], velocity: [0.5, 0.5, 0]}\n"
        "  - {name: d, mass: 1, position: [0, 1, 1], velocity: [-0.5, -0.5, 0]}\n"
        "rods:\n"
        "  - [a, b]\n  - [a, c]\n  - [a, d]\n  - [b, c]\n  - [b, d]\n  - [c, d]\n",
        file);
  fclose(file);
}

int main(void)
{
  static const char *const problems[] = {"water", "water-box(molecules=27,cutoff=0.4)",
                                         "chain(links=6,start=zigzag)", "alkane"};
  static const char *const solvers[] = {
      "m-shake", "ilves",          "ilves(matrix=symmetric)",        "gauss-seidel",
      "ccma",    "ccma(cutoff=0)", "lincs(order=300,corrections=25)"};
  for (size_t i = 0; i < sizeof problems / sizeof problems[0]; i++)
    for (size_t k = 0; k < sizeof solvers / sizeof solvers[0]; k++)
      test_same(problems[i], solvers[k], "0.001", 4);
  test_same("water", "settle", "0.001", 10);
  test_same("water-box(molecules=27,cutoff=0.4)", "settle", "0.001", 10);
  test_settle("0.0005");
  test_settle("0.004");
  test_settle("0.016");
  /* Hanging straight from a point: 1 - S K S has 1/sqrt 2 and then 1/2 beside its diagonal, and the
   * eigenvalues cos((2k-1) pi / 2N). */
  test_series("chain(links=6)", real_cos(REAL_PI / 12));
  test_series("chain(links=4)", real_cos(REAL_PI / 8));
  test_few_terms();
  test_ccma();
  test_criteria();
  char tetrahedron[64], problem[96];
  snprintf(tetrahedron, sizeof tetrahedron, "tetrahedron-%d.yaml", SHK_PRECISION);
  snprintf(problem, sizeof problem, "particles(file=\"%s\")", tetrahedron);
  write_tetrahedron(tetrahedron);
  test_refused(problem, "lincs", "spectral radius of 1");
  test_same(problem, "ccma", "0.001", 10);
  remove(tetrahedron);
  test_same("chain(links=2)", "tridiagonal", "0.01", 20);
  test_refused("chain(links=3)", "settle", "three points in space");
  test_refused("alkane(carbons=4,angles=harmonic)", "settle",
               "three points in space"); /* three rods of one length */
  test_refused("alkane", "tridiagonal", "unbranched chains");
  test_refused("water", "tridiagonal", "unbranched chains");
  test_refused("ellipsoid-geodesic", "lincs", "constraints are rods");
  test_refused("ellipsoid-geodesic", "ccma", "constraints are rods");
  test_refused("charged-pendulum", "m-shake", "not separable");
  return tap_done();
}
