/*
 * Points on oval surfaces of degree four, joined by springs, in a nonlinear potential:
 *
 *     H = Σ_k ½ Σ_i p_ki²/m_ki + Σ_k (z_k + ½ x_k² + ⅓ y_k³) + Σ_k ¼ (|r_k - r_{k+1}|² - 1)²
 *     0 = g_k = ½ |r_k|² + ¼ Σ_i c_{i+k} r_ki⁴ - 1,     c = (1, 2, 3), cyclic,   k = 0, 1, …
 *
 * with r_k = (x_k, y_k, z_k) and masses m_ki = ratio^(i+k), i = 0, 1, 2. By default, there is one
 * point, and all masses are equal. The constraint force is -Gᵀλ. The surfaces are deliberately not
 * quadrics. If g were quadratic, G(½(q0+q1)) (q1-q0) = g(q1) - g(q0) would hold exactly, and a
 * discrete gradient or an index-reduced Gauss method would seem to preserve more than it does. With
 * unequal masses, M⁻¹Gᵀ is not parallel to Gᵀ either. The surfaces are strictly convex and differ
 * from point to point. H is the only invariant, and no exact solution is known.
 */
#include "problems/kit/problem.h"

enum { LARGEST = 4 };

struct oval {
  long points;
  real ratio;
  real mass[3 * LARGEST];
  real q[3 * LARGEST], p[3 * LARGEST]; /* the start */
  struct shk_direction at;             /* direction of the first point */
};

/* Returns the coefficient of the fourth-degree term for coordinate i of point k. */
static real quartic_coefficient(int k, int i)
{
  return (real)((i + k) % 3 + 1);
}

/* Returns |r - r'|² - 1 for the spring between a point and the next one. */
static real stretch_oval(const real *r)
{
  const real distance = shk_distance(r, r + 3, 3);
  return distance * distance - 1;
}

static int potential(const void *context, real *value, real t, const real *q)
{
  const struct oval *s = context;
  *value = 0;
  for (int k = 0; k < s->points; k++, q += 3) {
    *value += q[2] + q[0] * q[0] / 2 + q[1] * q[1] * q[1] / 3;
    if (k + 1 < s->points)
      *value += stretch_oval(q) * stretch_oval(q) / 4;
  }
  return 0;
}

static int gradient(const void *context, real *out, real t, const real *q)
{
  const struct oval *s = context;
  for (int k = 0; k < s->points; k++) {
    out[3 * k] = q[3 * k];
    out[3 * k + 1] = q[3 * k + 1] * q[3 * k + 1];
    out[3 * k + 2] = 1;
  }
  for (int k = 0; k + 1 < s->points; k++)
    for (int i = 3 * k; i < 3 * k + 3; i++) {
      const real force = stretch_oval(q + 3 * k) * (q[i] - q[i + 3]);
      out[i] += force;
      out[i + 3] -= force;
    }
  return 0;
}

static int constraint(const void *context, real *g, real t, const real *q)
{
  const struct oval *s = context;
  for (int k = 0; k < s->points; k++, q += 3) {
    g[k] = -1;
    for (int i = 0; i < 3; i++)
      g[k] += q[i] * q[i] * (1 + quartic_coefficient(k, i) * q[i] * q[i] / 2) / 2;
  }
  return 0;
}

static int jacobian(const void *context, real *values, real t, const real *q)
{
  const struct oval *s = context;
  for (int k = 0, at = 0; k < s->points; k++)
    for (int i = 0; i < 3; i++, at++)
      values[at] = q[at] * (1 + quartic_coefficient(k, i) * q[at] * q[at]);
  return 0;
}

static int curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  const struct oval *s = context;
  for (int k = 0, at = 0; k < s->points; k++) {
    out[k] = 0;
    for (int i = 0; i < 3; i++, at++)
      out[k] += (1 + 3 * quartic_coefficient(k, i) * q[at] * q[at]) * v[at] * v[at];
  }
  return 0;
}

SHK_STORED_START(oval, 3 * (int)s->points)

static const struct shk_picture pictures[LARGEST] = {{SHK_PICTURE_SPACE(2, 1)},
                                                     {SHK_PICTURE_SPACE(2, 2)},
                                                     {SHK_PICTURE_SPACE(2, 3)},
                                                     {SHK_PICTURE_SPACE(2, 4)}};

