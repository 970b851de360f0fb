/*
 * A particle on an oval surface of degree four, under a potential that is not linear:
 *
 *     H = ½ |p|² + z + ½ x² + ⅓ y³,     0 = ½ (x² + y² + z²) + ¼ (x⁴ + 2 y⁴ + 3 z⁴) - 1
 *
 * Unit mass, constraint force -Gᵀλ. The constraint is no quadric: where g is quadratic, G(½(q0+q1))
 * (q1-q0) = g(q1) - g(q0) holds exactly, and a discrete gradient or an index-reduced Gauss method
 * seems to keep more than it does. The surface is strictly convex. There is no invariant but H, and
 * no exact solution.
 */
#include "problems/kit/problem.h"

struct oval {
  real mass[3];
  real q[3], p[3]; /* the start */
  struct shk_direction at;
};

/* The coefficients of the terms of degree four. */
static const real quartic[3] = {1, 2, 3};

static int potential(const void *context, real *value, real t, const real *q)
{
  *value = q[2] + q[0] * q[0] / 2 + q[1] * q[1] * q[1] / 3;
  return 0;
}

static int gradient(const void *context, real *out, real t, const real *q)
{
  out[0] = q[0];
  out[1] = q[1] * q[1];
  out[2] = 1;
  return 0;
}

static int constraint(const void *context, real *g, real t, const real *q)
{
  g[0] = -1;
  for (int i = 0; i < 3; i++)
    g[0] += q[i] * q[i] * (1 + quartic[i] * q[i] * q[i] / 2) / 2;
  return 0;
}

static int jacobian(const void *context, real *values, real t, const real *q)
{
  for (int i = 0; i < 3; i++)
    values[i] = q[i] * (1 + quartic[i] * q[i] * q[i]);
  return 0;
}

static int curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  out[0] = 0;
  for (int i = 0; i < 3; i++)
    out[0] += (1 + 3 * quartic[i] * q[i] * q[i]) * v[i] * v[i];
  return 0;
}

SHK_STORED_START(oval, 3)

static const struct shk_picture picture = {
    .struct_size = sizeof picture, .dimension = 3, .up = 2, .point_count = 1};

/* Along a unit vector u the surface is at the distance r with ½ r² + ¼ s r⁴ = 1, s = Σ c_i u_i⁴. */
static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct oval *s = context;
  real sum = 0;
  shk_direction_place(&s->at, 1, s->q, s->p);
  for (int i = 0; i < 3; i++)
    sum += quartic[i] * s->q[i] * s->q[i] * s->q[i] * s->q[i];
  const real r = real_sqrt((real_sqrt(1 + 4 * sum) - 1) / sum);
  for (int i = 0; i < 3; i++) {
    s->mass[i] = 1;
    s->q[i] *= r;
    s->p[i] *= r;
  }
  instance->system.mass = s->mass;
  instance->start = start;
  instance->picture = &picture;
  SHK_TRY(shk_make_consistent(instance, s->q, s->p));
  shk_set_times(instance, real_max(R(1.5), shk_distance(NULL, s->p, 3)), R(7.3));
  instance->undecidable = SHK_CHAOTIC;
  return shk_ok();
}

static const struct shk_option options[] = {
    SHK_ANGLE(oval, at.polar, "polar", "1.1", "angle at the start from the direction of -z"),
    SHK_ANGLE(oval, at.azimuth, "azimuth", "0.4", "angle at the start about z, from +x"),
    SHK_DIRECTION_RATES(oval, at, "0.7", "0.9"),
    {0}};

static const struct shk_system oval_system = {.n = 3, .m = 1, SHK_POTENTIAL, SHK_CONSTRAINT};

SHK_PROVIDE_PROBLEM(
    oval, oval, &oval_system, .name = "oval",
    .summary = "a particle on an oval surface of degree four: no quadratic constraint",
    .equations = "H = ½ |p|² + z + ½ x² + ⅓ y³\n"
                 "0 = ½ (x² + y² + z²) + ¼ (x⁴ + 2 y⁴ + 3 z⁴) - 1",
    .citation = "ours", .units = "dimensionless", .coordinates = "q = (x, y, z)");
