/*
 * Every way to solve for multipliers with every factorization: on independent constraints all give
 * RATTLE's motion; a redundant constraint is solved by qr, svd and sweeps and is singular for the
 * others; a solve that meets its limit fails with its history; the controls leave the constraint at
 * their own rates; and what options take away from claims.
 */
#include "mechanics/algebra/factorizations/factorization.h"
#include "mechanics/system/state.h"
#include "tests/kit/registered.h"
#include "tests/kit/stepping.h"
#include "tests/kit/test_plugin.h"

struct run {
  struct shk_outcome outcome;
  struct shk_state state;
  real constraint, hidden; /* max|g|, max|G H_p| at the end */
  int history;             /* entries of the history of a failure */
  double last_residual;
  long iterations, factorizations;
};

static void run_clear(struct run *r)
{
  shk_outcome_clear(&r->outcome);
  shk_state_clear(&r->state);
}

/* `steps` steps from the problem's start; the state that was reached. */
static enum shk_code run(struct run *r, const char *problem, const char *integrator,
                         const char *step, long steps)
{
  DRIVE d = {0};
  struct shk_status status = shk_ok();
  *r = (struct run){0};
  const bool begun = begin_drive(&d, &r->outcome, problem, integrator, step, NULL);
  enum shk_code code = begun ? SHK_OK : r->outcome.code;
  for (long k = 1; code == SHK_OK && k <= steps; k++) {
    status = shk_drive_step(&d, d.bound.instance.initial_time + (real)k * d.bound.step);
    code = status.code;
    if (code == SHK_OK)
      shk_drive_accept(&d);
    else
      shk_bind_report(&d.bound, &r->outcome, status);
  }
  if (d.current.q) {
    double history[64];
    if (code != SHK_OK)
      r->history = shk_last_residuals(&d.bound.evaluator, history, 64);
    r->last_residual = r->history > 0 ? history[r->history - 1] : 0;
    if (!shk_state_init(&r->state, d.current.n, d.current.m))
      abort();
    shk_state_copy(&r->state, &d.current);
    residuals_of(&d, &r->constraint, &r->hidden);
    r->iterations = d.bound.evaluator.work.iterations;
    r->factorizations = d.bound.evaluator.work.factorizations;
  }
  return code;
}

static real distance(const struct shk_state *a, const struct shk_state *b)
{
  return real_max(largest_difference(a->q, b->q, b->n), largest_difference(a->p, b->p, b->n));
}

static const struct left_out leave_constraint[] = {
    {"linearized", "one solve, taken as it is: test_controls"},
    {"tikhonov", "another matrix, on purpose: test_controls"},
    {"m-shake", "without the option linear: molecular_solvers.c"},
    {"ilves", "without the option linear: molecular_solvers.c"},
    {"lincs", "for rods: molecular_solvers.c"},
    {"settle", "for rods: molecular_solvers.c"},
    {"tridiagonal", "for rods: molecular_solvers.c"},
    {"ccma", "for rods: molecular_solvers.c"},
    {"program", "for rods, and asks for a program: integrators/program_solver.sh"},
    {NULL, NULL}};

/* All that is to converge to round-off, against newton with lu. Round-off of a step is a few eps
 * and grows with the motion; sweeps stop where their residual does, 1/(1-rate) eps from there. */
