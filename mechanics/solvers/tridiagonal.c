/*
 * Newton's method for unbranched chains of rods: every point ends at most two rods, and no rods
 * close a ring. Chains may be fixed at one end, at both or at none; their rods are numbered along
 * them, one chain behind the other. With d_k along rod k where the multipliers act, e_k along the
 * new one, E_k without constraints, w the inverse masses at its ends (0: a fixed point) and s =
 * drift kick lambda,
 *
 *     e_k = E_k - u_k(s)
 *     u_k(s) = (w_k + w_(k+1)) s_k d_k - w_k s_(k-1) d_(k-1) - w_(k+1) s_(k+1) d_(k+1)
 *
 * so that g_k = ½ (|e_k|² - l_k²) is quadratic in s: a correction y changes it to g - K y + ½
 * |u(y)|², where K is tridiagonal, K_kj y_j = e_k·u_k(y). K y = g + ½ |u(y)|² is solved by
 * iteration with the factors of K, in `rough`, for the residual in `real`. Between chains w is 0,
 * and no chain sees another. What does not converge plainly is left to the general solve.
 */
#include "mechanics/algebra/inlined.h"
#include "mechanics/algebra/rough.h"
#include "mechanics/solvers/kit/direct.h"
#include "mechanics/solvers/kit/stopping.h"
#include "mechanics/solvers/special.h"
#include "mechanics/system/rods.h"

#include <math.h>
#include <string.h>

/* Systems of fewer constraints keep dense LU with pivoting; corrections before the general solve
 * takes over. */
enum { FEWEST = 9, MOST = 12 };
/* A pivot that is less of its row's diagonal has lost too many digits. */
#define LEAST_PIVOT ((rough)R(1e-6))

struct chains {
  struct shk_direct direct; /* the general solve */
  int m, dimension;
  /* Of rod k = 1 … m along the chains: its constraint; its points (-1 - f: fixed point f); where
   * the Jacobian has d_k, and with which sign; |d_k|²; and w_k + w_(k+1), w_(k+1) of the point that
   * it shares. */
  int *constraint, *from, *to, *place;
  real *sign, *square, *own, *shared;
  real *x;         /* n: the way of the points without constraints */
  real *d, *E, *e; /* vectors along the rods: d_0 and d_(m+1) are zero */
  real *s, *g;
  real *before, *diagonal, *after;                /* the rows of K */
  rough *lower, *inverse, *upper, *right, *z, *y; /* K = L D U, D⁻¹, and a solution */
};

/* ---- elimination ---- */

static bool factor(struct chains *c)
{
  rough inverse = 0, coupling = 0;
  for (int k = 1; k <= c->m; k++) {
    const rough before = (rough)c->before[k], diagonal = (rough)c->diagonal[k];
    const rough pivot = diagonal - before * coupling * inverse;
    if (!(fabs(pivot) > LEAST_PIVOT * fabs(diagonal)) || !isfinite(pivot))
      return false;
    c->lower[k] = before * inverse;
    coupling = (rough)c->after[k];
    inverse = c->inverse[k] = 1 / pivot;
    c->upper[k] = coupling * inverse;
  }
  return true;
}

/* y <- K⁻¹ right; returns the largest change, or what is not finite. */
static rough substitute(struct chains *c)
{
  rough largest = 0, z = 0, y = 0;
  for (int k = 1; k <= c->m; k++)
    c->z[k] = z = c->right[k] - c->lower[k] * z;
  for (int k = c->m; k > 0; k--) {
    y = c->z[k] * c->inverse[k] - c->upper[k] * y;
    const rough change = fabs(y - c->y[k]);
    largest = change <= largest ? largest : change;
    c->y[k] = y;
  }
  return largest + (y - y);
}

INLINED real dot(const real *a, const real *b, int dimension)
{
  const real sum = a[0] * b[0] + a[1] * b[1];
  return dimension == 2 ? sum : sum + a[2] * b[2];
}

