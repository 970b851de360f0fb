/*
 * A plug-in with two systems that only measurements of speed want, both without forces.
 *
 * branched-alkane(units=K,seed=S): 3K atoms of mass 1 in space, joined by 3K - 1 rods of length 1
 * as a tree: a_k - b_k, b_k - m_k, b_k - a_(k+1). q = (a_1, b_1, m_1, a_2, …), constraints in that
 * order too. Directions of the rods are uniform on the sphere, and each turns with its own Gaussian
 * angular velocity, so that the start is on the manifold by construction.
 *
 * random-dense(constraints=m,coordinates=n,seed=S): masses uniform in (1,2),
 *
 *     0 = Σ_k (b_ik q_k + ½ c_ik q_k²),   i = 1 … m,
 *
 * b, c and the velocities Gaussian, b and c divided by √n; the first m velocities are then what
 * makes them tangent. q = 0 at the start. Every constraint is in all coordinates.
 *
 * Constraint force -Gᵀλ.
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

static int no_potential(const void *context, real *value, real t, const real *q)
{
  (void)context, (void)t, (void)q;
  *value = 0;
  return 0;
}

/* ---- branched-alkane ---- */

struct branched {
  struct shk_bonds bonds; /* first: the callbacks of points.h take it for the context */
  struct shk_rods rods;
  int atoms;
  real *mass; /* the masses, and the start behind them */
  int *row_start;
  struct shk_bond *list;
  struct shk_rod *rod;
};

static int branched_gradient(const void *context, real *out, real t, const real *q)
{
  const struct branched *s = context;
  (void)t, (void)q;
  for (int i = 0; i < 3 * s->atoms; i++)
    out[i] = 0;
  return 0;
}

static int branched_start(const void *context, real *q, real *p)
{
  const struct branched *s = context;
  const real *from = s->mass + 3 * s->atoms;
  for (int i = 0; i < 3 * s->atoms; i++) {
    q[i] = from[i];
    p[i] = from[3 * s->atoms + i];
  }
  return 0;
}

/* Atom b at the end of a rod from atom a. */
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

static void branched_destroy(struct shk_instance *instance)
{
  struct branched *s = (struct branched *)instance->system.context;
  free(s->mass);
  free(s->row_start);
  free(s->list);
  free(s->rod);
  free(s);
}

static struct shk_status branched_create(struct shk_instance *instance,
                                         const struct shk_values *values)
{
  const int units = (int)shk_values_integer(values, "units");
  const int atoms = 3 * units, rods = atoms - 1;
  const size_t n = 3 * (size_t)atoms;
  uint64_t seed = (uint64_t)shk_values_integer(values, "seed");
  struct branched *s = calloc(1, sizeof *s);
  if (s == NULL)
    return shk_failure(SHK_NO_MEMORY, "no memory for a molecule", 0, 0);
  instance->system.context = s;
  s->atoms = atoms;
  s->mass = calloc(3 * n, sizeof *s->mass);
  s->row_start = calloc((size_t)rods + 1 + 6 * (size_t)rods, sizeof *s->row_start);
  s->list = calloc((size_t)rods, sizeof *s->list);
  s->rod = calloc((size_t)rods, sizeof *s->rod);
  if (s->mass == NULL || s->row_start == NULL || s->list == NULL || s->rod == NULL) {
    branched_destroy(instance);
    return shk_failure(SHK_NO_MEMORY, "no memory for a molecule", 0, 0);
  }
  int *columns = s->row_start + rods + 1;
  real *q = s->mass + n, *v = q + n; /* masses are 1: velocities are momenta */
  for (size_t i = 0; i < n; i++)
    s->mass[i] = 1;
  for (int i = 0; i < rods; i++) {
    const int a = i % 3 == 0 ? i : i - i % 3 + 1, b = i + 1;
    s->list[i] = (struct shk_bond){a, b, 1};
    s->rod[i] = (struct shk_rod){a, b, 1};
    place(q, v, a, b, &seed);
  }
  s->bonds = (struct shk_bonds){rods, 3, s->list};
  s->rods = (struct shk_rods){3, s->rod, NULL};
  shk_bonds_pattern(&s->bonds, s->row_start, columns);
  instance->system = (struct shk_system){.struct_size = sizeof(struct shk_system),
                                         .n = (int)n,
                                         .m = rods,
                                         .context = s,
                                         .mass = s->mass,
                                         .potential = no_potential,
                                         .gradient = branched_gradient,
                                         .constraint = shk_bonds_constraint,
                                         .jacobian = shk_bonds_jacobian,
                                         .curvature = shk_bonds_curvature,
                                         .row_start = s->row_start,
                                         .columns = columns,
                                         .rods = &s->rods};
  instance->time_scale = 1;
  instance->horizon = 2;
  instance->undecidable = SHK_FREE_MOTION | SHK_LINEAR_POTENTIAL | SHK_CHAOTIC;
  instance->start = branched_start;
  return shk_ok();
}

