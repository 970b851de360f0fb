/*
 * When an iteration for multipliers ends, and the residuals it has left: one rule for every solver.
 *
 *     position solve   max|g| is down to the tolerance, or, with tolerance 0, no larger than the
 *                      rounding of g or within a small factor of it, or of what terms of Gᵀλ leave
 *                      of g where they cancel, and no longer falling
 *     hidden solve     max|G H_p + g_t| is no larger than its rounding, or, after two corrections,
 *                      within a small factor of it and no longer falling
 *
 * Anything else goes on until nothing improves or the limit of iterations is met: a failure.
 */
#ifndef MECHANICS_ALGEBRA_CONVERGENCE_H
#define MECHANICS_ALGEBRA_CONVERGENCE_H

#include <shakedown/real.h>
#include <shakedown/status.h>

enum { SHK_JUDGE_HISTORY = 64 };

/* A residual that has stopped falling is accepted up to this many times its rounding. */
#define SHK_STAGNATION_FACTOR 64

/* Where terms that cancel leave more of g than its own rounding, it is accepted up to this many
 * times the latter: who claims to keep a constraint to round-off still does. */
#define SHK_CANCELLED_FACTOR 262144

enum shk_verdict { SHK_GO_ON, SHK_SOLVED, SHK_GIVEN_UP };

/* The rounding of the residual at the iterate just judged, in its unit. `cancelled`: with that of
 * terms that cancel in what the residual is made of, which is asked only when it stagnates. */
typedef real shk_judge_rounding(void *user, bool cancelled);

struct shk_judge {
  /* The rule: of the position solve only but for `limit`. */
  real tolerance;
  long limit;       /* of iterations */
  int patience;     /* iterations without a new least residual after which a solve is given up */
  bool linear_rate; /* the iteration converges linearly: only what does not fall at all stagnates */
  /* The solve that runs. */
  shk_judge_rounding *estimate;
  void *user;
  long iteration; /* judged so far */
  real rounding, before, least;
  int since_least;
  struct shk_status status; /* why it was given up */
  /* Residuals of the last solve: the newest are kept, cyclically. */
  double history[SHK_JUDGE_HISTORY];
  int history_count;
};

#define shk_judge_begin SHK_NAME(shk_judge_begin)
#define shk_judge_remember SHK_NAME(shk_judge_remember)
#define shk_judge_pass SHK_NAME(shk_judge_pass)
#define shk_judge_position SHK_NAME(shk_judge_position)
#define shk_judge_hidden SHK_NAME(shk_judge_hidden)
#define shk_judge_history SHK_NAME(shk_judge_history)

/* Forgets the solve before. */
void shk_judge_begin(struct shk_judge *judge, shk_judge_rounding *estimate, void *user);
/* Notes a residual, before it is judged. */
void shk_judge_remember(struct shk_judge *judge, real residual);
/* Notes the residual of an iterate of the hidden solve that is corrected without a verdict. */
void shk_judge_pass(struct shk_judge *judge, real residual);
/* The verdict on max|g| of the next iterate; after SHK_GIVEN_UP the reason is in `status`. */
enum shk_verdict shk_judge_position(struct shk_judge *judge, real residual);
/* The same of the hidden solve. */
enum shk_verdict shk_judge_hidden(struct shk_judge *judge, real residual);
/* The newest residuals, the newest last; returns how many, at most `limit`. */
int shk_judge_history(const struct shk_judge *judge, double *residuals, int limit);

#endif
