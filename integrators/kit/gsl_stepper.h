/*
 * GSL's explicit odeiv2 steppers, adapted to slope functions in `real`. They work in double
 * precision only and are refused in other precisions.
 */
#ifndef INTEGRATORS_KIT_GSL_STEPPER_H
#define INTEGRATORS_KIT_GSL_STEPPER_H

#include "integrators/kit/ode.h"

struct shk_gsl_stepper;

/* `stepper` is an index that counts from SHK_FIRST_GSL_CHOICE. */
struct shk_traits shk_gsl_traits(int stepper);
/* `tolerance` is the absolute and relative bound on the local error in shk_gsl_evolve. It is 0 for
 * fixed steps. */
struct shk_status shk_bind_gsl(struct shk_gsl_stepper **gsl, const struct shk_binding *binding,
                               int stepper, double tolerance, shk_slope_function *slope,
                               void *user);
/* Computes the increment of one step of length h and stores it in dy (size). The step does not
 * depend on previous steps. `slope` (size) must contain f(t,y). */
struct shk_status shk_gsl_step(struct shk_gsl_stepper *gsl, real *dy, real t, const real *y,
                               const real *slope, real h);
/* Restarts the stepper. Multistep methods then restart at order 1. */
void shk_gsl_reset(struct shk_gsl_stepper *gsl);
/* Takes one accepted step with error control from *t towards t1, and updates y and *t. On entry, *h
 * is the largest step allowed. On return, it is the next step to try. Updates the counters `steps`
 * and `rejected`. */
struct shk_status shk_gsl_evolve(struct shk_gsl_stepper *gsl, real *y, real *t, real *h, real t1,
                                 struct shk_counters *counters);

#endif
