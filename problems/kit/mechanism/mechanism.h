/*
 * Rigid bodies and joints in natural coordinates (P. Betsch & P. Steinmann, Int. J. Numer. Meth.
 * Eng. 51 (2001) 727; J. García de Jalón & E. Bayo, Kinematic and Dynamic Simulation of Multibody
 * Systems, Springer 1994, ch. 2): a body is a reference point r and the directors d_1, d_2, d_3,
 * its principal axes in space. A point of the body is r + Σ s_k d_k, a direction Σ a_k d_k, so that
 *
 *     T = ½ m |r'|² + ½ Σ D_k |d_k'|²,      D = ½ tr(I) 1 - I
 *
 * with constant D, and every constraint is of one form, at most quadratic:
 *
 *     g = factor u·w - level,      u and w affine in q.                                        (1)
 *
 * r is the centre of mass or a fixed pivot, and D is about r; a pivot has no coordinates. Directors
 * with D_k = 0 have no mass and are not coordinates: a plate has two directors, a thin rod one. In
 * the plane d_2 is d_1 turned by 90 degrees, and a body has r, d_1 and one inner constraint.
 */
#ifndef PROBLEMS_KIT_MECHANISM_MECHANISM_H
#define PROBLEMS_KIT_MECHANISM_MECHANISM_H

#include "problems/kit/points.h"
#include <shakedown/plugin.h>

enum {
  SHK_VECTORS = 4,            /* r, d_1, d_2, d_3 */
  SHK_MARK_PARTS = 24,        /* 3 components of the vectors of two bodies */
  SHK_MOTIONS = 6,            /* coordinates of a joint */
  SHK_MECHANISM_BODIES = 300, /* without the ground */
  SHK_MECHANISM_JOINTS = 1000,
  SHK_MECHANISM_FRAMES = 10000,
  SHK_MECHANISM_FILE_LIMIT = 1 << 20 /* bytes */
};

/* A frame in another one: its origin, and its axes as the columns of a rotation, by rows. */
struct shk_frame {
  real place[3], axes[9];
};

/* A body; body 0 is the ground. */
struct shk_body {
  const char *name;
  int line;
  real mass, density, moments[3], centre[3], pivot[3];
  real second[3];                         /* D_k, about r */
  bool has_moments, is_posed, is_pivoted; /* the file or a joint gives moments, pose, a pivot */
  struct shk_frame pose, principal; /* of the body's frame in space; of r and directors in that */
  real velocity[3], rate[3];        /* of the frame's origin; angular, in space */
  int at[SHK_VECTORS];              /* index in q of each vector; -1: constant */
  real constant[SHK_VECTORS][3];    /* values of the constant ones */
  bool lacks[3];                    /* directors with D_k = 0, which a thin body does not have */
};

/* A frame of a body with a name. */
struct shk_named_frame {
  const char *name;
  int body;
  struct shk_frame frame; /* in the body's frame */
};

/* An affine function of q with three components: offset + Σ factor q[column] in `component`. */
struct shk_mark {
  real offset[3];
  int count;
  struct shk_part {
    int component, column, slot; /* slot: position in the gradient; -1: always zero there */
    real factor;
  } parts[SHK_MARK_PARTS];
  bool lacks; /* needs a director that a thin body lacks */
};

/* The function (1), or a coupling; `columns` are those of its gradient, ascending. */
struct shk_form {
  struct shk_mark u, w;
  real factor, level;
  int count, columns[2 * SHK_MARK_PARTS];
  const struct shk_coupling *coupling; /* of a row only; NULL: none */
};

/* A row of a drive or a gear (couplings.c), a function of one, two or four forms. */
struct shk_coupling {
  real offset, rate, acceleration, amplitude, frequency, phase;
  int joints[2], powers[2]; /* of a gear k and l; of a drive 1 and 0 */
  bool drives;
  int count;
  struct shk_form forms[4];
};

/* A frame of a joint as functions of q: its origin and its axes. */
struct shk_end {
  struct shk_mark place, axis[3];
};

/* The force along a scalar f: load - stiffness (f - rest) - damping f'. */
struct shk_law {
  real stiffness, rest, damping, load;
};

/* A spring, damper or constant load on a scalar f(q): a distance |u| between points, an angle
 * atan2(sin, cos), or asin(sin) of the second of three, or a displacement along an axis. */
struct shk_spring_of_bodies {
  enum shk_scalar_kind { SHK_STRETCH, SHK_TWIST, SHK_SHIFT, SHK_TILT } kind;
  struct shk_form form, sine; /* |u|², or cosine and sine, or the displacement, or the sine */
  struct shk_law law;
};

