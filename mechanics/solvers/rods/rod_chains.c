/*
 * The position and the hidden solve of systems of rods whose constraint graph is a chain or
 * several: every point ends at most two rods, and no rods close a ring. Chains may be fixed at one
 * end, at both or at none.
 *
 * The solves of solve.h, by Newton's method with the tridiagonal matrix of tridiagonal.h; positions
 * in quad by corrections in double that have the quadratic term as well. An iteration is one sweep up
 * the chain, which moves the points, computes the residual, forms the matrix and eliminates, and a
 * back substitution down it. No Jacobian is stored. A rod of a chain of 1000 in space costs 36 ns a
 * step (AVX2), and 162 by linear=sparse-ldl (shakedown-bench chain-3d 1000).
 */
#include "mechanics/solvers/kit/stopping.h"
#include "mechanics/solvers/rods/special.h"
#include "mechanics/solvers/rods/tridiagonal.h"

/* Systems of fewer constraints keep dense LU with pivoting. */
#define FEWEST 9
/* Chains of at most this many rods are left to linear=block. */
#define SHORT_LIMIT 3

/* In quad, by how much a correction in double must reduce the residual for another one. */
#define GAIN 1000
/* Lengths and masses from 1 over it to it leave double room for their products and residuals. */
#define ROOM R(1e30)

/* The rods at each point, -1: none. */
struct ends {
  int rod[2];
};

struct chains {
  struct shk_paths paths;
  struct ends *ends; /* of every point */
  struct shk_evaluator *evaluator;
  long corrections; /* of the last position solve */
  const struct shk_position_solve *task;
  real rounding; /* of the hidden residual, over epsilon */
};

/* ---- what a system's graph is ---- */

/* False if a point has more than two rods, or a rod lacks two ends. */
static bool join(struct ends *ends, const struct shk_system *system)
{
  const int points = system->n / system->rods->dimension;
  for (int i = 0; i < points; i++)
    ends[i] = (struct ends){{-1, -1}};
  for (int i = 0; i < system->m; i++) {
    const struct shk_rod *rod = &system->rods->rod[i];
    const int both[] = {rod->a, rod->b};
    if (rod->b < 0 || rod->a == rod->b)
      return false;
    for (int k = 0; k < 2; k++) {
      if (both[k] < 0)
        continue;
      struct ends *at = &ends[both[k]];
      if (at->rod[1] >= 0)
        return false;
      at->rod[at->rod[0] >= 0] = i;
    }
  }
  return true;
}

static bool is_end(const struct ends *ends, int point)
{
  return point < 0 || ends[point].rod[1] < 0;
}

/* Appends the path that begins with rod i at `point`; the rods' marks are set. */
static void walk(struct shk_paths *paths, const struct shk_system *system, const struct ends *ends,
                 bool *seen, int i, int point)
{
  const int dimension = system->rods->dimension;
  const int done = paths->count > 0
                       ? paths->path[paths->count - 1].first + paths->path[paths->count - 1].count
                       : 0;
  struct shk_path *path = &paths->path[paths->count];
  *path = (struct shk_path){.first = done, .slot = done + paths->count};
  for (int slot = path->slot;; slot++) {
    paths->offset[slot] = point < 0 ? point : point * dimension;
    paths->inverse[slot] = point < 0 ? 0 : 1 / system->mass[point * dimension];
    if (i < 0)
      break;
    const struct shk_rod *rod = &system->rods->rod[i];
    seen[i] = true;
    paths->row[path->first + path->count++] = i;
    point = rod->a == point ? rod->b : rod->a;
    i = is_end(ends, point) ? -1 : ends[point].rod[ends[point].rod[0] == i];
  }
  paths->count++;
}

