/*
 * A charged bead on Bernoulli's lemniscate in a magnetic field, from the far end of a lobe:
 *
 *     H = ½ (1 + pace t) |p - A(q)|²,  A = (-y, x)        0 = (x² + y²)² - x² + y²
 *
 * H is general, and H_p depends on time unless pace = 0. The field acts along the normal, so that
 * the arc length is t + ½ pace t². The bead passes the crossing, where G = 0, after a quarter of
 * the curve, ϖ/2, and again after each half.
 */
#include "general.h"

#define QUARTER R(1.3110287771460599052324197949455597068413774757) /* ϖ/2 */

struct bead {
  real pace;
};

static real factor(const void *context, real t)
{
  const struct bead *s = context;
  return 1 + s->pace * t;
}

static int hamiltonian(const void *context, real *value, real t, const real *q, const real *p)
{
  const real u = p[0] + q[1], v = p[1] - q[0];
  *value = factor(context, t) * (u * u + v * v) / 2;
  return 0;
}

static int hamiltonian_q(const void *context, real *out, real t, const real *q, const real *p)
{
  out[0] = -factor(context, t) * (p[1] - q[0]);
  out[1] = factor(context, t) * (p[0] + q[1]);
  return 0;
}

static int hamiltonian_p(const void *context, real *out, real t, const real *q, const real *p)
{
  out[0] = factor(context, t) * (p[0] + q[1]);
  out[1] = factor(context, t) * (p[1] - q[0]);
  return 0;
}

static int hessian(const void *context, real *out, real t, const real *q, const real *p)
{
  const real a = factor(context, t);
  memset(out, 0, 16 * sizeof *out);
  out[0] = out[5] = out[10] = out[15] = a;
  out[3] = out[12] = -a;
  out[6] = out[9] = a;
  return 0;
}

static int constraint(const void *context, real *g, real t, const real *q)
{
  const real square = q[0] * q[0] + q[1] * q[1];
  g[0] = square * square - (q[0] - q[1]) * (q[0] + q[1]);
  return 0;
}

static int jacobian(const void *context, real *values, real t, const real *q)
{
  const real square = q[0] * q[0] + q[1] * q[1];
  values[0] = q[0] * (4 * square - 2);
  values[1] = q[1] * (4 * square + 2);
  return 0;
}

static int curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  const real square = q[0] * q[0] + q[1] * q[1], along = q[0] * v[0] + q[1] * v[1];
  out[0] = 8 * along * along + (4 * square - 2) * v[0] * v[0] + (4 * square + 2) * v[1] * v[1];
  return 0;
}

static int start(const void *context, real *q, real *p)
{
  q[0] = 1;
  q[1] = p[0] = 0;
  p[1] = 2; /* the speed 1, and A */
  return 0;
}

static int crossings(const void *context, real *times, int limit, real until)
{
  const struct bead *s = context;
  for (int count = 0;; count++) {
    const real way = (2 * count + 1) * QUARTER;
    const real t = 2 * way / (1 + real_sqrt(1 + 2 * s->pace * way));
    if (!(t <= until) || count == limit)
      return count;
    times[count] = t;
  }
}

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  instance->time_scale = R(0.5);
  instance->horizon = 4;
  instance->undecidable = SHK_ONE_DEGREE_OF_FREEDOM | SHK_NO_REVERSAL | SHK_FREE_MOTION;
  instance->start = start;
  instance->crossings = crossings;
  return shk_ok();
}

static const struct shk_option options[] = {
    SHK_REAL(bead, pace, "pace", "0", "growth of H with time", .minimum = "0"), {0}};

static const struct shk_system system_of_bead = GENERAL_SYSTEM(2);

static const struct shk_problem bead = {
    .struct_size = sizeof bead,
    .info = {.name = "charged-bead",
             .summary = "a charged bead through the crossing of a lemniscate",
             .options = options},
    SHK_CONTEXT(bead),
    .system = &system_of_bead,
    .set_up = set_up,
};

SHK_PROVIDE(charged_bead, .problems = SHK_PROBLEMS(&bead));
