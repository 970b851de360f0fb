/* Points of a plane: their extent, and whether consecutive ones are close. */
#include "plots/canvas/plane.h"
#include <math.h>

const struct shk_box shk_box_of_nothing = {INFINITY, -INFINITY, INFINITY, -INFINITY};

void shk_box_extend(struct shk_box *box, const double *x, const double *y, int count)
{
  for (int i = 0; i < count; i++) {
    box->left = fmin(box->left, x[i]);
    box->right = fmax(box->right, x[i]);
    box->bottom = fmin(box->bottom, y[i]);
    box->top = fmax(box->top, y[i]);
  }
}

bool shk_path_is_close(const double *x, const double *y, int count)
{
  struct shk_box box = shk_box_of_nothing;
  shk_box_extend(&box, x, y, count);
  const double width = box.right > box.left ? box.right - box.left : 1,
               height = box.top > box.bottom ? box.top - box.bottom : 1;
  int turns = 0, sharp = 0;
  for (int i = 2; i < count; i++) {
    const double ax = (x[i - 1] - x[i - 2]) / width, ay = (y[i - 1] - y[i - 2]) / height,
                 bx = (x[i] - x[i - 1]) / width, by = (y[i] - y[i - 1]) / height;
    turns++;
    sharp += ax * bx + ay * by < 0.985 * sqrt((ax * ax + ay * ay) * (bx * bx + by * by));
  }
  return turns > 0 && 10 * sharp <= turns;
}

void shk_chart_box(struct shk_chart *chart, struct shk_box box, bool equal)
{
  double width = 1.1 * (box.right - box.left), height = 1.1 * (box.top - box.bottom), ratio = 0.83;
  width = width > 0 ? width : fmax(1e-3, fabs(box.left));
  height = height > 0 ? height : (equal ? width : fmax(1e-3, fabs(box.bottom)));
  if (equal) {
    ratio = fmin(fmax(height / width, 0.5), 1.25);
    width = fmax(width, height / ratio);
    height = width * ratio;
  }
  const double x = (box.left + box.right) / 2, y = (box.bottom + box.top) / 2;
  shk_chart_set(chart, "left", x - width / 2);
  shk_chart_set(chart, "right", x + width / 2);
  shk_chart_set(chart, "bottom", y - height / 2);
  shk_chart_set(chart, "top", y + height / 2);
  shk_chart_set(chart, "ratio", ratio);
}
