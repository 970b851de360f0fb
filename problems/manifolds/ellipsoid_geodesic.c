/*
 * Geodesics on a triaxial ellipsoid, described as the motion of a free particle of unit mass on
 *
 *     0 = ½ (x²/a² + y²/b² + z²/c² - 1),     H = ½ |p|²,     λ = Σ p_i²/α_i / Σ q_i²/α_i²
 *
 * with α = (a², b², c²) and the constraint force -Gᵀλ. The system is completely integrable (Jacobi
 * 1838). Besides H,
 *
 *     F_i = p_i² + Σ_{j≠i} (q_i p_j - q_j p_i)²/(α_i - α_j),    Σ F_i = 2H,    Σ F_i/α_i = 0,
 *     J   = (Σ q_i²/α_i²) (Σ p_i²/α_i)                          Joachimsthal's integral
 *
 * are conserved. If two axes are equal, the angular momentum of this pair replaces the two
 * corresponding F_i. The solution in terms of hyperelliptic functions is not implemented.
 *
 * Sources: C. G. J. Jacobi, J. reine angew. Math. 19 (1839) 309; F. Joachimsthal, ibid. 26 (1843)
 * 155; J. Moser, Various aspects of integrable Hamiltonian systems, Birkhäuser 1980.
 */
#include "problems/kit/problem.h"
#include "problems/kit/quadric.h"

struct ellipsoid {
  real semi[3];
  struct shk_axes axes; /* α */
  const char *names[4];
  real mass[3];
  real q[3], p[3]; /* the start */
  struct shk_direction at;
};

static int gradient(const void *context, real *out, real t, const real *q)
{
  out[0] = out[1] = out[2] = 0;
  return 0;
}

static int constraint(const void *context, real *g, real t, const real *q)
{
  const struct ellipsoid *s = context;
  g[0] = R(-0.5);
  for (int i = 0; i < 3; i++)
    g[0] += q[i] * q[i] / s->axes.a[i] / 2;
  return 0;
}

static int jacobian(const void *context, real *values, real t, const real *q)
{
  const struct ellipsoid *s = context;
  for (int i = 0; i < 3; i++)
    values[i] = q[i] / s->axes.a[i];
  return 0;
}

static int curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  const struct ellipsoid *s = context;
  out[0] = 0;
  for (int i = 0; i < 3; i++)
    out[0] += v[i] * v[i] / s->axes.a[i];
  return 0;
}

SHK_STORED_START(ellipsoid, 3)

static int invariants(const void *context, real *values, real t, const real *q, const real *p)
{
  const struct ellipsoid *s = context;
  real normal[3], bend;
  jacobian(context, normal, t, q);
  curvature(context, &bend, t, q, p);
  values[0] = real_dot(normal, normal, 3) * bend;
  shk_axes_integrals(values + 1, &s->axes, q, p, p);
  return 0;
}

static const struct shk_picture picture = {SHK_PICTURE_SPACE(2, 1)};

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct ellipsoid *s = context;
  const real *semi = s->semi;
  const real shortest = real_min(semi[0], real_min(semi[1], semi[2]));
  shk_direction_place(&s->at, 1, s->q, s->p);
  for (int i = 0; i < 3; i++) {
    s->axes.a[i] = semi[i] * semi[i];
    s->mass[i] = 1;
    s->q[i] *= semi[i]; /* the affine image of a point on the unit sphere and of a tangent vector */
    s->p[i] *= semi[i];
  }
  shk_axes_prepare(&s->axes);
  s->names[0] = "joachimsthal";
  for (int i = 0; i < s->axes.count; i++)
    s->names[1 + i] = s->axes.names[i];
  const real speed = shk_distance(NULL, s->p, 3);
  if (!(speed > 0))
    return shk_failure(SHK_BAD_INPUT,
                       "found polar-rate = azimuth-rate = 0, expected at least one nonzero rate", 0,
                       0);

  instance->system.mass = s->mass;
  instance->time_scale = shortest / speed;
  instance->horizon = shk_short_decimal(R(17.3) * instance->time_scale);
  /* Free motion has no nonlinear potential, so claims about the flow alone cannot be decided. */
  instance->undecidable = SHK_FREE_MOTION | SHK_LINEAR_POTENTIAL;
  if (semi[0] == semi[1] && semi[1] == semi[2])
    instance->undecidable |= SHK_SYMMETRIC_START; /* a great circle at constant speed */
  instance->start = start;
  instance->picture = &picture;
  shk_set_invariants(instance, 1 + s->axes.count, s->names, invariants);
  return shk_ok();
}

#define SEMI_AXIS(number, value, along)                                                            \
  SHK_REAL(ellipsoid, semi[number - 1], "axis" #number, value, "semi-axis along " along,           \
           SHK_POSITIVE)

static const struct shk_option options[] = {
    SEMI_AXIS(1, "2", "x"),
    SEMI_AXIS(2, "1.5", "y"),
    SEMI_AXIS(3, "1", "z"),
    SHK_ANGLE(ellipsoid, at.polar, "polar", "1.1",
              "initial angle a, with q = (axis1 sin a cos b, axis2 sin a sin b, -axis3 cos a)"),
    SHK_ANGLE(ellipsoid, at.azimuth, "azimuth", "0.4", "initial angle b"),
    SHK_REAL(ellipsoid, at.polar_rate, "polar-rate", "0.3", "initial a', in radians per unit time"),
    SHK_REAL(ellipsoid, at.azimuth_rate, "azimuth-rate", "0.9",
             "initial b', in radians per unit time"),
    {0}};

static const struct shk_system ellipsoid_geodesic_system = {
    .n = 3, .m = 1, .potential = shk_no_potential, .gradient = gradient, SHK_CONSTRAINT};

SHK_PROVIDE_PROBLEM(
    ellipsoid_geodesic, ellipsoid, &ellipsoid_geodesic_system, .name = "ellipsoid-geodesic",
    .family = "on manifolds",
    .summary = "geodesics on a triaxial ellipsoid, with all their integrals",
    .equations = "H = ½ |p|²,  0 = ½ (x²/a² + y²/b² + z²/c² - 1)\n"
                 "Joachimsthal: J = (x²/a⁴ + y²/b⁴ + z²/c⁴) (p1²/a² + p2²/b² + p3²/c²)\n"
                 "F_i = p_i² + Σ_{j≠i} (q_i p_j - q_j p_i)²/(α_i - α_j),  "
                 "α = (a², b², c²)",
    .citation = "C. G. J. Jacobi, J. reine angew. Math. 19 (1839) 309-313; J. Moser, "
                "Various aspects of integrable Hamiltonian systems, Birkhäuser 1980",
    .units = "dimensionless", .coordinates = "q = (x, y, z)");
