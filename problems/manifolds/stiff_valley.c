/*
 * A valley with stiff walls, and the limit as the walls become steeper. If the oscillations y
 * across the valley have energies E_i, the limit is not the motion along the bottom but the motion
 * in the effective potential
 *
 *     Σ J_i ω_i(x) = Σ E_i ω_i(x)/ω_i(x(0)),      J_i = E_i/ω_i(x(0)) conserved,
 *
 * where ω_i are the frequencies of the oscillations. Initially, the energies are entirely kinetic.
 * The problem has three forms:
 *
 *     stiff      H = ½|p|² + ½ k yᵀA(x) y                       no constraint
 *     effective  H = ½|p|² + Σ E_i ω_i(x)/ω_i(x(0)),   y = 0
 *     rigid      H = ½|p|²,                            y = 0
 *
 *     walls=bowl      x, y in R:    A = (1 + x²/2)²
 *     walls=crossing  x, y in R²:   A = 4 + ((x1, x2), (x2, -x1)),  ω± = √(4 ± |x|)
 *
 * With walls=crossing, the two frequencies become equal at x = 0. A path that misses this point
 * (offset = x2(0)) follows the effective potential. On a path through the point, there is no
 * effective potential (Takens 1980): energy passes from one oscillation to the other, and the
 * amount depends on the phases, so it has no limit as the stiffness grows. |x| must stay below 4,
 * because otherwise a wall becomes a hill.
 *
 * Source: Rubin & Ungar, Comm. Pure Appl. Math. 10 (1957) 65; Takens, Lecture Notes in
 * Mathematics 819 (1980) 425; Bornemann, Homogenization in Time of Singularly Perturbed
 * Mechanical Systems, Springer 1998.
 */
#include "problems/kit/problem.h"

enum form { EFFECTIVE, STIFF, RIGID };
enum walls { BOWL, CROSSING };
enum { MOST = 2 }; /* maximum dimension of x and of y */

struct valley {
  int form, walls;
  real stiffness, position, offset, momentum, normal;
  int d;            /* dimension of x and of y */
  real force[MOST]; /* J_i √k = E_i/(ω_i/√k) at the initial state */
  real mass[2 * MOST];
};

static const real base = 4;

/* Stores the ω_i/√k at x and their gradients, which are d rows of length d. */
static void wall_frequencies(const struct valley *s, real *value, real *gradient, const real *x)
{
  if (s->walls == BOWL) {
    value[0] = 1 + x[0] * x[0] / 2;
    gradient[0] = x[0];
    return;
  }
  const real r = real_sqrt(x[0] * x[0] + x[1] * x[1]);
  for (int i = 0; i < 2; i++) {
    const real sign = i == 0 ? 1 : -1;
    value[i] = real_sqrt(base + sign * r);
    for (int j = 0; j < 2; j++)
      gradient[2 * i + j] = r > 0 ? sign * x[j] / (2 * r * value[i]) : 0;
  }
}

/* Returns yᵀA y, and stores its gradients with respect to x and y. */
static real wall_potential(const struct valley *s, real *by_x, real *by_y, const real *x,
                           const real *y)
{
  if (s->walls == BOWL) {
    const real w = 1 + x[0] * x[0] / 2;
    by_x[0] = 2 * w * x[0] * y[0] * y[0];
    by_y[0] = 2 * w * w * y[0];
    return w * w * y[0] * y[0];
  }
  const real a = (base + x[0]) * y[0] + x[1] * y[1], b = x[1] * y[0] + (base - x[0]) * y[1];
  by_x[0] = y[0] * y[0] - y[1] * y[1];
  by_x[1] = 2 * y[0] * y[1];
  by_y[0] = 2 * a;
  by_y[1] = 2 * b;
  return y[0] * a + y[1] * b;
}

static int potential(const void *context, real *value, real t, const real *q)
{
  const struct valley *s = context;
  real omega[MOST], gradient[MOST * MOST], by_y[MOST];
  *value = 0;
  if (s->form == STIFF)
    *value = s->stiffness * wall_potential(s, gradient, by_y, q, q + s->d) / 2;
  if (s->form != EFFECTIVE)
    return 0;
  wall_frequencies(s, omega, gradient, q);
  for (int i = 0; i < s->d; i++)
    *value += s->force[i] * omega[i];
  return 0;
}

static int potential_gradient(const void *context, real *out, real t, const real *q)
{
  const struct valley *s = context;
  real omega[MOST], gradient[MOST * MOST];
  for (int i = 0; i < 2 * s->d; i++)
    out[i] = 0;
  if (s->form == STIFF) {
    wall_potential(s, out, out + s->d, q, q + s->d);
    for (int i = 0; i < 2 * s->d; i++)
      out[i] *= s->stiffness / 2;
  }
  if (s->form != EFFECTIVE)
    return 0;
  wall_frequencies(s, omega, gradient, q);
  for (int i = 0; i < s->d; i++)
    for (int j = 0; j < s->d; j++)
      out[j] += s->force[i] * gradient[s->d * i + j];
  return 0;
}

static int constraint(const void *context, real *g, real t, const real *q)
{
  const struct valley *s = context;
  for (int i = 0; s->form != STIFF && i < s->d; i++)
    g[i] = q[s->d + i];
  return 0;
}

