/*
 * Exact solutions satisfy the equations of motion, in all cases of the elliptic functions and through
 * singular configurations, on the branch where they begin; where none is known none is claimed.
 */
#include "mechanics/system/manifold.h"
#include "tests/kit/driving.h"

static const bool quad = SHK_PRECISION == 128;

/* The exact solution satisfies the equations of motion: p' = -V_q - Gᵀlambda and q' = p/m by
 * central differences of sixth order, g = 0 and G v = 0, at this time; H as at the start. */
static void check_exact(const char *spec, double at)
{
  BOUND bound = {0};
  if (!begin_problem(&bound, spec) || !bound.instance.exact) {
    tap_ok(false, "%s: an exact solution", spec);
    return;
  }
  const struct shk_instance *instance = &bound.instance;
  const int n = bound.start.n, m = bound.start.m;
  struct shk_evaluator *e = &bound.observer;
  real *block = calloc((size_t)(8 * n + 4 * m + e->row_start[m] + 1), sizeof(real));
  real *q = block, *p = q + n, *dq = p + n, *dp = dq + n, *force = dp + n, *v = force + n;
  real *other_q = v + n, *other_p = other_q + n, *lambda = other_p + n, *scratch = lambda + m;
  real *g = scratch + m, *hidden = g + m, *values = hidden + m;
  const real t = (real)at, h = (quad ? R(3e-5) : R(3e-3)) * instance->time_scale;
  static const int weights[] = {45, -9, 1};
  bool ok = block != NULL;
  for (int k = 0; ok && k < 3; k++)
    for (int sign = -1; sign <= 1; sign += 2) {
      const real factor = (real)(sign * weights[k]) / (60 * h);
      ok = instance->exact(instance->system.context, other_q, other_p, scratch,
                           t + (real)(sign * (k + 1)) * h) == 0;
      for (int i = 0; ok && i < n; i++) {
        dq[i] += factor * other_q[i];
        dp[i] += factor * other_p[i];
      }
    }
  real H0 = 0, H = 0, worst = 0, scale = 1;
  ok = ok && instance->exact(instance->system.context, q, p, lambda, t) == 0 &&
       shk_gradient(e, force, t, q, p).code == SHK_OK &&
       shk_jacobian(e, values, t, q).code == SHK_OK && shk_velocity(e, v, t, q, p).code == SHK_OK &&
       shk_manifold_residuals(bound.manifold, g, hidden, t, q, p).code == SHK_OK &&
       shk_hamiltonian(e, &H, t, q, p).code == SHK_OK &&
       shk_hamiltonian(e, &H0, 0, bound.start.q, bound.start.p).code == SHK_OK;
  if (ok)
    shk_jacobian_transposed_add(e, force, values, 1, lambda);
  for (int i = 0; i < m; i++)
    scale = real_max(scale, real_fabs(lambda[i]));
  for (int i = 0; i < n; i++) {
    worst = real_max(worst, real_fabs(dp[i] + force[i]) / scale);
    worst = real_max(worst, real_fabs(dq[i] - v[i]));
  }
  real start = ok ? 0 : 1;
  if (ok && instance->exact(instance->system.context, other_q, other_p, scratch, 0) == 0)
    for (int i = 0; i < n; i++)
      start = real_max(start, real_max(real_fabs(other_q[i] - bound.start.q[i]),
                                       real_fabs(other_p[i] - bound.start.p[i])));
  tap_ok(start <= 300 * REAL_EPSILON, "%s: exact from the start, off by %.2g", spec, (double)start);
  const real tolerance = quad ? R(1e-19) : R(3e-10);
  tap_ok(ok && worst <= tolerance, "%s at %g: equations of motion, off by %.2g", spec, at,
         (double)worst);
  const real kept =
      300 * REAL_EPSILON * real_max(1, real_max_norm(q, n)) * real_max(1, real_max_norm(q, n));
  tap_ok(ok && real_max_norm(g, m) <= kept && real_max_norm(hidden, m) <= 10 * kept &&
             real_fabs(H - H0) <= 100 * kept * real_max(1, real_fabs(H0)),
         "%s at %g: on the manifold (%.2g, %.2g) at the energy of the start (%.2g)", spec, at,
         (double)real_max_norm(g, m), (double)real_max_norm(hidden, m), (double)(H - H0));
  /* Away from the start, which may be where branches meet. */
  real branch[4] = {0}, first[4] = {0};
  ok = ok && instance->exact(instance->system.context, other_q, other_p, scratch, h) == 0;
  for (int i = 0; ok && i < instance->branch_count; i++) {
    ok = instance->branch(instance->system.context, branch, t, q, p) == 0 &&
         instance->branch(instance->system.context, first, h, other_q, other_p) == 0;
    tap_ok(ok && real_fabs(branch[i] - first[i]) <= 100 * kept, "%s at %g: %s as at the start",
           spec, at, instance->branch_names[i]);
  }
  free(block);
}