static void test_same_motion(const char *problem, long steps)
{
  struct run reference;
  const enum shk_code started = run(&reference, problem, "rattle(linear=lu)", "0.02", steps);
  tap_ok(started == SHK_OK, "%s: newton, lu", problem);
  const char *solver, *linear;
  for (int s = 0; (solver = next_choice(&s, "solver", leave_constraint)) != NULL;)
    for (int l = 0; (linear = next_choice(&l, "linear", leave_constraint)) != NULL;) {
      char spec[96];
      struct run other;
      snprintf(spec, sizeof spec, "rattle(solver=%s,linear=%s)", solver, linear);
      const enum shk_code code = run(&other, problem, spec, "0.02", steps);
      const real apart =
          code == SHK_OK ? distance(&other.state, &reference.state) / REAL_EPSILON : -1;
      tap_ok(code == SHK_OK && apart <= 3000, "%s on %s: %ld steps end %.0f eps from newton's%s%s",
             spec, problem, steps, (double)apart, code == SHK_OK ? "" : ": ",
             code == SHK_OK ? "" : other.outcome.reason);
      if (strcmp(solver, "simplified-newton") ==
          0) /* one matrix for the positions, one for the momenta */
        tap_ok(other.factorizations == 2 * steps, "%s: %ld factorizations in %ld steps", spec,
               other.factorizations, steps);
      if (strcmp(solver, "gauss-seidel") == 0)
        /* A single constraint's sweep is Newton's iteration. */
        tap_ok(other.factorizations == 0 && other.iterations >= reference.iterations &&
                   (other.state.m == 1 || other.iterations > 2 * reference.iterations),
               "%s: no factorization, %ld sweeps (newton: %ld iterations)", spec, other.iterations,
               reference.iterations);
      run_clear(&other);
    }
  run_clear(&reference);
}

static const struct left_out take_redundant[] = {
    {"qr", "drops rows"}, {"svd", "divides the force among them"}, {NULL, NULL}};

/* A row that the others imply: solved by sweeps and by what takes redundant rows, refused to the
 * others. */
static void test_redundant(const char *extra)
{
  char problem[64], spec[96];
  struct run plain, other;
  snprintf(problem, sizeof problem, "chains(links=3,extra=%s)", extra);
  const enum shk_code started = run(&plain, "chains(links=3)", "rattle", "0.02", 50);
  tap_ok(started == SHK_OK, "chains without extra");
  const char *solver, *linear;
  for (int i = 0; (solver = next_choice(&i, "solver", leave_constraint)) != NULL;)
    for (int l = 0; (linear = next_choice(&l, "linear", leave_constraint)) != NULL;) {
      snprintf(spec, sizeof spec, "rattle(solver=%s,linear=%s)", solver, linear);
      const enum shk_code code = run(&other, problem, spec, "0.02", 50);
      if (strcmp(solver, "gauss-seidel") == 0 || is_left_out(take_redundant, linear)) {
        const real apart =
            code == SHK_OK ? distance(&other.state, &plain.state) / REAL_EPSILON : -1;
        tap_ok(code == SHK_OK && apart <= 5000,
               "%s with extra=%s: %.0f eps from the motion without%s%s", spec, extra, (double)apart,
               code == SHK_OK ? "" : ": ", code == SHK_OK ? "" : other.outcome.reason);
      } else {
        tap_ok(code == SHK_REFUSED && strstr(other.outcome.reason, "redundant"),
               "%s with extra=%s: %s (%s)", spec, extra, shk_code_name(code), other.outcome.reason);
      }
      run_clear(&other);
    }
  run_clear(&plain);
}

/* Factors in double serve quad where they gain digits, to the last one; where the matrix is too
 * ill-conditioned for them, those in quad do. `qr` is always in full. */
static void test_digits(const char *problem, const char *linear, real unit)
{
  char spec[64];
  struct run full, other;
  enum { STEPS = 20 };
  snprintf(spec, sizeof spec, "rattle(linear=%s)", linear);
  const enum shk_code begun = run(&full, problem, "rattle(linear=qr)", "0.01", STEPS);
  const enum shk_code code = run(&other, problem, spec, "0.01", STEPS);
  const bool ran = begun == SHK_OK && code == SHK_OK;
  const real apart = ran ? distance(&other.state, &full.state) / (unit * REAL_EPSILON) : -1;
  tap_ok(ran && apart <= 1, "%s on %s: %.2g of what rounding allows from linear=qr%s%s", spec,
         problem, (double)apart, code == SHK_OK ? "" : ": ", other.outcome.reason);
  tap_ok(ran && other.iterations <= full.iterations + 2 * STEPS,
         "%s on %s: %ld iterations (qr: %ld)", spec, problem, other.iterations, full.iterations);
  run_clear(&other);
  run_clear(&full);
}

