/*
 * Shared by the drivers of Hairer's Fortran codes. A code is looked up in the library
 * libsiconos_externals (Debian: libsiconos-numerics-dev) when an integrator is created. A driver
 * defines HAIRER_NAME first.
 *
 * The codes have no return value for a failed evaluation, which leaves them by longjmp. Where a
 * smaller step may help, the code is called again from the last accepted step, over a quarter of
 * that step, and then on to the end. Both codes are one-step methods that keep everything in the
 * caller's arrays, so nothing is lost by this but the step in progress.
 */
#ifndef INTEGRATORS_OUTSIDE_HAIRER_H
#define INTEGRATORS_OUTSIDE_HAIRER_H

#include "integrators/outside/outside.h"

#include <dlfcn.h>
#include <setjmp.h>

/* A function that a code calls; its arguments are the driver's. */
typedef void shk_hairer_part(void);

/* Stores the Fortran symbol in *function (a pointer to one); its library stays loaded. */
static inline struct shk_status shk_hairer_find(void *function, const char *name)
{
  static const char *const files[] = {"libsiconos_externals.so", "libsiconos_externals.so.7",
                                      "libsiconos_externals.so.6"};
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    void *library = dlopen(files[i], RTLD_NOW | RTLD_LOCAL);
    void *symbol = library ? dlsym(library, name) : NULL;
    if (symbol) {
      memcpy(function, &symbol, sizeof symbol);
      return shk_ok();
    }
    if (library)
      dlclose(library);
  }
  return shk_refused("Hairer's codes were not found: install the package libsiconos-numerics-dev");
}

/* Number of interruptions after which a step still continues. */
#define SHK_HAIRER_INTERRUPTIONS 200

struct shk_hairer {
  jmp_buf escape;
  struct shk_status failure; /* reason why the code was left */
  double t, *y;              /* the last accepted step: time and unknowns */
  double step;               /* its length, positive */
  double before; /* length of the step before; the last may be shortened to meet the end */
  double guess;  /* first step of the next call; positive */
  bool any;      /* steps have been accepted in this call */
  double limit;  /* shorter steps are not tried */
};

/* Runs the code from hairer->t, hairer->y to `end`: calls shk_hairer_accept after every step, and may leave
 * by shk_hairer_fail. Returns the code's own number, positive for success and
 * negative for a failure, never 0. */
typedef int shk_hairer_call(void *solver, double end, double guess);

/* Called by the output function of the code. */
static inline void shk_hairer_accept(struct shk_hairer *hairer, double t, double step)
{
  hairer->t = t;
  hairer->before = hairer->any ? hairer->step : 0;
  hairer->step = fabs(step);
  hairer->any = true;
}

/* Leaves the code. */
__attribute__((noreturn)) static inline void shk_hairer_fail(struct shk_hairer *hairer,
                                                             struct shk_status failure)
{
  hairer->failure = failure;
  longjmp(hairer->escape, 1);
}

/* Makes one call; returns its number, or 0 if the code was left. setjmp is alone in this
 * function, so that no local variable changes between it and the longjmp. */
static inline int shk_hairer_try(struct shk_hairer *hairer, shk_hairer_call *call, void *solver,
                                 double end)
{
  if (setjmp(hairer->escape) != 0)
    return 0;
  return call(solver, end, hairer->guess);
}

/* Integrates from the state in *hairer, with the step in hairer->guess, to `end`. */
static inline struct shk_status shk_hairer_drive(struct shk_hairer *hairer, shk_hairer_call *call,
                                                 void *solver, double end, long *interruptions)
{
  /* For unknown numbers, then for -1 to -4. */
  static const char *const reasons[] = {
      HAIRER_NAME " gave up with number %g at t = %g",
      HAIRER_NAME " (%g): input is not consistent (a tolerance below round-off?), at t = %g",
      HAIRER_NAME " (%g): more internal steps than allowed, at t = %g",
      HAIRER_NAME " (%g): the step size became too small, at t = %g",
      HAIRER_NAME " (%g): the matrix is singular, at t = %g"};
  const double start = hairer->t, length = fabs(end - start);
  double target = end;
  hairer->limit = 64 * DBL_EPSILON * fmax(length, fabs(end));
  *interruptions = 0;
  for (;;) {
    hairer->any = false;
    const int number = shk_hairer_try(hairer, call, solver, target);
    const bool arrived = fabs(hairer->t - target) <= hairer->limit;
    if (number > 0 && !arrived)
      return shk_failure(SHK_SOLVER_FAILED,
                         "the solver stopped at t = %g instead of %g: its step became too small, "
                         "or a matrix became singular",
                         hairer->t, target);
    /* The code may also be left after the last step, in a further step of zero length. */
    if (arrived && number >= 0) {
      hairer->guess = fmax(fmax(hairer->step, hairer->before), 64 * hairer->limit);
      if (target == end)
        return shk_ok();
      target = end;
      continue;
    }
    if (number < 0)
      return shk_failure(SHK_SOLVER_FAILED, reasons[number >= -4 ? -number : 0], number, hairer->t);
    const enum shk_code code = hairer->failure.code;
    hairer->guess = (hairer->any ? hairer->step : hairer->guess) / 4;
    if ((code != SHK_TRY_SMALLER && code != SHK_NOT_FINITE) || !(hairer->guess > hairer->limit) ||
        ++*interruptions > SHK_HAIRER_INTERRUPTIONS)
      return hairer->failure;
    target = hairer->guess < fabs(end - hairer->t)
                 ? hairer->t + copysign(hairer->guess, end - start)
                 : end;
  }
}

#endif
