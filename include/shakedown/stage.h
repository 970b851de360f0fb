/*
 * Solves of solve.h between two states of a method: from positions and momenta of *from,
 * with carries, to *to at the time from->t + h.
 */
#ifndef SHAKEDOWN_STAGE_H
#define SHAKEDOWN_STAGE_H

#include <shakedown/ode.h>
#include <shakedown/solve.h>

/* Finds lambda of *to for a separable system, with that of *from as initial guess, such that
 *
 *     dp = dp_free - kick G_bᵀ lambda,   q1 = q0 + h M⁻¹ (p0 + dp),   g(q1) = 0
 *
 * In: dp_free (n), G_b. Out: dp (n), q1 in *to, the values of G(q1) in G1. */
static inline struct shk_status shk_position_stage(struct shk_multiplier_solver *solver,
                                                   struct shk_state *to,
                                                   const struct shk_state *from, real h, real kick,
                                                   const real *dp_free, const real *G_b, real *dp,
                                                   real *G1)
{
  for (int i = 0; i < from->m; i++)
    to->lambda[i] = from->lambda[i];
  const struct shk_position_solve task = {.t1 = from->t + h,
                                          .kick = kick,
                                          .drift = h,
                                          .q = from->q,
                                          .q_carry = from->q_carry,
                                          .p = from->p,
                                          .p_carry = from->p_carry,
                                          .dp_free = dp_free,
                                          .G_b = G_b,
                                          .lambda = to->lambda,
                                          .dp = dp,
                                          .p1 = NULL,
                                          .q1 = to->q,
                                          .q1_carry = to->q_carry,
                                          .G1 = G1};
  return shk_solve_position(solver, &task);
}

/* Stores p1 = p0 + dp - kick G1ᵀ mu in *to, with its mu such that G1 H_p(q1,p1) + g_t = 0. The q of
 * *to is q1. In: dp (n), which the solve updates, and G1 = G(q1). */
static inline struct shk_status shk_momentum_stage(struct shk_multiplier_solver *solver,
                                                   struct shk_state *to,
                                                   const struct shk_state *from, real h, real kick,
                                                   const real *G1, real *dp)
{
  const struct shk_hidden_solve task = {.t1 = from->t + h,
                                        .kick = kick,
                                        .q1 = to->q,
                                        .p = from->p,
                                        .p_carry = from->p_carry,
                                        .G1 = G1,
                                        .mu = to->mu,
                                        .dp = dp,
                                        .p1 = to->p,
                                        .p1_carry = to->p_carry};
  return shk_solve_hidden(solver, &task);
}

/* Store q1 = q0 + dq and p1 = p0 + dp in *to. */
static inline void shk_move_q(struct shk_state *to, const struct shk_state *from, const real *dq)
{
  shk_add_increment(to->q, to->q_carry, from->q, from->q_carry, dq, from->n);
}
static inline void shk_move_p(struct shk_state *to, const struct shk_state *from, const real *dp)
{
  shk_add_increment(to->p, to->p_carry, from->p, from->p_carry, dp, from->n);
}

/* Copies lambda (m) to *first unless that is NULL, and sets *first to NULL: of all slopes of a
 * step, the first one's multiplier is kept. */
static inline void shk_note_first(real **first, const real *lambda, int m)
{
  for (int i = 0; *first && i < m; i++)
    (*first)[i] = lambda[i];
  *first = NULL;
}

#endif
