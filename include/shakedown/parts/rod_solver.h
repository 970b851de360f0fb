/*
 * Solvers for distance constraints (rods) that plug-ins provide, such as the SHAKE routine of a
 * molecular dynamics code. A solver receives the positions before and after the unconstrained step,
 * the masses and the rods. It moves the points back onto the constraints along the directions of
 * the rods at the old positions,
 *
 *     r_k = after_k - 1/m_k Σ_i s_i dg_i/dr_k(before),     g_i = ½ (|r_b - r_a|² - d_i²) = 0,
 *
 * where s are the impulses (m numbers). The multipliers of a method are s / (drift kick). A plug-in
 * provides a solver with SHK_SOLVERS. Every method that has a `solver` option then accepts that
 * solver, as in rattle(solver=mine).
 *
 * If the impulses reproduce the new positions to within rounding, Shakedown computes the step's
 * momentum from the impulses; otherwise it computes the momentum from the positions, as engines do.
 * Shakedown itself solves the hidden constraint.
 */
#ifndef SHAKEDOWN_ROD_SOLVER_H
#define SHAKEDOWN_ROD_SOLVER_H

#include <shakedown/parts/integrator.h>

/* The data for one solve. Each position has `dimension` coordinates. */
struct shk_rod_task {
  int points, rods, dimension;
  const real *mass;          /* one number per point (`points`) */
  const struct shk_rod *rod; /* the ends and squared lengths of the `rods` */
  const real *fixed;         /* fixed points to which rods can be attached */
  const real *before;        /* the old positions */
  /* on entry, the positions after the unconstrained step; on return, positions on the
   * constraints */
  real *positions;
  real *impulse;   /* the impulses s, one per rod (`rods`); zero on entry */
  real tolerance;  /* tolerance for max|g_i|; if it is 0, all iterations must be performed */
  long iterations; /* maximum number of iterations */
  /* A solver that fails (returns a negative number) can store a failure status here. The status is
   * ok on entry; if a failed solver does not change it, the failure is reported as not
   * converged. */
  struct shk_status *why;
  const struct shk_rod_solver *solver; /* the solver being called */
};

struct shk_rod_solver {
  size_t struct_size;
  /* Set name, summary, equations, citation, options, claims and double_only; the other members are
   * not used. A method that uses this solver retains its claims KEEPS_CONSTRAINT, KEEPS_MOMENTA,
   * SYMMETRIC and SYMPLECTIC only if the solver makes them too. A solver can also claim
   * NEWTONS_MULTIPLIERS and ORDER_SOLVE. It makes no claim about the hidden constraint. */
  struct shk_integrator_info info;
  /* Size of the struct that belongs to the solver, or 0 if it has none. The struct is zeroed and
   * then receives the solver's options and the arrays named here. */
  size_t self_size;
  const struct shk_array *arrays; /* terminated by {0}; NULL if there are none */
  /* Runs the solver. Returns the number of iterations, or a negative number if the tolerance was
   * not reached. The function must not allocate memory or store anything between solves. */
  long (*solve)(void *self, const struct shk_rod_task *task);
  bool refuses_fixed; /* whether the solver refuses systems with fixed points */
};

/* Stores r_b - r_a in r (`dimension` numbers) for rod i at the positions x. */
static inline void shk_rod_vector(real *r, const struct shk_rod_task *task, const real *x, int i)
{
  const int dimension = task->dimension, a = task->rod[i].a, b = task->rod[i].b;
  const real *const from = a < 0 ? task->fixed + (-1 - a) * dimension : x + a * dimension;
  for (int k = 0; k < dimension; k++)
    r[k] = x[b * dimension + k] - from[k];
}

/* Returns 1/m_a + 1/m_b for rod i. A fixed point contributes nothing. */
static inline real shk_rod_inverse_mass(const struct shk_rod_task *task, int i)
{
  const struct shk_rod *const rod = &task->rod[i];
  return 1 / task->mass[rod->b] + (rod->a < 0 ? 0 : 1 / task->mass[rod->a]);
}

/* Moves the ends of rod i towards each other by the impulse s along r (from a to b), and adds s to
 * the impulse of the rod. */
static inline void shk_rod_push(const struct shk_rod_task *task, int i, const real *r, real s)
{
  const struct shk_rod *const rod = &task->rod[i];
  const int dimension = task->dimension;
  task->impulse[i] += s;
  for (int k = 0; k < dimension; k++) {
    task->positions[rod->b * dimension + k] -= s / task->mass[rod->b] * r[k];
    if (rod->a >= 0)
      task->positions[rod->a * dimension + k] += s / task->mass[rod->a] * r[k];
  }
}

#endif
