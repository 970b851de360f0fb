/*
 * The Gauss-Lobatto SPARK method of the catalogue with one fault: `bad-gauss-lobatto-spark(fault=…)`.
 */
#include <shakedown/plugin.h>
#pragma push_macro("SHK_PROVIDE")
#undef SHK_PROVIDE
#define SHK_PROVIDE(...) struct right
#include "integrators/gauss_lobatto_spark.c"
#pragma pop_macro("SHK_PROVIDE")

/* clang-format off */
#define FAULTS(X) \
  X(NONE, "none", "nothing: the control") \
  X(WEIGHT, "weight", "the weights of the constraint forces at the ends are off by a millionth") \
  X(FORCE, "force", "a coefficient of the forces is off by a millionth") \
  X(CONJUGATE, "conjugate", "a coefficient of the constraint forces is off by a millionth")
/* clang-format on */

#include "faults.h"

struct bad {
  struct nodes right;
  int fault;
};

static struct shk_status bad_bind(void *method, const struct shk_binding *binding)
{
  struct bad *const bad = method;
  struct nodes *const w = &bad->right;
  const real off = R(1e-6);
  SHK_TRY(bind(w, binding));
  if (bad->fault == WEIGHT) {
    w->b_end[0] += off;
    w->b_end[w->s] -= off;
  }
  if (bad->fault == FORCE)
    w->a[0] += off;
  if (bad->fault == CONJUGATE)
    w->a_force[0][0] += off;
  return shk_ok();
}

static struct shk_status bad_step(void *method, struct shk_state *to, const struct shk_state *from,
                                  real h)
{
  return step(&((struct bad *)method)->right, to, from, h);
}

static void bad_claims_under(struct shk_claims *all, const void *method)
{
  claims_under(all, &((const struct bad *)method)->right);
}

static const struct shk_option bad_options[] =
    SHK_LIST(SHK_INTEGER(bad, right.stages, "stages", "2", "number of Gauss nodes", .minimum = "1",
                         .maximum = "4"),
             SHK_INTEGER(bad, right.iteration.limit, "iterations", "1000", "limit of iterations"),
             SHK_CHOICE(bad, fault, "fault", faults, "none", "what is wrong"));

static const struct shk_array bad_arrays[] =
    SHK_LIST(SHK_ARRAYS(bad, right.Q, right.P, .n = 1, .times = SHK_AT(bad, right.stages)),
             SHK_ARRAYS(bad, right.dp, right.scattered, .n = 1));

static const struct shk_integrator bad_gauss_lobatto_spark = {
    .struct_size = sizeof bad_gauss_lobatto_spark,
    .method_size = sizeof(struct bad),
    .evaluator_at = SHK_AT(bad, right.evaluator),
    .n_at = SHK_AT(bad, right.n),
    .m_at = SHK_AT(bad, right.m),
    .arrays = bad_arrays,
    .bind = bad_bind,
    .step = bad_step,
    .claims_under = bad_claims_under,
    .info = {.name = "bad-gauss-lobatto-spark",
             .summary = "gauss-lobatto-spark with a fault",
             .options = bad_options,
             .claims = claims}};

SHK_PROVIDE(bad_gauss_lobatto_spark, .integrators = SHK_INTEGRATORS(&bad_gauss_lobatto_spark));
