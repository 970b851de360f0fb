/*
 * Functions that create the parts of a method from the evaluator and the options of a binding. Each
 * object lives in the binding's workspace, which frees it together with the method. Code outside a
 * method can call these functions too: its binding then needs only a workspace and an evaluator.
 */
#ifndef SHAKEDOWN_BIND_H
#define SHAKEDOWN_BIND_H

#include <shakedown/fibre.h>
#include <shakedown/ode.h>
#include <shakedown/parts/integrator.h>
#include <shakedown/solve.h>

/* Creates a solver with the values of SHK_SOLVING_OPTIONS. A method without these options gets
 * their defaults. */
struct shk_status shk_bind_solver(struct shk_multiplier_solver **solver,
                                  const struct shk_binding *binding);
struct shk_status shk_bind_newton(struct shk_newton **newton, const struct shk_binding *binding,
                                  int size, long iterations);
/* Chooses the factorization that the option `linear` names and does all symbolic work. If `options`
 * is NULL or lacks `linear`, the factorization is chosen as for linear=auto, and singular matrices
 * of 2 to 64 constraints are solved as for linear=svd. */
struct shk_status shk_bind_linear(struct shk_linear **linear, const struct shk_binding *binding,
                                  const struct shk_values *options);
/* Creates the solver for exact multipliers and projections, always with linear=auto. */
struct shk_status shk_bind_manifold(struct shk_manifold **manifold,
                                    const struct shk_binding *binding);
/* Creates the functions for constraints that depend on momenta. Returns SHK_BAD_INPUT if the system
 * lacks one of the callbacks, and refuses generalized forces and constraints that also depend on
 * time. */
struct shk_status shk_bind_fibre(struct shk_fibre **fibre, const struct shk_binding *binding);
/* Binds the integrator that an option of SHK_BASE named. Refuses an integrator that does not
 * support the system or the precision, has memory, or is not a one-step map with a fixed step. */
struct shk_status shk_bind_base(struct shk_base *base, const struct shk_binding *binding);
/* Creates a zeroed state of the system. */
struct shk_status shk_bind_state(struct shk_state *state, const struct shk_binding *binding);

#endif
