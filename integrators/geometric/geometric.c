/*
 * SHAKE and RATTLE over a flow phi_h, geometrically: (4) and (5) of shake_rattle.c, S_h = phi_h ∘
 * Gamma and R_h = Pi ∘ S_h (McLachlan, Modin, Verdier & Wilkins, J. Geom. Mech. 6 (2014), def. 1.3
 * and 1.4; for constraints g(q) Reich, SIAM J. Numer. Anal. 33 (1996) 475).
 *
 * For g(q) Gamma is p <- p - k Gᵀ lambda. The impulse is k lambda with k = h/2, or h over symplectic
 * Euler and its adjoint: lambda and mu are in units of force and mean the same as in the classical
 * forms of these methods.
 *
 * Constraints g(q): lambda by Broyden's method from the matrix h G1 M⁻¹ G0ᵀ (general systems:
 * h G1 H_pp G1ᵀ), mu by the solve common to all methods. Constraints g(q,p): the fibre is the
 * problem's or integrated, lambda by Broyden's method from h N with N_ij = {{H,g_i},g_j}, mu by
 * Newton. There nondegeneracy and coisotropy are checked: a step fails if N is singular, or its
 * eigenvalues have different signs at both ends, since then the step has jumped across a fold of
 * the hidden constraint.
 *
 * Generalized forces are part of the flow (flow.c). Sums of q and p are compensated. A step may be
 * negative. Constraints that depend on p may not depend on t, nor come with generalized forces.
 */
#include "integrators/geometric/geometric.h"

#include "integrators/geometric/fibre_solve.h"
#include "integrators/kit/base.h"
#include "integrators/kit/impulse.h"
#include "mechanics/algebra/factorizations/factorization.h"
#include "mechanics/system/evaluate.h"
#include "mechanics/system/fibre.h"

#include <shakedown/iteration.h>
#include <string.h>

/* Limit of the iterations of Pi. */
enum { LIMIT = 64 };

struct shk_geometric {
  struct shk_evaluator *evaluator;
  struct shk_flow *flow;
  struct shk_fibre_solver *fibre_solver;
  enum shk_flow_kind kind;
  bool rattle, general;
  int n, m;
  real *s, *dq, *dp, *q1, *p1, *sizes, *carry;
  const struct shk_state *from;
  real h, kick;
  /* constraints g(q) */
  struct shk_linear *linear;
  struct shk_multiplier_solver *solver;
  real *G0, *G1, *hessian;
  real cancelled; /* general systems: size of the terms that cancel in h G H_p */
  real tolerance; /* of max|g|; 0: round-off */
  real left, far; /* max|g| at q1; its size if half the digits were lost */
  /* constraints g(q,p) */
  struct shk_fibre *fibre;
  real *N, *dq1, *dp1, *psi;
  real *slid; /* 2n: end of the last flow along the fibre */
  int *pivots;
  struct shk_iteration projecting; /* Pi along fibres */
  real *const *asks_work;          /* see geometric.h */
};

/* ---- the residual g(phi_h(Gamma_s z)) and its approximate derivative ---- */

/* Stores phi_h(Gamma z) in q1, p1, carry; adds its increments to those of Gamma in dq, dp. */
static struct shk_status flow_from(struct shk_geometric *w)
{
  struct shk_evaluator *e = w->evaluator;
  const struct shk_state *from = w->from;
  const struct shk_iteration *const sliding = e->solving;
  e->solving = NULL;
  SHK_TRY(shk_flow_step(w->flow, &(struct shk_flow_task){from->t, w->h, from, w->dq, w->dp}));
  e->solving = sliding;
  shk_add_increment(w->q1, w->carry, from->q, from->q_carry, w->dq, w->n);
  shk_add_increment(w->p1, w->carry + w->n, from->p, from->p_carry, w->dp, w->n);
  return shk_ok();
}

/* Returns the residual at which half the digits of the terms of g between q0 and q1 are lost. */
static real far_off(const struct shk_geometric *w)
{
  const real reach = real_max_norm(w->from->q, w->n) + real_max_norm(w->q1, w->n);
  shk_fill(w->sizes, reach, w->n);
  return real_sqrt(REAL_EPSILON) * shk_jacobian_size(w->evaluator, w->G0, w->sizes);
}

