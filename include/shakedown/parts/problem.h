/*
 * A problem: a family of systems with parameters, each with a consistent start, a time scale, a
 * generic horizon and its exact solution and invariants, if they are known.
 */
#ifndef SHAKEDOWN_PROBLEM_H
#define SHAKEDOWN_PROBLEM_H

#include <shakedown/parts/values.h>
#include <shakedown/parts/workspace.h>
#include <shakedown/system.h>

struct shk_problem;

/*
 * The picture of a system: points that are functions of the state, and the lines that join them. It
 * never enters an integration.
 *
 * A system whose constraints are all distance constraints (system.h, struct shk_rods) is drawn from
 * these and needs no picture. In the plane x points to the right and y up; a picture of space is a
 * parallel projection with one axis upwards.
 */
/* A line from point a to point b; a negative number is the fixed point -1 - a. */
struct shk_picture_line {
  int a, b;
  bool spring; /* thin and dashed: not a rigid part */
};

struct shk_picture {
  size_t struct_size;
  int dimension; /* 2 or 3: coordinates of each point */
  int up;        /* in space: axis that is drawn upwards, 0, 1 or 2 */

  /* place: stores the positions of the points (point_count x dimension) at the state (t,q), given
   * the system's context. Returns 0, or another value if it fails. NULL: the positions are the
   * first point_count * dimension entries of q. The path of the last point is drawn. */
  int point_count;
  int (*place)(const void *context, real *positions, real t, const real *q);

  int fixed_count; /* points that do not move, `dimension` numbers each: pivots, anchors, joints */
  const real *fixed;

  int line_count;
  const struct shk_picture_line *lines;
};

/* The change of coordinates, rows and units that makes this system from another one. The functions
 * take this system's context. */
struct shk_change {
  real time; /* times of the other system, multiplied by this, are times of this one */
  /* Changes q and p (n each) to this system's coordinates, or back to the other's. */
  void (*state)(const void *context, bool back, real *q_out, real *p_out, const real *q,
                const real *p);
  /* Changes multipliers (m) back to the other system's. No row may be repeated. */
  void (*multipliers)(const void *context, real *out, const real *lambda);
};

/* A joint between rigid bodies: its rows of g are `rows` from `first_row`. */
struct shk_joint_info {
  const char *name, *type; /* "crank", "revolute" */
  int first_row, rows;
};

/* Joints of a mechanism. Rows before those of the first joint are of the bodies alone (RᵀR = 1). */
struct shk_joints {
  size_t struct_size;
  int count;
  const struct shk_joint_info *list;
  /* Stores the wrench of a joint on its second body, in space's axes: its force (3) and its torque
   * about the joint's point of that body (3), linear in lambda. */
  int (*wrench)(const void *context, real *out, int joint, real t, const real *q,
                const real *lambda);
  /* Stores the axes of a joint's frame on its first body in space's axes: e1, e2, e3 (3 × 3, row by
   * row), of which e3 is the axis that the joint turns about or slides along. NULL: space's. */
  int (*axes)(const void *context, real *out, int joint, real t, const real *q);
};

/* A problem at given parameters. Its pointers belong to its context or
 * workspace, or are to constants. */
struct shk_instance {
  size_t struct_size;
  struct shk_system system;
  real initial_time;
  real time_scale;      /* a typical period over 2 pi or the shortest relevant time: unit of natural
                           steps and of the windows of long runs */
  real horizon;         /* generic end time: at no symmetric instant, and before chaos */
  unsigned undecidable; /* set of enum shk_undecidable */

  /* Stores a start on the constraints and hidden (velocity-level) constraints,
   * to round-off: q (n), p (n). */
  int (*start)(const void *context, real *q, real *p);
  /* Stores the exact solution at time t from that start: q (n), p (n), lambda (m). NULL if
   * unknown. */
  int (*exact)(const void *context, real *q, real *p, real *lambda, real t);
  /* Stores invariants besides H: values (invariant_count). NULL if none. */
  int invariant_count;
  const char *const *invariant_names;
  int (*invariants)(const void *context, real *values, real t, const real *q, const real *p);
  /* Adopts an explicit start (q,p) before it is checked. It may change the context: the level of a
   * constraint may be the start's. NULL: nothing depends on the start. */
  void (*adopt)(struct shk_instance *instance, const real *q, const real *p);

  /* Functions that distinguish the branches of the constraint set (singular configurations of a
   * mechanism, the crossing of a curve, an impasse): branch_count values without unit. They are
   * constant on the branch of the motion from the start. On any other branch at least one
   * differs by order one, away from where branches meet. A residual that vanishes on the branch
   * suffices (the parallel defect of a linkage), or a sign (of the tangent, of {{H,g},g}). They
   * are compared with their values along the known solution, and never enter an integration.
   * NULL: the set is one branch. */
  int branch_count;
  const char *const *branch_names;
  int (*branch)(const void *context, real *values, real t, const real *q, const real *p);

  /* Stores the times at which the exact solution passes singular configurations, after the start
   * and up to `until`, ascending, at most `limit`; returns their total number. NULL: unknown. */
  int (*crossings)(const void *context, real *times, int limit, real until);

  /* Picture of the system. NULL: the distance constraints, if it declares them. */
  const struct shk_picture *picture;

  /* The parameters, for questions that the context does not answer (if one was given, options of a
   * choice); and the workspace for further allocations of the problem. */
  const struct shk_values *parameters;
  struct shk_workspace *workspace;

  const struct shk_change *change; /* NULL: this is not another problem in other coordinates */

  const struct shk_joints *joints; /* of rigid bodies; NULL: the problem has none */
};

struct shk_problem {
  size_t struct_size;
  struct shk_problem_info info;
  /* Size of the problem's struct, which becomes the context of the system: zeroed, filled with the
   * parameters stored in it (struct shk_option, `at`), and freed with the instance.
   * SHK_CONTEXT(name) sets it. */
  size_t context_size;
  /* Members of the system that are the same for all parameters; NULL: none. */
  const struct shk_system *system;
  /* Fills the rest of *instance. The sizes of structs, `system` as above, context, parameters and
   * workspace are set before; all other members are zero. May refuse. */
  struct shk_status (*set_up)(struct shk_instance *instance, void *context);
};

#define SHK_CONTEXT(type) .context_size = sizeof(struct type)

#endif
