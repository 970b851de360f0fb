/*
 * Code shared by the drivers for SUNDIALS' solvers: a context that prints nothing, the objects that
 * the solver needs, its settings and counters, and the interpretation of flags. A driver must
 * define SUNDIALS(function), SUNDIALS_NAME and SUNDIALS_HEADER for its solver before it includes
 * this file. SHK_SUNDIALS is 1 if the solvers are available. They are available if the program is
 * configured with SUNDIALS, but only in double precision, for which SUNDIALS is built.
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

/* A note that is added to the summaries if the program was built without these solvers. */
#ifdef SHK_HAVE_SUNDIALS
#define SHK_SUNDIALS_NOTE ""
#else
#define SHK_SUNDIALS_NOTE "; not available in this build, which does not include SUNDIALS"
#endif

#define SHK_SUNDIALS_PAPER "Hindmarsh, Brown, Grant, Lee, Serban, Shumaker & Woodward (2005); "

#if !SHK_SUNDIALS

static inline struct shk_status shk_sundials_missing(void *method,
                                                     const struct shk_binding *binding)
{
  return shk_refused("this program was built without SUNDIALS");
}
#define SHK_SUNDIALS_BIND shk_sundials_missing
#define SHK_SUNDIALS_STEP shk_outside_no_step

#else

#define SHK_SUNDIALS_BIND bind
#define SHK_SUNDIALS_STEP step

#include SUNDIALS_HEADER
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

/* Counters since the last restart: steps, rejected steps, iterations, and setups of Newton's
 * matrix. */
enum { SHK_SUNDIALS_COUNTERS = 4 };

/* The SUNDIALS objects that a driver owns in addition to its solver. */
struct shk_sundials {
  void *memory; /* the solver's */
  SUNContext context;
  N_Vector y;                       /* the unknowns */
  SUNMatrix matrix;                 /* matrix used by Newton's method */
  SUNLinearSolver dense;            /* linear solver for this matrix */
  struct shk_status failure;        /* status of the last evaluation */
  double t;                         /* current time of the solver */
  long read[SHK_SUNDIALS_COUNTERS]; /* values of the solver's counters when they were last read */
};

/* Returns false if allocation fails. *s must be cleared afterwards in either case. */
static inline bool shk_sundials_create(struct shk_sundials *s, int unknowns)
{
  /* Creates a context that prints nothing. In versions before 7, the solver itself prints
   * messages. */
#if SUNDIALS_VERSION_MAJOR >= 7
  if (SUNContext_Create(SUN_COMM_NULL, &s->context) != 0)
    return false;
  SUNContext_ClearErrHandlers(s->context);
#else
  if (SUNContext_Create(NULL, &s->context) != 0)
    return false;
#endif
  s->y = N_VNew_Serial(unknowns, s->context);
  if (!s->y)
    return false;
  s->matrix = SUNDenseMatrix(unknowns, unknowns, s->context);
  s->dense = s->matrix ? SUNLinSol_Dense(s->y, s->matrix, s->context) : NULL;
  return s->dense != NULL;
}

/* Call this function after the solver has been freed. */
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

/* Sets the solver's options that do not depend on the system. `user` is passed to the solver's
 * callbacks. */
static inline bool shk_sundials_set_up(const struct shk_sundials *s, void *user)
{
#if SUNDIALS_VERSION_MAJOR < 7
  if (SUNDIALS(SetErrFile)(s->memory, NULL) != 0)
    return false;
#endif
  return SUNDIALS(SetUserData)(s->memory, user) == 0 &&
         SUNDIALS(SetMaxNumSteps)(s->memory, SHK_OUTSIDE_STEPS) == 0 &&
         SUNDIALS(SetMaxErrTestFails)(s->memory, 20) == 0 &&
         SUNDIALS(SetMaxConvFails)(s->memory, 20) == 0;
}

/* Converts a status to a callback's return code: 0 for success, positive if a smaller step may
 * help, negative to stop. */
static inline int shk_sundials_answer(struct shk_sundials *s, struct shk_status status)
{
  s->failure = status;
  return status.code == SHK_OK ? 0 : shk_may_recover(status.code) ? 1 : -1;
}

/* Sets the first step, in the direction of h. The solver must have been initialized at t, and
 * `flag` must be the flag that the initialization returned. */
static inline struct shk_status shk_sundials_start(struct shk_sundials *s, int flag, double t,
                                                   double first, double h)
{
  if (flag == 0)
    flag = SUNDIALS(SetInitStep)(s->memory, copysign(fmin(first, fabs(h)), h));
  memset(s->read, 0, sizeof s->read);
  s->t = t;
  return flag == 0 ? shk_ok()
                   : shk_failure(SHK_SOLVER_FAILED, SUNDIALS_NAME " could not be started (flag %g)",
                                 flag, 0);
}

/* Prepares a step of length h up to time `end`, and returns a flag. Sets a minimum internal step
 * size, because without one a solver could use up all of its steps in front of an obstacle. */
static inline int shk_sundials_aim(const struct shk_sundials *s, double h, double end)
{
  const int flag = SUNDIALS(SetMinStep)(s->memory, 64 * DBL_EPSILON * fmax(fabs(h), fabs(end)));
  return flag == 0 ? SUNDIALS(SetStopTime)(s->memory, end) : flag;
}

/* Adds the amounts by which the counters have increased since they were last read. */
static inline void shk_sundials_count(struct shk_sundials *s, struct shk_counters *counters)
{
  static int (*const get[])(void *, long *) = {SUNDIALS(GetNumSteps), SUNDIALS(GetNumErrTestFails),
                                               SUNDIALS(GetNumNonlinSolvIters),
                                               SUNDIALS(GetNumLinSolvSetups)};
  long *const counted[] = {&counters->steps, &counters->rejected, &counters->iterations,
                           &counters->factorizations};
  for (int i = 0; i < SHK_SUNDIALS_COUNTERS; i++) {
    long now = 0;
    get[i](s->memory, &now);
    *counted[i] += now - s->read[i];
    s->read[i] = now;
  }
}

/* Converts a flag to a status. If the flag is negative, the status is the failure of the last
 * evaluation or, if there was none, a failure with the reason that the flag indicates. */
static inline struct shk_status shk_sundials_status(const struct shk_sundials *s, int flag)
{
  static const struct {
    int flag; /* 0: any other */
    const char *reason;
  } reasons[] = {
      {-1, SUNDIALS_NAME " (%g): more internal steps than allowed, at t = %g"},
      {-2, SUNDIALS_NAME " (%g): the tolerance is too small for the round-off, at t = %g"},
      {-3, SUNDIALS_NAME " (%g): the error test failed down to the smallest step, at t = %g"},
      {-4, SUNDIALS_NAME " (%g): the iteration did not converge at the smallest step, at t = %g"},
      {-6, SUNDIALS_NAME " (%g): the linear solver failed, at t = %g"},
      {-27, SUNDIALS_NAME " (%g): the step is too short for the solver to start, at t = %g"},
      {0, SUNDIALS_NAME " gave up with flag %g at t = %g"}};
  int i = 0;
  if (flag >= 0)
    return shk_ok();
  if (s->failure.code != SHK_OK)
    return s->failure;
  while (reasons[i].flag != 0 && reasons[i].flag != flag)
    i++;
  return shk_failure(SHK_SOLVER_FAILED, reasons[i].reason, flag, s->t);
}

#endif

#endif
