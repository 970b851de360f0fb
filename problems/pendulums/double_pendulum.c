/*
 * The planar double pendulum in Cartesian coordinates:
 *
 *     H = |p₁|²/(2m₁) + |p₂|²/(2m₂) + m₁ g y₁ + m₂ g y₂
 *     0 = ½ (|r₁|² - L₁²)        0 = ½ (|r₂ - r₁|² - L₂²)
 *
 * q = (x1,y1,x2,y2), and y points up. Both angles are measured from the downward vertical: r₁ = L₁
 * (sin θ₁, -cos θ₁), r₂ = r₁ + L₂ (sin θ₂, -cos θ₂). The constraint force is -Gᵀλ. There are two
 * degrees of freedom. The system is not integrable if g > 0, and there is no exact solution.
 * Without gravity, the angular momentum about the pivot is conserved and the motion is regular.
 *
 * With links=springs, springs with energy ½ k g_i² replace the rods, and there are no constraints.
 * This is a stiff ordinary differential equation. In the limit k → ∞, it becomes the pendulum with
 * rods, which has index 3, and k g_i becomes λ_i. The energy of the motion across the constraints
 * vanishes like 1/k because the initial state satisfies the constraints.
 *
 * The horizon is 2.3 time scales √(L/g). By then, an error in the default initial state has grown
 * by a factor of less than five (and by a factor of ten at twice that time). At the horizon, both
 * arms have swung through the vertical. They are neither at rest nor aligned, and their state is
 * not a mirror image of the initial state.
 */
#include "problems/kit/problem.h"

enum { RODS, SPRINGS };

struct double_pendulum {
  int links;
  real stiffness;
  real mass[4], length[2], gravity, angle[2], rate[2];
};

static const int row_start[] = {0, 2, 6};
static const int columns[] = {0, 1, 0, 1, 2, 3};

/* Stores g (2 numbers) and the entries of G (6 numbers). */
static void links_of(const struct double_pendulum *s, real *g, real *G, const real *q)
{
  const real d[2] = {q[2] - q[0], q[3] - q[1]};
  g[0] = (real_dot(q, q, 2) - s->length[0] * s->length[0]) / 2;
  g[1] = (real_dot(d, d, 2) - s->length[1] * s->length[1]) / 2;
  for (int i = 0; i < 2; i++) {
    G[i] = q[i];
    G[2 + i] = q[i] - q[2 + i];
    G[4 + i] = q[2 + i] - q[i];
  }
}

static int constraint(const void *context, real *g, real t, const real *q)
{
  const struct double_pendulum *s = context;
  real G[6];
  if (s->links == RODS)
    links_of(s, g, G, q);
  return 0;
}

static int jacobian(const void *context, real *values, real t, const real *q)
{
  const struct double_pendulum *s = context;
  real g[2];
  if (s->links == RODS)
    links_of(s, g, values, q);
  return 0;
}

static int potential(const void *context, real *value, real t, const real *q)
{
  const struct double_pendulum *s = context;
  real g[2], G[6];
  *value = s->gravity * (s->mass[1] * q[1] + s->mass[3] * q[3]);
  if (s->links == RODS)
    return 0;
  links_of(s, g, G, q);
  *value += s->stiffness * real_dot(g, g, 2) / 2;
  return 0;
}

static int gradient(const void *context, real *out, real t, const real *q)
{
  const struct double_pendulum *s = context;
  real g[2], G[6];
  out[0] = 0;
  out[1] = s->mass[1] * s->gravity;
  out[2] = 0;
  out[3] = s->mass[3] * s->gravity;
  if (s->links == RODS)
    return 0;
  links_of(s, g, G, q);
  for (int j = 0; j < 2; j++)
    for (int k = row_start[j]; k < row_start[j + 1]; k++)
      out[columns[k]] += s->stiffness * g[j] * G[k];
  return 0;
}

static int curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  const struct double_pendulum *s = context;
  const real d[2] = {v[2] - v[0], v[3] - v[1]};
  if (s->links == SPRINGS)
    return 0;
  out[0] = real_dot(v, v, 2);
  out[1] = real_dot(d, d, 2);
  return 0;
}

static int start_double_pendulum(const void *context, real *q, real *p)
{
  const struct double_pendulum *s = context;
  real v[2] = {0, 0}, r[2] = {0, 0};
  for (int i = 0; i < 2; i++) {
    const real sine = real_sin(s->angle[i]), cosine = real_cos(s->angle[i]);
    r[0] += s->length[i] * sine;
    r[1] -= s->length[i] * cosine;
    v[0] += s->length[i] * s->rate[i] * cosine;
    v[1] += s->length[i] * s->rate[i] * sine;
    for (int j = 0; j < 2; j++) {
      q[2 * i + j] = r[j];
      p[2 * i + j] = s->mass[2 * i + j] * v[j];
    }
  }
  return 0;
}

