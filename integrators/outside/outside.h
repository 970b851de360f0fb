/*
 * What drivers of outside solvers share: the options of their tolerances, what they are where their
 * solver does not exist, the way from the solver's vector into a state, and knowing whether a
 * solver still stands at the state it is asked to go on from.
 */
#ifndef INTEGRATORS_OUTSIDE_OUTSIDE_H
#define INTEGRATORS_OUTSIDE_OUTSIDE_H

#include <shakedown/integrator.h>

#define SHK_OUTSIDE_TOLERANCES                                                                     \
  {.name = "rtol",                                                                                 \
   .kind = SHK_OPTION_REAL,                                                                        \
   .fallback = "0",                                                                                \
   .minimum = "0",                                                                                 \
   .meaning = "relative tolerance of the local error; 0: the cell's tolerance"},                   \
  {                                                                                                \
    .name = "atol", .kind = SHK_OPTION_REAL, .fallback = "0", .minimum = "0",                      \
    .meaning = "absolute tolerance, in the units of q and p; 0: the cell's tolerance"              \
  }

/* `chosen`: what the driver or the solver does by itself. */
#define SHK_OUTSIDE_FIRST_STEP(chosen)                                                             \
  {                                                                                                \
    .name = "first-step", .kind = SHK_OPTION_REAL, .fallback = "0", .minimum = "0",                \
    .meaning = "length of the first step, and of the first after a restart; 0: " chosen            \
  }

/* The claims of a solver that is driven by a tolerance: it has no step of its own, hence
 * no order, and none of the structure of a map. */
#define SHK_OUTSIDE_CLAIMS                                                                         \
  .order_q = SHK_NO_ORDER, .order_p = SHK_NO_ORDER, .order_lambda = SHK_NO_ORDER,                  \
  .order_mu = SHK_NO_ORDER, .order_lambda_mean = SHK_NO_ORDER, .order_lambda_sum = SHK_NO_ORDER,   \
  .order_lambda_state = SHK_NO_ORDER, .symplectic = SHK_NO, .presymplectic = SHK_NO,               \
  .symmetric = SHK_NO, .keeps_momenta = SHK_NO, .energy_bounded = SHK_NO

#define shk_outside_no_create SHK_NAME(shk_outside_no_create)
#define shk_outside_no_step SHK_NAME(shk_outside_no_step)
#define shk_outside_no_destroy SHK_NAME(shk_outside_no_destroy)
#define shk_outside_tolerance SHK_NAME(shk_outside_tolerance)
#define shk_outside_write SHK_NAME(shk_outside_write)
#define shk_last_init SHK_NAME(shk_last_init)
#define shk_last_set SHK_NAME(shk_last_set)
#define shk_last_is SHK_NAME(shk_last_is)

/* The functions of a driver: its own, create, step and destroy, where its solver works, which is in
 * double precision; elsewhere those that refuse. A driver's own are compiled in double only. */
struct shk_status shk_outside_no_create(void **method, const struct shk_binding *binding);
struct shk_status shk_outside_no_step(void *method, struct shk_state *to,
                                      const struct shk_state *from, real h);
void shk_outside_no_destroy(void *method);
#if SHK_PRECISION == 64
#define SHK_OUTSIDE_FUNCTIONS .create = create, .step = step, .destroy = destroy
#else
#define SHK_OUTSIDE_FUNCTIONS                                                                      \
  .create = shk_outside_no_create, .step = shk_outside_no_step, .destroy = shk_outside_no_destroy
#endif

/* A tolerance that follows the cell's where the option is zero. */
struct shk_status shk_outside_tolerance(real *out, const struct shk_binding *binding,
                                        const char *option);

/* A state from what a solver returns: q, p (n), lambda (m), and no mu and no carries. */
void shk_outside_write(struct shk_state *to, const real *q, const real *p, const real *lambda);

/* The state that a solver returned last. */
struct shk_last {
  bool valid, forward; /* forward in time */
  int n;
  real t;
  real *z; /* 2n: q and p; to be freed by the owner */
};

/* False without memory. */
bool shk_last_init(struct shk_last *last, int n);
void shk_last_set(struct shk_last *last, real t, const real *q, const real *p, real h);
/* Whether `from` is that state and h goes on in its direction. The driver's time may differ from
 * the solver's by rounding. */
bool shk_last_is(const struct shk_last *last, const struct shk_state *from, real h);

#endif
