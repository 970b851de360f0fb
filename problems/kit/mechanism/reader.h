/*
 * The reader of mechanisms in YAML, and the values of their files. Functions return false after a
 * message with file, line, what was found and what was expected.
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
  struct shk_frame ends[2]; /* of a joint or spring */
  int *bodies, side;        /* the bodies of its ends; the number of ends read */
  bool framed;              /* an end names a frame */
  int shapes;               /* of the body, read so far */
  real axis[3], across[3];
  bool has_axis, has_across;
  /* Named frames read so far. */
  struct shk_named_frame *frames;
  int frame_count;
};

static inline struct shk_reader *shk_reader_of(const struct shk_yaml *yaml)
{
  return (struct shk_reader *)yaml->user;
}

/* Reads a number of a kind of yaml_numbers.h. */
bool shk_read_real(const struct shk_yaml *yaml, struct fy_node *node, real *out,
                   const char *expected);
/* Reads a list of `count` numbers; `expected` names it. */
bool shk_read_reals(const struct shk_yaml *yaml, struct fy_node *node, real *out, int count,
                    const char *expected);

/* ---- values of keys ---- */

/* Reads a number of the kind that the key expects. */
bool shk_read_number(const struct shk_yaml *yaml, struct fy_node *value, void *field);
/* Reads a vector of as many numbers as the mechanism has dimensions. */
bool shk_read_space_vector(const struct shk_yaml *yaml, struct fy_node *value, void *field);
/* Reads a rotation (3 x 3 by rows): an angle in the plane; else an axis with an angle, a list of
 * these, or a quaternion. */
bool shk_read_rotation(const struct shk_yaml *yaml, struct fy_node *value, void *field);
/* Reads a unit vector into the reader's `axis` or `across`, by the key. */
bool shk_read_direction(const struct shk_yaml *yaml, struct fy_node *value, void *field);
/* Sets the axes R of a frame from the `axis` and `across` just read, and forgets these. e_3 is the
 * axis (in the plane e_1 is); e_1 is along the part of `across` orthogonal to it, or without
 * `across` of the unit vector that is most nearly orthogonal. Without both R stays. */
bool shk_reader_axes(struct shk_reader *r, const struct shk_yaml *yaml, struct fy_node *node,
                     real *R);

#endif
