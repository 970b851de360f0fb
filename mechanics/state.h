/* States of an integration, owned by whoever drives it. */
#ifndef MECHANICS_STATE_H
#define MECHANICS_STATE_H

#include <shakedown/integrator.h>

#define shk_state_init SHK_NAME(shk_state_init)
#define shk_state_clear SHK_NAME(shk_state_clear)
#define shk_state_copy SHK_NAME(shk_state_copy)
#define shk_state_is_finite SHK_NAME(shk_state_is_finite)

/* Zeroed arrays for n coordinates and m constraints; false without memory. */
bool shk_state_init(struct shk_state *state, int n, int m);
void shk_state_clear(struct shk_state *state);
/* Sizes must agree. */
void shk_state_copy(struct shk_state *to, const struct shk_state *from);
/* Whether q, p, lambda and mu are. */
bool shk_state_is_finite(const struct shk_state *state);

#endif
