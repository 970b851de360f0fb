/*
 * Ranks of the constraint Jacobian at a point and at points near it on the constraints. Equal ranks
 * mean redundant constraints, a larger one nearby a singular configuration.
 *
 * Nearby points are projected onto the constraints with all rows. Rows that are dependent on the
 * constraints are nearly dependent off them, and the projection may fail: it is then repeated with
 * the rank of the first point.
 */
#include "mechanics/diagnosis/generic_rank.h"

#include "mechanics/diagnosis/rank.h"

/* Distances of the nearby points relative to the size of (q,p), in opposite directions. If many
 * loops are singular at once, the projection converges only from close by. */
static const real distances[] = {R(1e-3), R(-1e-5)};
enum { POINTS = sizeof distances / sizeof distances[0] };
/* Limit of constraints for the second projection, which decomposes G in each iteration. */
#define MOST_TRUNCATED 64

/* Counts the singular values of at least `limit` times max(1, the largest). */
static int count_from(const struct shk_spectrum *s, real limit)
{
  const real largest = real_max(1, s->values[s->order[s->m - 1]]);
  int count = 0;
  for (int i = 0; i < s->m; i++)
    count += s->values[i] >= limit * largest;
  return count;
}

/* Counts the singular values well above round-off, that is, above its square root. */
static int surely_above(const struct shk_spectrum *s, const struct shk_system *system)
{
  return count_from(s, real_max(real_sqrt(REAL_EPSILON), shk_rank_tolerance(system)));
}

/* Finds a consistent point (q,p) nearby: a step in a generic direction, then a projection. */
static bool step_aside(struct shk_manifold *manifold, struct shk_evaluator *e, real *q, real *p,
                       int point, int rank, real t, const real *q0, const real *p0)
{
  const int n = e->system->n;
  const real size = real_max(R(0.1), real_max(real_max_norm(q0, n), real_max_norm(p0, n)));
  const real far = distances[point] * size;
  for (int pass = 0; pass < (e->system->m <= MOST_TRUNCATED ? 2 : 1); pass++) {
    for (int i = 0; i < n; i++) {
      q[i] = q0[i] + far * real_sin(R(1.7) * i + R(0.4));
      p[i] = p0[i] + far * real_cos(R(2.3) * i + R(0.9));
    }
    const int known = e->rank;
    e->rank = pass > 0 ? rank : 0;
    const struct shk_status status = shk_manifold_project(manifold, q, p, t);
    e->rank = known;
    if (status.code == SHK_OK)
      return true;
  }
  return false;
}

struct shk_status shk_generic_rank_find(struct shk_generic_rank *rank,
                                        struct shk_manifold *manifold, struct shk_evaluator *e,
                                        real t, const real *q, const real *p)
{
  const int n = e->system->n;
  struct shk_spectrum spectrum;
  real *near;
  int surely = 0, plainly = 0;
  *rank = (struct shk_generic_rank){.near = -1};
  SHK_TRY(shk_spectrum_init(&spectrum, e));
  SHK_TRY(shk_reals(e->workspace, &near, 2 * (size_t)n));
  SHK_TRY(shk_spectrum_find(&spectrum, NULL, e, t, q, p));
  rank->here = spectrum.rank;
  const bool clear = surely_above(&spectrum, e->system) == rank->here;
  for (int k = 0; k < POINTS; k++)
    if (step_aside(manifold, e, near, near + n, k, rank->here, t, q, p) &&
        shk_spectrum_find(&spectrum, NULL, e, t, near, near + n).code == SHK_OK) {
      const int above = surely_above(&spectrum, e->system);
      rank->near = spectrum.rank > rank->near ? spectrum.rank : rank->near;
      surely = above > surely ? above : surely;
      /* Projections onto degenerate constraints end within the square root of round-off of a
       * solution. Other singular values are of the order of a power of the distance. */
      const int beyond =
          count_from(&spectrum, real_sqrt(real_sqrt(REAL_EPSILON) * real_fabs(distances[k])));
      plainly = beyond > plainly ? beyond : plainly;
    }
  rank->degenerate = rank->near > rank->here && plainly <= rank->here;
  rank->sure = clear && (surely > rank->here || rank->near == rank->here);
  return shk_ok();
}
