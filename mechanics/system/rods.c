/* Checks declared distance constraints. See rods.h. */
#include "mechanics/system/rods.h"

#include <stdio.h>
#include <stdlib.h>

/* Tolerance in units of rounding error. It is small because g and G of a distance constraint
 * consist only of differences between positions and products of these differences. */
#define ROUNDINGS 16

static bool masses_agree(const struct shk_system *s, int dimension)
{
  for (int i = 0; i < s->n; i++)
    if (s->mass[i] != s->mass[i / dimension * dimension])
      return false;
  return true;
}

/* Returns true if row i of the pattern contains the coordinates of both ends, in ascending
 * order. */
static bool row_agrees(const struct shk_system *s, int i)
{
  const struct shk_rod *rod = &s->rods->rod[i];
  const int dimension = s->rods->dimension, *columns = s->columns + s->row_start[i];
  const int ends[2] = {rod->a < rod->b ? rod->a : rod->b, rod->a < rod->b ? rod->b : rod->a};
  const int first = rod->a < 0 ? 1 : 0;
  if (s->row_start[i + 1] - s->row_start[i] != (2 - first) * dimension)
    return false;
  for (int end = first; end < 2; end++)
    for (int k = 0; k < dimension; k++)
      if (*columns++ != ends[end] * dimension + k)
        return false;
  return true;
}

const char *shk_rods_fault(const struct shk_system *s)
{
  const struct shk_rods *rods = s->rods;
  const unsigned others = SHK_GENERAL_HAMILTONIAN | SHK_RHEONOMIC | SHK_MOMENTUM_CONSTRAINT |
                          SHK_VELOCITY_CONSTRAINT | SHK_GENERAL_DAE;
  if (rods->dimension != 2 && rods->dimension != 3)
    return "their dimension is neither 2 nor 3";
  if (s->n % rods->dimension != 0)
    return "the number of coordinates is not a multiple of their dimension";
  if ((s->features & others) != 0 || !s->mass || !s->constraint || !s->jacobian)
    return "the system is not separable with constraints g(q)";
  if (rods->count != s->m)
    return "there are more or fewer rods than constraints";
  if (s->m > 0 && (!s->row_start || !rods->rod))
    return "there is no pattern, or there are no rods";
  if (!masses_agree(s, rods->dimension))
    return "a point has different masses along its coordinates";
  for (int i = 0; i < s->m; i++) {
    const struct shk_rod *rod = &rods->rod[i];
    if (rod->b < 0 || rod->b >= s->n / rods->dimension || rod->a >= s->n / rods->dimension ||
        rod->a == rod->b)
      return "an end of a rod is not a point of the system";
    if (rod->a < 0 && !rods->fixed)
      return "a rod begins at a fixed point, but there are none";
    if (!row_agrees(s, i))
      return "a row of the pattern does not belong to a rod";
  }
  return NULL;
}

struct shk_status shk_rods_needed(const struct shk_system *system, const char *sentence)
{
  return system->rods && !shk_rods_fault(system) ? shk_ok() : shk_refused(sentence);
}

static bool differs_from(real found, real expected, real size)
{
  return !(real_fabs(found - expected) <= ROUNDINGS * REAL_EPSILON * size);
}

/* Compares row i with the declaration. Returns 0 if they agree, 1 if g differs, and 2 if the
 * Jacobian differs. */
static int compare_rods(const struct shk_system *s, int i, real g, const real *values,
                        const real *q)
{
  const struct shk_rod *rod = &s->rods->rod[i];
  const int dimension = s->rods->dimension;
  const real *to = q + (size_t)rod->b * (size_t)dimension;
  const real *of_b = values + (rod->a >= 0 && rod->a < rod->b ? dimension : 0);
  const real *of_a = rod->a < rod->b ? values : values + dimension;
  real d[3], size = 0;
  shk_rods_vector(d, s->rods, i, q, s->rods->fixed);
  for (int k = 0; k < dimension; k++) {
    const real coordinates = 2 * real_fabs(to[k]) + real_fabs(d[k]);
    size += coordinates * coordinates;
    if (differs_from(of_b[k], d[k], coordinates) ||
        (rod->a >= 0 && differs_from(of_a[k], -d[k], coordinates)))
      return 2;
  }
  return differs_from(g, (real_dot(d, d, dimension) - rod->square) / 2, size + rod->square) ? 1 : 0;
}

struct shk_status shk_rods_check(const struct shk_system *s, char *text, size_t size, real t,
                                 const real *q)
{
  const char *fault = s->rods ? shk_rods_fault(s) : NULL;
  snprintf(text, size, "%s", fault ? fault : "");
  if (!s->rods || fault || s->m == 0)
    return shk_ok();
  real *g = malloc(((size_t)s->m + (size_t)s->row_start[s->m]) * sizeof *g);
  if (!g)
    return shk_failure(SHK_NO_MEMORY, "not enough memory to check %g rods", s->m, 0);
  real *values = g + s->m;
  const bool ok =
      s->constraint(s->context, g, t, q) == 0 && s->jacobian(s->context, values, t, q) == 0;
  for (int i = 0; ok && i < s->m && text[0] == '\0'; i++) {
    const int found = compare_rods(s, i, g[i], values + s->row_start[i], q);
    if (found != 0)
      snprintf(text, size, "%s of constraint %d is not that of its rod",
               found == 1 ? "the value" : "the Jacobian's row", i + 1);
  }
  free(g);
  return ok ? shk_ok() : shk_failure(SHK_STOPPED, "g or its Jacobian cannot be evaluated", 0, 0);
}
