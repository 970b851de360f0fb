/*
 * The GGL-variational method of the catalogue with one fault: `bad-ggl-variational(fault=…)`.
 */
#define RIGHT_FILE "integrators/ggl_variational.c"
#define RIGHT ggl
#define RIGHT_NAME "ggl-variational"

/* clang-format off */
#define FAULTS(X) \
  X(NONE, "none", "nothing: the control") \
  X(LATER, "later", "the node is at 0.6 of the step: an error of p grows") \
  X(SOONER, "sooner", "the node is at 0.4 of the step: an error of q grows") \
  X(STRAIGHT, "straight", "the term of gamma in p is left out")
/* clang-format on */

#include "faults.h"

static struct shk_status bad_bind(void *method, const struct shk_binding *binding)
{
  struct bad *const bad = method;
  struct ggl *const self = &bad->right;
  SHK_TRY(bind(self, binding));
  if (bad->fault == LATER || bad->fault == SOONER)
    self->theta = bad->fault == LATER ? R(0.6) : R(0.4);
  if (bad->fault == STRAIGHT)
    self->groups = 0;
  return shk_ok();
}

static const struct shk_option bad_options[] =
    SHK_LIST(SHK_CHOICE(bad, right.form, "form", forms, "middle", "where the constraints hold"),
             SHK_NORMALS_OPTION(bad, right.solve), FAULT_OPTION(bad));

PROVIDE_BAD(bad_ggl_variational, .bind = bad_bind, .step = step, .claims_under = claims_under);
