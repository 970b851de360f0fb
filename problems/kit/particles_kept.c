/*
 * Invariants of a system of particles that follow from Noether's theorem. Without interacting fixed
 * points, these are the momentum along the coordinates orthogonal to gravity and the angular
 * momentum about the origin or, under gravity, about the centre of mass (about which gravity exerts
 * no torque). With fixed points, they are the angular momenta about axes through these points,
 * provided that rotations about the axis leave the fixed points and the direction of gravity
 * unchanged.
 */
#include "problems/kit/particles.h"
#include "problems/kit/problem.h"

static int invariants(const void *context, real *values, real t, const real *q, const real *p)
{
  const struct shk_particles *s = context;
  const int dimension = s->sites.dimension, count = s->sites.count;
  real total[3] = {0, 0, 0}, centre[3] = {0, 0, 0}, about[3] = {0, 0, 0}, mass = 0;
  for (int i = 0; i < count; i++) {
    mass += s->sites.mass[i * dimension];
    for (int j = 0; j < dimension; j++) {
      total[j] += p[i * dimension + j];
      centre[j] += s->sites.mass[i * dimension] * q[i * dimension + j];
    }
  }
  for (int j = 0; j < dimension; j++)
    centre[j] = s->about_centre ? centre[j] / mass : s->centre[j];
  for (int i = 0; i < count; i++) {
    real r[3] = {0, 0, 0}, momentum[3] = {0, 0, 0};
    for (int j = 0; j < dimension; j++) {
      r[j] = q[i * dimension + j] - centre[j];
      momentum[j] = p[i * dimension + j];
    }
    for (int j = 0; j < 3; j++)
      about[j] += r[(j + 1) % 3] * momentum[(j + 2) % 3] - r[(j + 2) % 3] * momentum[(j + 1) % 3];
  }
  for (int i = 0; i < s->kept_count; i++)
    values[i] =
        s->kept[i].turning ? real_dot(s->kept[i].axis, about, 3) : total[s->kept[i].coordinate];
  return 0;
}

static void keep_invariant(struct shk_particles *s, const char *name, bool turning, int coordinate,
                           const real *axis)
{
  struct shk_kept *kept = &s->kept[s->kept_count];
  *kept = (struct shk_kept){.turning = turning, .coordinate = coordinate};
  for (int j = 0; j < 3; j++)
    kept->axis[j] = axis ? axis[j] : j == coordinate;
  s->names[s->kept_count++] = name;
}

static void keep_turning(struct shk_particles *s)
{
  static const char *const names[] = {"angular-momentum-x", "angular-momentum-y",
                                      "angular-momentum-z"};
  if (s->sites.dimension == 2)
    keep_invariant(s, "angular-momentum", true, 2, NULL);
  else
    for (int j = 0; j < 3; j++)
      keep_invariant(s, names[j], true, j, NULL);
}

/* Normalizes x (up to 3 numbers). Returns false if x is zero. */
static bool unit_particles_kept(real *out, const real *x, int dimension)
{
  const real length = shk_distance(NULL, x, dimension);
  for (int j = 0; j < 3; j++)
    out[j] = j < dimension && length > 0 ? x[j] / length : 0;
  return length > 0;
}

/* Returns true if two unit vectors are parallel up to the rounding of their decimals. */
static bool same_line(const real *a, const real *b)
{
  real across = 0;
  for (int j = 0; j < 3; j++)
    across = real_max(across,
                      real_fabs(a[(j + 1) % 3] * b[(j + 2) % 3] - a[(j + 2) % 3] * b[(j + 1) % 3]));
  return across <= 64 * REAL_EPSILON;
}

static void find_kept(struct shk_particles *s, const bool *used, int fixed_count)
{
  static const char *const names[] = {"momentum-x", "momentum-y", "momentum-z"};
  const int dimension = s->sites.dimension;
  int first = -1;
  bool one_line = true, several = false;
  real line[3] = {0, 0, 0}, down[3];
  const bool falls = unit_particles_kept(down, s->gravity, dimension);
  for (int i = 0; i < fixed_count; i++) {
    real d[3] = {0, 0, 0}, direction[3];
    if (!used[i])
      continue;
    if (first < 0)
      first = i;
    for (int j = 0; j < dimension; j++)
      d[j] = s->fixed[i * dimension + j] - s->fixed[first * dimension + j];
    if (!unit_particles_kept(direction, d, dimension))
      continue;
    if (several)
      one_line = one_line && same_line(direction, line);
    for (int j = 0; j < 3 && !several; j++)
      line[j] = direction[j];
    several = true;
  }
  if (first < 0) {
    for (int j = 0; j < dimension; j++)
      if (s->gravity[j] == 0)
        keep_invariant(s, names[j], false, j, NULL);
    s->about_centre = falls;
    keep_turning(s);
    return;
  }
  for (int j = 0; j < dimension; j++)
    s->centre[j] = s->fixed[first * dimension + j];
  if (!several && !falls)
    keep_turning(s);
  else if (dimension == 3 && one_line && (!several || !falls || same_line(line, down)))
    keep_invariant(s, "angular-momentum-about-axis", true, 0, several ? line : down);
}

void shk_particles_find_kept(struct shk_instance *instance, struct shk_particles *s,
                             const bool *used, int fixed_count)
{
  find_kept(s, used, fixed_count);
  if (s->kept_count > 0)
    shk_set_invariants(instance, s->kept_count, s->names, invariants);
}
