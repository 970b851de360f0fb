/*
 * The reference integrator: against exact solutions at every tolerance, against itself at others,
 * the manifold, points of rest, and how it fails.
 */
#include "mechanics/binding/real_text.h"
#include "tests/kit/adaptive.h"

#if SHK_PRECISION == 64
#define FINEST "1e-14"
#define FINE "1e-12"
#define COARSE "1e-10"
#define NUDGE "1e-6"
static const real finest = 1e-14, fine = 1e-12, coarse = 1e-10;
static const char *const ladder[] = {"1e-4", "1e-6", "1e-8", "1e-10", "1e-12", NULL};
#else
#define FINEST "1e-30"
#define FINE "1e-28"
#define COARSE "1e-25"
#define NUDGE "1e-18"
static const real finest = R(1e-30), fine = R(1e-28), coarse = R(1e-25);
static const char *const ladder[] = {"1e-5", "1e-10", "1e-15", "1e-20", "1e-25", "1e-30", NULL};
#endif

/* Local errors of the size of the tolerance add up over some tens of internal steps, and the motion
 * carries them on: on the pendulums, a phase error grows linearly over some periods. */
#define GROWTH 1000

/* Errors at round-off: a few operations on numbers of the size of the state. */
#define AT_ROUND_OFF (64 * REAL_EPSILON)

/* `gradients`: about a third more than it takes in double and in quad. A fault in the extrapolation
 * lowers the order; the error control makes up for it, at a price that shows. */
static void test_exact(const char *problem, real time, long in_double, long in_quad)
{
  const long limit = SHK_PRECISION == 64 ? in_double : in_quad;
  RUN run = {0};
  real lambda_error;
  if (make_run(&run, problem, "reference", FINEST, time, 1)) {
    const real error = exact_error(&run, &lambda_error);
    tap_ok(error <= GROWTH * finest, "%s to t = %g: error %.1e", problem, (double)time,
           (double)error);
    tap_ok(lambda_error <= 10 * GROWTH * finest, "%s: lambda's error %.1e", problem,
           (double)lambda_error);
    tap_ok(run.drive.current.mu[0] == 0, "%s: mu is zero", problem);
    const long gradients = run.drive.bound.evaluator.counters.gradient;
    tap_ok(gradients <= limit, "%s: %ld gradients", problem, gradients);
  }
}

static void test_ladder(const char *problem, real time)
{
  real before = INFINITY, lambda_error;
  for (int i = 0; ladder[i]; i++) {
    RUN run = {0};
    real tolerance = 0;
    if (shk_real_parse(&tolerance, ladder[i]) &&
        make_run(&run, problem, "reference", ladder[i], time, 1)) {
      const real error = exact_error(&run, &lambda_error);
      tap_ok(error <= GROWTH * tolerance && error < before / 3, "%s at %s: error %.1e", problem,
             ladder[i], (double)error);
      /* The tolerance drives the step, but the manifold is met to round-off whatever it is. */
      tap_ok(run.constraint <= AT_ROUND_OFF && run.hidden <= AT_ROUND_OFF,
             "%s at %s: on the manifold, %.1e and %.1e", problem, ladder[i], (double)run.constraint,
             (double)run.hidden);
      before = error;
    }
  }
}

/* The same at two tolerances, with another number of columns and with other output times. */
static void test_itself(const char *problem, real time, real growth)
{
  RUN best = {0};
  const struct {
    const char *integrator, *tolerance;
    real bound;
    int steps;
  } variants[] = {{"reference", COARSE, coarse, 1},
                  {"reference(columns=9)", FINE, fine, 1},
                  {"reference(columns=16)", FINE, fine, 1},
                  {"reference", FINE, fine, 53}};
  if (make_run(&best, problem, "reference", FINE, time, 1)) {
    const struct shk_state *a = &best.drive.current;
    tap_ok(best.energy <= growth * fine, "%s: energy changes by %.1e", problem,
           (double)best.energy);
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
      RUN other = {0};
      if (make_run(&other, problem, variants[i].integrator, variants[i].tolerance, time,
                   variants[i].steps)) {
        const real difference = state_difference(a, &other.drive.current);
        tap_ok(difference <= growth * variants[i].bound && (difference > 0 || i > 0),
               "%s: %s at %s in %d steps is as far as %.1e", problem, variants[i].integrator,
               variants[i].tolerance, variants[i].steps, (double)difference);
      }
    }
    const struct shk_counters *counters = &best.drive.bound.evaluator.counters;
    tap_ok(counters->steps > 1 && counters->gradient > 10 * counters->steps,
           "%s: %ld internal steps and %ld gradients are counted", problem, counters->steps,
           counters->gradient);
  }
}

