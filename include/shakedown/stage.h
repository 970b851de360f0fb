/* Increments between two states of a method, with their carries. */
#ifndef SHAKEDOWN_STAGE_H
#define SHAKEDOWN_STAGE_H

#include <shakedown/ode.h>
#include <shakedown/solve.h>

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
