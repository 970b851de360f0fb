/* The states of an integration, each of which occupies a single block of memory. */
#include "mechanics/system/state.h"

#include "mechanics/algebra/inlined.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static bool init_state(struct shk_state *state, int n, int m, int memory)
{
  *state = (struct shk_state){.n = n, .m = m, .memory_count = memory};
  real *block = calloc(4 * (size_t)n + 2 * (size_t)m + (size_t)memory + 1, sizeof *block);
  if (!block)
    return false;
  state->q = block;
  state->p = state->q + n;
  state->q_carry = state->p + n;
  state->p_carry = state->q_carry + n;
  state->lambda = state->p_carry + n;
  state->mu = state->lambda + m;
  state->memory = state->mu + m;
  return true;
}

bool shk_state_init(struct shk_state *state, int n, int m)
{
  return init_state(state, n, m, 0);
}

bool shk_state_init_like(struct shk_state *state, const struct shk_state *other)
{
  return init_state(state, other->n, other->m, other->memory_count);
}

bool shk_state_add_memory(struct shk_state *state, size_t count)
{
  struct shk_state old = *state;
  if (count > INT_MAX || !init_state(state, old.n, old.m, (int)count)) {
    *state = old;
    return false;
  }
  old.memory_count = 0;
  shk_state_copy(state, &old);
  shk_state_clear(&old);
  return true;
}

void shk_state_clear(struct shk_state *state)
{
  free(state->q);
  *state = (struct shk_state){0};
}

void shk_state_copy(struct shk_state *to, const struct shk_state *from)
{
  const size_t n = (size_t)from->n * sizeof(real), m = (size_t)from->m * sizeof(real);
  to->t = from->t;
  memcpy(to->q, from->q, n);
  memcpy(to->p, from->p, n);
  memcpy(to->q_carry, from->q_carry, n);
  memcpy(to->p_carry, from->p_carry, n);
  memcpy(to->lambda, from->lambda, m);
  memcpy(to->mu, from->mu, m);
  if (from->memory_count > 0 && to->memory_count == from->memory_count)
    memcpy(to->memory, from->memory, (size_t)from->memory_count * sizeof(real));
}

SHK_CLONES static bool all_finite(const real *x, int n)
{
  bool finite = true;
  for (int i = 0; i < n; i++)
    finite &= real_isfinite(x[i]);
  return finite;
}

bool shk_state_is_finite(const struct shk_state *state)
{
  /* shk_state_init stores q and p in one array, and lambda, mu and the memory in another. */
  return all_finite(state->q, 2 * state->n) &&
         all_finite(state->lambda, 2 * state->m + state->memory_count);
}

size_t shk_state_numbers(const struct shk_state *state)
{
  return 4 * (size_t)state->n + 2 * (size_t)state->m + (size_t)state->memory_count;
}

uint64_t shk_state_sum(const struct shk_state *state)
{
  return XXH3_64bits(state->q, shk_state_numbers(state) * sizeof(real));
}
