/*
 * A plug-in for the tests of time-dependent constraints and generalized forces: two systems whose
 * forces are made so that a chosen motion q*(t), with a chosen multiplier, is the solution,
 *
 *     Q(q,p,t) = D(q,p) - D(q*,p*) + p*' + H_q(q*,p*) + G(q*,t)ᵀ lambda*,     p* = M(q*) q*'
 *
 * where D depends on momenta. Initial time 0.3.
 *
 *  - moving-pivot: a bead on a sphere whose centre a(t) moves, constant unequal masses, a quartic
 *    potential: g = ½ (|q - a(t)|² - 1). With forced=no the same without Q, of which no solution is
 *    known.
 *  - driven-arm: three coordinates with a mass matrix that depends on them, and
 *    g = q0 + ½ q1² + q0 q1 q2 - c(t), c such that q* satisfies it.
 */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#include <shakedown/plugin.h>

#include <string.h>

struct forced {
  real mass[3];
  bool forced;
};

#define START R(0.3)

/* lambda*(t) of both */
static real multiplier(real t)
{
  return 2 + real_sin(R(0.8) * t);
}

static int exact_lambda(real *lambda, real t)
{
  lambda[0] = multiplier(t);
  return 0;
}

/* ---- moving-pivot ---- */

/* The centre and its first two derivatives. */
static void pivot(real *a, real *rate, real *second, real t)
{
  const real w[3] = {R(1.3), R(0.9), R(1.7)}, size[3] = {R(0.3), R(0.2), R(0.25)};
  for (int i = 0; i < 3; i++) {
    a[i] = size[i] * real_sin(w[i] * t);
    rate[i] = size[i] * w[i] * real_cos(w[i] * t);
    second[i] = -w[i] * w[i] * a[i];
  }
}

/* q*, q*', q*'' */
static void pivot_motion(real *q, real *v, real *acceleration, real t)
{
  const real w = R(1.1), swing = real_sin(w * t) / 2, theta = R(0.9) + swing + R(0.2) * t;
  const real theta1 = w * real_cos(w * t) / 2 + R(0.2), theta2 = -w * w * swing;
  const real turn = real_cos(R(0.7) * t), phi = R(0.3) - turn;
  const real phi1 = R(0.7) * real_sin(R(0.7) * t), phi2 = R(0.49) * turn;
  const real s = real_sin(theta), c = real_cos(theta), sp = real_sin(phi), cp = real_cos(phi);
  const real u[3] = {s * cp, s * sp, -c}, polar[3] = {c * cp, c * sp, s};
  const real around[3] = {-sp, cp, 0}, outward[3] = {cp, sp, 0};
  pivot(q, v, acceleration, t);
  for (int i = 0; i < 3; i++) {
    q[i] += u[i];
    v[i] += theta1 * polar[i] + phi1 * s * around[i];
    acceleration[i] += theta2 * polar[i] - theta1 * theta1 * u[i] +
                       (phi2 * s + 2 * theta1 * phi1 * c) * around[i] -
                       s * phi1 * phi1 * outward[i];
  }
}

static int pivot_potential(const void *context, real *value, real t, const real *q)
{
  *value = q[0] * q[0] * q[0] * q[0] / 4 + q[1] * q[2] / 2 + R(1.5) * q[2];
  return 0;
}

static int pivot_gradient(const void *context, real *out, real t, const real *q)
{
  out[0] = q[0] * q[0] * q[0];
  out[1] = q[2] / 2;
  out[2] = q[1] / 2 + R(1.5);
  return 0;
}

static int pivot_hessian(const void *context, real *out, real t, const real *q, const real *p)
{
  const struct forced *s = context;
  memset(out, 0, 36 * sizeof *out);
  out[0] = 3 * q[0] * q[0];
  out[1 * 6 + 2] = out[2 * 6 + 1] = R(0.5);
  for (int i = 3; i < 6; i++)
    out[i * 6 + i] = 1 / s->mass[i - 3];
  return 0;
}

static void pivot_damping(real *out, const real *q, const real *p)
{
  out[0] = -R(0.4) * p[0] + q[1] * p[1];
  out[1] = -R(0.3) * p[1] * p[1] + q[2];
  out[2] = R(0.2) * p[0] * p[2];
}

