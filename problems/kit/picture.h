/* Initializers for the members of a struct shk_picture: its points, in the plane or in space, and
 * arrays defined in the file that uses the macro. */
#ifndef PROBLEMS_KIT_PICTURE_H
#define PROBLEMS_KIT_PICTURE_H

#include <shakedown/parts/problem.h>

#define SHK_PICTURE_PLANE(points)                                                                  \
  .struct_size = sizeof(struct shk_picture), .dimension = 2, .point_count = points
#define SHK_PICTURE_SPACE(upwards, points)                                                         \
  .struct_size = sizeof(struct shk_picture), .dimension = 3, .up = upwards, .point_count = points
#define SHK_PICTURE_FIXED(count, array) .fixed_count = count, .fixed = array
#define SHK_PICTURE_LINES(array) .line_count = sizeof array / sizeof *array, .lines = array

#endif
