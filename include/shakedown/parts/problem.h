/*
 * A problem is a parametrized family of systems. Each system has a consistent initial state, a time
 * scale, a generic horizon and, if known, an exact solution and invariants.
 */
#ifndef SHAKEDOWN_PROBLEM_H
#define SHAKEDOWN_PROBLEM_H

#include <shakedown/parts/values.h>
#include <shakedown/parts/workspace.h>
#include <shakedown/system.h>

struct shk_problem;

/*
 * The picture of a system consists of points that are functions of the state, and of the lines that
 * join them. Pictures never influence an integration.
 *
 * A system that has only distance constraints (struct shk_rods in system.h) is drawn from these
 * constraints and needs no picture. In the plane, x points to the right and y points up. Spatial
 * systems are drawn in a parallel projection with one axis pointing up.
 */
/* A line from point a to point b. A negative index a refers to the fixed point -1 - a. */
struct shk_picture_line {
  int a, b;
  bool spring; /* drawn as a thin dashed line, because it is not a rigid part */
};

struct shk_picture {
  size_t struct_size;
  int dimension; /* number of coordinates of each point, 2 or 3 */
  int up;        /* index of the axis that points up (0, 1 or 2); only in space */

  /* `place` stores the positions of the points (point_count x dimension) at the state (t,q), given
   * the system's context. It returns 0 on success and a nonzero value on failure. If `place` is
   * NULL, the positions are the first point_count * dimension entries of q. The path of the last
   * point is also drawn. */
  int point_count;
  int (*place)(const void *context, real *positions, real t, const real *q);

  /* fixed points, such as pivots and anchors; `dimension` numbers each */
  int fixed_count;
  const real *fixed;

  int line_count;
  const struct shk_picture_line *lines;
};

/* The change of coordinates, rows and units that turns another system into this one. The functions
 * receive this system's context. */
struct shk_change {
  real time; /* factor that converts the other system's times to this system's */
  /* Converts q and p (n each) to this system's coordinates or, if `back` is true, to the other
   * system's coordinates. */
  void (*state)(const void *context, bool back, real *q_out, real *p_out, const real *q,
                const real *p);
  /* Converts multipliers (m) back to those of the other system. No row may be repeated. */
  void (*multipliers)(const void *context, real *out, const real *lambda);
};

/* A joint between rigid bodies. It contributes `rows` rows to g, starting with `first_row`. */
struct shk_joint_info {
  const char *name, *type; /* for example, "crank" and "revolute" */
  int first_row, rows;
};

/* A coordinate of a joint's motion, which is a displacement or an angle. */
struct shk_joint_coordinate {
  int joint;
  /* an angle is known only up to whole turns; it is close to `start` when a run starts */
  bool is_angle;
  /* the first of three angles (a, b, c) that describe the same rotation as (a + π, π - b, c + π) */
  bool begins_three;
  real start;
};

/* The joints of a mechanism. Any rows before the first joint's rows belong to the bodies alone (RᵀR
 * = 1). */
struct shk_joints {
  size_t struct_size;
  int count;
  const struct shk_joint_info *list;
  /* Stores the wrench that a joint exerts on its second body, in spatial axes: the force (3
   * numbers), followed by the torque (3 numbers) about the joint's point on that body. Both are
   * linear in lambda. */
  int (*wrench)(const void *context, real *out, int joint, real t, const real *q,
                const real *lambda);
  /* Stores the axes e1, e2, e3 of a joint's frame on its first body, in spatial axes (3 × 3, row by
   * row). The joint turns about e3 or slides along it. If NULL, the frame has the spatial axes. */
  int (*axes)(const void *context, real *out, int joint, real t, const real *q);
  /* The coordinates of the joints, in the order of `list`. */
  int coordinate_count;
  const struct shk_joint_coordinate *coordinates;
  /* Stores the coordinates and their rates (coordinate_count numbers each) for the velocities v (n
   * numbers). */
  int (*place)(const void *context, real *values, real *rates, const real *q, const real *v);
};

/* A problem with given parameters. Its pointers refer to its context, to its workspace, or to
 * constants. */
struct shk_instance {
  size_t struct_size;
  struct shk_system system;
  real initial_time;
  /* a typical period divided by 2 pi, or the shortest relevant time; the unit for natural steps and
   * for the windows of long runs */
  real time_scale;
  /* generic end time, which is not a symmetric instant and precedes the onset of chaos */
  real horizon;
  unsigned undecidable; /* a set of enum shk_undecidable */

  /* Stores an initial state, q (n) and p (n), that satisfies both the constraints and the hidden
   * (velocity-level) constraints to round-off. */
  int (*start)(const void *context, real *q, real *p);
  /* Stores the exact solution from that initial state at time t: q (n), p (n) and lambda (m). NULL
   * if the solution is unknown. */
  int (*exact)(const void *context, real *q, real *p, real *lambda, real t);
  /* Stores the invariants besides H (invariant_count values). NULL if there are none. */
  int invariant_count;
  const char *const *invariant_names;
  int (*invariants)(const void *context, real *values, real t, const real *q, const real *p);
  /* Adopts an explicit initial state (q,p) before it is checked. The function can change the
   * context, for example if the initial state determines the level of a constraint. NULL if nothing
   * depends on the initial state. */
  void (*adopt)(struct shk_instance *instance, const real *q, const real *p);

  /* Stores branch_count dimensionless values that distinguish the branches of the constraint set.
   * Branches meet in singular configurations of a mechanism, at crossings of a curve, or at
   * impasses. The values are constant on the branch that contains the start. On any other branch,
   * at least one of them differs by order one, except near points where branches meet. One suitable
   * value is a residual that vanishes on the branch, such as the parallel defect of a linkage.
   * Another is a sign, such as that of the tangent or of {{H,g},g}. The values are compared with
   * those along the known solution and never influence an integration. NULL if the constraint set
   * is a single branch. */
  int branch_count;
  const char *const *branch_names;
  int (*branch)(const void *context, real *values, real t, const real *q, const real *p);

  /* Stores the times after the start and up to `until` at which the exact solution passes through
   * singular configurations. Stores at most `limit` times, in ascending order, and returns their
   * total number. NULL if the times are unknown. */
  int (*crossings)(const void *context, real *times, int limit, real until);

  /* Picture of the system. If it is NULL and the system declares distance constraints, these are
   * drawn. */
  const struct shk_picture *picture;

  /* The parameters, which provide anything that the context does not store (such as whether a
   * parameter was given, or a choice's options), and the workspace for the problem's other
   * allocations. */
  const struct shk_values *parameters;
  struct shk_workspace *workspace;

  /* NULL unless this system is another problem expressed in different coordinates */
  const struct shk_change *change;

  const struct shk_joints *joints; /* joints between rigid bodies; NULL if the problem has none */
};

struct shk_problem {
  size_t struct_size;
  struct shk_problem_info info;
  /* Size of the struct of the problem, which becomes the context of the system. The struct is
   * zeroed, then filled with the parameters that are stored in it (see `at` in struct shk_option),
   * and freed with the instance. SHK_CONTEXT(name) sets the size. */
  size_t context_size;
  /* The members of the system that do not depend on the parameters; NULL if there are none. */
  const struct shk_system *system;
  /* Sets the remaining members of *instance. Struct sizes, the members of `system`, and the
   * context, parameters and workspace are set before the call; all other members are zero. The
   * function can refuse the parameters. */
  struct shk_status (*set_up)(struct shk_instance *instance, void *context);
};

#define SHK_CONTEXT(type) .context_size = sizeof(struct type)

#endif