static const char *const invariant_names[] = {"angular-momentum"};

static int invariants(const void *context, real *values, real t, const real *q, const real *p)
{
  values[0] = q[0] * p[1] - q[1] * p[0] + q[2] * p[3] - q[3] * p[2];
  return 0;
}

static const real pivot[2] = {0, 0};
static const struct shk_picture_line lines[] = {{-1, 0, false}, {0, 1, false}};
static const struct shk_picture picture = {SHK_PICTURE_PLANE(2), SHK_PICTURE_FIXED(1, pivot),
                                           SHK_PICTURE_LINES(lines)};

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct double_pendulum *s = context;
  shk_bind_masses(instance, s->mass, 2, 2);
  const real shortest = real_min(s->length[0], s->length[1]);
  const real turning = real_max(real_fabs(s->rate[0]), real_fabs(s->rate[1]));
  const real fastest = real_max(real_sqrt(s->gravity / shortest), turning);
  shk_set_times(instance, fastest, R(2.3));
  instance->undecidable = SHK_LINEAR_POTENTIAL | (s->gravity > 0 ? SHK_CHAOTIC : SHK_FREE_MOTION);
  if (s->links == SPRINGS) {
    const real longest = real_max(s->length[0], s->length[1]);
    const real lightest = real_min(s->mass[0], s->mass[2]);
    instance->system.m = 0;
    instance->time_scale = 1 / real_max(fastest, longest * real_sqrt(s->stiffness / lightest));
    instance->undecidable = s->gravity > 0 ? SHK_CHAOTIC : 0;
  }
  const bool hangs = shk_is_vertical(s->angle[0]) && shk_is_vertical(s->angle[1]);
  if (turning == 0 || hangs)
    instance->undecidable |= SHK_SYMMETRIC_START;
  instance->start = start_double_pendulum;
  instance->picture = &picture;
  if (s->gravity == 0)
    shk_set_invariants(instance, 1, invariant_names, invariants);
  return shk_ok();
}

static const struct shk_option spring_options[] = {
    SHK_REAL(double_pendulum, stiffness, "stiffness", "1e4", "stiffness k of ½ k g²", SHK_POSITIVE),
    {0}};
static const struct shk_choice links[] = {
    {"rods", "two constraints", NULL}, {"springs", "stiff springs", spring_options}, {0}};

static const struct shk_option options[] = {
    SHK_REAL(double_pendulum, mass[0], "mass1", "1", "mass of the inner bob", SHK_POSITIVE),
    SHK_REAL(double_pendulum, mass[2], "mass2", "1", "mass of the outer bob", SHK_POSITIVE),
    SHK_REAL(double_pendulum, length[0], "length1", "1", "length of the inner rod", SHK_POSITIVE),
    SHK_REAL(double_pendulum, length[1], "length2", "1", "length of the outer rod", SHK_POSITIVE),
    SHK_GRAVITY(double_pendulum, gravity),
    SHK_ANGLE(double_pendulum, angle[0], "angle1", "120deg",
              "initial angle of the inner rod from the downward vertical"),
    SHK_ANGLE(double_pendulum, angle[1], "angle2", "-10deg",
              "initial angle of the outer rod from the downward vertical"),
    SHK_REAL(double_pendulum, rate[0], "rate1", "0",
             "initial rate of angle1, in radians per unit time"),
    SHK_REAL(double_pendulum, rate[1], "rate2", "0",
             "initial rate of angle2, in radians per unit time"),
    SHK_CHOICE(double_pendulum, links, "links", links, "rods", "constraint or spring"),
    {0}};

static const struct shk_system double_pendulum_system = {
    .n = 4, .m = 2, SHK_POTENTIAL, SHK_CONSTRAINT, SHK_PATTERN};

SHK_PROVIDE_PROBLEM(
    double_pendulum, double_pendulum, &double_pendulum_system, .name = "double-pendulum",
    .family = "pendulums and chains",
    .summary = "planar double pendulum, chaotic beyond its horizon",
    .equations = "H = |p1|²/(2 m1) + |p2|²/(2 m2) + m1 g y1 + m2 g y2\n"
                 "0 = ½ (|r1|² - L1²)\n"
                 "0 = ½ (|r2 - r1|² - L2²)\n"
                 "links=springs: H + ½ k Σ g², without constraints",
    .citation = "L. D. Landau & E. M. Lifshitz, Mechanics, 3rd ed., Pergamon 1976, §5, "
                "problem 1",
    .units = "any consistent units; dimensionless by default",
    .coordinates = "q = (x1, y1, x2, y2), y upwards, the pivot at the origin; angles are "
                   "absolute");
