/*
 * The common part of SHAKE and RATTLE over a flow: the options `flow` and SHK_SOLVING_OPTIONS, and
 * one of two forms. Over Störmer-Verlet with constraints g(q) that is the classical one
 * (stormer_verlet.h), else the geometric one (geometric.h).
 */
#ifndef INTEGRATORS_KIT_OVER_FLOW_H
#define INTEGRATORS_KIT_OVER_FLOW_H

#include "integrators/kit/geometric.h"
#include "integrators/kit/stormer_verlet.h"

/* The struct of the method. */
struct shk_over_flow {
  struct shk_evaluator *evaluator;
  int n, m;
  int flow; /* enum shk_flow_kind */
  const struct shk_values *flow_options;
  struct shk_solving solving;
  struct shk_verlet *verlet;       /* the classical form, */
  struct shk_geometric *geometric; /* or the other: one of them is NULL */
  real *work;                      /* of the constraints; NULL: not wanted */
};

#define shk_over_flow_options SHK_NAME(shk_over_flow_options)
#define shk_bind_over_flow SHK_NAME(shk_bind_over_flow)
#define shk_over_flow_claims SHK_NAME(shk_over_flow_claims)

extern const struct shk_option shk_over_flow_options[];
/* With `rattle` each step ends on the hidden constraint. */
struct shk_status shk_bind_over_flow(struct shk_over_flow *method,
                                     const struct shk_binding *binding, bool rattle);
/* Adapts the claims over Störmer-Verlet to the options. */
void shk_over_flow_claims(struct shk_claims *claims, const struct shk_over_flow *method,
                          bool rattle);

#endif
