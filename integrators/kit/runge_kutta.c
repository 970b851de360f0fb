/*
 * One-step methods for y' = f(t,y): explicit Runge-Kutta methods of orders 1 to 8 and Gauss
 * collocation in `real`, and GSL's steppers in double.
 *
 *     K_i = f(t + c_i h, y + h Σ_j a_ij K_j),      dy = h Σ_i b_i K_i
 *
 * The explicit tableaus are exact (see runge_kutta.def, which also cites their sources). Those of
 * the Gauss methods are computed as described in gauss.h. Implicit stages are solved to round-off
 * by fixed-point iteration, which requires h times the Lipschitz constant of f to be small (Hairer,
 * Lubich & Wanner, GNI, §VIII.6.1).
 */
#include "integrators/kit/gsl_stepper.h"
#include "integrators/kit/stepping.h"
#include "mechanics/algebra/gauss.h"
#include "mechanics/algebra/iteration.h"
#include <shakedown/iteration.h>

#define STAGES 11
#define STAGE_SWEEPS 1000

#define NO_CONVERGENCE                                                                             \
  "the fixed-point iteration for the implicit stages did not converge: last relative change "      \
  "%g" SHK_TRY_SMALLER_STEP
static const struct shk_iteration_rule stages_rule = {
    /* the iteration stops based on changes, which are not residuals */
    .stops = {R(0.25), 1000, R(0.5), 1, 6},
    .diverged = "the implicit stages are not finite" SHK_TRY_SMALLER_STEP,
    .stopped = NO_CONVERGENCE,
    .at_limit = NO_CONVERGENCE};

const struct shk_option shk_gauss_options[] = {
    {.name = "stages",
     .kind = SHK_OPTION_INTEGER,
     .fallback = "2",
     .minimum = "1",
     .maximum = "4",
     .positional = true,
     .meaning = "number of stages; the order without constraints is 2·stages"},
    {0}};

const struct shk_choice shk_one_step_choices[] = {
#include "integrators/kit/one_step.def"
    {0}};

/* A coefficient (n + r √21)/d, represented by n, r and d. */
#define Q(n, d) n, 0, d
#define S(n, r, d) n, r, d
#define ROWS(...) ((const int[]){__VA_ARGS__})

/* The entries follow the order of the choices. */
static const struct {
  int order, stages;
  const int *a, *b;
} tableaus[] = {
#define SHK_TABLEAU(name, order, stages, citation, a, b) {order, stages, a, b},
#include "integrators/kit/runge_kutta.def"
#undef SHK_TABLEAU
};

/* The choices that follow the tableaus. */
enum { MIDPOINT = sizeof tableaus / sizeof tableaus[0], GAUSS };
_Static_assert(GAUSS + 1 == SHK_FIRST_GSL_CHOICE, "the tableaus are in the order of the choices");

struct shk_one_step {
  struct shk_evaluator *evaluator;
  shk_slope_function *slope;
  void *user;
  int size, stages;
  bool implicit;
  struct shk_iteration iteration;                /* of implicit stages */
  real a[STAGES * STAGES], b[STAGES], c[STAGES]; /* a: stages x stages */
  /* the slopes (stages x size), the argument of a slope and, for implicit methods, h Σ a_ij K_j */
  real *K, *y, *increments;
  struct shk_gsl_stepper *gsl;
};

struct shk_traits shk_one_step_traits(int base, const struct shk_values *nested)
{
  if (base < MIDPOINT)
    return (struct shk_traits){.order = tableaus[base].order};
  if (base > GAUSS)
    return shk_gsl_traits(base - SHK_FIRST_GSL_CHOICE);
  return (struct shk_traits){
      .order = base == MIDPOINT ? 2 : 2 * (int)shk_values_integer(nested, "stages"),
      .symmetric = true,
      .symplectic = true};
}

