/*
 * Binds a cell's strings to a system, a method and a start, using the precision for which the file
 * is compiled.
 */
#ifndef ENGINE_BIND_H
#define ENGINE_BIND_H

#include "engine/context.h"
#include "foundation/message.h"
#include "foundation/specifications/cell.h"
#include "measures/structure.h"
#include "mechanics/diagnosis/floors.h"
#include "mechanics/diagnosis/generic_rank.h"

/* The system, the method and the start to which a cell is bound. */
struct shk_bound {
  const struct shk_context *context;
  const struct shk_problem *problem;
  const struct shk_integrator *integrator;
  /* the options of the problem and of the integrator; this struct owns both */
  struct shk_values *parameters, *options;
  struct shk_instance instance;
  /* the evaluator used by the method; its counters measure the method's work */
  struct shk_evaluator evaluator;
  struct shk_evaluator observer; /* the evaluator used by the measures */
  struct shk_manifold *manifold; /* uses the observer */
  /* floors at the problem's own start and at this start, computed with the observer */
  struct shk_floors floors;
  real *scales; /* q_scale and p_scale of the maps (structure.h), 2n numbers in total */
  void *method;
  struct shk_state start;
  /* ranks.near is -1 if the start is regular or the ranks are unknown */
  struct shk_generic_rank ranks;
  real step, until, tolerance; /* `step` is 0 if the cell has none */
  /* true once the method has taken its first step (shk_deficient_try) */
  bool stepped;
};

/* Binds only the problem, that is, its instance, evaluators and manifold. Call shk_unbind
 * afterwards, even after a failure. */
enum shk_code shk_bind_problem(const struct shk_context *context, struct shk_bound *bound,
                               const char *problem, struct shk_message *error);
/* Creates the start from the strings q and p (NULL for the problem's own start). If `project` is
 * true, the start is projected; otherwise it must be consistent. No exact solution is known for a
 * start given as a string. */
enum shk_code shk_bind_point(struct shk_bound *bound, const char *q, const char *p, bool project,
                             struct shk_message *error);
/* Checks that integrators can start here, computes the multiplier with the exact formula, and finds
 * the ranks. Returns SHK_REFUSED and sets the reason if the problem is ill-posed or
 * nonholonomic. */
enum shk_code shk_bind_check_start(struct shk_bound *bound, struct shk_message *error);
/* Binds a whole cell. Returns SHK_REFUSED and sets the reason if the integrator does not apply. */
enum shk_code shk_bind_cell(const struct shk_context *context, struct shk_bound *bound,
                            const struct shk_cell *cell, struct shk_message *error);
/* Binds the method again, restoring the state before its first step, and resets the work
 * counters. */
struct shk_status shk_bind_method(struct shk_bound *bound);
/* Returns the one-step map with length `step`, which is valid until the method is bound again. */
struct shk_map shk_bind_map(const struct shk_bound *bound, real step);
void shk_unbind(struct shk_bound *bound);

/* Binds a cell and stores its sizes in the outcome. On failure, returns false and stores the code
 * and the reason in the outcome. Call shk_unbind in either case. */
bool shk_bind_outcome(const struct shk_context *context, struct shk_bound *bound,
                      struct shk_outcome *outcome, const struct shk_cell *cell);
/* Stores a status in the outcome and, if a solve has failed, the method's residual history. */
void shk_bind_report(const struct shk_bound *bound, struct shk_outcome *outcome,
                     struct shk_status status);
/* Stores the message of a status that is not ok, and returns its code. */
enum shk_code shk_bind_fail(struct shk_message *error, struct shk_status status);

/* Returns SHK_INCONSISTENT and sets the reason if any row of g or of the hidden constraint exceeds
 * 1000 round-off floors at bound->start. The start's multipliers remain zero. */
enum shk_code shk_check_consistency(struct shk_bound *bound, struct shk_message *error);

/* ---- starts at which the constraints lose rank: redundant or singular ---- */

/* Stores the ranks at and near the start in bound->ranks if rows of G are dependent at the start
 * and G has at most SHK_RANK_LIMIT rows. Otherwise, the ranks remain unknown. If a rank is
 * certainly below m, it is stored in both evaluators for solves off the constraints, and the
 * start's multiplier becomes the shortest one. */
struct shk_status shk_deficient_find(struct shk_bound *bound);
/* shk_deficient_give stores the ranks and the multiplier of the start so that other cells can reuse
 * them; call it after shk_bind_check_start. shk_deficient_take copies them from the context. */
void shk_deficient_give(struct shk_known_start *known, struct shk_bound *bound);
struct shk_status shk_deficient_take(struct shk_bound *bound);
/* Takes a step and discards it, to test whether the bound method can start here. Returns
 * SHK_REFUSED and sets the reason if it cannot. Unless the ranks are certainly deficient, returns
 * SHK_OK without taking a step. Sets *tried if a step was taken; the method must then be bound
 * again. */
enum shk_code shk_deficient_try(struct shk_bound *bound, bool *tried, struct shk_message *error);
/* Stores the first `room` rows of G at the start that depend on earlier rows, and the total number
 * of such rows in *count. */
struct shk_status shk_deficient_rows(struct shk_relation *relations, int room, int *count,
                                     struct shk_bound *bound);

/* Stores the claims of an integrator's specification. On failure, returns false and sets the
 * reason. Some claims have defaults. The claim `reversible` defaults to the claim `symmetric`.
 * Fixed-step methods claim a modified Hamiltonian by default if they are presymplectic, and
 * equivariance under permutations if they claim an order for q. */
shk_claims_call shk_bind_claims;

#endif
