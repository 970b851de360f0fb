/*
 * Shared by drivers of outside solvers: the options of their tolerances, a substitute where their
 * solver does not exist, the conversion of the solver's vector into a state, and whether a solver
 * still is at the state from which it must continue.
 */
#ifndef INTEGRATORS_OUTSIDE_OUTSIDE_H
#define INTEGRATORS_OUTSIDE_OUTSIDE_H

#include <shakedown/integrator.h>

/* The options that all have, in the method's member `given`. */
struct shk_outside {
  real rtol, atol, first_step;
};

#define SHK_OUTSIDE_TOLERANCES(type)                                                               \
  SHK_REAL(type, given.rtol, "rtol", "0",                                                          \
           "relative tolerance of the local error; 0: the cell's tolerance", .minimum = "0"),      \
      SHK_REAL(type, given.atol, "atol", "0",                                                      \
               "absolute tolerance, in the units of q and p; 0: the cell's tolerance",             \
               .minimum = "0")

/* `chosen`: what the driver or the solver does by default. */
#define SHK_OUTSIDE_FIRST_STEP(type, chosen)                                                       \
  SHK_REAL(type, given.first_step, "first-step", "0",                                              \
           "length of the first step, and of the first after a restart; 0: " chosen,               \
           .minimum = "0")

#define shk_outside_no_step SHK_NAME(shk_outside_no_step)
#define shk_outside_tolerances SHK_NAME(shk_outside_tolerances)
#define shk_outside_write SHK_NAME(shk_outside_write)
#define shk_bind_last SHK_NAME(shk_bind_last)
#define shk_last_set SHK_NAME(shk_last_set)
#define shk_last_is SHK_NAME(shk_last_is)

/* The functions of a driver: its own bind and step in double precision, the only one that its
 * solver has; elsewhere the method is refused. A driver's own are compiled in double only. */
struct shk_status shk_outside_no_step(void *method, struct shk_state *to,
                                      const struct shk_state *from, real h);
#if SHK_PRECISION == 64
#define SHK_OUTSIDE_FUNCTIONS .bind = bind, .step = step
#else
#define SHK_OUTSIDE_FUNCTIONS .step = shk_outside_no_step
#endif

/* Zero tolerances stand for the cell's. */
struct shk_status shk_outside_tolerances(struct shk_outside *given,
                                         const struct shk_binding *binding);

/* A state from what a solver returns: q, p (n), lambda (m), and no mu and no carries. */
void shk_outside_write(struct shk_state *to, const real *q, const real *p, const real *lambda);

/* The last state that a solver returned. */
struct shk_last {
  bool valid, forward; /* forward in time */
  int n;
  real t;
  real *z; /* 2n: q and p */
};

struct shk_status shk_bind_last(struct shk_last *last, const struct shk_binding *binding);
void shk_last_set(struct shk_last *last, real t, const real *q, const real *p, real h);
/* Whether `from` is that state and h continues in its direction. The driver's time may differ from
 * the solver's by rounding. */
bool shk_last_is(const struct shk_last *last, const struct shk_state *from, real h);

#endif
