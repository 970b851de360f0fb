/*
 * A manufactured solution on the sphere: the motion q*(t) and the multiplier λ*(t) are prescribed,
 * and the force that makes them a solution is computed.
 *
 *     H = |p|²/(2m) + m g z + ¼ k (x⁴ + y⁴ + z⁴)          0 = ½ (|q|² - L²)
 *     Q = m q*'' + ∇V(q*) + λ* q* - d (p - m q*')
 *     q* = L (sin a cos b, sin a sin b, -cos a)
 *     a  = 1.1 + 0.4 sin 1.3t,   b = 0.4 + 0.7 t + 0.3 cos 0.9t
 *     λ* = s (2 + cos 1.7t)
 *
 * The constraint force is -Gᵀλ. Q depends on time and also on p, because d damps deviations from
 * q*. The potential is nonlinear. The known solution reveals whether a method evaluates the force
 * at the wrong time, point or momentum, or the multiplier at the wrong end of a step. The option
 * `scale`, s, multiplies λ* and thus changes the tension but not the motion. The method of
 * manufactured solutions is due to P. J. Roache (J. Fluids Eng. 124 (2002) 4). This particular
 * solution is ours.
 */
#include "problems/kit/problem.h"

struct made {
  struct shk_bob bob;
  real quartic, damping, scale;
};

/* Stores q*, its velocity and its acceleration (3 numbers each). A pointer can be NULL if its
 * result is not needed. */
static void motion_manufactured(const struct made *s, real t, real *q, real *v, real *acceleration)
{
  const real w1 = R(1.3), w2 = R(0.9);
  const real a = R(1.1) + R(0.4) * real_sin(w1 * t), a1 = R(0.4) * w1 * real_cos(w1 * t);
  const real b = R(0.4) + R(0.7) * t + R(0.3) * real_cos(w2 * t);
  const real b1 = R(0.7) - R(0.3) * w2 * real_sin(w2 * t);
  shk_direction_place(&(struct shk_direction){a, b, a1, b1}, s->bob.length, q, v);
  if (!acceleration)
    return;
  const real a2 = -R(0.4) * w1 * w1 * real_sin(w1 * t), b2 = -R(0.3) * w2 * w2 * real_cos(w2 * t);
  const real sa = real_sin(a), ca = real_cos(a), sb = real_sin(b), cb = real_cos(b);
  /* Components along the unit vectors of a and b and along the outward normal. */
  const real by_a = s->bob.length * (a2 - b1 * b1 * sa * ca);
  const real by_b = s->bob.length * (b2 * sa + 2 * a1 * b1 * ca);
  const real outward = -(a1 * a1 + b1 * b1 * sa * sa);
  acceleration[0] = by_a * ca * cb - by_b * sb + outward * q[0];
  acceleration[1] = by_a * ca * sb + by_b * cb + outward * q[1];
  acceleration[2] = by_a * sa + outward * q[2];
}

static real exact_tension(const struct made *s, real t)
{
  return s->scale * (2 + real_cos(R(1.7) * t));
}

static int potential(const void *context, real *value, real t, const real *q)
{
  const struct made *s = context;
  *value = s->bob.mass[0] * s->bob.gravity * q[2];
  for (int i = 0; i < 3; i++)
    *value += s->quartic * (q[i] * q[i]) * (q[i] * q[i]) / 4;
  return 0;
}

static int gradient(const void *context, real *out, real t, const real *q)
{
  const struct made *s = context;
  for (int i = 0; i < 3; i++)
    out[i] = s->quartic * q[i] * q[i] * q[i];
  out[2] += s->bob.mass[0] * s->bob.gravity;
  return 0;
}

static int hessian(const void *context, real *out, real t, const real *q, const real *p)
{
  const struct made *s = context;
  for (int i = 0; i < 36; i++)
    out[i] = 0;
  for (int i = 0; i < 3; i++) {
    out[7 * i] = 3 * s->quartic * q[i] * q[i];
    out[21 + 7 * i] = 1 / s->bob.mass[i];
  }
  return 0;
}

