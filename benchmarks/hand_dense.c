/*
 * Reference for m constraints in all n coordinates, g_i = Σ_k (b_ik q_k + ½ c_ik q_k²), no forces.
 *
 * Forming G M⁻¹ Gᵀ costs as much as all other work, so it is done once per step, at its end. Its
 * Cholesky factors serve the velocity-level solve there and the simplified Newton iteration of the
 * next position solve, which converges linearly without forming a matrix. Matrices are stored by
 * rows and by columns, so that all inner loops have unit stride.
 */
#include "benchmarks/hand.h"

#include <stdlib.h>
#include <string.h>

struct dense {
  int n, m;
  real step, tolerance;
  real *block;
  real *b, *c, *bt, *ct;           /* m x n and, transposed, n x m */
  real *G, *Gt;                    /* the same for G; Gt is divided by the masses */
  real *upper, *lower, *inverse;   /* U, Uᵀ (m x m) and 1/U_ii */
  real *q, *v, *nu, *start, *mass; /* q, v, nu in one block */
  real *free_q, *g;
};

static void destroy(void *self)
{
  struct dense *s = self;
  free(s->block);
  free(s);
}

/* Obtains the coefficients from G at q = 0 and at q = (1, …, 1). */
static bool read_coefficients(struct dense *s, const struct shk_system *system)
{
  const int n = s->n, m = s->m;
  for (int k = 0; k < n; k++)
    s->free_q[k] = 0;
  if (system->jacobian(system->context, s->b, 0, s->free_q) != 0)
    return false;
  for (int k = 0; k < n; k++)
    s->free_q[k] = 1;
  if (system->jacobian(system->context, s->c, 0, s->free_q) != 0)
    return false;
  for (int i = 0; i < m; i++)
    for (int k = 0; k < n; k++) {
      s->c[i * n + k] -= s->b[i * n + k];
      s->bt[k * m + i] = s->b[i * n + k];
      s->ct[k * m + i] = s->c[i * n + k];
    }
  return true;
}

static void *create(const struct hand_task *task)
{
  const struct shk_system *system = task->system;
  const size_t n = (size_t)system->n, m = (size_t)system->m;
  if (system->row_start)
    return NULL;
  struct dense *s = calloc(1, sizeof *s);
  real *next = calloc(6 * m * n + 2 * m * m + 3 * m + 2 * (2 * n + m) + 2 * n, sizeof *next);
  if (!s || !next) {
    free(s);
    free(next);
    return NULL;
  }
  *s = (struct dense){.n = system->n,
                      .m = system->m,
                      .step = task->step,
                      .tolerance = task->tolerance,
                      .block = next};
  real **const large[] = {&s->b, &s->c, &s->bt, &s->ct, &s->G, &s->Gt};
  for (size_t i = 0; i < sizeof large / sizeof large[0]; i++, next += m * n)
    *large[i] = next;
  s->upper = next;
  s->lower = s->upper + m * m;
  s->inverse = s->lower + m * m;
  s->q = s->inverse + m;
  s->v = s->q + n;
  s->nu = s->v + n;
  s->start = s->nu + m;
  s->mass = s->start + 2 * n + m;
  s->free_q = s->mass + n;
  s->g = s->free_q + n;
  memcpy(s->mass, system->mass, n * sizeof(real));
  for (size_t k = 0; k < n; k++) {
    s->start[k] = task->q[k];
    s->start[n + k] = task->p[k] / s->mass[k];
  }
  for (size_t i = 0; i < m; i++)
    s->start[2 * n + i] = s->step / 2 * task->lambda[i];
  if (!read_coefficients(s, system)) {
    destroy(s);
    return NULL;
  }
  return s;
}

