/*
 * Solvers that integrators share: factorizations of constraint matrices, Newton's method for
 * multipliers, which continues until it reaches round-off, and the exact multiplier.
 *
 * For separable systems, the matrix is K = G(a) M⁻¹ G(b)ᵀ, which is symmetric if a = b.
 */
#ifndef SHAKEDOWN_SOLVE_H
#define SHAKEDOWN_SOLVE_H

#include <shakedown/iteration.h>
#include <shakedown/parts/values.h>
#include <shakedown/parts/workspace.h>
#include <shakedown/system.h>

extern const struct shk_choice shk_solver_choices[], shk_criterion_choices[], shk_linear_choices[];
/* The quantity that is compared with `tolerance`, or no quantity if the number of iterations is
 * fixed. */
enum shk_criterion {
  SHK_CRITERION_ABSOLUTE, /* max|g| */
  SHK_CRITERION_SQUARED,  /* max| |r|² - d² | / 2d²; for distance constraints */
  SHK_CRITERION_LENGTH,   /* max| |r| - d | / d; for distance constraints */
  SHK_CRITERION_COUNT     /* no comparison; the solver always performs `iterations` iterations */
};
/* The options `solver`, `tolerance`, `criterion`, `iterations` and `linear`, which every geometric
 * method has. Include SHK_SOLVING_OPTIONS in the method's option list; the values are stored in a
 * member of the method's struct. For general systems, solver can be auto or newton, and linear can
 * be auto, lu, qr or svd; all other choices are refused. */
struct shk_rod_solver;
struct shk_solving {
  int solver, linear;               /* indices into shk_solver_choices and shk_linear_choices */
  const struct shk_rod_solver *own; /* a solver from a plug-in; NULL if the solver is built in */
  real tolerance;
  long iterations;
  int criterion;                        /* enum shk_criterion */
  const struct shk_values *its_options; /* options of the chosen solver */
};
#define SHK_SOLVING_OPTIONS(type, member)                                                          \
  SHK_CHOICE(type, member.solver, "solver", shk_solver_choices, "auto",                            \
             "solver for the multipliers",                                                         \
             .nested_at = SHK_AT_A(const struct shk_values *, type, member.its_options),           \
             .others_at = SHK_AT_A(const struct shk_rod_solver *, type, member.own)),              \
      SHK_REAL(type, member.tolerance, "tolerance", "0",                                           \
               "tolerance on max|g| in a multiplier solve, in the units of g; 0 means round-off",  \
               .minimum = "0"),                                                                    \
      SHK_CHOICE(type, member.criterion, "criterion", shk_criterion_choices, "absolute",           \
                 "quantity compared with `tolerance`"),                                            \
      SHK_INTEGER(type, member.iterations, "iterations", "1000",                                   \
                  "maximum number of iterations (Newton's, or sweeps) per solve; a solve that "    \
                  "reaches it fails",                                                              \
                  .minimum = "1", .maximum = "100000"),                                            \
      SHK_CHOICE(type, member.linear, "linear", shk_linear_choices, "auto",                        \
                 "factorization of the constraint matrix")
/* The option `linear` alone, for methods that only solve linear systems with the constraint
 * matrix. */
#define SHK_LINEAR_OPTION                                                                          \
  {                                                                                                \
    .name = "linear", .kind = SHK_OPTION_CHOICE, .fallback = "auto",                               \
    .choices = shk_linear_choices, .meaning = "factorization of the constraint matrix"             \
  }

/* Weakens the claims of a method as these options require. Call this function last in
 * `claims_under`. A tolerance above round-off removes the claims about structure and orders; if the
 * tolerance is relative (criterion=squared or length), it becomes the claimed level of the
 * constraint. With criterion=count, it is also unknown whether the constraints are satisfied
 * exactly. */
void shk_tolerance_claims(struct shk_claims *claims, const struct shk_solving *solving);
/* Like shk_tolerance_claims, but also removes the claim about the constraint for linear=tikhonov
 * and for solvers that do not check the constraint (linearized, lincs, and external solvers that
 * declare this). */
void shk_solving_claims(struct shk_claims *claims, const struct shk_solving *solving);

/* ---- dense kernels for matrices stored row by row ---- */

/* Computes an in-place LU factorization with partial pivoting, and stores the pivots (n). Returns
 * false if a pivot is zero or not finite. */
bool shk_lu_factor(real *a, int *pivots, int n);
void shk_lu_solve(real *x, const real *a, const int *pivots, int n);

/* Computes an in-place Cholesky factorization of the lower triangle. Returns false if the matrix is
 * not positive definite. */
