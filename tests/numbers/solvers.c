/*
 * Every way to solve for multipliers with every factorization: on independent constraints all give
 * RATTLE's motion; a redundant constraint is solved by qr, svd and sweeps and is singular for the
 * others; a solve that meets its limit fails with its history; the controls leave the constraint at
 * their own rates; and what options take away from claims.
 */
#include "mechanics/algebra/factorizations/factorization.h"
#include "tests/kit/motion.h"
#include "tests/kit/registered.h"
#include "tests/kit/test_plugin.h"

/* The largest difference of q and p; -1 if one of the two did not reach its end. */
static real eps_apart(const struct motion *one, const struct motion *other)
{
  const struct shk_state *const a = &one->state, *const b = &other->state;
  if (one->code != SHK_OK || other->code != SHK_OK)
    return -1;
  return real_max(largest_difference(a->q, b->q, b->n), largest_difference(a->p, b->p, b->n)) /
         REAL_EPSILON;
}

static double last_residual(const struct motion *m)
{
  return m->history_count > 0 ? m->history[m->history_count - 1] : 0;
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
  MOTION reference = move(problem, "rattle(linear=lu)", "0.02", steps);
  tap_ok(reference.code == SHK_OK, "%s: newton, lu", problem);
  const char *solver, *linear;
  for (int s = 0; (solver = next_choice(&s, "solver", leave_constraint)) != NULL;)
    for (int l = 0; (linear = next_choice(&l, "linear", leave_constraint)) != NULL;) {
      char spec[96];
      snprintf(spec, sizeof spec, "rattle(solver=%s,linear=%s)", solver, linear);
      MOTION other = move(problem, spec, "0.02", steps);
      const real apart = eps_apart(&other, &reference);
      tap_ok(apart >= 0 && apart <= 3000, "%s on %s: %ld steps end %.0f eps from newton's %s", spec,
             problem, steps, (double)apart, other.outcome.reason);
      if (strcmp(solver, "simplified-newton") ==
          0) /* one matrix for the positions, one for the momenta */
        tap_ok(other.counters.factorizations == 2 * steps, "%s: %ld factorizations in %ld steps",
               spec, other.counters.factorizations, steps);
      if (strcmp(solver, "gauss-seidel") == 0)
        /* A single constraint's sweep is Newton's iteration. */
        tap_ok(other.counters.factorizations == 0 &&
                   other.counters.iterations >= reference.counters.iterations &&
                   (other.state.m == 1 ||
                    other.counters.iterations > 2 * reference.counters.iterations),
               "%s: no factorization, %ld sweeps (newton: %ld iterations)", spec,
               other.counters.iterations, reference.counters.iterations);
    }
}

static const struct left_out take_redundant[] = {
    {"qr", "drops rows"}, {"svd", "divides the force among them"}, {NULL, NULL}};

/* A row that the others imply: solved by sweeps and by what takes redundant rows, refused to the
 * others. */
static void test_redundant(const char *extra)
{
  char problem[64], spec[96];
  snprintf(problem, sizeof problem, "chains(links=3,extra=%s)", extra);
  MOTION plain = move("chains(links=3)", "rattle", "0.02", 50);
  tap_ok(plain.code == SHK_OK, "chains without extra");
  const char *solver, *linear;
  for (int i = 0; (solver = next_choice(&i, "solver", leave_constraint)) != NULL;)
    for (int l = 0; (linear = next_choice(&l, "linear", leave_constraint)) != NULL;) {
      snprintf(spec, sizeof spec, "rattle(solver=%s,linear=%s)", solver, linear);
      MOTION other = move(problem, spec, "0.02", 50);
      if (strcmp(solver, "gauss-seidel") == 0 || is_left_out(take_redundant, linear)) {
        const real apart = eps_apart(&other, &plain);
        tap_ok(apart >= 0 && apart <= 5000, "%s with extra=%s: %.0f eps from the motion without %s",
               spec, extra, (double)apart, other.outcome.reason);
      } else {
        tap_ok(other.code == SHK_REFUSED && strstr(other.outcome.reason, "redundant"),
               "%s with extra=%s: %s (%s)", spec, extra, shk_code_name(other.code),
               other.outcome.reason);
      }
    }
}

/* Factors in double serve quad where they gain digits, to the last one; where the matrix is too
 * ill-conditioned for them, those in quad do. `qr` is always in full. */
