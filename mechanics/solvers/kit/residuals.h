/*
 * The residuals of the two solves at given multipliers, with the corresponding motion, and their
 * rounding, the unit of the residual in solves to round-off.
 */
#ifndef MECHANICS_SOLVERS_KIT_RESIDUALS_H
#define MECHANICS_SOLVERS_KIT_RESIDUALS_H

#include <shakedown/bind.h>

struct shk_residuals {
  struct shk_evaluator *evaluator;
  const struct shk_rods *rods; /* residuals are relative to their lengths; NULL: none */
  bool by_length;              /* relative errors of lengths, not of squared lengths */
  real epsilon;                /* tikhonov's: it leaves g = epsilon drift kick lambda; 0: none */
  real *residual;              /* m */
  real *velocity;              /* n */
  real *sizes;                 /* n: moduli of the terms of each velocity */
  real *hessian;               /* 2n x 2n; NULL: a separable system */
  bool has_hessian;
  const struct shk_position_solve *position; /* the present solve */
  const struct shk_hidden_solve *hidden;
};

/* SHK_REFUSED if the `criterion` of the options is for distance constraints and there are none. */
struct shk_status shk_residuals_init(struct shk_residuals *r, const struct shk_binding *binding);

/* These begin the iteration of a solve and keep a pointer to its task. */
void shk_begin_position(struct shk_residuals *r, struct shk_iteration *iteration,
                        const struct shk_iteration_rule *rule,
                        const struct shk_position_solve *task);
void shk_begin_hidden(struct shk_residuals *r, struct shk_iteration *iteration,
                      const struct shk_iteration_rule *rule, const struct shk_hidden_solve *task);

/* dp <- dp_free; then p1 and q1 of the task for its dp. q1_carry is left with the whole
 * displacement from q; multiplier.c reduces it to the rounding error of q1. */
void shk_free_momenta(const struct shk_evaluator *evaluator, const struct shk_position_solve *task);
void shk_drift_points(struct shk_residuals *r, const struct shk_position_solve *task);
/* dp, p1 and q1 for the present lambda; residual <- g(q1) less tikhonov's remainder. *size: the
 * largest residual, by the criterion. */
struct shk_status shk_move(struct shk_residuals *r, real *size,
                           const struct shk_position_solve *task);
/* The same for a solve accepted without test: records the residual. SHK_NOT_FINITE. */
struct shk_status shk_move_on(struct shk_residuals *r, struct shk_iteration *iteration,
                              const struct shk_position_solve *task);
/* p1 <- p + dp of the task, its velocity; residual <- G1 H_p + g_t less tikhonov's remainder. */
struct shk_status shk_kick(struct shk_residuals *r, real *size,
                           const struct shk_hidden_solve *task);
struct shk_status shk_kick_on(struct shk_residuals *r, struct shk_iteration *iteration,
                              const struct shk_hidden_solve *task);

/* The largest residual after shk_kick, by the criterion; for distance constraints v·r / d². */
real shk_rate_size(const struct shk_residuals *r);

/* K_ii: row i of G_a M⁻¹ times row i of G_b. */
static inline real shk_own_entry(const struct shk_evaluator *e, const real *G_a, const real *G_b,
                                 int i)
{
  real sum = 0;
  for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++)
    sum += shk_over_mass(e, G_a[k] * G_b[k], e->columns[k]);
  return sum;
}

/* max_i Σ_k |G_ik| |q_k|: the effect on g of rounding the positions, over eps. If a moving
 * constraint takes q through zero, the size of the step's displacement counts. */
real shk_position_rounding(struct shk_residuals *r, const struct shk_position_solve *task);

#endif
