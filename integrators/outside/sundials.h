/*
 * What the drivers of SUNDIALS' solvers share: a context that prints nothing, the counters, and
 * what a flag means. Included in double precision only, the one for which SUNDIALS is built.
 */
#ifndef INTEGRATORS_OUTSIDE_SUNDIALS_H
#define INTEGRATORS_OUTSIDE_SUNDIALS_H

#include <shakedown/integrator.h>

#include <nvector/nvector_serial.h>
#include <sundials/sundials_config.h>

#ifndef SUNDIALS_DOUBLE_PRECISION
#error "SUNDIALS must have been built for double precision"
#endif

#if SUNDIALS_VERSION_MAJOR < 6
#error "SUNDIALS 6 or later is needed: objects belong to a context"
#endif

/* Failures come back as statuses. False without memory. Before version 7 it is the solver that
 * prints: give it shk_sundials_silent. */
static inline bool shk_sundials_context(SUNContext *context)
{
#if SUNDIALS_VERSION_MAJOR >= 7
  if (SUNContext_Create(SUN_COMM_NULL, context) != 0)
    return false;
  SUNContext_ClearErrHandlers(*context);
  return true;
#else
  return SUNContext_Create(NULL, context) == 0;
#endif
}

#if SUNDIALS_VERSION_MAJOR < 7
static inline void shk_sundials_silent(int code, const char *module, const char *function,
                                       char *message, void *user)
{
  (void)code, (void)module, (void)function, (void)message, (void)user;
}
#endif

/* A solver's counters since its last start. */
struct shk_sundials_counters {
  long steps, rejected, iterations, setups;
};

/* Adds what the counters have gained since they were `read` last. */
static inline void shk_sundials_count(struct shk_work *work, struct shk_sundials_counters *read,
                                      struct shk_sundials_counters now)
{
  work->steps += now.steps - read->steps;
  work->rejected += now.rejected - read->rejected;
  work->iterations += now.iterations - read->iterations;
  work->factorizations += now.setups - read->setups;
  *read = now;
}

/* What a flag of the solver means; `reason` takes the flag and the time. */
struct shk_sundials_reason {
  int flag;
  const char *reason;
};

/* The flag as a failure at time t: the one of the list, which ends with flag 0 and the reason of
 * all others. */
static inline struct shk_status shk_sundials_failure(const struct shk_sundials_reason *reasons,
                                                     int flag, double t)
{
  while (reasons->flag != 0 && reasons->flag != flag)
    reasons++;
  return shk_failure(SHK_SOLVER_FAILED, reasons->reason, flag, t);
}

#endif
