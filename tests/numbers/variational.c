/*
 * The variational integrator coincides, on every separable problem, with RATTLE over Störmer-Verlet
 * (trapezoidal) and over the midpoint rule.
 */
#include "tests/kit/registered.h"
#include "tests/kit/stepping.h"

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

static const char *const specs[2] = {"variational(lagrangian=trapezoidal)", "variational"};

static void check(const char *problem, const char *step)
{
  static const char *const same[2] = {"rattle", "rattle(flow=midpoint)"};
  for (int midpoint = 0; midpoint < 2; midpoint++)
    agree(problem, specs[midpoint], same[midpoint], step, 100, 2000, 200);
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
  DRIVE d = {0};
  tap_ok(!begin_or_tell(&d, "charged-pendulum", "variational", STEP),
         "a general Hamiltonian is refused");
  return tap_done();
}
