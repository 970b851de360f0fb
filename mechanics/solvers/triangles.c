/*
 * Newton's method for rigid molecules of three points in space (water): the position and the hidden
 * solve of systems that consist of such molecules, stored in order.
 *
 * Bonds are 0 = (0,1), 1 = (0,2), 2 = (1,2); d_i is along the bonds where the multipliers act, e_i
 * along the new ones. With s_i = drift kick lambda_i the points move by -M⁻¹ Gᵀ s, so that
 * g_i = ½ (|e_i|² - l_i²) changes by
 *
 *     -K s,  K_ij = w_ij e_i·d_j,   w = w0 + w1   w0        -w1         w_a = 1/m_a
 *                                       w0        w0 + w2    w2
 *                                      -w1        w2         w1 + w2
 *
 * and s += K⁻¹ g by cofactors; the hidden solve has e = d. Each loop over the molecules of a block
 * is vectorized; molecules are independent.
 */
#include "mechanics/algebra/pivots.h"
#include "mechanics/algebra/space.h"
#include "mechanics/solvers/kit/direct.h"
#include "mechanics/solvers/kit/stopping.h"
#include "mechanics/solvers/special.h"
#include "mechanics/system/rods.h"

/* MANY: molecules of a block. MOST: corrections after which the general solver takes over. It then
 * solves for all molecules and reports the failure. */
enum { MANY = 64 / sizeof(real), MOST = 12 };

typedef real lane[MANY]; /* one number for each molecule */

struct triangles {
  struct shk_direct direct; /* the general solve */
  real *weight, *square;    /* m each: 1/m of the points, l² of the bonds */
  /* The present block: three coordinates of each of its three points or bonds. */
  lane q[9], q_carry[9], p[9], p_carry[9], dp[9], x[9], moved[9], d[9], r[9], e[9];
  lane w[3], l2[3], s[3], y[3], g[3], limit, before, open;
};

INLINED struct vector vector(const lane *a, int l)
{
  return (struct vector){a[0][l], a[1][l], a[2][l]};
}

INLINED struct three three(const lane *a, int l)
{
  return (struct three){vector(a, l), vector(a + 3, l), vector(a + 6, l)};
}

INLINED void put(lane *a, int l, struct vector v)
{
  a[0][l] = v.x;
  a[1][l] = v.y;
  a[2][l] = v.z;
}

INLINED void put_three(lane *a, int l, struct three v)
{
  put(a, l, v.a);
  put(a + 3, l, v.b);
  put(a + 6, l, v.c);
}

/* -Gᵀ f */
INLINED struct three pulls(struct three d, struct vector f)
{
  const struct vector x = times(f.x, d.a), y = times(f.y, d.b), z = times(f.z, d.c);
  return (struct three){plus(x, y), minus(z, x), negative(plus(y, z))};
}

/* Returns max_i Σ_k |d_ik| (s_ak + s_bk), where a and b are the ends of rod i. */
INLINED real reach(struct three d, struct three s)
{
  return norm((struct vector){dot(absolute(d.a), plus(s.a, s.b)),
                              dot(absolute(d.b), plus(s.a, s.c)),
                              dot(absolute(d.c), plus(s.b, s.c))});
}

/* Gathers `count` numbers of each molecule, times a factor, from x (NULL: zeros). A block of fewer
 * than MANY molecules repeats the last one. */
INLINED void gather(lane *to, real factor, const real *x, int count, int molecules)
{
  for (int c = 0; c < count; c++)
    for (int l = 0; l < MANY; l++)
      to[c][l] = x ? factor * x[count * (l < molecules ? l : molecules - 1) + c] : 0;
}

INLINED void scatter(real *x, real factor, const lane *from, int count, int molecules)
{
  for (int l = 0; l < molecules; l++)
    for (int c = 0; c < count; c++)
      x[count * l + c] = factor * from[c][l];
}

/* Gathers the vectors along the bonds, which a row of the Jacobian has at its second point. */
static void gather_rods(lane *to, const real *G, int molecules)
{
  for (int c = 0; c < 9; c++)
    for (int l = 0; l < MANY; l++)
      to[c][l] = G[18 * (l < molecules ? l : molecules - 1) + c / 3 * 6 + 3 + c % 3];
}

/* Sets `open` to 0 for a molecule that has converged, 1 if its residual falls, else 2. A residual
 * that has stopped falling has converged if it is at most `slow` times the limit. */
