/*
 * GSL's explicit odeiv2 steppers (Galassi et al., GNU Scientific Library Reference Manual,
 * "Ordinary Differential Equations"). If f fails, GSL only passes an error code through, so the
 * status is stored separately.
 */
#include "integrators/kit/gsl_stepper.h"

#include "integrators/kit/stepping.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>

/* The entries follow the order of one_step.def. */
static const struct {
  const gsl_odeiv2_step_type *const *type;
  int order; /* SHK_NO_ORDER if the stepper chooses the order */
  bool adaptive_only;
} steppers[] = {{&gsl_odeiv2_step_rk2, 3},
                {&gsl_odeiv2_step_rkf45, 5},
                {&gsl_odeiv2_step_rk8pd, 8},
                {&gsl_odeiv2_step_msadams, SHK_NO_ORDER, true}};

/* GSL works in double only. In double precision, pointers to double and to real are
 * interchangeable. In other precisions, none of the code below runs. */
static const bool exists = SHK_PRECISION == 64;

/* No order is claimed in a precision without GSL. */
struct shk_traits shk_gsl_traits(int stepper)
{
  return (struct shk_traits){.order = exists ? steppers[stepper].order : SHK_NO_ORDER,
                             .adaptive_only = steppers[stepper].adaptive_only,
                             .rounded = true};
}

struct shk_gsl_stepper {
  int size;
  shk_slope_function *slope;
  void *user;
  struct shk_status failure; /* status of the last slope evaluation */
  gsl_odeiv2_system system;
  gsl_odeiv2_driver *driver;
  double *y, *f, *error;
};

static int evaluate(double t, const double y[], double slope[], void *user)
{
  struct shk_gsl_stepper *driver = user;
  real *const rate = (real *)slope;
  driver->failure = driver->slope(driver->user, rate, t, (const real *)y);
  if (driver->failure.code == SHK_OK)
    driver->failure =
        shk_check_finite(rate, driver->size, "the slope is not finite near t = %g", t);
  /* This return code prevents GSL from trying a smaller step. */
  return driver->failure.code == SHK_OK ? GSL_SUCCESS : GSL_EBADFUNC;
}

/* Frees the objects that the workspace does not own. */
static void release_gsl_stepper(void *gsl)
{
  gsl_odeiv2_driver_free(((struct shk_gsl_stepper *)gsl)->driver);
}

struct shk_status shk_bind_gsl(struct shk_gsl_stepper **gsl, const struct shk_binding *binding,
                               int stepper, double tolerance, shk_slope_function *slope, void *user)
{
  struct shk_workspace *workspace = binding->workspace;
  const size_t size = 2 * (size_t)binding->evaluator->system->n, bytes = size * sizeof(double);
  if (!exists)
    return shk_refused("the GSL steppers work in double precision only");
  /* GSL aborts the program on an error unless its error handler is turned off. The error codes that
   * it returns are sufficient. */
  gsl_set_error_handler_off();
  struct shk_gsl_stepper *driver = *gsl = shk_memory(workspace, sizeof *driver);
  SHK_TRY(shk_allocated(driver));
  driver->size = (int)size;
  driver->slope = slope;
  driver->user = user;
  double **const arrays[] = {&driver->y, &driver->f, &driver->error};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
    SHK_TRY(shk_allocated(*arrays[i] = shk_memory(workspace, bytes)));
  driver->system = (gsl_odeiv2_system){evaluate, NULL, size, driver};
  driver->driver = gsl_odeiv2_driver_alloc_standard_new(
      &driver->system, *steppers[stepper].type, (double)R(1e-3), tolerance, tolerance, 1, 0);
  return driver->driver ? shk_keep(workspace, driver, release_gsl_stepper) : shk_no_memory();
}

/* Converts GSL's return code to a status. A failure of f takes precedence. */
static struct shk_status status_of(const struct shk_gsl_stepper *driver, int code, double t)
{
  if (code == GSL_SUCCESS)
    return shk_ok();
  if (driver->failure.code != SHK_OK)
    return driver->failure;
  return shk_failure(SHK_SOLVER_FAILED, "the GSL stepper gave up with code %g at t = %g", code, t);
}

struct shk_status shk_gsl_step(struct shk_gsl_stepper *driver, real *dy, real t, const real *y,
                               const real *slope, real h)
{
  const double start = (double)t;
  driver->failure = shk_ok();
  gsl_odeiv2_step_reset(driver->driver->s);
  memcpy(driver->y, y, (size_t)driver->size * sizeof *driver->y);
  memcpy(driver->f, slope, (size_t)driver->size * sizeof *driver->f);
  SHK_TRY(status_of(driver,
                    gsl_odeiv2_step_apply(driver->driver->s, start, (double)h, driver->y,
                                          driver->error, driver->f, NULL, &driver->system),
                    start));
  for (int i = 0; i < driver->size; i++)
    dy[i] = driver->y[i] - (double)y[i];
  return shk_ok();
}

void shk_gsl_reset(struct shk_gsl_stepper *driver)
{
  gsl_odeiv2_driver_reset(driver->driver);
}

struct shk_status shk_gsl_evolve(struct shk_gsl_stepper *driver, real *y, real *t, real *h, real t1,
                                 struct shk_counters *counters)
{
  gsl_odeiv2_evolve *e = driver->driver->e;
  const unsigned long rejected = e->failed_steps;
  double now = (double)*t, next = (double)*h;
  driver->failure = shk_ok();
  const int code = gsl_odeiv2_evolve_apply(e, driver->driver->c, driver->driver->s, &driver->system,
                                           &now, (double)t1, &next, (double *)y);
  *t = now;
  *h = next;
  counters->rejected += (long)(e->failed_steps - rejected);
  counters->steps += code == GSL_SUCCESS;
  return status_of(driver, code, now);
}