/* The rows of K, e those along the rods at the new point. */
INLINED void assemble(struct chains *c, const real *e, int dimension)
{
  for (int k = 1; k <= c->m; k++) {
    const real *const now = e + k * dimension, *const at = c->d + k * dimension;
    c->before[k] = -c->shared[k - 1] * dot(now, at - dimension, dimension);
    c->diagonal[k] = c->own[k] * dot(now, at, dimension);
    c->after[k] = -c->shared[k] * dot(now, at + dimension, dimension);
  }
}

/* right <- g + ½ |u(y)|² */
INLINED void add_square(struct chains *c, int dimension)
{
  for (int k = 1; k <= c->m; k++) {
    const real *const d = c->d + k * dimension;
    const rough own = (rough)c->own[k] * c->y[k], before = (rough)c->shared[k - 1] * c->y[k - 1],
                after = (rough)c->shared[k] * c->y[k + 1];
    rough square = 0;
    for (int j = 0; j < dimension; j++) {
      const rough u =
          own * (rough)d[j] - before * (rough)d[j - dimension] - after * (rough)d[j + dimension];
      square += u * u;
    }
    c->right[k] = (rough)c->g[k] + square / 2;
  }
}

/* s += y, the solution of K y = g + ½ |u(y)|² to what `reached` says of g and to the digits of y.
 * False: there is none that is found fast. */
INLINED bool correct(struct chains *c, rough reached, int dimension)
{
  assemble(c, c->e, dimension);
  if (!factor(c))
    return false;
  for (int k = 0; k <= c->m + 1; k++) {
    c->y[k] = 0;
    c->right[k] = (rough)c->g[k];
  }
  const rough size = substitute(c),
              enough = size * (reached > ROUGH_EPSILON ? reached : ROUGH_EPSILON);
  for (rough before = size, change; before > enough; before = change) {
    add_square(c, dimension);
    change = substitute(c);
    if (!(change < before / 2))
      return false;
  }
  for (int k = 1; k <= c->m; k++)
    c->s[k] += (real)c->y[k];
  return isfinite(size);
}

/* ---- the position solve ---- */

static void read_rods(struct chains *c, const real *G)
{
  for (int k = 1; k <= c->m; k++)
    for (int j = 0; j < c->dimension; j++)
      c->d[k * c->dimension + j] = c->sign[k] * G[c->place[k] + j];
}

/* E and the first guess of s. */
static void begin(struct chains *c, const struct shk_position_solve *task)
{
  const struct shk_evaluator *e = c->direct.at.evaluator;
  const real *const fixed = e->system->rods->fixed;
  const int dimension = c->dimension;
  for (int i = 0; i < e->system->n; i++) {
    const real p1 = task->p[i] + ((task->dp_free ? task->dp_free[i] : 0) + task->p_carry[i]);
    c->x[i] = task->drift * shk_over_mass(e, p1, i) + task->q_carry[i];
  }
  for (int k = 1; k <= c->m; k++) {
    const int a = c->from[k] * dimension, b = c->to[k] * dimension;
    for (int j = 0; j < dimension; j++) { /* fixed points do not move */
      const real here = a < 0 ? fixed[-a - dimension + j] : task->q[a + j];
      const real there = b < 0 ? fixed[-b - dimension + j] : task->q[b + j];
      const real from = a < 0 ? 0 : c->x[a + j], to = b < 0 ? 0 : c->x[b + j];
      c->E[k * dimension + j] = (there - here) + (to - from);
    }
    c->s[k] = task->drift * task->kick * task->lambda[c->constraint[k]];
  }
}

/* e and g for the present s; returns max|g|. */
INLINED real residuals(struct chains *c, int dimension)
{
  const real *const restrict d = c->d, *const restrict E = c->E;
  real *const restrict e = c->e;
  for (int k = 1; k <= c->m; k++) {
    const real own = c->own[k] * c->s[k], before = c->shared[k - 1] * c->s[k - 1],
               after = c->shared[k] * c->s[k + 1];
    real square = 0;
    for (int j = k * dimension; j < (k + 1) * dimension; j++) {
      e[j] = E[j] - own * d[j] + (before * d[j - dimension] + after * d[j + dimension]);
      square += e[j] * e[j];
    }
    c->g[k] = (square - c->square[k]) / 2;
  }
  return real_max_norm(c->g + 1, c->m);
}

