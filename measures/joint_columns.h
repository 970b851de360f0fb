/*
 * A mechanism described by its joints. Each joint, in the order of the file, has the columns
 *
 *     elbow.angle, elbow.rate            of an angle: radians, and their rate of change
 *     slide.position, slide.velocity     of a displacement
 *     elbow.force_x, … elbow.torque_z    the wrench of its constraints, along the spatial axes
 *     elbow.force_1, … elbow.torque_3    the same along the axes e1, e2, e3 of its own frame
 *
 * in the units of the problem. Coordinates are those of the second body's frame relative to the
 * first body's frame. An angle is positive by the right-hand rule about the joint's axis. If a
 * joint has several columns of one kind, they are numbered: angle1, angle2, rate1, rate2. Angles
 * begin within half a turn of the start that the file gives, or of 0, and do not jump along a run.
 * The wrench acts on the second body; the first body gets the opposite force. The torque is about
 * the joint's point on the second body. The joint's own frame is fixed to the first body, and e3 is
 * the joint's axis. The wrench is computed from the exact multiplier at the state. It includes the
 * joint's drive, but not its springs, dampers and loads. Components that redundant rows leave
 * undetermined are NaN (measures/wrench.c).
 */
#ifndef MEASURES_JOINT_COLUMNS_H
#define MEASURES_JOINT_COLUMNS_H

#include "mechanics/diagnosis/rank.h"

struct shk_joint_column {
  int joint;
  int coordinate;   /* the coordinate that the column contains; -1 if none */
  char what[16];    /* such as "angle" or "force_x" */
  const real *from; /* points at the value */
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
  real *angles, *rates; /* coordinates of that state, and their rates */
  /* coordinates and rates of the current point, and its velocity */
  real *new_angles, *new_rates, *velocity;
  real *lambda, *scratch;
  real *wrenches; /* along the spatial axes, then along the joints' axes */
  bool *open;
  /* Linear relations between the rows, if there are at most SHK_RANK_LIMIT rows. */
  struct shk_spectrum spectrum;
  real *coefficients;
  bool *depends;
};

/* Creates the columns of a problem with joints in the evaluator's workspace. *columns is NULL if
 * the problem has no joints. */
struct shk_status shk_joint_columns_create(struct shk_joint_columns **columns,
                                           const struct shk_instance *instance,
                                           struct shk_evaluator *evaluator,
                                           struct shk_manifold *manifold);
/* Returns the name of a column, which the caller frees. */
char *shk_joint_column_name(const struct shk_joint_columns *columns, int column);

/* Makes the coordinates follow the run to a state. Call it for the start and then for the end of
 * each step. */
struct shk_status shk_joint_columns_follow(struct shk_joint_columns *columns,
                                           const struct shk_state *at);
/* Stores all columns (count) at the last followed state. */
struct shk_status shk_joint_columns_fill(struct shk_joint_columns *columns, real *values,
                                         const struct shk_state *at);
/* Stores the coordinates at a later point with velocities v. */
void shk_joint_columns_place(struct shk_joint_columns *columns, real *coordinates, real t,
                             const real *q, const real *v);

#endif