/* Types of joints (joints.c). */
struct shk_joint_type {
  const char *name, *meaning;
  const char *rows[2];    /* codes in space and in the plane; NULL: there is no such joint */
  const char *motions[2]; /* coordinates: "r3t3" is an angle about and a displacement along e_3;
                             NULL: none that place the second body */
};

struct shk_joint {
  const char *name;
  int line;
  const struct shk_joint_type *type;
  int bodies[2];
  struct shk_frame frames[2]; /* in the bodies' frames, or in space at the start */
  bool in_space;
  struct shk_coordinates { /* of the second frame in the first */
    real at[SHK_MOTIONS];
    int count;
  } start, rate;
  real length;                      /* of a distance; 0: its value at the start */
  struct shk_law laws[SHK_MOTIONS]; /* of each coordinate */
  struct shk_coupling coupling;     /* its drive, or the gear that it is */
  struct shk_end ends[2];
  char motions[2 * SHK_MOTIONS + 1], serial_codes[4 * SHK_MOTIONS]; /* of a serial joint */
  const char *codes; /* of its rows: its type's, or fewer (shk_joints_leave_out) */
  int first_row, rows;
};

/* What is left open between the frames of a mechanism's joints. */
struct shk_gap {
  int joint;          /* the one of the largest gap, relative to the tolerances */
  real length, angle; /* of that joint */
  real size;          /* largest coordinate of a point of a joint */
  real moved; /* by how much frames were moved to close it: an angle, or a part of the size; 0:
                         not at all */
};

struct shk_mechanism {
  int dimension; /* 2 or 3 */
  real gravity[3], time_scale, horizon;
  bool pushes, driven,
      coupled;    /* has forces without a potential; drives; any of drives, gears, serial joints and
                     several laws of a joint, which engines do not have */
  bool redundant; /* keeps rows that a planar loop implies */
  int body_count, joint_count, link_count, spring_count;
  struct shk_body *bodies;
  struct shk_joint *joints;
  struct shk_link_of_bodies { /* springs between frames */
    int line, bodies[2];
    struct shk_frame frames[2];
    struct shk_law law;
  } * links;
  struct shk_spring_of_bodies *springs;
  struct shk_form *rows;
  int n, m, inner; /* coordinates, rows, rows of bodies, which come first */
  real *mass, *weight, *q, *p;
  int *row_start, *columns;
  int *units; /* n: 0 for positions, 1 for directors */
  struct shk_joints declared;
  struct shk_joint_info *infos;
  struct shk_joint_coordinate *coordinates; /* of all joints, in their order */
  struct shk_spring_of_bodies *scalars;     /* the coordinates as functions of q */
  int coordinate_count;
  struct shk_picture picture;
  struct shk_picture_line *lines;
  const char *path, *text; /* of the file */
};

/* ---- forms.c: the functions (1) ---- */

void shk_mark_value(real *out, const struct shk_mark *mark, const real *q);
real shk_form_value(const struct shk_form *form, const real *q);
/* Stores the gradient in the order of form->columns. */
void shk_form_gradient(real *values, const struct shk_form *form, const real *q);
/* Returns the second derivative in the direction v; it does not depend on q. */
real shk_form_second(const struct shk_form *form, const real *v);
/* Stores the derivative of the gradient along the velocity of momenta p, in the order of
 * columns. */
void shk_form_turned(real *values, const struct shk_form *form, const real *p, const real *mass);
/* Adds factor times the Hessian to out (n x n, `stride` numbers a row). */
void shk_form_add_hessian(real *out, int stride, const struct shk_form *form, real factor);
/* Returns the rate of change, from the gradient, at momenta p; at velocities p if mass is NULL. */
real shk_form_rate(const struct shk_form *form, const real *gradient, const real *p,
                   const real *mass);
/* Finds columns and slots, once u and w are set. */
void shk_form_close(struct shk_form *form);
/* Adds the columns of a mark, in ascending order, where the gradient may differ from zero. */
void shk_form_insert_columns(struct shk_form *form, const struct shk_mark *mark,
                             const struct shk_mark *other);

/* Returns a point or a direction of a body, given in the body's frame, as a function of q. */
struct shk_mark shk_mark_of(const struct shk_mechanism *s, int body, const real *local,
                            bool is_point);
/* Returns b - a. */
struct shk_mark shk_mark_difference(const struct shk_mark *b, const struct shk_mark *a);
/* Returns the unit vector e_j of space, a constant. */
struct shk_mark shk_mark_axis(int j);

/* ---- bodies.c: masses, coordinates and poses of bodies ---- */

/* A shape. `fill` stores its second moments per unit of mass and its volume, 0 if it is thin, from
 * this number of sizes. */
