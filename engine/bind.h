/*
 * A cell's texts turned into a system, a method and a start, in the precision of the compilation.
 */
#ifndef ENGINE_BIND_H
#define ENGINE_BIND_H

#include "foundation/message.h"
#include "foundation/specifications/cell.h"
#include "mechanics/diagnosis/generic_rank.h"
#include <shakedown/integrator.h>
#include <shakedown/solve.h>

struct shk_bound {
  const struct shk_problem *problem;
  const struct shk_integrator *integrator;
  struct shk_values *parameters, *options;
  struct shk_instance instance;
  struct shk_evaluator evaluator; /* the method's: its counters are the work */
  struct shk_evaluator observer;  /* the measures' */
  struct shk_manifold *manifold;  /* on the observer */
  void *method;
  struct shk_state start;
  struct shk_generic_rank ranks; /* near -1: the start is regular, or it was not found out */
  real step, until, tolerance;   /* step 0: none */
};

#define shk_bind_problem SHK_NAME(shk_bind_problem)
#define shk_bind_start SHK_NAME(shk_bind_start)
#define shk_bind_point SHK_NAME(shk_bind_point)
#define shk_bind_judge SHK_NAME(shk_bind_judge)
#define shk_bind_cell SHK_NAME(shk_bind_cell)
#define shk_bind_method SHK_NAME(shk_bind_method)
#define shk_unbind SHK_NAME(shk_unbind)
#define shk_bind_claims SHK_NAME(shk_bind_claims)

/* The problem alone: instance, evaluators, manifold. On failure *bound needs shk_unbind all the
 * same; the message says what. */
enum shk_code shk_bind_problem(struct shk_bound *bound, const char *problem,
                               struct shk_message *error);
/* The start: the problem's own, or the numbers given; judged; row 0's multiplier by the exact
 * formula. */
enum shk_code shk_bind_start(struct shk_bound *bound, const char *q, const char *p, bool project,
                             struct shk_message *error);
/* Its two halves. The point, consistent or made so; and what no integrator could go on from:
 * SHK_REFUSED where the problem is ill-posed there or nonholonomic, with the reason. */
enum shk_code shk_bind_point(struct shk_bound *bound, const char *q, const char *p, bool project,
                             struct shk_message *error);
enum shk_code shk_bind_judge(struct shk_bound *bound, struct shk_message *error);
/* All of a cell. SHK_REFUSED: the integrator does not apply, and why. */
enum shk_code shk_bind_cell(struct shk_bound *bound, const struct shk_cell *cell,
                            struct shk_message *error);
/* The method anew, as before its first step. */
struct shk_status shk_bind_method(struct shk_bound *bound);
void shk_unbind(struct shk_bound *bound);

/* The claims of an integrator's specification. */
bool shk_bind_claims(struct shk_claims *claims, const char *integrator, struct shk_message *error);

#endif
