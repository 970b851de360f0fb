/*
 * Describes a mechanism by its joints. Each joint, in the order of the file, is described by the
 * columns
 *
 *     elbow.angle, elbow.rate            an angle in radians, and its rate of change
 *     slide.position, slide.velocity     a displacement, and its rate of change
 *     elbow.force_x, … elbow.torque_z    the wrench of the joint's constraints, along the spatial
 *                                        axes
 *     elbow.force_1, … elbow.torque_3    the same along the axes e1, e2, e3 of the joint's own
 *                                        frame
 *
 * All values are in the units of the problem. Coordinates describe the second body's frame relative
 * to the first body's frame. The sign of an angle follows the right-hand rule about the joint's
 * axis. If a joint has several columns of one kind, they are numbered: angle1, angle2, rate1,
 * rate2. Each angle starts within half a turn of its initial value in the file (or of 0 if none is
 * given) and varies without jumps during a run. The wrench acts on the second body, and the first
 * body receives the opposite force. The torque is taken about the joint's point on the second body.
 * The joint's own frame is fixed to the first body, and e3 is the joint's axis. The wrench is
 * computed from the exact multiplier at the state. It includes the joint's drive, but not its
 * springs, dampers and loads. Components that redundant rows leave undetermined are NaN
 * (measures/wrench.c).
 */
#ifndef MEASURES_JOINT_COLUMNS_H
#define MEASURES_JOINT_COLUMNS_H

#include "mechanics/diagnosis/rank.h"

struct shk_joint_column {
  int joint;
  /* index of the coordinate that the column contains, or -1 if it contains none */
  int coordinate;
  char what[16];    /* for example "angle" or "force_x" */
  const real *from; /* pointer to the value */
};

struct shk_joint_columns {
  int count; /* number of columns */
  struct shk_joint_column *list;
  /* The remaining members are private to joint_columns.c. */
  const struct shk_instance *instance;
  struct shk_evaluator *evaluator;
  struct shk_manifold *manifold;
  bool begun;
  real t;               /* time of the last followed state */
  real *angles, *rates; /* coordinates and rates at the last followed state */
  /* coordinates, rates and velocity at the current point */
  real *new_angles, *new_rates, *velocity;
  real *lambda, *scratch;
  real *wrenches; /* wrenches along the spatial axes, then along the joints' own axes */
  bool *open;
  /* Linear relations between the rows, which are used if there are at most SHK_RANK_LIMIT rows. */
  struct shk_spectrum spectrum;
  real *coefficients;
  bool *depends;
};

/* Creates the columns for a problem with joints in the evaluator's workspace. Sets *columns to NULL
 * if the problem has no joints. */
struct shk_status shk_joint_columns_create(struct shk_joint_columns **columns,
                                           const struct shk_instance *instance,
                                           struct shk_evaluator *evaluator,
                                           struct shk_manifold *manifold);
/* Returns the name of a column, which the caller must free. */
char *shk_joint_column_name(const struct shk_joint_columns *columns, int column);

/* Updates the coordinates to the given state of the run so that they vary continuously. Call this
 * function for the start and then after each step. */
struct shk_status shk_joint_columns_follow(struct shk_joint_columns *columns,
                                           const struct shk_state *at);
/* Stores the values of all columns (count) at the last followed state. */
struct shk_status shk_joint_columns_fill(struct shk_joint_columns *columns, real *values,
                                         const struct shk_state *at);
/* Stores the coordinates at a point after the last followed state; v contains the velocities at
 * this point. */
void shk_joint_columns_place(struct shk_joint_columns *columns, real *coordinates, real t,
                             const real *q, const real *v);

#endif