struct shk_shape {
  const char *name;
  int sizes;
  void (*fill)(real *second, real *volume, const real *size);
};
extern const struct shk_shape shk_shapes[];
extern const int shk_shape_count;

/* Finds D about r and the principal axes; NULL, or the reason why no body has these moments. */
const char *shk_body_settle(struct shk_body *body, int dimension);
/* Assigns coordinates, masses and weights of all bodies, and counts their inner rows. The workspace
 * owns the arrays. */
struct shk_status shk_bodies_assign(struct shk_mechanism *s, struct shk_workspace *workspace);
/* Stores q and p of the poses and velocities. */
void shk_bodies_start(struct shk_mechanism *s);
/* Raises the largest speeds of positions and of directors (2) to the present ones. */
void shk_bodies_fastest(real *fastest, const struct shk_mechanism *s);
/* Sets momenta to zero if their velocities are rounding errors relative to these. */
void shk_bodies_clean(struct shk_mechanism *s, const real *fastest);
/* Fills the inner rows of all bodies, ½ (d_i·d_i - 1) and d_i·d_j, into `rows`. */
void shk_bodies_rows(const struct shk_mechanism *s, struct shk_form *rows);

/* Store R x and Rᵀ x for R (3 x 3 by rows). */
void shk_turn(real *out, const real *R, const real *x);
void shk_turn_back(real *out, const real *R, const real *x);
/* Stores a b, the frame b in the frame a; `out` may be one of them. */
void shk_frame_compose(struct shk_frame *out, const struct shk_frame *a, const struct shk_frame *b);
/* Stores the first frame in the second, if `frame` is the second in the first. */
void shk_frame_invert(struct shk_frame *out, const struct shk_frame *frame);
/* Stores the rotation about a unit vector. */
void shk_rotation_about(real *R, const real *axis, real angle);

/* ---- joints.c ---- */

extern const struct shk_joint_type shk_joint_types[];
extern const int shk_joint_type_count;

/* Places bodies that have no pose by the coordinates of joints, and finds every joint's frames in
 * its bodies. NULL, or the reason, for the joint in *at. */
const char *shk_joints_place(struct shk_mechanism *s, int *at);
/* Stores the second frame in the first, as a joint's coordinates at the start place it, and its
 * angular and linear velocity there. */
void shk_joint_second_frame(struct shk_frame *frame, real *omega, real *velocity,
                            const struct shk_joint *joint, const char *motions);
/* Sets the ends of all joints and the codes of all their rows. */
void shk_joints_keep_rows(struct shk_mechanism *s);
/* Leaves out rows that loops of parallel revolute joints, and prismatic ones across them, imply at
 * s->q: the revolute joint that closes such a loop has two rows, in its plane alone. */
void shk_joints_leave_out(struct shk_mechanism *s);
/* Stores the size of a joint's rows at s->q: a length, and the sine of an angle. */
void shk_joint_gap(real *gap, const struct shk_mechanism *s, const struct shk_joint *joint);
/* Stores the gap at s->q. */
void shk_mechanism_gap(struct shk_gap *gap, const struct shk_mechanism *s);
/* Returns the number of an axis that the two frames of a joint should share at s->q and do not, as its
 * rows are zero at other turns too, by 180 degrees or, of a weld, by 120; stores the cosine. 0: none. */
int shk_joint_reversed(real *cosine, const struct shk_mechanism *s, const struct shk_joint *joint);
/* Returns the number of rows of all joints. */
int shk_joints_count(const struct shk_mechanism *s);
/* Fills a joint's rows. NULL, or the reason with the index of the body in *body. */
const char *shk_joint_rows(const struct shk_mechanism *s, struct shk_joint *joint,
                           struct shk_form *rows, int *body);

/* Returns the coordinates of a joint, as in the table; NULL: none that place the second body. */
const char *shk_joint_motions(const struct shk_mechanism *s, const struct shk_joint *joint);
/* Sets the coordinates of a serial joint from their words, t1 to t3 and then r1 to r3, and its rows.
 * False if they are not such. */
bool shk_joint_set_motions(struct shk_joint *joint, const char *motions);
/* Stores the forms of a coordinate, counted from 0: cosine and sine of an angle, a sine, or a
 * displacement. Returns which of these. */
enum shk_scalar_kind shk_joint_forms(struct shk_form *forms, const struct shk_mechanism *s,
                                     const struct shk_joint *joint, int coordinate);

/* Stores force and torque (shk_joints, problem.h). */
int shk_joint_axes(const void *context, real *out, int joint, real t, const real *q);
int shk_joint_wrench(const void *context, real *out, int joint, real t, const real *q,
                     const real *lambda);

