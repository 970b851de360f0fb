/*
 * Exact solutions and the elliptic functions behind them: against GSL, against a Taylor integration
 * of the pendulum that knows nothing of elliptic functions, against the equations of motion, and
 * against a pendulum whose period is known.
 */
#include "problems/kit/elliptic.h"
#include "tests/kit/instance.h"
#include "tests/kit/tap.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_sf_ellint.h>
#include <gsl/gsl_sf_elljac.h>

/* ---- elliptic functions ---- */

static void check_against_gsl(void)
{
  static const char *const moduli[] = {"0", "1e-3", "0.1", "0.5", "0.9", "0.99", "0.999999"};
  double worst = 0, worst_f = 0, worst_k = 0;
  for (size_t i = 0; i < sizeof moduli / sizeof *moduli; i++) {
    real k;
    shk_real_parse(&k, moduli[i]);
    const real k1 = real_sqrt((1 - k) * (1 + k));
    const double parameter = (double)(k * k);
    for (int j = -40; j <= 40; j++) {
      const real u = (real)j * R(0.237);
      real sn, cn, dn;
      shk_jacobi(&sn, &cn, &dn, u, k1);
      double s, c, d;
      if (gsl_sf_elljac_e((double)u, parameter, &s, &c, &d) != GSL_SUCCESS)
        continue;
      worst = fmax(worst, fabs((double)sn - s));
      worst = fmax(worst, fmax(fabs((double)cn - c), fabs((double)dn - d)));
      const real phi = (real)j * REAL_PI / 40;
      const real sine = real_sin(phi), cosine = real_cos(phi);
      const real f = shk_elliptic_incomplete(sine, cosine, 1 - k * k * sine * sine, k1);
      const double g = gsl_sf_ellint_F((double)phi, (double)k, GSL_PREC_DOUBLE);
      worst_f = fmax(worst_f, fabs((double)f - g));
    }
    const double complete = gsl_sf_ellint_Kcomp((double)k, GSL_PREC_DOUBLE);
    worst_k = fmax(worst_k, fabs((double)shk_elliptic_complete(k1) / complete - 1));
  }
  /* GSL takes k² in double, which near 1 costs it digits: eps u²/(1 - k²) would be the extreme. */
  tap_is_near(worst, 0, (double)R(1e-12), "sn, cn, dn agree with GSL up to k = 0.999999");
  tap_is_near(worst_f, 0, (double)R(1e-10), "F agrees with GSL");
  tap_is_near(worst_k, 0, (double)R(1e-10), "K agrees with GSL");
  tap_diag("largest differences: %.1e, F %.1e, K %.1e", worst, worst_f, worst_k);
}

/* In the compilation's precision, where GSL has none to offer. */
static void check_identities(void)
{
  static const char *const complements[] = {"1",    "0.99", "0.6",  "0.1",
                                            "1e-3", "1e-6", "1e-9", "1e-12"};
  real pythagoras = 0, inverse = 0, addition = 0, quarter = 0;
  for (size_t i = 0; i < sizeof complements / sizeof *complements; i++) {
    real k1;
    shk_real_parse(&k1, complements[i]);
    const real k2 = (1 - k1) * (1 + k1), complete = shk_elliptic_complete(k1);
    real s, c, d;
    shk_jacobi(&s, &c, &d, complete, k1);
    quarter = real_max(quarter, real_max(real_fabs(s - 1), real_fabs(d - k1) / k1));
    for (int j = 1; j < 20; j++) {
      const real u = complete * (real)j / 20;
      shk_jacobi(&s, &c, &d, u, k1);
      pythagoras = real_max(pythagoras, real_fabs(s * s + c * c - 1));
      pythagoras = real_max(pythagoras, real_fabs(d * d - (k1 * k1 + k2 * c * c)) / (d * d));
      const real back = shk_elliptic_incomplete(s, c, d * d, k1);
      /* What u owes to the rounding of cn: du = dcn/(sn dn). */
      inverse = real_max(inverse, real_fabs(back - u) * d / complete);
      real s2, c2, d2;
      shk_jacobi(&s2, &c2, &d2, 2 * u, k1);
      const real below = 1 - k2 * s * s * s * s;
      /* 1 - k² sn⁴ cancels near k = 1: there the formula is the poor one. */
      addition = real_max(addition, real_fabs(s2 * below - 2 * s * c * d));
    }
  }
  const double near = (double)(200 * REAL_EPSILON);
  tap_is_near((double)pythagoras, 0, near, "sn² + cn² = 1 and dn² = k1² + k² cn²");
  tap_is_near((double)inverse, 0, near, "F inverts sn");
  tap_is_near((double)addition, 0, near, "the double argument of sn");
  tap_is_near((double)quarter, 0, near, "sn K = 1 and dn K = k1");
  real s, c, d;
  shk_jacobi(&s, &c, &d, R(0.5), 0);
  tap_is_near((double)(s - R(0.462117157260009758502318483643672548730289280330)), 0,
              (double)(4 * REAL_EPSILON), "sn is tanh for k = 1");
  tap_is_near((double)(shk_carlson_rf(1, 2, 0) - R(1.3110287771460599052324197949455597068)), 0,
              (double)(8 * REAL_EPSILON), "R_F(1,2,0) as Carlson printed it");
}

