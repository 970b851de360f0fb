/*
 * solver=tridiagonal, for unbranched chains of bonds without rings, in which every point is an end
 * of at most two bonds. Chains may be fixed at one end, at both ends, or not at all. The
 * constraints are numbered along the chains. Let d_k be the vector of bond k at the position where
 * the multipliers act, e_k its new vector, E_k its unconstrained vector, and s = drift kick lambda.
 * Then
 *
 *     e_k = E_k - u_k(s)
 *     u_k(s) = W_k s_k d_k + w_(k-1) s_(k-1) d_(k-1) + w_k s_(k+1) d_(k+1).
 *
 * Thus g_k = ½ (|e_k|² - l_k²) is quadratic in s. A correction y changes g to g - K y + ½ |u(y)|²
 * with a tridiagonal matrix K, where K_kj y_j = e_k·u_k(y). The equation K y = g + ½ |u(y)|² is
 * solved iteratively with factors of K in `rough` and residuals in `real`. If this iteration does
 * not contract, the Newton correction K y = g is used instead.
 */
#include "mechanics/algebra/inlined.h"
#include "mechanics/algebra/iteration.h"
#include "mechanics/algebra/pivots.h"
#include "mechanics/algebra/rough.h"
#include "mechanics/binding/binding.h"
#include "mechanics/solvers/kit/residuals.h"
#include "mechanics/solvers/kit/solvers.h"
#include "mechanics/solvers/kit/stopping.h"
#include "mechanics/system/rods.h"

#include <math.h>

enum { ROUGHS = 10 };
/* A pivot smaller than this fraction of its row's diagonal entry is round-off. */
#define LEAST_PIVOT (SHK_PIVOT_ROUNDING * ROUGH_EPSILON)

/* Declares arrays as non-overlapping, so that loops can be vectorized. */
typedef const real *restrict in;
typedef real *restrict out;

struct chains {
  struct shk_residuals at;
  int m, dimension;
  /* index of d_k in the Jacobian; in the members below, bonds are numbered 1 … m */
  int *place;
  /* stored coordinate by coordinate so that loops can be vectorized; d_0 and d_(m+1) are zero */
  real *d[3], *E[3], *e[3];
  real *s, *g, *minus_square, *own, *shared; /* -l_k², W_k, w_k */
  /* rows of K or, when residuals are computed, the factors of d in u(s) */
  real *before, *diagonal, *after;
  /* These ROUGHS arrays contain K's factors, the right-hand side, the solution, and copies of d, W
   * and w. The factorization proceeds from both ends towards the middle, so that two divisions are
   * in progress at any time. */
  rough *from, *inverse, *to, *right, *y, *W, *w, *along[3];
};

static const struct shk_array arrays[] = SHK_LIST(
    SHK_INTEGERS(chains, place, .m = 1, .ones = 3),
    SHK_ARRAYS(chains, (.m = 1, .ones = 3), d[0], d[1], d[2], E[0], E[1], E[2], e[0], e[1], e[2]),
    SHK_ARRAYS(chains, (.m = 1, .ones = 3), s, g, minus_square, own, shared, before, diagonal,
               after));

/* ---- elimination ---- */

/* Eliminates row k. On entry, *inverse is 1/pivot of the neighbouring row on the side of the
 * chain's end, and *coupling is that row's entry for k. On return, both values belong to row k. */
INLINED bool eliminate_tridiagonal(struct chains *c, int k, rough *coupling, rough *inverse,
                                   bool forwards)
{
  const rough from = (rough)(forwards ? c->before : c->after)[k];
  const rough to = (rough)(forwards ? c->after : c->before)[k];
  const rough diagonal = (rough)c->diagonal[k], pivot = diagonal - from * *coupling * *inverse;
  c->from[k] = from * *inverse;
  *coupling = to;
  *inverse = c->inverse[k] = 1 / pivot;
  c->to[k] = to * *inverse;
  return fabs(pivot) > LEAST_PIVOT * fabs(diagonal) && isfinite(pivot);
}

static bool factor(struct chains *c)
{
  const int half = c->m / 2 + 1; /* where the two halves meet, for m rounded up to an odd number */
  rough front = 0, back = 0, to_front = 0, to_back = 0;
  for (int i = 1, j = c->m | 1; i < half; i++, j--)
    if (!eliminate_tridiagonal(c, i, &to_front, &front, true) ||
        !eliminate_tridiagonal(c, j, &to_back, &back, false))
      return false;
  const rough diagonal = (rough)c->diagonal[half];
  c->from[half] = (rough)c->before[half] * front;
  c->to[half] = (rough)c->after[half] * back;
  const rough pivot = diagonal - c->from[half] * to_front - c->to[half] * to_back;
  c->inverse[half] = 1 / pivot;
  return fabs(pivot) > LEAST_PIVOT * fabs(diagonal) && isfinite(pivot);
}

