/*
 * Code shared by the drivers for Hairer's Fortran codes. A Fortran code is looked up in the library
 * libsiconos_externals (Debian: libsiconos-numerics-dev) when an integrator is created. A driver
 * must define HAIRER_NAME before it includes this file.
 *
 * The codes cannot be told that an evaluation failed, so a failure leaves them by longjmp. If a
 * smaller step may help, the code is called again from the end of the last accepted step, first
 * over a quarter of that step's length and then up to the end. Both codes are one-step methods that
 * store everything in the caller's arrays, so nothing but the step in progress is lost.
 */
#ifndef INTEGRATORS_OUTSIDE_HAIRER_H
#define INTEGRATORS_OUTSIDE_HAIRER_H

#include "integrators/outside/outside.h"

#include <dlfcn.h>
#include <setjmp.h>

/* A function called by the Fortran code. Its actual arguments depend on the driver. */
typedef void shk_hairer_part(void);

/* Stores the address of the Fortran symbol in *function, which is a function pointer. The library
 * stays loaded. */
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

/* Maximum number of interruptions in one step. After more interruptions, the step fails. */
#define SHK_HAIRER_INTERRUPTIONS 200

struct shk_hairer {
  jmp_buf escape;
  struct shk_status failure; /* the reason why the code was left */
  double t, *y;              /* time and unknowns after the last accepted step */
  double step;               /* its length, positive */
  double before; /* length of the step before the last, because the last one may be shortened */
  double guess;  /* size of the first step in the next call; positive */
  bool any;      /* whether a step has been accepted in this call */
  double limit;  /* true if shorter steps are not tried */
};

/* Runs the code from time hairer->t and state hairer->y up to `end`. Calls shk_hairer_accept after
 * every step, and may leave the code by shk_hairer_fail. Returns the code's own return value, which
 * is positive for success, negative for a failure, and never 0. */
typedef int shk_hairer_call(void *solver, double end, double guess);

/* The code's output function calls this. */
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

/* Calls the code once. Returns the code's return value, or 0 if the code was left by longjmp.
 * setjmp is called in a separate function, so that no local variable changes between setjmp and
 * longjmp. */
static inline int shk_hairer_try(struct shk_hairer *hairer, shk_hairer_call *call, void *solver,
                                 double end)
{
  if (setjmp(hairer->escape) != 0)
    return 0;
  return call(solver, end, hairer->guess);
}

/* Integrates from the state in *hairer up to `end`, with the initial step size hairer->guess. */
static inline struct shk_status shk_hairer_drive(struct shk_hairer *hairer, shk_hairer_call *call,
                                                 void *solver, double end, long *interruptions)
{
  /* The first message is for unknown return values, and the others are for -1 to -4. */
  static const char *const reasons[] = {
      HAIRER_NAME " gave up with code %g at t = %g",
      HAIRER_NAME
      " (%g): the input is inconsistent (perhaps a tolerance below round-off), at t = %g",
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
    /* The code may also be left after the last step, during an additional step of zero length. */
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
