/* Point masses joined by distance constraints; see sites.h. */
#include "problems/kit/sites.h"

#include <shakedown/distance.h>
#include <shakedown/random.h>

struct shk_status shk_sites_create(struct shk_sites *sites, struct shk_workspace *workspace,
                                   int dimension, int count, int rod_count, int extra_entries)
{
  const size_t n = (size_t)count * (size_t)dimension, rods = (size_t)rod_count;
  const size_t rows = rods + (extra_entries > 0 ? 1 : 0);
  *sites = (struct shk_sites){.dimension = dimension,
                              .count = count,
                              .rod_count = rod_count,
                              .rods = shk_memory(workspace, rods * sizeof *sites->rods)};
  if (!sites->rods)
    return shk_no_memory();
  SHK_TRY(shk_reals(workspace, &sites->mass, n));
  SHK_TRY(shk_reals(workspace, &sites->q, n));
  SHK_TRY(shk_reals(workspace, &sites->p, n));
  SHK_TRY(shk_integers(workspace, &sites->row_start, rows + 1));
  return shk_integers(workspace, &sites->columns,
                      2 * (size_t)dimension * rods + (size_t)extra_entries);
}

/* Stores the vector along the bond in x, which is q or, with `fixed` NULL (fixed points rest),
 * v. */
static inline void along(real *d, const struct shk_sites *s, const struct shk_rod *rod,
                         const real *x, const real *fixed)
{
  const int dimension = s->dimension;
  const real *b = x + (size_t)rod->b * (size_t)dimension;
  const real *a = rod->a >= 0 ? x + (size_t)rod->a * (size_t)dimension
                  : fixed     ? fixed + (size_t)(-1 - rod->a) * (size_t)dimension
                              : NULL;
  for (int j = 0; j < dimension; j++)
    d[j] = !a ? b[j] : b[j] - a[j];
}

int shk_sites_constraint(const void *context, real *g, real t, const real *q)
{
  const struct shk_sites *s = context;
  (void)t;
  real d[3];
  for (int i = 0; i < s->rod_count; i++) {
    along(d, s, &s->rods[i], q, s->fixed);
    g[i] = (real_dot(d, d, s->dimension) - s->rods[i].square) / 2;
  }
  return 0;
}

int shk_sites_jacobian(const void *context, real *values, real t, const real *q)
{
  const struct shk_sites *s = context;
  (void)t;
  real d[3];
  for (int i = 0; i < s->rod_count; i++) {
    along(d, s, &s->rods[i], q, s->fixed);
    if (s->rods[i].a >= 0)
      for (int j = 0; j < s->dimension; j++)
        *values++ = -d[j];
    for (int j = 0; j < s->dimension; j++)
      *values++ = d[j];
  }
  return 0;
}

int shk_sites_curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  const struct shk_sites *s = context;
  (void)t, (void)q;
  real d[3];
  for (int i = 0; i < s->rod_count; i++) {
    along(d, s, &s->rods[i], v, NULL);
    out[i] = real_dot(d, d, s->dimension);
  }
  return 0;
}

static int start(const void *context, real *q, real *p)
{
  const struct shk_sites *s = context;
  return shk_copy_start(q, p, s->q, s->p, s->count * s->dimension);
}

void shk_sites_bind(struct shk_instance *instance, struct shk_sites *s)
{
  int next = 0;
  for (int i = 0; i < s->rod_count; i++) {
    s->row_start[i] = next;
    for (int j = 0; s->rods[i].a >= 0 && j < s->dimension; j++)
      s->columns[next++] = s->rods[i].a * s->dimension + j;
    for (int j = 0; j < s->dimension; j++)
      s->columns[next++] = s->rods[i].b * s->dimension + j;
  }
  s->row_start[s->rod_count] = next;
  struct shk_system *system = &instance->system;
  system->n = s->count * s->dimension;
  system->m = s->rod_count;
  system->mass = s->mass;
  system->constraint = shk_sites_constraint;
  system->jacobian = shk_sites_jacobian;
  system->curvature = shk_sites_curvature;
  system->row_start = s->row_start;
  system->columns = s->columns;
  s->declared = (struct shk_rods){s->dimension, s->rods, s->fixed};
  system->rods = &s->declared;
  system->autonomous = true;
  instance->start = start;
}

void shk_sites_draw(struct shk_sites *s, real temperature, uint64_t *seed)
{
  const int n = s->count * s->dimension;
  real total[3] = {0, 0, 0}, mass = 0;
  for (int i = 0; i < n; i += 2) {
    real pair[2];
    shk_random_gaussian_pair(pair, seed);
    s->p[i] = pair[0] * real_sqrt(s->mass[i] * temperature);
    if (i + 1 < n)
      s->p[i + 1] = pair[1] * real_sqrt(s->mass[i + 1] * temperature);
  }
  for (int i = 0; i < n; i++)
    total[i % s->dimension] += s->p[i];
  for (int i = 0; i < n; i += s->dimension)
    mass += s->mass[i];
  for (int i = 0; i < n; i++)
    s->p[i] -= total[i % s->dimension] * (s->mass[i] / mass);
}

int shk_sites_momentum(const void *context, real *values, real t, const real *q, const real *p)
{
  const struct shk_sites *s = context;
  (void)t, (void)q;
  for (int j = 0; j < 3; j++)
    values[j] = 0;
  for (int i = 0; i < 3 * s->count; i++)
    values[i % 3] += p[i];
  return 0;
}

int shk_sites_momenta(const void *context, real *values, real t, const real *q, const real *p)
{
  const struct shk_sites *s = context;
  real *about = values + 3;
  for (int j = 0; j < 3; j++)
    about[j] = 0;
  for (int i = 0; i < 3 * s->count; i += 3)
    for (int j = 0; j < 3; j++) {
      const int k = (j + 1) % 3, l = (j + 2) % 3;
      about[j] += q[i + k] * p[i + l] - q[i + l] * p[i + k];
    }
  return shk_sites_momentum(context, values, t, q, p);
}
