/* Products u·w of affine functions u and w, from which all rows and springs of mechanisms are
 * built. See equation (1) in mechanism.h. */
#include "problems/kit/mechanism/mechanism.h"

#include <string.h>

void shk_mark_value(real *out, const struct shk_mark *mark, const real *q)
{
  shk_copy(out, mark->offset, 3);
  for (int i = 0; i < mark->count; i++)
    out[mark->parts[i].component] += mark->parts[i].factor * q[mark->parts[i].column];
}

/* Stores the derivative of a mark along the velocity that corresponds to the momenta p, or along p
 * itself if `mass` is NULL. */
static void rate_of(real *out, const struct shk_mark *mark, const real *p, const real *mass)
{
  shk_fill(out, 0, 3);
  for (int i = 0; i < mark->count; i++) {
    const struct shk_part *const part = &mark->parts[i];
    out[part->component] += part->factor * p[part->column] / (mass ? mass[part->column] : 1);
  }
}

real shk_form_value(const struct shk_form *form, const real *q)
{
  real u[3], w[3];
  shk_mark_value(u, &form->u, q);
  shk_mark_value(w, &form->w, q);
  return form->factor * real_dot(u, w, 3) - form->level;
}

static void add_gradient(real *values, const struct shk_mark *mark, real factor, const real *other)
{
  for (int i = 0; i < mark->count; i++)
    if (mark->parts[i].slot >= 0)
      values[mark->parts[i].slot] +=
          factor * mark->parts[i].factor * other[mark->parts[i].component];
}

void shk_form_gradient(real *values, const struct shk_form *form, const real *q)
{
  real u[3], w[3];
  shk_mark_value(u, &form->u, q);
  shk_mark_value(w, &form->w, q);
  shk_fill(values, 0, form->count);
  add_gradient(values, &form->u, form->factor, w);
  add_gradient(values, &form->w, form->factor, u);
}

void shk_form_turned(real *values, const struct shk_form *form, const real *p, const real *mass)
{
  real u[3], w[3];
  rate_of(u, &form->u, p, mass);
  rate_of(w, &form->w, p, mass);
  shk_fill(values, 0, form->count);
  add_gradient(values, &form->u, form->factor, w);
  add_gradient(values, &form->w, form->factor, u);
}

real shk_form_second(const struct shk_form *form, const real *v)
{
  real u[3], w[3];
  rate_of(u, &form->u, v, NULL);
  rate_of(w, &form->w, v, NULL);
  return 2 * form->factor * real_dot(u, w, 3);
}

real shk_form_rate(const struct shk_form *form, const real *gradient, const real *p,
                   const real *mass)
{
  real sum = 0;
  for (int k = 0; k < form->count; k++) {
    const int column = form->columns[k];
    sum += gradient[k] * p[column] / (mass ? mass[column] : 1);
  }
  return sum;
}

void shk_form_add_hessian(real *out, int stride, const struct shk_form *form, real factor)
{
  for (int i = 0; i < form->u.count; i++)
    for (int j = 0; j < form->w.count; j++) {
      const struct shk_part *a = &form->u.parts[i], *b = &form->w.parts[j];
      const real entry = factor * form->factor * a->factor * b->factor;
      if (a->component != b->component)
        continue;
      out[(size_t)a->column * (size_t)stride + (size_t)b->column] += entry;
      out[(size_t)b->column * (size_t)stride + (size_t)a->column] += entry;
    }
}

/* Returns true if the given component of a mark is zero for every q. */
static bool component_vanishes(const struct shk_mark *mark, int component)
{
  for (int i = 0; i < mark->count; i++)
    if (mark->parts[i].component == component)
      return false;
  return mark->offset[component] == 0;
}

void shk_form_insert_columns(struct shk_form *form, const struct shk_mark *mark,
                             const struct shk_mark *other)
{
  for (int i = 0; i < mark->count; i++) {
    const int column = mark->parts[i].column;
    int at = 0;
    while (at < form->count && form->columns[at] < column)
      at++;
    if (component_vanishes(other, mark->parts[i].component) ||
        (at < form->count && form->columns[at] == column))
      continue;
    memmove(form->columns + at + 1, form->columns + at,
            (size_t)(form->count - at) * sizeof form->columns[0]);
    form->columns[at] = column;
    form->count++;
  }
}

static void find_slots(const struct shk_form *form, struct shk_mark *mark,
                       const struct shk_mark *other)
{
  for (int i = 0; i < mark->count; i++) {
    struct shk_part *const part = &mark->parts[i];
    part->slot = -1;
    for (int k = 0; k < form->count && !component_vanishes(other, part->component); k++)
      if (form->columns[k] == part->column)
        part->slot = k;
  }
}

void shk_form_close(struct shk_form *form)
{
  form->count = 0;
  shk_form_insert_columns(form, &form->u, &form->w);
  shk_form_insert_columns(form, &form->w, &form->u);
  find_slots(form, &form->u, &form->w);
  find_slots(form, &form->w, &form->u);
}

static void add_part(struct shk_mark *mark, int component, int column, real factor)
{
  for (int i = 0; i < mark->count; i++)
    if (mark->parts[i].component == component && mark->parts[i].column == column) {
      mark->parts[i].factor += factor;
      return;
    }
  if (factor != 0)
    mark->parts[mark->count++] = (struct shk_part){component, column, -1, factor};
}

/* Adds `factor` times vector k of a body. In the plane, d_2 = (-d_1y, d_1x). */
static void add_vector(struct shk_mark *mark, const struct shk_mechanism *s,
                       const struct shk_body *body, int k, real factor)
{
  const bool turned = s->dimension == 2 && k == 2 && body->at[1] >= 0;
  if (k > 0 && body->lacks[k - 1] && factor != 0)
    mark->lacks = true;
  if (turned) {
    add_part(mark, 0, body->at[1] + 1, -factor);
    add_part(mark, 1, body->at[1], factor);
  } else if (body->at[k] >= 0) {
    for (int j = 0; j < s->dimension; j++)
      add_part(mark, j, body->at[k] + j, factor);
  } else
    shk_vector_add(mark->offset, factor, body->constant[k], 3);
}

struct shk_mark shk_mark_of(const struct shk_mechanism *s, int body, const real *local,
                            bool is_point)
{
  const struct shk_body *const b = &s->bodies[body];
  struct shk_mark mark = {.count = 0};
  real from[3], along[3];
  for (int j = 0; j < 3; j++)
    from[j] = local[j] - (is_point ? b->principal.place[j] : 0);
  shk_turn_back(along, b->principal.axes, from);
  if (is_point)
    add_vector(&mark, s, b, 0, 1);
  const real size =
      real_max(real_max_norm(local, 3), is_point ? real_max_norm(b->principal.place, 3) : 0);
  /* smaller factors are caused by rounding errors in the frame's axes */
  for (int k = 0; k < 3; k++)
    if (real_fabs(along[k]) > 64 * REAL_EPSILON * size)
      add_vector(&mark, s, b, k + 1, along[k]);
  return mark;
}

struct shk_mark shk_mark_difference(const struct shk_mark *b, const struct shk_mark *a)
{
  struct shk_mark mark = *b;
  mark.lacks = a->lacks || b->lacks;
  shk_vector_add(mark.offset, -1, a->offset, 3);
  for (int i = 0; i < a->count; i++)
    add_part(&mark, a->parts[i].component, a->parts[i].column, -a->parts[i].factor);
  return mark;
}

struct shk_mark shk_mark_axis(int j)
{
  struct shk_mark mark = {.count = 0};
  mark.offset[j] = 1;
  return mark;
}
