/*
 * States that keep fewer digits than the arithmetic: what is kept, and what it costs. A base whose
 * positions are not rounded, or whose carries stay, is told from one that is kept as asked.
 */
#include "mechanics/system/state.h"
#include "tests/kit/stepping.h"

#if SHK_PRECISION == 64
typedef float half;
#define HALF_EPSILON R(1.1920928955078125e-7)
#else
typedef double half;
#define HALF_EPSILON R(2.220446049250313080847263336181640625e-16)
#endif

enum { STEPS = 100 };

/* How many of q and p have more digits than `half`. */
static int finer(const struct shk_state *s)
{
  int count = 0;
  for (int i = 0; i < s->n; i++)
    count += (real)(half)s->q[i] != s->q[i] || (real)(half)s->p[i] != s->p[i];
  return count;
}

/* Steps of the problem, and how far positions then are from RATTLE's; NaN if one does not run. */
static real keep(const char *integrator, int *fine, int *carried)
{
  STATE kept = {0}, whole = {0};
  *fine = *carried = -1;
  if (!reach(&whole, "double-pendulum", "rattle", "0.01", NULL, STEPS) ||
      !reach(&kept, "double-pendulum", integrator, "0.01", NULL, STEPS))
    return NAN;
  *fine = finer(&kept);
  *carried = carries(&kept);
  return largest_difference(kept.q, whole.q, kept.n);
}

int main(void)
{
  int fine, carried;
  real off = keep("rounded(state=half)", &fine, &carried);
  tap_ok(fine == 0 && carried == 0,
         "half: q and p have the digits of the precision below, no more");
  tap_ok(off > HALF_EPSILON && off < STEPS * HALF_EPSILON, "half: %.3g roundings of it from RATTLE",
         (double)(off / HALF_EPSILON));
  const real plain = off;
  off = keep("rounded(state=half,sums=compensated)", &fine, &carried);
  tap_ok(fine == 0 && carried > 0 && off < plain / 4,
         "compensated: what does not fit is carried, and %.3g roundings are left",
         (double)(off / HALF_EPSILON));
  off = keep("rounded", &fine, &carried);
  tap_ok(fine > 0 && carried == 0 && off > 0 && off < STEPS * REAL_EPSILON,
         "own: all digits, no carries; %.3g roundings from RATTLE", (double)(off / REAL_EPSILON));
  off = keep("rounded(sums=compensated)", &fine, &carried);
  tap_ok(carried > 0 && off == 0, "own, compensated: RATTLE");

  struct shk_claims claims;
  struct shk_message error;
  tap_ok(shk_bind_claims(&test_context, &claims, "rounded(state=half)", &error) &&
             claims.order_q == SHK_NO_ORDER && claims.symplectic == SHK_UNKNOWN &&
             shk_bind_claims(&test_context, &claims, "rounded", &error) && claims.order_q == 2 &&
             claims.compensated == SHK_NO,
         "claims: none of rounded states; without carries all but these");
  return tap_done();
}