static void test_backwards(void)
{
  RUN run = {0};
  if (make_run(&run, "double-pendulum", "reference", FINE, 2, 3)) {
    go_on(&run, -2, 2);
    const real difference = state_difference(&run.drive.current, &run.drive.bound.start);
    tap_ok(run.status.code == SHK_OK && difference <= GROWTH * fine,
           "forward and back: %.1e from the start", (double)difference);
  }
}

/* At rest p vanishes and so does the net force: the error test must not take round-off for an
 * error, nor fail where everything is exactly zero. */
static void test_rest(void)
{
  RUN hanging = {0}, swinging = {0}, weightless = {0};
  if (make_run(&hanging, "pendulum(angle=0)", "reference", FINEST, 100, 1)) {
    const struct shk_counters *counters = &hanging.drive.bound.evaluator.counters;
    const real difference = state_difference(&hanging.drive.current, &hanging.drive.bound.start);
    tap_ok(difference <= 100 * REAL_EPSILON && counters->steps < 1000,
           "hanging at rest: %.1e in %ld internal steps", (double)difference, counters->steps);
  }
  if (make_run(&swinging, "pendulum(angle=1e-9)", "reference", FINEST, 10, 1)) {
    const struct shk_counters *counters = &swinging.drive.bound.evaluator.counters;
    real lambda_error;
    const real error = exact_error(&swinging, &lambda_error);
    tap_ok(error <= 1000 * REAL_EPSILON && counters->steps < 1000,
           "small oscillations: error %.1e in %ld internal steps", (double)error, counters->steps);
  }
  if (make_run(&weightless, "pendulum(gravity=0,angle=0.3)", "reference", FINEST, 10, 1))
    tap_ok(state_difference(&weightless.drive.current, &weightless.drive.bound.start) <=
               4 * REAL_EPSILON,
           "no force, no motion");
}

/* A nudge moves the start by about so much and leaves it consistent; another draw, elsewhere. */
static void test_nudge(const char *problem)
{
  const real nudge = SHK_PRECISION == 64 ? R(1e-6) : R(1e-18);
  const char *const methods[] = {"reference(nudge=" NUDGE ")", "reference(nudge=" NUDGE ",draw=2)"};
  RUN still = {0};
  struct run moved[2];
  bool ok = make_run(&still, problem, "reference", FINE, R(0.5), 1);
  for (int i = 0; i < 2; i++)
    ok = make_run(&moved[i], problem, methods[i], FINE, R(0.5), 1) && ok;
  if (ok) {
    for (int i = 0; i < 2; i++) {
      const real apart = state_difference(&still.drive.current, &moved[i].drive.current);
      tap_ok(apart > nudge / 100 && apart < 100 * nudge, "%s: %s is %.1e away", problem, methods[i],
             (double)apart);
      tap_ok(moved[i].constraint <= AT_ROUND_OFF && moved[i].hidden <= AT_ROUND_OFF,
             "on the manifold, %.1e and %.1e", (double)moved[i].constraint,
             (double)moved[i].hidden);
    }
    tap_ok(state_difference(&moved[0].drive.current, &moved[1].drive.current) > nudge / 100,
           "%s: the draws differ", problem);
  }
  for (int i = 0; i < 2; i++)
    end_run(&moved[i]);
}

static void test_failures(void)
{
  const char *const problem = "pendulum(angle=0.7,rate=1.1)";
  const char *const impossible[] = {"0", "1e-40"};
  for (size_t i = 0; i < sizeof impossible / sizeof impossible[0]; i++) {
    RUN run = {0};
    const bool begun = begin_run(&run, problem, "reference", impossible[i]);
    tap_ok(!begun && run.status.code == SHK_BAD_INPUT, "a tolerance of %s is refused: %s",
           impossible[i], run.outcome.reason);
  }

  tap_ok(meet_failures(problem, "reference", COARSE, GROWTH * coarse) > 0,
         "what asks for less has a step rejected");
}

int main(void)
{
  test_exact("pendulum(angle=0.7,rate=1.1)", R(10.7), 4000, 22000);
  test_exact("pendulum(angle=0.3,rate=2.9,length=0.8,mass=1.7)", R(4.3), 2800, 15000);
  test_exact("harmonic-sphere(gravity=0,start=half)", R(10.7), 1700, 6800);
  test_ladder("pendulum(angle=2.2,rate=0.4)", R(5.9));
  test_itself("sprung-pendulum", R(10.3), GROWTH);
  test_itself("double-pendulum", R(2.3), GROWTH);
  test_itself("chain(links=10,start=zigzag)", R(0.7), 10 * GROWTH);
  test_itself("charged-pendulum", R(10.3), GROWTH);
  test_itself("harmonic-sphere", R(6.3), GROWTH);
  test_backwards();
  test_rest();
  test_nudge("double-pendulum");
  test_nudge("harmonic-sphere");
  test_failures();
  return tap_done();
}
