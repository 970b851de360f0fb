/* verlet.c: velocity Verlet with RATTLE by sweeps over the bonds, in double precision. It is an
 * example of an engine that moves points and bonds. This is the same engine as
 * examples/python/verlet.py and examples/engines/verlet.py.
 *
 *     v+ = v + h/2 M⁻¹ (F(x) - G(x)ᵀ λ),     x1 = x + h v+,   g(x1) = 0
 *     v1 = v+ + h/2 M⁻¹ (F(x1) - G(x1)ᵀ μ),  G(x1) v1 = 0
 *
 *     shakedown plugin build verlet.c
 *     shakedown try verlet-c --plugin ./verlet.so */
#include <shakedown/engine.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SWEEPS = 10000 };
/* relative tolerance for squared lengths and for velocities */
static const double tolerance = 1e-14;

static double dot(const struct shk_points *s, const double *a, const double *b)
{
  double sum = 0;
  for (int k = 0; k < s->dimension; k++)
    sum += a[k] * b[k];
  return sum;
}

/* r = x_b - x_a of bond i */
static void between(const struct shk_points *s, double *r, const double *x, int i)
{
  for (int k = 0; k < s->dimension; k++)
    r[k] = x[s->bond[i][1] * s->dimension + k] - x[s->bond[i][0] * s->dimension + k];
}

/* |v_a| + |v_b| for the ends of bond i, which determines the rounding error of v_b - v_a */
static double speed(const struct shk_points *s, const double *v, int i)
{
  const double *const a = v + s->bond[i][0] * s->dimension, *const b =
                                                                v + s->bond[i][1] * s->dimension;
  return sqrt(dot(s, a, a)) + sqrt(dot(s, b, b));
}

/* Corrects x (positions or velocities) by the impulse along r, from the first end to the second. */
static void pull(const struct shk_points *s, double *x, int i, double impulse, const double *r)
{
  for (int k = 0; k < s->dimension; k++) {
    x[s->bond[i][0] * s->dimension + k] += impulse / s->mass[s->bond[i][0]] * r[k];
    x[s->bond[i][1] * s->dimension + k] -= impulse / s->mass[s->bond[i][1]] * r[k];
  }
}

/* Sweeps over the bonds until all bond lengths at x or, if `v` is given, all bond velocities are
 * correct. Corrections are along the bonds at `old`. Returns false if the sweeps do not
 * converge. */
static bool sweep(const struct shk_points *s, double *x, double *v, const double *old,
                  double *impulses)
{
  for (int count = 0; count < SWEEPS; count++) {
    double worst = 0;
    for (int i = 0; i < s->bond_count; i++) {
      double along[3], now[3], rate[3];
      between(s, along, old, i);
      between(s, now, x, i);
      const double square = s->length[i] * s->length[i],
                   weight = 1 / s->mass[s->bond[i][0]] + 1 / s->mass[s->bond[i][1]];
      if (v)
        between(s, rate, v, i);
      const double off = v ? dot(s, rate, along) : (dot(s, now, now) - square) / 2;
      const double impulse = off / (dot(s, now, along) * weight);
      worst = fmax(worst, fabs(off) / (v ? s->length[i] * speed(s, v, i) : square));
      pull(s, v ? v : x, i, impulse, along);
      impulses[i] += impulse;
    }
    if (worst <= tolerance)
      return true;
  }
  return false;
}

/* v += h/2 M⁻¹ F(x) */
static int kick(const struct shk_points *s, double *v, double *force, const double *x, double h)
{
  const int code = shk_points_forces(s, force, x);
  for (int i = 0; i < s->count * s->dimension; i++)
    v[i] += h / 2 * force[i] / s->mass[i / s->dimension];
  return code;
}

/* Takes a step. The work space holds four vectors over all points, and the impulses of the second
 * solve. */
static int step_in(const struct shk_points *s, double *x, double *v, double *multipliers, double h,
                   double *room)
{
  const int n = s->count * s->dimension;
  double *const old = room, *const force = room + n, *const free_x = room + 2 * n;
  memcpy(old, x, (size_t)n * sizeof *x);
  int code = kick(s, v, force, x, h);
  for (int i = 0; i < n; i++)
    free_x[i] = x[i] += h * v[i];
  if (code == SHK_OK && !sweep(s, x, NULL, old, multipliers))
    code = SHK_NOT_CONVERGED;
  for (int i = 0; i < n; i++)
    v[i] += (x[i] - free_x[i]) / h;
  for (int i = 0; i < s->bond_count; i++)
    multipliers[i] /= h * h / 2;
  if (code == SHK_OK)
    code = kick(s, v, force, x, h);
  return code == SHK_OK && !sweep(s, x, v, x, room + 3 * n) ? SHK_NOT_CONVERGED : code;
}

static int step(const struct shk_points *s, double *x, double *v, double *multipliers, double h)
{
  double *const room = calloc((size_t)(3 * s->count * s->dimension + s->bond_count), sizeof *room);
  const int code = room ? step_in(s, x, v, multipliers, h, room) : SHK_NO_MEMORY;
  free(room);
  return code;
}

static const struct shk_stated claims[] = {
    SHK_CLAIM(ORDER_Q, 2),         SHK_CLAIM(ORDER_P, 2),    SHK_CLAIM(SYMPLECTIC, SHK_YES),
    SHK_CLAIM(SYMMETRIC, SHK_YES), SHK_CONSTRAINTS(SHK_YES), {0}};

SHK_PROVIDE_ENGINE(verlet, step, false, .name = "verlet-c",
                   .summary = "an example of an engine: velocity Verlet with RATTLE",
                   .claims = claims);
