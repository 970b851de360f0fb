/* The `onto` option of projections, which selects the part of a state that is projected after a
 * step. */
#ifndef INTEGRATORS_KIT_ONTO_H
#define INTEGRATORS_KIT_ONTO_H

#include <shakedown/parts/integrator.h>

/* The entries follow the order of the choices. */
enum onto { ONTO_BOTH, ONTO_POSITION, ONTO_NONE };

static const struct shk_choice onto_choices[] =
    SHK_LIST({"both", "positions and momenta"}, {"position", "positions only", NULL},
             {"none", "no projection: a control that drifts off the constraints"});

static inline void onto_claims(struct shk_claims *claims, int onto)
{
  claims->keeps_constraint = onto == ONTO_NONE ? SHK_NO : SHK_YES;
  claims->keeps_hidden = onto == ONTO_BOTH ? SHK_YES : SHK_NO;
}

#endif