static void test_digits(const char *problem, const char *linear, real unit)
{
  char spec[64];
  enum { STEPS = 20 };
  snprintf(spec, sizeof spec, "rattle(linear=%s)", linear);
  MOTION full = move(problem, "rattle(linear=qr)", "0.01", STEPS);
  MOTION other = move(problem, spec, "0.01", STEPS);
  const real apart = eps_apart(&other, &full) / unit;
  tap_ok(apart >= 0 && apart <= 1, "%s on %s: %.2g of what rounding allows from linear=qr %s", spec,
         problem, (double)apart, other.outcome.reason);
  tap_ok(apart >= 0 && other.counters.iterations <= full.counters.iterations + 2 * STEPS,
         "%s on %s: %ld iterations (qr: %ld)", spec, problem, other.counters.iterations,
         full.counters.iterations);
}

/* What takes systems that are not separable is in the table. */
static void test_general(void)
{
  for (int i = 0; shk_linear_choices[i].name; i++) {
    const char *const name = shk_linear_choices[i].name;
    char spec[64];
    snprintf(spec, sizeof spec, "rattle(linear=%s)", name);
    MOTION r = move("charged-pendulum", spec, "0.02", 5);
    const bool takes = (shk_linear_traits(i) & SHK_TAKES_GENERAL) != 0;
    tap_ok(r.code == (takes ? SHK_OK : SHK_REFUSED), "%s on a general system: %s %s", spec,
           shk_code_name(r.code), r.outcome.reason);
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
      snprintf(problem, sizeof problem, "chains(links=%d,extra=%s)", links, extras[i]);
      snprintf(spec, sizeof spec, "rattle(linear=%s)", linear);
      MOTION r = move(problem, spec, "0.02", 1);
      singular += r.code == SHK_REFUSED && strstr(r.outcome.reason, "redundant");
    }
  tap_ok(singular == all, "linear=%s: %d of %d redundant systems are singular", linear, singular,
         all);
}

/* A solve that meets its limit fails with its history: a residual before it, and one after each
 * iteration. */
static void test_limits(void)
{
  static const struct {
    const char *integrator;
    int history;
  } cases[] = {{"rattle(iterations=1)", 2},
               {"rattle(solver=simplified-newton,iterations=2)", 3},
               {"rattle(solver=gauss-seidel,iterations=5)", 6}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    MOTION r = move("chains(links=3)", cases[i].integrator, "0.1", 5);
    tap_ok(r.code == SHK_NOT_CONVERGED && r.history_count == cases[i].history &&
               last_residual(&r) > 0 && r.state.t == 0,
           "%s at its limit: %s, history of %d, %.1e last", cases[i].integrator, r.outcome.reason,
           r.history_count, last_residual(&r));
  }
  MOTION loose =
      move("chains(links=3)", "rattle(solver=gauss-seidel,tolerance=1e-4,iterations=20)", "0.1", 5);
  tap_ok(loose.code == SHK_OK && loose.constraint <= R(1e-4) && loose.constraint > R(1e-9),
         "gauss-seidel to a tolerance of 1e-4: max|g| = %.1e", (double)loose.constraint);
}

static void test_failures(void)
{
  /* A step that no lambda can make: the swing is longer than what the links allow. */
  static const char *const hopeless[] = {"rattle", "rattle(solver=simplified-newton)",
                                         "rattle(solver=gauss-seidel)", "rattle(linear=svd)",
                                         "rattle(linear=qr)"};
  for (size_t i = 0; i < sizeof hopeless / sizeof hopeless[0]; i++) {
    MOTION r = move("pendulum(angle=0.7,rate=1.1)", hopeless[i], "5", 1);
    tap_ok((r.code == SHK_NOT_CONVERGED || r.code == SHK_SINGULAR) && r.history_count > 0 &&
               r.state.t == 0,
           "%s, a step too long: %s, history of %d", hopeless[i], shk_code_name(r.code),
           r.history_count);
  }
  /* At the lowest point forces act along the string: a step h at the speed v is h v away across it, and
   * no lambda makes |g| less than ½ (h² v² - 1). Halved steps lead there, until they stop improving;
   * whole ones end 7e-3 above it. */
  MOTION damped = move("pendulum(angle=0,rate=1.1)", "rattle(solver=damped-newton)", "1.5", 1);
  const double least = 0.5 * (1.65 * 1.65 - 1);
  tap_ok(damped.code == SHK_NOT_CONVERGED && fabs(last_residual(&damped) - least) < 1e-5,
         "damped-newton, a step too long: ends at max|g| = %.10f, the least there is %.10f",
         last_residual(&damped), least);
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
    enum shk_code code = shk_bind_method(&d.bound).code;
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
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
    MOTION r = move("charged-pendulum", refused[i], "0.01", 1);
    tap_ok(r.code == SHK_REFUSED && r.outcome.reason[0] != '\0',
           "%s on charged-pendulum: refused, %s", refused[i], r.outcome.reason);
  }
  MOTION taken = move("charged-pendulum", "rattle(linear=lu)", "0.01", 1);
  tap_ok(taken.code == SHK_OK, "rattle(linear=lu) on charged-pendulum");
}

