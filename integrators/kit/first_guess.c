/* Computes initial guesses for the multipliers. See first_guess.h. */
#include "integrators/kit/first_guess.h"

#include <string.h>

const struct shk_choice shk_guess_choices[] = SHK_LIST(
    {"previous", "the lambda of the previous step"}, {"zero", "zero, as in sweeps over positions"},
    {"extrapolated",
     "twice the last lambda minus the one before it, if the step continues the previous step"});

const struct shk_state *shk_guessed(struct shk_first_guess *g, const struct shk_state *from)
{
  const size_t bytes = (size_t)from->m * sizeof(real);
  g->state = *from;
  g->state.lambda = g->lambda;
  memset(g->lambda, 0, bytes);
  if (g->kind == SHK_GUESS_ZERO)
    return &g->state;
  const bool goes_on = g->held && memcmp(g->last, from->lambda, bytes) == 0;
  for (int i = 0; i < from->m; i++)
    g->lambda[i] = goes_on ? 2 * g->last[i] - g->before[i] : from->lambda[i];
  return &g->state;
}

void shk_note_lambda(struct shk_first_guess *g, const struct shk_state *to,
                     const struct shk_state *from)
{
  if (g->kind != SHK_GUESS_EXTRAPOLATED)
    return;
  shk_copy(g->before, from->lambda, from->m);
  shk_copy(g->last, to->lambda, from->m);
  g->held = true;
}

real *shk_guess_twice(struct shk_first_guess *g, const struct shk_state *at)
{
  shk_vector_scaled(g->lambda, g->kind == SHK_GUESS_ZERO ? 0 : 2, at->lambda, at->m);
  return g->lambda;
}