static struct shk_status holonomic_residual(void *user, real *r, real *rounding, const real *s)
{
  struct shk_geometric *w = user;
  shk_fill(w->dq, 0, w->n);
  shk_fill(w->dp, 0, w->n);
  shk_jacobian_transposed_add(w->evaluator, w->dp, w->G0, -1, s);
  SHK_TRY(flow_from(w));
  /* Size of q1 = q + dq; where q is zero, as on a coordinate plane, the size of dq, whose parts
   * may cancel. */
  const real moved = real_max_norm(w->dq, w->n);
  for (int i = 0; i < w->n; i++)
    w->sizes[i] = real_fabs(w->from->q[i]) + moved;
  const real size = shk_jacobian_size(w->evaluator, w->G0, w->sizes);
  *rounding = REAL_EPSILON * real_max(w->cancelled, size);
  SHK_TRY(shk_constraint(w->evaluator, r, w->from->t + w->h, w->q1));
  w->left = real_max_norm(r, w->m);
  w->far = far_off(w);
  return shk_ok();
}

/* Diverging iterates enlarge the terms of g and their rounding: a residual within that rounding
 * is then no solution. */
static struct shk_status is_solved(const struct shk_geometric *w)
{
  if (w->left <= real_max(w->tolerance, w->far))
    return shk_ok();
  return shk_failure(SHK_NOT_CONVERGED,
                     "the multiplier solve ends far off the constraint: max|g| = %g, expected "
                     "at most %g" SHK_TRY_SMALLER_STEP,
                     (double)w->left, (double)w->far);
}

/* Returns max_i Σ_k |h G_ik| Σ_j (|H_pq|_kj |q_j| + |H_pp|_kj |p_j|), about the size of the terms
 * of H_p. */
static real cancelled_terms(const struct shk_geometric *w)
{
  const int n = w->n;
  for (int k = 0; k < n; k++) {
    const real *row = w->hessian + (size_t)(n + k) * 2 * n;
    w->sizes[k] = 0;
    for (int j = 0; j < n; j++)
      w->sizes[k] += real_fabs(w->h * row[j] * w->q1[j]) + real_fabs(w->h * row[n + j] * w->p1[j]);
  }
  return shk_jacobian_size(w->evaluator, w->G1, w->sizes);
}

static struct shk_status holonomic_matrix(void *user)
{
  struct shk_geometric *w = user;
  struct shk_evaluator *e = w->evaluator;
  const real t1 = w->from->t + w->h;
  const size_t n = (size_t)w->n;
  SHK_TRY(shk_jacobian(e, w->G1, t1, w->q1));
  if (w->general) {
    SHK_TRY(shk_hessian(e, w->hessian, t1, w->q1, w->p1));
    w->cancelled = cancelled_terms(w);
    return shk_linear_factor_metric(w->linear, w->G1, w->hessian + 2 * n * n + n, (int)(2 * n));
  }
  return shk_linear_factor(w->linear, shk_linear_symmetric_only(w->linear) ? w->G0 : w->G1, w->G0);
}

static struct shk_status momentum_residual(void *user, real *r, real *rounding, const real *s)
{
  struct shk_geometric *w = user;
  const struct shk_state *from = w->from;
  const real t1 = from->t + w->h;
  real both[2];
  SHK_TRY(shk_fibre_slide(w->fibre, w->dq, w->dp, from->t, from->q, from->p, s));
  for (int i = 0; i < w->n; i++) {
    w->slid[i] = from->q[i] + w->dq[i];
    w->slid[w->n + i] = from->p[i] + w->dp[i];
  }
  SHK_TRY(flow_from(w));
  SHK_TRY(shk_fibre_residuals(w->fibre, r, w->psi, both, t1, w->q1, w->p1));
  *rounding = both[0];
  return shk_ok();
}