static real rate(real coarse, real fine)
{
  return real_log(coarse / fine) / real_log((real)2);
}

/* Residuals after the same time at two steps: the rate at which a control leaves the constraint. */
static void leaves(const char *problem, const char *integrator, const char *step, long steps,
                   const char *half, real constraint_rate, real hidden_rate)
{
  MOTION coarse = move(problem, integrator, step, steps);
  MOTION fine = move(problem, integrator, half, steps > 1 ? 2 * steps : 1);
  const bool ran = coarse.code == SHK_OK && fine.code == SHK_OK;
  const real g = ran ? rate(coarse.constraint, fine.constraint) : 0;
  const real hidden = ran ? rate(coarse.hidden, fine.hidden) : 0;
  tap_ok(ran && real_fabs(g - constraint_rate) < R(0.1) && real_fabs(hidden - hidden_rate) < R(0.1),
         "%s on %s, %ld steps of %s: |g| = %.1e falls like h^%.2f, |G H_p| = %.1e like h^%.2f",
         integrator, problem, steps, step, (double)coarse.constraint, (double)g,
         (double)coarse.hidden, (double)hidden);
}

static void test_controls(void)
{
  /* One solve, and factors: one a step, where Newton has several. */
  MOTION linearized = move("double-pendulum", "rattle(solver=linearized)", "0.01", 20);
  const struct shk_counters *const counters = &linearized.counters;
  tap_ok(linearized.code == SHK_OK && counters->factorizations == 20 && counters->iterations == 40,
         "linearized: %ld factorizations, %ld solves in 20 steps", counters->factorizations,
         counters->iterations);
  /* What a step leaves the next one takes up: the violation does not accumulate. */
  leaves("chains", "rattle(solver=linearized)", "0.0005", 1, "0.00025", 3, 2);
  leaves("chains", "rattle(solver=linearized)", "0.0005", 2000, "0.00025", 3, 2);
  leaves("chains", "rattle(linear=tikhonov(epsilon=1e-2))", "0.0005", 2000, "0.00025", 2, 1);
  /* From rest there is nothing of first order in h to miss. */
  leaves("double-pendulum", "rattle(solver=linearized)", "0.001", 1, "0.0005", 4, 3);
  /* What tikhonov leaves is epsilon h²/2 lambda and epsilon h/2 mu, exactly. */
  const real h = R(0.01), epsilon = R(0.01);
  MOTION r =
      move("pendulum(angle=0.7,rate=1.1)", "rattle(linear=tikhonov(epsilon=0.01))", "0.01", 100);
  if (tap_ok(r.code == SHK_OK, "tikhonov runs")) {
    const real g = epsilon * h * h / 2 * real_fabs(r.state.lambda[0]);
    const real hidden = epsilon * h / 2 * real_fabs(r.state.mu[0]);
    tap_ok(
        real_fabs(r.constraint - g) < 1000 * REAL_EPSILON &&
            real_fabs(r.hidden - hidden) < 1000 * REAL_EPSILON && g > R(1e-8),
        "tikhonov: |g| = %.6e, epsilon h²/2 lambda = %.6e; |G H_p| = %.6e, epsilon h/2 mu = %.6e",
        (double)r.constraint, (double)g, (double)r.hidden, (double)hidden);
  }
  /* Where K is singular, it is a way through: both copies pull. */
  MOTION doubled = move("chains(links=3,extra=twice)", "rattle(linear=tikhonov)", "0.02", 50);
  tap_ok(doubled.code == SHK_OK && doubled.constraint > 1000 * REAL_EPSILON,
         "tikhonov on a doubled row: max|g| = %.1e", (double)doubled.constraint);
}