static const struct shk_option branched_options[] = {{.name = "units",
                                                      .kind = SHK_OPTION_INTEGER,
                                                      .fallback = "10",
                                                      .minimum = "1",
                                                      .maximum = "300000",
                                                      .meaning = "number K of units"},
                                                     {.name = "seed",
                                                      .kind = SHK_OPTION_INTEGER,
                                                      .fallback = "1",
                                                      .minimum = "0",
                                                      .meaning = "of the start"},
                                                     {0}};

static const struct shk_problem branched = {
    .struct_size = sizeof branched,
    .info = {.name = "branched-alkane",
             .summary = "a branched chain molecule of rods, without forces",
             .equations = "H = Σ |p_i|²/2\n0 = ½ (|r_b - r_a|² - 1) for every rod",
             .citation = "ours",
             .units = "dimensionless",
             .coordinates = "q = (a_1, b_1, m_1, a_2, …), each (x, y, z)",
             .options = branched_options},
    .create = branched_create,
    .destroy = branched_destroy,
};

/* ---- random-dense ---- */

struct dense {
  int n, m;
  real *mass, *b, *c, *velocity;
};

static int dense_gradient(const void *context, real *out, real t, const real *q)
{
  const struct dense *s = context;
  (void)t, (void)q;
  for (int i = 0; i < s->n; i++)
    out[i] = 0;
  return 0;
}

static int dense_constraint(const void *context, real *g, real t, const real *q)
{
  const struct dense *s = context;
  (void)t;
  for (int i = 0; i < s->m; i++) {
    const real *b = s->b + (size_t)i * (size_t)s->n, *c = s->c + (b - s->b);
    real sum = 0;
    for (int k = 0; k < s->n; k++)
      sum += (b[k] + c[k] * q[k] / 2) * q[k];
    g[i] = sum;
  }
  return 0;
}

static int dense_jacobian(const void *context, real *values, real t, const real *q)
{
  const struct dense *s = context;
  (void)t;
  for (int i = 0; i < s->m; i++)
    for (int k = 0; k < s->n; k++) {
      const size_t at = (size_t)i * (size_t)s->n + (size_t)k;
      values[at] = s->b[at] + s->c[at] * q[k];
    }
  return 0;
}

static int dense_curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  const struct dense *s = context;
  (void)t, (void)q;
  for (int i = 0; i < s->m; i++) {
    const real *c = s->c + (size_t)i * (size_t)s->n;
    real sum = 0;
    for (int k = 0; k < s->n; k++)
      sum += c[k] * v[k] * v[k];
    out[i] = sum;
  }
  return 0;
}

static int dense_start(const void *context, real *q, real *p)
{
  const struct dense *s = context;
  for (int k = 0; k < s->n; k++) {
    q[k] = 0;
    p[k] = s->mass[k] * s->velocity[k];
  }
  return 0;
}

static void dense_destroy(struct shk_instance *instance)
{
  struct dense *s = (struct dense *)instance->system.context;
  free(s->mass);
  free(s);
}

