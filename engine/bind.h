/*
 * Binding of a cell's texts to a system, a method and a start, in the precision of the compilation.
 */
#ifndef ENGINE_BIND_H
#define ENGINE_BIND_H

#include "engine/context.h"
#include "foundation/message.h"
#include "foundation/specifications/cell.h"
#include "measures/structure.h"
#include "mechanics/diagnosis/floors.h"
#include "mechanics/diagnosis/generic_rank.h"

/* The system, method and start that a cell is bound to. */
struct shk_bound {
  const struct shk_context *context;
  const struct shk_problem *problem;
  const struct shk_integrator *integrator;
  struct shk_values *parameters, *options; /* of the problem, of the integrator; owned */
  struct shk_instance instance;
  struct shk_evaluator evaluator; /* of the method: its counters are the work */
  struct shk_evaluator observer;  /* of the measures */
  struct shk_manifold *manifold;  /* on the observer */
  struct shk_floors floors;       /* on the observer: of the problem's own start, and of this one */
  real *scales;                   /* 2n: q_scale and p_scale of its maps (structure.h) */
  void *method;
  struct shk_state start;
  struct shk_generic_rank ranks; /* near = -1: the start is regular, or the ranks are unknown */
  real step, until, tolerance;   /* step 0: none */
  bool stepped;                  /* the method has taken the first step (shk_deficient_try) */
};

/* Binds the problem alone: instance, evaluators, manifold. shk_unbind must follow, also after a
 * failure. */
enum shk_code shk_bind_problem(const struct shk_context *context, struct shk_bound *bound,
                               const char *problem, struct shk_message *error);
/* Makes the start from the texts q and p (NULL: the problem's own), projected if `project` is true;
 * otherwise it must be consistent. An explicit start has no exact solution. */
enum shk_code shk_bind_point(struct shk_bound *bound, const char *q, const char *p, bool project,
                             struct shk_message *error);
/* Checks that integrators can start there, computes the multiplier by the exact formula, and finds
 * the ranks. SHK_REFUSED with the reason for an ill-posed or nonholonomic problem. */
enum shk_code shk_bind_check_start(struct shk_bound *bound, struct shk_message *error);
/* Binds a whole cell. SHK_REFUSED with the reason: the integrator does not apply. */
enum shk_code shk_bind_cell(const struct shk_context *context, struct shk_bound *bound,
                            const struct shk_cell *cell, struct shk_message *error);
/* Binds the method again, as before its first step, with no work counted. */
struct shk_status shk_bind_method(struct shk_bound *bound);
/* The map of one step of length `step`, until the method is bound again. */
struct shk_map shk_bind_map(const struct shk_bound *bound, real step);
void shk_unbind(struct shk_bound *bound);

/* Binds a cell for an outcome, which gets its sizes. False with code and reason in the outcome.
 * shk_unbind must follow either way. */
bool shk_bind_outcome(const struct shk_context *context, struct shk_bound *bound,
                      struct shk_outcome *outcome, const struct shk_cell *cell);
/* Stores a status in the outcome, with the residual history of the method if a solve has failed. */
void shk_bind_report(const struct shk_bound *bound, struct shk_outcome *outcome,
                     struct shk_status status);
/* Stores the text of a status that is not ok; returns its code. */
enum shk_code shk_bind_fail(struct shk_message *error, struct shk_status status);

/* SHK_INCONSISTENT with the reason if a row of g or of the hidden constraint at bound->start exceeds
 * 1000 floors of round-off. The multipliers of the start are left zero. */
enum shk_code shk_check_consistency(struct shk_bound *bound, struct shk_message *error);

/* ---- starts at which the constraints lose rank: redundant or singular ---- */

/* Stores the ranks at and near the start in bound->ranks, if rows of G are dependent there and at
 * most SHK_RANK_LIMIT; otherwise they are unknown. A rank below m that is sure is stored in both
 * evaluators, for solves off the constraints; the start's multiplier is then the shortest. */
struct shk_status shk_deficient_find(struct shk_bound *bound);
/* Store ranks and multiplier of the start for other cells, after shk_bind_check_start, and take them
 * from the context's. */
void shk_deficient_give(struct shk_known_start *known, struct shk_bound *bound);
struct shk_status shk_deficient_take(struct shk_bound *bound);
/* Tests by a step, which is discarded, that the bound method can start here; SHK_REFUSED with the
 * reason if not. SHK_OK without a step unless the ranks are surely deficient. *tried: a step was
 * made, and the method must be bound again. */
enum shk_code shk_deficient_try(struct shk_bound *bound, bool *tried, struct shk_message *error);
/* Stores the first `room` rows of G at the start that depend on earlier rows, and in *count the
 * number of all such rows. */
struct shk_status shk_deficient_rows(struct shk_relation *relations, int room, int *count,
                                     struct shk_bound *bound);

/* Stores the claims of an integrator's specification; false with the reason. Some claims have
 * defaults: reversible as symmetric; for methods of fixed steps, a modified Hamiltonian if
 * presymplectic, and equivariance under permutations if there is an order of q. */
shk_claims_call shk_bind_claims;

#endif