bool shk_cholesky_factor(real *a, int n);
void shk_cholesky_solve(real *x, const real *a, int n);

/* The functions in bind.h create the objects below. */

/* ---- Newton's method for small dense systems: implicit stages of general Hamiltonians ---- */

struct shk_newton; /* work space */

/* Evaluates F (size) and its Jacobian (size x size, row by row) at x. */
typedef struct shk_status shk_newton_function(void *user, real *F, real *jacobian, const real *x);

/* Removes redundant constraints from bordered systems, whose last m unknowns are multipliers and
 * whose last m equations are the constraints, so that the matrix becomes regular. Does this only if
 * the options contain linear=qr or svd. */
struct shk_status shk_newton_take_redundant(struct shk_newton *newton,
                                            const struct shk_evaluator *evaluator,
                                            const struct shk_values *options);
/* Finds the redundant constraints before the solves of a step, using G, the Jacobian values at the
 * start of the step. Solves then begin with zero multipliers, and fail with SHK_NOT_CONVERGED if a
 * removed equation is not satisfied. Does nothing if the removal of redundant constraints was not
 * requested. */
struct shk_status shk_newton_find_range(struct shk_newton *newton, const real *G);
/* Solves F(x) = 0, starting from the guess in x. The solve converges as soon as c, the largest
 * correction among the first `watched` unknowns, each divided by its weight, satisfies one of three
 * conditions: c is at most eps; c is at most eps^(3/4) and was not halved; or c is at most
 * eps^(1/2) and did not decrease. Each of the `watched` weights is the size of the block to which
 * the unknown belongs. */
struct shk_status shk_newton_solve(struct shk_newton *newton, struct shk_evaluator *evaluator,
                                   real *x, int watched, const real *weights,
                                   shk_newton_function *function, void *user);
/* Stores weights (n) for the convergence test of momenta that make g zero at the end of a step of
 * length h. Each weight is the larger of size_p and m size_q/h. The latter is the momentum error
 * caused by rounding the positions, divided by epsilon. It dominates at rest and for small steps.
 * 1/m is the diagonal of H_pp in `hessian` (2n x 2n). A zero weight is replaced by the largest
 * weight, or by 1 if all weights are zero. */
void shk_momentum_weights(real *weights, int n, real size_q, real size_p, real h,
                          const real *hessian);

/* ---- the constraint matrix ---- */

struct shk_linear;

/* Returns true if the factorization needs a = b (Cholesky). */
bool shk_linear_symmetric_only(const struct shk_linear *linear);
/* Assembles and factors G_a M⁻¹ G_bᵀ from Jacobian values in the sparsity pattern of the evaluator.
 * Returns SHK_SINGULAR if a pivot is no larger than the round-off of its own diagonal entry. With
 * qr and svd, redundant rows of G_b are dropped instead. These factorizations retain no more
 * directions than the rank in the evaluator, because off the constraints, round-off makes
 * additional rows of G independent. */
struct shk_status shk_linear_factor(struct shk_linear *linear, const real *G_a, const real *G_b);
/* Factors G in the metric in which constraint forces act. The matrix is G M⁻¹ Gᵀ or, for general
 * systems, G H_pp Gᵀ with H_pp from a Hessian (2n x 2n), or G Gᵀ if the Hessian is NULL. This
 * counts as one factorization. */
struct shk_status shk_factor_in_metric(struct shk_linear *linear, struct shk_evaluator *evaluator,
                                       const real *G, const real *hessian);
/* Stores H_pq v + factor H_pp f in a (n). If v is NULL, it is taken to be zero. If the Hessian is
 * NULL, stores factor M⁻¹ f. */
void shk_acceleration(const struct shk_evaluator *evaluator, real *a, const real *hessian,
                      const real *v, real factor, const real *f);
/* Solves in place: x (m) <- K⁻¹ x. */
void shk_linear_solve(const struct shk_linear *linear, real *x);

/* ---- residuals ---- */

/* Stores the norms of the most recent residuals or corrections of the last solve, up to `limit` of
 * them, with the most recent one last. Returns their number. Some solvers record residuals only if
 * they fail. A method that has its own iteration sets evaluator->solving. */
int shk_last_residuals(const struct shk_evaluator *evaluator, double *residuals, int limit);

/* ---- multipliers ---- */

struct shk_multiplier_solver;

/* The condition that must be satisfied at the end of a kick. */
enum shk_condition {
  SHK_ON_CONSTRAINT, /* g(q1) = 0; separable systems only */
  SHK_ON_HIDDEN      /* G(q1) H_p(q1,p1) + g_t(t1,q1) = 0 */
};

