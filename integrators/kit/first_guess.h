/* The option `guess` of SHAKE and RATTLE: where the solve for lambda begins. */
#ifndef INTEGRATORS_KIT_FIRST_GUESS_H
#define INTEGRATORS_KIT_FIRST_GUESS_H

#include <shakedown/bind.h>

enum { SHK_GUESS_PREVIOUS, SHK_GUESS_ZERO, SHK_GUESS_EXTRAPOLATED };

/* A member of the method's struct; the binding allocates its arrays. */
struct shk_first_guess {
  int kind;               /* index in shk_guess_choices, one of the enum above */
  struct shk_state state; /* start of a step with another lambda, the array `lambda` */
  real *lambda;           /* m */
  real *before, *last;    /* m: lambda of the last two steps */
  bool held;              /* `before` and `last` are stored */
};

#define SHK_FIRST_GUESS_OPTION(type, member)                                                       \
  SHK_CHOICE(type, member.kind, "guess", shk_guess_choices, "previous",                            \
             "initial guess in the solve for lambda; always zero with linear=qr and linear=svd")

extern const struct shk_choice shk_guess_choices[];
/* Returns `from` with another initial guess of lambda than its own (SHK_GUESS_PREVIOUS); valid until
 * the next call. */
const struct shk_state *shk_guessed(struct shk_first_guess *guess, const struct shk_state *from);
/* Stores the multipliers of a step from `from` to `to`, for guess=extrapolated. */
void shk_note_lambda(struct shk_first_guess *guess, const struct shk_state *to,
                     const struct shk_state *from);
/* Returns 2 lambda (m) of a state, the initial guess of a step with twice its multiplier; zero with
 * guess=zero. Valid until the next call. */
real *shk_guess_twice(struct shk_first_guess *guess, const struct shk_state *at);

#endif
