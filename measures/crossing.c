/* Finds the roots of the signed singular value within a step. See crossing.h. */
#include "measures/crossing.h"

#include "mechanics/algebra/jacobi.h"

#include <string.h>

/* A root counts as a near miss if the singular value there exceeds this fraction of the larger of
 * the two values at the ends. */
#define PASSED R(0.001)
/* Maximum number of points in a search. After the first ten points, the bracket is at least halved
 * every second time. */
#define BISECTIONS 250

struct shk_crossings {
  struct shk_evaluator *evaluator;
  int m, n, width;
  struct shk_spectrum inner;
  real *q;       /* a point on the polynomial (n numbers) */
  real *turned;  /* m x width: U_0 U_1ᵀ U_1 B_1 */
  real *overlap; /* m x m: (U_0 U_1ᵀ U_1 B_1)(U_0 B_0)ᵀ */
  real *signs;   /* m x m: the symmetric part of `overlap`, then its eigenvalues */
  real *vectors; /* m x m: its eigenvectors */
  /* m numbers each: the direction at the first end, and the projection of this direction at a point
   * in the search */
  real *u, *u_now;
  real *v, *v_now; /* `width` numbers each: Bᵀu at the first end, scaled to length 1, and Bᵀu_now */
};

struct shk_status shk_crossings_create(struct shk_crossings **created, struct shk_evaluator *e)
{
  const size_t m = (size_t)e->system->m, n = (size_t)e->system->n;
  const size_t width = (size_t)shk_rank_width(e->system);
  struct shk_crossings *crossings = *created = shk_memory(e->workspace, sizeof *crossings);
  SHK_TRY(shk_allocated(crossings));
  *crossings =
      (struct shk_crossings){.evaluator = e, .m = (int)m, .n = (int)n, .width = (int)width};
  const size_t sizes[] = {n, m * width, m * m, m * m, m * m, m, m, width, width};
  real **const places[] = {&crossings->q,     &crossings->turned,  &crossings->overlap,
                           &crossings->signs, &crossings->vectors, &crossings->u,
                           &crossings->u_now, &crossings->v,       &crossings->v_now};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    SHK_TRY(shk_reals(e->workspace, places[i], sizes[i]));
  return shk_spectrum_init(&crossings->inner, e);
}

void shk_crossings_hermite(real *q, const struct shk_path_point *from,
                           const struct shk_path_point *to, int n, real t)
{
  const real h = to->t - from->t, s = (t - from->t) / h;
  for (int i = 0; i < n; i++) {
    const real d = to->q[i] - from->q[i], v0 = h * from->v[i], v1 = h * to->v[i];
    const real a0 = h * h * from->a[i] / 2, a1 = h * h * to->a[i] / 2;
    const real c3 = 10 * d - 6 * v0 - 4 * v1 - 3 * a0 + a1;
    const real c4 = -15 * d + 8 * v0 + 7 * v1 + 3 * a0 - 2 * a1;
    const real c5 = 6 * d - 3 * v0 - 3 * v1 - a0 + a1;
    q[i] = from->q[i] + s * (v0 + s * (a0 + s * (c3 + s * (c4 + s * c5))));
  }
}

/* Returns the Frobenius norm of B_1 - B_0. */
static real moved_crossing(const struct shk_crossings *crossings, const struct shk_spectrum *a,
                           const struct shk_spectrum *b)
{
  real sum = 0;
  for (size_t i = 0; i < (size_t)crossings->m * (size_t)crossings->width; i++)
    sum += (b->rows[i] - a->rows[i]) * (b->rows[i] - a->rows[i]);
  return real_sqrt(sum);
}

/* Returns the position of the index-th smallest (counting from 0) of the `rank` values that are not
 * always zero. */
static int small_of(const struct shk_spectrum *s, int rank, int index)
{
  return s->order[s->m - rank + index];
}

/* Computes the symmetric part of (U_0 U_1ᵀ U_1 B_1)(U_0 B_0)ᵀ and stores it in crossings->signs.
 * The rows of U_0 and U_1 are the left vectors of the k smallest singular values at a and b,
 * respectively. */
static void compare_crossing(struct shk_crossings *crossings, const struct shk_spectrum *a,
                             const struct shk_spectrum *b, int rank, int k)
{
  const int m = crossings->m, width = crossings->width;
  memset(crossings->turned, 0, (size_t)k * width * sizeof(real));
  for (int i = 0; i < k; i++)
    for (int j = 0; j < k; j++) {
      const int from = small_of(a, rank, i), to = small_of(b, rank, j);
      const real overlap = real_dot(a->left + (size_t)from * m, b->left + (size_t)to * m, m);
      for (int c = 0; c < width; c++)
        crossings->turned[(size_t)i * width + c] += overlap * b->products[(size_t)to * width + c];
    }
  for (int i = 0; i < k; i++)
    for (int j = 0; j < k; j++)
      crossings->overlap[i * k + j] =
          real_dot(crossings->turned + (size_t)i * width,
                   a->products + (size_t)small_of(a, rank, j) * width, width);
  for (int i = 0; i < k; i++)
    for (int j = 0; j < k; j++)
      crossings->signs[i * k + j] =
          (crossings->overlap[i * k + j] + crossings->overlap[j * k + i]) / 2;
}

/* Adds `part` times the left vector at index `at` to u, and `part` times the product of Bᵀ and this
 * vector to v. */
