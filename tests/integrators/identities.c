/*
 * Different computations that must give the same motion: SHAKE's and RATTLE's positions over 1000
 * steps (Pi ∘ S_hᵏ = R_hᵏ), RATTLE under every factorization, and a symmetric method run forward
 * and back.
 */
#include "engine/engine.h"
#include "tests/kit/stepping.h"

#include <stdio.h>
#include <string.h>

/* Two integrators' positions (and momenta) after `steps`, against `limit` epsilons: round-off of
 * one step is about one, and grows with the steps and the motion's own sensitivity. */
static void compare(const char *problem, const char *one, const char *other, const char *step,
                    long steps, bool momenta, real limit)
{
  struct shk_state a, b;
  if (!tap_ok(reach(&a, problem, one, step, NULL, steps), "%s on %s runs", one, problem))
    return;
  if (tap_ok(reach(&b, problem, other, step, NULL, steps), "%s on %s runs", other, problem)) {
    const real q = largest_difference(a.q, b.q, a.n) / REAL_EPSILON;
    tap_ok(q <= limit, "%s: positions of %s and %s after %ld steps differ by %.0f eps", problem,
           one, other, steps, (double)q);
    if (momenta) {
      const real p = largest_difference(a.p, b.p, a.n) / REAL_EPSILON;
      tap_ok(p <= limit, "%s: momenta of %s and %s differ by %.0f eps", problem, one, other,
             (double)p);
    } else {
      tap_ok(largest_difference(a.p, b.p, a.n) > R(1e-6), "%s: momenta of %s and %s do differ",
             problem, one, other);
    }
    shk_state_clear(&b);
  }
  shk_state_clear(&a);
}

static void forward_and_back(const char *problem, const char *integrator, const char *step,
                             long steps, real limit)
{
  struct shk_drive d;
  struct shk_outcome outcome;
  bool well = begin_drive(&d, &outcome, problem, integrator, step, NULL);
  const real h = d.bound.step;
  for (long k = 0; well && k < 2 * steps; k++) {
    d.bound.step = k < steps ? h : -h;
    well = shk_drive_step(&d, d.current.t + d.bound.step).code == SHK_OK;
    shk_drive_accept(&d);
  }
  const real back = well ? real_max(largest_difference(d.current.q, d.bound.start.q, d.current.n),
                                    largest_difference(d.current.p, d.bound.start.p, d.current.n)) /
                               REAL_EPSILON
                         : REAL_EPSILON;
  tap_ok(well && back <= limit, "%s on %s: %ld steps forward and back return to %.0f eps",
         integrator, problem, steps, (double)back);
  shk_outcome_clear(&outcome);
  shk_drive_end(&d);
}

static void test_block_errors(void)
{
  double difference, size, pure, mixed;
  const struct shk_engine *engine = &SHK_NAME(shk_engine);
  tap_ok(engine->difference(&difference, &size, "1 0.25 -4", "1.5 0 -8") && difference == 4 &&
             size == 8,
         "difference of blocks: max norms");
  tap_ok(engine->relative(&pure, &mixed, "1 0.25 -4", "1.5 0 -8") && pure * 2 == 1 &&
             fabs(mixed - 4 / (double)9) < (double)1 / 100000,
         "relative errors of blocks: by component, zeros left out of the pure one");
  tap_ok(!engine->relative(&pure, &mixed, "1 2", "1") &&
             !engine->difference(&difference, &size, "1", "x"),
         "blocks of different length, or of something else, are refused");
}

int main(void)
{
  test_block_errors();
  static const char *const problems[] = {"pendulum(angle=0.7,rate=1.1)", "sprung-pendulum",
                                         "spherical-pendulum", "charged-pendulum"};
  for (size_t i = 0; i < sizeof problems / sizeof problems[0]; i++) {
    compare(problems[i], "shake", "rattle", "0.01", 1000, false, 100);
    compare(problems[i], "symplectic-euler-shake", "symplectic-euler-rattle", "0.01", 1000, false,
            100);
    forward_and_back(problems[i], "rattle", "0.01", 1000, 100);
  }
  /* From rest, where momenta are nearly zero and their increments are not. */
  compare("pendulum", "symplectic-euler-shake", "symplectic-euler-rattle", "0.000625", 1000, false,
          100);
  static const char *const linear[] = {"rattle(linear=cholesky)", "rattle(linear=sparse-ldl)"};
  for (size_t i = 0; i < sizeof linear / sizeof linear[0]; i++) {
    compare("chain(links=12,start=zigzag)", "rattle(linear=lu)", linear[i], "0.01", 100, true,
            2000);
    compare("sprung-pendulum", "rattle(linear=lu)", linear[i], "0.01", 1000, true, 100);
  }
  return tap_done();
}
