/*
 * The picture of Simeon's slider crank for q = (φ1, φ2, x3, …). It shows the crank pin, the other
 * end of the rod, and the block. The bending and stretching of the rod are omitted because they are
 * far smaller than the resolution of a picture.
 */
#ifndef PROBLEMS_KIT_SLIDER_CRANK_PICTURE_H
#define PROBLEMS_KIT_SLIDER_CRANK_PICTURE_H

#include "problems/kit/elastic_rod.h"
#include "problems/kit/picture.h"

static inline int shk_slider_crank_points(const void *context, real *r, real t, const real *q)
{
  r[4] = SHK_CRANK_LENGTH * real_cos(q[0]);
  r[5] = SHK_CRANK_LENGTH * real_sin(q[0]);
  r[2] = r[4] + SHK_ROD_LENGTH * real_cos(q[1]);
  r[3] = r[5] + SHK_ROD_LENGTH * real_sin(q[1]);
  r[0] = q[2];
  r[1] = 0;
  return 0;
}

static inline const struct shk_picture *shk_slider_crank_picture(void)
{
  static const real shaft[2] = {0, 0};
  static const struct shk_picture_line lines[] = {{-1, 2, false}, {2, 1, false}};
  static const struct shk_picture picture = {SHK_PICTURE_PLANE(3), .place = shk_slider_crank_points,
                                             SHK_PICTURE_FIXED(1, shaft), SHK_PICTURE_LINES(lines)};
  return &picture;
}

#endif
