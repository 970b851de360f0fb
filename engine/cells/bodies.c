/* Converts a problem's bodies along a run to rows of numbers. A body is an item of the problem's
 * picture (picture.h) or one of its rods (system.h). Each state is converted without
 * interpolation. */
#include "engine/cells/cells.h"

#include "engine/bind.h"
#include "foundation/memory.h"
#include "problems/kit/mechanism/mechanism.h"
#include "problems/kit/particles.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_POINTS = 3000, MOST_LINES = 6000 };

/* Copies the instance's picture or, if there is none, creates one from the instance's rods. The
 * caller must free the lines in *own. Returns false if the instance has neither. */
static bool find_picture(struct shk_picture *picture, struct shk_picture_line **own,
                         const struct shk_instance *instance)
{
  const struct shk_rods *const rods = instance->system.rods;
  const int n = instance->system.n, m = instance->system.m;
  if (instance->picture)
    *picture = *instance->picture;
  if (instance->picture || !rods || rods->dimension < 1)
    return instance->picture != NULL;
  struct shk_picture_line *const lines = *own = shk_allocate((size_t)m + 1, sizeof *lines);
  *picture = (struct shk_picture){.struct_size = sizeof *picture,
                                  .dimension = rods->dimension,
                                  .up = 2,
                                  .point_count = n / rods->dimension,
                                  .fixed = rods->fixed,
                                  .line_count = m,
                                  .lines = lines};
  for (int i = 0; i < m; i++) {
    lines[i] = (struct shk_picture_line){rods->rod[i].a, rods->rod[i].b, false};
    if (-lines[i].a > picture->fixed_count)
      picture->fixed_count = -lines[i].a;
  }
  return true;
}

/* Returns a description of what is wrong with a picture, or NULL if it can be drawn. The check is
 * needed because numbers in the picture are used as array sizes and indices. */
static const char *fault_of(const struct shk_picture *p, int n)
{
  if (p->struct_size != sizeof *p)
    return "it was built with another version of <shakedown/plugin.h>";
  if ((p->dimension != 2 && p->dimension != 3) || p->up < 0 || p->up > 2)
    return "its dimension is neither 2 nor 3, or its upward axis does not exist";
  if (p->point_count < 1 || p->fixed_count < 0 || p->line_count < 0)
    return "it has no points, or one of its counts is negative";
  if (p->point_count > MOST_POINTS || p->fixed_count > MOST_POINTS || p->line_count > MOST_LINES)
    return "it has more than 3000 points or 6000 lines, too many to tell apart";
  if (!p->place && p->point_count * p->dimension > n)
    return "its points have more coordinates than q";
  for (int i = 0; i < p->line_count; i++) {
    const struct shk_picture_line line = p->lines[i];
    if (line.a >= p->point_count || -line.a > p->fixed_count || line.b >= p->point_count ||
        -line.b > p->fixed_count)
      return "a line joins points that do not exist";
  }
  return NULL;
}

/* Stores a row for the point a or for the line from a to b. Returns a pointer to the next row. */
static double *put_bodies(double *row, const struct shk_picture *picture, enum shk_body_part part,
                          const real *a, const real *b)
{
  for (int i = 0; i < 3; i++) {
    const int axis = picture->dimension == 3 ? (picture->up + 1 + i) % 3 : i;
    const bool exists = axis < picture->dimension;
    row[i] = exists ? (double)a[axis] : 0;
    row[3 + i] = exists && b ? (double)(b[axis] - a[axis]) : 0;
  }
  row[6] = part;
  return row + SHK_PART_NUMBERS;
}

