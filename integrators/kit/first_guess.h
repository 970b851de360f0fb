/* The option `guess` of SHAKE and RATTLE: where the solve for lambda begins. */
#ifndef INTEGRATORS_KIT_FIRST_GUESS_H
#define INTEGRATORS_KIT_FIRST_GUESS_H

#include <shakedown/bind.h>

enum { SHK_GUESS_PREVIOUS, SHK_GUESS_ZERO, SHK_GUESS_EXTRAPOLATED };

/* A member of the method's struct. The binding allocates its arrays. */
struct shk_first_guess {
  int kind;               /* index in shk_guess_choices, a value of the enum above */
  struct shk_state state; /* start of a step, with `lambda` below in place of its own */
  real *lambda;           /* m */
  real *before, *last;    /* m: lambda of the last two steps */
  bool held;              /* whether `before` and `last` are stored */
};

#define SHK_FIRST_GUESS_OPTION(type, member)                                                       \
  SHK_CHOICE(type, member.kind, "guess", shk_guess_choices, "previous",                            \
             "initial guess of the solve for lambda; with linear=qr and svd always zero")

extern const struct shk_choice shk_guess_choices[];
/* Returns `from` with the selected initial guess of lambda in place of its own, which is the guess
 * with SHK_GUESS_PREVIOUS. The result is valid until the next call. */
const struct shk_state *shk_guessed(struct shk_first_guess *guess, const struct shk_state *from);
/* Stores the multipliers of a step from `from` to `to`, for guess=extrapolated. */
void shk_note_lambda(struct shk_first_guess *guess, const struct shk_state *to,
                     const struct shk_state *from);
/* Returns 2 lambda (m) of a state, or zero with guess=zero. This is the initial guess for a step
 * with twice the multiplier. The result is valid until the next call. */
real *shk_guess_twice(struct shk_first_guess *guess, const struct shk_state *at);

#endif