/* ---- the equations of motion ---- */

/* Largest violation of q' = H_p and p' = -H_q - Gᵀ lambda at time t, by differences of sixth order,
 * and of g = 0, the hidden constraint and the energy at the start. */
static real violation(struct bound_problem *b, real t)
{
  static const int weights[] = {45, -9, 1};
  const struct shk_instance *instance = &b->instance;
  const struct shk_system *s = &instance->system;
  const int n = s->n, m = s->m;
  real q[8], p[8], lambda[4], q_rate[8] = {0}, p_rate[8] = {0};
  const real h = instance->time_scale * real_pow(REAL_EPSILON, R(1.0) / 7);
  for (int k = 1; k <= 3; k++)
    for (int side = 1; side >= -1; side -= 2) {
      instance->exact(s->context, q, p, lambda, t + side * k * h);
      for (int i = 0; i < n; i++) {
        q_rate[i] += side * weights[k - 1] * q[i] / (60 * h);
        p_rate[i] += side * weights[k - 1] * p[i] / (60 * h);
      }
    }
  instance->exact(s->context, q, p, lambda, t);
  shk_velocity(&b->evaluator, b->H_p, t, q, p);
  shk_gradient(&b->evaluator, b->H_q, t, q, p);
  shk_jacobian(&b->evaluator, b->values, t, q);
  shk_jacobian_transposed_add(&b->evaluator, b->H_q, b->values, 1, lambda);
  real worst = 0;
  for (int i = 0; i < n; i++) {
    worst = real_max(worst, real_fabs(q_rate[i] - b->H_p[i]));
    worst = real_max(worst, real_fabs(p_rate[i] + b->H_q[i]));
  }
  shk_constraint(&b->evaluator, b->g, t, q);
  worst = real_max(worst, max_norm(b->g, m));
  shk_jacobian_times(&b->evaluator, b->g, b->values, b->H_p);
  worst = real_max(worst, max_norm(b->g, m));
  real energy, first;
  shk_hamiltonian(&b->evaluator, &energy, t, q, p);
  shk_hamiltonian(&b->evaluator, &first, t, b->q, b->p);
  return real_max(worst, real_fabs(energy - first));
}

static void check_motion(const char *spec)
{
  struct shk_message error = {""};
  struct bound_problem *b = bind_problem(spec, NULL, &error);
  if (!tap_ok(b != NULL && b->instance.exact, "%s: has an exact solution", spec)) {
    tap_diag("%s", error.text);
    unbind_problem(b);
    return;
  }
  const struct shk_system *s = &b->instance.system;
  real q[8], p[8], lambda[4], worst = 0;
  b->instance.exact(s->context, q, p, lambda, b->instance.initial_time);
  for (int i = 0; i < s->n; i++)
    worst = real_max(worst, real_max(real_fabs(q[i] - b->q[i]), real_fabs(p[i] - b->p[i])));
  tap_is_near((double)worst, 0, (double)(100 * REAL_EPSILON), "%s: it begins at the start", spec);
  worst = 0;
  for (int k = 0; k <= 12; k++)
    worst = real_max(worst, violation(b, b->instance.horizon * (real)k / 12));
  tap_is_near((double)worst, 0, (double)(SHK_PRECISION == 64 ? R(1e-9) : R(1e-24)),
              "%s: it moves as the equations say", spec);
  unbind_problem(b);
}

