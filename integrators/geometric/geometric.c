/*
 * SHAKE and RATTLE over a flow phi_h, in their geometric form. The equations are (4) and (5) of
 * shake_rattle.c, with S_h = phi_h ∘ Gamma and R_h = Pi ∘ S_h (McLachlan, Modin, Verdier & Wilkins,
 * J. Geom. Mech. 6 (2014), def. 1.3 and 1.4; for constraints g(q) Reich, SIAM J. Numer. Anal. 33
 * (1996) 475).
 *
 * For constraints g(q), Gamma is p <- p - k Gᵀ lambda. The impulse is k lambda with k = h/2, or k =
 * h over symplectic Euler and its adjoint. lambda and mu therefore have units of force and the same
 * meaning as in the classical forms of these methods.
 *
 * For constraints g(q), lambda is found by Broyden's method, which starts from the matrix h G1 M⁻¹
 * G0ᵀ (h G1 H_pp G1ᵀ for general systems), and mu is found by the solve that all methods share. For
 * constraints g(q,p), the fibre is provided by the problem or integrated numerically. Broyden's
 * method for lambda then starts from h N with N_ij = {{H,g_i},g_j}, and mu is found by Newton's
 * method. In this case, nondegeneracy and coisotropy are checked. A step fails if N is singular. It
 * also fails if the eigenvalues of N have different signs at the two ends of the step, because the
 * step has then jumped across a fold of the hidden constraint.
 *
 * Generalized forces are part of the flow (flow.c). q and p are accumulated with compensated
 * summation. Step sizes can be negative. Constraints that depend on p must not depend on t and
 * cannot be combined with generalized forces.
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

/* Maximum number of iterations of Pi. */
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
  real cancelled; /* size of the terms that cancel in h G H_p; general systems only */
  real tolerance; /* tolerance for max|g|; 0 means round-off */
  real left, far; /* max|g| at q1, and the value of max|g| at which half the digits are lost */
  /* constraints g(q,p) */
  struct shk_fibre *fibre;
  real *N, *dq1, *dp1, *psi;
  real *slid; /* 2n: the end point of the last flow along the fibre */
  int *pivots;
  struct shk_iteration projecting; /* Pi along fibres */
  real *const *asks_work;          /* see geometric.h */
};

/* ---- the residual g(phi_h(Gamma_s z)) and its approximate derivative ---- */

/* Stores phi_h(Gamma z) in q1, p1 and carry, and adds the increments of phi_h to those of Gamma in
 * dq and dp. */
static struct shk_status flow_from(struct shk_geometric *geometric)
{
  struct shk_evaluator *e = geometric->evaluator;
  const struct shk_state *from = geometric->from;
  const struct shk_iteration *const sliding = e->solving;
  e->solving = NULL;
  SHK_TRY(shk_flow_step(geometric->flow, &(struct shk_flow_task){from->t, geometric->h, from,
                                                                 geometric->dq, geometric->dp}));
  e->solving = sliding;
  shk_add_increment(geometric->q1, geometric->carry, from->q, from->q_carry, geometric->dq,
                    geometric->n);
  shk_add_increment(geometric->p1, geometric->carry + geometric->n, from->p, from->p_carry,
                    geometric->dp, geometric->n);
  return shk_ok();
}

/* Returns the size of the residual at which half the digits of the terms of g are lost between q0
 * and q1. */
static real far_off(const struct shk_geometric *geometric)
{
  const real reach =
      real_max_norm(geometric->from->q, geometric->n) + real_max_norm(geometric->q1, geometric->n);
  shk_fill(geometric->sizes, reach, geometric->n);
  return real_sqrt(REAL_EPSILON) *
         shk_jacobian_size(geometric->evaluator, geometric->G0, geometric->sizes);
}

static struct shk_status holonomic_residual(void *user, real *r, real *rounding, const real *s)
{
  struct shk_geometric *geometric = user;
  shk_fill(geometric->dq, 0, geometric->n);
  shk_fill(geometric->dp, 0, geometric->n);
  shk_jacobian_transposed_add(geometric->evaluator, geometric->dp, geometric->G0, -1, s);
  SHK_TRY(flow_from(geometric));
  /* The rounding error of q1 = q + dq is estimated from |q| + max|dq|. If q is zero, as on a
   * coordinate plane, the size of dq determines it, because the parts of dq may cancel. */
  const real moved = real_max_norm(geometric->dq, geometric->n);
  for (int i = 0; i < geometric->n; i++)
    geometric->sizes[i] = real_fabs(geometric->from->q[i]) + moved;
  const real size = shk_jacobian_size(geometric->evaluator, geometric->G0, geometric->sizes);
  *rounding = REAL_EPSILON * real_max(geometric->cancelled, size);
  SHK_TRY(
      shk_constraint(geometric->evaluator, r, geometric->from->t + geometric->h, geometric->q1));
  geometric->left = real_max_norm(r, geometric->m);
  geometric->far = far_off(geometric);
  return shk_ok();
}

