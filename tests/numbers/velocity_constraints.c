/*
 * Constraints on velocities, A(q,t) v + a(q,t) = 0: Frobenius' test on forms of which the answer is known,
 * derivatives against differences, and integrable ones integrated as the g(q,t) that they are.
 */
#include "engine/bind.h"
#include "mechanics/diagnosis/frobenius.h"
#include "tests/kit/driving.h"

/* ---- Frobenius' test on forms of which the answer is known ---- */

/* With A and its derivatives: 1 + z² times d(x² + xy + z), which has the same kernel; dz - y dx, the contact
 * form; y dx - x dy, not exact, but by an integrating factor; and, with time for z, the form of a plane that turns,
 * x dy - y dx - (x² + y²) dt, and y dx + x dy + x dt. */
struct form {
  const char *name;
  bool integrable;
  void (*matrix)(real *A, const real *q);
  void (*gradients)(real *out, const real *q); /* out[3 j + k] = dA_j/dq_k, zeroed */
};

static void scaled_exact(real *A, const real *q)
{
  const real factor = 1 + q[2] * q[2];
  A[0] = factor * (2 * q[0] + q[1]);
  A[1] = factor * q[0];
  A[2] = factor;
}

static void scaled_exact_gradients(real *out, const real *q)
{
  const real factor = 1 + q[2] * q[2];
  out[0] = 2 * factor;
  out[1] = out[3] = factor;
  out[2] = 2 * q[2] * (2 * q[0] + q[1]);
  out[5] = 2 * q[2] * q[0];
  out[8] = 2 * q[2];
}

static void contact(real *A, const real *q)
{
  A[0] = -q[1];
  A[1] = 0;
  A[2] = 1;
}

static void contact_gradients(real *out, const real *q)
{
  out[1] = -1;
}

static void plane(real *A, const real *q)
{
  A[0] = q[1];
  A[1] = -q[0];
  A[2] = 0;
}

static void plane_gradients(real *out, const real *q)
{
  out[1] = 1;
  out[3] = -1;
}

static void turning(real *A, const real *q)
{
  A[0] = -q[1];
  A[1] = q[0];
  A[2] = -(q[0] * q[0] + q[1] * q[1]);
}

static void turning_gradients(real *out, const real *q)
{
  out[1] = -1;
  out[3] = 1;
  out[6] = -2 * q[0];
  out[7] = -2 * q[1];
}

static void affine(real *A, const real *q)
{
  A[0] = q[1];
  A[1] = A[2] = q[0];
}

static void affine_gradients(real *out, const real *q)
{
  out[1] = out[3] = out[6] = 1;
}

/* The same with t for the last coordinate. */
static int timed_matrix(const void *context, real *A, real t, const real *q)
{
  const real x[3] = {q[0], q[1], t};
  ((const struct form *)context)->matrix(A, x);
  return 0;
}

static int timed_gradients(const void *context, real *out, real t, const real *q)
{
  const real x[3] = {q[0], q[1], t};
  memset(out, 0, 9 * sizeof *out);
  ((const struct form *)context)->gradients(out, x);
  return 0;
}

static int form_matrix(const void *context, real *A, real t, const real *q)
{
  ((const struct form *)context)->matrix(A, q);
  A[3] = 0;
  return 0;
}

static int form_gradients(const void *context, real *out, real t, const real *q)
{
  real dense[9] = {0};
  ((const struct form *)context)->gradients(dense, q);
  memset(out, 0, 16 * sizeof *out);
  for (int j = 0; j < 3; j++)
    memcpy(out + 4 * j, dense + 3 * j, 3 * sizeof *out);
  return 0;
}

