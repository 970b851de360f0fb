/*
 * A constrained mechanical system at given parameters, and its evaluation with counters.
 *
 *     q' = H_p      p' = -H_q - Gᵀ lambda      0 = g(q,t),     G = g_q
 *
 * so the constraint force is -Gᵀ lambda (Hairer, Lubich & Wanner, GNI, eq. VII.1.9).
 * n coordinates, m constraints. Either separable, H = ½ pᵀM⁻¹p + V(q) with constant diagonal M, or
 * general, H(q,p), with first and second derivatives.
 *
 * Callbacks write all of their output, read nothing but their arguments, keep no state, and return
 * 0, a positive value (try a smaller step) or a negative one (stop).
 */
#ifndef SHAKEDOWN_SYSTEM_H
#define SHAKEDOWN_SYSTEM_H

#include <shakedown/descriptor.h>
#include <shakedown/real.h>
#include <shakedown/status.h>

struct shk_system {
  size_t struct_size; /* sizeof(struct shk_system) of the author's compilation */
  int n, m;
  unsigned features;   /* enum shk_feature */
  const void *context; /* first argument of every callback */

  /* Separable systems: the diagonal of M (n, positive), V and its gradient (n). */
  const real *mass;
  int (*potential)(const void *context, real *value, real t, const real *q);
  int (*gradient)(const void *context, real *gradient, real t, const real *q);

  /* General systems (SHK_GENERAL_HAMILTONIAN): H, H_q (n), H_p (n), and the Hessian
   * [H_qq H_qp; H_pq H_pp], (2n)x(2n) by rows. */
  int (*hamiltonian)(const void *context, real *value, real t, const real *q, const real *p);
  int (*hamiltonian_q)(const void *context, real *out, real t, const real *q, const real *p);
  int (*hamiltonian_p)(const void *context, real *out, real t, const real *q, const real *p);
  int (*hessian)(const void *context, real *out, real t, const real *q, const real *p);

  /* Constraints g (m). The Jacobian's values in the order of the pattern, which is compressed by
   * rows: row i has columns[row_start[i]] … columns[row_start[i+1]-1], ascending. Without a pattern
   * (NULL) the Jacobian is dense, m x n by rows. Curvature (m): g_qq[v,v]. */
  int (*constraint)(const void *context, real *g, real t, const real *q);
  int (*jacobian)(const void *context, real *values, real t, const real *q);
  int (*curvature)(const void *context, real *out, real t, const real *q, const real *v);
  const int *row_start; /* m + 1 */
  const int *columns;   /* row_start[m] */

  /* Constraints g(q,p) (SHK_MOMENTUM_CONSTRAINT) have these in place of the three functions above,
   * dense, without a pattern: g (m); g_q and g_p (m x n by rows each); the second derivatives of
   * each g_i applied to w (2n, the part of q first), m x 2n by rows. Such a system gives `hessian`
   * too, be H separable or not. */
  int (*constraint_qp)(const void *context, real *g, real t, const real *q, const real *p);
  int (*constraint_gradients)(const void *context, real *g_q, real *g_p, real t, const real *q,
                              const real *p);
  int (*constraint_second)(const void *context, real *out, real t, const real *q, const real *p,
                           const real *w);
  /* The fibre through (q,p): what q' = g_pᵀ s, p' = -g_qᵀ s with constant s (m) adds to q and p in
   * a unit of time, dq and dp (n), right to round-off of their own size. NULL: it is integrated
   * numerically. */
  int (*fibre)(const void *context, real *dq, real *dp, const real *q, const real *p,
               const real *s);
};

/* Evaluations of one kind each, and what solvers did with them. */
struct shk_work {
  long hamiltonian, gradient, velocity, hessian; /* H or V; H_q or V_q; H_p; second derivatives */
  long constraint, jacobian, curvature;
  long iterations;     /* Newton iterations, all solves together */
  long factorizations; /* of matrices of the size of the constraints or larger */
  long steps, rejected;
};

/* A system ready to be evaluated: pattern always present, counters running. */
struct shk_evaluator {
  const struct shk_system *system;
  const int *row_start, *columns; /* the system's, or that of a dense matrix */
  int *owned;                     /* the dense pattern, freed by shk_evaluator_clear */
  struct shk_work work;
};

#define shk_evaluator_init SHK_NAME(shk_evaluator_init)
#define shk_evaluator_clear SHK_NAME(shk_evaluator_clear)
struct shk_status shk_evaluator_init(struct shk_evaluator *evaluator,
                                     const struct shk_system *system);
void shk_evaluator_clear(struct shk_evaluator *evaluator);

/* Each counts itself and turns a callback's return value into a status. Separable and general
 * systems alike; for separable ones p may be NULL in shk_gradient. */
#define shk_hamiltonian SHK_NAME(shk_hamiltonian)
#define shk_gradient SHK_NAME(shk_gradient)
#define shk_velocity SHK_NAME(shk_velocity)
#define shk_hessian SHK_NAME(shk_hessian)
#define shk_constraint SHK_NAME(shk_constraint)
#define shk_jacobian SHK_NAME(shk_jacobian)
#define shk_curvature SHK_NAME(shk_curvature)
struct shk_status shk_hamiltonian(struct shk_evaluator *e, real *value, real t, const real *q,
                                  const real *p);
struct shk_status shk_gradient(struct shk_evaluator *e, real *H_q, real t, const real *q,
                               const real *p); /* H_q */
struct shk_status shk_velocity(struct shk_evaluator *e, real *H_p, real t, const real *q,
                               const real *p); /* H_p */
struct shk_status shk_hessian(struct shk_evaluator *e, real *out, real t, const real *q,
                              const real *p); /* only systems that have it */
struct shk_status shk_constraint(struct shk_evaluator *e, real *g, real t, const real *q);
struct shk_status shk_jacobian(struct shk_evaluator *e, real *values, real t, const real *q);
struct shk_status shk_curvature(struct shk_evaluator *e, real *out, real t, const real *q,
                                const real *v);

/* g(q,p) and its derivatives as in struct shk_system: SHK_MOMENTUM_CONSTRAINT only, where they
 * count as constraint, jacobian and curvature. Asking such a system for g(q), G or g_qq[v,v] is
 * answered with a failure. */
#define shk_constraint_qp SHK_NAME(shk_constraint_qp)
#define shk_constraint_gradients SHK_NAME(shk_constraint_gradients)
#define shk_constraint_second SHK_NAME(shk_constraint_second)
struct shk_status shk_constraint_qp(struct shk_evaluator *e, real *g, real t, const real *q,
                                    const real *p);
struct shk_status shk_constraint_gradients(struct shk_evaluator *e, real *g_q, real *g_p, real t,
                                           const real *q, const real *p);
struct shk_status shk_constraint_second(struct shk_evaluator *e, real *out, real t, const real *q,
                                        const real *p, const real *w);

/* out (m) = G x; out (n) += factor Gᵀ y; both in the evaluator's pattern. */
#define shk_jacobian_times SHK_NAME(shk_jacobian_times)
#define shk_jacobian_transposed_add SHK_NAME(shk_jacobian_transposed_add)
void shk_jacobian_times(const struct shk_evaluator *e, real *out, const real *values,
                        const real *x);
void shk_jacobian_transposed_add(const struct shk_evaluator *e, real *out, const real *values,
                                 real factor, const real *y);

#endif
