/* Properties of a mechanism that are determined automatically: its rank, its time scale and
 * horizon, the claims that it cannot decide, the joints that diagnostics use, and its picture. */
#include "mechanics/algebra/qr.h"
#include "problems/kit/mechanism/mechanism.h"

/* The maximum number of rows for which the rank of G is computed when a mechanism is created. */
enum { RANK_LIMIT = 150 };

/* Stores the rank of G at the initial state, computed from a QR factorization of G M^(-1/2) with
 * rows normalized to length 1. For more rows than the limit, the rank is assumed to be m. */
static struct shk_status find_rank(const struct shk_instance *instance,
                                   const struct shk_mechanism *s, int *rank)
{
  const int least = s->m < s->n ? s->m : s->n;
  real *B, *values, *tau;
  int *order;
  *rank = s->m;
  if (s->m == 0 || s->m > RANK_LIMIT)
    return shk_ok();
  SHK_TRY(shk_reals(instance->workspace, &B, (size_t)s->m * (size_t)s->n));
  SHK_TRY(shk_reals(instance->workspace, &values, (size_t)s->row_start[s->m] + 1));
  SHK_TRY(shk_reals(instance->workspace, &tau, 2 * (size_t)least));
  SHK_TRY(shk_integers(instance->workspace, &order, (size_t)s->m));
  for (int i = 0; i < s->m; i++)
    shk_row_gradient(values + s->row_start[i], &s->rows[i], 0, s->q);
  for (int i = 0; i < s->m; i++) {
    real *const row = B + (size_t)i * (size_t)s->n;
    for (int k = s->row_start[i]; k < s->row_start[i + 1]; k++)
      row[s->columns[k]] = values[k] / real_sqrt(s->mass[s->columns[k]]);
    const real length = shk_distance(NULL, row, s->n);
    for (int k = 0; k < s->n && length > 0; k++)
      row[k] /= length;
  }
  *rank = shk_qr_factor(B, tau, tau + least, order, s->m, s->n, (real)(100 * s->m) * REAL_EPSILON);
  return shk_ok();
}

/* Returns the square of the fastest initial rate among those of rotating bodies, bodies that hang
 * from their joints or pivots, drives, and springs. */
static real fastest_square(const struct shk_mechanism *s)
{
  const real strength = shk_distance(NULL, s->gravity, 3);
  real fastest = 0;
  for (int i = 1; i < s->body_count; i++) {
    const struct shk_body *const body = &s->bodies[i];
    const real inertia = real_max_norm(body->second, 3);
    fastest = real_max(fastest, real_dot(body->rate, body->rate, 3));
    if (body->is_pivoted)
      fastest = real_max(fastest, strength * body->mass *
                                      shk_distance(body->centre, body->pivot, 3) / inertia);
    for (int j = 0; j < s->joint_count; j++)
      for (int side = 0; side < 2; side++) {
        const real arm = shk_distance(body->centre, s->joints[j].frames[side].place, 3);
        if (s->joints[j].bodies[side] == i && !body->is_pivoted)
          fastest =
              real_max(fastest, strength * arm * body->mass / (inertia + body->mass * arm * arm));
      }
  }
  for (int j = 0; j < s->joint_count; j++)
    fastest = real_max(fastest, s->joints[j].coupling.frequency * s->joints[j].coupling.frequency);
  for (int i = 0; i < s->spring_count; i++) {
    const struct shk_form *const form = &s->springs[i].form;
    real gradient[2 * SHK_MARK_PARTS], softness = 0;
    const real over =
        s->springs[i].kind == SHK_STRETCH ? 2 * real_sqrt(shk_form_value(form, s->q)) : 1;
    shk_form_gradient(gradient, form, s->q);
    for (int k = 0; k < form->count; k++)
      softness += gradient[k] * gradient[k] / (over * over * s->mass[form->columns[k]]);
    fastest = real_max(fastest, s->springs[i].law.stiffness * softness);
  }
  return fastest;
}

static struct shk_status find_times(struct shk_instance *instance, struct shk_mechanism *s)
{
  int rank;
  SHK_TRY(find_rank(instance, s, &rank));
  shk_set_times(instance, real_sqrt(fastest_square(s)), R(7.3));
  if (s->time_scale > 0)
    instance->time_scale = s->time_scale;
  if (s->horizon > 0)
    instance->horizon = s->horizon;
  if (s->spring_count == 0)
    instance->undecidable |=
        SHK_LINEAR_POTENTIAL | (real_max_norm(s->gravity, 3) > 0 ? 0 : SHK_FREE_MOTION);
  if (rank < s->m)
    instance->undecidable |= SHK_REDUNDANT_ROWS;
  if (real_max_norm(s->p, s->n) == 0)
    instance->undecidable |= SHK_SYMMETRIC_START;
  if (s->pushes || s->driven)
    instance->undecidable |= SHK_NO_REVERSAL;
  instance->undecidable |= s->n - rank <= 1 ? SHK_ONE_DEGREE_OF_FREEDOM : SHK_CHAOTIC;
  return shk_ok();
}

