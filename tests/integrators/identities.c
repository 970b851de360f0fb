/*
 * Different computations that must give the same motion: SHAKE's and RATTLE's positions over 1000
 * steps (Pi ∘ S_hᵏ = R_hᵏ), and over fewer on every problem that they take; RATTLE under
 * every factorization; and every symmetric method run forward and back.
 */
#include "engine/engine.h"
#include "tests/kit/registered.h"
#include "tests/kit/stepping.h"
#include "tests/kit/vectors.h"

#include <stdio.h>
#include <string.h>

static const struct left_out leave_constraint[] = {
    {"tikhonov", "it leaves the constraint, on purpose"}, {NULL, NULL}};

static const struct left_out not_compared[] = {
    {"harmonic-sphere", "along its fibres positions move as well as momenta"},
    {"coupled-spheres", "as well"},
    {"lifted-rotation", "as well"},
    {"zero-angular-momentum", "as well"},
    {"beads-on-line", "redundant: round-off decides in which step a zero pivot is met"},
#if SHK_PRECISION == 128
    {"water-box", "648 coordinates take a minute; the code is that of double"},
    {"bricard", "refused, as in double, and the ranks that say so take seconds"},
#endif
    {NULL, NULL}};

static const struct left_out not_reversed[] = {
    {"penalty", "its stiff springs magnify round-off; tests/integrators/penalty.c reverses it"},
    {"energy-momentum", "its discrete gradient divides the rounding of V by the step; certificates "
                        "compare it with that floor"},
    {"symmetric-multistep", "its memory is to be reversed as well, as certificates do"},
    {NULL, NULL}};

enum momenta { EQUAL, DIFFERENT, EITHER };

/* Two integrators' positions after `steps`, against `limit` epsilons of their size: round-off of
 * one step is about one, and grows with the steps and the motion's own sensitivity. And whether
 * their momenta are equal. */
static void compare(const char *problem, const char *one, const char *other, const char *step,
                    long steps, enum momenta momenta, real limit)
{
  struct shk_state a, b;
  if (!tap_ok(reach(&a, problem, one, step, NULL, steps), "%s on %s runs", one, problem))
    return;
  if (tap_ok(reach(&b, problem, other, step, NULL, steps), "%s on %s runs", other, problem)) {
    const real size = real_max(1, real_max_norm(a.q, a.n));
    const real q = largest_difference(a.q, b.q, a.n) / (REAL_EPSILON * size);
    tap_ok(q <= limit, "%s: positions of %s and %s after %ld steps differ by %.0f eps", problem,
           one, other, steps, (double)q);
    const real p = largest_difference(a.p, b.p, a.n);
    if (momenta == EQUAL)
      tap_ok(p <= limit * REAL_EPSILON, "%s: momenta of %s and %s differ by %.0f eps", problem, one,
             other, (double)(p / REAL_EPSILON));
    if (momenta == DIFFERENT)
      tap_ok(p > R(1e-6), "%s: momenta of %s and %s do differ", problem, one, other);
    shk_state_clear(&b);
  }
  shk_state_clear(&a);
}

static bool is_refused(const char *problem, const char *integrator, const char *step)
{
  struct shk_drive d;
  struct shk_outcome outcome;
  begin_drive(&d, &outcome, problem, integrator, step, NULL);
  const bool refused = outcome.code == SHK_REFUSED;
  end_drive(&d, &outcome);
  return refused;
}

/* On every problem that both take, in steps of a hundredth of its time scale. Redundant and
 * ill-posed ones both refuse. */
static void compare_everywhere(const char *one, const char *other)
{
  const unsigned features = supports_of(one) & supports_of(other);
  struct shk_inspection is;
  const char *problem;
  char step[48];
  for (int i = 0; (problem = next_problem(&i, features, not_compared, &is)) != NULL;) {
    snprintf(step, sizeof step, "%.3g", is.time_scale / 100);
    if (is_refused(problem, one, step))
      tap_ok(is_refused(problem, other, step), "%s: refused to %s and to %s", problem, one, other);
    else
      compare(problem, one, other, step, SHK_PRECISION == 64 ? 50 : 10, EITHER, 100);
  }
}

static void forward_and_back(const char *problem, const char *integrator, const char *step,
                             long steps, real limit)
{
  struct shk_drive d;
  struct shk_outcome outcome;
  bool ok = begin_drive(&d, &outcome, problem, integrator, step, NULL);
  const real h = d.bound.step;
  for (long k = 0; ok && k < 2 * steps; k++) {
    d.bound.step = k < steps ? h : -h;
    ok = shk_drive_step(&d, d.current.t + d.bound.step).code == SHK_OK;
    shk_drive_accept(&d);
  }
  const real back = ok ? real_max(largest_difference(d.current.q, d.bound.start.q, d.current.n),
                                  largest_difference(d.current.p, d.bound.start.p, d.current.n)) /
                             REAL_EPSILON
                       : REAL_EPSILON;
  tap_ok(ok && back <= limit, "%s on %s: %ld steps forward and back return to %.0f eps", integrator,
         problem, steps, (double)back);
  shk_outcome_clear(&outcome);
  shk_drive_end(&d);
}