/* ---- an independent integration of theta'' = -w2 sin theta by Taylor series ---- */

enum { DEGREE = 34 };

static void taylor_step(real *angle, real *rate, real w2, real h)
{
  real a[DEGREE + 2], r[DEGREE + 2], s[DEGREE + 2], c[DEGREE + 2];
  a[0] = *angle;
  r[0] = *rate;
  s[0] = real_sin(*angle);
  c[0] = real_cos(*angle);
  for (int k = 0; k <= DEGREE; k++) {
    a[k + 1] = r[k] / (k + 1);
    r[k + 1] = -w2 * s[k] / (k + 1);
    s[k + 1] = c[k + 1] = 0;
    for (int j = 0; j <= k; j++) {
      s[k + 1] += (j + 1) * a[j + 1] * c[k - j] / (k + 1);
      c[k + 1] -= (j + 1) * a[j + 1] * s[k - j] / (k + 1);
    }
  }
  *angle = *rate = 0;
  for (int k = DEGREE; k >= 0; k--) {
    *angle = *angle * h + a[k];
    *rate = *rate * h + r[k];
  }
}

/* `growth`: how much the motion magnifies an error made at its start. */
static void check_against_taylor(const char *length, const char *gravity, const char *angle_text,
                                 const char *rate_text, int seconds, double growth)
{
  char spec[200];
  snprintf(spec, sizeof spec, "pendulum(length=%s,gravity=%s,angle=%s,rate=%s)", length, gravity,
           angle_text, rate_text);
  struct shk_message error = {""};
  struct bound_problem *b = bind_problem(spec, NULL, &error);
  if (!tap_ok(b != NULL && b->instance.exact, "%s: has an exact solution", spec)) {
    unbind_problem(b);
    return;
  }
  real l, g, angle, rate, worst = 0;
  shk_real_parse(&l, length);
  shk_real_parse(&g, gravity);
  shk_real_parse(&angle, angle_text);
  shk_real_parse(&rate, rate_text);
  for (int k = 1; k <= 16 * seconds; k++) {
    taylor_step(&angle, &rate, g / l, R(0.0625));
    real q[2], p[2], lambda;
    b->instance.exact(b->instance.system.context, q, p, &lambda, (real)k / 16);
    const real sine = real_sin(angle), cosine = real_cos(angle);
    worst = real_max(worst, real_fabs(q[0] - l * sine));
    worst = real_max(worst, real_fabs(q[1] + l * cosine));
    worst = real_max(worst, real_fabs(p[0] - l * rate * cosine));
    worst = real_max(worst, real_fabs(p[1] - l * rate * sine));
    worst = real_max(worst, real_fabs(lambda - rate * rate - g * cosine / l));
  }
  tap_is_near((double)worst, 0, (double)(500 * REAL_EPSILON) * growth,
              "%s: agrees with a Taylor integration", spec);
  tap_diag("largest difference %.1e", (double)worst);
  unbind_problem(b);
}

/* ---- what is known by itself ---- */