/* ---- coordinates.c ---- */

/* Sets the coordinates of all joints but those on directions that a thin body lacks. */
struct shk_status shk_mechanism_coordinates(struct shk_instance *instance, struct shk_mechanism *s);
int shk_mechanism_place(const void *context, real *values, real *rates, const real *q,
                        const real *v);

/* ---- couplings.c: rows, which are forms or couplings, at time t ---- */

real shk_row_value(const struct shk_form *row, real t, const real *q);
real shk_row_rate(const struct shk_form *row, real t, const real *q); /* g_t */
void shk_row_gradient(real *values, const struct shk_form *row, real t, const real *q);
/* Returns g_qq[v,v] + 2 g_qt v + g_tt. */
real shk_row_curvature(const struct shk_form *row, real t, const real *q, const real *v);
/* Fills a joint's row from its coupling. NULL or the reason. */
const char *shk_coupling_row(struct shk_form *row, const struct shk_mechanism *s,
                             struct shk_joint *joint);
/* Adds the wrench of a drive on the second body of its joint, or of a gear on the second body of
 * its second joint. */
void shk_coupling_wrench(real *out, const struct shk_coupling *c, real lambda, real t,
                         const real *q);
/* Stores f, f' and f'' of a drive at t. */
void shk_drive_value(real f[3], const struct shk_coupling *drive, real t);

/* ---- forces.c ---- */

/* Fills the springs, of joints and between frames. NULL, or the reason with the line of the joint
 * or spring in *line. */
const char *shk_springs_set(struct shk_mechanism *s, int *line);
int shk_mechanism_potential(const void *context, real *value, real t, const real *q);
int shk_mechanism_gradient(const void *context, real *out, real t, const real *q);
int shk_mechanism_hessian(const void *context, real *out, real t, const real *q, const real *p);
int shk_mechanism_force(const void *context, real *Q, real t, const real *q, const real *p);
int shk_mechanism_force_gradients(const void *context, real *Q_q, real *Q_p, real t, const real *q,
                                  const real *p);

/* ---- properties.c ---- */

/* Sets times, the flags `undecidable`, joints and picture, after the start was assembled. */
struct shk_status shk_mechanism_describe(struct shk_instance *instance, struct shk_mechanism *s);

/* ---- assembly.c ---- */

enum {
  SHK_ASSEMBLED_ROWS = 300,    /* limit of rows; mechanisms with more are taken as they are */
  SHK_CLOSING_ROUNDINGS = 1000 /* within which frames of loops agree to round-off */
};
/* Brings s->q near the constraints if it is not. SHK_INCONSISTENT with the nearest q found if they
 * cannot be met. */
struct shk_status shk_mechanism_close(struct shk_mechanism *s, struct shk_workspace *workspace);
/* Brings s->q, which is near, as far as the rows agree with each other. Stores the largest row left,
 * over its size. */
struct shk_status shk_mechanism_close_further(real *residual, struct shk_mechanism *s,
                                              struct shk_workspace *workspace);
/* Stores the size of every row at q (m), the sum of |g_q| times the size of the coordinates with the
 * same unit: eps times it is the row's rounding. */
void shk_mechanism_row_sizes(real *sizes, const struct shk_mechanism *s);

/* ---- decimals.c ---- */

/* Loops of frames are closed to this part of a mechanism's size, and to this angle, or refused. */
#define SHK_LOOP_TOLERANCE R(1e-9)
/* Moves frames of joints in loops, where these close to the tolerance but not to round-off, so that
 * they close exactly, in every position; s->q is then closed, too. Stores the gap before, and notes it. */
struct shk_status shk_mechanism_close_decimals(struct shk_gap *gap, struct shk_mechanism *s,
                                               const struct shk_instance *instance);

/* ---- problems/bodies/mechanism.c ---- */

/* Assembles a mechanism that was read. */
struct shk_status shk_mechanism_set_up(struct shk_instance *instance, struct shk_mechanism *s);

/* ---- reader.c ---- */

/* Reads the text of a file into the zeroed *s, and keeps it; all memory is the instance's
 * workspace's. */
struct shk_status shk_mechanism_read(struct shk_mechanism *s, struct shk_instance *instance,
                                     const char *path, const char *text, size_t length);
/* Reads the file that the parameter `file` names. */
struct shk_status shk_mechanism_read_file(struct shk_mechanism *s, struct shk_instance *instance);
/* Returns a failure whose message lives as long as the instance's parameters. */
struct shk_status shk_mechanism_fail(const struct shk_instance *instance, enum shk_code code,
                                     const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
