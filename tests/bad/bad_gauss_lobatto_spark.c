/*
 * The Gauss-Lobatto SPARK method of the catalogue with one fault: `bad-gauss-lobatto-spark(fault=…)`.
 */
#define RIGHT_FILE "integrators/gauss_lobatto_spark.c"
#define RIGHT nodes
#define RIGHT_NAME "gauss-lobatto-spark"

/* clang-format off */
#define FAULTS(X) \
  X(NONE, "none", "nothing: the control") \
  X(WEIGHT, "weight", "the weights of the constraint forces at the ends are off by a millionth") \
  X(FORCE, "force", "a coefficient of the forces is off by a millionth") \
  X(CONJUGATE, "conjugate", "a coefficient of the constraint forces is off by a millionth")
/* clang-format on */

#include "faults.h"

static struct shk_status bad_bind(void *method, const struct shk_binding *binding)
{
  struct bad *const bad = method;
  struct nodes *const self = &bad->right;
  const real off = R(1e-6);
  SHK_TRY(bind(self, binding));
  if (bad->fault == WEIGHT) {
    self->b_end[0] += off;
    self->b_end[self->s] -= off;
  }
  if (bad->fault == FORCE)
    self->a[0] += off;
  if (bad->fault == CONJUGATE)
    self->a_force[0][0] += off;
  return shk_ok();
}

static const struct shk_option bad_options[] =
    SHK_LIST(SHK_INTEGER(bad, right.stages, "stages", "2", "number of Gauss nodes", .minimum = "1",
                         .maximum = "4"),
             SHK_INTEGER(bad, right.iteration.limit, "iterations", "1000", "limit of iterations"),
             FAULT_OPTION(bad));

PROVIDE_BAD(bad_gauss_lobatto_spark, .bind = bad_bind, .step = step, .claims_under = claims_under);