static void test_claims(void)
{
  static const struct {
    const char *spec;
    enum shk_answer constraint, hidden, symplectic, symmetric;
    int order;
  } cases[] = {
      {"rattle", SHK_YES, SHK_YES, SHK_YES, SHK_YES, 2},
      {"rattle(linear=svd)", SHK_YES, SHK_YES, SHK_YES, SHK_YES, 2},
      {"rattle(solver=gauss-seidel)", SHK_YES, SHK_YES, SHK_YES, SHK_YES, 2},
      {"rattle(tolerance=1e-40)", SHK_YES, SHK_YES, SHK_YES, SHK_YES, 2},
      {"rattle(tolerance=1e-8)", SHK_UNKNOWN, SHK_YES, SHK_UNKNOWN, SHK_UNKNOWN, SHK_NO_ORDER},
      {"rattle(solver=gauss-seidel,tolerance=1e-8)", SHK_UNKNOWN, SHK_UNKNOWN, SHK_UNKNOWN,
       SHK_UNKNOWN, SHK_NO_ORDER},
      {"rattle(criterion=count,iterations=3)", SHK_UNKNOWN, SHK_UNKNOWN, SHK_UNKNOWN, SHK_UNKNOWN,
       SHK_NO_ORDER},
      {"rattle(solver=linearized)", SHK_NO, SHK_NO, SHK_UNKNOWN, SHK_UNKNOWN, SHK_NO_ORDER},
      {"rattle(linear=tikhonov)", SHK_NO, SHK_NO, SHK_UNKNOWN, SHK_UNKNOWN, SHK_NO_ORDER},
      {"symplectic-euler-rattle(linear=tikhonov)", SHK_NO, SHK_NO, SHK_UNKNOWN, SHK_NO,
       SHK_NO_ORDER},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct shk_claims c;
    struct shk_message error;
    tap_ok(shk_bind_claims(&test_context, &c, cases[i].spec, &error) &&
               c.keeps_constraint == cases[i].constraint && c.keeps_hidden == cases[i].hidden &&
               c.symplectic == cases[i].symplectic && c.symmetric == cases[i].symmetric &&
               c.order_q == cases[i].order && c.order_p == cases[i].order,
           "claims of %s", cases[i].spec);
  }
}

/* A solve to round-off takes what cancelling multipliers leave of g, within 2^18 roundings. */
static void test_cancelled(void)
{
  const bool quad = SHK_PRECISION == 128;
  MOTION taken = move(quad ? "near-parallel(epsilon=1e-9)" : "near-parallel(epsilon=1e-7)",
                      "rattle", "0.02", 100);
  const real roundings = taken.constraint / REAL_EPSILON;
  tap_ok(taken.code == SHK_OK && taken.state.t > 1 && roundings < 262144,
         "nearly parallel constraints: to what their multipliers leave of g, %g roundings",
         (double)roundings);
  MOTION refused =
      move("near-parallel(epsilon=1e-12)", quad ? "rattle" : "rattle(linear=svd)", "0.02", 100);
  tap_ok(refused.code == SHK_NOT_CONVERGED &&
             last_residual(&refused) > 131072 * (double)REAL_EPSILON,
         "and are not where that is a million times more: %s", refused.outcome.reason);
}

/* What `auto` is: the same bits as the factorization that it stands for, and as no other. */
static void test_auto(const char *problem, const char *chosen, const char *other)
{
  char with_chosen[64], with_other[64];
  snprintf(with_chosen, sizeof with_chosen, "rattle(linear=%s)", chosen);
  snprintf(with_other, sizeof with_other, "rattle(linear=%s)", other);
  MOTION by_itself = move(problem, "rattle", "0.02", 40);
  MOTION named = move(problem, with_chosen, "0.02", 40);
  MOTION unlike = move(problem, with_other, "0.02", 40);
  const size_t size = (size_t)by_itself.state.m * sizeof(real);
  tap_ok(memcmp(by_itself.state.lambda, named.state.lambda, size) == 0 &&
             memcmp(by_itself.state.lambda, unlike.state.lambda, size) != 0,
         "%s: auto is %s and not %s", problem, chosen, other);
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
  test_limits();
  test_failures();
  test_refusals();
  test_controls();
  test_claims();
  return tap_done();
}
