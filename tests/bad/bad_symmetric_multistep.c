/*
 * The symmetric multistep method of the catalogue with one fault: `bad-symmetric-multistep(fault=…)`.
 */
#include <shakedown/plugin.h>
#pragma push_macro("SHK_PROVIDE")
#undef SHK_PROVIDE
#define SHK_PROVIDE(...) struct right
#include "integrators/symmetric_multistep.c"
#pragma pop_macro("SHK_PROVIDE")

/* clang-format off */
#define FAULTS(X) \
  X(NONE, "none", "nothing: the control") \
  X(ROOT, "root", "the method of Quinlan & Tremaine, whose σ has a root 1.217: for order=8") \
  X(WEIGHT, "weight", "β is off by a thousandth, of which it should be symmetric") \
  X(ONCE, "once", "accelerations of the memory are not handed on")
/* clang-format on */

#include "faults.h"

struct bad {
  struct multistep right;
  int fault;
};

static struct shk_status bad_bind(void *method, const struct shk_binding *binding)
{
  static const int alpha[] = {1, -2, 2, -1, 0, -1, 2, -2, 1};
  static const int beta[] = {0, 17671, -23622, 61449, -50516, 61449, -23622, 17671};
  struct bad *const bad = method;
  struct multistep *const w = &bad->right;
  SHK_TRY(bind(w, binding));
  for (int j = 0; j <= MOST && bad->fault == ROOT; j++) {
    w->alpha[j] = alpha[j];
    w->beta[j] = j < MOST ? (real)beta[j] / 12096 : 0;
  }
  if (bad->fault == WEIGHT)
    w->beta[1] += R(1e-3);
  return shk_ok();
}

static struct shk_status bad_step(void *method, struct shk_state *to, const struct shk_state *from,
                                  real h)
{
  struct bad *const bad = method;
  struct multistep *const w = &bad->right;
  SHK_TRY(step(w, to, from, h));
  if (bad->fault == ONCE)
    shk_copy(to->memory + w->k * w->n, from->memory + w->k * w->n, (w->k - 1) * w->n);
  return shk_ok();
}

static struct shk_status bad_begin(void *method, struct shk_state *start, real h)
{
  return begin(&((struct bad *)method)->right, start, h);
}

static void bad_reverse(void *method, struct shk_state *state, real h)
{
  reverse(&((struct bad *)method)->right, state, h);
}

static void bad_claims_under(struct shk_claims *all, const void *method)
{
  claims_under(all, &((const struct bad *)method)->right);
}

static const struct shk_option bad_options[] = SHK_LIST(
    SHK_INTEGER(bad, right.order, "order", "4", "4, 6 or 8", .minimum = "4", .maximum = "8"),
    SHK_BASE(bad, right.start, "start", "gauss-lobatto-spark(stages=4)",
             "the method of the starting values"),
    SHK_CHOICE(bad, fault, "fault", faults, "none", "what is wrong"));

static const struct shk_array bad_arrays[] =
    SHK_LIST(SHK_ARRAYS(bad, right.base, right.carry, .n = 1),
             SHK_ARRAYS(bad, right.G0, right.G1, .entries = 1));

static const struct shk_integrator bad_symmetric_multistep = {
    .struct_size = sizeof bad_symmetric_multistep,
    .method_size = sizeof(struct bad),
    .evaluator_at = SHK_AT(bad, right.evaluator),
    .n_at = SHK_AT(bad, right.n),
    .m_at = SHK_AT(bad, right.m),
    .arrays = bad_arrays,
    .bind = bad_bind,
    .step = bad_step,
    .claims_under = bad_claims_under,
    .memory = {.n = 2, .m = 1, .ones = 1, .times = SHK_AT(bad, right.order)},
    .begin = bad_begin,
    .reverse = bad_reverse,
    .info = {.name = "bad-symmetric-multistep",
             .summary = "symmetric-multistep with a fault",
             .options = bad_options,
             .claims = claims}};

SHK_PROVIDE(bad_symmetric_multistep, .integrators = SHK_INTEGRATORS(&bad_symmetric_multistep));