/* What takes systems that are not separable is in the table. */
static void test_general(void)
{
  for (int i = 0; shk_linear_choices[i].name; i++) {
    const char *const name = shk_linear_choices[i].name;
    char spec[64];
    struct run r;
    snprintf(spec, sizeof spec, "rattle(linear=%s)", name);
    const enum shk_code code = run(&r, "charged-pendulum", spec, "0.02", 5);
    const bool takes = (shk_linear_traits(i) & SHK_TAKES_GENERAL) != 0;
    tap_ok(code == (takes ? SHK_OK : SHK_REFUSED), "%s on a general system: %s %s", spec,
           shk_code_name(code), r.outcome.reason);
    run_clear(&r);
  }
}

/* Pivots that are zero come out as round-off of either sign: singular all the same. */
static void test_pivots(const char *linear)
{
  static const char *const extras[] = {"twice", "scaled", "sum"};
  int singular = 0, all = 0;
  for (int links = 2; links <= 9; links++)
    for (int i = 0; i < 3; i++, all++) {
      char problem[64], spec[64];
      struct run r;
      snprintf(problem, sizeof problem, "chains(links=%d,extra=%s)", links, extras[i]);
      snprintf(spec, sizeof spec, "rattle(linear=%s)", linear);
      singular +=
          run(&r, problem, spec, "0.02", 1) == SHK_REFUSED && strstr(r.outcome.reason, "redundant");
      run_clear(&r);
    }
  tap_ok(singular == all, "linear=%s: %d of %d redundant systems are singular", linear, singular,
         all);
}

/* Whether each entry of the history is no larger than the one before. */
static void test_failures(void)
{
  struct run r;
  enum shk_code code = run(&r, "chains(links=3)", "rattle(iterations=1)", "0.1", 5);
  tap_ok(code == SHK_NOT_CONVERGED && r.history == 2 && r.last_residual > 0 && r.state.t == 0,
         "newton at its limit: %s, history of %d, %.1e last", r.outcome.reason, r.history,
         r.last_residual);
  run_clear(&r);
  code = run(&r, "chains(links=3)", "rattle(solver=simplified-newton,iterations=2)", "0.1", 5);
  tap_ok(code == SHK_NOT_CONVERGED && r.history == 3 && r.last_residual > 0,
         "simplified-newton at its limit: %s, history of %d", r.outcome.reason, r.history);
  run_clear(&r);
  code = run(&r, "chains(links=3)", "rattle(solver=gauss-seidel,iterations=5)", "0.1", 5);
  tap_ok(code == SHK_NOT_CONVERGED && r.history == 6 && r.last_residual > 0,
         "gauss-seidel at its limit: %s, history of %d", r.outcome.reason, r.history);
  run_clear(&r);
  code = run(&r, "chains(links=3)", "rattle(solver=gauss-seidel,tolerance=1e-4,iterations=20)",
             "0.1", 5);
  tap_ok(code == SHK_OK && r.constraint <= R(1e-4) && r.constraint > R(1e-9),
         "gauss-seidel to a tolerance of 1e-4: max|g| = %.1e", (double)r.constraint);
  run_clear(&r);
  /* A step that no lambda can make: the swing is longer than what the links allow. */
  static const char *const hopeless[] = {"rattle", "rattle(solver=simplified-newton)",
                                         "rattle(solver=gauss-seidel)", "rattle(linear=svd)",
                                         "rattle(linear=qr)"};
  for (size_t i = 0; i < sizeof hopeless / sizeof hopeless[0]; i++) {
    code = run(&r, "pendulum(angle=0.7,rate=1.1)", hopeless[i], "5", 1);
    tap_ok((code == SHK_NOT_CONVERGED || code == SHK_SINGULAR) && r.history > 0 && r.state.t == 0,
           "%s, a step too long: %s, history of %d", hopeless[i], shk_code_name(code), r.history);
    run_clear(&r);
  }
  /* At the lowest point forces act along the string: a step h at the speed v is h v away across it, and
   * no lambda makes |g| less than ½ (h² v² - 1). Halved steps lead there, until they stop improving;
   * whole ones end 7e-3 above it. */
  code = run(&r, "pendulum(angle=0,rate=1.1)", "rattle(solver=damped-newton)", "1.5", 1);
  const real least = R(0.5) * (R(1.65) * R(1.65) - 1);
  tap_ok(code == SHK_NOT_CONVERGED && real_fabs((real)r.last_residual - least) < R(1e-5),
         "damped-newton, a step too long: ends at max|g| = %.10f, the least there is %.10f",
         r.last_residual, (double)least);
  run_clear(&r);
  /* A constraint that contradicts another: qr and svd drop it, and then notice that it fails. */
  static const char *const dropping[] = {"rattle(linear=qr)", "rattle(linear=svd)"};
  for (size_t i = 0; i < 2; i++) {
    DRIVE d = {0};
    OUTCOME outcome = {0};
    const struct shk_cell cell =
        TEST_CELL(.problem = "chains(extra=contrary)", .integrator = (char *)dropping[i],
                  .step = "0.01", .until = "0.01");
    const bool began = shk_drive_begin(&test_context, &d, &outcome, &cell);
    tap_ok(!began && outcome.code == SHK_INCONSISTENT, "contradiction: the start is %s",
           shk_code_name(outcome.code));
    /* From the start all the same. */
    STATE to = {0};
    if (!shk_state_init(&to, d.bound.start.n, d.bound.start.m))
      abort();
    d.bound.step = R(0.01);
    code = shk_bind_method(&d.bound).code;
    if (code == SHK_OK)
      code = d.bound.integrator->step(d.bound.method, &to, &d.bound.start, R(0.01)).code;
    tap_ok(code == SHK_NOT_CONVERGED, "contradiction: %s ends %s", dropping[i],
           shk_code_name(code));
  }
}

