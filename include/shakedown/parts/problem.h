/*
 * A problem: a family of systems with parameters. Each has a consistent start, a time scale, a
 * generic horizon and, if they are known, its exact solution and its invariants.
 */
#ifndef SHAKEDOWN_PROBLEM_H
#define SHAKEDOWN_PROBLEM_H

#include <shakedown/parts/values.h>
#include <shakedown/parts/workspace.h>
#include <shakedown/system.h>

struct shk_problem;

/*
 * The picture of a system: points that are functions of the state, and the lines that join them.
 * Pictures never influence an integration.
 *
 * A system whose constraints are all distance constraints (system.h, struct shk_rods) is drawn from
 * these and needs no picture. In the plane, x points to the right and y up. A picture in space is a
 * parallel projection with one axis upwards.
 */
/* A line from point a to point b. A negative number a names the fixed point -1 - a. */
struct shk_picture_line {
  int a, b;
  bool spring; /* drawn thin and dashed, because it is not a rigid part */
};

struct shk_picture {
  size_t struct_size;
  int dimension; /* 2 or 3: number of coordinates of each point */
  int up;        /* in space: the axis that is drawn upwards, 0, 1 or 2 */

  /* `place` stores the positions of the points (point_count x dimension) at the state (t,q), given
   * the system's context. Returns 0, or another value if it fails. If it is NULL, the positions are
   * the first point_count * dimension entries of q. The path of the last point is drawn. */
  int point_count;
  int (*place)(const void *context, real *positions, real t, const real *q);

  /* points that do not move, such as pivots and anchors, `dimension` numbers each */
  int fixed_count;
  const real *fixed;

  int line_count;
  const struct shk_picture_line *lines;
};

/* The change of coordinates, rows and units that makes this system from another one. The functions
 * receive this system's context. */
struct shk_change {
  real time; /* factor from times of the other system to times of this one */
  /* Changes q and p (n each) to this system's coordinates or, if `back`, to those of the other
   * system. */
  void (*state)(const void *context, bool back, real *q_out, real *p_out, const real *q,
                const real *p);
  /* Changes multipliers (m) back to the other system's. No row may be repeated. */
  void (*multipliers)(const void *context, real *out, const real *lambda);
};

/* A joint between rigid bodies. It contributes `rows` rows of g, starting with `first_row`. */
struct shk_joint_info {
  const char *name, *type; /* such as "crank" and "revolute" */
  int first_row, rows;
};

/* A coordinate of a joint's motion: a displacement or an angle. */
struct shk_joint_coordinate {
  int joint;
  bool is_angle;     /* known up to whole turns; near `start` at the start of a run */
  bool begins_three; /* the first of three angles a, b, c, which turn as a + π, π - b, c + π do */
  real start;
};

/* The joints of a mechanism. Rows before those of the first joint belong to the bodies alone
 * (RᵀR = 1). */
struct shk_joints {
  size_t struct_size;
  int count;
  const struct shk_joint_info *list;
  /* Stores the wrench that a joint exerts on its second body, in the axes of space: the force (3)
   * and then the torque (3) about the joint's point on that body. Both are linear in lambda. */
  int (*wrench)(const void *context, real *out, int joint, real t, const real *q,
                const real *lambda);
  /* Stores the axes e1, e2, e3 of a joint's frame on its first body, in the axes of space (3 × 3,
   * row by row). The joint turns about e3 or slides along it. If NULL, the frame has the axes of
   * space. */
  int (*axes)(const void *context, real *out, int joint, real t, const real *q);
  /* The coordinates of the joints, in the order of `list`. */
  int coordinate_count;
  const struct shk_joint_coordinate *coordinates;
  /* Stores the coordinates and their rates (coordinate_count each) at velocities v (n). */
  int (*place)(const void *context, real *values, real *rates, const real *q, const real *v);
};

/* A problem at given parameters. Its pointers point into its context or its workspace, or to
 * constants. */
struct shk_instance {
  size_t struct_size;
  struct shk_system system;
  real initial_time;
  /* a typical period over 2 pi or the shortest relevant time: the unit of natural steps
   * and of the windows of long runs */
  real time_scale;
  real horizon;         /* generic end time: at no symmetric instant, and before chaos */
  unsigned undecidable; /* a set of enum shk_undecidable */

  /* Stores a start, q (n) and p (n), that satisfies the constraints and the hidden (velocity-level)
   * constraints to round-off. */
  int (*start)(const void *context, real *q, real *p);
  /* Stores the exact solution q (n), p (n) and lambda (m) at time t from that start. NULL if it is
   * unknown. */
  int (*exact)(const void *context, real *q, real *p, real *lambda, real t);
  /* Stores the invariants besides H (invariant_count values). NULL if there are none. */
  int invariant_count;
  const char *const *invariant_names;
  int (*invariants)(const void *context, real *values, real t, const real *q, const real *p);
  /* Adopts an explicit start (q,p) before it is checked. It may change the context, for example
   * when the level of a constraint is the start's. NULL if nothing depends on the start. */
  void (*adopt)(struct shk_instance *instance, const real *q, const real *p);

  /* Functions that distinguish the branches of the constraint set, which meet in singular
   * configurations of a mechanism, crossings of a curve or impasses: branch_count values without
   * unit. They are constant on the branch of the motion from the start. On any other branch at
   * least one of them differs by order one, away from where branches meet. A residual that vanishes
   * on the branch is enough (the parallel defect of a linkage), and so is a sign (of the tangent,
   * or of {{H,g},g}). The values are compared with those along the known solution, and never
   * influence an integration. NULL if the set is a single branch. */
  int branch_count;
  const char *const *branch_names;
  int (*branch)(const void *context, real *values, real t, const real *q, const real *p);

  /* Stores the times at which the exact solution passes through singular configurations, after the
   * start and up to `until`, in ascending order and at most `limit` of them. Returns their total
   * number. NULL if they are unknown. */
  int (*crossings)(const void *context, real *times, int limit, real until);

  /* Picture of the system. If NULL, the distance constraints are drawn, if the system declares
   * them. */
  const struct shk_picture *picture;

  /* The parameters, for what the context does not store (whether one was given, or the options of a
   * choice), and the workspace for further allocations of the problem. */
  const struct shk_values *parameters;
  struct shk_workspace *workspace;

  const struct shk_change *change; /* NULL unless this is another problem in other coordinates */

  const struct shk_joints *joints; /* joints of rigid bodies; NULL if the problem has none */
};

struct shk_problem {
  size_t struct_size;
  struct shk_problem_info info;
  /* Size of the problem's struct, which becomes the context of the system. The struct is zeroed,
   * filled with the parameters that are stored in it (struct shk_option, `at`), and freed with the
   * instance. SHK_CONTEXT(name) sets the size. */
  size_t context_size;
  /* The members of the system that are the same for all parameters; NULL if there are none. */
  const struct shk_system *system;
  /* Fills the rest of *instance. The sizes of structs, the members of `system`, context, parameters
   * and workspace are set before the call, and all other members are zero. May refuse the
   * parameters. */
  struct shk_status (*set_up)(struct shk_instance *instance, void *context);
};

#define SHK_CONTEXT(type) .context_size = sizeof(struct type)

#endif
