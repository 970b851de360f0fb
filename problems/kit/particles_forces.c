/* The potential of a system of particles read from a file. See problems/molecules/particles.c. */
#include "problems/kit/particles.h"

/* Returns gravity at time t, divided by its mean strength. */
static real strength_at(const struct shk_particles *s, real t)
{
  return s->sway > 0 ? 1 + real_sin(t / s->sway) / 2 : 1;
}

/* Adds the contributions of angles and torsions to the energy and, unless it is NULL, to the
 * gradient. */
static int add_bonded(const struct shk_particles *s, real *value, real *out, const real *q)
{
  const struct shk_places places = {s->sites.dimension, q, s->fixed};
  int code = 0;
  for (int i = 0; code == 0 && i < s->angle_count + s->cosine_count; i++)
    code = shk_add_angle(value, out, &places, &s->angles[i], i >= s->angle_count);
  for (int i = 0; code == 0 && i < s->torsion_count; i++)
    code = shk_add_torsion(value, out, &places, &s->torsions[i]);
  return code;
}

int shk_particles_potential(const void *context, real *value, real t, const real *q)
{
  const struct shk_particles *s = context;
  const int dimension = s->sites.dimension, n = s->sites.count * dimension;
  const real strength = strength_at(s, t);
  real sum = 0, d[3];
  for (int i = 0; s->falls && i < n; i++)
    sum -= strength * s->sites.mass[i] * s->gravity[i % dimension] * q[i];
  for (int i = 0; i < s->spring_count; i++) {
    const struct shk_spring *spring = &s->springs[i];
    const real stretch =
        real_sqrt(shk_particles_between(d, s, spring->a, spring->b, q)) - spring->rest;
    sum += spring->stiffness * stretch * stretch / 2;
  }
  for (int i = 0; i < s->quartic_count; i++) {
    const real stretch = shk_particles_stretch(d, s, &s->quartics[i], q);
    sum += s->quartics[i].stiffness * stretch * stretch / 8;
  }
  for (int i = 0; i < s->pair_count; i++) {
    const struct shk_pair *pair = &s->pairs[i];
    const real square = shk_particles_between(d, s, pair->a, pair->b, q), inverse = 1 / square;
    if (!(square > 0))
      return 1;
    const real r6 = inverse * inverse * inverse;
    sum += pair->charges * real_sqrt(inverse) + r6 * (pair->lj12 * r6 - pair->lj6);
  }
  *value = sum;
  return add_bonded(s, value, NULL, q);
}

int shk_particles_gradient(const void *context, real *out, real t, const real *q)
{
  const struct shk_particles *s = context;
  const int dimension = s->sites.dimension, n = s->sites.count * dimension;
  const real strength = strength_at(s, t);
  real d[3], sum;
  for (int i = 0; i < n; i++)
    out[i] = s->falls ? -strength * s->sites.mass[i] * s->gravity[i % dimension] : 0;
  for (int i = 0; i < s->spring_count; i++) {
    const struct shk_spring *spring = &s->springs[i];
    const real length = real_sqrt(shk_particles_between(d, s, spring->a, spring->b, q));
    if (length == 0 && spring->rest > 0)
      /* the direction is undefined; the failure is recoverable because another step may avoid this
       * point */
      return 1;
    const real share = spring->rest > 0 ? spring->rest / length : 0;
    shk_particles_pull(out, s, spring->a, spring->b, spring->stiffness * (1 - share), d);
  }
  for (int i = 0; i < s->quartic_count; i++) {
    const struct shk_spring *spring = &s->quartics[i];
    const real pull =
        spring->stiffness * shk_particles_stretch(d, s, spring, q) / (2 * spring->rest);
    shk_particles_pull(out, s, spring->a, spring->b, pull, d);
  }
  for (int i = 0; i < s->pair_count; i++) {
    const struct shk_pair *pair = &s->pairs[i];
    const real square = shk_particles_between(d, s, pair->a, pair->b, q), inverse = 1 / square;
    if (!(square > 0))
      return 1;
    const real r6 = inverse * inverse * inverse;
    const real slope =
        pair->charges * real_sqrt(inverse) + 6 * r6 * (2 * pair->lj12 * r6 - pair->lj6);
    shk_particles_pull(out, s, pair->a, pair->b, -slope * inverse, d);
  }
  sum = 0;
  return add_bonded(s, &sum, out, q);
}

const struct shk_terms *shk_particles_declare(struct shk_particles *s)
{
  s->terms = (struct shk_terms){.gravity = s->falls ? s->gravity : NULL,
                                .spring_count = s->spring_count,
                                .pair_count = s->pair_count,
                                .angle_count = s->angle_count,
                                .torsion_count = s->torsion_count,
                                .springs = s->springs,
                                .pairs = s->pairs,
                                .angles = s->angles,
                                .torsions = s->torsions};
  return &s->terms;
}

real shk_particles_softness(const struct shk_particles *s, int a, int b)
{
  const int dimension = s->sites.dimension;
  return 1 / s->sites.mass[b * dimension] + (a >= 0 ? 1 / s->sites.mass[a * dimension] : 0);
}

real shk_particles_pair_rate(const struct shk_particles *s, const struct shk_pair *pair)
{
  real d[3];
  const real inverse = 1 / shk_particles_between(d, s, pair->a, pair->b, s->sites.q),
             r6 = inverse * inverse * inverse,
             curved = 2 * pair->charges * real_sqrt(inverse) +
                      r6 * (156 * pair->lj12 * r6 - 42 * pair->lj6);
  return real_fabs(curved) * inverse * shk_particles_softness(s, pair->a, pair->b);
}

real shk_particles_rod_rate(const struct shk_particles *s, const struct shk_rod *rod)
{
  const struct shk_sites *const sites = &s->sites;
  const int dimension = sites->dimension;
  const real weight = shk_distance(NULL, s->gravity, dimension);
  real speed = 0;
  for (int j = 0; j < dimension; j++) {
    const int b = rod->b * dimension + j, a = rod->a * dimension + j;
    const real v = sites->p[b] / sites->mass[b] - (rod->a >= 0 ? sites->p[a] / sites->mass[a] : 0);
    speed += v * v;
  }
  return real_max(weight / real_sqrt(rod->square), speed / rod->square);
}