static struct shk_status momentum_matrix(void *user)
{
  struct shk_geometric *w = user;
  SHK_TRY(shk_fibre_matrix(w->fibre, w->N, NULL, w->from->t + w->h, w->q1, w->p1));
  if (!shk_lu_factor(w->N, w->pivots, w->m))
    return shk_failure(SHK_SINGULAR, "nondegeneracy fails: {{H,g_i},g_j} is singular", 0, 0);
  return shk_ok();
}

/* Replaces x by -(h N)⁻¹ x, or by the same with the matrix of constraints g(q). */
static void solve(void *user, real *x)
{
  struct shk_geometric *w = user;
  if (w->fibre)
    shk_lu_solve(x, w->N, w->pivots, w->m);
  else
    shk_linear_solve(w->linear, x);
  for (int i = 0; i < w->m; i++)
    x[i] /= -w->h;
}

/* ---- a step ---- */

/* Stores S_h z, its lambda and mu = 0 in *to, and its increments in dq and dp. */
static struct shk_status shake(struct shk_geometric *w, struct shk_state *to)
{
  const int n = w->n;
  const bool from_zero = !w->fibre && shk_linear_drops(w->linear);
  const struct shk_fibre_task task = {.user = w,
                                      .residual = w->fibre ? momentum_residual : holonomic_residual,
                                      .matrix = w->fibre ? momentum_matrix : holonomic_matrix,
                                      .solve = solve};
  for (int i = 0; i < w->m; i++)
    w->s[i] = from_zero ? 0 : w->kick * w->from->lambda[i];
  SHK_TRY(shk_fibre_solve(w->fibre_solver, w->s, &task));
  for (int i = 0; i < w->m; i++)
    to->lambda[i] = w->s[i] / w->kick;
  if (!w->fibre)
    SHK_TRY(is_solved(w));
  shk_copy(to->q, w->q1, n);
  shk_copy(to->p, w->p1, n);
  shk_copy(to->q_carry, w->carry, n);
  shk_copy(to->p_carry, w->carry + n, n);
  shk_fill(to->mu, 0, w->m);
  return shk_ok();
}

static struct shk_status holonomic_step(struct shk_geometric *w, struct shk_state *to)
{
  struct shk_evaluator *e = w->evaluator;
  const struct shk_state *from = w->from;
  w->cancelled = 0;
  SHK_TRY(shk_jacobian(e, w->G0, from->t, from->q));
  SHK_TRY(shake(w, to));
  if (!w->rattle)
    return shk_ok();
  SHK_TRY(shk_jacobian(e, w->G1, from->t + w->h, to->q));
  return shk_kick(w->solver, &(struct shk_kick){.until = SHK_ON_HIDDEN,
                                                .t = from->t + w->h,
                                                .from = from,
                                                .to = to,
                                                .along = w->G1,
                                                .by = w->kick,
                                                .dp = w->dp,
                                                .multiplier = to->mu});
}

/* Fails unless the point is regular and N has `negative` negative eigenvalues (-1: any number). */
static struct shk_status watch(struct shk_geometric *w, int *negative, real t, const real *q,
                               const real *p)
{
  struct shk_regularity regularity;
  SHK_TRY(shk_fibre_regularity(w->fibre, &regularity, t, q, p));
  SHK_TRY(shk_regularity_fault(&regularity, SHK_SINGULAR));
  if (*negative >= 0 && *negative != regularity.negative)
    return shk_failure(SHK_SINGULAR,
                       "nondegeneracy fails within the step: {{H,g_i},g_j} has %g negative "
                       "eigenvalues before it and %g after, across a fold of the hidden constraint",
                       *negative, regularity.negative);
  *negative = regularity.negative;
  return shk_ok();
}