/* Systems that are not separable take newton with auto or lu. */
static void test_refusals(void)
{
  static const char *const refused[] = {"rattle(solver=simplified-newton)",
                                        "rattle(solver=gauss-seidel)", "rattle(solver=linearized)",
                                        "rattle(linear=cholesky)", "rattle(linear=tikhonov)"};
  struct run r;
  enum shk_code code;
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
    code = run(&r, "charged-pendulum", refused[i], "0.01", 1);
    tap_ok(code == SHK_REFUSED && r.outcome.reason[0] != '\0',
           "%s on charged-pendulum: refused, %s", refused[i], r.outcome.reason);
    run_clear(&r);
  }
  code = run(&r, "charged-pendulum", "rattle(linear=lu)", "0.01", 1);
  tap_ok(code == SHK_OK, "rattle(linear=lu) on charged-pendulum");
  run_clear(&r);
}

static real rate(real coarse, real fine)
{
  return real_log(coarse / fine) / real_log((real)2);
}

/* Residuals after the same time at two steps: the rate at which a control leaves the constraint. */
static void leaves(const char *problem, const char *integrator, const char *step, long steps,
                   const char *half, real constraint_rate, real hidden_rate)
{
  struct run coarse, fine;
  const bool ran = run(&coarse, problem, integrator, step, steps) == SHK_OK &&
                   run(&fine, problem, integrator, half, steps > 1 ? 2 * steps : 1) == SHK_OK;
  const real g = ran ? rate(coarse.constraint, fine.constraint) : 0;
  const real hidden = ran ? rate(coarse.hidden, fine.hidden) : 0;
  tap_ok(ran && real_fabs(g - constraint_rate) < R(0.1) && real_fabs(hidden - hidden_rate) < R(0.1),
         "%s on %s, %ld steps of %s: |g| = %.1e falls like h^%.2f, |G H_p| = %.1e like h^%.2f",
         integrator, problem, steps, step, (double)coarse.constraint, (double)g,
         (double)coarse.hidden, (double)hidden);
  run_clear(&fine);
  run_clear(&coarse);
}