static int jacobian(const void *context, real *values, real t, const real *q)
{
  const struct valley *s = context;
  for (int i = 0; s->form != STIFF && i < s->d; i++)
    for (int j = 0; j < 2 * s->d; j++)
      values[2 * s->d * i + j] = j == s->d + i;
  return 0;
}

static int curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  const struct valley *s = context;
  for (int i = 0; s->form != STIFF && i < s->d; i++)
    out[i] = 0;
  return 0;
}

/* Returns the initial E_i for a momentum whose components along y are all equal to `normal`. The
 * eigenvectors of A are turned by half the polar angle of x. */
static real normal_energy(const struct valley *s, int i, const real *x)
{
  const real r = real_sqrt(x[0] * x[0] + x[1] * x[1]), whole = s->normal * s->normal / 2;
  if (s->walls == BOWL || r == 0)
    return whole;
  return whole * (1 + (i == 0 ? 1 : -1) * x[1] / r);
}

static int start_stiff_valley(const void *context, real *q, real *p)
{
  const struct valley *s = context;
  for (int i = 0; i < s->d; i++) {
    q[i] = i == 0 ? s->position : s->offset;
    p[i] = i == 0 ? s->momentum : 0;
    q[s->d + i] = 0;
    p[s->d + i] = s->form == STIFF ? s->normal : 0;
  }
  return 0;
}

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct valley *s = context;
  real omega[MOST], gradient[MOST * MOST];
  const real x[MOST] = {s->position, s->offset};
  s->d = s->walls == BOWL ? 1 : 2;
  if (s->walls == CROSSING && x[0] * x[0] + x[1] * x[1] >= base * base)
    return shk_failure(SHK_BAD_INPUT,
                       "|(position, offset)| must be less than 4 with walls=crossing", 0, 0);
  wall_frequencies(s, omega, gradient, x);
  for (int i = 0; i < s->d; i++)
    s->force[i] = normal_energy(s, i, x) / omega[i];
  for (int i = 0; i < 2 * s->d; i++)
    s->mass[i] = 1;
  instance->system.n = 2 * s->d;
  instance->system.m = s->form == STIFF ? 0 : s->d;
  instance->system.mass = s->mass;
  instance->time_scale = 1;
  instance->horizon = 3;
  if (s->form == STIFF)
    instance->time_scale = 1 / (real_sqrt(s->stiffness) * omega[0]);
  instance->undecidable = SHK_LINEAR_CONSTRAINTS | SHK_FREE_MOTION | SHK_ONE_DEGREE_OF_FREEDOM;
  instance->start = start_stiff_valley;
  return shk_ok();
}

static const struct shk_choice forms[] = {
    {"effective", "the limit of stiff walls: y = 0 in the effective potential", NULL},
    {"stiff", "the walls, with stiffness k", NULL},
    {"rigid", "y = 0, without potential", NULL},
    {0}};

static const struct shk_choice kinds_of_walls[] = {
    {"bowl", "one oscillation, of frequency √k (1 + x²/2)", NULL},
    {"crossing", "two oscillations, whose frequencies √k √(4 ± |x|) meet at x = 0", NULL},
    {0}};

static const struct shk_option options[] = {
    SHK_CHOICE(valley, form, "form", forms, "effective", "form of the system"),
    SHK_CHOICE(valley, walls, "walls", kinds_of_walls, "bowl", "matrix A(x)"),
    SHK_REAL(valley, stiffness, "stiffness", "1e4", "stiffness k for form=stiff", SHK_POSITIVE),
    SHK_REAL(valley, position, "position", "0.3", "first coordinate of x(0)"),
    SHK_REAL(valley, offset, "offset", "0", "second coordinate of x(0), for walls=crossing"),
    SHK_REAL(valley, momentum, "momentum", "0.5", "p(0) along the first coordinate"),
    SHK_REAL(valley, normal, "normal", "0.7", "p(0) along each y, for form=stiff"),
    {0}};

static const struct shk_system stiff_valley_system = {
    .n = 2, .m = 1, .potential = potential, .gradient = potential_gradient, SHK_CONSTRAINT};

SHK_PROVIDE_PROBLEM(
    stiff_valley, valley, &stiff_valley_system, .name = "stiff-valley", .family = "on manifolds",
    .summary = "a valley with stiff walls and energy in the oscillation across it, its stiff "
               "limit, or the motion along its bottom",
    .equations = "stiff: H = ½|p|² + ½ k yᵀA(x) y, without constraint\n"
                 "effective: H = ½|p|² + Σ E_i ω_i(x)/ω_i(x(0)), y = 0\n"
                 "rigid: H = ½|p|², y = 0\n"
                 "bowl: A = (1 + x²/2)²; crossing: A = 4 + ((x1, x2), (x2, -x1))",
    .citation = "Rubin & Ungar, Comm. Pure Appl. Math. 10 (1957) 65; Takens, Lecture Notes "
                "in Mathematics 819 (1980) 425; Bornemann, Homogenization in Time of "
                "Singularly Perturbed Mechanical Systems, Springer 1998",
    .units = "dimensionless", .coordinates = "q = (x, y) or (x1, x2, y1, y2)");