static struct shk_status declare_joints(struct shk_instance *instance, struct shk_mechanism *s)
{
  s->infos = shk_memory(instance->workspace, (size_t)(s->joint_count + 1) * sizeof *s->infos);
  SHK_TRY(shk_allocated(s->infos));
  for (int i = 0; i < s->joint_count; i++)
    s->infos[i] = (struct shk_joint_info){s->joints[i].name, s->joints[i].type->name,
                                          s->joints[i].first_row, s->joints[i].rows};
  SHK_TRY(shk_mechanism_coordinates(instance, s));
  s->declared = (struct shk_joints){.struct_size = sizeof s->declared,
                                    .count = s->joint_count,
                                    .list = s->infos,
                                    .wrench = shk_joint_wrench,
                                    .axes = s->dimension == 3 ? shk_joint_axes : NULL,
                                    .coordinate_count = s->coordinate_count,
                                    .coordinates = s->coordinates,
                                    .place = shk_mechanism_place};
  instance->joints = &s->declared;
  return shk_ok();
}

/* ---- description for engines ---- */

static void describe_properties(const void *context, const struct shk_listener *to)
{
  const struct shk_mechanism *const s = context;
  to->word(to->to, "gravity");
  to->numbers(to->to, s->gravity, 3);
  for (const struct shk_body *b = s->bodies + 1; b < s->bodies + s->body_count; b++) {
    to->word(to->to, b->is_pivoted ? "pivoted" : "body");
    to->numbers(to->to, &b->mass, 1);
    to->numbers(to->to, b->second, 3);
    to->numbers(to->to, b->centre, 3);
    to->numbers(to->to, b->principal.place, 3);
    to->numbers(to->to, b->principal.axes, 9);
    to->numbers(to->to, b->constant[0], b->is_pivoted ? 3 : 0);
  }
  for (const struct shk_joint *j = s->joints; j < s->joints + s->joint_count; j++) {
    const real forces[] = {j->length, j->laws[0].stiffness, j->laws[0].rest, j->laws[0].damping,
                           j->laws[0].load};
    to->word(to->to, "joint");
    to->word(to->to, j->type->name);
    to->word(to->to, j->codes);
    for (int side = 0; side < 2; side++) {
      const real body = j->bodies[side] - 1;
      to->numbers(to->to, &body, 1);
      to->numbers(to->to, j->frames[side].place, 3);
      to->numbers(to->to, j->frames[side].axes, 9);
    }
    to->numbers(to->to, forces, 5);
  }
  for (const struct shk_link_of_bodies *l = s->links; l < s->links + s->link_count; l++) {
    to->word(to->to, "link");
    for (int side = 0; side < 2; side++) {
      const real body = l->bodies[side] - 1;
      to->numbers(to->to, &body, 1);
      to->numbers(to->to, l->frames[side].place, 3);
    }
    to->numbers(to->to, &l->law.stiffness, 3);
  }
}

/* ---- picture ---- */

/* Stores each body's reference point and centre of mass, followed by both points of each joint. */
static int draw_points(const void *context, real *out, real t, const real *q)
{
  const struct shk_mechanism *s = context;
  const int dimension = s->dimension;
  for (int i = 0; i < 2 * (s->body_count - 1 + s->joint_count); i++) {
    const int body = i / 2 + 1, joint = i / 2 - (s->body_count - 1);
    real place[3];
    if (joint < 0) {
      const struct shk_body *const this_body = &s->bodies[body];
      const struct shk_mark mark =
          shk_mark_of(s, body, i % 2 == 0 ? this_body->principal.place : this_body->centre, true);
      shk_mark_value(place, &mark, q);
    } else
      shk_mark_value(place, &s->joints[joint].ends[i % 2].place, q);
    shk_copy(out + (size_t)i * (size_t)dimension, place, dimension);
  }
  return 0;
}

static struct shk_status draw_properties(struct shk_instance *instance, struct shk_mechanism *s)
{
  const int bodies = s->body_count - 1;
  int count = 0, up = 2;
  s->lines =
      shk_memory(instance->workspace, (size_t)(bodies + 2 * s->joint_count + 1) * sizeof *s->lines);
  SHK_TRY(shk_allocated(s->lines));
  for (int j = 0; j < 2; j++)
    up = real_fabs(s->gravity[j]) > real_fabs(s->gravity[up]) ? j : up;
  for (int i = 0; i < bodies; i++)
    if (s->bodies[i + 1].is_pivoted)
      s->lines[count++] = (struct shk_picture_line){2 * i, 2 * i + 1, false};
  for (int i = 0; i < s->joint_count; i++)
    for (int side = 0; side < 2; side++)
      if (s->joints[i].bodies[side] > 0)
        s->lines[count++] = (struct shk_picture_line){2 * s->joints[i].bodies[side] - 1,
                                                      2 * (bodies + i) + side, false};
  s->picture = (struct shk_picture){.struct_size = sizeof s->picture,
                                    .dimension = s->dimension,
                                    .up = up,
                                    .point_count = 2 * (bodies + s->joint_count),
                                    .place = draw_points,
                                    .line_count = count,
                                    .lines = s->lines};
  instance->picture = &s->picture;
  return shk_ok();
}

struct shk_status shk_mechanism_describe(struct shk_instance *instance, struct shk_mechanism *s)
{
  SHK_TRY(find_times(instance, s));
  SHK_TRY(declare_joints(instance, s));
  instance->system.describe = s->dimension == 3 && !s->coupled ? describe_properties : NULL;
  return draw_properties(instance, s);
}
