/* States of an integration: what only the driver needs. */
#ifndef MECHANICS_SYSTEM_STATE_H
#define MECHANICS_SYSTEM_STATE_H

#include <shakedown/integrator.h>
#include <stdint.h>

/* Whether q, p, lambda, mu and the memory are. */
bool shk_state_is_finite(const struct shk_state *state);
/* Numbers of a state that shk_state_init made. They are one block that begins at q: q, p, q_carry,
 * p_carry, lambda, mu, memory. */
size_t shk_state_numbers(const struct shk_state *state);
/* A sum of all bits of a state that shk_state_init made: another one after any one change. */
uint64_t shk_state_sum(const struct shk_state *state);
/* Gives a state so many numbers of memory, zero; all else stays. False if the allocation fails. */
bool shk_state_add_memory(struct shk_state *state, size_t count);

#endif
