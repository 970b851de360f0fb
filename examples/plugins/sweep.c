/* sweep.c: SHAKE's sweep over the rods as a constraint solver. This is the same solver as
 * examples/python/sweep.py and examples/external/sweep.py.
 *
 * Each rod in turn is corrected by displacing its ends along its old direction, weighted by the
 * inverse masses, until all lengths are correct (Ryckaert, Ciccotti & Berendsen, J. Comput. Phys.
 * 23 (1977) 327, eq. 5.6). The inputs and results are described at struct shk_rod_task.
 *
 *     shakedown plugin build sweep.c
 *     shakedown certify 'rattle(solver=sweep-c)' --plugin ./sweep.so
 *
 * This file is compiled once for each precision of the type `real`, so write 2 or R(0.25) instead
 * of 2.0. */
#include <shakedown/plugin.h>

static long solve(void *self, const struct shk_rod_task *task)
{
  (void)self;
  for (long sweep = 0; sweep < task->iterations; sweep++) {
    real largest = 0;
    for (int i = 0; i < task->rods; i++) {
      real now[3], old[3];
      shk_rod_vector(now, task, task->positions, i);
      shk_rod_vector(old, task, task->before, i);
      const real g = (real_dot(now, now, task->dimension) - task->rod[i].square) / 2;
      const real own = real_dot(now, old, task->dimension) * shk_rod_inverse_mass(task, i);
      largest = real_max(largest, real_fabs(g));
      shk_rod_push(task, i, old, g / own);
    }
    if (largest <= task->tolerance)
      return sweep + 1;
  }
  return -1;
}

static const struct shk_stated claims[] = {SHK_CLAIM(NEWTONS_MULTIPLIERS, SHK_YES),
                                           SHK_CLAIM(ORDER_SOLVE, 1),
                                           SHK_CLAIM(KEEPS_CONSTRAINT, SHK_YES),
                                           SHK_CLAIM(KEEPS_MOMENTA, SHK_YES),
                                           SHK_CLAIM(SYMMETRIC, SHK_YES),
                                           SHK_CLAIM(SYMPLECTIC, SHK_YES),
                                           {0}};

static const struct shk_rod_solver solver = {
    .struct_size = sizeof solver,
    .info = {.name = "sweep-c",
             .summary = "the SHAKE sweep, one rod after another",
             .citation = "Ryckaert, Ciccotti & Berendsen, J. Comput. Phys. 23 (1977) 327, eq. 5.6",
             .claims = claims},
    .solve = solve};

SHK_PROVIDE(sweep, .solvers = SHK_SOLVERS(&solver));