static void describe(struct shk_paths *paths, int dimension)
{
  const struct shk_rod *rods = paths->rods->rod;
  paths->length = SHK_BLOCK_SHORT;
  for (int k = 0; k < paths->count; k++) {
    struct shk_path *path = &paths->path[k];
    if (path->count > SHK_BLOCK_SHORT)
      paths->length = SHK_BLOCK_LONG;
    const int *row = paths->row + path->first, *offset = paths->offset + path->slot;
    const real *inverse = paths->inverse + path->slot;
    path->moving[0] = offset[0] < 0;
    path->moving[1] = path->count - (offset[path->count] < 0);
    path->contiguous = path->uniform = true;
    for (int i = 1; i < path->count; i++) {
      path->contiguous = path->contiguous && row[i] == row[i - 1] + 1;
      path->uniform = path->uniform && rods[row[i]].square == rods[row[i - 1]].square;
    }
    for (int i = 1; i <= path->count; i++)
      if (offset[i] >= 0 && offset[i - 1] >= 0) {
        path->contiguous = path->contiguous && offset[i] == offset[i - 1] + dimension;
        path->uniform = path->uniform && inverse[i] == inverse[i - 1];
      }
  }
}

/* Finds the paths; false if the graph is not made of paths. */
static bool find_paths(struct shk_paths *paths, const struct shk_system *system,
                       const struct ends *ends, bool *seen)
{
  int longest = 0, rods = 0;
  for (int i = 0; i < system->m; i++) {
    const struct shk_rod *rod = &system->rods->rod[i];
    if (seen[i] || !(is_end(ends, rod->a) || is_end(ends, rod->b)))
      continue;
    walk(paths, system, ends, seen, i, is_end(ends, rod->a) ? rod->a : rod->b);
    const int count = paths->path[paths->count - 1].count;
    rods += count;
    if (count > longest)
      longest = count;
  }
  return rods == system->m && (paths->count == 1 || longest > SHORT_LIMIT);
}

/* ---- the solves ---- */

/* The coordinates of an end of a rod. */
static const real *end_of(const struct shk_rods *rods, const real *q, int point)
{
  return point >= 0 ? q + (size_t)point * (size_t)rods->dimension
                    : rods->fixed + (size_t)(-1 - point) * (size_t)rods->dimension;
}

/* |d_j| of rod i where lambda acts. */
static real old_length(const struct chains *c, int i, int j)
{
  const struct shk_evaluator *e = c->evaluator;
  const struct shk_rods *rods = e->system->rods;
  const struct shk_rod *rod = &rods->rod[i];
  return real_fabs(c->task->G_b
                       ? c->task->G_b[e->row_start[i] + j]
                       : end_of(rods, c->task->q, rod->b)[j] - end_of(rods, c->task->q, rod->a)[j]);
}

/* max_i Σ_k |G_ik| |q_k|, or with |drift kick|/m_k Σ_j |G_jk lambda_j| for |q_k|: the effect on g
 * of rounding the positions, or the terms of Gᵀlambda, over eps. */
static real rounding_of_position(void *user, bool cancelled)
{
  const struct chains *c = user;
  const struct shk_position_solve *task = c->task;
  const struct shk_system *system = c->evaluator->system;
  const int dimension = system->rods->dimension;
  const real factor = real_fabs(task->drift * task->kick);
  real largest = REAL_SMALLEST / REAL_EPSILON;
  for (int i = 0; i < system->m; i++) {
    const struct shk_rod *rod = &system->rods->rod[i];
    const int both[] = {rod->a, rod->b};
    real sum = 0;
    for (int side = 0; side < 2; side++)
      for (int j = 0; j < dimension && both[side] >= 0; j++) {
        const int k = both[side] * dimension + j;
        real size = real_fabs(task->q[k]);
        if (cancelled) {
          const int *rods = c->ends[both[side]].rod;
          size = 0;
          for (int r = 0; r < 2 && rods[r] >= 0; r++)
            size += real_fabs(old_length(c, rods[r], j) * task->lambda[rods[r]]);
          size *= factor / system->mass[k];
        }
        sum += old_length(c, i, j) * size;
      }
    largest = real_max(largest, sum);
  }
  return largest;
}