static void check_frobenius(void)
{
  static const struct form forms[] = {
      {"dz - y dx", false, contact, contact_gradients},
      {"(1 + z²) d(x² + xy + z)", true, scaled_exact, scaled_exact_gradients},
      {"y dx - x dy", true, plane, plane_gradients},
      {"x dy - y dx - (x² + y²) dt", true, turning, turning_gradients},
      {"y dx + x dy + x dt", false, affine, affine_gradients}};
  static const real mass[3] = {1, 1, 1};
  const real q[3] = {R(0.3), R(0.8), R(-0.6)}, p[3] = {0, 0, 0};
  for (size_t k = 0; k < sizeof forms / sizeof forms[0]; k++) {
    const struct shk_system system = {.struct_size = sizeof system,
                                      .n = 3,
                                      .features = SHK_VELOCITY_CONSTRAINT,
                                      .context = &forms[k],
                                      .mass = mass,
                                      .velocity_rows = 1,
                                      .velocity_forms = form_matrix,
                                      .velocity_form_gradients = form_gradients};
    const struct shk_system timed = {.struct_size = sizeof timed,
                                     .n = 2,
                                     .features = SHK_VELOCITY_CONSTRAINT,
                                     .context = &forms[k],
                                     .mass = mass,
                                     .velocity_rows = 1,
                                     .velocity_forms = timed_matrix,
                                     .velocity_form_gradients = timed_gradients};
    struct shk_evaluator e, with_time;
    struct shk_frobenius test = {0}, same = {0};
    const bool ok = shk_evaluator_init(&e, &system).code == SHK_OK &&
                    shk_frobenius_test(&test, &e, 0, q, p).code == SHK_OK;
    const bool timed_ok = shk_evaluator_init(&with_time, &timed).code == SHK_OK &&
                          shk_frobenius_test(&same, &with_time, q[2], q, p).code == SHK_OK;
    real A[3];
    forms[k].matrix(A, q);
    /* At rest, with time going on at the rate one, A v + a is what stands before dt. */
    const real rest = real_fabs(A[2]) / real_sqrt(real_dot(A, A, 3));
    tap_ok(timed_ok && same.rank == 1 && same.integrable == forms[k].integrable &&
               real_fabs(same.twist - test.twist) <= 100 * REAL_EPSILON &&
               real_fabs(same.violation - rest) <= 10 * REAL_EPSILON,
           "... the same with t for the third coordinate: twist %.3g", (double)same.twist);
    shk_evaluator_clear(&with_time);
    tap_ok(ok && test.rank == 1 && test.integrable == forms[k].integrable,
           "%s is %sintegrable: twist %.3g", forms[k].name, forms[k].integrable ? "" : "not ",
           (double)test.twist);
    /* dα(u,v) = dx∧dy over |α|: the area of free (u,v) on (x,y) is α_z/|α|, so 1/|α|². */
    if (k == 0)
      tap_is_near((double)test.twist, 1 / (1 + 0.8 * 0.8), 1e-12, "the contact form's twist");
    shk_evaluator_clear(&e);
  }
}

/* Integrable velocity constraints with their g beside them are integrated as holonomic ones: the azimuth is that
 * of the plane, at rest or turning, and A v + a = 0 with it. */
static void check_integrated(const char *integrator, real rotation)
{
  DRIVE d = {0};
  const bool ok = begin_own(&d, rotation == 0 ? "vertical-plane" : "vertical-plane(rotation=1.3)",
                            integrator, "0.01") &&
                  advance(&d, 200);
  const real *q = d.current.q, *p = d.current.p, square = q[0] * q[0] + q[1] * q[1];
  const real turn = R(0.6) + rotation * d.current.t;
  tap_ok(ok && real_fabs(q[0] * real_sin(turn) - q[1] * real_cos(turn)) <= 100 * REAL_EPSILON &&
             real_fabs(q[1] * p[0] - q[0] * p[1] + rotation * square) <= 100 * REAL_EPSILON &&
             real_fabs(real_sqrt(square) - R(1.2)) > R(0.1),
         "%s integrates y x' - x y' + %g (x² + y²) = 0 as the plane that it is", integrator,
         (double)rotation);
}

/* The derivatives of a problem's velocity constraints against central differences, by time as well where it
 * enters. */
static void check_velocity_gradients(const char *spec)
{
  enum { MOST = 64 };
  BOUND bound = {0};
  real given[MOST], low[MOST], high[MOST], x[9], worst = 1;
  const real h = SHK_PRECISION == 128 ? R(1e-11) : R(1e-5);
  const bool ok = begin_problem(&bound, spec) && bound.start.n <= 8;
  const struct shk_system *s = &bound.instance.system;
  const int width = s->n + 1;
  if (ok && s->velocity_rows * width * width <= MOST) {
    worst = 0;
    for (int i = 0; i < s->n; i++)
      x[i] = bound.start.q[i] + R(0.3) * (real)(i + 1);
    x[s->n] = R(0.7);
    s->velocity_form_gradients(s->context, given, x[s->n], x);
    for (int k = 0; k < width; k++) {
      const real at = x[k];
      x[k] = at - h;
      s->velocity_forms(s->context, low, x[s->n], x);
      x[k] = at + h;
      s->velocity_forms(s->context, high, x[s->n], x);
      x[k] = at;
      for (int i = 0; i < s->velocity_rows * width; i++)
        worst = real_max(worst, real_fabs((high[i] - low[i]) / (2 * h) - given[i * width + k]));
    }
  }
  tap_ok(worst <= 100 * h * h + 10 * REAL_EPSILON / h, "%s: derivatives of A, off by %.2g", spec,
         (double)worst);
}

int main(void)
{
  check_frobenius();
  check_velocity_gradients("knife-edge");
  check_velocity_gradients("vertical-plane(rotation=1.3,area-rate=0.4)");
  check_integrated("rattle", 0);
  check_integrated("rattle", R(1.3));
  check_integrated("spark(stages=3)", R(1.3));
  check_integrated("composition(scheme=yoshida6)", 0);
  return tap_done();
}
