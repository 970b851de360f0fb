/*
 * When the lanes of a solve end: the simple cases of the stopping rule (stopping.h), lane by lane. A
 * lane is done, or left to a solve of its own, or continues.
 */
#ifndef MECHANICS_SOLVERS_KIT_LANES_H
#define MECHANICS_SOLVERS_KIT_LANES_H

#include "mechanics/algebra/inlined.h"
#include "mechanics/algebra/simd.h"
#include <shakedown/iteration.h>

/* Corrections after which a lane is left to a solve of its own. Most take one to four. */
#define SHK_PLAIN_LIMIT 12

struct lanes {
  const struct shk_iteration *iteration; /* its tolerance and its limit */
  const struct shk_iteration_rule *rule;
  long count;            /* of corrections */
  simd rounding, before; /* rounding: or the tolerance, if there is one */
  simd_mask done, left;
};

/* Leaves those continuing lanes whose matrix is not regular. */
INLINED void shk_lanes_leave(struct lanes *p, simd_mask regular)
{
  p->left |= ~p->done & ~regular;
}

/* Ends all lanes and returns true if all residuals are small enough and no lane was left. */
INLINED bool shk_lanes_all_done(struct lanes *p, simd_mask small)
{
  if (simd_bits(small & ~p->left) != SIMD_ALL)
    return false;
  p->done = simd_true();
  return true;
}

/* Ends lanes by the residual of an iterate. Returns whether no lane continues. */
INLINED bool shk_lanes_end(struct lanes *p, simd residual, bool to_tolerance)
{
  const bool counts = p->count >= p->rule->from;
  const bool last = p->count >= SHK_PLAIN_LIMIT || p->count >= p->iteration->limit;
  const simd_mask open = ~(p->done | p->left);
  const simd_mask falls = counts ? simd_less(residual, p->before * simd_all(R(0.5))) : simd_true();
  simd_mask well = simd_at_most(residual, p->rounding);
  if (!to_tolerance)
    well |= ~falls & simd_at_most(residual, simd_all(p->rule->slow) * p->rounding);
  p->done |= open & well;
  p->left |= open & ~well & (last ? simd_true() : ~falls);
  p->before = residual;
  return simd_bits(p->done | p->left) == SIMD_ALL;
}

/* max|x_i|; not a number if one is not finite. */
INLINED simd shk_lanes_norm(const simd *x, int count)
{
  simd result = simd_abs(x[0]), nothing = x[0] - x[0];
  for (int i = 1; i < count; i++) {
    result = simd_max(result, simd_abs(x[i]));
    nothing += x[i] - x[i];
  }
  return result + nothing;
}

#endif