static int pivot_force(const void *context, real *Q, real t, const real *q, const real *p)
{
  const struct forced *s = context;
  real at[3], v[3], acceleration[3], momentum[3], then[3], slope[3], a[3], rate[3], second[3];
  pivot_motion(at, v, acceleration, t);
  pivot(a, rate, second, t);
  for (int i = 0; i < 3; i++)
    momentum[i] = s->mass[i] * v[i];
  pivot_damping(Q, q, p);
  pivot_damping(then, at, momentum);
  pivot_gradient(context, slope, t, at);
  for (int i = 0; i < 3; i++)
    Q[i] += s->mass[i] * acceleration[i] + slope[i] + (at[i] - a[i]) * multiplier(t) - then[i];
  return 0;
}

static int pivot_force_gradients(const void *context, real *Q_q, real *Q_p, real t, const real *q,
                                 const real *p)
{
  const real by_q[9] = {0, p[1], 0, 0, 0, 1, 0, 0, 0};
  const real by_p[9] = {-R(0.4), q[1], 0, 0, -R(0.6) * p[1], 0, R(0.2) * p[2], 0, R(0.2) * p[0]};
  memcpy(Q_q, by_q, sizeof by_q);
  memcpy(Q_p, by_p, sizeof by_p);
  return 0;
}

static int pivot_constraint(const void *context, real *g, real t, const real *q)
{
  real a[3], rate[3], second[3], square = 0;
  pivot(a, rate, second, t);
  for (int i = 0; i < 3; i++)
    square += (q[i] - a[i]) * (q[i] - a[i]);
  g[0] = (square - 1) / 2;
  return 0;
}

static int pivot_jacobian(const void *context, real *G, real t, const real *q)
{
  real a[3], rate[3], second[3];
  pivot(a, rate, second, t);
  for (int i = 0; i < 3; i++)
    G[i] = q[i] - a[i];
  return 0;
}

static int pivot_rate(const void *context, real *out, real t, const real *q)
{
  real a[3], rate[3], second[3];
  pivot(a, rate, second, t);
  out[0] = 0;
  for (int i = 0; i < 3; i++)
    out[0] -= (q[i] - a[i]) * rate[i];
  return 0;
}

/* |v - a'|² - (q - a)·a'' */
static int pivot_curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  real a[3], rate[3], second[3];
  pivot(a, rate, second, t);
  out[0] = 0;
  for (int i = 0; i < 3; i++)
    out[0] += (v[i] - rate[i]) * (v[i] - rate[i]) - (q[i] - a[i]) * second[i];
  return 0;
}

static int pivot_exact(const void *context, real *q, real *p, real *lambda, real t)
{
  const struct forced *s = context;
  real acceleration[3];
  pivot_motion(q, p, acceleration, t);
  for (int i = 0; i < 3; i++)
    p[i] *= s->mass[i];
  return exact_lambda(lambda, t);
}

static int pivot_start(const void *context, real *q, real *p)
{
  real lambda;
  return pivot_exact(context, q, p, &lambda, START);
}

/* ---- driven-arm ---- */

/* q*, q*', q*'' */
static void arm_motion(real *q, real *v, real *acceleration, real t)
{
  const real w[3] = {R(1.2), R(0.8), R(1.5)}, size[3] = {R(0.6), R(0.7), R(0.5)};
  const real phase[3] = {R(0.4), R(1.1), R(2.0)};
  for (int i = 0; i < 3; i++) {
    q[i] = size[i] * real_sin(w[i] * t + phase[i]);
    v[i] = size[i] * w[i] * real_cos(w[i] * t + phase[i]);
    acceleration[i] = -w[i] * w[i] * q[i];
  }
}

static int arm_mass(const void *context, real *M, const real *q)
{
  const real c = real_cos(q[0] - q[1]);
  const real values[9] = {2, c, 0, c, 1, 0, 0, 0, 1 + q[0] * q[0] / 2};
  memcpy(M, values, sizeof values);
  return 0;
}

static int arm_mass_gradient(const void *context, real *out, const real *q, const real *v)
{
  const real s = real_sin(q[0] - q[1]);
  const real values[9] = {-s * v[1], -s * v[0], q[0] * v[2], s * v[1], s * v[0], 0, 0, 0, 0};
  memcpy(out, values, sizeof values);
  return 0;
}

