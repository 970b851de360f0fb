/*
 * A solver of one's own for rods: what a code of molecular dynamics has as its SHAKE, and nothing else.
 * It is given the positions before and after the step without constraints, the masses and the rods, and
 * moves the points back onto the rods along those of the old positions,
 *
 *     r_k = after_k - 1/m_k Σ_i s_i dg_i/dr_k(before),     g_i = ½ (|r_b - r_a|² - d_i²) = 0,
 *
 * with the impulses s (m), of which the multipliers of a method are s / (drift kick). A plug-in offers it
 * (SHK_SOLVERS), and it is then a choice of the option `solver` of every method that has one:
 * rattle(solver=mine). Of the claims of a method, those of its info say KEEPS_CONSTRAINT, KEEPS_MOMENTA,
 * SYMMETRIC, SYMPLECTIC (which it weakens: what a solver does not state, the method does not claim with
 * it), and of the solve itself NEWTONS_MULTIPLIERS and ORDER_SOLVE.
 *
 * The momentum of a step is that of the impulses where these lead to the positions to within rounding,
 * and otherwise that of the positions, as engines have it. The velocities are projected by the program.
 */
#ifndef SHAKEDOWN_ROD_SOLVER_H
#define SHAKEDOWN_ROD_SOLVER_H

#include <shakedown/integrator.h>

/* One solve. Positions have `dimension` coordinates a point. */
struct shk_rod_task {
  int points, rods, dimension;
  const real *mass;          /* of the points */
  const struct shk_rod *rod; /* their ends and squared lengths */
  const real *fixed;         /* the fixed points, where a rod has one */
  const real *before;        /* the old positions */
  real *positions;           /* in: those after the step without constraints; out: the new ones */
  real *impulse;             /* of the rods; zero at first */
  real tolerance;            /* of max|g_i|; 0: do as many iterations as there may be */
  long iterations;           /* that there may be */
};

struct shk_rod_solver {
  size_t struct_size;
  /* name, summary, equations, citation, options, claims; the rest is not used. */
  struct shk_integrator_info info;
  /* The solver's own struct, zeroed, with its options and the arrays named here; 0: none. */
  size_t self_size;
  const struct shk_array *arrays; /* ended by {0}; NULL: none */
  /* Returns the iterations that it took, or less than zero where it has not reached the tolerance. Allocates
   * nothing and keeps nothing from one solve to the next. */
  long (*solve)(void *self, const struct shk_rod_task *task);
};

/* r (dimension) <- r_b - r_a of rod i at positions x. */
static inline void shk_rod_vector(real *r, const struct shk_rod_task *task, const real *x, int i)
{
  const int dimension = task->dimension, a = task->rod[i].a, b = task->rod[i].b;
  const real *const from = a < 0 ? task->fixed + (-1 - a) * dimension : x + a * dimension;
  for (int k = 0; k < dimension; k++)
    r[k] = x[b * dimension + k] - from[k];
}

static inline real shk_rod_dot(const struct shk_rod_task *task, const real *x, const real *y)
{
  real sum = 0;
  for (int k = 0; k < task->dimension; k++)
    sum += x[k] * y[k];
  return sum;
}

/* 1/m_a + 1/m_b of rod i: a fixed point has no part in it. */
static inline real shk_rod_inverse_mass(const struct shk_rod_task *task, int i)
{
  const struct shk_rod *const rod = &task->rod[i];
  return 1 / task->mass[rod->b] + (rod->a < 0 ? 0 : 1 / task->mass[rod->a]);
}

/* Moves the ends of rod i apart by the impulse s along r, and adds it to that of the rod. */
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
