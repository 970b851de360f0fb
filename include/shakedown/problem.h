/*
 * A problem: a family of systems over parameters, each with a consistent start, a time scale, a
 * generic horizon and whatever is known exactly.
 */
#ifndef SHAKEDOWN_PROBLEM_H
#define SHAKEDOWN_PROBLEM_H

#include <shakedown/picture.h>
#include <shakedown/system.h>
#include <shakedown/values.h>

struct shk_problem;

/* The problem of that name, built in or of a plug-in; NULL if there is none. */
typedef const struct shk_problem *shk_problem_finder(const char *name);

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

  /* Where the constraint set has branches that meet (a mechanism's singular configurations, the
   * crossing of a curve, an impasse), what tells them apart: functions of the state, branch_count
   * values without unit. On the branch of the motion from the start they are constant; on any other
   * branch at least one of them differs from that by a quantity of order one, away from where the
   * branches meet. A residual that vanishes on the branch will do (the parallel defect of a
   * linkage), or a sign (of the tangent, of {{H,g},g}). They are compared with those of the known
   * solution, and never enter an integration. NULL: the set is one branch. */
  int branch_count;
  const char *const *branch_names;
  int (*branch)(const void *context, real *values, real t, const real *q, const real *p);

  /* When the exact solution passes singular configurations: the times after the start and up to
   * `until`, ascending, the first `limit` of them to times; returns how many there are. NULL: not
   * known. */
  int (*crossings)(const void *context, real *times, int limit, real until);

  /* How a problem finds another that an option names (SHK_OPTION_PROBLEM); set before `create`, by
   * whoever calls it. NULL: nobody is asked. */
  shk_problem_finder *find;

  /* What to draw of it (picture.h). NULL: the system's rods, if it declares them, else nothing. */
  const struct shk_picture *picture;
};

struct shk_problem {
  size_t struct_size;
  struct shk_problem_info info;
  /* Fills *instance (zeroed but for the sizes) at these parameters. On failure nothing is held. */
  struct shk_status (*create)(struct shk_instance *instance, const struct shk_values *parameters);
  void (*destroy)(struct shk_instance *instance);
};

#endif