/* Places point k. In the direction of a unit vector u, its surface is at the distance r that
 * satisfies ½ r² + ¼ s r⁴ = 1 with s = Σ c_i u_i⁴. Each additional point is rotated about the axes
 * by angles that have no common period. */
static void place_oval(struct oval *s, int k)
{
  real *const mass = s->mass + 3 * k, *const q = s->q + 3 * k, *const p = s->p + 3 * k;
  struct shk_direction at = s->at;
  real sum = 0;
  at.polar += k * R(0.53);
  at.azimuth += k * R(1.31);
  shk_direction_place(&at, 1, q, p);
  for (int i = 0; i < 3; i++)
    sum += quartic_coefficient(k, i) * q[i] * q[i] * q[i] * q[i];
  const real r = real_sqrt((real_sqrt(1 + 4 * sum) - 1) / sum);
  for (int i = 0; i < 3; i++) {
    mass[i] = 1;
    for (int power = 0; power < i + k; power++)
      mass[i] *= s->ratio;
    q[i] *= r;
    p[i] *= r * mass[i];
  }
}

/* Sets the dimensions and the sparsity pattern of G. The columns of each row are the coordinates of
 * its point. */
static struct shk_status set_sizes(struct shk_instance *instance, const struct oval *s)
{
  int *row_start, *columns;
  const int n = 3 * (int)s->points, m = (int)s->points;
  SHK_TRY(shk_integers(instance->workspace, &row_start, (size_t)m + 1));
  SHK_TRY(shk_integers(instance->workspace, &columns, (size_t)n));
  for (int k = 0; k <= m; k++)
    row_start[k] = 3 * k;
  for (int i = 0; i < n; i++)
    columns[i] = i;
  instance->system.n = n;
  instance->system.m = m;
  instance->system.row_start = row_start;
  instance->system.columns = columns;
  instance->system.mass = s->mass;
  return shk_ok();
}

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct oval *s = context;
  real speed = 0;
  SHK_TRY(set_sizes(instance, s));
  for (int k = 0; k < s->points; k++)
    place_oval(s, k);
  instance->start = start;
  instance->picture = &pictures[s->points - 1];
  SHK_TRY(shk_make_consistent(instance, s->q, s->p));
  for (int k = 0; k < s->points; k++) {
    real v[3];
    for (int i = 0; i < 3; i++)
      v[i] = s->p[3 * k + i] / s->mass[3 * k + i];
    speed = real_max(speed, shk_distance(NULL, v, 3));
  }
  shk_set_times(instance, real_max(R(1.5), speed), R(7.3));
  instance->undecidable = SHK_CHAOTIC;
  return shk_ok();
}

static const struct shk_option options[] = {
    SHK_INTEGER(oval, points, "points", "1", "number of points", .minimum = "1", .maximum = "4"),
    SHK_REAL(oval, ratio, "ratio", "1",
             "ratio of successive masses: coordinate i of point k has the mass ratio^(i+k), "
             "counting from 0",
             SHK_POSITIVE),
    SHK_ANGLE(oval, at.polar, "polar", "1.1", "initial angle from the -z direction"),
    SHK_ANGLE(oval, at.azimuth, "azimuth", "0.4", "initial angle about z, from +x"),
    SHK_DIRECTION_RATES(oval, at, "0.7", "0.9"),
    {0}};

static const struct shk_system oval_system = {SHK_POTENTIAL, SHK_CONSTRAINT};

SHK_PROVIDE_PROBLEM(
    oval, oval, &oval_system, .name = "oval", .family = "on manifolds",
    .summary = "points on oval surfaces of degree four, without quadratic constraints",
    .equations =
        "H = ½ Σ p_ki²/m_ki + Σ (z_k + ½ x_k² + ⅓ y_k³) + ¼ Σ (|r_k - r_{k+1}|² - 1)²\n"
        "0 = ½ |r_k|² + ¼ Σ c_{i+k} r_ki⁴ - 1,  c = (1, 2, 3) cyclic,  k = 0 … points - 1\n"
        "m_ki = ratio^(i+k),  r_k = (x_k, y_k, z_k),  i = 0, 1, 2",
    .citation = "ours", .units = "dimensionless", .coordinates = "q = (r_0, r_1, …)");
