/* The interface between linear.c and the constraint-matrix factorizations, and the list of these
 * factorizations. */
#ifndef MECHANICS_ALGEBRA_FACTORIZATIONS_FACTORIZATION_H
#define MECHANICS_ALGEBRA_FACTORIZATIONS_FACTORIZATION_H

#include <shakedown/parts/values.h>
#include <shakedown/parts/workspace.h>
#include <shakedown/solve.h>
#include <shakedown/system.h>

enum shk_linear_kind {
#define SHK_FACTORIZATION(enumerator, ...) SHK_LINEAR_##enumerator,
#include "mechanics/algebra/factorizations/factorizations.def"
#undef SHK_FACTORIZATION
  SHK_LINEAR_COUNT
};

/* Traits of a factorization, which describe the matrices it accepts and how it solves the
 * system. */
enum {
  SHK_TAKES_GENERAL = 1 << 0,    /* also accepts G W Gᵀ with any symmetric W */
  SHK_TAKES_SYMMETRIC = 1 << 1,  /* accepts only matrices with G_a = G_b */
  SHK_TAKES_REDUNDANT = 1 << 2,  /* finds solutions in a subspace where K is regular */
  SHK_LEAVES_CONSTRAINT = 1 << 3 /* solves a perturbed system */
};

unsigned shk_linear_traits(int kind);

struct shk_factorization {
  /* Chooses one of the other factorizations for a separable system. Only `auto` provides this
   * function. */
  struct shk_status (*choose)(enum shk_linear_kind *kind, struct shk_workspace *workspace,
                              const struct shk_evaluator *evaluator);
  /* Does all symbolic work. `own` points to the options of this choice and is NULL if there are
   * none. */
  struct shk_status (*create)(void **factors, struct shk_workspace *workspace,
                              const struct shk_evaluator *evaluator, const struct shk_values *own);
  /* Assembles and factors the matrix from Jacobian values. Returns SHK_SINGULAR if a pivot is zero
   * to round-off or not finite. `again` is true if G_b has not changed since the last call. */
  struct shk_status (*factor)(void *factors, const real *G_a, const real *G_b, bool again);
  /* Factors G W Gᵀ, if the factorization accepts it. W is dense (n x n) with rows `stride` apart;
   * NULL means the identity. */
  struct shk_status (*factor_metric)(void *factors, const real *G, const real *W, int stride);
  /* x (m) <- K⁻¹ x */
  void (*solve)(void *factors, real *x);
  /* Returns the number that is added to K's diagonal. The pointer is NULL if the factorization adds
   * nothing. */
  real (*added)(const void *factors);
};

/* Like shk_bind_linear, but for the given choice. `own` points to its options and is NULL if there
 * are none. */
struct shk_status shk_linear_create_kind(struct shk_linear **linear,
                                         struct shk_workspace *workspace,
                                         struct shk_evaluator *evaluator, enum shk_linear_kind kind,
                                         const struct shk_values *own);

/* From this call on, systems with a singular matrix are solved as with linear=svd. Without options,
 * this is the default for 2 to 64 constraints. */
struct shk_status shk_linear_rescue(struct shk_linear *linear);
/* From this call on, systems are solved by QR, which keeps the same rows for as long as they are
 * independent. The solution is then smooth even at points that violate redundant constraints. */
struct shk_status shk_linear_keep_rows(struct shk_linear *linear);
/* Returns true if singular matrices can be solved. */
bool shk_linear_rescues(const struct shk_linear *linear);
/* Returns true if the last matrix was singular and linear=svd's method was used instead. */
bool shk_linear_rescued(const struct shk_linear *linear);
/* Returns the epsilon that tikhonov adds to K's diagonal, or 0 for any other factorization. */
real shk_linear_regularization(const struct shk_linear *linear);
/* Factors a new matrix with the G_b of the last call and reuses the decomposition of G_b. */
struct shk_status shk_linear_factor_again(struct shk_linear *linear, const real *G_a,
                                          const real *G_b);

#define SHK_FACTORIZATION(enumerator, word, ...)                                                   \
  extern const struct shk_factorization shk_##word##_factorization;
#include "mechanics/algebra/factorizations/factorizations.def"
#undef SHK_FACTORIZATION
extern const struct shk_factorization shk_kept_factorization;

/* Returns true if this value of the option `linear` deliberately solves a different system
 * (tikhonov). */
bool shk_linear_leaves_constraint(int linear);

/* Returns true if solutions are restricted to a subspace where K is regular (qr, svd). If
 * multipliers are accumulated from corrections, they must then start from zero. */
bool shk_linear_drops(const struct shk_linear *linear);

/* Factors G W Gᵀ with a dense symmetric W (n x n, rows `stride` apart; NULL means the identity).
 * This requires a general system and one of the factorizations lu, qr and svd. The last two find
 * the range of G and solve within it. */
struct shk_status shk_linear_factor_metric(struct shk_linear *linear, const real *G, const real *W,
                                           int stride);

#endif