static struct shk_status singular(const struct shk_elimination *found, int m)
{
  return shk_failure(SHK_SINGULAR, "the constraint matrix has a zero pivot (row %g of %g)",
                     found->singular + 1, m);
}

static void write_jacobian(const struct chains *c, const struct shk_position_solve *task)
{
  struct shk_evaluator *e = c->evaluator;
  const struct shk_rods *rods = e->system->rods;
  const int dimension = rods->dimension;
  e->work.jacobian++;
  for (int i = 0; i < e->system->m; i++) {
    const struct shk_rod *rod = &rods->rod[i];
    real *values = task->G1 + e->row_start[i];
    const real *a = end_of(rods, task->q1, rod->a), *b = end_of(rods, task->q1, rod->b);
    /* The point with the smaller index comes first. */
    const int of_b = rod->a >= 0 && rod->a < rod->b ? dimension : 0, of_a = dimension - of_b;
    for (int j = 0; j < dimension; j++) {
      values[of_b + j] = b[j] - a[j];
      if (rod->a >= 0)
        values[of_a + j] = a[j] - b[j];
    }
  }
}

static struct shk_status solve_position(void *self, struct shk_iteration *iteration,
                                        const struct shk_position_solve *task)
{
  struct chains *c = self;
  struct shk_evaluator *e = c->evaluator;
  const real factor = 1 / (task->drift * task->kick);
  c->task = task;
  c->paths.solve++;
  shk_iteration_begin_estimated(iteration, &shk_position_rule, rounding_of_position, c);
  if (!task->G_b)
    e->work.jacobian++;
  bool rough = c->paths.rough && !iteration->counted;
  real before = 0;
  for (long corrections = 0;; corrections++) {
    /* As a rule as many corrections as last time suffice: then the sweep writes the results and
     * does not eliminate for a correction that is not made. If it was wrong, it is repeated with
     * the other task, which changes no number. */
    const bool write = corrections >= c->corrections;
    const enum shk_elimination_task what = write   ? SHK_WRITE_SOLUTION
                                           : rough ? SHK_ROUND
                                                   : SHK_ELIMINATE;
    struct shk_elimination found = shk_tridiagonal_positions(&c->paths, what, e, task);
    e->work.constraint++;
    SHK_TRY(shk_iteration_next(iteration, found.residual));
    if (iteration->converged) {
      c->corrections = corrections;
      if (!write)
        shk_tridiagonal_positions(&c->paths, SHK_WRITE_SOLUTION, e, task);
      if (task->G1)
        write_jacobian(c, task);
      return shk_ok();
    }
    e->work.jacobian++;
    e->work.factorizations++;
    rough = rough && (corrections == 0 || found.residual < before / GAIN);
    before = found.residual;
    if (rough && write)
      shk_tridiagonal_positions(&c->paths, SHK_ROUND, e, task);
    if (rough && shk_tridiagonal_correct(&c->paths, task->lambda, factor)) {
      e->work.iterations++;
      continue;
    }
    if (what != SHK_ELIMINATE)
      found = shk_tridiagonal_positions(&c->paths, SHK_ELIMINATE, e, task);
    if (found.singular >= 0)
      return singular(&found, c->paths.m);
    e->work.iterations++;
    shk_tridiagonal_substitute(&c->paths, task->lambda, factor);
  }
}

static real rounding_of_momenta(void *user, bool cancelled)
{
  const struct chains *c = user;
  return cancelled ? 0 : c->rounding;
}

