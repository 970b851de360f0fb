/*
 * A plug-in with a system for benchmarks, without forces; constraint force -Gᵀλ.
 *
 * branched-alkane(units=K,seed=S): 3K atoms of mass 1 in space, a tree of 3K - 1 bonds of length 1:
 * a_k - b_k, b_k - m_k, b_k - a_(k+1). q = (a_1, b_1, m_1, a_2, …), constraints in the same order.
 * Bond directions are uniform on the sphere, each with its own Gaussian angular velocity, so that
 * the start is on the manifold by construction.
 */
#include "mechanics/algebra/random.h"
#include "problems/kit/points.h"
#include <shakedown/plugin.h>
#include <shakedown/solve.h>

#include <stdlib.h>

static real gaussian(uint64_t *seed)
{
  real pair[2];
  shk_random_gaussian_pair(pair, seed);
  return pair[0];
}

/* ---- branched-alkane ---- */

struct branched {
  struct shk_rods rods; /* first member: the callbacks of points.h take its address as the
                           context */
  long units, seed;
  real *mass, *q, *p; /* the start */
};

static int branched_gradient(const void *context, real *out, real t, const real *q)
{
  const struct branched *s = context;
  (void)t, (void)q;
  for (long i = 0; i < 9 * s->units; i++)
    out[i] = 0;
  return 0;
}

static int branched_start(const void *context, real *q, real *p)
{
  const struct branched *s = context;
  return shk_copy_start(q, p, s->q, s->p, 9 * (int)s->units);
}

/* Places atom b at the end of a bond from atom a. */
static void place(real *q, real *v, int a, int b, uint64_t *seed)
{
  real d[3], w[3];
  for (int j = 0; j < 3; j++) {
    d[j] = gaussian(seed);
    w[j] = gaussian(seed);
  }
  const real length = shk_distance(NULL, d, 3);
  for (int j = 0; j < 3; j++)
    d[j] /= length;
  for (int j = 0; j < 3; j++) {
    const int k = (j + 1) % 3, l = (j + 2) % 3;
    q[3 * b + j] = q[3 * a + j] + d[j];
    v[3 * b + j] = v[3 * a + j] + (w[k] * d[l] - w[l] * d[k]);
  }
}

static struct shk_status branched_set_up(struct shk_instance *instance, void *context)
{
  struct branched *s = context;
  struct shk_workspace *const workspace = instance->workspace;
  const int atoms = 3 * (int)s->units, rods = atoms - 1;
  const size_t n = 3 * (size_t)atoms;
  uint64_t seed = (uint64_t)s->seed;
  struct shk_rod *rod = shk_memory(workspace, (size_t)rods * sizeof *rod);
  if (!rod)
    return shk_no_memory();
  SHK_TRY(shk_reals(workspace, &s->mass, n));
  SHK_TRY(shk_reals(workspace, &s->q, n));
  SHK_TRY(shk_reals(workspace, &s->p, n)); /* masses are 1: velocities are momenta */
  for (size_t i = 0; i < n; i++)
    s->mass[i] = 1;
  for (int i = 0; i < rods; i++) {
    const int a = i % 3 == 0 ? i : i - i % 3 + 1, b = i + 1;
    rod[i] = (struct shk_rod){a, b, 1};
    place(s->q, s->p, a, b, &seed);
  }
  s->rods = (struct shk_rods){3, rods, rod, NULL};
  SHK_TRY(shk_rods_bind(instance, &s->rods));
  instance->system.n = (int)n;
  instance->system.mass = s->mass;
  instance->system.rods = &s->rods;
  instance->time_scale = 1;
  instance->horizon = 2;
  instance->undecidable = SHK_FREE_MOTION | SHK_LINEAR_POTENTIAL | SHK_CHAOTIC;
  instance->start = branched_start;
  return shk_ok();
}

static const struct shk_option branched_options[] = {
    SHK_INTEGER(branched, units, "units", "10", "number K of units", .minimum = "1",
                .maximum = "300000"),
    SHK_INTEGER(branched, seed, "seed", "1", "of the start", .minimum = "0"),
    {0}};

static const struct shk_system branched_system = {
    .potential = shk_no_potential, .gradient = branched_gradient, SHK_RODS_CONSTRAINT};

static const struct shk_problem branched = {
    .struct_size = sizeof branched,
    .info = {.name = "branched-alkane",
             .summary = "a branched chain molecule of rods, without forces",
             .equations = "H = Σ |p_i|²/2\n0 = ½ (|r_b - r_a|² - 1) for every rod",
             .citation = "ours",
             .units = "dimensionless",
             .coordinates = "q = (a_1, b_1, m_1, a_2, …), each (x, y, z)",
             .options = branched_options},
    SHK_CONTEXT(branched),
    .system = &branched_system,
    .set_up = branched_set_up,
};

SHK_PROVIDE(systems, .problems = SHK_PROBLEMS(&branched));