static void add_part(const struct shk_crossings *crossings, real *u, real *v,
                     const struct shk_spectrum *s, int at, real part)
{
  for (int j = 0; j < crossings->m; j++)
    u[j] += part * s->left[(size_t)at * crossings->m + j];
  for (int c = 0; c < crossings->width; c++)
    v[c] += part * s->products[(size_t)at * crossings->width + c];
}

/* Returns the signed value vᵀBᵀu_now / |u_now| for the spectrum s of B. Stores |Bᵀu_now| / |u_now|,
 * the size before projection onto v, in *size. */
static real signed_value(struct shk_crossings *crossings, real *size, const struct shk_spectrum *s,
                         int rank, int k)
{
  const int m = crossings->m, width = crossings->width;
  memset(crossings->u_now, 0, (size_t)m * sizeof(real));
  memset(crossings->v_now, 0, (size_t)width * sizeof(real));
  /* projects u onto the span of the left vectors of the k smallest singular values */
  for (int i = 0; i < k; i++) {
    const int at = small_of(s, rank, i);
    add_part(crossings, crossings->u_now, crossings->v_now, s, at,
             real_dot(crossings->u, s->left + (size_t)at * m, m));
  }
  const real length = real_sqrt(real_dot(crossings->u_now, crossings->u_now, m));
  const real along = real_dot(crossings->v_now, crossings->v, width) / length;
  *size = real_sqrt(real_dot(crossings->v_now, crossings->v_now, width)) / length;
  return along;
}

/* Finds the root with the Illinois variant of regula falsi, adding a bisection whenever this does
 * not halve the bracket. If the sign does not change, the result is a near miss in the middle of
 * the step. */
static struct shk_status find_root(struct shk_crossings *crossings, struct shk_crossing *found,
                                   const struct shk_path_point *from,
                                   const struct shk_path_point *to, int rank, int k)
{
  real low = from->t, high = to->t, size_low, size_high;
  real f_low = signed_value(crossings, &size_low, from->spectrum, rank, k);
  real f_high = signed_value(crossings, &size_high, to->spectrum, rank, k);
  const real ends = real_max(size_low, size_high);
  *found = (struct shk_crossing){.t = (low + high) / 2, .residual = ends};
  if (!(f_low > 0 && f_high < 0))
    return shk_ok();
  /* the side of the last point; the value at the other end is halved after two successive points on
   * the same side */
  int side = 0;
  bool bisect = false;
  for (int pass = 0; pass < BISECTIONS; pass++) {
    const real chord = (low * f_high - high * f_low) / (f_high - f_low);
    const bool within = (chord - low) * (chord - high) < 0;
    const real t = within && !bisect ? chord : (low + high) / 2, before = real_fabs(high - low);
    shk_crossings_hermite(crossings->q, from, to, crossings->n, t);
    SHK_TRY(shk_spectrum_find(&crossings->inner, pass == 0 ? from->spectrum : &crossings->inner,
                              crossings->evaluator, t, crossings->q, NULL));
    const real f = signed_value(crossings, &found->residual, &crossings->inner, rank, k);
    found->t = t;
    if (f == 0)
      break;
    if (f > 0) {
      low = t;
      f_low = f;
      f_high = side > 0 ? f_high / 2 : f_high;
    } else {
      high = t;
      f_high = f;
      f_low = side < 0 ? f_low / 2 : f_low;
    }
    side = f > 0 ? 1 : -1;
    if (real_fabs(high - low) <= 2 * REAL_EPSILON * real_max(real_fabs(low), real_fabs(high)))
      break;
    bisect = !bisect && pass > 8 && real_fabs(high - low) > before / 2;
  }
  found->crossed = found->residual <= PASSED * ends;
  return shk_ok();
}

struct shk_status shk_crossings_find(struct shk_crossings *crossings, struct shk_crossing *found,
                                     int *count, int limit, const struct shk_path_point *from,
                                     const struct shk_path_point *to, int rank)
{
  const struct shk_spectrum *a = from->spectrum, *b = to->spectrum;
  *count = 0;
  /* By Weyl's inequality, no singular value changes by more than the length of the path of B. The
   * factor 2 allows for the curvature of the path, which makes the path longer than the straight
   * line between its ends. Because the smallest values come first, most steps stop here. */
  const real bound = rank > 0 ? 2 * moved_crossing(crossings, a, b) : 0;
  int k = 0;
  while (k < rank && a->values[small_of(a, rank, k)] + b->values[small_of(b, rank, k)] <= bound)
    k++;
  if (k == 0)
    return shk_ok();
  compare_crossing(crossings, a, b, rank, k);
  shk_eigen_symmetric(crossings->signs, crossings->vectors, k);
  for (int e = 0; e < k && *count < limit; e++) {
    if (!(crossings->signs[e * k + e] < 0))
      continue;
    memset(crossings->u, 0, (size_t)crossings->m * sizeof(real));
    memset(crossings->v, 0, (size_t)crossings->width * sizeof(real));
    for (int i = 0; i < k; i++)
      add_part(crossings, crossings->u, crossings->v, a, small_of(a, rank, i),
               crossings->vectors[e * k + i]);
    const real length = real_sqrt(real_dot(crossings->v, crossings->v, crossings->width));
    for (int c = 0; c < crossings->width; c++)
      crossings->v[c] /= length;
    struct shk_crossing crossing;
    SHK_TRY(find_root(crossings, &crossing, from, to, rank, k));
    int at = (*count)++;
    const real forward = to->t - from->t;
    for (; at > 0 && (found[at - 1].t - crossing.t) * forward > 0; at--)
      found[at] = found[at - 1];
    found[at] = crossing;
  }
  return shk_ok();
}
