/* Functions for integration states that are used only by the driver. */
#ifndef MECHANICS_SYSTEM_STATE_H
#define MECHANICS_SYSTEM_STATE_H

#include <shakedown/parts/integrator.h>
#include <stdint.h>

/* Allocates zeroed arrays for n coordinates and m constraints, but no memory for a method. Returns
 * false if memory runs out. */
bool shk_state_init(struct shk_state *state, int n, int m);
/* Allocates a state with the sizes of another state, including the size of its memory. */
bool shk_state_init_like(struct shk_state *state, const struct shk_state *other);
void shk_state_clear(struct shk_state *state);
/* Returns true if q, p, lambda, mu and the memory contain only finite numbers. */
bool shk_state_is_finite(const struct shk_state *state);
/* Returns the number of values in a state from shk_state_init. They form one block that begins at
 * q: q, p, q_carry, p_carry, lambda, mu, memory. */
size_t shk_state_numbers(const struct shk_state *state);
/* Returns a hash of the bits of a state that was initialized by shk_state_init. */
uint64_t shk_state_sum(const struct shk_state *state);
/* Extends a state's memory by `count` zeros and leaves everything else unchanged. Returns false if
 * allocation fails. */
bool shk_state_add_memory(struct shk_state *state, size_t count);

#endif
