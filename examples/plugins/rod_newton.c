/* rod-newton: Newton's method for the impulses of rods, with a dense matrix. It is an example of a
 * quadratically convergent constraint solver. For each pair of rods that share a point k,
 *
 *     K_ij = Σ_k ± r_i(now)·r_j(before) / m_k,     K s = g(now),
 *
 * where the sign is negative if one rod begins where the other ends.
 *
 *     shakedown plugin build rod_newton.c
 *     shakedown certify 'rattle(solver=rod-newton)' --plugin ./rod_newton.so */
#include <shakedown/plugin.h>

struct newton {
  real *K, *s; /* m x m, m */
  int *pivots; /* m */
};

/* Returns Σ ± 1/m_k over the points k shared by rods i and j. */
static real shared(const struct shk_rod_task *task, int i, int j)
{
  const struct shk_rod *const x = &task->rod[i], *const y = &task->rod[j];
  real sum = 0;
  if (x->b == y->b)
    sum += 1 / task->mass[x->b];
  if (x->b == y->a)
    sum -= 1 / task->mass[x->b];
  if (x->a >= 0 && x->a == y->b)
    sum -= 1 / task->mass[x->a];
  if (x->a >= 0 && x->a == y->a)
    sum += 1 / task->mass[x->a];
  return sum;
}

/* Computes K, and stores g at the current positions in s. Returns max|g|. */
static real assemble(struct newton *newton, const struct shk_rod_task *task)
{
  real largest = 0, now[3], old[3];
  for (int i = 0; i < task->rods; i++) {
    shk_rod_vector(now, task, task->positions, i);
    newton->s[i] = (real_dot(now, now, task->dimension) - task->rod[i].square) / 2;
    largest = real_max(largest, real_fabs(newton->s[i]));
    for (int j = 0; j < task->rods; j++) {
      shk_rod_vector(old, task, task->before, j);
      newton->K[i * task->rods + j] = shared(task, i, j) * real_dot(now, old, task->dimension);
    }
  }
  return largest;
}

static long solve(void *self, const struct shk_rod_task *task)
{
  struct newton *newton = self;
  for (long k = 0; k < task->iterations; k++) {
    if (assemble(newton, task) <= task->tolerance)
      return k;
    if (!shk_lu_factor(newton->K, newton->pivots, task->rods))
      return -1;
    shk_lu_solve(newton->s, newton->K, newton->pivots, task->rods);
    for (int i = 0; i < task->rods; i++) {
      real old[3];
      shk_rod_vector(old, task, task->before, i);
      shk_rod_push(task, i, old, newton->s[i]);
    }
  }
  return -1;
}

static const struct shk_array arrays[] = {SHK_ARRAY(newton, K, .mm = 1),
                                          SHK_ARRAY(newton, s, .m = 1),
                                          SHK_INTEGERS(newton, pivots, .m = 1),
                                          {0}};

static const struct shk_stated claims[] = {SHK_CLAIM(NEWTONS_MULTIPLIERS, SHK_YES),
                                           SHK_CLAIM(ORDER_SOLVE, 2),
                                           SHK_CLAIM(KEEPS_CONSTRAINT, SHK_YES),
                                           SHK_CLAIM(KEEPS_MOMENTA, SHK_YES),
                                           SHK_CLAIM(SYMMETRIC, SHK_YES),
                                           SHK_CLAIM(SYMPLECTIC, SHK_YES),
                                           {0}};

static const struct shk_rod_solver rod_newton = {
    .struct_size = sizeof rod_newton,
    .info = {.name = "rod-newton",
             .summary = "Newton's method for rod impulses, with dense matrices",
             .claims = claims},
    .self_size = sizeof(struct newton),
    .arrays = arrays,
    .solve = solve};

SHK_PROVIDE(rod_newton, .solvers = SHK_SOLVERS(&rod_newton));
