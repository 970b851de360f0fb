/*
 * A problem: a family of systems over parameters, each with a consistent start, a time scale, a
 * generic horizon and whatever is known exactly.
 */
#ifndef SHAKEDOWN_PROBLEM_H
#define SHAKEDOWN_PROBLEM_H

#include <shakedown/system.h>
#include <shakedown/values.h>

/* A problem at given parameters. The arrays belong to `context` of the system. */
struct shk_instance {
  size_t struct_size;
  struct shk_system system;
  real initial_time;
  real time_scale;      /* a typical period over 2 pi or a shortest relevant time: natural steps and
                           windows of long runs are counted in it */
  real horizon;         /* generic: no symmetric time, and short of chaos */
  unsigned undecidable; /* enum shk_undecidable */

  /* A start on the constraints and hidden constraints, to round-off: q (n), p (n). */
  int (*start)(const void *context, real *q, real *p);
  /* The exact solution at time t from that start: q (n), p (n), lambda (m). NULL if unknown. */
  int (*exact)(const void *context, real *q, real *p, real *lambda, real t);
  /* Invariants besides H: values (invariant_count). NULL if none. */
  int invariant_count;
  const char *const *invariant_names;
  int (*invariants)(const void *context, real *values, real t, const real *q, const real *p);
  /* Told of an explicit start (q,p) before it is judged: the level of a constraint may be that of
   * the start. May change what the context holds. NULL: nothing depends on the start. */
  void (*adopt)(struct shk_instance *instance, const real *q, const real *p);
};

struct shk_problem {
  size_t struct_size;
  struct shk_problem_info info;
  /* Fills *instance (zeroed but for the sizes) at these parameters. On failure nothing is held. */
  struct shk_status (*create)(struct shk_instance *instance, const struct shk_values *parameters);
  void (*destroy)(struct shk_instance *instance);
};

#endif