static struct shk_status momentum_step(struct shk_geometric *w, struct shk_state *to)
{
  const struct shk_state *from = w->from;
  const real t1 = from->t + w->h;
  int negative = -1;
  SHK_TRY(watch(w, &negative, from->t, from->q, from->p));
  SHK_TRY(shake(w, to));
  if (w->rattle) {
    w->evaluator->solving = &w->projecting;
    SHK_TRY(
        shk_fibre_onto_hidden(w->fibre, w->dq1, w->dp1, to->mu, &w->projecting, t1, w->q1, w->p1));
    for (int i = 0; i < w->n; i++) {
      real_accumulate(&to->q[i], &to->q_carry[i], w->dq1[i]);
      real_accumulate(&to->p[i], &to->p_carry[i], w->dp1[i]);
    }
    for (int i = 0; i < w->m; i++)
      to->mu[i] /= w->kick;
  }
  return watch(w, &negative, t1, to->q, to->p);
}

/* Returns the work of Gamma and of Pi. */
static real work_of(struct shk_geometric *w, const struct shk_state *to)
{
  struct shk_evaluator *e = w->evaluator;
  const struct shk_state *from = w->from;
  const real t0 = from->t, t1 = t0 + w->h;
  if (w->fibre)
    return shk_energy_of(e, t0, w->slid, w->slid + w->n) - shk_energy_of(e, t0, from->q, from->p) +
           shk_energy_of(e, t1, to->q, to->p) - shk_energy_of(e, t1, w->q1, w->p1);
  const real first =
      shk_kick_work(e, w->dq1, w->kick, w->G0, to->lambda, t0, from->q, from->p, SHK_BEFORE_KICK);
  return !w->rattle ? first
                    : first + shk_kick_work(e, w->dq1, w->kick, w->G1, to->mu, t1, to->q, to->p,
                                            SHK_AFTER_KICK);
}

struct shk_status shk_geometric_step(struct shk_geometric *w, struct shk_state *to,
                                     const struct shk_state *from, real h)
{
  w->from = from;
  w->h = h;
  w->kick = w->kind == SHK_FLOW_EULER || w->kind == SHK_FLOW_EULER_ADJOINT ? h : h / 2;
  SHK_TRY(w->fibre ? momentum_step(w, to) : holonomic_step(w, to));
  if (*w->asks_work)
    **w->asks_work += work_of(w, to);
  return shk_ok();
}

/* ---- binding ---- */

static struct shk_status check_options(const struct shk_binding *binding, bool momentum)
{
  const char *linear = shk_values_text(binding->options, "linear");
  const char *solver = shk_values_text(binding->options, "solver");
  if (strcmp(solver, "auto") != 0 && strcmp(solver, "newton") != 0)
    return shk_refused("this flow or these constraints require solver=newton");
  if (momentum && strcmp(linear, "auto") != 0 && strcmp(linear, "lu") != 0)
    return shk_refused("constraints that depend on momenta take linear=lu only");
  if (shk_linear_leaves_constraint(shk_values_choice(binding->options, "linear")))
    return shk_refused("linear=tikhonov is to leave the constraint, but over this flow the "
                       "iteration goes on to g = 0 with any matrix");
  return shk_ok();
}

static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAY(shk_geometric, s, .m = 1),
             SHK_ARRAYS(shk_geometric, (.n = 1), dq, dp, q1, p1, sizes, dq1, dp1),
             SHK_ARRAYS(shk_geometric, (.n = 2), carry, slid),
             SHK_ARRAYS(shk_geometric, (.entries = 1), G0, G1),
             SHK_ARRAY(shk_geometric, hessian, .nn = 4, .only = SHK_GENERAL),
             SHK_ARRAY(shk_geometric, psi, .m = 1, .only = SHK_MOMENTUM_CONSTRAINT),
             SHK_ARRAY(shk_geometric, N, .mm = 1, .only = SHK_MOMENTUM_CONSTRAINT),
             SHK_INTEGERS(shk_geometric, pivots, .m = 1, .only = SHK_MOMENTUM_CONSTRAINT));

