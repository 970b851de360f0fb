/*
 * A constraint solver for rods: the linear systems are solved by conjugate gradients with the
 * symmetric matrix of the old positions, and the positions are corrected until they are right,
 *
 *     K s = g(now),   K_ij = Σ ± r_i·r_j / m over the points that rods i and j share, r old.
 *
 * The matrix is never formed: K s is the change of the rods when their ends are pushed. The matrix of
 * Newton's method has one of its rods new, so that the residual falls by a factor an iteration, of
 * order h. Source: Weinbach & Elber, J. Comput. Phys. 209 (2005) 193.
 */
#include <shakedown/plugin.h>

struct gradients {
  real *s, *residual, *direction, *image; /* m */
  real *move;                             /* n */
};

/* move <- M⁻¹ Σ s_k ± r_k; the ends of a rod are pushed apart. */
static void spread(const struct shk_rod_task *task, real *move, const real *s)
{
  const int d = task->dimension;
  for (int i = 0; i < task->points * d; i++)
    move[i] = 0;
  for (int k = 0; k < task->rods; k++) {
    const struct shk_rod *const rod = &task->rod[k];
    real r[3];
    shk_rod_vector(r, task, task->before, k);
    for (int j = 0; j < d; j++) {
      move[rod->b * d + j] += s[k] / task->mass[rod->b] * r[j];
      if (rod->a >= 0)
        move[rod->a * d + j] -= s[k] / task->mass[rod->a] * r[j];
    }
  }
}

/* image <- K direction */
static void multiply(struct gradients *cg, const struct shk_rod_task *task)
{
  const int d = task->dimension;
  spread(task, cg->move, cg->direction);
  for (int k = 0; k < task->rods; k++) {
    const struct shk_rod *const rod = &task->rod[k];
    real r[3], sum = 0;
    shk_rod_vector(r, task, task->before, k);
    for (int j = 0; j < d; j++)
      sum += r[j] * (cg->move[rod->b * d + j] - (rod->a >= 0 ? cg->move[rod->a * d + j] : 0));
    cg->image[k] = sum;
  }
}

/* s <- K⁻¹ residual, to the rounding of the residual; m iterations suffice but for rounding. */
static void conjugate_gradients(struct gradients *cg, const struct shk_rod_task *task)
{
  const int m = task->rods;
  real norm = real_dot(cg->residual, cg->residual, m);
  const real enough = norm * REAL_EPSILON * REAL_EPSILON;
  for (int k = 0; k < m; k++) {
    cg->s[k] = 0;
    cg->direction[k] = cg->residual[k];
  }
  for (int iteration = 0; iteration < 10 * m && norm > enough; iteration++) {
    multiply(cg, task);
    const real step = norm / real_dot(cg->direction, cg->image, m), before = norm;
    for (int k = 0; k < m; k++) {
      cg->s[k] += step * cg->direction[k];
      cg->residual[k] -= step * cg->image[k];
    }
    norm = real_dot(cg->residual, cg->residual, m);
    for (int k = 0; k < m; k++)
      cg->direction[k] = cg->residual[k] + norm / before * cg->direction[k];
  }
}

static long solve(void *self, const struct shk_rod_task *task)
{
  struct gradients *cg = self;
  for (long done = 0;; done++) {
    real worst = 0;
    for (int k = 0; k < task->rods; k++) {
      real r[3];
      shk_rod_vector(r, task, task->positions, k);
      cg->residual[k] = (real_dot(r, r, task->dimension) - task->rod[k].square) / 2;
      worst = real_max(worst, real_fabs(cg->residual[k]));
    }
    if (!real_isfinite(worst))
      return -1;
    if (task->tolerance > 0 && worst <= task->tolerance)
      return done;
    if (done == task->iterations)
      return task->tolerance > 0 ? -1 : done;
    conjugate_gradients(cg, task);
    for (int k = 0; k < task->rods; k++) {
      real r[3];
      shk_rod_vector(r, task, task->before, k);
      shk_rod_push(task, k, r, cg->s[k]);
    }
  }
}

static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAY(gradients, s, .m = 1), SHK_ARRAY(gradients, residual, .m = 1),
             SHK_ARRAY(gradients, direction, .m = 1), SHK_ARRAY(gradients, image, .m = 1),
             SHK_ARRAY(gradients, move, .n = 1));

static const struct shk_stated claims[] =
    SHK_LIST(SHK_CLAIM(NEWTONS_MULTIPLIERS, SHK_YES), SHK_CLAIM(ORDER_SOLVE, 1),
             SHK_CLAIM(KEEPS_CONSTRAINT, SHK_YES), SHK_CLAIM(KEEPS_MOMENTA, SHK_YES),
             SHK_CLAIM(SYMMETRIC, SHK_YES), SHK_CLAIM(SYMPLECTIC, SHK_YES));

static const struct shk_rod_solver cg_rods = {
    .struct_size = sizeof cg_rods,
    .info = {.name = "cg-rods",
             .summary = "conjugate gradients with the symmetric matrix of the old positions",
             .claims = claims},
    .self_size = sizeof(struct gradients),
    .arrays = arrays,
    .solve = solve};

SHK_PROVIDE(cg_rods, .solvers = SHK_SOLVERS(&cg_rods));