/* If the iterates diverge, the terms of g grow and so does their rounding error. A residual that is
 * smaller than this rounding error then does not indicate a solution. */
static struct shk_status is_solved(const struct shk_geometric *geometric)
{
  if (geometric->left <= real_max(geometric->tolerance, geometric->far))
    return shk_ok();
  return shk_failure(SHK_NOT_CONVERGED,
                     "the multiplier solve ended far from the constraint: max|g| = %g, expected at "
                     "most %g" SHK_TRY_SMALLER_STEP,
                     (double)geometric->left, (double)geometric->far);
}

/* Returns max_i Σ_k |h G_ik| Σ_j (|H_pq|_kj |q_j| + |H_pp|_kj |p_j|), which approximates the size
 * of the terms in h G H_p. */
static real cancelled_terms(const struct shk_geometric *geometric)
{
  const int n = geometric->n;
  for (int k = 0; k < n; k++) {
    const real *row = geometric->hessian + (size_t)(n + k) * 2 * n;
    geometric->sizes[k] = 0;
    for (int j = 0; j < n; j++)
      geometric->sizes[k] += real_fabs(geometric->h * row[j] * geometric->q1[j]) +
                             real_fabs(geometric->h * row[n + j] * geometric->p1[j]);
  }
  return shk_jacobian_size(geometric->evaluator, geometric->G1, geometric->sizes);
}

static struct shk_status holonomic_matrix(void *user)
{
  struct shk_geometric *geometric = user;
  struct shk_evaluator *e = geometric->evaluator;
  const real t1 = geometric->from->t + geometric->h;
  const size_t n = (size_t)geometric->n;
  SHK_TRY(shk_jacobian(e, geometric->G1, t1, geometric->q1));
  if (geometric->general) {
    SHK_TRY(shk_hessian(e, geometric->hessian, t1, geometric->q1, geometric->p1));
    geometric->cancelled = cancelled_terms(geometric);
    return shk_linear_factor_metric(geometric->linear, geometric->G1,
                                    geometric->hessian + 2 * n * n + n, (int)(2 * n));
  }
  return shk_linear_factor(
      geometric->linear,
      shk_linear_symmetric_only(geometric->linear) ? geometric->G0 : geometric->G1, geometric->G0);
}

static struct shk_status momentum_residual(void *user, real *r, real *rounding, const real *s)
{
  struct shk_geometric *geometric = user;
  const struct shk_state *from = geometric->from;
  const real t1 = from->t + geometric->h;
  real both[2];
  SHK_TRY(shk_fibre_slide(geometric->fibre, geometric->dq, geometric->dp, from->t, from->q, from->p,
                          s));
  for (int i = 0; i < geometric->n; i++) {
    geometric->slid[i] = from->q[i] + geometric->dq[i];
    geometric->slid[geometric->n + i] = from->p[i] + geometric->dp[i];
  }
  SHK_TRY(flow_from(geometric));
  SHK_TRY(shk_fibre_residuals(geometric->fibre, r, geometric->psi, both, t1, geometric->q1,
                              geometric->p1));
  *rounding = both[0];
  return shk_ok();
}

static struct shk_status momentum_matrix(void *user)
{
  struct shk_geometric *geometric = user;
  SHK_TRY(shk_fibre_matrix(geometric->fibre, geometric->N, NULL, geometric->from->t + geometric->h,
                           geometric->q1, geometric->p1));
  if (!shk_lu_factor(geometric->N, geometric->pivots, geometric->m))
    return shk_failure(SHK_SINGULAR, "nondegeneracy fails: {{H,g_i},g_j} is singular", 0, 0);
  return shk_ok();
}

/* x <- -(h N)⁻¹ x. For constraints g(q), the matrix of their solve takes the place of h N. */
static void solve_geometric(void *user, real *x)
{
  struct shk_geometric *geometric = user;
  if (geometric->fibre)
    shk_lu_solve(x, geometric->N, geometric->pivots, geometric->m);
  else
    shk_linear_solve(geometric->linear, x);
  for (int i = 0; i < geometric->m; i++)
    x[i] /= -geometric->h;
}

