/*
 * The residuals of the two solves at given multipliers, with the corresponding motion, and their
 * rounding, the unit of the residual in solves to round-off. Rows may have unlike units: in these
 * solves they are weighted by their sizes, so that each is compared with its own rounding.
 */
#ifndef MECHANICS_SOLVERS_KIT_RESIDUALS_H
#define MECHANICS_SOLVERS_KIT_RESIDUALS_H

#include <shakedown/bind.h>

struct shk_residuals {
  struct shk_evaluator *evaluator;
  const struct shk_rods *rods; /* residuals are relative to their lengths; NULL: absolute */
  bool by_length;              /* relative errors of lengths, not of squared lengths */
  real epsilon;                /* tikhonov's, which leaves g = epsilon drift·by lambda; else 0 */
  real *residual;              /* m */
  const real *row_weights;     /* row_weights.h, of a solve to round-off; NULL: all 1 */
  real *weights_room;          /* m: where they are stored */
  real *velocity;              /* n */
  real *sizes;                 /* n: work space for moduli of terms */
  real *hessian;               /* 2n x 2n; NULL: a separable system */
  bool has_hessian;
  const struct shk_kick *kick; /* the present solve */
  struct shk_iteration *iteration;
};

/* SHK_REFUSED if the `criterion` of the options is for distance constraints and there are none. */
struct shk_status shk_residuals_init(struct shk_residuals *r, const struct shk_binding *binding);

/* Begin the iteration of a solve, and keep a pointer to its kick. */
void shk_begin_position(struct shk_residuals *r, struct shk_iteration *iteration,
                        const struct shk_iteration_rule *rule, const struct shk_kick *kick);
void shk_begin_hidden(struct shk_residuals *r, struct shk_iteration *iteration,
                      const struct shk_iteration_rule *rule, const struct shk_kick *kick);

/* Store dp_free in dp; and q1 for the kick's dp, with the whole displacement from q0 in its carry. */
void shk_unconstrained_momenta(const struct shk_evaluator *evaluator, const struct shk_kick *kick);
void shk_drift_points(const struct shk_evaluator *evaluator, const struct shk_kick *kick);
/* Stores dp and q1 for the present multiplier, and g(q1) less tikhonov's remainder in `residual`.
 * *size: the largest residual, by the criterion. */
struct shk_status shk_residuals_position(struct shk_residuals *r, real *size,
                                         const struct shk_kick *kick);
/* Stores p1 = p + dp, its velocity, and G1 H_p + g_t less tikhonov's remainder in `residual`, and
 * raises the rounding of the iteration to its own if it exceeds that. *size: the largest residual. */
struct shk_status shk_residuals_hidden(struct shk_residuals *r, real *size,
                                       const struct shk_kick *kick);
/* Returns the largest of g (m) by the criterion. */
real shk_residual_size(const struct shk_residuals *r, const real *g);

/* Returns max_i w_i Σ_k |G_ik| |q_k|, with the weights of the residuals: the effect on g of rounding
 * the positions, over epsilon. A constraint that depends on time may take q through zero; then |drift p_k|/m_k is
 * added to |q_k|. */
real shk_position_rounding(struct shk_residuals *r, const struct shk_kick *kick);
/* Returns the rounding, over epsilon, of terms that cancel in the last residual (cancelled.c); user:
 * the residuals. */
shk_iteration_cancelled shk_cancelled_terms;

#endif
