/* States of an integration: what only the driver needs. */
#ifndef MECHANICS_SYSTEM_STATE_H
#define MECHANICS_SYSTEM_STATE_H

#include <shakedown/integrator.h>

#define shk_state_is_finite SHK_NAME(shk_state_is_finite)

/* Whether q, p, lambda and mu are. */
bool shk_state_is_finite(const struct shk_state *state);

#endif
