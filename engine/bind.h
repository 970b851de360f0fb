/*
 * Binds a cell's texts to a system, a method and a start, in the precision of the compilation.
 */
#ifndef ENGINE_BIND_H
#define ENGINE_BIND_H

#include "engine/context.h"
#include "foundation/message.h"
#include "foundation/specifications/cell.h"
#include "measures/structure.h"
#include "mechanics/diagnosis/floors.h"
#include "mechanics/diagnosis/generic_rank.h"

/* The system, method and start to which a cell is bound. */
struct shk_bound {
  const struct shk_context *context;
  const struct shk_problem *problem;
  const struct shk_integrator *integrator;
  /* options of the problem and of the integrator (owned) */
  struct shk_values *parameters, *options;
  struct shk_instance instance;
  struct shk_evaluator evaluator; /* used by the method; its counters measure the work */
  struct shk_evaluator observer;  /* used by the measures */
  struct shk_manifold *manifold;  /* uses the observer */
  /* these use the observer; floors at the problem's own start and at this start */
  struct shk_floors floors;
  real *scales; /* 2n: q_scale and p_scale of the maps (structure.h) */
  void *method;
  struct shk_state start;
  struct shk_generic_rank ranks; /* `near` is -1 if the start is regular or the ranks are unknown */
  real step, until, tolerance;   /* step 0 if none */
  /* true once the method has taken its first step (shk_deficient_try) */
  bool stepped;
};

/* Binds only the problem: instance, evaluators, manifold. Call shk_unbind afterwards, also after a
 * failure. */
enum shk_code shk_bind_problem(const struct shk_context *context, struct shk_bound *bound,
                               const char *problem, struct shk_message *error);
/* Makes the start from the texts q and p (NULL for the problem's own start). With `project`, the
 * start is projected; otherwise it must be consistent. An explicit start has no exact solution. */
enum shk_code shk_bind_point(struct shk_bound *bound, const char *q, const char *p, bool project,
                             struct shk_message *error);
/* Checks that integrators can start from this start, computes the multiplier by the exact formula,
 * and finds the ranks. Returns SHK_REFUSED and sets the reason if the problem is ill-posed or
 * nonholonomic. */
enum shk_code shk_bind_check_start(struct shk_bound *bound, struct shk_message *error);
/* Binds a whole cell. Returns SHK_REFUSED and sets the reason if the integrator does not apply. */
enum shk_code shk_bind_cell(const struct shk_context *context, struct shk_bound *bound,
                            const struct shk_cell *cell, struct shk_message *error);
/* Binds the method again, to the state before its first step, and resets the work counters. */
struct shk_status shk_bind_method(struct shk_bound *bound);
/* Returns the one-step map with length `step`, which is valid until the method is bound again. */
struct shk_map shk_bind_map(const struct shk_bound *bound, real step);
void shk_unbind(struct shk_bound *bound);

/* Binds a cell for an outcome and stores the sizes there. On failure, returns false, with code and
 * reason in the outcome. Call shk_unbind in either case. */
bool shk_bind_outcome(const struct shk_context *context, struct shk_bound *bound,
                      struct shk_outcome *outcome, const struct shk_cell *cell);
/* Stores a status in the outcome and, if a solve has failed, the method's residual history. */
void shk_bind_report(const struct shk_bound *bound, struct shk_outcome *outcome,
                     struct shk_status status);
/* Stores the text of a status that is not ok, and returns its code. */
enum shk_code shk_bind_fail(struct shk_message *error, struct shk_status status);

/* Returns SHK_INCONSISTENT and sets the reason if a row of g or of the hidden constraint at
 * bound->start exceeds 1000 round-off floors. Leaves the start's multipliers at zero. */
enum shk_code shk_check_consistency(struct shk_bound *bound, struct shk_message *error);

/* ---- starts at which the constraints lose rank: redundant or singular ---- */

/* Stores the ranks at and near the start in bound->ranks, if rows of G are dependent there and
 * there are at most SHK_RANK_LIMIT of them; otherwise the ranks stay unknown. A rank that is
 * certainly below m is stored in both evaluators for solves off the constraints. The start's
 * multiplier is then the shortest one. */
struct shk_status shk_deficient_find(struct shk_bound *bound);
/* The first function stores the ranks and the multiplier of the start for other cells; call it
 * after shk_bind_check_start. The second function takes them from the context. */
void shk_deficient_give(struct shk_known_start *known, struct shk_bound *bound);
struct shk_status shk_deficient_take(struct shk_bound *bound);
/* Tests with a step, which is then discarded, that the bound method can start here. Returns
 * SHK_REFUSED and sets the reason if it cannot. Returns SHK_OK without a step unless the ranks are
 * certainly deficient. Sets *tried if a step was taken, after which the method must be bound
 * again. */
enum shk_code shk_deficient_try(struct shk_bound *bound, bool *tried, struct shk_message *error);
/* Stores the first `room` rows of G at the start that depend on earlier rows, and the number of all
 * such rows in *count. */
struct shk_status shk_deficient_rows(struct shk_relation *relations, int room, int *count,
                                     struct shk_bound *bound);

/* Stores the claims of an integrator's specification. On failure, returns false and sets the
 * reason. Some claims have defaults: `reversible` defaults to the claim of `symmetric`; fixed-step
 * methods claim a modified Hamiltonian if they are presymplectic, and equivariance under
 * permutations if they claim an order for q. */
shk_claims_call shk_bind_claims;

#endif
