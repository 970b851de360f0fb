/*
 * For given multipliers, computes the residuals of the two solves, the corresponding motion, and
 * the rounding error of the residuals, which serves as their unit in solves to round-off. Rows may
 * have different units. In solves to round-off, they are weighted according to their sizes, so that
 * each row is compared with its own rounding error.
 */
#ifndef MECHANICS_SOLVERS_KIT_RESIDUALS_H
#define MECHANICS_SOLVERS_KIT_RESIDUALS_H

#include <shakedown/bind.h>

struct shk_residuals {
  struct shk_evaluator *evaluator;
  /* rods whose lengths scale the residuals; NULL if residuals are absolute */
  const struct shk_rods *rods;
  bool by_length; /* true if errors are measured in lengths rather than squared lengths */
  /* the epsilon of tikhonov, which leaves the residual g = epsilon drift·by lambda; 0 for all
   * others */
  real epsilon;
  real *residual; /* m */
  /* row weights for a solve to round-off (row_weights.h); NULL if all are 1 */
  const real *row_weights;
  real *weights_room; /* m entries: memory for the weights */
  real *velocity;     /* n */
  real *sizes;        /* n entries: work space for the sizes of terms */
  real *hessian;      /* 2n x 2n; NULL if the system is separable */
  bool has_hessian;
  const struct shk_kick *kick; /* the present solve */
  struct shk_iteration *iteration;
};

/* Returns SHK_REFUSED if the option `criterion` requires distance constraints but the system
 * declares none. */
struct shk_status shk_residuals_init(struct shk_residuals *r, const struct shk_binding *binding);

/* These functions begin the iteration for a solve and store a pointer to its kick. */
void shk_begin_position(struct shk_residuals *r, struct shk_iteration *iteration,
                        const struct shk_iteration_rule *rule, const struct shk_kick *kick);
void shk_begin_hidden(struct shk_residuals *r, struct shk_iteration *iteration,
                      const struct shk_iteration_rule *rule, const struct shk_kick *kick);

/* The first function stores dp_free in dp. The second stores the q1 that results from the kick's
 * dp, and stores the entire displacement from q0 in the carry of q1. */
void shk_unconstrained_momenta(const struct shk_evaluator *evaluator, const struct shk_kick *kick);
void shk_drift_points(const struct shk_evaluator *evaluator, const struct shk_kick *kick);
/* Stores dp and q1 for the current multiplier, and stores g(q1) minus the remainder that tikhonov
 * allows in `residual`. Sets *size to the largest residual as measured by the criterion. */
struct shk_status shk_residuals_position(struct shk_residuals *r, real *size,
                                         const struct shk_kick *kick);
/* Stores p1 = p + dp and its velocity, and stores G1 H_p + g_t minus the remainder that tikhonov
 * allows in `residual`. If the rounding error of this residual exceeds that of the iteration,
 * raises the latter to it. Sets *size to the largest residual. */
struct shk_status shk_residuals_hidden(struct shk_residuals *r, real *size,
                                       const struct shk_kick *kick);
/* Returns the size of the largest entry of g (m) as measured by the criterion. */
real shk_residual_size(const struct shk_residuals *r, const real *g);

/* Returns max_i w_i Σ_k |G_ik| |q_k|, where w contains the weights of the residuals. This is the
 * effect on g of rounding the positions, divided by epsilon. If a constraint depends on time,
 * |drift p_k|/m_k is added to |q_k|, because q may pass through zero. */
real shk_position_rounding(struct shk_residuals *r, const struct shk_kick *kick);
/* Returns the rounding error of terms that cancel in the last residual (cancelled.c), divided by
 * epsilon. `user` points to the struct shk_residuals. */
shk_iteration_cancelled shk_cancelled_terms;

#endif
