/*
 * A problem: a family of systems with parameters, each with a consistent start, a time scale, a
 * generic horizon and whatever is known exactly.
 */
#ifndef SHAKEDOWN_PROBLEM_H
#define SHAKEDOWN_PROBLEM_H

#include <shakedown/picture.h>
#include <shakedown/system.h>
#include <shakedown/values.h>
#include <shakedown/workspace.h>

struct shk_problem;

/* A problem at given parameters. What it points to belongs to its context or workspace, or is
 * constant. */
struct shk_instance {
  size_t struct_size;
  struct shk_system system;
  real initial_time;
  real time_scale;      /* a typical period over 2 pi or the shortest relevant time: the unit of
                           natural steps and of the windows of long runs */
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
  /* Called with an explicit start (q,p) before it is checked, and may change the context: the level
   * of a constraint may be that of the start. NULL: nothing depends on the start. */
  void (*adopt)(struct shk_instance *instance, const real *q, const real *p);

  /* Where the constraint set has branches that meet (a mechanism's singular configurations, the
   * crossing of a curve, an impasse), what distinguishes them: functions of the state, branch_count
   * values without unit. On the branch of the motion from the start they are constant; on any other
   * branch at least one of them differs by order one, away from where the branches meet. A residual
   * that vanishes on the branch will do (the parallel defect of a linkage), or a sign (of the
   * tangent, of {{H,g},g}). They are compared with those of the known solution, and never enter an
   * integration. NULL: the set is one branch. */
  int branch_count;
  const char *const *branch_names;
  int (*branch)(const void *context, real *values, real t, const real *q, const real *p);

  /* When the exact solution passes singular configurations: the times after the start and up to
   * `until`, ascending, the first `limit` of them to times; returns how many there are. NULL: not
   * known. */
  int (*crossings)(const void *context, real *times, int limit, real until);

  /* What to draw of it (picture.h). NULL: the system's rods, if it declares them, else nothing. */
  const struct shk_picture *picture;

  /* The parameters, for what does not land in the context (whether one was given, the options of a
   * choice), and what the problem holds beside its context. */
  const struct shk_values *parameters;
  struct shk_workspace *workspace;
};

struct shk_problem {
  size_t struct_size;
  struct shk_problem_info info;
  /* The size of the problem's struct, which becomes the context of the system: zeroed, filled with
   * the parameters that land in it (struct shk_option, `at`), and freed with the instance.
   * SHK_CONTEXT(name) sets it. */
  size_t context_size;
  /* The parts of the system that are the same for all parameters; NULL: none. */
  const struct shk_system *system;
  /* Fills in the rest of *instance, which is zeroed but for the sizes, the system, its context,
   * parameters and workspace. May refuse. */
  struct shk_status (*set_up)(struct shk_instance *instance, void *context);
};

#define SHK_CONTEXT(type) .context_size = sizeof(struct type)

#define shk_instance_create SHK_NAME(shk_instance_create)
#define shk_instance_destroy SHK_NAME(shk_instance_destroy)

/* The problem at these parameters, which must outlive the instance. After a failure nothing is
 * allocated. */
struct shk_status shk_instance_create(struct shk_instance *instance,
                                      const struct shk_problem *problem,
                                      const struct shk_values *parameters);
void shk_instance_destroy(struct shk_instance *instance);

#endif
