/*
 * The variational integrator coincides, on every separable problem, with RATTLE over Störmer-Verlet
 * (trapezoidal) and over the midpoint rule.
 */
#include "tests/kit/registered.h"
#include "tests/kit/stepping.h"

#define STEPS 100
#define STEP "0.02"

/* Beside every problem at its defaults. */
static const char *const variants[] = {"pendulum(angle=0.7,rate=1.1)",
                                       "chain(links=12,start=zigzag)",
                                       "chain(links=3,dimension=3,spring=2,start=random(seed=3))"};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

static const struct left_out not_tried[] = {
    {"water-box", "its implicit steps, of 648 coordinates, take minutes"},
    {"beads-on-line", "redundant: rattle, with which it is compared, refuses it"},
    {"bricard", "redundant as well"},
    {"duplicate", "redundant as well"},
    {NULL, NULL}};

static bool advance(struct shk_drive *d)
{
  const bool ok = shk_drive_step(d, d->current.t + d->bound.step).code == SHK_OK;
  shk_drive_accept(d);
  return ok;
}

static void compare(const char *problem, const char *one, const char *other, const char *step)
{
  struct shk_drive a, b;
  bool ok = begin_or_tell(&a, problem, one, step);
  ok = begin_or_tell(&b, problem, other, step) && ok;
  for (int k = 0; ok && k < STEPS; k++)
    ok = advance(&a) && advance(&b);
  real q = 0, p = 0, lambda = 0, h = a.bound.step;
  if (ok) {
    const real eps_q = REAL_EPSILON * real_max(1, real_max_norm(a.current.q, a.current.n));
    const real eps_p = REAL_EPSILON * real_max(1, real_max_norm(a.current.p, a.current.n));
    q = largest_difference(a.current.q, b.current.q, a.current.n) / eps_q;
    p = largest_difference(a.current.p, b.current.p, a.current.n) / eps_p;
    lambda = real_max(largest_difference(a.current.lambda, b.current.lambda, a.current.m),
                      largest_difference(a.current.mu, b.current.mu, a.current.m)) *
             h * h / REAL_EPSILON;
  }
  tap_ok(ok && q < 2000 && p < 2000, "%s: %s and %s agree after %d steps: q %.0f eps, p %.0f eps",
         problem, one, other, STEPS, (double)q, (double)p);
  tap_ok(ok && lambda < 200, "%s: and their multipliers: %.1f eps/h²", problem, (double)lambda);
  shk_drive_end(&a);
  shk_drive_end(&b);
}

static const char *const specs[2] = {"variational(lagrangian=trapezoidal)", "variational"};

static void check(const char *problem, const char *step)
{
  static const char *const same[2] = {"rattle", "rattle(flow=midpoint)"};
  for (int midpoint = 0; midpoint < 2; midpoint++)
    compare(problem, specs[midpoint], same[midpoint], step);
}

int main(void)
{
  check_left_out(not_tried);
  for (int i = 0; i < VARIANTS; i++)
    check(variants[i], STEP);
  struct shk_inspection is;
  const char *problem;
  char step[48];
  for (int i = 0; (problem = next_problem(&i, 0, not_tried, &is)) != NULL;) {
    snprintf(step, sizeof step, "%.3g", is.time_scale / 100);
    check(problem, step);
  }
  struct shk_drive d;
  tap_ok(!begin_or_tell(&d, "charged-pendulum", "variational", STEP),
         "a general Hamiltonian is refused");
  shk_drive_end(&d);
  return tap_done();
}
