/* States of an integration: one block of memory each. */
#include "mechanics/state.h"

#include <stdlib.h>
#include <string.h>

static size_t state_count(const struct shk_state *state)
{
  return 4 * (size_t)state->n + 2 * (size_t)state->m;
}

bool shk_state_init(struct shk_state *state, int n, int m)
{
  *state = (struct shk_state){.n = n, .m = m};
  real *block = calloc(state_count(state) + 1, sizeof *block);
  if (block == NULL)
    return false;
  state->q = block;
  state->p = state->q + n;
  state->q_carry = state->p + n;
  state->p_carry = state->q_carry + n;
  state->lambda = state->p_carry + n;
  state->mu = state->lambda + m;
  return true;
}

void shk_state_clear(struct shk_state *state)
{
  free(state->q);
  *state = (struct shk_state){0};
}

void shk_state_copy(struct shk_state *to, const struct shk_state *from)
{
  to->t = from->t;
  memcpy(to->q, from->q, state_count(from) * sizeof *to->q);
}

bool shk_state_is_finite(const struct shk_state *state)
{
  return real_isfinite(real_max_norm(state->q, state->n)) &&
         real_isfinite(real_max_norm(state->p, state->n)) &&
         real_isfinite(real_max_norm(state->lambda, state->m)) &&
         real_isfinite(real_max_norm(state->mu, state->m));
}