static void check_period(void)
{
  /* g = 4 K(1/√2)²: released horizontally, the period is 2. */
  struct shk_message error;
  struct bound_problem *b =
      bind_problem("pendulum(gravity=13.750371636040745654980191559621114457)", NULL, &error);
  real q[2], p[2], lambda;
  b->instance.exact(b->instance.system.context, q, p, &lambda, 2);
  tap_is_near((double)(q[0] - 1), 0, (double)(16 * REAL_EPSILON), "period 2: back in place");
  tap_is_near((double)p[1], 0, (double)(400 * REAL_EPSILON), "period 2: and at rest");
  b->instance.exact(b->instance.system.context, q, p, &lambda, R(0.5));
  tap_is_near((double)q[1], -1, (double)(16 * REAL_EPSILON), "a quarter: at the lowest point");
  tap_is_near((double)(lambda / (3 * b->instance.system.mass[0])),
              (double)R(13.750371636040745654980191559621), (double)R(1e-13),
              "a quarter: three times the weight");
  unbind_problem(b);
}

static void check_conical_multiplier(void)
{
  struct shk_message error;
  struct bound_problem *b = bind_problem("spherical-pendulum(gravity=0.5,mass=3)", NULL, &error);
  real q[3], p[3], lambda;
  b->instance.exact(b->instance.system.context, q, p, &lambda, 5);
  tap_is_near((double)lambda, 3, (double)R(1e-14), "conical: lambda = m rate²");
  tap_is_near((double)(q[0] / q[1]), 1 / tan(5), (double)R(1e-13), "conical: azimuth 5 at time 5");
  unbind_problem(b);
}

static void check_unknown(void)
{
  static const char *const unknown[] = {"pendulum(angle=180deg)",
                                        "spherical-pendulum(azimuth-rate=0)", "double-pendulum",
                                        "sprung-pendulum", "chain"};
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
    struct shk_message error;
    struct bound_problem *b = bind_problem(unknown[i], NULL, &error);
    tap_ok(!b->instance.exact, "%s: claims no exact solution", unknown[i]);
    unbind_problem(b);
  }
}

/* At the horizon a pendulum is neither where it began, nor mirrored, nor at a special point. */
static void check_horizons(void)
{
  static const char *const all[] = {"pendulum", "pendulum(angle=0.7,rate=1.1)",
                                    "pendulum(angle=0.1)", "pendulum(angle=1,rate=5)",
                                    "pendulum(angle=-2,rate=0.3,length=0.2,gravity=9.81)"};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    struct shk_message error;
    struct bound_problem *b = bind_problem(all[i], NULL, &error);
    const struct shk_instance *s = &b->instance;
    real q[2], p[2], lambda, widest = 0, fastest = 0;
    for (int k = 0; k < 400; k++) {
      s->exact(s->system.context, q, p, &lambda, s->horizon * (real)k / 400);
      widest = real_max(widest, real_fabs(q[0]));
      fastest = real_max(fastest, real_max(real_fabs(p[0]), real_fabs(p[1])));
    }
    s->exact(s->system.context, q, p, &lambda, s->horizon);
    const real moved_q = real_fabs(real_fabs(q[0]) - real_fabs(b->q[0])) / widest;
    const real moved_p = real_fabs(max_norm(p, 2) - max_norm(b->p, 2)) / fastest;
    tap_ok(real_fabs(q[0]) > widest / 20 && max_norm(p, 2) > fastest / 20 &&
               (moved_q > R(0.05) || moved_p > R(0.05)),
           "%s: its horizon %g is no symmetric time", all[i], (double)s->horizon);
    unbind_problem(b);
  }
}

int main(void)
{
  gsl_set_error_handler_off();
  check_against_gsl();
  check_identities();
  static const char *const known[] = {
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
      "azimuth=1)",
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    check_motion(known[i]);
  check_against_taylor("1", "1", "90deg", "0", 20, 1);
  check_against_taylor("1", "1", "0.7", "1.1", 20, 1);
  check_against_taylor("0.5", "1", "-3", "0.4", 10, 100);
  check_against_taylor("1", "1", "179deg", "0", 20, 10000);
  check_against_taylor("1", "1", "1", "-3", 10, 1);
  check_against_taylor("1", "1", "-2", "1.9", 10, 10);
  check_against_taylor("1", "1", "0", "2", 8, 3000);
  check_against_taylor("1", "1", "0.3", "1.98", 10, 10000);
  check_period();
  check_conical_multiplier();
  check_unknown();
  check_horizons();
  return tap_done();
}
