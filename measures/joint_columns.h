/*
 * A mechanism in the words of its joints. Each joint, in the order of the file, has the columns
 *
 *     elbow.angle, elbow.rate            of an angle: radians, and their rate of change
 *     slide.position, slide.velocity     of a displacement
 *     elbow.force_x, … elbow.torque_z    the wrench of its constraints, along the axes of space
 *     elbow.force_1, … elbow.torque_3    the same along the axes e1, e2, e3 of its own frame
 *
 * in the units of the problem. Coordinates are those of the second body's frame in the first one's:
 * an angle is positive by the right-hand rule about the joint's axis. A joint with several of a kind
 * numbers them: angle1, angle2, rate1, rate2. Angles begin within half a turn of the start that the
 * file gives, or of 0, and do not jump along a run. The wrench acts on the second body; the first
 * body gets the opposite force. The torque is about the joint's point of the second body; the own
 * frame is that of the first body, and e3 the axis of the joint. The wrench is by the exact
 * multiplier of the state. Springs, dampers and loads of the joint are not in it, its drive is.
 * Components that redundant rows leave open are NaN (measures/wrench.c).
 */
#ifndef MEASURES_JOINT_COLUMNS_H
#define MEASURES_JOINT_COLUMNS_H

#include "mechanics/diagnosis/rank.h"

struct shk_joint_column {
  int joint;
  int coordinate;   /* the coordinate whose value it is; -1 if it is none */
  char what[16];    /* such as "angle" or "force_x" */
  const real *from; /* points at the value */
};

struct shk_joint_columns {
  int count; /* number of columns */
  struct shk_joint_column *list;
  /* The rest is private to joint_columns.c. */
  const struct shk_instance *instance;
  struct shk_evaluator *evaluator;
  struct shk_manifold *manifold;
  bool begun;
  real t;                                  /* time of the state that was followed last */
  real *angles, *rates;                    /* coordinates of that state, and their rates */
  real *new_angles, *new_rates, *velocity; /* those of the current point, and its velocity */
  real *lambda, *scratch;
  real *wrenches; /* along the axes of space, then along those of joints */
  bool *open;
  /* Relations of the rows, if there are at most SHK_RANK_LIMIT rows. */
  struct shk_spectrum spectrum;
  real *coefficients;
  bool *depends;
};

/* Makes the columns of a problem with joints, in the workspace of the evaluator. *columns is NULL
 * if the problem has no joints. */
struct shk_status shk_joint_columns_create(struct shk_joint_columns **columns,
                                           const struct shk_instance *instance,
                                           struct shk_evaluator *evaluator,
                                           struct shk_manifold *manifold);
/* Returns the name of a column, which the caller frees. */
char *shk_joint_column_name(const struct shk_joint_columns *columns, int column);

/* Makes the coordinates follow the run to a state: the start, and then the end of each step. */
struct shk_status shk_joint_columns_follow(struct shk_joint_columns *columns,
                                           const struct shk_state *at);
/* Stores all columns (count) at the state that was followed last. */
struct shk_status shk_joint_columns_fill(struct shk_joint_columns *columns, real *values,
                                         const struct shk_state *at);
/* Stores the coordinates at a point after that state, whose velocities are v. */
void shk_joint_columns_place(struct shk_joint_columns *columns, real *coordinates, real t,
                             const real *q, const real *v);

#endif
