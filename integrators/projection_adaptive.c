/*
 * Projection with error control: GSL's steppers and step-size control are applied to the
 * index-reduced equations, and the result is projected M-orthogonally onto the constraints. With
 * one-step steppers, every accepted step is projected. With the multistep stepper (msadams), the
 * state is projected only at outputs and drifts between them. After each projection, the stepper
 * restarts at order 1, because its stored values no longer match the state. The tolerance is both
 * an absolute and a relative bound on the local error.
 *
 * The constraint force is -Gᵀ lambda, and the reported lambda is lambda(q1,p1). Like GSL, the
 * method exists in double precision only. Steps end exactly at output times. If outputs are closer
 * together than the steps that the tolerance allows, their spacing determines the error.
 * Constraints that depend on p are not supported.
 *
 * Source: Galassi et al., GNU Scientific Library Reference Manual, "Ordinary Differential
 * Equations"; Hairer, Lubich & Wanner, GNI, Algorithm IV.4.2.
 */

static const char equations[] = "q' = H_p,  p' = -H_q - Gᵀ lambda(q,p), steps by the local error;\n"
                                "then the M-orthogonal projection onto g = 0 and G H_p = 0\n";

#include "integrators/kit/gsl_stepper.h"
#include "integrators/kit/ode.h"
#include "integrators/kit/onto.h"
#include "integrators/kit/stepping.h"
#include <shakedown/plugin.h>

/* Maximum number of accepted steps between two outputs. */
#define MAX_INTERNAL_STEPS 1000000

struct adaptive {
  struct shk_evaluator *evaluator;
  int n, m;
  int onto, base; /* `base` is an index that counts from SHK_FIRST_GSL_CHOICE */
  struct shk_solving solving;
  struct shk_reduced *reduced;
  struct shk_manifold *manifold;
  struct shk_orthogonal *orthogonal;
  struct shk_gsl_stepper *gsl;
  bool multistep;
  real first; /* first step */
  real *y, *dq, *lambda, *G1;
  struct shk_state start, end; /* states before and after a projection */
  struct shk_last last;        /* the state that GSL has reached */
  real h;                      /* length of the next step to try */
};

static struct shk_status slope_adaptive(void *user, real *f, real t, const real *y)
{
  struct adaptive *self = user;
  return shk_reduced_slope(self->reduced, f, f + self->n, self->lambda, t, y, y + self->n);
}

static struct shk_status project_adaptive(struct adaptive *self, real t)
{
  const int n = self->n;
  real *q = self->y, *p = self->y + n;
  if (self->onto == ONTO_BOTH)
    return shk_manifold_project(self->manifold, q, p, t);
  shk_copy(self->start.q, q, n);
  shk_fill(self->dq, 0, n);
  SHK_TRY(shk_orthogonal_stage(self->orthogonal, &self->end, &self->start, t, self->dq,
                               self->lambda, self->G1));
  shk_copy(q, self->end.q, n);
  return shk_ok();
}

static struct shk_status advance_adaptive(struct adaptive *self, real t, real t1)
{
  for (long step = 0; step < MAX_INTERNAL_STEPS; step++) {
    const real tried = self->h;
    SHK_TRY(shk_gsl_evolve(self->gsl, self->y, &t, &self->h, t1, &self->evaluator->counters));
    const bool arrived = t == t1;
    /* The last step is shortened to end at t1. This does not affect the size of the next step. */
    if (arrived && real_fabs(self->h) < real_fabs(tried))
      self->h = tried;
    if (self->onto != ONTO_NONE && (arrived || !self->multistep)) {
      SHK_TRY(project_adaptive(self, t));
      shk_gsl_reset(self->gsl);
    }
    if (arrived)
      return shk_ok();
  }
  return shk_failure(SHK_SOLVER_FAILED, "more than %g internal steps; the next has length %g",
                     MAX_INTERNAL_STEPS, (double)self->h);
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct adaptive *self = method;
  if (!shk_last_is(&self->last, from, h)) {
    shk_gsl_reset(self->gsl);
    const real size = real_min(self->first, real_fabs(h));
    self->h = h > 0 ? size : -size;
  }
  self->last.valid = false;
  shk_state_pack(self->y, from);
  const real t1 = from->t + h, *q = self->y, *p = q + self->n;
  SHK_TRY(advance_adaptive(self, from->t, t1));
  SHK_TRY(shk_exact_multiplier(self->manifold, to->lambda, t1, q, p));
  shk_state_write(to, q, p, to->lambda);
  shk_last_set(&self->last, to, t1, h);
  return shk_ok();
}

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct adaptive *self = method;
  SHK_TRY(shk_check_tolerance(binding->tolerance, 0));
  self->first = shk_time_scale(binding) / 1000;
  self->multistep = shk_one_step_traits(SHK_FIRST_GSL_CHOICE + self->base, NULL).adaptive_only;
  SHK_TRY(shk_bind_reduced(&self->reduced, binding));
  SHK_TRY(shk_bind_manifold(&self->manifold, binding));
  SHK_TRY(shk_bind_orthogonal(&self->orthogonal, binding));
  SHK_TRY(shk_bind_last(&self->last, binding));
  SHK_TRY(shk_bind_state(&self->start, binding));
  SHK_TRY(shk_bind_state(&self->end, binding));
  return shk_bind_gsl(&self->gsl, binding, self->base, (double)binding->tolerance, slope_adaptive,
                      self);
}

static void claims_under(struct shk_claims *claims, const void *method)
{
  onto_claims(claims, ((const struct adaptive *)method)->onto);
}

static const struct shk_option options[] =
    SHK_LIST(SHK_CHOICE(adaptive, onto, "onto", onto_choices, "both",
                        "the quantities that are projected after every step (for multistep "
                        "methods, at output times)"),
             SHK_CHOICE(adaptive, base, "base", shk_one_step_choices + SHK_FIRST_GSL_CHOICE,
                        "gsl-rk8pd", "GSL's stepper"),
             SHK_SOLVING_OPTIONS(adaptive, solving));

static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAY(adaptive, y, .n = 2), SHK_ARRAY(adaptive, dq, .n = 1),
             SHK_ARRAY(adaptive, lambda, .m = 1), SHK_ARRAY(adaptive, G1, .entries = 1));

static const struct shk_stated claims[] = SHK_LIST(
    SHK_CLAIM(KEEPS_MOMENTA, SHK_NO), SHK_CLAIM(ENERGY_BOUNDED, SHK_NO), SHK_CONSTRAINTS(SHK_YES));

static const struct shk_integrator adaptive = {
    SHK_INTEGRATOR(adaptive, arrays, bind, step, claims_under),
    .info = {
        .name = "projection-adaptive",
        .family = "index reduction and projection",
        .summary = "the GSL steppers with error control on the index-reduced equations, projected",
        .equations = equations,
        .citation = "Galassi et al., GNU Scientific Library Reference Manual; Hairer, Lubich & "
                    "Wanner, GNI, Algorithm IV.4.2",
        .options = options,
        .supports = SHK_HOLONOMIC,
        .adaptive = true,
        .double_only = true,
        .claims = claims}};

SHK_PROVIDE(projection_adaptive, .integrators = SHK_INTEGRATORS(&adaptive));