/* Stores row k of a solution and returns it. Updates *largest, the largest change so far. */
INLINED rough take_tridiagonal(struct chains *c, int k, rough y, rough *largest)
{
  const rough change = fabs(y - c->y[k]);
  *largest = change <= *largest ? *largest : change;
  return c->y[k] = y;
}

/* y <- K⁻¹ right. Returns the largest change, which is not finite if the solution is not finite. */
static rough substitute_tridiagonal(struct chains *c)
{
  const int half = c->m / 2 + 1;
  rough largest = 0, front = 0, back = 0;
  for (int i = 1, j = c->m | 1; i < half; i++, j--) {
    c->right[i] = front = c->right[i] - c->from[i] * front;
    c->right[j] = back = c->right[j] - c->from[j] * back;
  }
  front = c->right[half] - c->from[half] * front - c->to[half] * back;
  front = back = take_tridiagonal(c, half, front * c->inverse[half], &largest);
  for (int i = half - 1, j = half + 1; i > 0; i--, j++) {
    front = take_tridiagonal(c, i, c->right[i] * c->inverse[i] - c->to[i] * front, &largest);
    back = take_tridiagonal(c, j, c->right[j] * c->inverse[j] - c->to[j] * back, &largest);
  }
  return largest + (front - front) + (back - back);
}

SHK_CLONES static void add_products(out sum, in e, in d, int m)
{
  for (int k = 1; k <= m; k++)
    sum[k] += e[k] * d[k];
}

/* Computes K and its factors from e, the bond vectors at the new point. K is symmetric if e is
 * d. */
static bool factor_at(struct chains *c, real *const *e)
{
  real *const before = c->before, *const diagonal = c->diagonal, *const after = c->after;
  const int m = c->m;
  for (int k = 1; k <= m; k++)
    before[k] = diagonal[k] = after[k] = 0;
  for (int j = 0; j < c->dimension; j++) {
    add_products(diagonal, e[j], c->d[j], m);
    add_products(after, e[j], c->d[j] + 1, m);
    if (e != c->d)
      add_products(before, e[j], c->d[j] - 1, m);
  }
  for (int k = 1; k <= m; k++) {
    diagonal[k] *= c->own[k];
    after[k] *= c->shared[k];
    before[k] = e == c->d ? after[k - 1] : before[k] * c->shared[k - 1];
  }
  return factor(c);
}

/* Adds the contribution of one coordinate to |u(y)|². */
SHK_CLONES static void add_square(rough *restrict square, const rough *restrict y,
                                  const rough *restrict d, const rough *restrict W,
                                  const rough *restrict w, int m)
{
  for (int k = 1; k <= m; k++) {
    const rough u =
        W[k] * y[k] * d[k] + w[k - 1] * y[k - 1] * d[k - 1] + w[k] * y[k + 1] * d[k + 1];
    square[k] += u * u;
  }
}

/* right <- g + ½ |u(y)|² */
static void quadratic_residual(struct chains *c)
{
  memset(c->right, 0, ((size_t)c->m + 1) * sizeof(rough));
  for (int j = 0; j < c->dimension; j++)
    add_square(c->right, c->y, c->along[j], c->W, c->w, c->m);
  for (int k = 1; k <= c->m; k++)
    c->right[k] = (rough)c->g[k] + c->right[k] / 2;
}

/* y <- K⁻¹ g. Returns the largest entry. */
static rough solve_tridiagonal(struct chains *c)
{
  for (int k = 1; k <= c->m; k++) {
    c->y[k] = 0;
    c->right[k] = (rough)c->g[k];
  }
  return substitute_tridiagonal(c);
}

/* Adds the solution y of K y = g + ½ |u(y)|² to s. The solution is as accurate as the digits of y
 * and `reached`, the accuracy of g, permit. If the iteration does not contract, adds the Newton
 * correction instead. */
static struct shk_status correct_tridiagonal(struct chains *c, rough reached)
{
  if (!factor_at(c, c->e))
    return shk_failure(SHK_SINGULAR, SHK_SINGULAR_MATRIX, 0, 0);
  const rough size = solve_tridiagonal(c), enough = size * fmax(reached, ROUGH_EPSILON);
  for (rough before = size, left = size, change; left > enough; before = change) {
    quadratic_residual(c);
    change = substitute_tridiagonal(c);
    if (!(change < before / 2)) {
      solve_tridiagonal(c);
      break;
    }
    left = 30 * change * (change / before); /* an estimate of the next change */
  }
  for (int k = 1; k <= c->m; k++)
    c->s[k] += (real)c->y[k];
  return shk_ok();
}

