/*
 * A cell's texts turned into a system, a method and a start, in the precision of the compilation.
 */
#ifndef ENGINE_BIND_H
#define ENGINE_BIND_H

#include "engine/bound.h"
#include "foundation/message.h"
#include "foundation/specifications/cell.h"
#include "measures/structure.h"

/* The problem alone: instance, evaluators, manifold. On failure, too, *bound needs shk_unbind. */
enum shk_code shk_bind_problem(const struct shk_context *context, struct shk_bound *bound,
                               const char *problem, struct shk_message *error);
/* The start: the problem's own, or the numbers given; checked; row 0's multiplier by the exact
 * formula. */
enum shk_code shk_bind_start(struct shk_bound *bound, const char *q, const char *p, bool project,
                             struct shk_message *error);
/* Its two halves: the point, consistent or made so; then the check that integrators can go on from
 * it, SHK_REFUSED with the reason where the problem is ill-posed or nonholonomic. */
enum shk_code shk_bind_point(struct shk_bound *bound, const char *q, const char *p, bool project,
                             struct shk_message *error);
enum shk_code shk_bind_check_start(struct shk_bound *bound, struct shk_message *error);
/* A whole cell. SHK_REFUSED with the reason: the integrator does not apply. */
enum shk_code shk_bind_cell(const struct shk_context *context, struct shk_bound *bound,
                            const struct shk_cell *cell, struct shk_message *error);
/* Binds the method again, as before its first step. */
struct shk_status shk_bind_method(struct shk_bound *bound);
/* The map of one step of length `step`, until the method is bound again. */
struct shk_map shk_bind_map(const struct shk_bound *bound, real step);
void shk_unbind(struct shk_bound *bound);

/* Stores the text of a status that is not ok; returns its code. */
enum shk_code shk_bind_fail(struct shk_message *error, struct shk_status status);

/* Refuses bound->start where g or the hidden constraint is larger than what rounding decimals of q,
 * p and t to this precision can leave. `size` is that of the coordinates: the largest of the
 * problem's own start. The multipliers of the start are left zero. */
enum shk_code shk_check_consistency(struct shk_bound *bound, real size, struct shk_message *error);

/* ---- starts at which the constraints lose rank, be they redundant or singular there ---- */

/* Where the last factorization on the manifold met a singular matrix: determines the ranks at the
 * start and near it, into bound->ranks and, where they are clear, into both evaluators for solves
 * off the constraints. Beyond SHK_RANK_LIMIT constraints it does nothing and returns ok. */
struct shk_status shk_deficient_find(struct shk_bound *bound);
/* Whether the bound method can start here, by one step that is discarded; ok where the ranks are
 * not deficient, or not clear. SHK_REFUSED with the reason. *tried: the step was made, and the
 * method must be bound again. */
enum shk_code shk_deficient_try(struct shk_bound *bound, bool *tried, struct shk_message *error);
/* Stores the rows of G at the start that depend on those before them, the first `room` of them, and
 * in *count how many there are. */
struct shk_status shk_deficient_rows(struct shk_relation *relations, int room, int *count,
                                     struct shk_bound *bound);

/* The claims of an integrator's specification. */
bool shk_bind_claims(const struct shk_context *context, struct shk_claims *claims,
                     const char *integrator, struct shk_message *error);

#endif
