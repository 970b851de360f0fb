/*
 * Where the solve for lambda begins (guess=) changes iterations, and with a solve to round-off
 * nothing else.
 */
#include "tests/kit/driving.h"

enum { STEPS = 200 };

/* The end of STEPS steps, and the iterations that they took. */
static bool run(struct shk_drive *d, long *iterations, const char *problem, const char *integrator)
{
  const bool ok = begin_own(d, problem, integrator, "0.02") && advance(d, STEPS);
  *iterations = ok ? d->bound.evaluator.counters.iterations : 0;
  return ok;
}

/* All guesses lead to the same; `counted`: where lambda alone is iterated, from zero in more
 * iterations and extrapolated in no more. */
static void check_guesses(const char *problem, const char *method, const char *others, bool counted)
{
  static const char *const guesses[] = {"previous", "zero", "extrapolated"};
  struct shk_drive d[3];
  long iterations[3];
  bool ok = true;
  for (int k = 0; k < 3; k++) {
    char text[DRIVING_TEXT];
    snprintf(text, sizeof text, "%s(guess=%s%s)", method, guesses[k], others);
    ok = run(&d[k], &iterations[k], problem, text) && ok;
  }
  for (int k = 1; ok && k < 3; k++) {
    /* Each step rounds lambda anew, which moves states by a few eps; so many steps add up. */
    const real apart = difference(&d[0].current, &d[k].current) / REAL_EPSILON;
    tap_ok(apart <= 10 * STEPS, "%s on %s: guess=%s leads to the same: %.0f eps", method, problem,
           guesses[k], (double)apart);
  }
  /* Whether a residual at the edge of round-off takes one iteration more is chance: of STEPS such
   * events counts differ by three times their root at most. */
  const int most = REAL_DIGITS > 30 && d[0].current.m == 1 ? -1 : 50;
  if (counted)
    tap_ok(ok && iterations[1] > iterations[0] + most && iterations[2] <= iterations[0] + 42,
           "%s on %s: %ld iterations from zero, %ld from the last lambda, %ld from an extrapolated "
           "one",
           method, problem, iterations[1], iterations[0], iterations[2]);
  for (int k = 0; k < 3; k++)
    shk_drive_end(&d[k]);
}

/* A solve that ends at a tolerance: the first iterate is the guess, and accepted if it will do. */
static void check_loose(void)
{
  DRIVE previous = {0}, zero = {0};
  long from_previous, from_zero;
  const bool ok = run(&previous, &from_previous, "sprung-pendulum", "shake(tolerance=1e-5)") &
                  run(&zero, &from_zero, "sprung-pendulum", "shake(tolerance=1e-5,guess=zero)");
  tap_ok(ok && from_zero >= STEPS * 9 / 10 && from_previous < from_zero,
         "tolerance 1e-5: of %d steps %ld iterate from zero, %ld from the last lambda", STEPS,
         from_zero, from_previous);
}

int main(void)
{
  check_guesses("sprung-pendulum", "shake", "", true);
  check_guesses("double-pendulum", "rattle", "", true);
  check_guesses("charged-pendulum", "rattle", "", false);             /* implicit stages */
  check_guesses("sprung-pendulum", "shake", ",flow=midpoint", false); /* the geometric form */
  check_loose();
  /* Over other flows than Störmer-Verlet. */
  is_refused("sprung-pendulum", "shake(momentum=central,flow=midpoint)", "central");
  return tap_done();
}
