/*
 * Solvers of a plug-in for distance constraints (rods), such as the SHAKE of a molecular dynamics
 * code. A solver receives the positions before and after the unconstrained step, the masses and the
 * rods. It moves the points back onto the constraints along the rods of the old positions,
 *
 *     r_k = after_k - 1/m_k Σ_i s_i dg_i/dr_k(before),     g_i = ½ (|r_b - r_a|² - d_i²) = 0,
 *
 * with the impulses s (m); the multipliers of a method are s / (drift kick). A plug-in offers a
 * solver with SHK_SOLVERS. The solver is then a choice of the option `solver` of every method that
 * has this option, as in rattle(solver=mine).
 *
 * The momentum of a step follows from the impulses if they lead to the positions to within
 * rounding, and otherwise from the positions, as in engines. Shakedown itself solves the hidden
 * constraint.
 */
#ifndef SHAKEDOWN_ROD_SOLVER_H
#define SHAKEDOWN_ROD_SOLVER_H

#include <shakedown/parts/integrator.h>

/* The data of one solve. Each position has `dimension` coordinates. */
struct shk_rod_task {
  int points, rods, dimension;
  const real *mass;          /* one for each of the `points` */
  const struct shk_rod *rod; /* the ends and the squared length of each of the `rods` */
  const real *fixed;         /* the fixed points, for the rods that end at one */
  const real *before;        /* the old positions */
  /* on entry after the unconstrained step, on return on the constraints */
  real *positions;
  real *impulse;   /* s, one for each of the `rods`; zero on entry */
  real tolerance;  /* for max|g_i|; 0: take all iterations */
  long iterations; /* largest number of iterations */
  /* A solver that fails (returns a negative number) may store the status of its failure here. The
   * status is ok on entry; a solver that leaves it so has not converged. */
  struct shk_status *why;
  const struct shk_rod_solver *solver; /* the solver that is called */
};

struct shk_rod_solver {
  size_t struct_size;
  /* Set name, summary, equations, citation, options, claims and double_only; the other members are
   * not used. Of KEEPS_CONSTRAINT, KEEPS_MOMENTA, SYMMETRIC and SYMPLECTIC, a method with this
   * solver claims only those that are claimed here. A solver may also claim NEWTONS_MULTIPLIERS and
   * ORDER_SOLVE. It claims nothing about the hidden constraint. */
  struct shk_integrator_info info;
  /* Size of the solver's own struct, which is zeroed and then receives the solver's options and the
   * arrays named here. 0 if there is none. */
  size_t self_size;
  const struct shk_array *arrays; /* ended by {0}; NULL: none */
  /* Solves. Returns the number of iterations, or a negative number if the tolerance was not
   * reached. It must not allocate, nor keep anything from one solve to the next. */
  long (*solve)(void *self, const struct shk_rod_task *task);
  bool refuses_fixed; /* true if systems with fixed points are refused */
};

/* Stores r_b - r_a of rod i at positions x in r (`dimension` numbers). */
static inline void shk_rod_vector(real *r, const struct shk_rod_task *task, const real *x, int i)
{
  const int dimension = task->dimension, a = task->rod[i].a, b = task->rod[i].b;
  const real *const from = a < 0 ? task->fixed + (-1 - a) * dimension : x + a * dimension;
  for (int k = 0; k < dimension; k++)
    r[k] = x[b * dimension + k] - from[k];
}

/* Returns 1/m_a + 1/m_b of rod i. A fixed point contributes nothing. */
static inline real shk_rod_inverse_mass(const struct shk_rod_task *task, int i)
{
  const struct shk_rod *const rod = &task->rod[i];
  return 1 / task->mass[rod->b] + (rod->a < 0 ? 0 : 1 / task->mass[rod->a]);
}

/* Moves the ends of rod i towards each other by the impulse s along r (from a to b), and adds s to
 * the rod's impulse. */
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