INLINED void judge(struct triangles *t, int l, real residual, real slow)
{
  const bool falls = residual < t->before[l] / 2, small = residual <= t->limit[l];
  const bool within = !falls & (residual <= slow * t->limit[l]);
  t->limit[l] = within & !small ? residual : t->limit[l];
  t->open[l] = small | within ? 0 : falls ? 1 : 2;
  t->before[l] = residual;
}

static void begin(struct triangles *t)
{
  for (int l = 0; l < MANY; l++) {
    t->limit[l] = 0;
    t->before[l] = 1 / REAL_SMALLEST;
  }
}

/* Raises the limit to the rounding of |d| |v| and |d| |dp|/m. v is in e. */
SHK_CLONES static void round_off(struct triangles *restrict t)
{
  for (int l = 0; l < MANY; l++) {
    const struct three kick = weighted(vector(t->w, l), size_of(three(t->dp, l)));
    const struct three v = size_of(three(t->e, l));
    const real rounding = REAL_EPSILON * reach(three(t->d, l), plus_three(v, kick));
    t->limit[l] = rounding > t->limit[l] ? rounding : t->limit[l];
  }
}

/* Stores K⁻¹ g of open molecules, 0 of the others, in y, and adds it to s. symmetric: e is d. */
INLINED void correct_as(struct triangles *restrict t, const lane *rods_of_g, bool symmetric)
{
  const real limit = SHK_PIVOT_ROUNDING * REAL_EPSILON;
  for (int l = 0; l < MANY; l++) {
    const struct three d = three(t->d, l), e = three(rods_of_g, l);
    const struct vector w = vector(t->w, l);
    const real a = (w.x + w.y) * dot(e.a, d.a), f = w.x * dot(e.a, d.b), h = -w.y * dot(e.a, d.c);
    const real j = (w.x + w.z) * dot(e.b, d.b), k = w.z * dot(e.b, d.c);
    const real o = (w.y + w.z) * dot(e.c, d.c), i = symmetric ? f : w.x * dot(e.b, d.a);
    const real m = symmetric ? h : -w.y * dot(e.c, d.a), n = symmetric ? k : w.z * dot(e.c, d.b);
    const real c0 = j * o - k * n, c1 = k * m - i * o, c2 = i * n - j * m, minor = a * j - f * i;
    const real determinant = a * c0 + f * c1 + h * c2, unit = t->open[l] / determinant;
    const real x = t->g[0][l] * unit, y = t->g[1][l] * unit, z = t->g[2][l] * unit;
    const bool regular = (real_fabs(minor) > limit * real_fabs(a * j)) &
                         (real_fabs(determinant) > limit * real_fabs(o * minor));
    t->s[0][l] += t->y[0][l] = c0 * x + (h * n - f * o) * y + (f * k - h * j) * z;
    t->s[1][l] += t->y[1][l] = c1 * x + (a * o - h * m) * y + (h * i - a * k) * z;
    t->s[2][l] += t->y[2][l] = c2 * x + (f * m - a * n) * y + minor * z;
    t->before[l] = regular ? t->before[l] : 0; /* no residual falls below 0 */
  }
}

SHK_CLONES static void correct(struct triangles *t, bool symmetric)
{
  if (symmetric)
    correct_as(t, t->d, true);
  else
    correct_as(t, t->e, false);
}

/* dp -= factor Gᵀ s; e <- q1 */
SHK_CLONES static void arrive(struct triangles *restrict t, real factor)
{
  const struct vector all = {factor, factor, factor};
  for (int l = 0; l < MANY; l++) {
    const struct three f = pulls(three(t->d, l), vector(t->s, l));
    put_three(t->dp, l, plus_three(three(t->dp, l), weighted(all, f)));
    put_three(t->e, l, plus_three(three(t->q, l), three(t->moved, l)));
  }
}

/* dp -= Gᵀ y */
SHK_CLONES static void pull(struct triangles *restrict t)
{
  for (int l = 0; l < MANY; l++) {
    const struct three f = pulls(three(t->d, l), vector(t->y, l));
    put_three(t->dp, l, plus_three(three(t->dp, l), f));
  }
}

/* ---- the position solve ---- */

/* r <- the bonds at q; x <- the displacement of q by the momentum p + dp; limit <- the tolerance,
 * or the rounding of |d| |q|. */
