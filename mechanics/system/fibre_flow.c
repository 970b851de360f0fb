/*
 * Computes the flow along a fibre for problems that do not provide it:
 *
 *     q' = g_p(q,p)ᵀ s,   p' = -g_q(q,p)ᵀ s,      constant s, one unit of time.
 *
 * The equations are solved by Gauss collocation with 12 stages, which is symplectic and preserves a
 * quadratic g exactly. For z' = z, the error of a substep of length x is (12!)²/(24! 25!) x²⁵ =
 * 2.4e-32 x²⁵, which is below the round-off of quad for x < 0.7. The stages are found by
 * fixed-point iteration, whose corrections shrink by a factor of about x/18 per sweep. A substep is
 * halved if its corrections shrink more slowly than those for x = 0.6.
 */
#include "mechanics/algebra/gauss.h"
#include "mechanics/system/fibre.h"

#include <shakedown/iteration.h>

enum { STAGES = 12, SWEEPS = 40, MAX_PARTS = 1 << 16 };

/* Corrections must shrink by at least this factor from one sweep to the next. */
#define SHRINKS 28
/* Corrections smaller than this many times the rounding error need not shrink. */
#define NOISE 10000

/* A substep that does not converge is halved. */
static const struct shk_iteration_rule rule = {.stops = {16, NOISE, R(0.5), 2, 0},
                                               .diverged = "the fibre diverges",
                                               .at_limit =
                                                   "following the fibre takes too many sweeps"};

struct shk_fibre_flow {
  struct shk_evaluator *evaluator;
  int n, m;
  real c[STAGES], b[STAGES], a[STAGES * STAGES];
  real *slopes;       /* STAGES x 2n */
  real *g_q, *g_p;    /* m x n */
  real *point, *rate; /* 2n */
  real *total, *carry;
  struct shk_iteration sweeps; /* counts the sweeps in a substep */
};

static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAY(shk_fibre_flow, slopes, .n = 2 * STAGES),
             SHK_ARRAYS(shk_fibre_flow, (.nm = 1), g_q, g_p),
             SHK_ARRAYS(shk_fibre_flow, (.n = 2), point, rate, total, carry));

struct shk_status shk_fibre_flow_create(struct shk_fibre_flow **created,
                                        struct shk_workspace *workspace,
                                        struct shk_evaluator *evaluator)
{
  struct shk_fibre_flow *flow = *created = shk_part(workspace, sizeof *flow, arrays, evaluator);
  SHK_TRY(shk_allocated(flow));
  flow->evaluator = evaluator;
  flow->n = evaluator->system->n;
  flow->m = evaluator->system->m;
  flow->sweeps.limit = SWEEPS;
  shk_gauss_tableau(flow->c, flow->b, flow->a, STAGES);
  return shk_ok();
}

/* Replaces `point` with (q,p) + total + point, and stores Σ s_i X_{g_i} at the new point in `rate`
 * (2n). */
static struct shk_status fibre_field(struct shk_fibre_flow *flow, real t, const real *q,
                                     const real *p, const real *s)
{
  const int n = flow->n;
  for (int i = 0; i < n; i++) {
    flow->point[i] = q[i] + (flow->total[i] + flow->point[i]);
    flow->point[n + i] = p[i] + (flow->total[n + i] + flow->point[n + i]);
  }
  SHK_TRY(shk_constraint_gradients(flow->evaluator, flow->g_q, flow->g_p, t, flow->point,
                                   flow->point + n));
  for (int i = 0; i < n; i++) {
    flow->rate[i] = flow->rate[n + i] = 0;
    for (int k = 0; k < flow->m; k++) {
      flow->rate[i] += flow->g_p[k * n + i] * s[k];
      flow->rate[n + i] -= flow->g_q[k * n + i] * s[k];
    }
  }
  return shk_ok();
}

/* Adds one substep of length 1/parts to `total`. Sets *ok to false if the substep must be
 * shortened. */
static struct shk_status flow_part(struct shk_fibre_flow *flow, bool *ok, int parts, real t,
                                   const real *q, const real *p, const real *s)
{
  const int size = 2 * flow->n;
  const real h = (real)1 / parts;
  *ok = true;
  shk_fill(flow->point, 0, size);
  SHK_TRY(fibre_field(flow, t, q, p, s));
  for (int i = 0; i < STAGES; i++)
    shk_copy(flow->slopes + (size_t)i * size, flow->rate, size);
  shk_iteration_begin(&flow->sweeps, &rule, 0);
  for (;;) {
    real change = 0, largest = 0;
    for (int i = 0; i < STAGES; i++) {
      real *const slope = flow->slopes + (size_t)i * size;
      for (int k = 0; k < size; k++)
        flow->point[k] = h * shk_dot_strided(flow->a + i * STAGES, flow->slopes + k, size, STAGES);
      SHK_TRY(fibre_field(flow, t, q, p, s));
      for (int k = 0; k < size; k++) {
        change = real_max(change, real_fabs(flow->rate[k] - slope[k]));
        slope[k] = flow->rate[k];
      }
      largest = real_max(largest, real_max_norm(slope, size));
    }
    flow->sweeps.rounding = REAL_EPSILON * largest;
    const bool too_slow = flow->sweeps.count > 1 && change > NOISE * flow->sweeps.rounding &&
                          SHRINKS * change > flow->sweeps.before;
    const struct shk_status status =
        shk_iteration_next(&flow->sweeps, real_isfinite(largest) ? change : largest);
    *ok = status.code == SHK_OK && !too_slow;
    if (!*ok)
      return shk_ok();
    if (flow->sweeps.converged)
      break;
  }
  for (int k = 0; k < size; k++)
    real_accumulate(&flow->total[k], &flow->carry[k],
                    h * shk_dot_strided(flow->b, flow->slopes + k, size, STAGES));
  return shk_ok();
}

struct shk_status shk_fibre_flow_integrate(struct shk_fibre_flow *flow, real *dq, real *dp, real t,
                                           const real *q, const real *p, const real *s)
{
  const size_t n = (size_t)flow->n;
  if (!real_isfinite(real_max_norm(s, flow->m)))
    return shk_failure(SHK_NOT_FINITE, "the motion along the fibre is not finite", 0, 0);
  for (int parts = 1; parts <= MAX_PARTS; parts *= 2) {
    bool ok = true;
    shk_fill(flow->total, 0, 2 * n);
    shk_fill(flow->carry, 0, 2 * n);
    for (int k = 0; k < parts && ok; k++)
      SHK_TRY(flow_part(flow, &ok, parts, t, q, p, s));
    if (!ok)
      continue;
    shk_copy(dq, flow->total, n);
    shk_copy(dp, flow->total + n, n);
    return shk_ok();
  }
  return shk_failure(SHK_NOT_CONVERGED, "the fibre cannot be followed to round-off in %g parts",
                     MAX_PARTS, 0);
}