struct shk_status shk_bind_geometric(struct shk_geometric **geometric,
                                     const struct shk_binding *binding, bool rattle,
                                     real *const *asks_work)
{
  struct shk_evaluator *e = binding->evaluator;
  const bool momentum = (e->system->features & SHK_MOMENTUM_CONSTRAINT) != 0;
  struct shk_geometric *w = *geometric = shk_part(binding->workspace, sizeof *w, arrays, e);
  SHK_TRY(shk_allocated(w));
  SHK_TRY(check_options(binding, momentum));
  w->evaluator = e;
  w->asks_work = asks_work;
  w->projecting.limit = LIMIT;
  w->tolerance = shk_values_real(binding->options, "tolerance");
  w->rattle = rattle;
  w->general = shk_is_general(e->system);
  w->n = e->system->n;
  w->m = e->system->m;
  w->kind = (enum shk_flow_kind)shk_values_choice(binding->options, "flow");
  SHK_TRY(shk_bind_flow(&w->flow, binding));
  SHK_TRY(shk_bind_fibre_solver(&w->fibre_solver, binding));
  if (momentum)
    return shk_bind_fibre(&w->fibre, binding);
  SHK_TRY(shk_bind_linear(&w->linear, binding, binding->options));
  return shk_bind_solver(&w->solver, binding);
}

/* ---- claims ---- */

static int least(int claimed, int order)
{
  return claimed < order ? claimed : order;
}

/* Returns the traits of flow=integrator: the claims of its base, which sees no constraints. */
static struct shk_traits traits_of(const struct shk_values *options)
{
  const struct shk_integrator *base = shk_values_part(options, "base");
  struct shk_claims its;
  if (!base)
    return (struct shk_traits){.order = 1, .rounded = true};
  shk_claims_under(&its, base, shk_values_nested(options, "base"));
  return (struct shk_traits){.order = least(its.order_q, its.order_p),
                             .symplectic = its.symplectic == SHK_YES,
                             .symmetric = its.symmetric == SHK_YES,
                             .rounded = true,
                             .double_only = its.double_only};
}

static void claim_order_one(struct shk_claims *claims, bool rattle)
{
  claims->order_q = claims->order_p = 1;
  claims->order_lambda = rattle ? 0 : 1;
  claims->order_mu = rattle ? 0 : SHK_NO_ORDER;
  claims->order_lambda_mean = 0;
  claims->order_lambda_sum = 1;
  claims->order_lambda_state = 1;
  claims->symmetric = SHK_NO;
}

/* A flow of order p changes multipliers by O(h^(p-1)); their mean depends on its symmetry. */
static void claim_with_traits(struct shk_claims *claims, struct shk_traits flow, bool rattle)
{
  claims->order_q = least(claims->order_q, flow.order);
  claims->order_p = least(claims->order_p, flow.order);
  claims->order_lambda_state = least(claims->order_lambda_state, flow.order);
  claims->double_only = flow.double_only;
  if (flow.rounded)
    claims->compensated = SHK_UNKNOWN;
  if (!flow.symplectic) {
    claims->symplectic = claims->presymplectic = SHK_NO;
    claims->keeps_momenta = claims->energy_bounded = SHK_UNKNOWN;
  }
  if (flow.symmetric)
    return;
  claims->order_lambda = claims->order_mu = SHK_NO_ORDER;
  claims->order_lambda_mean = claims->order_lambda_sum = SHK_NO_ORDER;
  if (rattle)
    claims->symmetric = SHK_NO;
}

/* Order 2 at most: the constraint acts at the ends of the step only, where a higher order of the
 * flow (Gauss, a composition) is lost. */
void shk_flow_claims(struct shk_claims *claims, enum shk_flow_kind flow,
                     const struct shk_values *options, bool rattle)
{
  if (flow == SHK_FLOW_EULER || flow == SHK_FLOW_EULER_ADJOINT)
    claim_order_one(claims, rattle);
  if (flow == SHK_FLOW_ONE_STEP)
    claim_with_traits(
        claims,
        shk_one_step_traits(shk_values_choice(options, "base"), shk_values_nested(options, "base")),
        rattle);
  if (flow == SHK_FLOW_INTEGRATOR)
    claim_with_traits(claims, traits_of(options), rattle);
  claims->local_order_q = claims->order_q + 1;
  claims->local_order_p = rattle ? claims->order_p + 1 : 1; /* SHAKE: O(h) on the fibre */
}
