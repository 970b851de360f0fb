/*
 * The step of rigid-body engines of the catalogue with one fault: `bad-velocity-impulse(fault=…)`.
 */
#define RIGHT_FILE "integrators/velocity_impulse.c"
#define RIGHT impulse
#define RIGHT_NAME "velocity-impulse"

/* clang-format off */
#define FAULTS(X) \
  X(NONE, "none", "nothing: the control") \
  X(SIGN, "sign", "the position error is fed back with the other sign") \
  X(EXPLICIT, "explicit", "positions move with the velocity of the start") \
  X(UNFORCED, "unforced", "forces without a potential are left out")
/* clang-format on */

#include "misplaced_forces.h"

#include "faults.h"

static struct shk_status bad_step(void *method, struct shk_state *to, const struct shk_state *from,
                                  real h)
{
  struct bad *const bad = method;
  struct impulse *const self = &bad->right;
  const real erp = self->erp;
  self->erp = bad->fault == SIGN ? -erp : erp;
  is_misplaced = bad->fault == UNFORCED;
  const struct shk_status status = step(self, to, from, h);
  self->erp = erp;
  if (bad->fault != EXPLICIT)
    return status;
  for (int i = 0; i < self->n; i++)
    self->v[i] = h * shk_over_mass(self->evaluator, from->p[i] + from->p_carry[i], i);
  shk_move_q(to, from, self->v);
  return status;
}

static const struct shk_option bad_options[] = SHK_LIST(
    SHK_REAL(bad, right.erp, "erp", "0.2", "part of g that a step takes back"), FAULT_OPTION(bad));

PROVIDE_BAD(bad_velocity_impulse, .info.supports = SHK_FORCES, .step = bad_step);
