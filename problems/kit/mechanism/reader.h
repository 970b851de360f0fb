/*
 * Reads mechanisms in YAML and the values in their files. On failure, the functions return false
 * after reporting the file, the line, what was found and what was expected.
 */
#ifndef PROBLEMS_KIT_MECHANISM_READER_H
#define PROBLEMS_KIT_MECHANISM_READER_H

#include "foundation/files/yaml.h"
#include "problems/kit/mechanism/mechanism.h"
#include "problems/kit/yaml_numbers.h"

struct shk_reader {
  struct shk_yaml yaml;
  struct shk_mechanism *s;
  struct shk_workspace *workspace;
  /* The items that are being read. */
  struct shk_body *body;
  struct shk_joint *joint;
  struct shk_named_frame frame;
  struct shk_frame ends[2]; /* frames at the ends of a joint or spring */
  /* bodies at the ends of a joint or spring, and the number of ends read so far */
  int *bodies, side;
  bool framed; /* true if an end names a frame */
  int shapes;  /* number of shapes of the body that have been read so far */
  real axis[3], across[3];
  bool has_axis, has_across;
  /* The named frames read so far. */
  struct shk_named_frame *frames;
  int frame_count;
};

static inline struct shk_reader *shk_reader_of(const struct shk_yaml *yaml)
{
  return (struct shk_reader *)yaml->user;
}

/* Reads a number of a kind defined in yaml_numbers.h. */
bool shk_read_real(const struct shk_yaml *yaml, struct fy_node *node, real *out,
                   const char *expected);
/* Reads a list of `count` numbers. Error messages describe the list as `expected`. */
bool shk_read_reals(const struct shk_yaml *yaml, struct fy_node *node, real *out, int count,
                    const char *expected);

/* ---- functions that read the value of a key ---- */

/* Reads a number of the kind expected for the key. */
bool shk_read_number(const struct shk_yaml *yaml, struct fy_node *value, void *field);
/* Reads a vector with as many components as the mechanism has dimensions. */
bool shk_read_space_vector(const struct shk_yaml *yaml, struct fy_node *value, void *field);
/* Reads a rotation and stores it as a 3 x 3 matrix, row by row. In the plane, a rotation is an
 * angle; in space, it is an axis with an angle, a list of such pairs, or a quaternion. */
bool shk_read_rotation(const struct shk_yaml *yaml, struct fy_node *value, void *field);
/* Reads a unit vector into the reader's `axis` or `across`, depending on the key. */
bool shk_read_direction(const struct shk_yaml *yaml, struct fy_node *value, void *field);
/* Sets the axes R of a frame from the `axis` and `across` that were just read, and then clears
 * both. `axis` becomes e_3 (in the plane, e_1). e_1 points along the component of `across` that is
 * orthogonal to the axis. Without `across`, the coordinate unit vector that is most nearly
 * orthogonal to the axis is used instead. Without either key, R is not changed. */
bool shk_reader_axes(struct shk_reader *r, const struct shk_yaml *yaml, struct fy_node *node,
                     real *R);

#endif
