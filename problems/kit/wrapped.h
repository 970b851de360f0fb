/*
 * What problems share that are made of another one, its system seen through functions of theirs: the
 * other problem, named by the option `problem`, with its options; and what is handed on of it.
 */
#ifndef PROBLEMS_KIT_WRAPPED_H
#define PROBLEMS_KIT_WRAPPED_H

#include <shakedown/problem.h>

struct shk_wrapped {
  struct shk_instance inner;
  struct shk_evaluator pattern; /* of inner: its row_start and columns, dense or not */
  struct shk_picture picture;
};

/* The functions that a wrapper has in place of the problem's, each under the name of the member. */
#define SHK_WRAPPED_SYSTEM(F)                                                                      \
  F(potential)                                                                                     \
  F(gradient)                                                                                      \
  F(hamiltonian)                                                                                   \
  F(hamiltonian_q)                                                                                 \
  F(hamiltonian_p)                                                                                 \
  F(hessian)                                                                                       \
  F(constraint)                                                                                    \
  F(jacobian)                                                                                      \
  F(curvature)                                                                                     \
  F(constraint_rate)                                                                               \
  F(force)                                                                                         \
  F(force_gradients)                                                                               \
  F(mass_matrix)                                                                                   \
  F(mass_gradient)                                                                                 \
  F(mass_curvature)                                                                                \
  F(potential_hessian)
#define SHK_WRAPPED_INSTANCE(F)                                                                    \
  F(start)                                                                                         \
  F(exact)                                                                                         \
  F(invariants)                                                                                    \
  F(adopt)                                                                                         \
  F(branch)                                                                                        \
  F(crossings)
#define SHK_WRAPPED_OWN(name) .name = name,

#define shk_wrapped_create SHK_NAME(shk_wrapped_create)
#define shk_wrapped_adopt SHK_NAME(shk_wrapped_adopt)
#define shk_wrapped_place SHK_NAME(shk_wrapped_place)
#define shk_wrap SHK_NAME(shk_wrap)

/* The problem that the option of `instance` names, kept in its workspace. Refuses constraints
 * g(q,p), velocity constraints and general differential-algebraic equations. */
struct shk_status shk_wrapped_create(struct shk_wrapped *wrapped, struct shk_instance *instance);

/* Fills in *instance: of `ours` the functions that the problem has, too, with `context` for their
 * first argument, and `place` for its picture, if it has one; sizes, features, times, invariants'
 * and branches' names are the problem's. Pattern, mass and scale are left to be filled in. */
void shk_wrap(struct shk_instance *instance, struct shk_wrapped *wrapped,
              const struct shk_instance *ours, const void *context,
              int (*place)(const void *context, real *positions, real t, const real *q));

/* The problem adopts a start; its picture's points at (t, q). */
void shk_wrapped_adopt(const struct shk_wrapped *wrapped, const real *q, const real *p);
int shk_wrapped_place(const struct shk_wrapped *wrapped, real *positions, real t, const real *q);

/* Option `problem`, by position. */
#define SHK_WRAPPED_OPTION(known)                                                                  \
  {                                                                                                \
    .name = "problem", .kind = SHK_OPTION_PROBLEM, .fallback = known, .positional = true,          \
    .meaning = "the problem, with its options"                                                     \
  }

#endif
