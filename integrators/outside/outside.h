/*
 * Code shared by the drivers for external solvers: the tolerance options, and a substitute for
 * drivers whose solver is not available.
 */
#ifndef INTEGRATORS_OUTSIDE_OUTSIDE_H
#define INTEGRATORS_OUTSIDE_OUTSIDE_H

#include "integrators/kit/stepping.h"

/* Data that every driver stores in the member `given` of its method: the options, the problem's
 * time scale, and the solver's last state. */
struct shk_outside {
  real rtol, atol, time_scale;
  struct shk_last last;
};

#define SHK_OUTSIDE_TOLERANCES(type)                                                               \
  SHK_REAL(type, given.rtol, "rtol", "0",                                                          \
           "relative tolerance of the local error; 0: the cell's tolerance", .minimum = "0"),      \
      SHK_REAL(type, given.atol, "atol", "0",                                                      \
               "absolute tolerance, in the units of q and p; 0: the cell's tolerance",             \
               .minimum = "0")

/* Largest number of internal steps per step. */
#define SHK_OUTSIDE_STEPS 200000

/* The functions of a driver. In double precision, which is the only one that the solver supports,
 * these are the driver's own bind and step. In other precisions, the method is refused. A driver's
 * own functions are compiled in double only. */
struct shk_status shk_outside_no_step(void *method, struct shk_state *to,
                                      const struct shk_state *from, real h);
#if SHK_PRECISION == 64
#define SHK_OUTSIDE_BIND bind
#define SHK_OUTSIDE_STEP step
#else
#define SHK_OUTSIDE_BIND NULL
#define SHK_OUTSIDE_STEP shk_outside_no_step
#endif

/* Replaces zero tolerances with the tolerance of the cell. Refuses systems with more than `most`
 * unknowns. */
struct shk_status shk_outside_bind(struct shk_outside *given, const struct shk_binding *binding,
                                   double unknowns, int most);
/* Returns true if the solver must restart for a step of length h because its last state differs
 * from `from`. */
bool shk_outside_restarts(struct shk_outside *given, const struct shk_state *from, real h);
/* Stores the state that the solver has reached at its own time t. */
void shk_outside_arrive(struct shk_outside *given, struct shk_state *to, const real *q,
                        const real *p, const real *lambda, real t, real h);

#endif
