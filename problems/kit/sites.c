/* Point masses joined by distance constraints. See sites.h. */
#include "problems/kit/sites.h"

#include "problems/kit/draw.h"
#include "problems/kit/problem.h"

struct shk_status shk_sites_create(struct shk_sites *sites, struct shk_workspace *workspace,
                                   int dimension, int count, int rod_count)
{
  const size_t n = (size_t)count * (size_t)dimension, rods = (size_t)rod_count;
  *sites = (struct shk_sites){.dimension = dimension,
                              .count = count,
                              .rod_count = rod_count,
                              .rods = shk_memory(workspace, rods * sizeof *sites->rods)};
  SHK_TRY(shk_allocated(sites->rods));
  SHK_TRY(shk_reals(workspace, &sites->mass, n));
  SHK_TRY(shk_reals(workspace, &sites->q, n));
  return shk_reals(workspace, &sites->p, n);
}

SHK_STORED_START(shk_sites, s->count * s->dimension)

struct shk_status shk_sites_bind(struct shk_instance *instance, struct shk_sites *s)
{
  struct shk_system *system = &instance->system;
  s->declared = (struct shk_rods){s->dimension, s->rod_count, s->rods, s->fixed};
  system->n = s->count * s->dimension;
  system->mass = s->mass;
  system->constraint = shk_rods_constraint;
  system->jacobian = shk_rods_jacobian;
  system->curvature = shk_rods_curvature;
  system->rods = &s->declared;
  system->autonomous = true;
  instance->start = start;
  return shk_rods_bind(instance, &s->declared);
}

void shk_sites_draw(struct shk_sites *s, real temperature, uint64_t *seed)
{
  const int n = s->count * s->dimension;
  real total[3] = {0, 0, 0}, mass = 0;
  shk_draw_gaussian(s->p, seed, n);
  for (int i = 0; i < n; i++)
    s->p[i] *= real_sqrt(s->mass[i] * temperature);
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
  shk_total_momentum(values, p, s->count, 3);
  return 0;
}

int shk_sites_momenta(const void *context, real *values, real t, const real *q, const real *p)
{
  const struct shk_sites *s = context;
  shk_angular_momentum(values + 3, q, p, s->count);
  return shk_sites_momentum(context, values, t, q, p);
}
