/*
 * GSL's odeiv2 steppers (Galassi et al., GNU Scientific Library Reference Manual, "Ordinary
 * Differential Equations"). A failure of f passes through GSL as a code and is kept beside it.
 * Jacobians, which the implicit steppers need, are central differences: exact enough for Newton's
 * iteration, and for bsimp as far as its semi-implicit rule tolerates an inexact one.
 */
#include "integrators/kit/gsl_stepper.h"

#include <string.h>

static const struct {
  const char *name;
  struct shk_traits traits;
} steppers[] = {{"rk2", {.order = 3}},
                {"rk4", {.order = 4}},
                {"rkf45", {.order = 5}},
                {"rkck", {.order = 5}},
                {"rk8pd", {.order = 8}},
                {"rk1imp", {.order = 1}},
                {"rk2imp", {.order = 2}},
                {"rk4imp", {.order = 4}},
                {"bsimp", {.order = SHK_NO_ORDER}},
                {"msadams", {.order = SHK_NO_ORDER, .adaptive_only = true}},
                {"msbdf", {.order = SHK_NO_ORDER, .adaptive_only = true}}};

/* In other precisions than double there is none, and nothing to claim of it. */
struct shk_traits shk_gsl_traits(int stepper)
{
  struct shk_traits traits = steppers[stepper].traits;
  if (SHK_PRECISION != 64)
    traits.order = SHK_NO_ORDER;
  return traits;
}

#if SHK_PRECISION == 64

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>

/* The accuracy of the stages of implicit steppers at fixed steps. */
#define STAGE_TOLERANCE 1e-13

struct shk_gsl_stepper {
  int size;
  shk_slope_function *slope;
  void *user;
  struct shk_status failure; /* of the last slope */
  gsl_odeiv2_system system;
  gsl_odeiv2_driver *driver;
  double *y, *error, *above, *below;
};

static int evaluate(double t, const double y[], double slope[], void *user)
{
  struct shk_gsl_stepper *w = user;
  w->failure = w->slope(w->user, slope, t, y);
  if (w->failure.code != SHK_OK)
    return GSL_EBADFUNC; /* one that does not make GSL try a smaller step */
  for (int i = 0; i < w->size; i++)
    if (!isfinite(slope[i])) {
      w->failure = shk_failure(SHK_NOT_FINITE, "the slope is not finite near t = %g", t, 0);
      return GSL_EBADFUNC;
    }
  return GSL_SUCCESS;
}

/* Central differences, the time derivative too; increments are the cube root of epsilon in units of
 * the block that the unknown belongs to. */
static int differentiate(double t, const double y[], double *dfdy, double dfdt[], void *user)
{
  struct shk_gsl_stepper *w = user;
  const int size = w->size, half = size / 2;
  const double increment = 6e-6;
  memcpy(w->y, y, (size_t)size * sizeof *y);
  for (int j = 0; j < size; j++) {
    const double block = real_max_norm(j < half ? y : y + half, half);
    const double d = increment * (block > 0 ? block : 1);
    w->y[j] = y[j] + d;
    int code = evaluate(t, w->y, w->above, w);
    w->y[j] = y[j] - d;
    if (code == GSL_SUCCESS)
      code = evaluate(t, w->y, w->below, w);
    w->y[j] = y[j];
    if (code != GSL_SUCCESS)
      return code;
    for (int i = 0; i < size; i++)
      dfdy[(size_t)i * (size_t)size + (size_t)j] = (w->above[i] - w->below[i]) / (2 * d);
  }
  const double d = increment * fmax(1, fabs(t));
  int code = evaluate(t + d, y, w->above, w);
  if (code == GSL_SUCCESS)
    code = evaluate(t - d, y, w->below, w);
  for (int i = 0; i < size; i++)
    dfdt[i] = (w->above[i] - w->below[i]) / (2 * d);
  return code;
}

static const gsl_odeiv2_step_type *type_named(const char *name)
{
  const gsl_odeiv2_step_type *const types[] = {
      gsl_odeiv2_step_rk2,     gsl_odeiv2_step_rk4,    gsl_odeiv2_step_rkf45,
      gsl_odeiv2_step_rkck,    gsl_odeiv2_step_rk8pd,  gsl_odeiv2_step_rk1imp,
      gsl_odeiv2_step_rk2imp,  gsl_odeiv2_step_rk4imp, gsl_odeiv2_step_bsimp,
      gsl_odeiv2_step_msadams, gsl_odeiv2_step_msbdf};
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
    if (strcmp(types[i]->name, name) == 0)
      return types[i];
  return NULL;
}

