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
  struct shk_drive d;
  char reason[256] = "";
  if (!tap_ok(begin_at(&d, reason, "fold", integrator, STEP, NULL, NULL, false) == SHK_OK &&
                  d.watches && d.negative == 1,
              "%s begins with one negative eigenvalue %s", integrator, reason)) {
    shk_drive_end(&d);
    return;
  }
  const struct shk_status status = run(&d, R(0.4));
  shk_status_text(reason, sizeof reason, status);
  const real short_of = END - d.current.t;
  tap_ok(status.code != SHK_OK && short_of < margin && short_of > -margin &&
             real_fabs(d.current.p[1]) < R(1.05),
         "%s stops at the fold, %.1e before its end: %s", integrator, (double)short_of, reason);
  shk_drive_end(&d);
  if (begin_at(&d, NULL, "fold", integrator, STEP, NULL, NULL, false) == SHK_OK) {
    d.watches = false;
    run(&d, R(0.4));
    across += d.current.t > END + R(0.02);
  }
  shk_drive_end(&d);
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
  struct shk_drive d;
  tap_ok(begin_at(&d, NULL, "index-one", "rattle", "0.01", NULL, NULL, false) == SHK_OK &&
             d.watches && d.negative == 0 && advance(&d, 200),
         "a general H without folds is watched and not stopped");
  shk_drive_end(&d);
  tap_ok(begin_at(&d, NULL, "duplicate(index-one)", "rattle(linear=svd)", "0.01", NULL, NULL,
                  false) == SHK_OK &&
             d.watches && d.negative == 0 && advance(&d, 200),
         "nor by the zero eigenvalue of a redundant row");
  shk_drive_end(&d);
  tap_ok(begin_at(&d, NULL, "andrews", "rattle", "1e-5", NULL, NULL, false) == SHK_OK && !d.watches,
         "a mass matrix is positive definite, and not watched");
  shk_drive_end(&d);
  return tap_done();
}
