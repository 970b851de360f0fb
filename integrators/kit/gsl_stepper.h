/*
 * GSL's explicit odeiv2 steppers for a slope function in `real`. They work in double precision
 * only. In other precisions, every stepper is refused.
 */
#ifndef INTEGRATORS_KIT_GSL_STEPPER_H
#define INTEGRATORS_KIT_GSL_STEPPER_H

#include "integrators/kit/ode.h"

struct shk_gsl_stepper;

/* `stepper` is an index relative to SHK_FIRST_GSL_CHOICE. */
struct shk_traits shk_gsl_traits(int stepper);
/* `tolerance` bounds the local error, absolute and relative, in shk_gsl_evolve. It is 0 for fixed
 * steps. */
struct shk_status shk_bind_gsl(struct shk_gsl_stepper **gsl, const struct shk_binding *binding,
                               int stepper, double tolerance, shk_slope_function *slope,
                               void *user);
/* Stores the increment of one step of length h in dy (size). The step does not depend on previous
 * steps. `slope` (size) contains f(t,y). */
struct shk_status shk_gsl_step(struct shk_gsl_stepper *gsl, real *dy, real t, const real *y,
                               const real *slope, real h);
/* Restarts multistep methods at order 1. */
void shk_gsl_reset(struct shk_gsl_stepper *gsl);
/* Takes one accepted step with error control from *t towards t1, and updates y and *t. *h is the
 * largest step allowed and, on return, the next step to try. Updates the counters `steps` and
 * `rejected`. */
struct shk_status shk_gsl_evolve(struct shk_gsl_stepper *gsl, real *y, real *t, real *h, real t1,
                                 struct shk_counters *counters);

#endif
