/*
 * A mass on a circular track, driven by a nonpotential force. The exact solution is known:
 *
 *     H = ½ |p|²       Q = (2y, -2x)       0 = ½ (x² + y² - 1)       starting at t = 1
 *     x = sin t²,   y = cos t²,   λ = 4 t²
 *
 * The constraint force is -Gᵀλ, whereas the source writes x'' = 2y + x λ and obtains λ = -4 t². Q
 * acts along the track and accelerates the mass indefinitely, with |v| = 2t. The angle t² is
 * measured from +y towards +x.
 *
 * Source: C. Arévalo & P. Lötstedt, Improving the accuracy of BDF methods for index 3
 * differential-algebraic equations, BIT 35 (1995) 297.
 */
#include "problems/kit/problem.h"

struct track {
  struct shk_bob bob;
};

static int gradient(const void *context, real *out, real t, const real *q)
{
  out[0] = out[1] = 0;
  return 0;
}

static int hessian(const void *context, real *out, real t, const real *q, const real *p)
{
  for (int i = 0; i < 16; i++)
    out[i] = i == 10 || i == 15;
  return 0;
}

static int force(const void *context, real *out, real t, const real *q, const real *p)
{
  out[0] = 2 * q[1];
  out[1] = -2 * q[0];
  return 0;
}

static int force_gradients(const void *context, real *Q_q, real *Q_p, real t, const real *q,
                           const real *p)
{
  Q_q[0] = Q_q[3] = 0;
  Q_q[1] = 2;
  Q_q[2] = -2;
  for (int i = 0; i < 4; i++)
    Q_p[i] = 0;
  return 0;
}

static int exact(const void *context, real *q, real *p, real *lambda, real t)
{
  q[0] = real_sin(t * t);
  q[1] = real_cos(t * t);
  p[0] = 2 * t * q[1];
  p[1] = -2 * t * q[0];
  lambda[0] = 4 * t * t;
  return 0;
}

static int start_arevalo(const void *context, real *q, real *p)
{
  real lambda;
  return exact(context, q, p, &lambda, 1);
}

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct track *s = context;
  s->bob.length = s->bob.mass[0] = 1;
  shk_bob_bind(instance, &s->bob, 2);
  instance->initial_time = 1;
  /* The time scale is 1/(2t), evaluated at the end of the run. At t = 4.3, the angle is not a
   * multiple of a right angle, and the state is not a mirror image of the initial state. */
  instance->time_scale = 1 / R(8.6);
  instance->horizon = R(3.3);
  /* The start counts as symmetric because the multiplier depends only on the speed, whose error is
   * unusually small on a circle. */
  instance->undecidable = SHK_ONE_DEGREE_OF_FREEDOM | SHK_NO_REVERSAL | SHK_SYMMETRIC_START;
  instance->start = start_arevalo;
  instance->picture = shk_bob_picture(2);
  instance->exact = exact;
  return shk_ok();
}

static const struct shk_option options[] = {{0}};

static const struct shk_system arevalo_system = {.n = 2,
                                                 .m = 1,
                                                 .features = SHK_FORCES,
                                                 .potential = shk_no_potential,
                                                 .gradient = gradient,
                                                 .hessian = hessian,
                                                 SHK_BOB_CONSTRAINT,
                                                 SHK_FORCE};

SHK_PROVIDE_PROBLEM(arevalo, track, &arevalo_system, .name = "arevalo", .family = "on manifolds",
                    .summary = "mass driven round a circular track, with the exact multiplier 4t²",
                    .equations = "H = ½ |p|²,  Q = (2y, -2x),  from t = 1\n"
                                 "0 = ½ (x² + y² - 1)\n"
                                 "exact: x = sin t², y = cos t², λ = 4t²",
                    .citation = "C. Arévalo & P. Lötstedt, BIT 35 (1995) 297-308",
                    .units = "dimensionless", .coordinates = "q = (x, y)");
