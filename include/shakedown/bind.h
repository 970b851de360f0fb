/*
 * Parts of methods, created with the evaluator and the options of a binding. Each function creates
 * an object in the binding's workspace, which frees it with the method. Outside a method the
 * binding needs a workspace and an evaluator only.
 */
#ifndef SHAKEDOWN_BIND_H
#define SHAKEDOWN_BIND_H

#include <shakedown/fibre.h>
#include <shakedown/ode.h>
#include <shakedown/parts/integrator.h>
#include <shakedown/solve.h>

/* Creates a solver with the options of SHK_SOLVING_OPTIONS; if the method does not have them, with
 * their defaults. */
struct shk_status shk_bind_solver(struct shk_multiplier_solver **solver,
                                  const struct shk_binding *binding);
struct shk_status shk_bind_newton(struct shk_newton **newton, const struct shk_binding *binding,
                                  int size, long iterations);
/* Chooses the factorization (`linear` of the options) and does all symbolic work. Without that
 * option, or with NULL, as `auto`; a singular matrix of 2 to 64 constraints is then solved as by
 * svd. */
struct shk_status shk_bind_linear(struct shk_linear **linear, const struct shk_binding *binding,
                                  const struct shk_values *options);
/* Creates the solver for exact multipliers and projections, with linear=auto. */
struct shk_status shk_bind_manifold(struct shk_manifold **manifold,
                                    const struct shk_binding *binding);
/* For constraints on momenta; SHK_BAD_INPUT if the system lacks a function. Refuses constraints
 * that also depend on time, and generalized forces. */
struct shk_status shk_bind_fibre(struct shk_fibre **fibre, const struct shk_binding *binding);
/* Binds the base that an option of SHK_BASE named. Refuses one that does not support the system or
 * the precision, has memory, or is not a one-step map of fixed step. */
struct shk_status shk_bind_base(struct shk_base *base, const struct shk_binding *binding);
/* Creates a zeroed state of the system. */
struct shk_status shk_bind_state(struct shk_state *state, const struct shk_binding *binding);

#endif