static int force(const void *context, real *out, real t, const real *q, const real *p)
{
  const struct made *s = context;
  real point[3], v[3], acceleration[3], slope[3];
  const real lambda = exact_tension(s, t);
  motion_manufactured(s, t, point, v, acceleration);
  gradient(context, slope, t, point);
  for (int i = 0; i < 3; i++)
    out[i] = s->bob.mass[i] * acceleration[i] + slope[i] + lambda * point[i] -
             s->damping * (p[i] - s->bob.mass[i] * v[i]);
  return 0;
}

static int force_gradients(const void *context, real *Q_q, real *Q_p, real t, const real *q,
                           const real *p)
{
  const struct made *s = context;
  for (int i = 0; i < 9; i++) {
    Q_q[i] = 0;
    Q_p[i] = i % 4 == 0 ? -s->damping : 0;
  }
  return 0;
}

static int exact(const void *context, real *q, real *p, real *lambda, real t)
{
  const struct made *s = context;
  motion_manufactured(s, t, q, p, NULL);
  for (int i = 0; i < 3; i++)
    p[i] *= s->bob.mass[i];
  lambda[0] = exact_tension(s, t);
  return 0;
}

static int start_manufactured(const void *context, real *q, real *p)
{
  real lambda;
  return exact(context, q, p, &lambda, 0);
}

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct made *s = context;
  shk_bob_bind(instance, &s->bob, 3);
  /* The fastest frequency in q* and λ* is 1.7. Motions on the sphere near the solution also contain
   * other rates. */
  const real length = s->bob.length;
  const real own =
      real_sqrt((3 * s->quartic * length * length + real_fabs(s->scale) * 3) / s->bob.mass[0] +
                s->bob.gravity / length);
  shk_set_times(instance, real_max(R(1.7), real_max(own, s->damping)), R(14.3));
  instance->undecidable = SHK_NO_REVERSAL;
  if (s->quartic == 0)
    instance->undecidable |= SHK_LINEAR_POTENTIAL;
  instance->start = start_manufactured;
  instance->picture = shk_bob_picture(3);
  instance->exact = exact;
  return shk_ok();
}

static const struct shk_option options[] = {
    SHK_BOB(made, bob),
    SHK_REAL(made, quartic, "quartic", "0.5", "coefficient k of the quartic potential",
             .minimum = "0"),
    SHK_REAL(made, damping, "damping", "0.5",
             "damping d of deviations from the momentum of the solution", .minimum = "0"),
    SHK_REAL(made, scale, "scale", "1", "factor s of the multiplier λ* = s (2 + cos 1.7t)"),
    {0}};

static const struct shk_system manufactured_system = {.n = 3,
                                                      .m = 1,
                                                      .features = SHK_FORCES,
                                                      SHK_POTENTIAL,
                                                      .hessian = hessian,
                                                      SHK_BOB_CONSTRAINT,
                                                      SHK_FORCE};

SHK_PROVIDE_PROBLEM(
    manufactured, made, &manufactured_system, .name = "manufactured", .family = "on manifolds",
    .summary =
        "prescribed motion and multiplier on a sphere, with the force that makes them a solution",
    .equations = "H = |p|²/(2m) + m g z + ¼ k (x⁴ + y⁴ + z⁴),  0 = ½ (|q|² - L²)\n"
                 "Q = m q*'' + ∇V(q*) + λ* q* - d (p - m q*')\n"
                 "q* = L (sin a cos b, sin a sin b, -cos a),  λ* = s (2 + cos 1.7t)\n"
                 "a = 1.1 + 0.4 sin 1.3t,  b = 0.4 + 0.7t + 0.3 cos 0.9t",
    .citation = "P. J. Roache, J. Fluids Eng. 124 (2002) 4-10, for the method",
    .units = "dimensionless", .coordinates = "q = (x, y, z), z upwards");
