/*
 * Rigid bodies and joints in natural coordinates (P. Betsch & P. Steinmann, Int. J. Numer. Meth.
 * Eng. 51 (2001) 727; J. García de Jalón & E. Bayo, Kinematic and Dynamic Simulation of Multibody
 * Systems, Springer 1994, ch. 2). A body is described by a reference point r and the directors d_1,
 * d_2, d_3, which are its principal axes in space. A point on the body is r + Σ s_k d_k, and a
 * direction is Σ a_k d_k, so that
 *
 *     T = ½ m |r'|² + ½ Σ D_k |d_k'|²,      D = ½ tr(I) 1 - I
 *
 * with constant D. Every constraint has the following form, which is at most quadratic:
 *
 *     g = factor u·w - level,      u and w affine in q.                                        (1)
 *
 * r is either the centre of mass or a fixed pivot. A pivot has no coordinates. D is computed about
 * r. Directors with D_k = 0 have no mass and are not coordinates, so a plate has two directors and
 * a thin rod has one. In the plane, d_2 is d_1 rotated by 90 degrees, and a body has r, d_1 and one
 * inner constraint.
 */
#ifndef PROBLEMS_KIT_MECHANISM_MECHANISM_H
#define PROBLEMS_KIT_MECHANISM_MECHANISM_H

#include "problems/kit/points.h"
#include <shakedown/plugin.h>

enum {
  SHK_VECTORS = 4,            /* r, d_1, d_2, d_3 */
  SHK_MARK_PARTS = 24,        /* 3 components for each vector of two bodies */
  SHK_MOTIONS = 6,            /* maximum number of coordinates of a joint */
  SHK_MECHANISM_BODIES = 300, /* not counting the ground */
  SHK_MECHANISM_JOINTS = 1000,
  SHK_MECHANISM_FRAMES = 10000,
  SHK_MECHANISM_FILE_LIMIT = 1 << 20 /* bytes */
};

/* A frame relative to another frame. The axes are the columns of a rotation matrix, which is stored
 * row by row. */
struct shk_frame {
  real place[3], axes[9];
};

/* A rigid body. Body 0 is the ground. */
struct shk_body {
  const char *name;
  int line;
  real mass, density, moments[3], centre[3], pivot[3];
  real second[3];                         /* D_k, about r */
  bool has_moments, is_posed, is_pivoted; /* true if the file or a joint specifies the values */
  /* the body frame in space, and the frame of r and the directors in the body frame */
  struct shk_frame pose, principal;
  /* velocity of the frame's origin, and angular velocity, both in space */
  real velocity[3], rate[3];
  int at[SHK_VECTORS];           /* index of each vector in q, or -1 if the vector is constant */
  real constant[SHK_VECTORS][3]; /* values of the constant vectors */
  /* true for directors with D_k = 0, which a thin body lacks */
  bool lacks[3];
};

/* A named frame of a body. */
struct shk_named_frame {
  const char *name;
  int body;
  struct shk_frame frame; /* in the body's frame */
};

/* An affine function of q with three components. The function is `offset` plus the terms factor
 * q[column], each of which is added to one component. */
struct shk_mark {
  real offset[3];
  int count;
  struct shk_part {
    /* slot: position in the gradient, or -1 if that entry is always zero */
    int component, column, slot;
    real factor;
  } parts[SHK_MARK_PARTS];
  bool lacks; /* true if the function needs a director that a thin body lacks */
};

/* The function (1), or a coupling. `columns` lists the columns of its gradient in ascending
 * order. */
struct shk_form {
  struct shk_mark u, w;
  real factor, level;
  int count, columns[2 * SHK_MARK_PARTS];
  const struct shk_coupling *coupling; /* used only for rows; NULL if there is no coupling */
};

/* The row of a drive or gear (couplings.c), which is a function of one, two or four forms. */
struct shk_coupling {
  real offset, rate, acceleration, amplitude, frequency, phase;
  int joints[2], powers[2]; /* k and l for a gear; 1 and 0 for a drive */
  bool drives;
  int count;
  struct shk_form forms[4];
};

/* The frame of a joint as a function of q: its origin and axes. */
struct shk_end {
  struct shk_mark place, axis[3];
};

/* The force along a scalar f, which is load - stiffness (f - rest) - damping f'. */
struct shk_law {
  real stiffness, rest, damping, load;
};

/* A spring, damper or constant load that acts on a scalar f(q). The scalar is a distance |u|
 * between points, an angle atan2(sin, cos), the second of three angles as asin(sin), or a
 * displacement along an axis. */
struct shk_spring_of_bodies {
  enum shk_scalar_kind { SHK_STRETCH, SHK_TWIST, SHK_SHIFT, SHK_TILT } kind;
  struct shk_form form, sine; /* |u|²; cosine and sine; displacement; or sine */
  struct shk_law law;
};