struct shk_traits shk_one_step_claims(struct shk_claims *claims, int base,
                                      const struct shk_values *nested)
{
  const struct shk_traits of_base = shk_one_step_traits(base, nested);
  claims->order_q = claims->order_p = claims->order_lambda = of_base.order;
  claims->order_lambda_state = of_base.order;
  claims->local_order_q = of_base.order == SHK_NO_ORDER ? SHK_NO_ORDER : of_base.order + 1;
  claims->local_order_p = claims->local_order_q;
  if (of_base.rounded)
    claims->compensated = SHK_NO;
  return of_base;
}

static real exact_coefficient(const int *x)
{
  return ((real)x[0] + (real)x[1] * real_sqrt((real)21)) / (real)x[2];
}

static void set_explicit(struct shk_one_step *solver, int base)
{
  const int s = solver->stages = tableaus[base].stages;
  const int *a = tableaus[base].a;
  for (int i = 0; i < s; i++) {
    for (int j = 0; j < i; j++, a += 3)
      solver->c[i] += solver->a[i * s + j] = exact_coefficient(a);
    solver->b[i] = exact_coefficient(tableaus[base].b + (ptrdiff_t)3 * i);
  }
}

struct shk_status shk_bind_one_step(struct shk_one_step **one_step,
                                    const struct shk_binding *binding, int base,
                                    const struct shk_values *base_options,
                                    shk_slope_function *slope, void *method)
{
  struct shk_workspace *workspace = binding->workspace;
  const size_t size = 2 * (size_t)binding->evaluator->system->n;
  const struct shk_traits traits = shk_one_step_traits(base, base_options);
  struct shk_one_step *solver = *one_step = shk_memory(workspace, sizeof *solver);
  SHK_TRY(shk_allocated(solver));
  solver->evaluator = binding->evaluator;
  solver->slope = slope;
  solver->user = method;
  solver->size = (int)size;
  solver->iteration.limit = STAGE_SWEEPS;
  solver->implicit = base == MIDPOINT || base == GAUSS;
  /* slope at the start of a step, which GSL needs */
  solver->stages = solver->implicit ? traits.order / 2 : 1;
  if (solver->implicit)
    shk_gauss_tableau(solver->c, solver->b, solver->a, solver->stages);
  else if (base < MIDPOINT)
    set_explicit(solver, base);
  SHK_TRY(shk_reals(workspace, &solver->y, size));
  SHK_TRY(shk_reals(workspace, &solver->K, (size_t)solver->stages * size));
  if (solver->implicit)
    SHK_TRY(shk_reals(workspace, &solver->increments, (size_t)solver->stages * size));
  if (base <= GAUSS)
    return shk_ok();
  if (traits.adaptive_only)
    return shk_refused(
        "a multistep method is not a one-step method: use it as the base of projection-adaptive");
  return shk_bind_gsl(&solver->gsl, binding, base - SHK_FIRST_GSL_CHOICE, 0, slope, method);
}

/* Returns the k-th component of h Σ_j row_j K_j, summed over the first `count` stages. */
static real weighted_slopes(const struct shk_one_step *solver, const real *row, int count, int k,
                            real h)
{
  return h * shk_dot_strided(row, solver->K + k, solver->size, count);
}

static struct shk_status explicit_stages(struct shk_one_step *solver, real t, const real *y, real h)
{
  for (int i = 0; i < solver->stages; i++) {
    for (int k = 0; k < solver->size; k++)
      solver->y[k] = y[k] + weighted_slopes(solver, solver->a + i * solver->stages, i, k, h);
    SHK_TRY(
        solver->slope(solver->user, solver->K + i * solver->size, t + solver->c[i] * h, solver->y));
  }
  return shk_ok();
}

/* Computes the increments of all stages from the slopes. Returns their largest change, relative to
 * the size of each block. */
static real renew_increments(struct shk_one_step *solver, const real *y, real h)
{
  const int half = solver->size / 2;
  real worst = 0;
  for (int block = 0; block < 2; block++) {
    real change = 0, size = real_max_norm(y + block * half, half);
    for (int i = 0; i < solver->stages; i++)
      for (int k = block * half; k < (block + 1) * half; k++) {
        real *increment = &solver->increments[i * solver->size + k];
        const real renewed =
            weighted_slopes(solver, solver->a + i * solver->stages, solver->stages, k, h);
        const real moved = real_fabs(renewed - *increment);
        change = moved <= change ? change : moved; /* keeps a NaN */
        size = real_max(size, real_fabs(renewed));
        *increment = renewed;
      }
    change = size > 0 ? change / size : change;
    worst = change <= worst ? worst : change;
  }
  return worst;
}