/* Stores the rows for a state with moving points r. Returns a pointer to the next row. */
static double *put_state(double *row, const struct shk_picture *picture, const real *r)
{
  const real *const fixed = picture->fixed;
  const int each = picture->dimension;
  for (int i = 0; i < picture->line_count; i++) {
    const struct shk_picture_line line = picture->lines[i];
    row = put_bodies(row, picture, line.spring ? SHK_PART_SPRING : SHK_PART_ROD,
                     line.a < 0 ? fixed + (-1 - line.a) * each : r + line.a * each,
                     line.b < 0 ? fixed + (-1 - line.b) * each : r + line.b * each);
  }
  for (int i = 0; i < picture->fixed_count; i++)
    row = put_bodies(row, picture, SHK_PART_GROUND, fixed + i * each, NULL);
  for (int i = 0; i < picture->point_count; i++)
    row = put_bodies(row, picture, SHK_PART_POINT, r + i * each, NULL);
  return row;
}

/* Stores the rows for all states. Points whose positions the problem cannot compute are NaN. */
static void place_states(struct shk_bodies *bodies, const struct shk_picture *picture,
                         const struct shk_instance *instance, const double *times, const double *q)
{
  const int n = instance->system.n, numbers = picture->point_count * picture->dimension;
  real *const state = shk_allocate((size_t)(n + numbers) + 1, sizeof *state), *const r = state + n;
  double *row = bodies->rows;
  for (int i = 0; i < bodies->count; i++) {
    for (int k = 0; k < n; k++)
      state[k] = (real)q[(size_t)i * (size_t)n + (size_t)k];
    const real t = instance->initial_time + (real)times[i];
    if (picture->place && picture->place(instance->system.context, r, t, state) != 0)
      for (int k = 0; k < numbers; k++)
        r[k] = (real)NAN;
    row = put_state(row, picture, picture->place ? r : state);
  }
  free(state);
}

static bool place_bodies_of_cell(struct shk_bodies *bodies, const struct shk_instance *instance,
                                 const double *times, int n, const double *q,
                                 struct shk_message *error)
{
  struct shk_picture picture;
  struct shk_picture_line *own = NULL;
  const bool found = find_picture(&picture, &own, instance);
  const char *const fault = found ? fault_of(&picture, instance->system.n)
                                  : "does not say what it looks like (struct shk_picture)";
  if (fault)
    shk_message_set(error, found ? "cannot be drawn: %s" : "%s", fault);
  else if (bodies->count > 0 && n != instance->system.n)
    shk_message_set(error, "has %d coordinates, but the states to draw have %d", instance->system.n,
                    n);
  else {
    bodies->in_space = picture.dimension == 3;
    bodies->parts = picture.line_count + picture.fixed_count + picture.point_count;
    bodies->rows = shk_allocate(shk_bodies_numbers(bodies) + 1, sizeof *bodies->rows);
    place_states(bodies, &picture, instance, times, q);
  }
  free(own);
  return bodies->rows != NULL;
}

bool shk_cell_bodies(const struct shk_context *context, struct shk_bodies *bodies,
                     const char *problem, int count, const double *times, int n, const double *q,
                     struct shk_message *error)
{
  struct shk_bound bound;
  *bodies = (struct shk_bodies){.count = count};
  const bool ok = shk_bind_problem(context, &bound, problem, error) == SHK_OK &&
                  place_bodies_of_cell(bodies, &bound.instance, times, n, q, error);
  shk_unbind(&bound);
  return ok;
}

char *shk_file_of_problem(const struct shk_context *context, const char *problem,
                          struct shk_message *error)
{
  struct shk_bound bound;
  const struct shk_system *const system = &bound.instance.system;
  char *text = NULL;
  if (shk_bind_problem(context, &bound, problem, error) == SHK_OK) {
    if (system->potential == shk_mechanism_potential)
      text = shk_copy_text(((const struct shk_mechanism *)system->context)->text);
    else if (system->potential == shk_particles_potential)
      text = shk_particles_text(&bound.instance);
    if (!text)
      shk_message_set(error,
                      "%s cannot be written as a file of masses, rods and springs, or of bodies",
                      problem);
  }
  shk_unbind(&bound);
  return text;
}
