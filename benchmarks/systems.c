/*
 * A plug-in with two systems for benchmarks, without forces; constraint force -Gᵀλ.
 *
 * branched-alkane(units=K,seed=S): 3K atoms of mass 1 in space, a tree of 3K - 1 bonds of length 1:
 * a_k - b_k, b_k - m_k, b_k - a_(k+1). q = (a_1, b_1, m_1, a_2, …), constraints in the same order.
 * Bond directions are uniform on the sphere, each with its own Gaussian angular velocity, so that
 * the start is on the manifold by construction.
 *
 * random-dense(constraints=m,coordinates=n,seed=S): masses uniform in (1,2),
 *
 *     0 = Σ_k (b_ik q_k + ½ c_ik q_k²),   i = 1 … m,
 *
 * with b, c and the velocities Gaussian, b and c divided by √n; the first m velocities are then set
 * so that the velocity is tangent. q = 0 at the start. Every constraint has all coordinates.
 */
#include <shakedown/plugin.h>
#include <shakedown/points.h>
#include <shakedown/random.h>
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

/* ---- random-dense ---- */

struct dense {
  long n, m, seed;
  real *mass, *b, *c, *velocity;
};

static int dense_gradient(const void *context, real *out, real t, const real *q)
{
  const struct dense *s = context;
  (void)t, (void)q;
  for (long i = 0; i < s->n; i++)
    out[i] = 0;
  return 0;
}

static int dense_constraint(const void *context, real *g, real t, const real *q)
{
  const struct dense *s = context;
  (void)t;
  for (long i = 0; i < s->m; i++) {
    const real *b = s->b + (size_t)i * (size_t)s->n, *c = s->c + (b - s->b);
    real sum = 0;
    for (long k = 0; k < s->n; k++)
      sum += (b[k] + c[k] * q[k] / 2) * q[k];
    g[i] = sum;
  }
  return 0;
}

static int dense_jacobian(const void *context, real *values, real t, const real *q)
{
  const struct dense *s = context;
  (void)t;
  for (long i = 0; i < s->m; i++)
    for (long k = 0; k < s->n; k++) {
      const size_t at = (size_t)i * (size_t)s->n + (size_t)k;
      values[at] = s->b[at] + s->c[at] * q[k];
    }
  return 0;
}

static int dense_curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  const struct dense *s = context;
  (void)t, (void)q;
  for (long i = 0; i < s->m; i++) {
    const real *c = s->c + (size_t)i * (size_t)s->n;
    real sum = 0;
    for (long k = 0; k < s->n; k++)
      sum += c[k] * v[k] * v[k];
    out[i] = sum;
  }
  return 0;
}

static int dense_start(const void *context, real *q, real *p)
{
  const struct dense *s = context;
  for (long k = 0; k < s->n; k++) {
    q[k] = 0;
    p[k] = s->mass[k] * s->velocity[k];
  }
  return 0;
}

/* Sets the first m velocities v_1 from the others: B_1 v_1 = -B_2 v_2. */
static bool make_tangent(struct dense *s)
{
  const int n = (int)s->n, m = (int)s->m;
  real *matrix = malloc((size_t)m * (size_t)m * sizeof *matrix);
  int *pivots = malloc((size_t)m * sizeof *pivots);
  bool ok = matrix != NULL && pivots;
  for (int i = 0; ok && i < m; i++) {
    const real *row = s->b + (size_t)i * (size_t)n;
    s->velocity[i] = 0;
    for (int k = m; k < n; k++)
      s->velocity[i] -= row[k] * s->velocity[k];
    for (int j = 0; j < m; j++)
      matrix[i * m + j] = row[j];
  }
  ok = ok && shk_lu_factor(matrix, pivots, m);
  if (ok)
    shk_lu_solve(s->velocity, matrix, pivots, m);
  free(matrix);
  free(pivots);
  return ok;
}

static struct shk_status dense_set_up(struct shk_instance *instance, void *context)
{
  struct dense *s = context;
  struct shk_workspace *const workspace = instance->workspace;
  const size_t n = (size_t)s->n, entries = (size_t)s->m * n;
  uint64_t seed = (uint64_t)s->seed;
  if (s->n <= s->m)
    return shk_failure(SHK_BAD_INPUT, "%g constraints leave no degree of freedom of %g coordinates",
                       (double)s->m, (double)s->n);
  SHK_TRY(shk_reals(workspace, &s->mass, n));
  SHK_TRY(shk_reals(workspace, &s->velocity, n));
  SHK_TRY(shk_reals(workspace, &s->b, 2 * entries));
  s->c = s->b + entries;
  for (size_t k = 0; k < n; k++) {
    s->mass[k] = 1 + shk_random_uniform(&seed);
    s->velocity[k] = gaussian(&seed);
  }
  for (size_t i = 0; i < 2 * entries; i++)
    s->b[i] = gaussian(&seed) / real_sqrt((real)n);
  if (!make_tangent(s))
    return shk_failure(SHK_NO_MEMORY, "no memory, or the random constraints are dependent", 0, 0);
  instance->system.n = (int)s->n;
  instance->system.m = (int)s->m;
  instance->system.mass = s->mass;
  instance->time_scale = 1;
  instance->horizon = 2;
  instance->undecidable = SHK_FREE_MOTION | SHK_LINEAR_POTENTIAL | SHK_CHAOTIC;
  instance->start = dense_start;
  return shk_ok();
}

static const struct shk_option dense_options[] = {
    SHK_INTEGER(dense, m, "constraints", "50", "number m of constraints", .minimum = "1",
                .maximum = "1000"),
    SHK_INTEGER(dense, n, "coordinates", "100", "number n of coordinates, above m", .minimum = "2",
                .maximum = "2000"),
    SHK_INTEGER(dense, seed, "seed", "1", "of coefficients and start", .minimum = "0"),
    {0}};

static const struct shk_system dense_system = {.potential = shk_no_potential,
                                               .gradient = dense_gradient,
                                               .constraint = dense_constraint,
                                               .jacobian = dense_jacobian,
                                               .curvature = dense_curvature};

static const struct shk_problem dense = {
    .struct_size = sizeof dense,
    .info = {.name = "random-dense",
             .summary = "random quadratic constraints, each in all coordinates",
             .equations = "H = Σ p_k²/(2m_k)\n0 = Σ_k (b_ik q_k + ½ c_ik q_k²)",
             .citation = "ours",
             .units = "dimensionless",
             .coordinates = "q = (q_1, …, q_n)",
             .options = dense_options},
    SHK_CONTEXT(dense),
    .system = &dense_system,
    .set_up = dense_set_up,
};

SHK_PROVIDE(systems, .problems = SHK_PROBLEMS(&branched, &dense));
