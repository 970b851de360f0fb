/*
 * Shared by the drivers of SUNDIALS' solvers: a context that prints nothing, the objects beside the
 * solver, the counters, and the meaning of flags. SHK_SUNDIALS says whether the solvers are there: in
 * double precision, the one for which SUNDIALS is built, of a program that was configured with it.
 */
#ifndef INTEGRATORS_OUTSIDE_SUNDIALS_H
#define INTEGRATORS_OUTSIDE_SUNDIALS_H

#include "build_parts.h"
#include "integrators/outside/outside.h"

#if SHK_PRECISION == 64 && defined SHK_HAVE_SUNDIALS
#define SHK_SUNDIALS 1
#else
#define SHK_SUNDIALS 0
#endif

/* What the list of methods adds where they are missing altogether. */
#ifdef SHK_HAVE_SUNDIALS
#define SHK_SUNDIALS_NOTE ""
#else
#define SHK_SUNDIALS_NOTE "; not in this build, which is without SUNDIALS"
#endif

#if !SHK_SUNDIALS

static inline struct shk_status shk_sundials_missing(void *method,
                                                     const struct shk_binding *binding)
{
  (void)method, (void)binding;
  return shk_failure(SHK_REFUSED, "this program was built without SUNDIALS", 0, 0);
}
#define SHK_SUNDIALS_FUNCTIONS .bind = shk_sundials_missing, .step = shk_outside_no_step

#else

#define SHK_SUNDIALS_FUNCTIONS .bind = bind, .step = step

#include <nvector/nvector_serial.h>
#include <sundials/sundials_config.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#ifndef SUNDIALS_DOUBLE_PRECISION
#error "SUNDIALS must have been built for double precision"
#endif

#if SUNDIALS_VERSION_MAJOR < 6
#error "SUNDIALS 6 or later is needed: objects belong to a context"
#endif

/* False without memory. Before version 7 it is the solver that prints: give it
 * shk_sundials_silent. */
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

/* Internal steps of one step. */
#define SHK_SUNDIALS_STEPS 200000

/* A driver's SUNDIALS objects, beside its solver. */
struct shk_sundials {
  SUNContext context;
  N_Vector y;                        /* the unknowns */
  SUNMatrix matrix;                  /* of Newton's iteration, */
  SUNLinearSolver dense;             /* and its solver; NULL: there is none */
  struct shk_status failure;         /* of the last evaluation */
  double t;                          /* the solver's present time */
  struct shk_sundials_counters read; /* its counters when they were last read */
};

/* False without memory; must be cleared either way. */
static inline bool shk_sundials_create(struct shk_sundials *s, int unknowns, bool newton)
{
  if (!shk_sundials_context(&s->context))
    return false;
  s->y = N_VNew_Serial(unknowns, s->context);
  if (!s->y || !newton)
    return s->y != NULL;
  s->matrix = SUNDenseMatrix(unknowns, unknowns, s->context);
  s->dense = s->matrix ? SUNLinSol_Dense(s->y, s->matrix, s->context) : NULL;
  return s->dense != NULL;
}

/* To be called after the solver is freed. */
static inline void shk_sundials_clear(struct shk_sundials *s)
{
  if (s->dense)
    SUNLinSolFree(s->dense);
  if (s->matrix)
    SUNMatDestroy(s->matrix);
  N_VDestroy(s->y);
  if (s->context)
    SUNContext_Free(&s->context);
}

/* To be called when the solver has been started at t. */
static inline void shk_sundials_started(struct shk_sundials *s, double t)
{
  s->read = (struct shk_sundials_counters){0};
  s->t = t;
}

/* The least internal step for a step of length h to `end`: without one a solver would use up its
 * steps in front of an obstacle. */
static inline double shk_sundials_least_step(double h, double end)
{
  return 64 * REAL_EPSILON * fmax(fabs(h), fabs(end));
}

/* Adds the increase of the counters since they were last read. */
static inline void shk_sundials_count(struct shk_sundials *s, struct shk_work *work,
                                      struct shk_sundials_counters now)
{
  work->steps += now.steps - s->read.steps;
  work->rejected += now.rejected - s->read.rejected;
  work->iterations += now.iterations - s->read.iterations;
  work->factorizations += now.setups - s->read.setups;
  s->read = now;
}

/* The meaning of a solver's flag; `reason` takes the flag and the time. */
struct shk_sundials_reason {
  int flag;
  const char *reason;
};

/* A flag as a status, 0 and `stopped` being success: the failure of the last evaluation, or the
 * reason of the list, which ends with flag 0 and the reason of all others. */
static inline struct shk_status shk_sundials_status(const struct shk_sundials *s, int flag,
                                                    int stopped,
                                                    const struct shk_sundials_reason *reasons)
{
  if (flag == 0 || flag == stopped)
    return shk_ok();
  if (s->failure.code != SHK_OK)
    return s->failure;
  while (reasons->flag != 0 && reasons->flag != flag)
    reasons++;
  return shk_failure(SHK_SOLVER_FAILED, reasons->reason, flag, s->t);
}

#endif

#endif