/* ---- the position solve ---- */

/* Stores the bond vectors, which are read from a Jacobian, in d and in `along`. */
static void read_rods(struct chains *c, const real *G)
{
  for (int j = 0; j < c->dimension; j++)
    for (int k = 1; k <= c->m; k++)
      c->along[j][k] = (rough)(c->d[j][k] = G[c->place[k] + j]);
}

/* E <- the unconstrained bond vectors. */
static void begin_tridiagonal(struct chains *c, const struct shk_kick *kick)
{
  static const real nothing[3] = {0};
  const struct shk_evaluator *e = c->at.evaluator;
  const struct shk_rods *const rods = e->system->rods;
  const int dimension = rods->dimension;
  const real *const x = kick->to->q_carry; /* unconstrained displacement of the points */
  shk_unconstrained_momenta(e, kick);
  shk_drift_points(e, kick);
  for (int k = 1; k <= c->m; k++) {
    const int a = rods->rod[k - 1].a * dimension, b = rods->rod[k - 1].b * dimension;
    const real *const here = a < 0 ? rods->fixed - a - dimension : kick->from->q + a;
    const real *const from = a < 0 ? nothing : x + a, *const there = kick->from->q + b;
    for (int j = 0; j < dimension; j++)
      c->E[j][k] = (there[j] - here[j]) + (x[b + j] - from[j]);
  }
}

/* Computes one coordinate of every e_k and its contribution to |e_k|². */
SHK_CLONES static void move_tridiagonal(out e, out square, in E, in d, in last, in same, in next,
                                        int m)
{
  for (int k = 1; k <= m; k++) {
    e[k] = E[k] - same[k] * d[k] - (last[k] * d[k - 1] + next[k] * d[k + 1]);
    square[k] += e[k] * e[k];
  }
}

/* Computes e and g for the current s. Returns the largest residual. */
static real chain_residuals(struct chains *c)
{
  const out last = c->before, same = c->diagonal, next = c->after;
  const in own = c->own, shared = c->shared, s = c->s;
  for (int k = 1, m = c->m; k <= m; k++) {
    last[k] = shared[k - 1] * s[k - 1];
    same[k] = own[k] * s[k];
    next[k] = shared[k] * s[k + 1];
  }
  shk_copy(c->g, c->minus_square, c->m + 1);
  for (int j = 0; j < c->dimension; j++)
    move_tridiagonal(c->e[j], c->g, c->E[j], c->d[j], last, same, next, c->m);
  for (int k = 1; k <= c->m; k++)
    c->g[k] /= 2;
  return shk_residual_size(&c->at, c->g + 1);
}

static struct shk_status position(void *self, struct shk_iteration *iteration,
                                  const struct shk_kick *kick)
{
  struct chains *c = self;
  struct shk_evaluator *e = c->at.evaluator;
  const real factor = kick->drift * kick->by;
  shk_begin_position(&c->at, iteration, &shk_position_rule, kick);
  read_rods(c, kick->along);
  begin_tridiagonal(c, kick);
  shk_vector_scaled(c->s + 1, factor, kick->multiplier, c->m);
  for (;;) {
    const real residual = chain_residuals(c);
    e->counters.constraint++;
    SHK_TRY(shk_iteration_next(iteration, residual));
    if (iteration->converged)
      break;
    SHK_TRY(correct_tridiagonal(
        c, (rough)(real_max(iteration->tolerance, iteration->rounding) / residual)));
    e->counters.iterations++;
    e->counters.factorizations++;
    e->counters.jacobian++;
  }
  for (int k = 1; k <= c->m; k++)
    kick->multiplier[k - 1] = c->s[k] / factor;
  shk_jacobian_transposed_add(e, kick->dp, kick->along, -kick->by, kick->multiplier);
  shk_drift_points(e, kick);
  return shk_ok();
}

/* ---- the hidden solve: K s = G1 v, K = G1 M⁻¹ G1ᵀ ---- */

/* s <- K⁻¹ residual, to the full accuracy of `real`. Each substitution gains the digits of
 * `rough`. */
static void refine_tridiagonal(struct chains *c)
{
  real *const y = c->e[0];
  shk_copy(c->g + 1, c->at.residual, c->m);
  shk_fill(c->s + 1, 0, c->m);
  for (rough left = ROUGH_EPSILON;; left *= ROUGH_EPSILON) {
    solve_tridiagonal(c);
    for (int k = 1; k <= c->m; k++)
      c->s[k] += y[k] = (real)c->y[k];
    if (left <= (rough)REAL_EPSILON)
      return;
    for (int k = 1; k <= c->m; k++)
      c->g[k] -= c->before[k] * y[k - 1] + c->diagonal[k] * y[k] + c->after[k] * y[k + 1];
  }
}

