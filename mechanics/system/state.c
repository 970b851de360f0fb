/* States of an integration: one block of memory each. */
#include "mechanics/system/state.h"

#include <stdlib.h>
#include <string.h>

bool shk_state_init(struct shk_state *state, int n, int m)
{
  *state = (struct shk_state){.n = n, .m = m};
  real *block = calloc(4 * (size_t)n + 2 * (size_t)m + 1, sizeof *block);
  if (!block)
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
  const size_t n = (size_t)from->n * sizeof(real), m = (size_t)from->m * sizeof(real);
  to->t = from->t;
  memcpy(to->q, from->q, n);
  memcpy(to->p, from->p, n);
  memcpy(to->q_carry, from->q_carry, n);
  memcpy(to->p_carry, from->p_carry, n);
  memcpy(to->lambda, from->lambda, m);
  memcpy(to->mu, from->mu, m);
}

/* Several sums at once, since each waits for itself. */
static real sum_of(const real *x, int n)
{
  enum { SUMS = 8 };
  real sum = 0;
  int i = 0;
  if (n >= SUMS) {
    real sums[SUMS] = {0};
    for (; i + SUMS <= n; i += SUMS)
      for (int k = 0; k < SUMS; k++)
        sums[k] += x[i + k];
    for (int k = 0; k < SUMS; k++)
      sum += sums[k];
  }
  for (; i < n; i++)
    sum += x[i];
  return sum;
}

/* A sum with a term that is not finite is not finite; one that overflows otherwise is checked
 * again. In quad sums cost more than looking. */
static bool all_finite(const real *x, int n)
{
  if (REAL_DIGITS < 30 && real_isfinite(sum_of(x, n)))
    return true;
  for (int i = 0; i < n; i++)
    if (!real_isfinite(x[i]))
      return false;
  return true;
}

bool shk_state_is_finite(const struct shk_state *state)
{
  /* q and p are one array, and so are lambda and mu: shk_state_init. */
  return all_finite(state->q, 2 * state->n) && all_finite(state->lambda, 2 * state->m);
}

uint64_t shk_state_sum(const struct shk_state *state)
{
  const size_t reals = 4 * (size_t)state->n + 2 * (size_t)state->m;
  const size_t words = reals * sizeof(real) / sizeof(uint64_t);
  const char *const bytes = (const char *)state->q;
  uint64_t sum = 0;
  for (size_t i = 0; i < words; i++) {
    uint64_t word;
    memcpy(&word, bytes + i * sizeof word, sizeof word);
    sum += word * (2 * i + 1); /* an odd factor loses no bit */
  }
  return sum;
}
