/* The option `guess` of SHAKE and RATTLE, which selects the initial guess in the solve for
 * lambda. */
#ifndef INTEGRATORS_KIT_FIRST_GUESS_H
#define INTEGRATORS_KIT_FIRST_GUESS_H

#include <shakedown/bind.h>

enum { SHK_GUESS_PREVIOUS, SHK_GUESS_ZERO, SHK_GUESS_EXTRAPOLATED };

/* Used as a member of the method's struct. Its arrays are allocated by the binding. */
struct shk_first_guess {
  int kind; /* index into shk_guess_choices, which is a value of the enum above */
  /* state at the start of a step, except that its lambda is `lambda` below */
  struct shk_state state;
  real *lambda;        /* m */
  real *before, *last; /* m entries each: lambda of the last two steps */
  bool held;           /* whether `before` and `last` have been stored */
};

#define SHK_FIRST_GUESS_OPTION(type, member)                                                       \
  SHK_CHOICE(type, member.kind, "guess", shk_guess_choices, "previous",                            \
             "initial guess in the solve for lambda; always zero with linear=qr and linear=svd")

extern const struct shk_choice shk_guess_choices[];
/* Returns a copy of `from` in which lambda is replaced by the selected initial guess. With
 * SHK_GUESS_PREVIOUS, the guess is the lambda of `from` itself. The result is valid until the next
 * call. */
const struct shk_state *shk_guessed(struct shk_first_guess *guess, const struct shk_state *from);
/* Stores the multipliers of a step from `from` to `to`, which guess=extrapolated needs. */
void shk_note_lambda(struct shk_first_guess *guess, const struct shk_state *to,
                     const struct shk_state *from);
/* Returns twice a state's lambda (m), or zero with guess=zero. This is the initial guess for steps
 * in which the multiplier is twice as large. The result is valid until the next call. */
real *shk_guess_twice(struct shk_first_guess *guess, const struct shk_state *at);

#endif
