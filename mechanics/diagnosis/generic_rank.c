/*
 * Determines the rank of the constraint Jacobian at a point and at nearby points on the
 * constraints. If all of these ranks are equal but smaller than the number of rows, some
 * constraints are redundant. If the rank is larger nearby, the point is a singular configuration.
 *
 * Nearby points are first projected onto the constraints using all rows. Because rows that are
 * dependent at consistent points are nearly dependent at other points, this projection may fail. In
 * that case, it is repeated with the rank found at the first point.
 */
#include "mechanics/diagnosis/generic_rank.h"

#include "mechanics/diagnosis/rank.h"
#include "mechanics/system/manifold.h"
#include <shakedown/bind.h>

/* Distances to the nearby points, relative to the sizes of q and p. The two points are in opposite
 * directions. If many loops are singular simultaneously, the projection converges only from a small
 * distance. */
static const real distances[] = {R(1e-3), R(-1e-5)};
enum { POINTS = sizeof distances / sizeof distances[0] };
/* Largest number of constraints for which the second projection is used. This projection decomposes
 * G in each iteration. For more constraints, the first projection uses a fixed basis of the
 * dependent rows. The basis is found by QR, because singular values take ten times as long. */
#define MOST_TRUNCATED 64

/* Counts the singular values that are at least `limit` times max(1, largest singular value). */
static int count_from(const struct shk_spectrum *s, real limit)
{
  const real largest = real_max(1, s->values[s->order[s->m - 1]]);
  int count = 0;
  for (int i = 0; i < s->m; i++)
    count += s->values[i] >= limit * largest;
  return count;
}

/* Counts the singular values that are well above round-off, which means above its square root. */
static int surely_above(const struct shk_spectrum *s, const struct shk_system *system)
{
  return count_from(s, real_max(real_sqrt(REAL_EPSILON), shk_rank_tolerance(system)));
}

/* Sets (q,p) to a point that is displaced from (q0,p0) in a generic direction. */
static void aside_generic_rank(const struct shk_floors *f, real *q, real *p, int point,
                               const real *q0, const real *p0)
{
  const real far = distances[point];
  for (int i = 0, n = f->evaluator->system->n; i < n; i++) {
    q[i] = q0[i] + far * shk_floors_unit(f->q[i]) * real_sin(R(1.7) * i + R(0.4));
    p[i] = p0[i] + far * shk_floors_unit(f->p[i]) * real_cos(R(2.3) * i + R(0.9));
  }
}

/* Finds a nearby consistent point (q,p) by moving in a generic direction and then projecting. */
static bool step_aside(struct shk_manifold *manifold, const struct shk_floors *f, real *q, real *p,
                       int point, int rank, real t, const real *q0, const real *p0)
{
  struct shk_evaluator *const e = f->evaluator;
  for (int pass = 0; pass < (e->system->m <= MOST_TRUNCATED ? 2 : 1); pass++) {
    aside_generic_rank(f, q, p, point, q0, p0);
    const int known = e->rank;
    e->rank = pass > 0 ? rank : 0;
    const struct shk_status status = shk_manifold_project(manifold, q, p, t);
    e->rank = known;
    if (status.code == SHK_OK)
      return true;
  }
  return false;
}

/* Stores the lengths that the rows of B have at a point before they are scaled to 1. */
static struct shk_status row_lengths(real *lengths, const struct shk_spectrum *s,
                                     struct shk_evaluator *e, real t, const real *q, const real *p)
{
  SHK_TRY(shk_rank_rows(s->rows, lengths, false, s->scratch, e, t, q, p));
  for (int i = 0; i < s->m; i++)
    if (real_max_norm(s->rows + (size_t)i * s->width, s->width) == 0)
      lengths[i] = 0;
  return shk_ok();
}

/* Returns the index, counted from 1, of a row whose gradient vanishes both at (q,p) and at a nearby
 * point after projection onto the constraints, or 0 if there is no such row. At a crossing, the
 * gradient vanishes at (q,p) only; nearby, it is as long on the constraints as off them. `point`
 * has room for q and p, and `lengths` has room for the lengths of all rows at three points. */
