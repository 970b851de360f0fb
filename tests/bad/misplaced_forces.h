/*
 * Forces without a potential in the wrong place: wrong_gradient, in place of shk_gradient, for
 * methods of the catalogue that the plug-in includes after this file (faults.h).
 */
#ifndef TESTS_BAD_MISPLACED_FORCES_H
#define TESTS_BAD_MISPLACED_FORCES_H

#include <shakedown/plugin.h>

/* How Q is wrong, to be set in each step. */
static bool is_misplaced;
static const struct shk_state *forces_at; /* the state that Q is taken at; NULL: Q is left out */

static struct shk_status wrong_gradient(struct shk_evaluator *e, real *H_q, real t, const real *q,
                                        const real *p)
{
  SHK_TRY(shk_gradient(e, H_q, t, q, p));
  if (!is_misplaced || !e->force)
    return shk_ok();
  SHK_TRY(shk_force(e, e->force, t, q, p));
  shk_vector_add(H_q, 1, e->force, e->system->n);
  if (!forces_at)
    return shk_ok();
  SHK_TRY(shk_force(e, e->force, forces_at->t, forces_at->q, forces_at->p));
  shk_vector_add(H_q, -1, e->force, e->system->n);
  return shk_ok();
}

#define shk_gradient wrong_gradient

#endif