static void test_controls(void)
{
  /* One solve, and factors: one a step, where Newton has several. */
  struct run r;
  enum shk_code code = run(&r, "double-pendulum", "rattle(solver=linearized)", "0.01", 20);
  tap_ok(code == SHK_OK && r.factorizations == 20 && r.iterations == 40,
         "linearized: %ld factorizations, %ld solves in 20 steps", r.factorizations, r.iterations);
  run_clear(&r);
  /* What a step leaves the next one takes up: the violation does not accumulate. */
  leaves("chains", "rattle(solver=linearized)", "0.0005", 1, "0.00025", 3, 2);
  leaves("chains", "rattle(solver=linearized)", "0.0005", 2000, "0.00025", 3, 2);
  leaves("chains", "rattle(linear=tikhonov(epsilon=1e-2))", "0.0005", 2000, "0.00025", 2, 1);
  /* From rest there is nothing of first order in h to miss. */
  leaves("double-pendulum", "rattle(solver=linearized)", "0.001", 1, "0.0005", 4, 3);
  /* What tikhonov leaves is epsilon h²/2 lambda and epsilon h/2 mu, exactly. */
  const real h = R(0.01), epsilon = R(0.01);
  code =
      run(&r, "pendulum(angle=0.7,rate=1.1)", "rattle(linear=tikhonov(epsilon=0.01))", "0.01", 100);
  if (tap_ok(code == SHK_OK, "tikhonov runs")) {
    const real g = epsilon * h * h / 2 * real_fabs(r.state.lambda[0]);
    const real hidden = epsilon * h / 2 * real_fabs(r.state.mu[0]);
    tap_ok(
        real_fabs(r.constraint - g) < 1000 * REAL_EPSILON &&
            real_fabs(r.hidden - hidden) < 1000 * REAL_EPSILON && g > R(1e-8),
        "tikhonov: |g| = %.6e, epsilon h²/2 lambda = %.6e; |G H_p| = %.6e, epsilon h/2 mu = %.6e",
        (double)r.constraint, (double)g, (double)r.hidden, (double)hidden);
  }
  run_clear(&r);
  /* Where K is singular, it is a way through: both copies pull. */
  code = run(&r, "chains(links=3,extra=twice)", "rattle(linear=tikhonov)", "0.02", 50);
  tap_ok(code == SHK_OK && r.constraint > 1000 * REAL_EPSILON,
         "tikhonov on a doubled row: max|g| = %.1e", (double)r.constraint);
  run_clear(&r);
}

static bool claims_are(const char *spec, enum shk_answer constraint, enum shk_answer hidden,
                       enum shk_answer symplectic, int order)
{
  struct shk_claims c;
  struct shk_message error;
  return shk_bind_claims(&test_context, &c, spec, &error) && c.keeps_constraint == constraint &&
         c.keeps_hidden == hidden && c.symplectic == symplectic && c.symmetric == symplectic &&
         c.order_q == order && c.order_p == order;
}

static void test_claims(void)
{
  static const struct {
    const char *spec;
    enum shk_answer constraint, hidden, symplectic;
    int order;
  } cases[] = {
      {"rattle", SHK_YES, SHK_YES, SHK_YES, 2},
      {"rattle(linear=svd)", SHK_YES, SHK_YES, SHK_YES, 2},
      {"rattle(solver=gauss-seidel)", SHK_YES, SHK_YES, SHK_YES, 2},
      {"rattle(tolerance=1e-40)", SHK_YES, SHK_YES, SHK_YES, 2},
      {"rattle(tolerance=1e-8)", SHK_UNKNOWN, SHK_YES, SHK_UNKNOWN, SHK_NO_ORDER},
      {"rattle(solver=gauss-seidel,tolerance=1e-8)", SHK_UNKNOWN, SHK_UNKNOWN, SHK_UNKNOWN,
       SHK_NO_ORDER},
      {"rattle(criterion=count,iterations=3)", SHK_UNKNOWN, SHK_UNKNOWN, SHK_UNKNOWN, SHK_NO_ORDER},
      {"rattle(solver=linearized)", SHK_NO, SHK_NO, SHK_UNKNOWN, SHK_NO_ORDER},
      {"rattle(linear=tikhonov)", SHK_NO, SHK_NO, SHK_UNKNOWN, SHK_NO_ORDER},
      {"symplectic-euler-rattle(linear=tikhonov)", SHK_NO, SHK_NO, SHK_UNKNOWN, SHK_NO_ORDER},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const bool euler = strncmp(cases[i].spec, "symplectic", 10) == 0;
    struct shk_claims c;
    struct shk_message error;
    const bool ok = euler ? shk_bind_claims(&test_context, &c, cases[i].spec, &error) &&
                                c.keeps_constraint == SHK_NO && c.keeps_hidden == SHK_NO &&
                                c.symmetric == SHK_NO && c.order_q == SHK_NO_ORDER
                          : claims_are(cases[i].spec, cases[i].constraint, cases[i].hidden,
                                       cases[i].symplectic, cases[i].order);
    tap_ok(ok, "claims of %s", cases[i].spec);
  }
}

