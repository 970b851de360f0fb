/*
 * Functions that create the parts of a method from the evaluator and options of a binding. Each
 * object is allocated in the binding's workspace and is freed along with the method. Code outside a
 * method can also call these functions with a binding that contains only a workspace and an
 * evaluator.
 */
#ifndef SHAKEDOWN_BIND_H
#define SHAKEDOWN_BIND_H

#include <shakedown/fibre.h>
#include <shakedown/ode.h>
#include <shakedown/parts/integrator.h>
#include <shakedown/solve.h>

/* Creates a solver that is configured by SHK_SOLVING_OPTIONS. If the method does not have these
 * options, the solver uses the default values. */
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
/* Creates the object that evaluates momentum-dependent constraints. Returns SHK_BAD_INPUT if the
 * system lacks one of the callbacks. Refuses generalized forces and constraints that also depend on
 * time. */
struct shk_status shk_bind_fibre(struct shk_fibre **fibre, const struct shk_binding *binding);
/* Binds the integrator named by an SHK_BASE option. Refuses integrators that do not support the
 * system or the precision, integrators with memory, and integrators that are not fixed-step
 * one-step maps. */
struct shk_status shk_bind_base(struct shk_base *base, const struct shk_binding *binding);
/* Allocates a zeroed state of the system. */
struct shk_status shk_bind_state(struct shk_state *state, const struct shk_binding *binding);

#endif
