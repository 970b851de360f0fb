/*
 * Fekete points: N particles on the unit sphere that repel each other logarithmically. With
 * damping, they come to rest where the product of their distances has a maximum.
 *
 *     H = ½ Σ |p_i|² - Σ_{i<j} ln |r_i - r_j|,    Q = -α p,    0 = ½ (|r_i|² - 1),  i = 1 … N
 *
 * All masses are 1, and the constraint force is -Gᵀλ. The IVP Test Set's multiplier is -λ_i/2. At
 * an equilibrium, r_i·Σ_j (r_i - r_j)/|r_i - r_j|² = (N-1)/2, so λ_i = (N-1)/2 for all i. Without
 * damping (α = 0, no forces), angular momentum is conserved and the motion is chaotic. With α > 0,
 * the motion dies out. There are many equilibria, and details of the initial state determine which
 * one is reached.
 *
 * For N = 20, the initial state is taken from the Test Set: four rings at latitudes 3π/8, π/8,
 * -2π/15, -3π/10 with 3, 7, 6, 4 points. For other N, the points start on a spiral at heights 1 -
 * (2i-1)/N. Each point is rotated by the golden angle π (3 - √5) relative to the previous one. The
 * points start at rest or, with rate = w, rotate about the vertical at the rate w (1 + z_i).
 *
 * Source: W. M. Lioen & J. J. B. de Swart, Test Set for IVP Solvers (CWI/Bari), "Fekete problem",
 * which uses α = 0.5. For the dynamics, see M. Shub & S. Smale, J. Complexity 9 (1993) 4.
 */
#include "problems/kit/points.h"
#include "problems/kit/problem.h"

struct fekete {
  struct shk_rods rods; /* from the origin */
  real damping, rate;
  long points;
  real *mass, *q; /* the start */
  struct shk_picture picture;
};

/* Stores the vector b - a and the inverse of its squared length. Returns false if the two points
 * coincide. */
static bool vector_apart(real *d, real *inverse, const real *a, const real *b)
{
  for (int k = 0; k < 3; k++)
    d[k] = b[k] - a[k];
  const real square = real_dot(d, d, 3);
  *inverse = 1 / square;
  return square > 0;
}

static int potential(const void *context, real *value, real t, const real *q)
{
  const struct fekete *s = context;
  *value = 0;
  for (int i = 0; i < s->rods.count; i++)
    for (int j = 0; j < i; j++) {
      real d[3], inverse;
      if (!vector_apart(d, &inverse, q + 3 * j, q + 3 * i))
        return 1;
      *value += real_log(inverse) / 2;
    }
  return 0;
}

static int gradient(const void *context, real *out, real t, const real *q)
{
  const struct fekete *s = context;
  for (int i = 0; i < 3 * s->rods.count; i++)
    out[i] = 0;
  for (int i = 0; i < s->rods.count; i++)
    for (int j = 0; j < i; j++) {
      real d[3], inverse;
      if (!vector_apart(d, &inverse, q + 3 * j, q + 3 * i))
        return 1;
      for (int k = 0; k < 3; k++) {
        out[3 * i + k] -= d[k] * inverse;
        out[3 * j + k] += d[k] * inverse;
      }
    }
  return 0;
}

static int hessian(const void *context, real *out, real t, const real *q, const real *p)
{
  const struct fekete *s = context;
  const int n = 3 * s->rods.count;
  const size_t wide = 2 * (size_t)n;
  for (size_t i = 0; i < wide * wide; i++)
    out[i] = 0;
  for (int i = 0; i < n; i++)
    out[(size_t)(n + i) * wide + (size_t)(n + i)] = 1;
  for (int i = 0; i < s->rods.count; i++)
    for (int j = 0; j < i; j++) {
      real d[3], inverse;
      if (!vector_apart(d, &inverse, q + 3 * j, q + 3 * i))
        return 1;
      for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++) {
          const real entry = 2 * d[k] * d[l] * inverse * inverse - (k == l ? inverse : 0);
          const size_t ik = (size_t)(3 * i + k), il = (size_t)(3 * i + l);
          const size_t jk = (size_t)(3 * j + k), jl = (size_t)(3 * j + l);
          out[ik * wide + il] += entry;
          out[jk * wide + jl] += entry;
          out[ik * wide + jl] -= entry;
          out[jk * wide + il] -= entry;
        }
    }
  return 0;
}

static int force(const void *context, real *out, real t, const real *q, const real *p)
{
  const struct fekete *s = context;
  for (int i = 0; i < 3 * s->rods.count; i++)
    out[i] = -s->damping * p[i];
  return 0;
}

static int force_gradients(const void *context, real *Q_q, real *Q_p, real t, const real *q,
                           const real *p)
{
  const struct fekete *s = context;
  const size_t n = 3 * (size_t)s->rods.count;
  for (size_t i = 0; i < n * n; i++) {
    Q_q[i] = 0;
    Q_p[i] = i % (n + 1) == 0 ? -s->damping : 0;
  }
  return 0;
}

static int start_fekete(const void *context, real *q, real *p)
{
  const struct fekete *s = context;
  for (int i = 0; i < s->rods.count; i++) {
    const real *r = s->q + 3 * i;
    const real turn = s->rate * (1 + r[2]);
    for (int k = 0; k < 3; k++)
      q[3 * i + k] = r[k];
    p[3 * i] = -turn * r[1];
    p[3 * i + 1] = turn * r[0];
    p[3 * i + 2] = 0;
  }
  return 0;
}