/* Joint types (joints.c). */
struct shk_joint_type {
  const char *name, *meaning;
  const char *rows[2]; /* row codes in space and in the plane; NULL where the type does not exist */
  /* coordinates. For example, "r3t3" is an angle about e_3 and a displacement along it. NULL if no
   * coordinates determine the pose of the second body. */
  const char *motions[2];
};

struct shk_joint {
  const char *name;
  int line;
  const struct shk_joint_type *type;
  int bodies[2];
  struct shk_frame frames[2]; /* relative to the bodies' frames, or to space in the initial state */
  bool in_space;
  struct shk_coordinates { /* coordinates of the second frame relative to the first */
    real at[SHK_MOTIONS];
    int count;
  } start, rate;
  /* length of a distance joint; 0 means the initial distance */
  real length;
  struct shk_law laws[SHK_MOTIONS]; /* of each coordinate */
  struct shk_coupling coupling;     /* the drive of the joint, or the gear itself */
  struct shk_end ends[2];
  char motions[2 * SHK_MOTIONS + 1], serial_codes[4 * SHK_MOTIONS]; /* if serial */
  /* the joint's row codes: all codes of its type, or fewer (shk_joints_leave_out) */
  const char *codes;
  int first_row, rows;
};

/* The gaps that remain between the frames of a mechanism's joints. */
struct shk_gap {
  int joint;          /* the joint with the largest gap relative to the tolerances */
  real length, angle; /* of that joint */
  real size;          /* largest coordinate of any joint point */
  /* how far frames were moved to close the gap, as an angle or as a fraction of the mechanism's
   * size; 0 if no frame was moved */
  real moved;
};