/* The first m velocities v_1 from the others: B_1 v_1 = -B_2 v_2. */
static bool make_tangent(struct dense *s)
{
  const int n = s->n, m = s->m;
  real *matrix = malloc((size_t)m * (size_t)m * sizeof *matrix);
  int *pivots = malloc((size_t)m * sizeof *pivots);
  bool good = matrix != NULL && pivots != NULL;
  for (int i = 0; good && i < m; i++) {
    const real *row = s->b + (size_t)i * (size_t)n;
    s->velocity[i] = 0;
    for (int k = m; k < n; k++)
      s->velocity[i] -= row[k] * s->velocity[k];
    for (int j = 0; j < m; j++)
      matrix[i * m + j] = row[j];
  }
  good = good && shk_lu_factor(matrix, pivots, m);
  if (good)
    shk_lu_solve(s->velocity, matrix, pivots, m);
  free(matrix);
  free(pivots);
  return good;
}

static struct shk_status dense_create(struct shk_instance *instance,
                                      const struct shk_values *values)
{
  const int m = (int)shk_values_integer(values, "constraints");
  const int n = (int)shk_values_integer(values, "coordinates");
  const size_t entries = (size_t)m * (size_t)n;
  uint64_t seed = (uint64_t)shk_values_integer(values, "seed");
  if (n <= m)
    return shk_failure(SHK_BAD_INPUT, "%g constraints leave nothing free of %g coordinates", m, n);
  struct dense *s = calloc(1, sizeof *s);
  if (s == NULL)
    return shk_failure(SHK_NO_MEMORY, "no memory for random constraints", 0, 0);
  instance->system.context = s;
  s->n = n;
  s->m = m;
  s->mass = malloc((2 * entries + 2 * (size_t)n) * sizeof *s->mass);
  if (s->mass != NULL) {
    s->velocity = s->mass + n;
    s->b = s->velocity + n;
    s->c = s->b + entries;
    for (int k = 0; k < n; k++) {
      s->mass[k] = 1 + shk_random_uniform(&seed);
      s->velocity[k] = gaussian(&seed);
    }
    for (size_t i = 0; i < 2 * entries; i++)
      s->b[i] = gaussian(&seed) / real_sqrt(n);
  }
  if (s->mass == NULL || !make_tangent(s)) {
    dense_destroy(instance);
    return shk_failure(SHK_NO_MEMORY, "no memory for random constraints, or they depend", 0, 0);
  }
  instance->system = (struct shk_system){.struct_size = sizeof(struct shk_system),
                                         .n = n,
                                         .m = m,
                                         .context = s,
                                         .mass = s->mass,
                                         .potential = no_potential,
                                         .gradient = dense_gradient,
                                         .constraint = dense_constraint,
                                         .jacobian = dense_jacobian,
                                         .curvature = dense_curvature};
  instance->time_scale = 1;
  instance->horizon = 2;
  instance->undecidable = SHK_FREE_MOTION | SHK_LINEAR_POTENTIAL | SHK_CHAOTIC;
  instance->start = dense_start;
  return shk_ok();
}

static const struct shk_option dense_options[] = {{.name = "constraints",
                                                   .kind = SHK_OPTION_INTEGER,
                                                   .fallback = "50",
                                                   .minimum = "1",
                                                   .maximum = "1000",
                                                   .meaning = "number m of constraints"},
                                                  {.name = "coordinates",
                                                   .kind = SHK_OPTION_INTEGER,
                                                   .fallback = "100",
                                                   .minimum = "2",
                                                   .maximum = "2000",
                                                   .meaning = "number n of coordinates, above m"},
                                                  {.name = "seed",
                                                   .kind = SHK_OPTION_INTEGER,
                                                   .fallback = "1",
                                                   .minimum = "0",
                                                   .meaning = "of coefficients and start"},
                                                  {0}};

static const struct shk_problem dense = {
    .struct_size = sizeof dense,
    .info = {.name = "random-dense",
             .summary = "random quadratic constraints, each in all coordinates",
             .equations = "H = Σ p_k²/(2m_k)\n0 = Σ_k (b_ik q_k + ½ c_ik q_k²)",
             .citation = "ours",
             .units = "dimensionless",
             .coordinates = "q = (q_1, …, q_n)",
             .options = dense_options},
    .create = dense_create,
    .destroy = dense_destroy,
};

SHK_PROVIDE(systems, .problems = SHK_PROBLEMS(&branched, &dense));