/* ---- a step ---- */

/* Stores S_h z in *to, together with its lambda and mu = 0, and stores the increments in dq and
 * dp. */
static struct shk_status geometric_shake(struct shk_geometric *geometric, struct shk_state *to)
{
  const int n = geometric->n;
  const bool from_zero = !geometric->fibre && shk_linear_drops(geometric->linear);
  const struct shk_fibre_task task = {
      .user = geometric,
      .residual = geometric->fibre ? momentum_residual : holonomic_residual,
      .matrix = geometric->fibre ? momentum_matrix : holonomic_matrix,
      .solve = solve_geometric};
  for (int i = 0; i < geometric->m; i++)
    geometric->s[i] = from_zero ? 0 : geometric->kick * geometric->from->lambda[i];
  SHK_TRY(shk_fibre_solve(geometric->fibre_solver, geometric->s, &task));
  for (int i = 0; i < geometric->m; i++)
    to->lambda[i] = geometric->s[i] / geometric->kick;
  if (!geometric->fibre)
    SHK_TRY(is_solved(geometric));
  shk_copy(to->q, geometric->q1, n);
  shk_copy(to->p, geometric->p1, n);
  shk_copy(to->q_carry, geometric->carry, n);
  shk_copy(to->p_carry, geometric->carry + n, n);
  shk_fill(to->mu, 0, geometric->m);
  return shk_ok();
}

static struct shk_status holonomic_step(struct shk_geometric *geometric, struct shk_state *to)
{
  struct shk_evaluator *e = geometric->evaluator;
  const struct shk_state *from = geometric->from;
  geometric->cancelled = 0;
  SHK_TRY(shk_jacobian(e, geometric->G0, from->t, from->q));
  SHK_TRY(geometric_shake(geometric, to));
  if (!geometric->rattle)
    return shk_ok();
  SHK_TRY(shk_jacobian(e, geometric->G1, from->t + geometric->h, to->q));
  return shk_kick(geometric->solver, &(struct shk_kick){.until = SHK_ON_HIDDEN,
                                                        .t = from->t + geometric->h,
                                                        .from = from,
                                                        .to = to,
                                                        .along = geometric->G1,
                                                        .by = geometric->kick,
                                                        .dp = geometric->dp,
                                                        .multiplier = to->mu});
}

/* Fails unless the point is regular and the number of negative eigenvalues of N is `negative`,
 * where -1 allows any number. */
static struct shk_status check_regular(struct shk_geometric *geometric, int *negative, real t,
                                       const real *q, const real *p)
{
  struct shk_regularity regularity;
  SHK_TRY(shk_fibre_regularity(geometric->fibre, &regularity, t, q, p));
  SHK_TRY(shk_regularity_fault(&regularity, SHK_SINGULAR));
  if (*negative >= 0 && *negative != regularity.negative)
    return shk_failure(SHK_SINGULAR,
                       "nondegeneracy fails within the step: {{H,g_i},g_j} has %g negative "
                       "eigenvalues before it and %g after, across a fold of the hidden constraint",
                       *negative, regularity.negative);
  *negative = regularity.negative;
  return shk_ok();
}

static struct shk_status momentum_step(struct shk_geometric *geometric, struct shk_state *to)
{
  const struct shk_state *from = geometric->from;
  const real t1 = from->t + geometric->h;
  int negative = -1;
  SHK_TRY(check_regular(geometric, &negative, from->t, from->q, from->p));
  SHK_TRY(geometric_shake(geometric, to));
  if (geometric->rattle) {
    geometric->evaluator->solving = &geometric->projecting;
    SHK_TRY(shk_fibre_onto_hidden(geometric->fibre, geometric->dq1, geometric->dp1, to->mu,
                                  &geometric->projecting, t1, geometric->q1, geometric->p1));
    for (int i = 0; i < geometric->n; i++) {
      real_accumulate(&to->q[i], &to->q_carry[i], geometric->dq1[i]);
      real_accumulate(&to->p[i], &to->p_carry[i], geometric->dp1[i]);
    }
    for (int i = 0; i < geometric->m; i++)
      to->mu[i] /= geometric->kick;
  }
  return check_regular(geometric, &negative, t1, to->q, to->p);
}

