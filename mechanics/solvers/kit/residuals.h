/*
 * The residuals of the two solves at given multipliers, the corresponding motion, and the rounding
 * of the residuals, which is their unit in solves to round-off. Rows may have different units. In
 * solves to round-off they are weighted by their sizes, so that each row is compared with its own
 * rounding.
 */
#ifndef MECHANICS_SOLVERS_KIT_RESIDUALS_H
#define MECHANICS_SOLVERS_KIT_RESIDUALS_H

#include <shakedown/bind.h>

struct shk_residuals {
  struct shk_evaluator *evaluator;
  const struct shk_rods *rods; /* rods to whose lengths residuals are relative; NULL if
                                * residuals are absolute */
  bool by_length;              /* errors are those of lengths, not of squared lengths */
  real epsilon;                /* for tikhonov, which leaves g = epsilon drift·by lambda; 0
                                * otherwise */
  real *residual;              /* m */
  const real *row_weights;     /* weights in a solve to round-off (row_weights.h); NULL if all
                                * are 1 */
  real *weights_room;          /* m: room for the weights */
  real *velocity;              /* n */
  real *sizes;                 /* n: work space for the sizes of terms */
  real *hessian;               /* 2n x 2n; NULL if the system is separable */
  bool has_hessian;
  const struct shk_kick *kick; /* the present solve */
  struct shk_iteration *iteration;
};

/* Returns SHK_REFUSED if the option `criterion` is for distance constraints and there are none. */
struct shk_status shk_residuals_init(struct shk_residuals *r, const struct shk_binding *binding);

/* These begin the iteration of a solve and store a pointer to its kick. */
void shk_begin_position(struct shk_residuals *r, struct shk_iteration *iteration,
                        const struct shk_iteration_rule *rule, const struct shk_kick *kick);
void shk_begin_hidden(struct shk_residuals *r, struct shk_iteration *iteration,
                      const struct shk_iteration_rule *rule, const struct shk_kick *kick);

/* The first function stores dp_free in dp. The second stores q1 for the kick's dp, with the whole
 * displacement from q0 in its carry. */
void shk_unconstrained_momenta(const struct shk_evaluator *evaluator, const struct shk_kick *kick);
void shk_drift_points(const struct shk_evaluator *evaluator, const struct shk_kick *kick);
/* Stores dp and q1 for the current multiplier, and stores g(q1) minus tikhonov's remainder in
 * `residual`. Sets *size to the largest residual, as measured by the criterion. */
struct shk_status shk_residuals_position(struct shk_residuals *r, real *size,
                                         const struct shk_kick *kick);
/* Stores p1 = p + dp and its velocity, and stores G1 H_p + g_t minus tikhonov's remainder in
 * `residual`. If the rounding of this residual exceeds that of the iteration, raises the latter.
 * Sets *size to the largest residual. */
struct shk_status shk_residuals_hidden(struct shk_residuals *r, real *size,
                                       const struct shk_kick *kick);
/* Returns the size of the largest entry of g (m), as measured by the criterion. */
real shk_residual_size(const struct shk_residuals *r, const real *g);

/* Returns max_i w_i Σ_k |G_ik| |q_k| with the weights of the residuals. This is the effect on g of
 * rounding the positions, divided by epsilon. If a constraint depends on time, q may pass through
 * zero, so |drift p_k|/m_k is added to |q_k|. */
real shk_position_rounding(struct shk_residuals *r, const struct shk_kick *kick);
/* Returns the rounding of terms that cancel in the last residual (cancelled.c), divided by epsilon.
 * `user` points to the residuals. */
shk_iteration_cancelled shk_cancelled_terms;

#endif
