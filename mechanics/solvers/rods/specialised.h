/*
 * Solvers of the position and the hidden solve for systems of rods of one kind, in place of the
 * general ones of multiplier.c: with solver=newton and linear=auto, where the system says that it
 * is rods (struct shk_rods) and its constraint graph is of that kind.
 */
#ifndef MECHANICS_SOLVERS_RODS_SPECIALISED_H
#define MECHANICS_SOLVERS_RODS_SPECIALISED_H

#include <shakedown/iteration.h>
#include <shakedown/solve.h>

/* Both do what solve.h says of shk_solve_position and shk_solve_hidden, begin the iteration by
 * the rule of stopping.h and end when it does, and count iterations and evaluations in the evaluator
 * they were created with. G_b may be NULL, which stands for G(q), and G1 may be NULL: not wanted by
 * the position solve, G(q1) in the hidden one. */
struct shk_specialised {
  void *self; /* NULL: the system is not of this kind */
  struct shk_status (*position)(void *self, struct shk_iteration *iteration,
                                const struct shk_position_solve *task);
  struct shk_status (*hidden)(void *self, struct shk_iteration *iteration,
                              const struct shk_hidden_solve *task);
  void (*destroy)(void *self);
  bool takes_jacobians; /* G_b and G1 are to be given all the same */
};

/* shk_single_create is for any separable system with one constraint, of rods or not, and with
 * linear=lu too, since it is that. Each of the others leaves `self` NULL where the system is not of
 * its kind; SHK_NO_MEMORY is the only failure.
 */
#define shk_chains_create SHK_NAME(shk_chains_create)
#define shk_clusters_create SHK_NAME(shk_clusters_create)
#define shk_single_create SHK_NAME(shk_single_create)
struct shk_status shk_chains_create(struct shk_specialised *solver, struct shk_evaluator *e);
struct shk_status shk_clusters_create(struct shk_specialised *solver, struct shk_evaluator *e);
struct shk_status shk_single_create(struct shk_specialised *solver, struct shk_evaluator *e);

#endif