static void test_block_errors(void)
{
  double difference, size, differences[2], left[2], right[2];
  const struct shk_engine *engine = shk_finest_engine();
  struct shk_vector a = vector_of("1 0.25 -4"), b = vector_of("1.5 0 -8"), two = vector_of("1 2"),
                    one = vector_of("1"), none = vector_of("x");
  const double numbers[] = {1, (double)NAN};
  struct shk_vector nan = shk_vector_copy(numbers, 2, 64);
  tap_ok(shk_difference(&difference, &size, &a, &b) && difference == 4 && size == 8,
         "difference of blocks: max norms");
  struct shk_block_errors c = {.room = 2, .differences = differences, .left = left, .right = right};
  tap_ok(engine->compare(&c, &a, &b) && c.pure * 2 == 1 &&
             fabs(c.mixed - 4 / (double)9) < (double)1 / 100000,
         "relative errors of blocks: by component, zeros left out of the pure one");
  tap_ok(c.difference == 4 && c.size == 8 && c.count == 3 && differences[0] * 2 == -1 &&
             differences[1] * 4 == 1 && left[1] * 4 == 1 && right[1] == 0,
         "and all else, of the components as many as there is room for");
  tap_ok(!engine->compare(&c, &two, &one) && !engine->compare(&c, &two, &nan) &&
             !shk_difference(&difference, &size, &nan, &two) && none.count == 0,
         "blocks of different length, or with something else than numbers, are refused");
  char *const text = engine->text(&a);
  tap_is_text(text, "1 0.25 -4", "a vector as text");
  free(text);
  struct shk_vector *const all[] = {&a, &b, &two, &one, &none, &nan};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    shk_vector_clear(all[i]);
}

/* What SHAKE's positions say of momenta, M (q_{n+1} - q_{n-1})/2h, is of order 2 where H is separable and
 * M constant, and so is its hidden residual; the momentum that it carries is of order 1. */
static void check_central_momentum(void)
{
  static const char *const steps[] = {"0.02", "0.01"}, *const its = "sprung-pendulum";
  real carried[2] = {1, 1}, central[2] = {1, 1}, hidden[2] = {1, 1};
  struct shk_state exact;
  bool ok = tap_ok(reach(&exact, its, "composition(scheme=kahan-li8)", "0.01", NULL, 120),
                   "%s by a method of order 8", its);
  for (int k = 0; ok && k < 2; k++) {
    const long n = 60L << k;
    const real h = R(0.02) / (k + 1);
    struct shk_state at[3];
    for (int i = 0; i < 3; i++)
      ok = reach(&at[i], its, "shake", steps[k], NULL, n - 1 + i) && ok;
    carried[k] = central[k] = hidden[k] = 0;
    for (int i = 0; ok && i < 2; i++) {
      const real p = (at[2].q[i] - at[0].q[i]) / (2 * h); /* of mass 1 */
      carried[k] = real_max(carried[k], real_fabs(at[1].p[i] - exact.p[i]));
      central[k] = real_max(central[k], real_fabs(p - exact.p[i]));
      hidden[k] += at[1].q[i] * p;
    }
    for (int i = 0; ok && i < 3; i++)
      shk_state_clear(&at[i]);
  }
  tap_is_near(log2((double)(carried[0] / carried[1])), 1, 0.1,
              "shake: order of the carried momentum");
  tap_is_near(log2((double)(central[0] / central[1])), 2, 0.1, "shake: order of the central one");
  tap_is_near(log2((double)real_fabs(hidden[0] / hidden[1])), 2, 0.1, "shake: its hidden residual");
  shk_state_clear(&exact);
}

int main(void)
{
  test_block_errors();
  check_central_momentum();
  static const char *const problems[] = {"pendulum(angle=0.7,rate=1.1)", "sprung-pendulum",
                                         "spherical-pendulum", "charged-pendulum"};
  for (size_t i = 0; i < sizeof problems / sizeof problems[0]; i++) {
    compare(problems[i], "shake", "rattle", "0.01", 1000, DIFFERENT, 100);
    compare(problems[i], "symplectic-euler-shake", "symplectic-euler-rattle", "0.01", 1000,
            DIFFERENT, 100);
    const struct shk_integrator_info *info;
    struct shk_claims claims;
    for (int k = 0; (info = next_integrator(&k, not_reversed, &claims)) != NULL;)
      if (claims.symmetric == SHK_YES && !info->adaptive &&
          !is_refused(problems[i], info->name, "0.01"))
        forward_and_back(problems[i], info->name, "0.01", SHK_PRECISION == 64 ? 1000 : 100, 100);
  }
  /* For distance constraints; on a surface of degree four they differ. */
  compare("double-pendulum(angle1=0.7,angle2=-0.4,rate1=0.6,rate2=-0.4)",
          "ggl-variational(form=nodes)", "rattle(flow=midpoint)", "0.01", 200, DIFFERENT, 1000);
  compare("chain(links=3,spring=2,start=zigzag)", "ggl-variational(form=nodes)",
          "rattle(flow=midpoint)", "0.01", 200, DIFFERENT, 1000);
  compare("sprung-pendulum", "ggl-variational(form=nodes)", "rattle(flow=midpoint)", "0.01", 1000,
          DIFFERENT, 1000);
  /* From rest, where momenta are nearly zero and their increments are not. */
  compare("pendulum", "symplectic-euler-shake", "symplectic-euler-rattle", "0.000625", 1000,
          DIFFERENT, 100);
  char spec[64];
  const char *linear;
  for (int i = 0; (linear = next_choice(&i, "linear", leave_constraint)) != NULL;) {
    snprintf(spec, sizeof spec, "rattle(linear=%s)", linear);
    compare("chain(links=12,start=zigzag)", "rattle(linear=lu)", spec, "0.01", 100, EQUAL, 2000);
    compare("sprung-pendulum", "rattle(linear=lu)", spec, "0.01", 1000, EQUAL, 100);
  }
  check_left_out(not_compared);
  check_left_out(not_reversed);
  compare_everywhere("shake", "rattle");
  compare_everywhere("symplectic-euler-shake", "symplectic-euler-rattle");
  return tap_done();
}
