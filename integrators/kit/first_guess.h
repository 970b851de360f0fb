/* The option `guess` of SHAKE and RATTLE: where the solve for lambda begins. */
#ifndef INTEGRATORS_KIT_FIRST_GUESS_H
#define INTEGRATORS_KIT_FIRST_GUESS_H

#include <shakedown/bind.h>

/* A member of the method's struct. */
struct shk_first_guess {
  int kind, m;            /* of shk_guess_heads */
  struct shk_state state; /* a step's start with another lambda, the array `lambda` */
  real *lambda;           /* m */
  real *before, *last;    /* m: the lambdas of the last two steps, if `held` */
  bool held;
};

#define SHK_FIRST_GUESS_OPTION(type, member)                                                       \
  SHK_CHOICE(type, member.kind, "guess", shk_guess_heads, "previous",                              \
             "initial guess of the solve for lambda; with linear=qr and svd always zero")

extern const struct shk_head shk_guess_heads[];
struct shk_status shk_bind_first_guess(struct shk_first_guess *guess,
                                       const struct shk_binding *binding);
/* `from` with the lambda at which the solve is to begin; valid until the next call. */
const struct shk_state *shk_guessed(struct shk_first_guess *guess, const struct shk_state *from);
/* After a step from `from` to `to`: what guess=extrapolated goes on from. */
void shk_note_lambda(struct shk_first_guess *guess, const struct shk_state *to,
                     const struct shk_state *from);
/* 2 lambda (m), the guess for a step of which lambda is half the multiplier; zero with guess=zero.
 * Valid until the next call. */
real *shk_guess_twice(struct shk_first_guess *guess, const real *lambda);

#endif
