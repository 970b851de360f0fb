/* Vectors in three-dimensional space, and triples of such vectors. A triple contains the three
 * points of a triatomic molecule, or the differences between its points for the pairs (0,1), (0,2)
 * and (1,2). */
#ifndef MECHANICS_ALGEBRA_SPACE_H
#define MECHANICS_ALGEBRA_SPACE_H

#include "mechanics/algebra/inlined.h"
#include <shakedown/parts/real.h>

struct vector {
  real x, y, z;
};

/* One vector per point 0, 1 and 2, or one per pair of these points. */
struct three {
  struct vector a, b, c;
};

INLINED struct vector plus(struct vector a, struct vector b)
{
  return (struct vector){a.x + b.x, a.y + b.y, a.z + b.z};
}

INLINED struct vector minus(struct vector a, struct vector b)
{
  return (struct vector){a.x - b.x, a.y - b.y, a.z - b.z};
}

INLINED struct vector negative(struct vector a)
{
  return (struct vector){-a.x, -a.y, -a.z};
}

INLINED struct vector times(real f, struct vector a)
{
  return (struct vector){f * a.x, f * a.y, f * a.z};
}

INLINED struct vector absolute(struct vector a)
{
  return (struct vector){real_fabs(a.x), real_fabs(a.y), real_fabs(a.z)};
}

INLINED real dot(struct vector a, struct vector b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

INLINED struct three plus_three(struct three a, struct three b)
{
  return (struct three){plus(a.a, b.a), plus(a.b, b.b), plus(a.c, b.c)};
}

/* Returns M⁻¹ f, given the inverse masses w. */
INLINED struct three weighted(struct vector w, struct three f)
{
  return (struct three){times(w.x, f.a), times(w.y, f.b), times(w.z, f.c)};
}

INLINED struct three size_of(struct three v)
{
  return (struct three){absolute(v.a), absolute(v.b), absolute(v.c)};
}

INLINED struct three rods(struct three r)
{
  return (struct three){minus(r.b, r.a), minus(r.c, r.a), minus(r.c, r.b)};
}

INLINED struct vector dots(struct three d, struct three e)
{
  return (struct vector){dot(d.a, e.a), dot(d.b, e.b), dot(d.c, e.c)};
}

/* Returns max(|x|, |y|, |z|), or NaN if one of them is not finite. */
INLINED real norm(struct vector v)
{
  const struct vector a = absolute(v);
  const real two = a.x > a.y ? a.x : a.y, sum = v.x + v.y + v.z;
  return (two > a.z ? two : a.z) + (sum - sum);
}

INLINED struct vector cross(struct vector a, struct vector b)
{
  return (struct vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

#endif