/* Sets all slopes to the slope at (t,y). */
static struct shk_status begin_stages(struct shk_one_step *solver, real t, const real *y)
{
  const size_t size = (size_t)solver->size;
  SHK_TRY(solver->slope(solver->user, solver->K, t, y));
  for (size_t i = 1; i < (size_t)solver->stages; i++)
    shk_copy(solver->K + i * size, solver->K, size);
  shk_fill(solver->increments, 0, solver->stages * size);
  shk_iteration_begin(&solver->iteration, &stages_rule, REAL_EPSILON);
  return shk_ok();
}

/* Performs one sweep, which computes the increments from the slopes and then the slopes from the
 * increments. */
static struct shk_status sweep_stages(struct shk_one_step *solver, real *change, real t,
                                      const real *y, real h)
{
  *change = renew_increments(solver, y, h);
  shk_iteration_note(&solver->iteration, *change);
  if (!real_isfinite(*change))
    return shk_failure(SHK_NOT_CONVERGED, stages_rule.diverged, 0, 0);
  for (int i = 0; i < solver->stages; i++) {
    for (int k = 0; k < solver->size; k++)
      solver->y[k] = y[k] + solver->increments[i * solver->size + k];
    SHK_TRY(
        solver->slope(solver->user, solver->K + i * solver->size, t + solver->c[i] * h, solver->y));
  }
  solver->evaluator->counters.iterations++;
  return shk_ok();
}

static struct shk_status implicit_stages(struct shk_one_step *solver, real t, const real *y, real h)
{
  SHK_TRY(begin_stages(solver, t, y));
  for (;;) {
    real change;
    SHK_TRY(sweep_stages(solver, &change, t, y, h));
    SHK_TRY(shk_iteration_decide(&solver->iteration, change));
    if (solver->iteration.converged)
      return shk_ok();
  }
}

/* Stores h Σ b_i K_i in dy. */
static void sum_slopes(const struct shk_one_step *solver, real *dy, real h)
{
  for (int k = 0; k < solver->size; k++)
    dy[k] = weighted_slopes(solver, solver->b, solver->stages, k, h);
}

struct shk_status shk_one_step_step(struct shk_one_step *solver, real *dy, real t, const real *y,
                                    real h)
{
  solver->evaluator->solving = solver->implicit ? &solver->iteration : NULL;
  if (solver->gsl) {
    SHK_TRY(solver->slope(solver->user, solver->K, t, y));
    return shk_gsl_step(solver->gsl, dy, t, y, solver->K, h);
  }
  SHK_TRY(solver->implicit ? implicit_stages(solver, t, y, h) : explicit_stages(solver, t, y, h));
  sum_slopes(solver, dy, h);
  return shk_ok();
}

struct shk_status shk_one_step_sweep(struct shk_one_step *solver, real *dy, real *change, real t,
                                     const real *y, real h, bool first)
{
  *change = 0;
  if (!solver->implicit)
    return shk_one_step_step(solver, dy, t, y, h);
  solver->evaluator->solving = &solver->iteration;
  if (first)
    SHK_TRY(begin_stages(solver, t, y));
  SHK_TRY(sweep_stages(solver, change, t, y, h));
  sum_slopes(solver, dy, h);
  return shk_ok();
}

struct shk_status shk_one_step_state(struct shk_one_step *method, struct shk_state *to,
                                     const struct shk_state *from, real h, real *y, real *dy)
{
  shk_state_pack(y, from);
  SHK_TRY(shk_one_step_step(method, dy, from->t, y, h));
  shk_move_q(to, from, dy);
  shk_move_p(to, from, dy + from->n);
  shk_fill(to->mu, 0, from->m);
  return shk_ok();
}
