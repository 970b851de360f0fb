/*
 * Extended position-based dynamics of the catalogue with one fault: `bad-xpbd(fault=…)`.
 */
#define RIGHT_FILE "integrators/xpbd.c"
#define RIGHT xpbd
#define RIGHT_NAME "xpbd"

/* clang-format off */
#define FAULTS(X) \
  X(NONE, "none", "nothing: the control") \
  X(KEPT, "kept", "the velocity is that of the prediction, without the corrections") \
  X(WHOLE, "whole", "the velocity of substeps is divided by the whole step") \
  X(SCALED, "scaled", "multipliers have h² in them, as in the source") \
  X(UNFORCED, "unforced", "forces without a potential are left out")
/* clang-format on */

#include "misplaced_forces.h"

#include "faults.h"

static struct shk_status bad_step(void *method, struct shk_state *to, const struct shk_state *from,
                                  real h)
{
  struct bad *const bad = method;
  struct xpbd *const self = &bad->right;
  is_misplaced = bad->fault == UNFORCED;
  SHK_TRY(step(self, to, from, h));
  for (int i = 0; i < self->m && bad->fault == SCALED; i++)
    to->lambda[i] *= h * h;
  for (int i = 0; i < self->n && bad->fault == WHOLE; i++)
    to->p[i] /= (real)self->substeps;
  for (int i = 0; i < self->n && bad->fault == KEPT; i++)
    to->p[i] = from->p[i] + (from->p_carry[i] - h * self->force[i]);
  return shk_ok();
}

static const struct shk_option bad_options[] = SHK_LIST(
    SHK_INTEGER(bad, right.substeps, "substeps", "1", "number of substeps", .minimum = "1"),
    SHK_INTEGER(bad, right.iterations, "iterations", "10", "sweeps of a substep", .minimum = "1"),
    FAULT_OPTION(bad));

PROVIDE_BAD(bad_xpbd, .info.supports = SHK_FORCES, .bind = bind, .step = bad_step);
