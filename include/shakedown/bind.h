/*
 * Functions that create the parts of a method from a binding's evaluator and options. Each object
 * is allocated in the binding's workspace and is freed together with the method. Code outside a
 * method can also call these functions; its binding then needs only a workspace and an evaluator.
 */
#ifndef SHAKEDOWN_BIND_H
#define SHAKEDOWN_BIND_H

#include <shakedown/fibre.h>
#include <shakedown/ode.h>
#include <shakedown/parts/integrator.h>
#include <shakedown/solve.h>

/* Creates a solver that uses the values of SHK_SOLVING_OPTIONS. If the method does not have these
 * options, the solver uses their defaults. */
struct shk_status shk_bind_solver(struct shk_multiplier_solver **solver,
                                  const struct shk_binding *binding);
struct shk_status shk_bind_newton(struct shk_newton **newton, const struct shk_binding *binding,
                                  int size, long iterations);
/* Selects the factorization named by the option `linear` and does all symbolic work. If `options`
 * is NULL or does not contain `linear`, the factorization is chosen as for linear=auto, and
 * singular matrices for 2 to 64 constraints are solved as for linear=svd. */
struct shk_status shk_bind_linear(struct shk_linear **linear, const struct shk_binding *binding,
                                  const struct shk_values *options);
/* Creates the solver for exact multipliers and projections, which always uses linear=auto. */
struct shk_status shk_bind_manifold(struct shk_manifold **manifold,
                                    const struct shk_binding *binding);
/* Creates the functions for momentum-dependent constraints. Returns SHK_BAD_INPUT if the system
 * lacks one of the callbacks. Refuses generalized forces, and constraints that also depend on
 * time. */
struct shk_status shk_bind_fibre(struct shk_fibre **fibre, const struct shk_binding *binding);
/* Binds the integrator named by an SHK_BASE option. Refuses an integrator that does not support the
 * system or the precision, that has memory, or that is not a fixed-step one-step map. */
struct shk_status shk_bind_base(struct shk_base *base, const struct shk_binding *binding);
/* Creates a zeroed state of the system. */
struct shk_status shk_bind_state(struct shk_state *state, const struct shk_binding *binding);

#endif