static struct shk_status solve_hidden(void *self, struct shk_iteration *iteration,
                                      const struct shk_hidden_solve *task)
{
  struct chains *c = self;
  struct shk_evaluator *e = c->evaluator;
  const real factor = 1 / task->kick;
  for (int i = 0; i < c->paths.m; i++)
    task->mu[i] = 0;
  c->paths.solve++;
  shk_iteration_begin_estimated(iteration, &shk_hidden_rule, rounding_of_momenta, c);
  e->work.jacobian++;
  e->work.factorizations++;
  /* The first correction is always made: it is hardly ever unnecessary. */
  struct shk_elimination found = shk_tridiagonal_momenta(&c->paths, SHK_ELIMINATE, 0, task);
  shk_iteration_pass(iteration, found.residual);
  for (;;) {
    if (found.singular >= 0)
      return singular(&found, c->paths.m);
    e->work.iterations++;
    shk_tridiagonal_substitute(&c->paths, task->mu, factor);
    found = shk_tridiagonal_momenta(&c->paths, SHK_WRITE_SOLUTION, 1, task);
    c->rounding = found.rounding;
    SHK_TRY(shk_iteration_next(iteration, found.residual));
    if (iteration->converged)
      return shk_ok();
    found = shk_tridiagonal_momenta(&c->paths, SHK_ELIMINATE, 0, task);
  }
}

static bool has_room(real x)
{
  return x > 1 / ROOM && x < ROOM;
}

/* In quad, what corrections in double need, where they are within its range. */
static struct shk_status take_rough(struct shk_paths *p, struct shk_workspace *workspace)
{
  const size_t m = (size_t)p->m, slots = m + (size_t)p->count;
  bool room = REAL_DIGITS > 30;
  for (size_t i = 0; i < m && room; i++)
    room = has_room(p->rods->rod[i].square);
  for (size_t i = 0; i < slots && room; i++)
    room = p->inverse[i] == 0 || has_room(p->inverse[i]);
  if (!room)
    return shk_ok();
  p->rough = shk_memory(workspace, m * sizeof *p->rough);
  p->weight = shk_memory(workspace, slots * sizeof *p->weight);
  for (size_t i = 0; i < slots && p->weight; i++)
    p->weight[i] = (double)p->inverse[i];
  return p->rough && p->weight ? shk_ok() : shk_no_memory();
}

static struct shk_status take(struct chains *c, bool **seen, struct shk_workspace *workspace)
{
  const struct shk_system *system = c->evaluator->system;
  const size_t m = (size_t)system->m, points = (size_t)(system->n / system->rods->dimension);
  struct shk_paths *p = &c->paths;
  *p = (struct shk_paths){.rods = system->rods, .m = system->m};
  *seen = shk_memory(workspace, m * sizeof **seen);
  c->ends = shk_memory(workspace, points * sizeof *c->ends);
  p->path = shk_memory(workspace, m * sizeof *p->path);
  p->weights = shk_memory(workspace, 3 * sizeof *p->weights);
  p->views = shk_memory(workspace, 2 * sizeof *p->views);
  if (!*seen || !c->ends || !p->path || !p->weights || !p->views)
    return shk_no_memory();
  SHK_TRY(shk_integers(workspace, &p->row, m));
  SHK_TRY(shk_integers(workspace, &p->offset, 2 * m));
  SHK_TRY(shk_reals(workspace, &p->inverse, 2 * m));
  SHK_TRY(shk_reals(workspace, &p->x, m));
  return shk_reals(workspace, &p->coupling, m);
}

struct shk_status shk_chains_create(struct shk_solver *solver, struct shk_workspace *workspace,
                                    struct shk_evaluator *e, const struct shk_values *options)
{
  (void)options;
  *solver = (struct shk_solver){NULL};
  if (e->system->m < FEWEST)
    return shk_ok();
  struct chains *c = shk_memory(workspace, sizeof *c);
  bool *seen;
  if (!c)
    return shk_no_memory();
  c->evaluator = e;
  SHK_TRY(take(c, &seen, workspace));
  const bool are = join(c->ends, e->system) && find_paths(&c->paths, e->system, c->ends, seen);
  shk_give_back(seen);
  if (!are)
    return shk_ok();
  describe(&c->paths, e->system->rods->dimension);
  SHK_TRY(take_rough(&c->paths, workspace));
  *solver = (struct shk_solver){c, solve_position, solve_hidden, .forms_jacobians = true};
  return shk_ok();
}
