/*
 * Folds of the hidden constraint of a general H with constraints g(q): the motion ends at a time
 * that is known, no step across is passed on as good, and without the watch of the driver some
 * would be.
 *
 * The end is the quadrature t* = ∫ (1 - β²)/√(2(E - β⁴/12 + β²/2 + β q(β))) dβ from ½ to 1, with
 * q = β³/3 - β and E that of the start (mpmath, 30 digits).
 */
#include "tests/kit/driving.h"
#include "tests/kit/test_plugin.h"

#define END R(0.223627518487163830045516255531)
#define STEP "0.001"

/* Until a step fails; the failure. */
static struct shk_status run(struct shk_drive *d, real until)
{
  while (d->current.t < until) {
    const struct shk_status status = shk_drive_step(d, d->current.t + R(0.001));
    if (status.code != SHK_OK)
      return status;
    shk_drive_accept(d);
  }
  return shk_ok();
}

static int across; /* integrators that the watch alone stops */

static void test_end(const char *integrator, real margin)
{
  DRIVE d = {0}, unwatched = {0};
  char reason[256];
  if (!tap_ok(begin_own(&d, "fold", integrator, STEP) && d.watches && d.negative == 1,
              "%s begins with one negative eigenvalue", integrator))
    return;
  const struct shk_status status = run(&d, R(0.4));
  shk_status_text(reason, sizeof reason, status);
  const real short_of = END - d.current.t;
  tap_ok(status.code != SHK_OK && short_of < margin && short_of > -margin &&
             real_fabs(d.current.p[1]) < R(1.05),
         "%s stops at the fold, %.1e before its end: %s", integrator, (double)short_of, reason);
  if (begin_own(&unwatched, "fold", integrator, STEP)) {
    unwatched.watches = false;
    run(&unwatched, R(0.4));
    across += unwatched.current.t > END + R(0.02);
  }
}

int main(void)
{
  if (load_test_plugin("SHAKEDOWN_FOLD")) {
    test_end("rattle", R(0.01));
    test_end("shake", R(0.01));
    test_end("rattle(flow=midpoint)", R(0.01));
    test_end("symplectic-euler-rattle", R(0.01));
    test_end("spark(stages=3)", R(0.01));
    test_end("projection", R(0.01));
    test_end("baumgarte", R(0.01));
    tap_ok(across > 0, "without the watch %d of them go on where there is no solution", across);
  }
  DRIVE general = {0}, redundant = {0}, definite = {0};
  tap_ok(begin_own(&general, "index-one", "rattle", "0.01") && general.watches &&
             general.negative == 0 && advance(&general, 200),
         "a general H without folds is watched and not stopped");
  tap_ok(begin_own(&redundant, "duplicate(index-one)", "rattle(linear=svd)", "0.01") &&
             redundant.watches && redundant.negative == 0 && advance(&redundant, 200),
         "nor by the zero eigenvalue of a redundant row");
  tap_ok(begin_own(&definite, "andrews", "rattle", "1e-5") && !definite.watches,
         "a mass matrix is positive definite, and not watched");
  return tap_done();
}