static void check_unknown(void)
{
  static const char *const unknown[] = {"pendulum(angle=180deg)",
                                        "spherical-pendulum(azimuth-rate=0)", "double-pendulum",
                                        "sprung-pendulum", "chain"};
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
    BOUND bound = {0};
    tap_ok(begin_problem(&bound, unknown[i]) && !bound.instance.exact,
           "%s: claims no exact solution", unknown[i]);
  }
}

/* At the horizon a pendulum is neither where it began, nor mirrored, nor at a special point. */
static void check_horizons(void)
{
  static const char *const all[] = {"pendulum", "pendulum(angle=0.7,rate=1.1)",
                                    "pendulum(angle=0.1)", "pendulum(angle=1,rate=5)",
                                    "pendulum(angle=-2,rate=0.3,length=0.2,gravity=9.81)"};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    BOUND bound = {0};
    begin_problem(&bound, all[i]);
    const struct shk_instance *s = &bound.instance;
    real q[2], p[2], lambda, widest = 0, fastest = 0;
    for (int k = 0; k < 400; k++) {
      s->exact(s->system.context, q, p, &lambda, s->horizon * (real)k / 400);
      widest = real_max(widest, real_fabs(q[0]));
      fastest = real_max(fastest, real_max(real_fabs(p[0]), real_fabs(p[1])));
    }
    s->exact(s->system.context, q, p, &lambda, s->horizon);
    const real moved_q = real_fabs(real_fabs(q[0]) - real_fabs(bound.start.q[0])) / widest;
    const real moved_p = real_fabs(real_max_norm(p, 2) - real_max_norm(bound.start.p, 2)) / fastest;
    tap_ok(real_fabs(q[0]) > widest / 20 && real_max_norm(p, 2) > fastest / 20 &&
               (moved_q > R(0.05) || moved_p > R(0.05)),
           "%s: its horizon %g is no symmetric time", all[i], (double)s->horizon);
  }
}

int main(void)
{
  static const char *const known[] = {
      "four-bar",
      "four-bar(loops=3,length=0.7,mass=2,couplers=ends)",
      "four-bar(loops=1,angle=2,speed=0)",
      "parallelogram(angle=1)",
      "parallelogram(base=0.4,length=2,gravity=0,couplers=ends)",
      "lemniscate",
      "lemniscate(position=0,size=1.7,speed=-0.8,mass=3)",
      "beads-on-line",
      "beads-on-line(redundant=no,speed=2.5,mass1=0.3)",
      "beads-on-line(strength=0)",
      "beads-on-line(position=7,speed=3)",
      "beads-on-line(position=-9,speed=0.1)",
      "ring",
      "ring(opening=0,rotation=-1.3,length=0.6,mass=2)",
      "near-parallel",
      "near-parallel(epsilon=0.3,tilt=1,length=2,rate=3)",
      "duplicate(four-bar(loops=1),row=2)",
      "pendulum",
      "pendulum(angle=0.7,rate=1.1)",
      "pendulum(length=0.4,mass=3,gravity=9.81,angle=-2,rate=0.7)",
      "pendulum(angle=1e-6)",
      "pendulum(angle=0)",
      "pendulum(angle=0,rate=0.5)",
      "pendulum(angle=179.9deg)",
      "pendulum(angle=400deg,rate=-1)",
      "pendulum(angle=1,rate=3)",
      "pendulum(angle=3,rate=-2.5,mass=0.1)",
      "pendulum(angle=0,rate=2)", /* the separatrix */
      "pendulum(angle=0,rate=-2.001)",
      "pendulum(gravity=0,rate=1.5)",
      "spherical-pendulum(gravity=0.5)",
      "spherical-pendulum(gravity=0.5,length=2,azimuth-rate=0.70710678118654752440084436210484904,"
      "azimuth=1)"};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    check_exact(known[i], 0.37);
    check_exact(known[i], 1.7);
    check_exact(known[i], 3.3);
  }
  check_unknown();
  check_horizons();
  return tap_done();
}