static struct shk_status position(void *self, struct shk_iteration *iteration,
                                  const struct shk_position_solve *task)
{
  struct chains *c = self;
  struct shk_evaluator *e = c->direct.at.evaluator;
  shk_begin_position(&c->direct.at, iteration, &shk_position_rule, task);
  read_rods(c, task->G_b);
  begin(c, task);
  for (int count = 0;; count++) {
    const real residual = c->dimension == 2 ? residuals(c, 2) : residuals(c, 3);
    e->work.constraint++;
    SHK_TRY(shk_iteration_next(iteration, residual));
    if (iteration->converged)
      break;
    const rough reached = (rough)(real_max(iteration->tolerance, iteration->rounding) / residual);
    if (count == MOST || !(c->dimension == 2 ? correct(c, reached, 2) : correct(c, reached, 3)))
      return shk_direct_position(&c->direct, iteration, &shk_position_rule, false, task);
    e->work.iterations++;
    e->work.factorizations++;
    e->work.jacobian++;
  }
  for (int k = 1; k <= c->m; k++)
    task->lambda[c->constraint[k]] = c->s[k] / (task->drift * task->kick);
  shk_move_points(&c->direct.at, task);
  return shk_jacobian(e, task->G1, task->t1, task->q1);
}

/* ---- the hidden solve: K s = G1 v, K = G1 M⁻¹ G1ᵀ ---- */

/* s <- K⁻¹ of the residual, to the digits of `real`: each substitution has those of `rough`. */
static void refine(struct chains *c)
{
  const real *const step = c->direct.at.residual;
  for (int k = 1; k <= c->m; k++) {
    c->g[k] = step[c->constraint[k]];
    c->s[k] = 0;
  }
  for (rough left = 1; left > (rough)REAL_EPSILON; left *= ROUGH_EPSILON) {
    for (int k = 1; k <= c->m && left < 1; k++)
      c->g[k] -= c->before[k] * (real)c->y[k - 1] + c->diagonal[k] * (real)c->y[k] +
                 c->after[k] * (real)c->y[k + 1];
    for (int k = 1; k <= c->m; k++)
      c->right[k] = (rough)c->g[k];
    substitute(c);
    for (int k = 1; k <= c->m; k++)
      c->s[k] += (real)c->y[k];
  }
}

static struct shk_status hidden(void *self, struct shk_iteration *iteration,
                                const struct shk_hidden_solve *task)
{
  struct chains *c = self;
  struct shk_evaluator *e = c->direct.at.evaluator;
  real residual, *const step = c->direct.at.residual;
  read_rods(c, task->G1);
  c->dimension == 2 ? assemble(c, c->d, 2) : assemble(c, c->d, 3);
  e->work.factorizations++;
  if (!factor(c))
    return shk_direct_hidden(&c->direct, iteration, task);
  memset(task->mu, 0, (size_t)c->m * sizeof(real));
  shk_begin_hidden(&c->direct.at, iteration, &shk_hidden_rule, task);
  for (bool first = true;; first = false) {
    SHK_TRY(shk_kick(&c->direct.at, &residual, task));
    if (first) /* the first correction is hardly ever unnecessary */
      shk_iteration_pass(iteration, residual);
    else
      SHK_TRY(shk_iteration_next(iteration, residual));
    if (iteration->converged)
      return shk_ok();
    e->work.iterations++;
    refine(c);
    for (int k = 1; k <= c->m; k++) {
      step[c->constraint[k]] = c->s[k];
      task->mu[c->constraint[k]] += c->s[k] / task->kick;
    }
    shk_jacobian_transposed_add(e, task->dp, task->G1, -1, step);
  }
}

/* ---- which chains there are ---- */

/* ends: the rods at each point, from 1; 0: none. */
static bool is_end(int (*ends)[2], int point)
{
  return point < 0 || ends[point][1] == 0;
}