static int find_vanishing(struct shk_manifold *manifold, const struct shk_floors *f,
                          const struct shk_spectrum *s, real *point, real *lengths, real t,
                          const real *q, const real *p)
{
  struct shk_evaluator *const e = f->evaluator;
  const int n = e->system->n, m = s->m;
  /* half of the digits, because the projection cannot find a double root more accurately */
  const real small = real_sqrt(real_sqrt(REAL_EPSILON));
  real *const here = lengths, *const off = lengths + m, *const on = lengths + 2 * (size_t)m;
  if ((e->system->features & SHK_GENERAL_DAE) || row_lengths(here, s, e, t, q, p).code != SHK_OK)
    return 0;
  aside_generic_rank(f, point, point + n, 0, q, p);
  if (row_lengths(off, s, e, t, point, point + n).code != SHK_OK)
    return 0;
  /* Even if the projection fails, it moves the point closer to the constraints. */
  shk_manifold_project(manifold, point, point + n, t);
  if (row_lengths(on, s, e, t, point, point + n).code != SHK_OK)
    return 0;
  for (int i = 0; i < m; i++)
    if (off[i] > 0 && here[i] <= small * off[i] && on[i] <= small * off[i])
      return i + 1;
  return 0;
}

/* Replaces the manifold with one that uses a fixed basis of the rows. */
static struct shk_status keep_basis(struct shk_manifold **manifold, struct shk_evaluator *e)
{
  SHK_TRY(shk_bind_manifold(manifold,
                            &(struct shk_binding){.workspace = e->workspace, .evaluator = e}));
  return shk_manifold_keep_rows(*manifold);
}

struct shk_status shk_generic_rank_find(struct shk_generic_rank *rank,
                                        struct shk_manifold *manifold, const struct shk_floors *f,
                                        real t, const real *q, const real *p)
{
  struct shk_evaluator *const e = f->evaluator;
  const int n = e->system->n;
  struct shk_spectrum spectrum;
  real *near, *lengths;
  int surely = 0, plainly = 0;
  *rank = (struct shk_generic_rank){.near = -1};
  SHK_TRY(shk_spectrum_init(&spectrum, e));
  SHK_TRY(shk_reals(e->workspace, &near, 2 * (size_t)n));
  SHK_TRY(shk_reals(e->workspace, &lengths, 3 * (size_t)e->system->m));
  SHK_TRY(shk_spectrum_find(&spectrum, NULL, e, t, q, p));
  rank->here = spectrum.rank;
  const bool clear = surely_above(&spectrum, e->system) == rank->here;
  if (rank->here < spectrum.m && spectrum.m > MOST_TRUNCATED)
    SHK_TRY(keep_basis(&manifold, e));
  for (int k = 0; k < POINTS; k++)
    if (step_aside(manifold, f, near, near + n, k, rank->here, t, q, p) &&
        shk_spectrum_find(&spectrum, NULL, e, t, near, near + n).code == SHK_OK) {
      const int above = surely_above(&spectrum, e->system);
      rank->near = spectrum.rank > rank->near ? spectrum.rank : rank->near;
      surely = above > surely ? above : surely;
      /* A projection onto degenerate constraints ends within a distance of √(round-off) from a
       * solution. All other singular values scale with some power of the distance to the nearby
       * point. */
      const int beyond =
          count_from(&spectrum, real_sqrt(real_sqrt(REAL_EPSILON) * real_fabs(distances[k])));
      plainly = beyond > plainly ? beyond : plainly;
    }
  rank->vanishing = find_vanishing(manifold, f, &spectrum, near, lengths, t, q, p);
  rank->degenerate = rank->vanishing > 0 || (rank->near > rank->here && plainly <= rank->here);
  rank->sure = clear && (surely > rank->here || rank->near == rank->here);
  return shk_ok();
}
