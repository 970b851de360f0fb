/*
 * The end of an iteration (shakedown/iteration.h): when each of the three rules says that it has
 * converged, and when and why it has failed. Residuals are in roundings.
 */
#include "mechanics/algebra/iteration.h"
#include "tests/kit/tap.h"

#include <shakedown/solve.h>

#include <stdio.h>

static const struct shk_iteration_rule by_residual = {.stops = SHK_BY_RESIDUAL,
                                                      .diverged = "diverged",
                                                      .stopped = "stopped at %g",
                                                      .at_limit = "limit at %g"},
                                       by_correction = {.stops = SHK_BY_CORRECTION,
                                                        .diverged_code = SHK_NOT_FINITE,
                                                        .diverged = "diverged",
                                                        .stopped = "stopped at %g",
                                                        .at_limit = "limit at %g"},
                                       by_sweep = {.stops = SHK_BY_SWEEP,
                                                   .diverged = "diverged",
                                                   .stopped = "stopped at %g",
                                                   .at_limit = "limit at %g"};

enum { MOST = 120 };

/* The iterate at which it ends, from 0, or -1 while it goes on; *why: the status. */
static int end(struct shk_iteration *it, const struct shk_iteration_rule *rule,
               struct shk_status *why, const real *residuals, int count, real rounding)
{
  shk_iteration_cancelled *const cancelled = it->cancelled;
  shk_iteration_begin(it, rule, rounding);
  it->cancelled = cancelled;
  for (int i = 0; i < count; i++) {
    *why = shk_iteration_next(it, residuals[i]);
    if (why->code != SHK_OK || it->converged)
      return i;
  }
  return -1;
}

#define SEQUENCE(...) (const real[]){__VA_ARGS__}, (int)(sizeof(real[]){__VA_ARGS__} / sizeof(real))

static void ends(const char *name, const struct shk_iteration_rule *rule, int expected,
                 enum shk_code code, const real *residuals, int count)
{
  struct shk_iteration it = {.limit = 1000};
  struct shk_status why = shk_ok();
  const int at = end(&it, rule, &why, residuals, count, 1);
  tap_ok(at == expected && why.code == code && it.converged == (code == SHK_OK && at >= 0),
         "%s: ends at %d (%d), %s", name, at, expected, shk_code_name(why.code));
}

static real terms(void *user)
{
  (void)user;
  return 100 / REAL_EPSILON;
}

int main(void)
{
  const real nan = (real)NAN;
  ends("residual: at round-off", &by_residual, 2, SHK_OK, SEQUENCE(1000000, 1000, 1));
  ends("residual: at rest", &by_residual, 2, SHK_OK, SEQUENCE(100, 49, 30));
  ends("residual: it falls", &by_residual, -1, SHK_OK, SEQUENCE(100, 40, 19));
  ends("residual: the first one is never at rest", &by_residual, -1, SHK_OK, SEQUENCE(2));
  ends("residual: at rest too high", &by_residual, -1, SHK_OK, SEQUENCE(1000, 65, 65));
  ends("residual: no progress", &by_residual, 7, SHK_NOT_CONVERGED,
       SEQUENCE(900, 800, 801, 802, 803, 804, 805, 806, 807));
  ends("residual: not finite", &by_residual, 1, SHK_NOT_CONVERGED, SEQUENCE(900, nan));
  ends("correction: at rest", &by_correction, 2, SHK_OK, SEQUENCE(1000, 150, 90));
  ends("correction: not finite, with its code", &by_correction, 0, SHK_NOT_FINITE, SEQUENCE(nan));
  ends("sweep: falls slowly", &by_sweep, -1, SHK_OK, SEQUENCE(60, 59, 58, 57));
  ends("sweep: at rest", &by_sweep, 3, SHK_OK, SEQUENCE(60, 59, 58, 58));
  ends("sweep: to and fro, above", &by_sweep, -1, SHK_OK, SEQUENCE(500, 700, 600, 800, 90, 100));

  static const struct shk_iteration_rule later = {.stops = {1, 100, 1, 2, 0},
                                                  .diverged = "diverged"};
  ends("own numbers: from the third on", &later, 2, SHK_OK, SEQUENCE(50, 50, 50));

  struct shk_iteration it = {.limit = 3};
  struct shk_status why = shk_ok();
  char text[128];
  int at = end(&it, &by_residual, &why, SEQUENCE(1000000, 100000, 10000, 1000), 1);
  shk_status_text(text, sizeof text, why);
  tap_ok(at == 3 && why.code == SHK_NOT_CONVERGED && strcmp(text, "limit at 1000") == 0,
         "three corrections are the limit: %d, %s", at, text);
  it = (struct shk_iteration){.limit = 3, .counted = true};
  at = end(&it, &by_residual, &why, SEQUENCE(1, 50, 2, 9), 1);
  tap_ok(at == 3 && it.converged, "counted: three corrections, whatever the residuals");
  it = (struct shk_iteration){.limit = 100, .tolerance = 500};
  at = end(&it, &by_residual, &why, SEQUENCE(1000000, 1000, 400), 1);
  tap_ok(at == 2 && it.converged, "a tolerance in place of round-off");
  it = (struct shk_iteration){.limit = 100, .cancelled = terms};
  at = end(&it, &by_residual, &why, SEQUENCE(1000000, 6000, 6000), 1);
  tap_ok(at == 2 && it.converged, "the rounding of cancelling terms counts at rest");
  at = end(&it, &by_residual, &why, SEQUENCE(1000000, 6000, 6000), R(0.01));
  tap_ok(at < 0, "... up to 2^18 times the residual's own");

  real many[MOST];
  double kept[MOST];
  for (int i = 0; i < MOST; i++)
    many[i] = (real)(2000 - i);
  it = (struct shk_iteration){.limit = 1000};
  end(&it, &by_sweep, &why, many, MOST, 1);
  const struct shk_evaluator evaluator = {.solving = &it};
  const int count = shk_last_residuals(&evaluator, kept, MOST);
  tap_ok(count == SHK_ITERATION_HISTORY && kept[count - 1] == 2000 - (MOST - 1) &&
             kept[0] == 2000 - (MOST - count),
         "the newest %d residuals are kept, in order", count);
  return tap_done();
}
