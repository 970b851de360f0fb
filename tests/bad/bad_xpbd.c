/*
 * Extended position-based dynamics of the catalogue with one fault: `bad-xpbd(fault=…)`.
 */
#include <shakedown/plugin.h>
#pragma push_macro("SHK_PROVIDE")
#undef SHK_PROVIDE
#define SHK_PROVIDE(...) struct right
#include "integrators/xpbd.c"
#pragma pop_macro("SHK_PROVIDE")

/* clang-format off */
#define FAULTS(X) \
  X(NONE, "none", "nothing: the control") \
  X(KEPT, "kept", "the velocity is that of the prediction, without the corrections") \
  X(WHOLE, "whole", "the velocity of substeps is divided by the whole step") \
  X(SCALED, "scaled", "multipliers have h² in them, as in the source")
/* clang-format on */

#include "faults.h"

struct bad {
  struct xpbd right;
  int fault;
};

static struct shk_status bad_step(void *method, struct shk_state *to, const struct shk_state *from,
                                  real h)
{
  struct bad *const bad = method;
  struct xpbd *const w = &bad->right;
  SHK_TRY(step(w, to, from, h));
  for (int i = 0; i < w->m && bad->fault == SCALED; i++)
    to->lambda[i] *= h * h;
  for (int i = 0; i < w->n && bad->fault == WHOLE; i++)
    to->p[i] /= (real)w->substeps;
  for (int i = 0; i < w->n && bad->fault == KEPT; i++)
    to->p[i] = from->p[i] + (from->p_carry[i] - h * w->force[i]);
  return shk_ok();
}

static const struct shk_option bad_options[] = SHK_LIST(
    SHK_INTEGER(bad, right.substeps, "substeps", "1", "number of substeps", .minimum = "1"),
    SHK_INTEGER(bad, right.iterations, "iterations", "10", "sweeps of a substep", .minimum = "1"),
    SHK_CHOICE(bad, fault, "fault", faults, "none", "what is wrong"));

static const struct shk_array bad_arrays[] =
    SHK_LIST(SHK_ARRAYS(bad, right.force, right.x, .n = 1), SHK_ARRAY(bad, right.G, .entries = 1),
             SHK_ARRAY(bad, right.g, .m = 1));

static const struct shk_integrator bad_xpbd = {.struct_size = sizeof bad_xpbd,
                                               .method_size = sizeof(struct bad),
                                               .evaluator_at = SHK_AT(bad, right.evaluator),
                                               .n_at = SHK_AT(bad, right.n),
                                               .m_at = SHK_AT(bad, right.m),
                                               .arrays = bad_arrays,
                                               .bind = bind,
                                               .step = bad_step,
                                               .info = {.name = "bad-xpbd",
                                                        .summary = "xpbd with a fault",
                                                        .options = bad_options,
                                                        .claims = claims}};

SHK_PROVIDE(bad_xpbd, .integrators = SHK_INTEGRATORS(&bad_xpbd));