static int arm_mass_curvature(const void *context, real *out, const real *q, const real *v)
{
  const real both = 2 * real_cos(q[0] - q[1]) * v[0] * v[1];
  const real values[9] = {v[2] * v[2] - both, both, 0, both, -both, 0, 0, 0, 0};
  memcpy(out, values, sizeof values);
  return 0;
}

static int arm_potential(const void *context, real *value, real t, const real *q)
{
  *value = -2 * real_cos(q[0]) - real_cos(q[1]) + q[2] * q[2] * q[2] * q[2] / 4 + q[0] * q[2] / 2;
  return 0;
}

static int arm_gradient(const void *context, real *out, real t, const real *q)
{
  out[0] = 2 * real_sin(q[0]) + q[2] / 2;
  out[1] = real_sin(q[1]);
  out[2] = q[2] * q[2] * q[2] + q[0] / 2;
  return 0;
}

static int arm_potential_hessian(const void *context, real *out, real t, const real *q)
{
  const real values[9] = {2 * real_cos(q[0]), 0, R(0.5), 0, real_cos(q[1]), 0, R(0.5), 0,
                          3 * q[2] * q[2]};
  memcpy(out, values, sizeof values);
  return 0;
}

static void arm_damping(real *out, const real *q, const real *p)
{
  out[0] = -p[0] / 5;
  out[1] = p[0] * p[1] / 10;
  out[2] = -q[0] * p[2] / 2;
}

/* p* = M v, and p*' */
static void arm_momentum(real *p, real *rate, const real *q, const real *v,
                         const real *acceleration)
{
  real M[9], along[9];
  arm_mass(NULL, M, q);
  arm_mass_gradient(NULL, along, q, v);
  for (int i = 0; i < 3; i++) {
    p[i] = rate[i] = 0;
    for (int k = 0; k < 3; k++) {
      p[i] += M[3 * i + k] * v[k];
      rate[i] += M[3 * i + k] * acceleration[k] + v[k] * along[3 * k + i];
    }
  }
}

static void arm_row(real *G, const real *q)
{
  G[0] = 1 + q[1] * q[2];
  G[1] = q[1] + q[0] * q[2];
  G[2] = q[0] * q[1];
}

static int arm_force(const void *context, real *Q, real t, const real *q, const real *p)
{
  real at[3], v[3], acceleration[3], momentum[3], rate[3], then[3], slope[3], along[9], G[3];
  arm_motion(at, v, acceleration, t);
  arm_momentum(momentum, rate, at, v, acceleration);
  arm_mass_gradient(context, along, at, v);
  arm_gradient(context, slope, t, at);
  arm_row(G, at);
  arm_damping(Q, q, p);
  arm_damping(then, at, momentum);
  for (int i = 0; i < 3; i++) {
    Q[i] += rate[i] + slope[i] + G[i] * multiplier(t) - then[i];
    for (int k = 0; k < 3; k++)
      Q[i] -= v[k] * along[3 * i + k] / 2;
  }
  return 0;
}

static int arm_force_gradients(const void *context, real *Q_q, real *Q_p, real t, const real *q,
                               const real *p)
{
  memset(Q_q, 0, 9 * sizeof *Q_q);
  memset(Q_p, 0, 9 * sizeof *Q_p);
  Q_q[6] = -p[2] / 2;
  Q_p[0] = -R(0.2);
  Q_p[3] = p[1] / 10;
  Q_p[4] = p[0] / 10;
  Q_p[8] = -q[0] / 2;
  return 0;
}

static real arm_level(const real *q)
{
  return q[0] + q[1] * q[1] / 2 + q[0] * q[1] * q[2];
}

static int arm_constraint(const void *context, real *g, real t, const real *q)
{
  real at[3], v[3], acceleration[3];
  arm_motion(at, v, acceleration, t);
  g[0] = arm_level(q) - arm_level(at);
  return 0;
}

static int arm_jacobian(const void *context, real *G, real t, const real *q)
{
  arm_row(G, q);
  return 0;
}

static int arm_rate(const void *context, real *out, real t, const real *q)
{
  real at[3], v[3], acceleration[3], G[3];
  arm_motion(at, v, acceleration, t);
  arm_row(G, at);
  out[0] = -(G[0] * v[0] + G[1] * v[1] + G[2] * v[2]);
  return 0;
}