/* A solve to round-off takes what cancelling multipliers leave of g, within 2^18 roundings. */
static void test_cancelled(void)
{
  const bool quad = SHK_PRECISION == 128;
  struct run taken, refused;
  run(&taken, quad ? "near-parallel(epsilon=1e-9)" : "near-parallel(epsilon=1e-7)", "rattle",
      "0.02", 100);
  const real roundings = taken.constraint / REAL_EPSILON;
  tap_ok(taken.outcome.code == SHK_OK && taken.state.t > 1 && roundings < 262144,
         "nearly parallel constraints: to what their multipliers leave of g, %g roundings",
         (double)roundings);
  const enum shk_code code = run(&refused, "near-parallel(epsilon=1e-12)",
                                 quad ? "rattle" : "rattle(linear=svd)", "0.02", 100);
  tap_ok(code == SHK_NOT_CONVERGED && refused.last_residual > 131072 * (double)REAL_EPSILON,
         "and are not where that is a million times more: %s", refused.outcome.reason);
  run_clear(&taken);
  run_clear(&refused);
}

/* What `auto` is: the same bits as the factorization that it stands for, and as no other. */
static void test_auto(const char *problem, const char *chosen, const char *other)
{
  struct run by_itself, named, unlike;
  char spec[64];
  run(&by_itself, problem, "rattle", "0.02", 40);
  snprintf(spec, sizeof spec, "rattle(linear=%s)", chosen);
  run(&named, problem, spec, "0.02", 40);
  snprintf(spec, sizeof spec, "rattle(linear=%s)", other);
  run(&unlike, problem, spec, "0.02", 40);
  const size_t size = (size_t)by_itself.state.m * sizeof(real);
  tap_ok(memcmp(by_itself.state.lambda, named.state.lambda, size) == 0 &&
             memcmp(by_itself.state.lambda, unlike.state.lambda, size) != 0,
         "%s: auto is %s and not %s", problem, chosen, other);
  run_clear(&unlike);
  run_clear(&named);
  run_clear(&by_itself);
}

int main(void)
{
  if (!load_test_plugin("SHAKEDOWN_CHAINS"))
    return tap_done();
  test_auto("chains(count=4,links=3)", "block", "sparse-ldl");
  test_auto("chains(count=4,links=4)", "sparse-ldl", "block");
  test_auto("double-pendulum", "lu", "sparse-ldl");
  test_cancelled();
  test_auto("chains(count=1,links=9)", "sparse-ldl", "lu");
  test_same_motion("pendulum(angle=0.7,rate=1.1)", 100);
  test_same_motion("double-pendulum", 50);
  test_same_motion("spherical-pendulum", 100);
  test_same_motion("chain(links=4,start=zigzag)", 20);
  test_same_motion("chains(count=4,links=3)", 20);
  const char *const factors[] = {"lu", "sparse-ldl", "block"};
  for (int i = 0; i < 3; i++)
    test_digits("chain(links=12,start=zigzag)", factors[i], 3000);
  for (int i = 0; i < 3; i++)
    test_digits(REAL_DIGITS < 30 ? "near-parallel(epsilon=1e-2)" : "near-parallel(epsilon=1e-9)",
                factors[i], REAL_DIGITS < 30 ? 3000 : R(1e9));
  test_redundant("twice");
  test_redundant("scaled");
  test_redundant("sum");
  test_general();
  const char *linear;
  for (int i = 0; (linear = next_choice(&i, "linear", leave_constraint)) != NULL;)
    if (!is_left_out(take_redundant, linear))
      test_pivots(linear);
  test_failures();
  test_refusals();
  test_controls();
  test_claims();
  return tap_done();
}
