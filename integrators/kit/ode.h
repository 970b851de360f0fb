/*
 * Components for methods that eliminate the multiplier and integrate the resulting ODE: the
 * index-reduced equations, one-step methods for ordinary differential equations, and the
 * M-orthogonal projection of positions.
 */
#ifndef INTEGRATORS_KIT_ODE_H
#define INTEGRATORS_KIT_ODE_H

#include <shakedown/bind.h>

/* ---- the index-reduced equations ---- */

/* These functions evaluate the equations of shk_reduced_slope in two halves, for methods that
 * replace gamma. shk_reduced_begin stores v = H_p (n), H_q (n) and gamma (m) at (q,p), and factors
 * N. Until it is called again, shk_reduced_jacobian returns the values of G at q. shk_reduced_end
 * converts gamma to lambda, and H_q to p' = -H_q - Gᵀ lambda. */
struct shk_status shk_reduced_begin(struct shk_reduced *reduced, real *v, real *H_q, real *gamma,
                                    real t, const real *q, const real *p);
const real *shk_reduced_jacobian(const struct shk_reduced *reduced);
void shk_reduced_end(struct shk_reduced *reduced, real *H_q, real *gamma);

/* ---- one-step methods for y' = f(t,y) ---- */

struct shk_one_step;

/* Evaluates f (size) at (t,y). */
typedef struct shk_status shk_slope_function(void *user, real *slope, real t, const real *y);

/* The choices of an option `base`. In the functions below, `base` is an index into this list. All
 * choices from SHK_FIRST_GSL_CHOICE onwards are GSL's steppers, which work in double precision
 * only. */
extern const struct shk_choice shk_one_step_choices[];
extern const struct shk_option shk_gauss_options[];
#define SHK_FIRST_GSL_CHOICE 8

/* Properties of a method's map that hold for every f. */
struct shk_traits {
  int order;          /* SHK_NO_ORDER if the stepper chooses the order */
  bool symmetric;     /* a step of length -h reverses a step of length h to round-off */
  bool symplectic;    /* symplectic if f is Hamiltonian; preserves all quadratic invariants of f */
  bool adaptive_only; /* true for multistep methods, which are not one-step maps */
  /* increments are differences between states, so they contain the round-off of the states */
  bool rounded;
  bool double_only; /* steps are computed in double precision only */
};

/* Returns the properties of a one-step method. `nested` contains the options of the selected choice
 * (shk_values_nested). */
struct shk_traits shk_one_step_traits(int base, const struct shk_values *nested);
/* Like shk_one_step_traits, but also claims the orders of a method that integrates the
 * index-reduced equations with this one-step method. If the increments are `rounded`, also claims
 * that summation is not compensated. */
struct shk_traits shk_one_step_claims(struct shk_claims *claims, int base,
                                      const struct shk_values *nested);
/* Creates a one-step method for y' = f(t,y), where y = (q,p) consists of two blocks of length n,
 * each with its own scale. `base` and `base_options` are the value of an option whose choices are
 * shk_one_step_choices: the index of the choice and its options. `method` is passed to the slope
 * function as `user`. Implicit stages are solved to round-off by fixed-point iteration, which is
 * unsuitable for stiff f. The evaluator counts the sweeps. The iteration fails after 1000 sweeps,
 * or after six sweeps in which the change does not decrease. */
struct shk_status shk_bind_one_step(struct shk_one_step **one_step,
                                    const struct shk_binding *binding, int base,
                                    const struct shk_values *base_options,
                                    shk_slope_function *slope, void *method);
/* dy (size) <- the increment of a step of length h from (t,y). The first slope evaluation is at
 * (t,y). */
struct shk_status shk_one_step_step(struct shk_one_step *method, real *dy, real t, const real *y,
                                    real h);
/* Performs one sweep of the stage iteration, for callers that change y between sweeps. The sweep
 * starts from the stages of the previous sweep or, if `first` is true, from the slope at (t,y).
 * *change receives the relative change of the stages. Explicit methods take the whole step and
 * report a change of 0. */
struct shk_status shk_one_step_sweep(struct shk_one_step *method, real *dy, real *change, real t,
                                     const real *y, real h, bool first);

/* Advances y = (q,p) from *from to *to by a step of length h, with compensated summation. Sets mu
 * to zero and does not change lambda. `y` and `dy` (2n each) are work space; on return, `dy`
 * contains the increment. */
struct shk_status shk_one_step_state(struct shk_one_step *method, struct shk_state *to,
                                     const struct shk_state *from, real h, real *y, real *dy);

/* Copies lambda (m) to *first unless *first is NULL, and sets *first to NULL. In this way, only the
 * multiplier of a step's first slope is stored. */
static inline void shk_note_first(real **first, const real *lambda, int m)
{
  for (int i = 0; *first && i < m; i++)
    (*first)[i] = lambda[i];
  *first = NULL;
}

/* ---- M-orthogonal projection ---- */

struct shk_orthogonal; /* work space */

struct shk_status shk_bind_orthogonal(struct shk_orthogonal **orthogonal,
                                      const struct shk_binding *binding);

/* Finds the nearest point of g = 0 in the metric of M (for general systems, in the Euclidean
 * metric, W = 1):
 *
 *     q1 = q + dq - W G(q1)ᵀ lambda,   g(q1) = 0,   W = M⁻¹
 *
 * This point is found by Newton's method for lambda, with the direction G(q1) updated at each
 * iterate. *from contains the position q, and *to receives the position q1 at the time from->t + h.
 * On entry, dq (n) is the increment to be corrected. On return, dq is corrected, lambda (m) is
 * stored, *to contains q1 with its carry, and G1 contains the values of G(q1). The solve fails if
 * it reaches the iteration limit `iterations`. The option `tolerance` is the one in
 * SHK_SOLVING_OPTIONS. */
struct shk_status shk_orthogonal_stage(struct shk_orthogonal *orthogonal, struct shk_state *to,
                                       const struct shk_state *from, real h, real *dq, real *lambda,
                                       real *G1);

#endif