/* G at q, and the factors of G M⁻¹ Gᵀ = Uᵀ U. */
static void factor(struct dense *s)
{
  const int n = s->n, m = s->m;
  for (int i = 0; i < m; i++)
    for (int k = 0; k < n; k++)
      s->G[i * n + k] = s->b[i * n + k] + s->c[i * n + k] * s->q[k];
  for (int k = 0; k < n; k++)
    for (int i = 0; i < m; i++)
      s->Gt[k * m + i] = (s->bt[k * m + i] + s->ct[k * m + i] * s->q[k]) / s->mass[k];
  for (int i = 0; i < m; i++) {
    real *restrict row = s->upper + (size_t)i * m;
    for (int j = i; j < m; j++)
      row[j] = 0;
    int k = 0;
    for (; k + 4 <= n; k += 4) {
      const real *restrict t = s->Gt + (size_t)k * m, *G = s->G + (size_t)i * n + k;
      const real g0 = G[0], g1 = G[1], g2 = G[2], g3 = G[3];
      for (int j = i; j < m; j++)
        row[j] += (g0 * t[j] + g1 * t[m + j]) + (g2 * t[2 * m + j] + g3 * t[3 * m + j]);
    }
    for (; k < n; k++)
      for (int j = i; j < m; j++)
        row[j] += s->G[i * n + k] * s->Gt[k * m + j];
  }
  for (int i = 0; i < m; i++) {
    const real *restrict pivot = s->upper + (size_t)i * m;
    real *mine = s->upper + (size_t)i * m;
    s->inverse[i] = 1 / real_sqrt(mine[i]);
    for (int j = i; j < m; j++)
      mine[j] *= s->inverse[i];
    for (int r = i + 1; r < m; r++) {
      real *restrict row = s->upper + (size_t)r * m;
      const real f = pivot[r];
      for (int j = r; j < m; j++)
        row[j] -= f * pivot[j];
    }
    for (int j = i; j < m; j++)
      s->lower[(size_t)j * m + i] = mine[j];
  }
}

static void solve(const struct dense *s, real *restrict x)
{
  const int m = s->m;
  for (int i = 0; i < m; i++) {
    const real *restrict row = s->upper + (size_t)i * m;
    const real y = x[i] *= s->inverse[i];
    for (int j = i + 1; j < m; j++)
      x[j] -= row[j] * y;
  }
  for (int i = m - 1; i >= 0; i--) {
    const real *restrict row = s->lower + (size_t)i * m;
    const real y = x[i] *= s->inverse[i];
    for (int j = 0; j < i; j++)
      x[j] -= row[j] * y;
  }
}

static void start(void *self)
{
  struct dense *s = self;
  memcpy(s->q, s->start, (size_t)(2 * s->n + s->m) * sizeof(real));
  factor(s);
}

/* x <- x - f M⁻¹ Gᵀ y */
static void kick(const struct dense *s, real *restrict x, real f, const real *y)
{
  const int n = s->n;
  real sum[n];
  for (int k = 0; k < n; k++)
    sum[k] = 0;
  for (int i = 0; i < s->m; i++) {
    const real *restrict row = s->G + (size_t)i * n;
    for (int k = 0; k < n; k++)
      sum[k] += row[k] * y[i];
  }
  for (int k = 0; k < n; k++)
    x[k] -= f * (sum[k] / s->mass[k]);
}

static bool step(struct dense *s)
{
  const int n = s->n, m = s->m;
  const real h = s->step;
  real q1[n];
  for (int k = 0; k < n; k++)
    s->free_q[k] = s->q[k] + h * s->v[k];
  for (int round = 0;; round++) {
    memcpy(q1, s->free_q, (size_t)n * sizeof(real));
    kick(s, q1, h, s->nu);
    real *restrict g = s->g;
    int bad = 0;
    for (int i = 0; i < m; i++)
      g[i] = 0;
    for (int k = 0; k < n; k++) {
      const real x = q1[k], half = x * x / 2;
      const real *restrict b = s->bt + (size_t)k * m, *restrict c = s->ct + (size_t)k * m;
      for (int i = 0; i < m; i++)
        g[i] += b[i] * x + c[i] * half;
    }
    for (int i = 0; i < m; i++)
      bad |= !(real_fabs(g[i]) <= s->tolerance);
    if (!bad)
      break;
    if (round == HAND_LIMIT)
      return false;
    solve(s, g);
    for (int i = 0; i < m; i++)
      s->nu[i] += g[i] / h;
  }
  kick(s, s->v, 1, s->nu);
  memcpy(s->q, q1, (size_t)n * sizeof(real));
  factor(s);
  for (int i = 0; i < m; i++)
    s->g[i] = 0;
  for (int k = 0; k < n; k++) {
    const real f = s->mass[k] * s->v[k];
    for (int i = 0; i < m; i++)
      s->g[i] += s->Gt[(size_t)k * m + i] * f;
  }
  solve(s, s->g);
  kick(s, s->v, 1, s->g);
  return true;
}

static bool run(void *self, long steps)
{
  for (long k = 0; k < steps; k++)
    if (!step(self))
      return false;
  return true;
}

static void state(const void *self, real *q, real *p)
{
  const struct dense *s = self;
  for (int k = 0; k < s->n; k++) {
    q[k] = s->q[k];
    p[k] = s->mass[k] * s->v[k];
  }
}

const struct hand hand_dense = {
    .name = "random-dense",
    .create = create,
    .start = start,
    .run = run,
    .state = state,
    .destroy = destroy,
};
