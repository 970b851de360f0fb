/*
 * Selects the factorization of the constraint matrix, which is K = G_a M⁻¹ G_bᵀ for separable
 * systems and G W Gᵀ for all others. If the matrix is singular, svd is used as a fallback.
 */
#include "mechanics/algebra/factorizations/factorization.h"
#include <shakedown/bind.h>

/* Largest number of constraints for which singular matrices are handled by svd when no options are
 * given. */
#define RESCUE_LIMIT 64

static const struct {
  const struct shk_factorization *factorization;
  unsigned traits;
} table[] = {
#define SHK_FACTORIZATION(enumerator, word, name, traits, ...)                                     \
  {&shk_##word##_factorization, traits},
#include "mechanics/algebra/factorizations/factorizations.def"
#undef SHK_FACTORIZATION
};

struct shk_linear {
  const struct shk_factorization *kind;
  unsigned traits;
  void *factors;
  struct shk_workspace *workspace; /* owns everything here */
  const struct shk_evaluator *evaluator;
  int m;
  void *rescue; /* the SVD factors; NULL if there are none */
  bool rescued; /* whether the last matrix was singular and was factored by svd */
};

unsigned shk_linear_traits(int kind)
{
  return table[kind].traits;
}

bool shk_linear_leaves_constraint(int linear)
{
  return (table[linear].traits & SHK_LEAVES_CONSTRAINT) != 0;
}

static struct shk_status rescue_by_svd(struct shk_linear *l)
{
  return shk_svd_factorization.create(&l->rescue, l->workspace, l->evaluator, NULL);
}

struct shk_status shk_linear_create_kind(struct shk_linear **linear,
                                         struct shk_workspace *workspace,
                                         struct shk_evaluator *evaluator, enum shk_linear_kind kind,
                                         const struct shk_values *own)
{
  struct shk_linear *l = *linear = shk_memory(workspace, sizeof *l);
  SHK_TRY(shk_allocated(l));
  l->workspace = workspace;
  l->evaluator = evaluator;
  l->m = evaluator->system->m;
  const bool general = shk_is_general(evaluator->system);
  if (general && (table[kind].traits & SHK_TAKES_GENERAL) == 0)
    return shk_refused("systems that are not separable accept only linear=auto, lu, qr or svd");
  if (general && kind == SHK_LINEAR_AUTO)
    kind = SHK_LINEAR_LU;
  if (table[kind].factorization->choose)
    SHK_TRY(table[kind].factorization->choose(&kind, workspace, evaluator));
  l->kind = table[kind].factorization;
  l->traits = table[kind].traits;
  return l->kind->create(&l->factors, workspace, evaluator, own);
}

struct shk_status shk_bind_linear(struct shk_linear **linear, const struct shk_binding *binding,
                                  const struct shk_values *options)
{
  if (shk_values_with(options, "linear"))
    return shk_linear_create_kind(linear, binding->workspace, binding->evaluator,
                                  (enum shk_linear_kind)shk_values_choice(options, "linear"),
                                  shk_values_nested(options, "linear"));
  SHK_TRY(shk_linear_create_kind(linear, binding->workspace, binding->evaluator, SHK_LINEAR_AUTO,
                                 NULL));
  const int m = (*linear)->m;
  return m > 1 && m <= RESCUE_LIMIT ? rescue_by_svd(*linear) : shk_ok();
}

bool shk_linear_symmetric_only(const struct shk_linear *l)
{
  return (l->traits & SHK_TAKES_SYMMETRIC) != 0;
}

bool shk_linear_drops(const struct shk_linear *l)
{
  return (l->traits & SHK_TAKES_REDUNDANT) != 0;
}

bool shk_linear_rescues(const struct shk_linear *l)
{
  return shk_linear_drops(l) || l->rescue;
}

struct shk_status shk_linear_rescue(struct shk_linear *l)
{
  return shk_linear_rescues(l) ? shk_ok() : rescue_by_svd(l);
}

struct shk_status shk_linear_keep_rows(struct shk_linear *l)
{
  l->kind = &shk_kept_factorization;
  l->rescue = NULL;
  return l->kind->create(&l->factors, l->workspace, l->evaluator, NULL);
}

bool shk_linear_rescued(const struct shk_linear *l)
{
  return l->rescued;
}

real shk_linear_regularization(const struct shk_linear *l)
{
  return l->kind->added ? l->kind->added(l->factors) : 0;
}

/* Returns true if the rank is known to be less than m. Such a matrix may appear regular at points
 * that violate redundant constraints. */
static bool is_known_singular(const struct shk_linear *l)
{
  return l->rescue != NULL && l->evaluator->rank > 0 && l->evaluator->rank < l->m;
}

/* Replaces a "singular" failure with SHK_NOT_FINITE if the input of the factorization was not
 * finite, for example after a step that produced a NaN. In that case, the matrix was not
 * singular. */
static struct shk_status explain_linear(const struct shk_linear *l, struct shk_status status,
                                        const real *G_a, const real *G_b)
{
  const int entries = l->evaluator->row_start[l->m];
  if (status.code != SHK_SINGULAR ||
      (real_isfinite(real_max_norm(G_a, entries)) && real_isfinite(real_max_norm(G_b, entries))))
    return status;
  return shk_failure(SHK_NOT_FINITE, "the gradients of the constraints are not finite", 0, 0);
}

static struct shk_status rescue(struct shk_linear *l, const real *G_a, const real *G_b, bool again)
{
  l->rescued = true;
  return explain_linear(l, shk_svd_factorization.factor(l->rescue, G_a, G_b, again), G_a, G_b);
}

static struct shk_status factor_linear(struct shk_linear *l, const real *G_a, const real *G_b,
                                       bool again)
{
  l->rescued = false;
  if (is_known_singular(l))
    return rescue(l, G_a, G_b, again);
  const struct shk_status status = l->kind->factor(l->factors, G_a, G_b, again);
  if (status.code == SHK_OK)
    return status;
  return status.code == SHK_SINGULAR && l->rescue ? rescue(l, G_a, G_b, false)
                                                  : explain_linear(l, status, G_a, G_b);
}

struct shk_status shk_linear_factor(struct shk_linear *l, const real *G_a, const real *G_b)
{
  return factor_linear(l, G_a, G_b, false);
}

struct shk_status shk_linear_factor_again(struct shk_linear *l, const real *G_a, const real *G_b)
{
  return factor_linear(l, G_a, G_b, true);
}

struct shk_status shk_linear_factor_metric(struct shk_linear *l, const real *G, const real *W,
                                           int stride)
{
  l->rescued = false;
  if (!is_known_singular(l)) {
    const struct shk_status status = l->kind->factor_metric(l->factors, G, W, stride);
    if (status.code != SHK_SINGULAR || !l->rescue)
      return explain_linear(l, status, G, G);
  }
  l->rescued = true;
  return explain_linear(l, shk_svd_factorization.factor_metric(l->rescue, G, W, stride), G, G);
}

void shk_linear_solve(const struct shk_linear *l, real *x)
{
  if (l->rescued)
    shk_svd_factorization.solve(l->rescue, x);
  else
    l->kind->solve(l->factors, x);
}
