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

/* Zero times what is not finite is no number; four sums at once, since each waits for itself. */
static bool all_finite(const real *x, int n)
{
  real sums[4] = {0, 0, 0, 0};
  int i = 0;
  for (; i + 4 <= n; i += 4)
    for (int k = 0; k < 4; k++)
      sums[k] += 0 * x[i + k];
  for (; i < n; i++)
    sums[0] += 0 * x[i];
  return sums[0] + sums[1] + (sums[2] + sums[3]) == 0;
}

bool shk_state_is_finite(const struct shk_state *state)
{
  return all_finite(state->q, state->n) && all_finite(state->p, state->n) &&
         all_finite(state->lambda, state->m) && all_finite(state->mu, state->m);
}
