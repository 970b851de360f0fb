/*
 * The evaluator's memory: gradient, Jacobian and constraint are called for once at a point, and again
 * wherever an argument differs that they depend on, after a failed call, and when they are forgotten.
 */
#include "tests/kit/tap.h"

#include <shakedown/system.h>

#include <stdlib.h>

static int calls, returned;

/* V = (1 + t) q1 */
static int potential(const void *c, real *value, real t, const real *q)
{
  (void)c;
  *value = (1 + t) * q[0];
  return 0;
}

static int gradient(const void *c, real *out, real t, const real *q)
{
  (void)c, (void)q;
  calls++;
  out[0] = 1 + t;
  out[1] = 0;
  return returned;
}

/* g = ½ (|q|² - 1) - t */
static int constraint(const void *c, real *g, real t, const real *q)
{
  (void)c;
  calls++;
  *g = (q[0] * q[0] + q[1] * q[1] - 1) / 2 - t;
  return returned;
}

static int jacobian(const void *c, real *values, real t, const real *q)
{
  (void)c, (void)t;
  calls++;
  values[0] = q[0];
  values[1] = q[1];
  return returned;
}

static int force(const void *c, real *Q, real t, const real *q, const real *p)
{
  (void)c, (void)t, (void)q;
  Q[0] = -p[0];
  Q[1] = -p[1];
  return 0;
}

enum { GRADIENT, JACOBIAN, CONSTRAINT, FUNCTIONS };
static const char *const names[] = {"gradient", "Jacobian", "constraint"};

static struct shk_status ask(struct shk_evaluator *e, int which, real *out, real t, const real *q,
                             const real *p)
{
  return which == GRADIENT   ? shk_gradient(e, out, t, q, p)
         : which == JACOBIAN ? shk_jacobian(e, out, t, q)
                             : shk_constraint(e, out, t, q);
}

static long counted(const struct shk_evaluator *e)
{
  return e->work.gradient + e->work.jacobian + e->work.constraint;
}

/* Asks at a point and then at the other; whether the second was called for. Values are always those of
 * the point. */
static void is_asked(const struct shk_system *system, int which, real t, const real *q,
                     const real *p, bool wanted, const char *what)
{
  static const real start[] = {R(0.6), R(0.8)}, momentum[] = {R(0.4), R(-0.3)};
  struct shk_evaluator e, fresh;
  real out[2] = {0, 0}, own[2] = {0, 0};
  if (shk_evaluator_init(&e, system).code != SHK_OK ||
      shk_evaluator_init(&fresh, system).code != SHK_OK)
    abort();
  bool ok = ask(&e, which, out, 0, start, momentum).code == SHK_OK &&
            ask(&fresh, which, own, t, q ? q : start, p ? p : momentum).code == SHK_OK;
  calls = 0;
  ok = ok && ask(&e, which, out, t, q ? q : start, p ? p : momentum).code == SHK_OK;
  tap_ok(ok && calls == wanted && counted(&e) == 1 + wanted && out[0] == own[0] && out[1] == own[1],
         "%s, %s: %d calls", names[which], what, calls);
  shk_evaluator_clear(&e);
  shk_evaluator_clear(&fresh);
}

/* A call that failed is made again, and so is one that was forgotten. */
static void is_asked_again(const struct shk_system *system, int which)
{
  static const real q[] = {R(0.6), R(0.8)}, p[] = {0, 0};
  struct shk_evaluator e;
  real out[2];
  if (shk_evaluator_init(&e, system).code != SHK_OK)
    abort();
  calls = 0;
  returned = 1;
  const bool failed = ask(&e, which, out, 0, q, p).code != SHK_OK;
  returned = 0;
  bool ok = ask(&e, which, out, 0, q, p).code == SHK_OK;
  tap_ok(failed && ok && calls == 2, "%s: a failed call is not remembered", names[which]);
  shk_evaluator_forget(&e);
  ok = ask(&e, which, out, 0, q, p).code == SHK_OK;
  tap_ok(ok && calls == 3, "%s: nor is one that is forgotten", names[which]);
  shk_evaluator_clear(&e);
}

int main(void)
{
  static const real mass[] = {1, 1}, elsewhere[] = {R(0.6), R(-0.8)}, other[] = {1, 0};
  struct shk_system s = {.struct_size = sizeof s,
                         .n = 2,
                         .m = 1,
                         .mass = mass,
                         .potential = potential,
                         .gradient = gradient,
                         .constraint = constraint,
                         .jacobian = jacobian,
                         .features = SHK_RHEONOMIC};
  for (int which = 0; which < FUNCTIONS; which++) {
    is_asked(&s, which, 0, NULL, NULL, false, "at the same point");
    is_asked(&s, which, 0, elsewhere, NULL, true, "elsewhere");
    is_asked(&s, which, R(0.5), NULL, NULL, true, "at another time");
    is_asked(&s, which, 0, NULL, other, false, "with other momenta");
    is_asked_again(&s, which);
  }
  s.features = 0;
  is_asked(&s, JACOBIAN, R(0.5), NULL, NULL, false, "at another time, of g(q)");
  s.autonomous = true;
  s.gradient = gradient;
  s.features = SHK_FORCES;
  s.force = force;
  is_asked(&s, GRADIENT, 0, NULL, other, true, "with other momenta, of forces");
  return tap_done();
}