/* Returns the constraint work of Gamma and Pi. */
static real work_of(struct shk_geometric *geometric, const struct shk_state *to)
{
  struct shk_evaluator *e = geometric->evaluator;
  const struct shk_state *from = geometric->from;
  const real t0 = from->t, t1 = t0 + geometric->h;
  if (geometric->fibre)
    return shk_energy_of(e, t0, geometric->slid, geometric->slid + geometric->n) -
           shk_energy_of(e, t0, from->q, from->p) + shk_energy_of(e, t1, to->q, to->p) -
           shk_energy_of(e, t1, geometric->q1, geometric->p1);
  const real first = shk_kick_work(e, geometric->dq1, geometric->kick, geometric->G0, to->lambda,
                                   t0, from->q, from->p, SHK_BEFORE_KICK);
  return !geometric->rattle
             ? first
             : first + shk_kick_work(e, geometric->dq1, geometric->kick, geometric->G1, to->mu, t1,
                                     to->q, to->p, SHK_AFTER_KICK);
}

struct shk_status shk_geometric_step(struct shk_geometric *geometric, struct shk_state *to,
                                     const struct shk_state *from, real h)
{
  geometric->from = from;
  geometric->h = h;
  geometric->kick =
      geometric->kind == SHK_FLOW_EULER || geometric->kind == SHK_FLOW_EULER_ADJOINT ? h : h / 2;
  SHK_TRY(geometric->fibre ? momentum_step(geometric, to) : holonomic_step(geometric, to));
  if (*geometric->asks_work)
    **geometric->asks_work += work_of(geometric, to);
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
    return shk_refused("constraints that depend on momenta accept only linear=lu");
  if (shk_linear_leaves_constraint(shk_values_choice(binding->options, "linear")))
    return shk_refused("linear=tikhonov is supposed to leave the constraint, but with this flow "
                       "the iteration converges to g = 0 with any matrix");
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

struct shk_status shk_bind_geometric(struct shk_geometric **created,
                                     const struct shk_binding *binding, bool rattle,
                                     real *const *asks_work)
{
  struct shk_evaluator *e = binding->evaluator;
  const bool momentum = (e->system->features & SHK_MOMENTUM_CONSTRAINT) != 0;
  struct shk_geometric *geometric = *created =
      shk_part(binding->workspace, sizeof *geometric, arrays, e);
  SHK_TRY(shk_allocated(geometric));
  SHK_TRY(check_options(binding, momentum));
  geometric->evaluator = e;
  geometric->asks_work = asks_work;
  geometric->projecting.limit = LIMIT;
  geometric->tolerance = shk_values_real(binding->options, "tolerance");
  geometric->rattle = rattle;
  geometric->general = shk_is_general(e->system);
  geometric->n = e->system->n;
  geometric->m = e->system->m;
  geometric->kind = (enum shk_flow_kind)shk_values_choice(binding->options, "flow");
  SHK_TRY(shk_bind_flow(&geometric->flow, binding));
  SHK_TRY(shk_bind_fibre_solver(&geometric->fibre_solver, binding));
  if (momentum)
    return shk_bind_fibre(&geometric->fibre, binding);
  SHK_TRY(shk_bind_linear(&geometric->linear, binding, binding->options));
  return shk_bind_solver(&geometric->solver, binding);
}

/* ---- claims ---- */

static int least_order(int claimed, int order)
{
  return claimed < order ? claimed : order;
}

/* Returns the traits of flow=integrator, which are the claims of its base. The base does not see
 * the constraints. */
static struct shk_traits traits_of(const struct shk_values *options)
{
  const struct shk_integrator *base = shk_values_part(options, "base");
  struct shk_claims flow_claims;
  if (!base)
    return (struct shk_traits){.order = 1, .rounded = true};
  shk_claims_under(&flow_claims, base, shk_values_nested(options, "base"));
  return (struct shk_traits){.order = least_order(flow_claims.order_q, flow_claims.order_p),
                             .symplectic = flow_claims.symplectic == SHK_YES,
                             .symmetric = flow_claims.symmetric == SHK_YES,
                             .rounded = true,
                             .double_only = flow_claims.double_only};
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

/* A flow of order p changes the multipliers by O(h^(p-1)), and the mean of the multipliers depends
 * on the symmetry of the flow. */
static void claim_with_traits(struct shk_claims *claims, struct shk_traits flow, bool rattle)
{
  claims->order_q = least_order(claims->order_q, flow.order);
  claims->order_p = least_order(claims->order_p, flow.order);
  claims->order_lambda_state = least_order(claims->order_lambda_state, flow.order);
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

/* The order is at most 2. Because the constraint acts only at the ends of the step, a higher order
 * of the flow (Gauss or a composition) is lost. */
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
  /* for SHAKE, the error along the fibre is O(h) */
  claims->local_order_p = rattle ? claims->order_p + 1 : 1;
}
