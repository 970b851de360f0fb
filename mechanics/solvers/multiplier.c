/*
 * The multiplier solves: the position solve for separable systems and the hidden solve for all
 * systems. Both use the solver that the option `solver` names, which is `auto` by default. The
 * solvers are listed in kit/solvers.def, and each is implemented in its own file.
 *
 * The position solve ends when the residual max|g| is at most `tolerance`. If the tolerance is 0,
 * and always in the hidden solve, a solve ends when its residual is at most its own rounding error.
 * It also ends when the residual has stopped decreasing and is at most 64 times its own rounding
 * error or the rounding error of the terms that cancel in it. See kit/residuals.h for these errors,
 * kit/stopping.c for the rules and shakedown/iteration.h for their constants. For distance
 * constraints, `criterion` can select another measure or a fixed number of iterations. A solve that
 * does not end in one of these ways fails, and its residuals are recorded. The exceptions are
 * solver=linearized and solver=lincs, which solve once and do not check the result.
 */
#include "mechanics/solvers/kit/solvers.h"

/* Default iteration limit. */
#define DEFAULT_LIMIT 1000

struct shk_multiplier_solver {
  struct shk_evaluator *evaluator;
  struct shk_solver solver;
  struct shk_iteration iteration;
};

struct shk_status shk_bind_solver(struct shk_multiplier_solver **solver,
                                  const struct shk_binding *binding)
{
  struct shk_multiplier_solver *s = *solver = shk_memory(binding->workspace, sizeof *s);
  const struct shk_values *options = shk_values_with(binding->options, "solver");
  struct shk_binding own = *binding;
  own.options = options;
  SHK_TRY(shk_allocated(s));
  int kind = SHK_SOLVER_AUTO;
  s->evaluator = binding->evaluator;
  s->iteration.limit = DEFAULT_LIMIT;
  if (options) {
    kind = shk_values_choice(options, "solver");
    s->iteration.tolerance = shk_values_real(options, "tolerance");
    s->iteration.limit = shk_values_integer(options, "iterations");
    s->iteration.counted = shk_values_choice(options, "criterion") == SHK_CRITERION_COUNT;
  }
  if (shk_is_general(s->evaluator->system) && (shk_solver_traits(kind) & SHK_SOLVES_GENERAL) == 0)
    return shk_refused("systems that are not separable accept only solver=newton");
  SHK_TRY(shk_solver_create_kind(&s->solver, (enum shk_solver_kind)kind, &own));
  s->evaluator->solver = (int)s->solver.kind;
  return shk_ok();
}

/* Replaces the displacement from x to x1 with the rounding error of x1. */
static void leave_rest(real *restrict way, const real *restrict x1, const real *restrict x, int n)
{
  for (int i = 0; i < n; i++)
    way[i] = real_rest(x1[i], x[i], way[i]);
}

struct shk_status shk_kick(struct shk_multiplier_solver *s, const struct shk_kick *kick)
{
  const struct shk_state *const from = kick->from, *const to = kick->to;
  const int n = s->evaluator->system->n;
  s->evaluator->solving = &s->iteration;
  if (kick->until == SHK_ON_CONSTRAINT) {
    SHK_TRY(s->solver.position(s->solver.self, &s->iteration, kick));
    if (!s->solver.carries)
      leave_rest(to->q_carry, to->q, from->q, n);
  } else {
    shk_fill(kick->multiplier, 0, s->evaluator->system->m);
    SHK_TRY(s->solver.hidden(s->solver.self, &s->iteration, kick));
    if (!s->solver.carries)
      leave_rest(to->p_carry, to->p, from->p, n);
  }
  return shk_ok();
}
