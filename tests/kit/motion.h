/* Runs to a number of steps, and all that a test of solvers compares of them. */
#ifndef TESTS_KIT_MOTION_H
#define TESTS_KIT_MOTION_H

#include "tests/kit/stepping.h"

struct motion {
  enum shk_code code;
  struct shk_outcome outcome; /* the reason of a failure */
  struct shk_state state;     /* the last one */
  struct shk_counters counters;
  real constraint, hidden; /* max|g|, max|G H_p| there */
  double history[64];      /* residuals of the solve that failed */
  int history_count;
};

/* `MOTION m = move(…)` is cleared where its name ends. */
#define MOTION __attribute__((cleanup(motion_clear))) struct motion
static inline void motion_clear(struct motion *m)
{
  shk_outcome_clear(&m->outcome);
  shk_state_clear(&m->state);
}

/* `steps` steps from the problem's start. With `plain` the system does not say that it is rods. */
static inline struct motion move_plainly(const char *problem, const char *integrator,
                                         const char *step, long steps, bool plain)
{
  DRIVE d = {0};
  struct motion m = {.code = SHK_OK};
  if (!begin_drive(&d, &m.outcome, problem, integrator, step, NULL)) {
    m.code = m.outcome.code;
    return m;
  }
  if (plain) {
    d.bound.instance.system.rods = NULL;
    m.code = shk_bind_method(&d.bound).code;
  }
  for (long k = 1; m.code == SHK_OK && k <= steps; k++) {
    const struct shk_status status =
        shk_drive_step(&d, d.bound.instance.initial_time + (real)k * d.bound.step);
    m.code = status.code;
    if (status.code == SHK_OK)
      shk_drive_accept(&d);
    else
      shk_bind_report(&d.bound, &m.outcome, status);
  }
  if (m.code != SHK_OK)
    m.history_count = shk_last_residuals(&d.bound.evaluator, m.history, 64);
  if (!shk_state_init(&m.state, d.current.n, d.current.m))
    abort();
  shk_state_copy(&m.state, &d.current);
  residuals_of(&d, &m.constraint, &m.hidden);
  m.counters = d.bound.evaluator.counters;
  return m;
}

static inline struct motion move(const char *problem, const char *integrator, const char *step,
                                 long steps)
{
  return move_plainly(problem, integrator, step, steps, false);
}

#endif