struct shk_mechanism {
  int dimension; /* 2 or 3 */
  real gravity[3], time_scale, horizon;
  /* whether the mechanism has forces without a potential, whether it has drives, and whether it has
   * drives, gears, serial joints or several laws for one joint, which engines do not support */
  bool pushes, driven, coupled;
  bool redundant; /* true if redundant rows of planar loops are retained */
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
  /* number of coordinates, number of rows, and number of body rows, which come first */
  int n, m, inner;
  real *mass, *weight, *q, *p;
  int *row_start, *columns;
  int *units; /* n values: 0 for positions, 1 for directors */
  struct shk_joints declared;
  struct shk_joint_info *infos;
  struct shk_joint_coordinate *coordinates; /* coordinates of all joints, ordered by joint */
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
/* Returns the second derivative in the direction v, which does not depend on q. */
real shk_form_second(const struct shk_form *form, const real *v);
/* Stores the derivative of the gradient along the velocity that corresponds to the momenta p, in
 * the order of form->columns. */
void shk_form_turned(real *values, const struct shk_form *form, const real *p, const real *mass);
/* Adds factor times the Hessian to out (n x n, `stride` numbers per row). */
void shk_form_add_hessian(real *out, int stride, const struct shk_form *form, real factor);
/* Given the gradient, returns the rate of change for the momenta p, or for the velocities p if
 * `mass` is NULL. */
real shk_form_rate(const struct shk_form *form, const real *gradient, const real *p,
                   const real *mass);
/* Determines the columns and slots once u and w are set. */
void shk_form_close(struct shk_form *form);
/* Adds the columns in which the gradient of a mark can be nonzero, in ascending order. */
void shk_form_insert_columns(struct shk_form *form, const struct shk_mark *mark,
                             const struct shk_mark *other);

/* Returns a point or direction given in the body frame as a function of q. */
struct shk_mark shk_mark_of(const struct shk_mechanism *s, int body, const real *local,
                            bool is_point);
/* Returns b - a. */
struct shk_mark shk_mark_difference(const struct shk_mark *b, const struct shk_mark *a);
/* Returns the spatial unit vector e_j, which is constant. */
struct shk_mark shk_mark_axis(int j);

/* ---- bodies.c: masses, coordinates and poses of bodies ---- */

/* A type of shape. From the given sizes, `fill` computes the second moments per unit of mass and
 * the volume, which is 0 if the shape is thin. */
struct shk_shape {
  const char *name;
  int sizes;
  void (*fill)(real *second, real *volume, const real *size);
};
extern const struct shk_shape shk_shapes[];
extern const int shk_shape_count;

/* Computes D about r and the principal axes. Returns NULL on success, or the reason why no body can
 * have these moments. */
const char *shk_body_settle(struct shk_body *body, int dimension);
/* Assigns coordinates, masses and weights to all bodies, and counts their inner rows. The workspace
 * owns the arrays. */
struct shk_status shk_bodies_assign(struct shk_mechanism *s, struct shk_workspace *workspace);
/* Stores the q and p that correspond to the poses and velocities. */
void shk_bodies_start(struct shk_mechanism *s);
/* Updates the recorded maximum speeds of positions and directors (2 numbers) if the current speeds
 * are larger. */
void shk_bodies_fastest(real *fastest, const struct shk_mechanism *s);
/* Sets momenta to zero if the corresponding velocities are only rounding errors compared with these
 * speeds. */
void shk_bodies_clean(struct shk_mechanism *s, const real *fastest);
/* Fills `rows` with the inner rows of all bodies, ½ (d_i·d_i - 1) and d_i·d_j. */
void shk_bodies_rows(const struct shk_mechanism *s, struct shk_form *rows);

/* Store R x and Rᵀ x, respectively. R is a 3 x 3 matrix, stored row by row. */
void shk_turn(real *out, const real *R, const real *x);
void shk_turn_back(real *out, const real *R, const real *x);
/* Stores the composition a b, where frame b is given relative to frame a. `out` may alias `a` or
 * `b`. */
void shk_frame_compose(struct shk_frame *out, const struct shk_frame *a, const struct shk_frame *b);
/* Stores the inverse: if `frame` is the second frame relative to the first, stores the first
 * relative to the second. */
void shk_frame_invert(struct shk_frame *out, const struct shk_frame *frame);
/* Stores the rotation matrix for a rotation about a unit vector. */
void shk_rotation_about(real *R, const real *axis, real angle);

/* ---- joints.c ---- */

extern const struct shk_joint_type shk_joint_types[];
extern const int shk_joint_type_count;

/* Uses joint coordinates to place bodies that have no pose, and computes the frames of every joint
 * relative to its bodies. Returns NULL on success. Otherwise, returns the reason and stores the
 * joint that failed in *at. */
const char *shk_joints_place(struct shk_mechanism *s, int *at);
/* Stores the second frame relative to the first, as determined by the joint's initial coordinates,
 * and its angular and linear velocity. */
void shk_joint_second_frame(struct shk_frame *frame, real *omega, real *velocity,
                            const struct shk_joint *joint, const char *motions);
/* Sets the ends of all joints, and gives all joints their complete row codes. */
void shk_joints_keep_rows(struct shk_mechanism *s);
/* Leaves out the redundant rows of planar loops at s->q, that is, of loops that consist of parallel
 * revolute joints and prismatic joints perpendicular to them. The revolute joint that closes such a
 * loop retains only its two in-plane rows. */
void shk_joints_leave_out(struct shk_mechanism *s);
/* Stores the sizes of a joint's rows at s->q: a length, and the sine of an angle. */
void shk_joint_gap(real *gap, const struct shk_mechanism *s, const struct shk_joint *joint);
/* Stores the mechanism's gap at s->q. */
void shk_mechanism_gap(struct shk_gap *gap, const struct shk_mechanism *s);
/* Returns the number of an axis that a joint's two frames should share at s->q but do not, and
 * stores the cosine of the angle between the two axes. Such an axis can exist because the joint's
 * rows are also zero after a rotation by 180 degrees or, for a weld, by 120 degrees. Returns 0 if
 * there is no such axis. */
int shk_joint_reversed(real *cosine, const struct shk_mechanism *s, const struct shk_joint *joint);
/* Returns the total number of joint rows. */
int shk_joints_count(const struct shk_mechanism *s);
/* Initializes the rows of a joint. Returns NULL on success. Otherwise, returns the reason and
 * stores the index of the body in *body. */
const char *shk_joint_rows(const struct shk_mechanism *s, struct shk_joint *joint,
                           struct shk_form *rows, int *body);

/* Returns the coordinates of a joint in the notation of struct shk_joint_type, or NULL if no
 * coordinates determine the pose of the second body. */
const char *shk_joint_motions(const struct shk_mechanism *s, const struct shk_joint *joint);
/* Sets a serial joint's coordinates and rows from a string of words, t1 to t3 followed by r1 to r3.
 * Returns false if the string is not of this form. */
bool shk_joint_set_motions(struct shk_joint *joint, const char *motions);
/* Stores the forms of the coordinate with the given index: the cosine and sine of an angle, a sine,
 * or a displacement. Returns the kind of the coordinate. */
enum shk_scalar_kind shk_joint_forms(struct shk_form *forms, const struct shk_mechanism *s,
                                     const struct shk_joint *joint, int coordinate);

/* Store the axes and the wrench of a joint (see shk_joints in problem.h). */
int shk_joint_axes(const void *context, real *out, int joint, real t, const real *q);
int shk_joint_wrench(const void *context, real *out, int joint, real t, const real *q,
                     const real *lambda);

/* ---- coordinates.c ---- */

/* Sets the coordinates of all joints, except for coordinates that need directions that a thin body
 * lacks. */
struct shk_status shk_mechanism_coordinates(struct shk_instance *instance, struct shk_mechanism *s);
int shk_mechanism_place(const void *context, real *values, real *rates, const real *q,
                        const real *v);

/* ---- couplings.c: rows at time t, which are forms or couplings ---- */

real shk_row_value(const struct shk_form *row, real t, const real *q);
real shk_row_rate(const struct shk_form *row, real t, const real *q); /* g_t */
void shk_row_gradient(real *values, const struct shk_form *row, real t, const real *q);
/* Returns g_qq[v,v] + 2 g_qt v + g_tt. */
real shk_row_curvature(const struct shk_form *row, real t, const real *q, const real *v);
/* Initializes a joint's row from its coupling. Returns NULL on success, or the reason for the
 * failure. */
const char *shk_coupling_row(struct shk_form *row, const struct shk_mechanism *s,
                             struct shk_joint *joint);
/* Adds the wrench of a drive or gear. A drive acts on the second body of its joint, and a gear on
 * the second body of its second joint. */
void shk_coupling_wrench(real *out, const struct shk_coupling *c, real lambda, real t,
                         const real *q);
/* Stores a drive's f, f' and f'' at time t. */
void shk_drive_value(real f[3], const struct shk_coupling *drive, real t);

/* ---- forces.c ---- */

/* Initializes the springs in joints and between frames. Returns NULL on success. Otherwise, returns
 * the reason and stores the line number of the joint or spring in *line. */
const char *shk_springs_set(struct shk_mechanism *s, int *line);
int shk_mechanism_potential(const void *context, real *value, real t, const real *q);
int shk_mechanism_gradient(const void *context, real *out, real t, const real *q);
int shk_mechanism_hessian(const void *context, real *out, real t, const real *q, const real *p);
int shk_mechanism_force(const void *context, real *Q, real t, const real *q, const real *p);
int shk_mechanism_force_gradients(const void *context, real *Q_q, real *Q_p, real t, const real *q,
                                  const real *p);

/* ---- properties.c ---- */

/* Sets the times, the `undecidable` flags, the joints and the picture. The initial state must
 * already have been assembled. */
struct shk_status shk_mechanism_describe(struct shk_instance *instance, struct shk_mechanism *s);

/* ---- assembly.c ---- */

enum {
  /* maximum number of rows; larger mechanisms are used without being assembled */
  SHK_ASSEMBLED_ROWS = 300,
  /* the frames of a loop count as equal if they agree to within this many rounding errors */
  SHK_CLOSING_ROUNDINGS = 1000
};
/* Moves s->q close to the constraint manifold if it is far from it. If the constraints cannot be
 * satisfied, returns SHK_INCONSISTENT and leaves the closest q that was found in s->q. */
struct shk_status shk_mechanism_close(struct shk_mechanism *s, struct shk_workspace *workspace);
/* Moves s->q as close to the constraint manifold as inconsistencies between the rows permit. s->q
 * must already be near it. Stores the largest remaining row, divided by its size. */
struct shk_status shk_mechanism_close_further(real *residual, struct shk_mechanism *s,
                                              struct shk_workspace *workspace);
/* Stores the size of every row (m numbers) at q. The size is the sum of |g_q| times the size of the
 * coordinates that have the same unit. Its product with eps is the row's rounding error. */
void shk_mechanism_row_sizes(real *sizes, const struct shk_mechanism *s);

/* ---- decimals.c ---- */

/* Loops must close to within this fraction of the mechanism's size and to within this angle;
 * otherwise they are rejected. */
#define SHK_LOOP_TOLERANCE R(1e-9)
/* If loops close to within the tolerance but not to round-off, moves the frames of their joints so
 * that the loops close exactly in every position, including s->q. Stores the original gap and adds
 * a note about it. */
struct shk_status shk_mechanism_close_decimals(struct shk_gap *gap, struct shk_mechanism *s,
                                               const struct shk_instance *instance);

/* ---- problems/bodies/mechanism.c ---- */

/* Assembles a mechanism that has been read. */
struct shk_status shk_mechanism_set_up(struct shk_instance *instance, struct shk_mechanism *s);

/* ---- reader.c ---- */

/* Reads the contents of a file into *s, which must be zeroed on entry and retains the text. All
 * memory is allocated from the instance's workspace. */
struct shk_status shk_mechanism_read(struct shk_mechanism *s, struct shk_instance *instance,
                                     const char *path, const char *text, size_t length);
/* Reads the file named by the parameter `file`. */
struct shk_status shk_mechanism_read_file(struct shk_mechanism *s, struct shk_instance *instance);
/* Returns a failure whose message remains valid as long as the instance's parameters. */
struct shk_status shk_mechanism_fail(const struct shk_instance *instance, enum shk_code code,
                                     const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