/* A kick along the constraint normals that satisfies a condition at its end. Finds the multiplier
 * (m) such that
 *
 *     dp = dp_free - by·alongᵀ multiplier,   p1 = p0 + dp,
 *
 *     SHK_ON_CONSTRAINT   q1 = q0 + drift M⁻¹ p1,   g(t1,q1) = 0      (p1 here is p½ of RATTLE)
 *     SHK_ON_HIDDEN       G H_p(q1,p1) + g_t(t1,q1) = 0,   G = G(t1,q1) = along
 *
 * using the solver that the option `solver` selects (mechanics/solvers/kit/solvers.def). There are
 * three exceptions to these equations. `tikhonov` solves g(q1) = epsilon·drift·by·multiplier and G
 * H_p = epsilon·by·multiplier. `linearized` does a single linear solve, and reuses the factors of
 * the preceding position solve for the hidden constraint. On the hidden constraint, `gauss-seidel`
 * compares by·max|G H_p| with the tolerance, if there is one. */
struct shk_kick {
  enum shk_condition until;
  real t;                       /* t1 */
  const struct shk_state *from; /* q0 and p0 with their carries */
  /* SHK_ON_CONSTRAINT stores q1 here; SHK_ON_HIDDEN reads q1 and stores p1; each with its carry */
  struct shk_state *to;
  const real *along; /* Jacobian values at the point where the multiplier acts */
  real by, drift;
  /* n; NULL means zero. SHK_ON_HIDDEN does not use this member but expects the vector in dp on
   * entry */
  const real *dp_free;
  real *dp;         /* n; receives p1 - p0 before rounding */
  real *multiplier; /* m; on entry, the initial guess for SHK_ON_CONSTRAINT */
};
struct shk_status shk_kick(struct shk_multiplier_solver *solver, const struct shk_kick *kick);

/* ---- the exact multiplier and the manifold ---- */

struct shk_manifold;

/* Computes the lambda (m) for which the second time derivative of g is zero at (q,p). With
 * generalized forces, replace V_q and H_q in the equations below with V_q - Q and H_q - Q. For
 * g(q,t), g_qq[v,v] is the whole curvature.
 *     separable: A lambda = g_qq[v,v] - G M⁻¹ V_q,        A = G M⁻¹ Gᵀ
 *     general:   G H_pp Gᵀ lambda = g_qq[v,v] + G (H_pq v - H_pp H_q),   v = H_p
 *     g(q,p):    N lambda = {psi,H}, as in fibre.h
 *     general DAE: the lambda that keeps g (index 2) or g_q q' (index 3) zero, by Newton's
 *                iteration from (1, …, 1) */
struct shk_status shk_exact_multiplier(struct shk_manifold *manifold, real *lambda, real t,
                                       const real *q, const real *p);
/* Evaluates the slope f (2n) for a given lambda: H_p + g_pᵀ lambda, followed by -H_q - g_qᵀ lambda,
 * where H_q denotes H_q - Q. `gradient` receives max|H_q| and may be NULL. `jacobian` is work space
 * for the entries of the pattern or, with constraints on momenta, for 2 n m numbers. */
struct shk_status shk_constrained_slope(struct shk_evaluator *evaluator, real *f, real *gradient,
                                        real *jacobian, real t, const real *q, const real *p,
                                        const real *lambda);
/* Makes (q,p) consistent in place. First, Newton's method moves q along M⁻¹Gᵀ (for general systems,
 * Gᵀ) onto g = 0, which gives the nearest point in that metric up to second order in the violation.
 * Then p is moved along Gᵀ onto the hidden constraint. With constraints g(q,p), (q,p) is moved
 * along the gradients onto g = 0 and then along the fibre onto the hidden constraint. For general
 * DAEs, the point is moved along the gradients of each constraint. */
struct shk_status shk_manifold_project(struct shk_manifold *manifold, real *q, real *p, real t);

/* ---- rank: singular values of the Jacobian in the mass metric with rows of unit length ---- */

/* Maximum number of constraints for which singular values are computed. */
#define SHK_RANK_LIMIT 400

/* Returns the level, relative to the largest singular value, below which singular values count as
 * round-off. */
real shk_rank_tolerance(const struct shk_system *system);
/* Computes the singular values (m, in descending order). A zero row of G is not rescaled. Returns
 * SHK_BAD_INPUT if there are more than SHK_RANK_LIMIT constraints. */
struct shk_status shk_singular_values(real *values, struct shk_evaluator *evaluator, real t,
                                      const real *q, const real *p);

#endif