static struct shk_status hidden(void *self, struct shk_iteration *iteration,
                                const struct shk_kick *kick)
{
  struct chains *c = self;
  struct shk_evaluator *e = c->at.evaluator;
  real residual;
  read_rods(c, kick->along);
  e->counters.factorizations++;
  shk_begin_hidden(&c->at, iteration, &shk_hidden_rule, kick);
  if (!factor_at(c, c->d))
    return shk_failure(SHK_SINGULAR, SHK_SINGULAR_MATRIX, 0, 0);
  SHK_TRY(shk_residuals_hidden(&c->at, &residual, kick));
  shk_iteration_note(iteration, residual); /* the first correction is nearly always needed */
  iteration->before = iteration->least = residual;
  iteration->count++;
  while (!iteration->converged) {
    e->counters.iterations++;
    refine_tridiagonal(c);
    for (int k = 1; k <= c->m; k++)
      kick->multiplier[k - 1] += c->s[k] / kick->by;
    shk_jacobian_transposed_add(e, kick->dp, kick->along, -1, c->s + 1);
    SHK_TRY(shk_residuals_hidden(&c->at, &residual, kick));
    SHK_TRY(shk_iteration_next(iteration, residual));
  }
  return shk_ok();
}

/* ---- detection of chains ---- */

/* Returns true if each point is shared by at most two bonds and bonds that share a point are
 * consecutive. Stores the data of the bonds in c unless it is NULL. W_k is the sum of the inverse
 * masses of bond k's points (0 for a fixed point). w_k is the inverse mass of the point that bonds
 * k and k + 1 share. It is negative if one bond ends there and the other begins, positive if both
 * end or both begin, and 0 between chains. `last` must contain a zero for each point on entry. */
static bool find_tridiagonal(struct chains *c, const struct shk_evaluator *e, int *last)
{
  const struct shk_system *s = e->system;
  for (int i = 0; i < 2 * s->m; i++) {
    const struct shk_rod *const rod = s->rods->rod + i / 2;
    const int p = i % 2 ? rod->b : rod->a, k = i / 2 + 1, before = p < 0 ? 0 : last[p];
    if (before != 0 && before != k - 1)
      return false;
    if (p >= 0)
      last[p] = before == 0 ? k : -1;
    if (!c)
      continue;
    const real w = p < 0 ? 0 : 1 / s->mass[p * c->dimension];
    c->place[k] = rod->b > rod->a ? e->row_start[k] - c->dimension : e->row_start[k - 1];
    c->minus_square[k] = -rod->square;
    c->own[k] += w;
    if (before != 0)
      c->shared[before] += (rod[-1].b == p) == (rod->b == p) ? w : -w;
  }
  return true;
}

struct shk_status shk_tridiagonal_solver_create(struct shk_solver *solver,
                                                const struct shk_binding *b)
{
  static const char chains[] = "solver=tridiagonal is for unbranched chains of rods without rings, "
                               "with the constraints numbered along them";
  struct shk_evaluator *e = b->evaluator;
  const struct shk_system *s = e->system;
  int *last;
  SHK_TRY(shk_rods_needed(s, chains));
  SHK_TRY(shk_integers(b->workspace, &last, 2 * (size_t)s->n));
  if (!find_tridiagonal(NULL, e, last)) {
    shk_give_back(last);
    return shk_refused(chains);
  }
  struct chains *c = shk_memory(b->workspace, sizeof *c);
  *solver = (struct shk_solver){c, position, hidden};
  SHK_TRY(shk_allocated(c));
  SHK_TRY(shk_residuals_init(&c->at, b));
  c->m = s->m;
  c->dimension = s->rods->dimension;
  SHK_TRY(shk_create_arrays(c, arrays, e, b->workspace));
  rough **const roughs = &c->from;
  const size_t bytes = ((size_t)s->m + 3) * sizeof(rough);
  for (int i = 0; i < ROUGHS; i++)
    SHK_TRY(shk_allocated(roughs[i] = shk_memory(b->workspace, bytes)));
  /* row m + 1 is the equation y = 0, which is used if the number of bonds is even */
  c->diagonal[s->m | 1] = 1;
  find_tridiagonal(c, e, last + s->n);
  shk_give_back(last);
  for (int k = 1; k <= c->m; k++) {
    c->W[k] = (rough)c->own[k];
    c->w[k] = (rough)c->shared[k];
  }
  return shk_ok();
}