static void put_fekete(real *r, real azimuth, real latitude)
{
  r[0] = real_cos(azimuth) * real_cos(latitude);
  r[1] = real_sin(azimuth) * real_cos(latitude);
  r[2] = real_sin(latitude);
}

static void start_rings(real *q)
{
  for (int i = 1; i <= 20; i++) {
    real *r = q + 3 * (i - 1);
    if (i <= 3)
      put_fekete(r, 2 * REAL_PI * i / 3 + REAL_PI / 13, 3 * REAL_PI / 8);
    else if (i <= 10)
      put_fekete(r, 2 * REAL_PI * (i - 3) / 7 + REAL_PI / 29, REAL_PI / 8);
    else if (i <= 16)
      put_fekete(r, 2 * REAL_PI * (i - 10) / 6 + REAL_PI / 7, -2 * REAL_PI / 15);
    else
      put_fekete(r, 2 * REAL_PI * (i - 17) / 4 + REAL_PI / 17, -3 * REAL_PI / 10);
  }
}

static void start_spiral(real *q, int points)
{
  const real golden = REAL_PI * (3 - real_sqrt(5));
  for (int i = 0; i < points; i++)
    put_fekete(q + 3 * i, golden * i, real_asin(1 - (real)(2 * i + 1) / points));
}

/* Returns the largest Σ_j 1/|r_i - r_j|², which is the square of the fastest rate of any
 * particle. */
static real stiffest_square(const real *q, int points)
{
  real most = 0;
  for (int i = 0; i < points; i++) {
    real sum = 0, d[3], inverse;
    for (int j = 0; j < points; j++)
      if (j != i && vector_apart(d, &inverse, q + 3 * j, q + 3 * i))
        sum += inverse;
    most = real_max(most, sum);
  }
  return most;
}

static int angular_momentum(const void *context, real *values, real t, const real *q, const real *p)
{
  const struct fekete *s = context;
  shk_angular_momentum(values, q, p, s->rods.count);
  return 0;
}

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct fekete *s = context;
  const int points = (int)s->points;
  const size_t n = 3 * (size_t)points;
  struct shk_rod *rod = shk_memory(instance->workspace, (size_t)points * sizeof *rod);
  SHK_TRY(shk_allocated(rod));
  for (int i = 0; i < points; i++)
    rod[i] = (struct shk_rod){-1, i, 1};
  s->rods = (struct shk_rods){3, points, rod, NULL};
  SHK_TRY(shk_rods_bind(instance, &s->rods));
  SHK_TRY(shk_reals(instance->workspace, &s->mass, n));
  SHK_TRY(shk_reals(instance->workspace, &s->q, n));
  instance->system.n = (int)n;
  instance->system.mass = s->mass;
  for (size_t i = 0; i < n; i++)
    s->mass[i] = 1;
  if (points == 20)
    start_rings(s->q);
  else
    start_spiral(s->q, points);
  shk_set_times(instance,
                real_max(real_sqrt(stiffest_square(s->q, points)), 2 * real_fabs(s->rate)), R(9.7));
  instance->undecidable = SHK_CHAOTIC;
  if (s->rate == 0)
    instance->undecidable |= SHK_SYMMETRIC_START;
  instance->start = start_fekete;
  s->picture = (struct shk_picture){SHK_PICTURE_SPACE(2, points)};
  instance->picture = &s->picture;
  if (s->damping > 0) {
    instance->system.features = SHK_FORCES;
    instance->system.hessian = hessian;
    instance->system.force = force;
    instance->system.force_gradients = force_gradients;
    instance->undecidable |= SHK_NO_REVERSAL;
  } else {
    shk_set_invariants(instance, 3, shk_momentum_names() + 3, angular_momentum);
  }
  return shk_ok();
}

static const struct shk_option options[] = {
    SHK_INTEGER(fekete, points, "points", "20", "number N of particles", .minimum = "2",
                .maximum = "1000"),
    SHK_REAL(fekete, damping, "damping", "0", "damping α in the force -α p; the test set has 0.5",
             .minimum = "0"),
    SHK_REAL(fekete, rate, "rate", "0",
             "rate w: particle i starts with the rotation rate w (1 + z_i) about the vertical"),
    {0}};

static const struct shk_system fekete_system = {SHK_POTENTIAL, SHK_RODS_CONSTRAINT};

SHK_PROVIDE_PROBLEM(fekete, fekete, &fekete_system, .name = "fekete", .family = "on manifolds",
                    .summary = "particles on a sphere with logarithmic repulsion (IVP Test Set)",
                    .equations = "H = ½ Σ |p_i|² - Σ_{i<j} ln |r_i - r_j|,  Q = -α p\n"
                                 "0 = ½ (|r_i|² - 1),  i = 1 … N\n"
                                 "at an equilibrium every λ_i = (N - 1)/2",
                    .citation =
                        "W. M. Lioen & J. J. B. de Swart, Test Set for IVP Solvers, \"Fekete "
                        "problem\"; M. Shub & S. Smale, J. Complexity 9 (1993) 4-14",
                    .units = "dimensionless", .coordinates = "q = (r_1, …, r_N), r = (x, y, z)");
