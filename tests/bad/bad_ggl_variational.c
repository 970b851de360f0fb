/*
 * The GGL-variational method of the catalogue with one fault: `bad-ggl-variational(fault=…)`.
 */
#include <shakedown/plugin.h>
#pragma push_macro("SHK_PROVIDE")
#undef SHK_PROVIDE
#define SHK_PROVIDE(...) struct right
#include "integrators/ggl_variational.c"
#pragma pop_macro("SHK_PROVIDE")

/* clang-format off */
#define FAULTS(X) \
  X(NONE, "none", "nothing: the control") \
  X(LATER, "later", "the node is at 0.6 of the step: an error of p grows") \
  X(SOONER, "sooner", "the node is at 0.4 of the step: an error of q grows") \
  X(STRAIGHT, "straight", "the term of gamma in p is left out")
/* clang-format on */

#include "faults.h"

struct bad {
  struct ggl right;
  int fault;
};

static struct shk_status bad_bind(void *method, const struct shk_binding *binding)
{
  struct bad *const bad = method;
  struct ggl *const w = &bad->right;
  SHK_TRY(bind(w, binding));
  if (bad->fault == LATER || bad->fault == SOONER)
    w->theta = bad->fault == LATER ? R(0.6) : R(0.4);
  if (bad->fault == STRAIGHT)
    w->groups = 0;
  return shk_ok();
}

static struct shk_status bad_step(void *method, struct shk_state *to, const struct shk_state *from,
                                  real h)
{
  return step(&((struct bad *)method)->right, to, from, h);
}

static const struct shk_option bad_options[] =
    SHK_LIST(SHK_NORMALS_OPTION(bad, right.solve),
             SHK_CHOICE(bad, fault, "fault", faults, "none", "what is wrong"));

static const struct shk_array bad_arrays[] = SHK_LIST(
    SHK_NORMALS_ARRAYS(bad, right.solve), SHK_ARRAYS(bad, right.q, right.work, .n = 1),
    SHK_ARRAYS(bad, right.lambda, right.minus, .m = 1), SHK_INTEGERS(bad, right.group, .n = 1),
    SHK_INTEGERS(bad, right.taken, .n = 1, .ones = 1));

static const struct shk_integrator bad_ggl_variational = {
    .struct_size = sizeof bad_ggl_variational,
    .method_size = sizeof(struct bad),
    .evaluator_at = SHK_AT(bad, right.evaluator),
    .n_at = SHK_AT(bad, right.n),
    .m_at = SHK_AT(bad, right.m),
    .arrays = bad_arrays,
    .bind = bad_bind,
    .step = bad_step,
    .info = {.name = "bad-ggl-variational",
             .summary = "ggl-variational with a fault",
             .options = bad_options,
             .claims = claims}};

SHK_PROVIDE(bad_ggl_variational, .integrators = SHK_INTEGRATORS(&bad_ggl_variational));
