/* Points of curves. See curves.h. */
#include "plots/kinds/kit/curves.h"
#include "foundation/memory.h"
#include <math.h>
#include <stdlib.h>

double *shk_curves_at(struct shk_curves *curves, int panel, int method, double x)
{
  for (int i = curves->count - 1; i >= 0; i--) {
    struct shk_curve_point *const point = &curves->points[i];
    if (point->panel == panel && point->method == method && point->x == x)
      return point->y;
  }
  struct shk_curve_point *const point = SHK_APPEND(curves->points, curves->count);
  *point = (struct shk_curve_point){panel, method, x, {NAN, NAN, NAN, NAN}};
  return point->y;
}

bool shk_curves_have(const struct shk_curves *curves, int least)
{
  for (int i = 0; i < curves->count; i++) {
    const struct shk_curve_point *const p = &curves->points[i];
    int count = 0;
    for (int j = 0; j < curves->count; j++)
      count += curves->points[j].panel == p->panel && curves->points[j].method == p->method &&
               isfinite(curves->points[j].y[0]);
    if (count >= least)
      return true;
  }
  return false;
}

void shk_curves_add_methods(const struct shk_curves *curves, const struct shk_drawing *drawing,
                            struct shk_chart *chart)
{
  for (int m = 0; m < drawing->methods.count; m++) {
    bool any = false;
    for (int i = 0; i < curves->count; i++)
      any = any || (curves->points[i].method == m && isfinite(curves->points[i].y[0]));
    if (any)
      shk_drawing_add(drawing, chart, m, "");
  }
}

static int by_place(const void *a, const void *b)
{
  const struct shk_curve_point *const p = a, *const q = b;
  if (p->panel != q->panel)
    return p->panel - q->panel;
  return p->method != q->method ? p->method - q->method : (p->x > q->x) - (p->x < q->x);
}

void shk_curves_write(struct shk_curves *curves, const struct shk_drawing *drawing,
                      struct shk_chart *chart, int panels, const struct shk_phrase *names,
                      int values, const char *columns)
{
  qsort(curves->points, (size_t)curves->count, sizeof *curves->points, by_place);
  for (int k = 0; k < panels; k++)
    for (int i = 0; i < chart->method_count; i++) {
      const int m = chart->methods[i];
      shk_chart_block(chart, drawing->shown[m], "%s%s%s", names ? names[k].text : "",
                      names ? ": " : "", columns);
      for (int p = 0; p < curves->count; p++)
        if (curves->points[p].panel == k && curves->points[p].method == m)
          shk_chart_row(chart, &curves->points[p].x, values + 1);
    }
  free(curves->points);
  *curves = (struct shk_curves){0};
}
