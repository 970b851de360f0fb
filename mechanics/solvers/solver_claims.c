/*
 * Weakens a method's claims according to the solver's options. A `no` stays `no`, and an unstated
 * claim stays unstated.
 */
#include "mechanics/algebra/factorizations/factorization.h"
#include "mechanics/outside/line_protocol.h"
#include "mechanics/solvers/kit/solvers.h"
#include <shakedown/parts/rod_solver.h>

#include <math.h>

/* A tolerance of up to this many epsilons, in the units of g, counts as round-off. */
#define ROUNDING 64

static void weaken_solver_claims(enum shk_answer *answer, enum shk_answer to)
{
  if (*answer == SHK_YES)
    *answer = to;
}

/* The multipliers contain errors in g divided by h². If these errors do not depend on the step size
 * h, they dominate the step's own errors when h is small. */
static void drop_orders(struct shk_claims *c)
{
  c->order_q = c->order_p = SHK_NO_ORDER;
  c->order_lambda = c->order_mu = c->order_lambda_mean = SHK_NO_ORDER;
  c->order_lambda_sum = c->order_lambda_state = SHK_NO_ORDER;
  c->local_order_q = c->local_order_p = SHK_NO_ORDER;
}

static void drop_structure(struct shk_claims *c)
{
  weaken_solver_claims(&c->symplectic, SHK_UNKNOWN);
  weaken_solver_claims(&c->presymplectic, SHK_UNKNOWN);
  weaken_solver_claims(&c->symmetric, SHK_UNKNOWN);
  weaken_solver_claims(&c->energy_bounded, SHK_UNKNOWN);
  weaken_solver_claims(&c->energy_dissipates, SHK_UNKNOWN);
  weaken_solver_claims(&c->affine_equivariant, SHK_UNKNOWN);
  weaken_solver_claims(&c->formulation_independent, SHK_UNKNOWN);
}

/* Uses the claims that an external solver makes. All other claims come from the method, except that
 * its orders are dropped unless the solver claims to preserve the constraint. */
static void state_own(struct shk_claims *c, const struct shk_claims *own)
{
  if (own->keeps_constraint != SHK_YES)
    drop_orders(c);
  c->newtons_multipliers = own->newtons_multipliers;
  c->order_solve = own->order_solve;
  weaken_solver_claims(&c->keeps_constraint, own->keeps_constraint);
  c->constraint_level = own->constraint_level;
  weaken_solver_claims(&c->keeps_momenta, own->keeps_momenta);
  weaken_solver_claims(&c->symmetric, own->symmetric);
  weaken_solver_claims(&c->symplectic, own->symplectic);
  weaken_solver_claims(&c->presymplectic, own->symplectic);
  if (own->symplectic != SHK_YES) {
    weaken_solver_claims(&c->energy_bounded, SHK_UNKNOWN);
    weaken_solver_claims(&c->energy_dissipates, SHK_UNKNOWN);
  }
  /* External solvers accept only distance constraints, so the effect of a coordinate change cannot
   * be tested. The error of one step is a property of the method. */
  weaken_solver_claims(&c->affine_equivariant, SHK_UNKNOWN);
  weaken_solver_claims(&c->formulation_independent, SHK_UNKNOWN);
  c->local_order_q = c->local_order_p = SHK_NO_ORDER;
}

/* Returns true if every solve continues until its residual is round-off. */
static bool is_tight(const struct shk_solving *solving)
{
  return solving->tolerance <= ROUNDING * REAL_EPSILON && solving->criterion != SHK_CRITERION_COUNT;
}

void shk_tolerance_claims(struct shk_claims *claims, const struct shk_solving *solving)
{
  if (is_tight(solving))
    return;
  drop_orders(claims);
  drop_structure(claims);
  if (solving->criterion == SHK_CRITERION_SQUARED || solving->criterion == SHK_CRITERION_LENGTH)
    claims->constraint_level = fmax(claims->constraint_level, (double)solving->tolerance);
  else
    weaken_solver_claims(&claims->keeps_constraint, SHK_UNKNOWN);
  if (solving->criterion == SHK_CRITERION_COUNT)
    weaken_solver_claims(&claims->keeps_hidden, SHK_UNKNOWN);
}

void shk_solving_claims(struct shk_claims *claims, const struct shk_solving *solving)
{
  const unsigned solver = shk_solver_traits(solving->solver);
  struct shk_claims own;
  shk_claims_stated(&own, solving->own ? solving->own->info.claims : NULL);
  const bool is_program = solving->solver == SHK_SOLVER_PROGRAM,
             is_own = solving->own != NULL || is_program;
  if (is_program)
    shk_talk_claims(&own, SHK_TALKER_SOLVER, solving->its_options);
  claims->double_only = claims->double_only || own.double_only ||
                        (solving->own != NULL && solving->own->info.double_only);
  if (is_own) { /* Shakedown, not the external solver, solves the hidden constraint */
    claims->keeps_hidden = SHK_UNKNOWN;
    claims->order_mu = SHK_NO_ORDER;
  }
  const bool once = (solver & SHK_SOLVES_ONCE) != 0 || (is_own && own.keeps_constraint == SHK_NO);
  const bool leaves = once || ((solver & SHK_SOLVES_WITHOUT_LINEAR) == 0 &&
                               shk_linear_leaves_constraint(solving->linear));
  const bool tight = once || is_tight(solving);
  if (is_own && tight)
    state_own(claims, &own);
  if (leaves) {
    drop_orders(claims);
    drop_structure(claims);
    weaken_solver_claims(&claims->keeps_constraint, SHK_NO);
    weaken_solver_claims(&claims->keeps_hidden, SHK_NO);
  }
  if (tight)
    return;
  shk_tolerance_claims(claims, solving);
  if (solver & SHK_SOLVES_HIDDEN_TO_TOLERANCE)
    weaken_solver_claims(&claims->keeps_hidden, SHK_UNKNOWN);
}