SHK_CLONES static void drift(struct triangles *restrict t, real drift, real tolerance)
{
  for (int l = 0; l < MANY; l++) {
    const struct three q = three(t->q, l), carry = three(t->p_carry, l);
    const struct three p1 = plus_three(three(t->p, l), plus_three(three(t->dp, l), carry));
    const struct vector w = times(drift, vector(t->w, l));
    put_three(t->x, l, plus_three(weighted(w, p1), three(t->q_carry, l)));
    put_three(t->r, l, rods(q));
    const real rounding = REAL_EPSILON * reach(three(t->d, l), size_of(q));
    t->limit[l] = tolerance > 0 ? tolerance : rounding;
  }
}

/* moved <- the displacement by x and s; then e and g there. */
SHK_CLONES static void residuals(struct triangles *restrict t, real slow)
{
  for (int l = 0; l < MANY; l++) {
    const struct three f = pulls(three(t->d, l), vector(t->s, l));
    const struct three x = plus_three(three(t->x, l), weighted(vector(t->w, l), f));
    const struct three e = plus_three(three(t->r, l), rods(x));
    const struct vector g = times(R(0.5), minus(dots(e, e), vector(t->l2, l)));
    put_three(t->moved, l, x);
    put_three(t->e, l, e);
    put(t->g, l, g);
    judge(t, l, norm(g), slow);
  }
}

/* Returns the number of corrections of the block; -1: left to the general solver. */
static long positions(struct triangles *t, const struct shk_iteration *iteration,
                      const struct shk_position_solve *task, int first, int molecules)
{
  const real tolerance = iteration->tolerance, factor = task->drift * task->kick;
  const real slow = tolerance > 0 ? 0 : shk_position_rule.slow;
  const size_t q = 9 * (size_t)first, row = 3 * (size_t)first;
  long count = 0;
  gather(t->q, 1, task->q + q, 9, molecules);
  gather(t->q_carry, 1, task->q_carry + q, 9, molecules);
  gather(t->p, 1, task->p + q, 9, molecules);
  gather(t->p_carry, 1, task->p_carry + q, 9, molecules);
  gather(t->dp, 1, task->dp_free ? task->dp_free + q : NULL, 9, molecules);
  gather_rods(t->d, task->G_b + 2 * q, molecules);
  gather(t->w, 1, t->weight + row, 3, molecules);
  gather(t->l2, 1, t->square + row, 3, molecules);
  gather(t->s, factor, task->lambda + row, 3, molecules);
  begin(t);
  drift(t, task->drift, tolerance);
  for (residuals(t, slow); real_max_norm(t->open, MANY) > 0; residuals(t, slow), count++) {
    if (real_max_norm(t->open, MANY) > 1 || count == MOST || count == iteration->limit)
      return -1;
    correct(t, false);
  }
  arrive(t, 1 / task->drift);
  scatter(task->dp + q, 1, t->dp, 9, molecules);
  scatter(task->q1 + q, 1, t->e, 9, molecules);
  scatter(task->q1_carry + q, 1, t->moved, 9, molecules);
  scatter(task->lambda + row, 1 / factor, t->s, 3, molecules);
  return count;
}

/* ---- the hidden solve ---- */

/* g <- G1 v at the momentum p + dp, which is left in x; moved <- its change from p. */
SHK_CLONES static void rates(struct triangles *restrict t, real slow)
{
  for (int l = 0; l < MANY; l++) {
    const struct three p = three(t->p, l), dp = three(t->dp, l), carry = three(t->p_carry, l);
    const struct three way = plus_three(dp, carry), p1 = plus_three(p, way);
    const struct three v = weighted(vector(t->w, l), p1);
    const struct vector g = dots(three(t->d, l), rods(v));
    put_three(t->moved, l, way);
    put_three(t->x, l, p1);
    put_three(t->e, l, v);
    put(t->g, l, g);
    judge(t, l, norm(g), slow);
  }
}

