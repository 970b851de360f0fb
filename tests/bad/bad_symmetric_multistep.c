/*
 * The symmetric multistep method of the catalogue with one fault: `bad-symmetric-multistep(fault=…)`.
 */
#define RIGHT_FILE "integrators/symmetric_multistep.c"
#define RIGHT multistep
#define RIGHT_NAME "symmetric-multistep"

/* clang-format off */
#define FAULTS(X) \
  X(NONE, "none", "nothing: the control") \
  X(ROOT, "root", "the method of Quinlan & Tremaine, whose σ has a root 1.217: for order=8") \
  X(WEIGHT, "weight", "β is off by a thousandth, of which it should be symmetric") \
  X(ONCE, "once", "accelerations of the memory are not handed on")
/* clang-format on */

#include "faults.h"

static struct shk_status bad_bind(void *method, const struct shk_binding *binding)
{
  static const int alpha[] = {1, -2, 2, -1, 0, -1, 2, -2, 1};
  static const int beta[] = {0, 17671, -23622, 61449, -50516, 61449, -23622, 17671};
  struct bad *const bad = method;
  struct multistep *const self = &bad->right;
  SHK_TRY(bind(self, binding));
  for (int j = 0; j <= MOST && bad->fault == ROOT; j++) {
    self->alpha[j] = alpha[j];
    self->beta[j] = j < MOST ? (real)beta[j] / 12096 : 0;
  }
  if (bad->fault == WEIGHT)
    self->beta[1] += R(1e-3);
  return shk_ok();
}

static struct shk_status bad_step(void *method, struct shk_state *to, const struct shk_state *from,
                                  real h)
{
  struct bad *const bad = method;
  struct multistep *const self = &bad->right;
  SHK_TRY(step(self, to, from, h));
  if (bad->fault == ONCE)
    shk_copy(memory_of(self, to).f, memory_of(self, from).f, (self->k - 1) * self->n);
  return shk_ok();
}

static const struct shk_option bad_options[] = SHK_LIST(
    SHK_INTEGER(bad, right.order, "order", "4", "4, 6 or 8", .minimum = "4", .maximum = "8"),
    SHK_BASE(bad, right.start, "start", "gauss-lobatto-spark(stages=4)",
             "the method of the starting values"),
    FAULT_OPTION(bad));

PROVIDE_BAD(bad_symmetric_multistep, .memory = memory, .bind = bad_bind, .begin = begin_multistep,
            .step = bad_step, .reverse = reverse_multistep, .claims_under = claims_under);