/* Frees what is not in the workspace. */
static void release(void *gsl)
{
  gsl_odeiv2_driver_free(((struct shk_gsl_stepper *)gsl)->driver);
}

struct shk_status shk_bind_gsl(struct shk_gsl_stepper **gsl, const struct shk_binding *binding,
                               int stepper, double tolerance, shk_slope_function *slope, void *user)
{
  struct shk_workspace *workspace = binding->workspace;
  const gsl_odeiv2_step_type *type = type_named(steppers[stepper].name);
  const size_t size = 2 * (size_t)binding->evaluator->system->n;
  if (!type)
    return shk_failure(SHK_REFUSED, "this GSL does not have the stepper", 0, 0);
  /* GSL would abort the program on an error; it returns codes, too. */
  gsl_set_error_handler_off();
  struct shk_gsl_stepper *w = *gsl = shk_memory(workspace, sizeof *w);
  if (!w)
    return shk_no_memory();
  w->size = (int)size;
  w->slope = slope;
  w->user = user;
  SHK_TRY(shk_reals(workspace, &w->y, size));
  SHK_TRY(shk_reals(workspace, &w->error, size));
  SHK_TRY(shk_reals(workspace, &w->above, size));
  SHK_TRY(shk_reals(workspace, &w->below, size));
  w->system = (gsl_odeiv2_system){evaluate, differentiate, size, w};
  const double allowed = tolerance > 0 ? tolerance : STAGE_TOLERANCE;
  w->driver = gsl_odeiv2_driver_alloc_standard_new(&w->system, type, 1e-3, allowed, allowed, 1, 0);
  return w->driver ? shk_keep(workspace, w, release) : shk_no_memory();
}

/* GSL's code as a status; a failure of f takes precedence. */
static struct shk_status status_of(const struct shk_gsl_stepper *w, int code, double t)
{
  if (code == GSL_SUCCESS)
    return shk_ok();
  if (w->failure.code != SHK_OK)
    return w->failure;
  return shk_failure(SHK_SOLVER_FAILED, "GSL's stepper gave up with code %g at t = %g", code, t);
}

struct shk_status shk_gsl_step(struct shk_gsl_stepper *w, real *dy, real t, const real *y,
                               const real *slope, real h)
{
  w->failure = shk_ok();
  gsl_odeiv2_step_reset(w->driver->s);
  memcpy(dy, y, (size_t)w->size * sizeof *dy);
  SHK_TRY(status_of(
      w, gsl_odeiv2_step_apply(w->driver->s, t, h, dy, w->error, slope, NULL, &w->system), t));
  for (int i = 0; i < w->size; i++)
    dy[i] -= y[i];
  return shk_ok();
}

void shk_gsl_reset(struct shk_gsl_stepper *w)
{
  gsl_odeiv2_driver_reset(w->driver);
}

struct shk_status shk_gsl_evolve(struct shk_gsl_stepper *w, real *y, real *t, real *h, real t1,
                                 struct shk_work *work)
{
  gsl_odeiv2_evolve *e = w->driver->e;
  const unsigned long rejected = e->failed_steps;
  w->failure = shk_ok();
  const int code = gsl_odeiv2_evolve_apply(e, w->driver->c, w->driver->s, &w->system, t, t1, h, y);
  work->rejected += (long)(e->failed_steps - rejected);
  work->steps += code == GSL_SUCCESS;
  return status_of(w, code, *t);
}

#else

static struct shk_status refused(void)
{
  return shk_failure(SHK_REFUSED, "GSL's steppers work in double precision only", 0, 0);
}

struct shk_status shk_bind_gsl(struct shk_gsl_stepper **gsl, const struct shk_binding *binding,
                               int stepper, double tolerance, shk_slope_function *slope, void *user)
{
  (void)gsl, (void)binding, (void)stepper, (void)tolerance, (void)slope, (void)user;
  return refused();
}

struct shk_status shk_gsl_step(struct shk_gsl_stepper *gsl, real *dy, real t, const real *y,
                               const real *slope, real h)
{
  (void)gsl, (void)dy, (void)t, (void)y, (void)slope, (void)h;
  return refused();
}

void shk_gsl_reset(struct shk_gsl_stepper *gsl)
{
  (void)gsl;
}

struct shk_status shk_gsl_evolve(struct shk_gsl_stepper *gsl, real *y, real *t, real *h, real t1,
                                 struct shk_work *work)
{
  (void)gsl, (void)y, (void)t, (void)h, (void)t1, (void)work;
  return refused();
}

#endif
