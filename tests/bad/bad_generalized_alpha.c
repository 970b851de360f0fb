/*
 * The generalized-α method of the catalogue with one fault: `bad-generalized-alpha(fault=…)`.
 */
#define RIGHT_FILE "integrators/generalized_alpha.c"
#define RIGHT alpha
#define RIGHT_NAME "generalized-alpha"

/* clang-format off */
#define FAULTS(X) \
  X(NONE, "none", "nothing: the control") \
  X(STATIC, "static", "the acceleration is kept in a static variable, not in the state") \
  X(FORGETS, "forgets", "the acceleration is not handed on: it stays that of the start") \
  X(GAMMA, "gamma", "γ is a hundredth too large") \
  X(OLD_FORCES, "old-forces", "forces without a potential are those of the start") \
  X(PROJECTS, "projects", "ggl's velocities are index3's, projected after the step")
/* clang-format on */

#include "misplaced_forces.h"

#include "faults.h"

static real kept[64];

static struct shk_status bad_bind(void *method, const struct shk_binding *binding)
{
  struct bad *self = method;
  SHK_TRY(bind(&self->right, binding));
  if (self->fault == GAMMA)
    self->right.gamma += R(0.01);
  if (self->fault == PROJECTS)
    self->right.form = INDEX3;
  return shk_ok();
}

static struct shk_status bad_step(void *method, struct shk_state *to, const struct shk_state *from,
                                  real h)
{
  struct bad *self = method;
  struct shk_evaluator *const e = self->right.evaluator;
  const size_t size = (size_t)self->right.n * sizeof(real);
  if (self->fault == STATIC && size <= sizeof kept)
    memcpy(memory_of(&self->right, from).a, kept, size); /* the array is the caller's */
  is_misplaced = self->fault == OLD_FORCES;
  forces_at = from;
  SHK_TRY(step(&self->right, to, from, h));
  if (self->fault == STATIC && size <= sizeof kept) {
    memcpy(kept, memory_of(&self->right, to).a, size);
    memset(memory_of(&self->right, to).a, 0, size);
    memset(memory_of(&self->right, from).a, 0, size);
  }
  if (self->fault == FORGETS)
    memcpy(memory_of(&self->right, to).a, memory_of(&self->right, from).a, size);
  if (self->fault != PROJECTS)
    return shk_ok();
  SHK_TRY(shk_jacobian(e, self->right.G0, from->t + h, to->q));
  return shk_manifold_project(self->right.manifold, to->q, to->p, from->t + h);
}

static struct shk_status bad_begin(void *method, struct shk_state *start, real h)
{
  struct bad *self = method;
  is_misplaced = false;
  SHK_TRY(begin_acceleration(&self->right, start, h));
  if (self->fault == STATIC && (size_t)self->right.n * sizeof(real) <= sizeof kept) {
    memcpy(kept, memory_of(&self->right, start).a, (size_t)self->right.n * sizeof(real));
    shk_fill(memory_of(&self->right, start).a, 0, self->right.n);
  }
  return shk_ok();
}

static void bad_claims_under(struct shk_claims *all, const void *method)
{
  const struct bad *self = method;
  claims_under(all, &self->right);
  if (self->fault == PROJECTS)
    all->keeps_hidden = SHK_YES;
}

static const struct shk_option bad_options[] =
    SHK_LIST(SHK_REAL(bad, right.rho, "rho", "0.8", "spectral radius at infinity"),
             SHK_CHOICE(bad, right.form, "form", forms, "index3", "which constraints hold"),
             SHK_NORMALS_OPTION(bad, right.solve), FAULT_OPTION(bad));

PROVIDE_BAD(bad_generalized_alpha, .info.supports = SHK_RHEONOMIC | SHK_FORCES, .memory = memory,
            .bind = bad_bind, .begin = bad_begin, .step = bad_step,
            .claims_under = bad_claims_under);