/* False if a point ends more than two rods. */
static bool join(int (*ends)[2], const struct shk_system *system)
{
  for (int i = 0; i < 2 * system->m; i++) {
    const struct shk_rod *rod = &system->rods->rod[i / 2];
    const int point = i % 2 ? rod->b : rod->a;
    if (point >= 0 && ends[point][1] > 0)
      return false;
    if (point >= 0)
      ends[point][ends[point][0] > 0] = i / 2 + 1;
  }
  return true;
}

/* Appends rod i, which begins at `point`, and those that follow; returns how many there are then.
 * */
static int walk(struct chains *c, int (*ends)[2], bool *seen, int i, int point, int count)
{
  const struct shk_evaluator *e = c->direct.at.evaluator;
  for (;;) {
    const struct shk_rod *rod = &e->system->rods->rod[i];
    const int k = ++count, next = rod->a == point ? rod->b : rod->a;
    const real here = point < 0 ? 0 : 1 / e->system->mass[point * c->dimension];
    const real there = next < 0 ? 0 : 1 / e->system->mass[next * c->dimension];
    c->constraint[k] = i;
    seen[i] = true;
    c->from[k] = point;
    c->to[k] = next;
    c->place[k] = e->row_start[i + 1] - c->dimension; /* of the point with the larger number */
    c->sign[k] = next > point ? 1 : -1;
    c->square[k] = rod->square;
    c->own[k] = here + there;
    if (is_end(ends, next))
      return count;
    c->shared[k] = there;
    i = ends[next][ends[next][0] == i + 1] - 1;
    point = next;
  }
}

/* Whether all rods are those of chains. */
static bool find(struct chains *c, int (*ends)[2], bool *seen)
{
  const struct shk_system *system = c->direct.at.evaluator->system;
  int count = 0;
  for (int i = 0; i < system->m; i++) {
    const struct shk_rod *rod = &system->rods->rod[i];
    const int point = is_end(ends, rod->a) ? rod->a : rod->b;
    if (is_end(ends, point) && !seen[i])
      count = walk(c, ends, seen, i, point, count);
  }
  return count == system->m;
}

struct shk_status shk_tridiagonal_create(struct shk_solver *solver, struct shk_workspace *workspace,
                                         struct shk_evaluator *e, const struct shk_values *options)
{
  const struct shk_system *s = e->system;
  const size_t m = (size_t)s->m;
  void *self;
  if (!s->rods || s->m < FEWEST || shk_rods_fault(s))
    return shk_ok();
  int(*const ends)[2] = shk_memory(workspace, (size_t)s->n * sizeof *ends);
  bool *const seen = shk_memory(workspace, m * sizeof *seen);
  if (!ends || !seen)
    return shk_no_memory();
  if (!join(ends, s))
    return shk_ok();
  SHK_TRY(shk_direct_create(&self, sizeof(struct chains), workspace, e, options));
  struct chains *c = self;
  c->m = s->m;
  c->dimension = s->rods->dimension;
  int **const integers[] = {&c->constraint, &c->from, &c->to, &c->place};
  for (int i = 0; i < 4; i++)
    SHK_TRY(shk_integers(workspace, integers[i], m + 2));
  real **const reals[] = {&c->d,      &c->E, &c->e, &c->sign,   &c->square,   &c->own,
                          &c->shared, &c->s, &c->g, &c->before, &c->diagonal, &c->after};
  for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
    SHK_TRY(shk_reals(workspace, reals[i], (m + 2) * (i < 3 ? (size_t)c->dimension : 1)));
  SHK_TRY(shk_reals(workspace, &c->x, (size_t)s->n));
  rough **const roughs[] = {&c->lower, &c->inverse, &c->upper, &c->right, &c->z, &c->y};
  for (size_t i = 0; i < sizeof roughs / sizeof *roughs; i++)
    if (!(*roughs[i] = shk_memory(workspace, (m + 2) * sizeof(rough))))
      return shk_no_memory();
  if (find(c, ends, seen))
    *solver = (struct shk_solver){.self = c, .position = position, .hidden = hidden};
  return shk_direct_refine(&c->direct, options);
}
