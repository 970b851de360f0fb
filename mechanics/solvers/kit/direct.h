/* What solvers that factor the constraint matrix share. */
#ifndef MECHANICS_SOLVERS_KIT_DIRECT_H
#define MECHANICS_SOLVERS_KIT_DIRECT_H

#include "mechanics/algebra/factorizations/factorization.h"
#include "mechanics/algebra/factorizations/in_double.h"
#include "mechanics/solvers/kit/residuals.h"
#include "mechanics/solvers/kit/solver.h"

struct shk_direct {
  struct shk_residuals at;
  struct shk_linear *linear;
  /* In quad, of solves that iterate until the residual is small: factors in double. */
  struct shk_in_double *rough;        /* NULL: none */
  struct shk_in_double_arrays arrays; /* its arguments */
  bool in_full;                       /* the present solve does without them */
  bool is_rough;                      /* they are of the present matrix */
  /* Position solves have the matrix of the old point, factored once, in place of that of the
   * iterate; always so if the factorization takes symmetric matrices only. */
  bool old_point;
};

/* A solver by the two solves below, with `size` zeroed bytes for a struct that begins with a struct
 * shk_direct. kind: of the factorization; SHK_LINEAR_OF_OPTIONS: as the option `linear` says. */
#define SHK_LINEAR_OF_OPTIONS SHK_LINEAR_COUNT
struct shk_status shk_direct_create(struct shk_solver *solver, size_t size,
                                    struct shk_workspace *workspace,
                                    struct shk_evaluator *evaluator,
                                    const struct shk_values *options, enum shk_linear_kind kind);
/* Of a solver that corrects until the residual is small: from now on factorizations in quad are
 * in double where that gains ten digits a correction and the solve goes on as fast as with those in
 * quad. In other precisions it changes nothing. */
struct shk_status shk_direct_refine(struct shk_direct *d, const struct shk_values *options);

/* The matrix G(q0) M⁻¹ G(q0)ᵀ of the old point. */
struct shk_status shk_direct_factor_old(struct shk_direct *d,
                                        const struct shk_position_solve *task);
/* lambda += K⁻¹ g / (drift kick), with the present factors; leaves the step in at.residual. */
void shk_direct_correct(struct shk_direct *d, const struct shk_position_solve *task);
/* The position solve by Newton's iteration. */
struct shk_status shk_direct_position(void *direct, struct shk_iteration *iteration,
                                      const struct shk_position_solve *task);
/* One iteration of it. */
struct shk_status shk_direct_newton(struct shk_direct *d, const struct shk_position_solve *task,
                                    bool first);

/* Factors the matrix of the hidden constraint: G1 M⁻¹ G1ᵀ, or G1 H_pp(q1,p1) G1ᵀ. */
struct shk_status shk_direct_factor_hidden(struct shk_direct *d,
                                           const struct shk_hidden_solve *task);
/* Corrects mu and dp by the residual, with the present factors. */
void shk_direct_correct_hidden(struct shk_direct *d, const struct shk_hidden_solve *task);
/* The hidden solve: linear for separable systems, where the first pass solves and the others refine
 * to round-off; Newton's method for general ones. */
struct shk_status shk_direct_hidden(void *direct, struct shk_iteration *iteration,
                                    const struct shk_hidden_solve *task);

#endif
