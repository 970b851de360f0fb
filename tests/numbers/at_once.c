/*
 * Forces and constraints in one call, where a system offers it (Andrews): the same numbers and the
 * same counts as one by one, to the bit along every method that asks for them together; and what is
 * wrong in the answer is found by the check of derivatives.
 */
#include "mechanics/system/derivatives.h"
#include "tests/kit/adaptive.h"
#include "tests/kit/stepping.h"

#define CHECK "forces and constraints at once"

typedef int at_once(const void *context, real *gradient, real *values, real *curvature, real t,
                    const real *q, const real *v);

static at_once *inner;
static long calls;
static int wrong; /* which output: 1 gradient, 2 Jacobian, 3 curvature; 0: none */

static int watched(const void *context, real *gradient, real *values, real *curvature, real t,
                   const real *q, const real *v)
{
  calls++;
  const int returned = inner(context, gradient, values, curvature, t, q, v);
  real *const out[] = {NULL, gradient, values, curvature};
  if (out[wrong]) /* an entry that is not zero */
    out[wrong][wrong == 2 ? 1 : 0] *= 1 + 1000 * REAL_EPSILON;
  return returned;
}

static void check(int fault)
{
  DRIVE d = {0};
  OUTCOME outcome = {0};
  struct shk_derivative_check checks[8];
  int count = 0, found = 0, others = 0;
  wrong = fault;
  if (!begin_drive(&d, &outcome, "andrews", "rattle", "1e-5", NULL))
    abort();
  inner = d.bound.instance.system.forces_and_constraints;
  d.bound.instance.system.forces_and_constraints = watched;
  const struct shk_status status = shk_check_derivatives(checks, &count, &d.bound.evaluator, 0,
                                                         d.bound.start.q, d.bound.start.p);
  for (int i = 0; i < count; i++)
    if (strcmp(checks[i].name, CHECK) == 0)
      found = checks[i].holds ? 1 : -1;
    else
      others += !checks[i].holds;
  tap_ok(status.code == SHK_OK && others == 0 && found == (fault == 0 ? 1 : -1),
         "output %d wrong: the check %s", fault, fault == 0 ? "holds" : "finds it");
}

/* Some steps, together or one by one. */
static bool go(struct shk_state *to, struct shk_work *work, const char *integrator, bool together)
{
  DRIVE d = {0};
  OUTCOME outcome = {0};
  bool ok = begin_drive(&d, &outcome, "andrews", integrator, "1e-5", "1e-8");
  if (ok) {
    inner = d.bound.instance.system.forces_and_constraints;
    d.bound.instance.system.forces_and_constraints = together ? watched : NULL;
    ok = shk_bind_method(&d.bound).code == SHK_OK && go_steps(&d, 5).code == SHK_OK &&
         shk_state_init(to, d.current.n, d.current.m);
  } else {
    tap_diag("%s: %s", integrator, outcome.reason);
  }
  if (ok) {
    shk_state_copy(to, &d.current);
    *work = d.bound.evaluator.work;
  }
  return ok;
}

static void compare(const char *integrator)
{
  if (!can_try(integrator))
    return;
  struct shk_state a, b;
  struct shk_work one, other;
  wrong = 0;
  calls = 0;
  if (!tap_ok(go(&a, &one, integrator, true) && go(&b, &other, integrator, false), "%s: goes",
              integrator))
    return;
  tap_ok(calls > 0 && calls <= one.gradient, "%s: asks for them together (%ld of %ld)", integrator,
         calls, one.gradient);
  tap_ok(memcmp(a.q, b.q, (size_t)a.n * sizeof *a.q) == 0 &&
             memcmp(a.p, b.p, (size_t)a.n * sizeof *a.p) == 0 &&
             memcmp(a.lambda, b.lambda, (size_t)a.m * sizeof *a.lambda) == 0,
         "%s: the same to the bit", integrator);
  tap_ok(one.gradient == other.gradient && one.jacobian == other.jacobian &&
             one.curvature == other.curvature && one.constraint == other.constraint,
         "%s: the same counts", integrator);
  shk_state_clear(&a);
  shk_state_clear(&b);
}

int main(void)
{
  for (int fault = 0; fault <= 3; fault++)
    check(fault);
  compare("projection(base=rk5)");
  compare("baumgarte");
  compare("reference");
#if SHK_PRECISION == 64
  compare("radau5");
  compare("ida");
#endif
  return tap_done();
}