/* The second derivative of the level along v. */
static real arm_bend(const real *q, const real *v)
{
  return v[1] * v[1] + 2 * (q[2] * v[0] * v[1] + q[1] * v[0] * v[2] + q[0] * v[1] * v[2]);
}

static int arm_curvature(const void *context, real *out, real t, const real *q, const real *w)
{
  real at[3], v[3], acceleration[3], G[3];
  arm_motion(at, v, acceleration, t);
  arm_row(G, at);
  out[0] = arm_bend(q, w) - arm_bend(at, v);
  for (int i = 0; i < 3; i++)
    out[0] -= G[i] * acceleration[i];
  return 0;
}

static int arm_exact(const void *context, real *q, real *p, real *lambda, real t)
{
  real v[3], acceleration[3], rate[3];
  arm_motion(q, v, acceleration, t);
  arm_momentum(p, rate, q, v, acceleration);
  return exact_lambda(lambda, t);
}

static int arm_start(const void *context, real *q, real *p)
{
  real lambda;
  return arm_exact(context, q, p, &lambda, START);
}

/* ---- both ---- */

static void begin(struct shk_instance *instance, struct forced *s)
{
  s->mass[0] = 1;
  s->mass[1] = R(1.5);
  s->mass[2] = R(0.8);
  instance->initial_time = START;
  instance->time_scale = 1;
  instance->horizon = 4;
}

static struct shk_status pivot_set_up(struct shk_instance *instance, void *context)
{
  struct forced *s = context;
  begin(instance, s);
  instance->system.mass = s->mass;
  instance->start = pivot_start;
  if (s->forced) {
    instance->system.features |= SHK_FORCES;
    instance->system.force = pivot_force;
    instance->system.force_gradients = pivot_force_gradients;
    instance->exact = pivot_exact;
  }
  return shk_ok();
}

static struct shk_status arm_set_up(struct shk_instance *instance, void *context)
{
  begin(instance, context);
  instance->start = arm_start;
  instance->exact = arm_exact;
  return shk_ok();
}

static const struct shk_system pivot_system = {.n = 3,
                                               .m = 1,
                                               .features = SHK_RHEONOMIC,
                                               .potential = pivot_potential,
                                               .gradient = pivot_gradient,
                                               .hessian = pivot_hessian,
                                               .constraint = pivot_constraint,
                                               .jacobian = pivot_jacobian,
                                               .constraint_rate = pivot_rate,
                                               .curvature = pivot_curvature};

static const struct shk_system arm_system = {.n = 3,
                                             .m = 1,
                                             .features = SHK_RHEONOMIC | SHK_FORCES |
                                                         SHK_GENERAL_HAMILTONIAN,
                                             .potential = arm_potential,
                                             .gradient = arm_gradient,
                                             .constraint = arm_constraint,
                                             .jacobian = arm_jacobian,
                                             .constraint_rate = arm_rate,
                                             .curvature = arm_curvature,
                                             .force = arm_force,
                                             .force_gradients = arm_force_gradients,
                                             .mass_matrix = arm_mass,
                                             .mass_gradient = arm_mass_gradient,
                                             .mass_curvature = arm_mass_curvature,
                                             .potential_hessian = arm_potential_hessian};

static const struct shk_option pivot_options[] = {
    SHK_FLAG(forced, forced, "forced", "yes", "whether there are forces"), {0}};

static const struct shk_problem moving_pivot = {
    .struct_size = sizeof moving_pivot,
    .info = {.name = "moving-pivot",
             .summary = "a bead on a sphere with a moving centre, and forces that see its momentum",
             .options = pivot_options},
    SHK_CONTEXT(forced),
    .system = &pivot_system,
    .set_up = pivot_set_up};

static const struct shk_problem driven_arm = {
    .struct_size = sizeof driven_arm,
    .info = {.name = "driven-arm",
             .summary = "a mass matrix that depends on q, a moving constraint, forces"},
    SHK_CONTEXT(forced),
    .system = &arm_system,
    .set_up = arm_set_up};

SHK_PROVIDE(forced, .problems = SHK_PROBLEMS(&moving_pivot, &driven_arm));
