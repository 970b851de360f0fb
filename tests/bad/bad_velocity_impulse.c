/*
 * The step of rigid-body engines of the catalogue with one fault: `bad-velocity-impulse(fault=…)`.
 */
#include <shakedown/plugin.h>
#pragma push_macro("SHK_PROVIDE")
#undef SHK_PROVIDE
#define SHK_PROVIDE(...) struct right
#include "integrators/velocity_impulse.c"
#pragma pop_macro("SHK_PROVIDE")

/* clang-format off */
#define FAULTS(X) \
  X(NONE, "none", "nothing: the control") \
  X(SIGN, "sign", "the position error is fed back with the other sign") \
  X(EXPLICIT, "explicit", "positions move with the velocity of the start")
/* clang-format on */

#include "faults.h"

struct bad {
  struct impulse right;
  int fault;
};

static struct shk_status bad_step(void *method, struct shk_state *to, const struct shk_state *from,
                                  real h)
{
  struct bad *const bad = method;
  struct impulse *const w = &bad->right;
  const real erp = w->erp;
  w->erp = bad->fault == SIGN ? -erp : erp;
  const struct shk_status status = step(w, to, from, h);
  w->erp = erp;
  if (bad->fault != EXPLICIT)
    return status;
  for (int i = 0; i < w->n; i++)
    w->v[i] = h * shk_over_mass(w->evaluator, from->p[i] + from->p_carry[i], i);
  shk_move_q(to, from, w->v);
  return status;
}

static const struct shk_option bad_options[] =
    SHK_LIST(SHK_REAL(bad, right.erp, "erp", "0.2", "part of g that a step takes back"),
             SHK_CHOICE(bad, fault, "fault", faults, "none", "what is wrong"));

static const struct shk_array bad_arrays[] =
    SHK_LIST(SHK_ARRAYS(bad, right.dp, right.scratch, .n = 1),
             SHK_ARRAY(bad, right.J, .entries = 1), SHK_ARRAY(bad, right.K, .mm = 1));

static const struct shk_integrator bad_velocity_impulse = {
    .struct_size = sizeof bad_velocity_impulse,
    .method_size = sizeof(struct bad),
    .evaluator_at = SHK_AT(bad, right.evaluator),
    .n_at = SHK_AT(bad, right.n),
    .m_at = SHK_AT(bad, right.m),
    .arrays = bad_arrays,
    .step = bad_step,
    .info = {.name = "bad-velocity-impulse",
             .summary = "velocity-impulse with a fault",
             .options = bad_options,
             .claims = claims}};

SHK_PROVIDE(bad_velocity_impulse, .integrators = SHK_INTEGRATORS(&bad_velocity_impulse));