/* The hidden solve of a block, as `positions`. The first correction is always made. */
static long momenta(struct triangles *t, const struct shk_iteration *iteration,
                    const struct shk_hidden_solve *task, int first, int molecules)
{
  const size_t q = 9 * (size_t)first, row = 3 * (size_t)first;
  long count = 0;
  gather(t->p, 1, task->p + q, 9, molecules);
  gather(t->p_carry, 1, task->p_carry + q, 9, molecules);
  gather(t->dp, 1, task->dp + q, 9, molecules);
  gather_rods(t->d, task->G1 + 2 * q, molecules);
  gather(t->w, 1, t->weight + row, 3, molecules);
  gather(t->s, 1, NULL, 3, molecules);
  begin(t);
  for (rates(t, 0); real_max_norm(t->open, MANY) > 0; rates(t, shk_hidden_rule.slow), count++) {
    if (real_max_norm(t->open, MANY) > 1 || count == MOST || count == iteration->limit)
      return -1;
    correct(t, true);
    pull(t);
    round_off(t);
  }
  scatter(task->dp + q, 1, t->dp, 9, molecules);
  scatter(task->p1 + q, 1, t->x, 9, molecules);
  scatter(task->p1_carry + q, 1, t->moved, 9, molecules);
  scatter(task->mu + row, 1 / task->kick, t->s, 3, molecules);
  return count;
}

/* ---- all blocks ---- */

/* Returns the largest number of corrections of a block; -1: the general solver is needed. One of
 * the two tasks is NULL. */
static long solve_all(struct triangles *t, const struct shk_iteration *iteration,
                      const struct shk_position_solve *position,
                      const struct shk_hidden_solve *hidden)
{
  const int all = t->direct.at.evaluator->system->m / 3;
  long most = 0;
  for (int i = 0; i < all && most >= 0; i += MANY) {
    const int molecules = all - i < MANY ? all - i : MANY;
    const long count = position ? positions(t, iteration, position, i, molecules)
                                : momenta(t, iteration, hidden, i, molecules);
    most = count < 0 || count > most ? count : most;
  }
  return most;
}

static struct shk_status position(void *self, struct shk_iteration *iteration,
                                  const struct shk_position_solve *task)
{
  struct triangles *t = self;
  struct shk_evaluator *e = t->direct.at.evaluator;
  shk_iteration_begin(iteration, &shk_position_rule, 0);
  const long most = task->p1 ? -1 : solve_all(t, iteration, task, NULL);
  if (most < 0)
    return shk_direct_position(&t->direct, iteration, task);
  e->work.iterations += most;
  e->work.factorizations += most;
  e->work.constraint += most + 1;
  e->work.jacobian += most;
  return shk_ok();
}

static struct shk_status hidden(void *self, struct shk_iteration *iteration,
                                const struct shk_hidden_solve *task)
{
  struct triangles *t = self;
  struct shk_evaluator *e = t->direct.at.evaluator;
  shk_iteration_begin(iteration, &shk_hidden_rule, 0);
  const long most = solve_all(t, iteration, NULL, task);
  if (most < 0) { /* start again with the general solver */
    shk_jacobian_transposed_add(e, task->dp, task->G1, task->kick, task->mu);
    shk_fill(task->mu, 0, e->system->m);
    return shk_direct_hidden(&t->direct, iteration, task);
  }
  e->work.iterations += most;
  e->work.factorizations += most > 0;
  return shk_ok();
}

/* True if the system consists of such molecules, with the bonds in the order above. */
static bool applies(const struct shk_system *s)
{
  if (!s->rods || s->rods->dimension != 3 || s->m < 3 || s->n != 3 * s->m || shk_rods_fault(s))
    return false;
  for (int i = 0; i < s->m; i++) {
    const struct shk_rod *rod = &s->rods->rod[i];
    if (rod->a != i / 3 * 3 + (i % 3 == 2) || rod->b != i / 3 * 3 + 1 + (i % 3 > 0))
      return false;
  }
  return true;
}

struct shk_status shk_triangles_create(struct shk_solver *solver, const struct shk_binding *b)
{
  struct shk_evaluator *e = b->evaluator;
  const size_t m = (size_t)e->system->m;
  if (!applies(e->system))
    return shk_ok();
  SHK_TRY(shk_direct_create(solver, sizeof(struct triangles), b, SHK_LINEAR_OF_OPTIONS));
  struct triangles *t = solver->self;
  SHK_TRY(shk_reals(b->workspace, &t->weight, m));
  SHK_TRY(shk_reals(b->workspace, &t->square, m));
  for (size_t i = 0; i < m; i++) {
    t->weight[i] = 1 / e->system->mass[3 * i];
    t->square[i] = e->system->rods->rod[i].square;
  }
  *solver = (struct shk_solver){.self = t, .position = position, .hidden = hidden};
  return shk_direct_refine(&t->direct, b->options);
}
