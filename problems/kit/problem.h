/* Building blocks for problem files: initializers for their tables, and functions for stored or
 * consistent initial states. */
#ifndef PROBLEMS_KIT_PROBLEM_H
#define PROBLEMS_KIT_PROBLEM_H

#include "problems/kit/distance.h"
#include <shakedown/plugin.h>

/* Initializers of struct shk_system. Each member is set to a function or array with the same name
 * in the file. */
#define SHK_POTENTIAL .potential = potential, .gradient = gradient
#define SHK_HAMILTONIAN                                                                            \
  .hamiltonian = hamiltonian, .hamiltonian_q = hamiltonian_q, .hamiltonian_p = hamiltonian_p,      \
  .hessian = hessian
#define SHK_MASS_MATRIX                                                                            \
  .mass_matrix = mass_matrix, .mass_gradient = mass_gradient, .mass_curvature = mass_curvature
#define SHK_FORCE .force = force, .force_gradients = force_gradients
#define SHK_CONSTRAINT .constraint = constraint, .jacobian = jacobian, .curvature = curvature
#define SHK_CONSTRAINT_QP                                                                          \
  .constraint_qp = constraint, .constraint_gradients = gradients, .constraint_second = second
#define SHK_PATTERN .row_start = row_start, .columns = columns

/* The next two macros declare invariants and the function that distinguishes branches. */
static inline void shk_set_invariants(struct shk_instance *instance, int count,
                                      const char *const *names,
                                      int (*invariants)(const void *context, real *values, real t,
                                                        const real *q, const real *p))
{
  instance->invariant_count = count;
  instance->invariant_names = names;
  instance->invariants = invariants;
}
static inline void shk_set_branch(struct shk_instance *instance, const char *const *names,
                                  int (*branch)(const void *context, real *values, real t,
                                                const real *q, const real *p))
{
  instance->branch_count = 1;
  instance->branch_names = names;
  instance->branch = branch;
}

/* Declares the angular momentum of a single point about the vertical as an invariant of the
 * problem. */
static inline int shk_vertical_momentum(const void *context, real *values, real t, const real *q,
                                        const real *p)
{
  values[0] = q[0] * p[1] - q[1] * p[0];
  return 0;
}

/* Defines the function `start` for a struct that stores the initial state in its members q and p.
 * The expression n can refer to members of the struct as s->…. */
#define SHK_STORED_START(type, n)                                                                  \
  static int start(const void *context, real *q, real *p)                                          \
  {                                                                                                \
    const struct type *s = context;                                                                \
    return shk_copy_start(q, p, s->q, s->p, n);                                                    \
  }

/* Makes an initial state consistent if it is given with fewer digits than the precision provides.
 * Projects (q,p) at instance->initial_time onto the constraints and the hidden (velocity-level)
 * constraints of instance->system, which must be complete. q is moved along Gᵀ (or M⁻¹Gᵀ if M is
 * constant), and p along Gᵀ, which is the M-orthogonal projection of the velocity. */
struct shk_status shk_make_consistent(struct shk_instance *instance, real *q, real *p);

#endif
