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

/* The claims of an integrator's specification. */
bool shk_bind_claims(const struct shk_context *context, struct shk_claims *claims,
                     const char *integrator, struct shk_message *error);

#endif
