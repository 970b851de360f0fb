/*
 * The common part of SHAKE and RATTLE over a flow: the options `flow`, SHK_SOLVING_OPTIONS and `guess`, and
 * one of two forms. Over Störmer-Verlet with constraints g(q) that is the classical one
 * (stormer_verlet.h), else the geometric one (geometric.h).
 */
#ifndef INTEGRATORS_KIT_OVER_FLOW_H
#define INTEGRATORS_KIT_OVER_FLOW_H

#include "integrators/kit/geometric.h"
#include "integrators/kit/stormer_verlet.h"

/* Where the solve for lambda begins: in the order of the heads. */
enum shk_guess { SHK_GUESS_PREVIOUS, SHK_GUESS_ZERO, SHK_GUESS_EXTRAPOLATED };

/* Which momentum SHAKE hands on: in the order of the heads. */
enum shk_handed_on { SHK_CARRIED, SHK_CENTRAL };

/* The struct of the method. */
struct shk_over_flow {
  struct shk_evaluator *evaluator;
  int n, m;
  int flow;     /* enum shk_flow_kind */
  int guess;    /* enum shk_guess */
  int momentum; /* enum shk_handed_on; of SHAKE */
  const struct shk_values *flow_options;
  struct shk_solving solving;
  struct shk_verlet *verlet;       /* the classical form, */
  struct shk_geometric *geometric; /* or the other: one of them is NULL */
  real *work;                      /* of the constraints; NULL: not wanted */
  struct shk_state guessed;        /* a step's start with another lambda, in the array `first` */
  real *first, *before, *last;     /* m: the lambdas of the last two steps, if `held` */
  bool held;
  /* momentum=central */
  struct shk_state ahead;
  real *G1, *kick;
};

#define shk_over_flow_options SHK_NAME(shk_over_flow_options)
#define shk_shake_options SHK_NAME(shk_shake_options)
#define shk_over_flow_arrays SHK_NAME(shk_over_flow_arrays)
#define shk_guessed SHK_NAME(shk_guessed)
#define shk_remember_lambda SHK_NAME(shk_remember_lambda)
#define shk_bind_over_flow SHK_NAME(shk_bind_over_flow)
#define shk_over_flow_claims SHK_NAME(shk_over_flow_claims)

extern const struct shk_option shk_over_flow_options[];
/* With `momentum`. */
extern const struct shk_option shk_shake_options[];
extern const struct shk_array shk_over_flow_arrays[];
/* `from` with the lambda at which the solve is to begin. */
const struct shk_state *shk_guessed(struct shk_over_flow *method, const struct shk_state *from);
/* After a step from `from` to `to`: what guess=extrapolated goes on from. */
void shk_remember_lambda(struct shk_over_flow *method, const struct shk_state *to,
                         const struct shk_state *from);
/* With `rattle` each step ends on the hidden constraint. */
struct shk_status shk_bind_over_flow(struct shk_over_flow *method,
                                     const struct shk_binding *binding, bool rattle);
/* Adapts the claims over Störmer-Verlet to the options. */
void shk_over_flow_claims(struct shk_claims *claims, const struct shk_over_flow *method,
                          bool rattle);

#endif
