/*
 * Masses, coordinates and poses of bodies. D_k = Σ m x_k² are the second moments of mass along the
 * principal axes. About a point at -s from the centre of mass, the tensor is D + m s sᵀ. This is
 * the form of the parallel-axis theorem that natural coordinates require.
 */
#include "mechanics/algebra/jacobi.h"
#include "problems/kit/mechanism/mechanism.h"
#include "problems/kit/rotation.h"

/* A D_k below this fraction of the largest D_k is treated as zero, because the moments of thin
 * bodies in a file are rounded to a few decimals. */
static const real thin = R(1e-12);

/* ---- shapes ---- */

static void shape_box(real *second, real *volume, const real *size)
{
  for (int k = 0; k < 3; k++)
    second[k] = size[k] * size[k] / 12;
  *volume = size[0] * size[1] * size[2];
}

static void shape_ellipsoid(real *second, real *volume, const real *size)
{
  for (int k = 0; k < 3; k++)
    second[k] = size[k] * size[k] / 5;
  *volume = 4 * REAL_PI / 3 * size[0] * size[1] * size[2];
}

static void shape_sphere(real *second, real *volume, const real *size)
{
  const real sizes[3] = {size[0], size[0], size[0]};
  shape_ellipsoid(second, volume, sizes);
}

static void shape_cylinder(real *second, real *volume, const real *size)
{
  second[0] = second[1] = size[0] * size[0] / 4;
  second[2] = size[1] * size[1] / 12;
  *volume = REAL_PI * size[0] * size[0] * size[1];
}

/* A capsule: a cylinder of length l between two hemispheres, whose centres of mass are 3r/8 beyond
 * the ends of the cylinder. */
static void shape_capsule(real *second, real *volume, const real *size)
{
  const real r = size[0], l = size[1];
  const real tube = REAL_PI * r * r * l, ends = 4 * REAL_PI / 3 * r * r * r;
  *volume = tube + ends;
  second[0] = second[1] = (tube * r * r / 4 + ends * r * r / 5) / *volume;
  second[2] = (tube * l * l / 12 + ends * (r * r / 5 + l * l / 4 + 3 * l * r / 8)) / *volume;
}

/* Thin shapes without volume, which need a mass instead of a density: a rod along x, and a disk and
 * a plate perpendicular to z. */
static void shape_rod(real *second, real *volume, const real *size)
{
  second[0] = size[0] * size[0] / 12;
  second[1] = second[2] = *volume = 0;
}

static void shape_disk(real *second, real *volume, const real *size)
{
  second[0] = second[1] = size[0] * size[0] / 4;
  second[2] = *volume = 0;
}

static void shape_plate(real *second, real *volume, const real *size)
{
  second[0] = size[0] * size[0] / 12;
  second[1] = size[1] * size[1] / 12;
  second[2] = *volume = 0;
}

const struct shk_shape shk_shapes[] = {{"box", 3, shape_box},
                                       {"sphere", 1, shape_sphere},
                                       {"ellipsoid", 3, shape_ellipsoid},
                                       {"cylinder", 2, shape_cylinder},
                                       {"capsule", 2, shape_capsule},
                                       {"rod", 1, shape_rod},
                                       {"disk", 1, shape_disk},
                                       {"plate", 2, shape_plate}};
const int shk_shape_count = sizeof shk_shapes / sizeof *shk_shapes;

/* ---- rotations and frames ---- */

void shk_turn(real *out, const real *R, const real *x)
{
  for (int i = 0; i < 3; i++)
    out[i] = real_dot(R + 3 * i, x, 3);
}

void shk_turn_back(real *out, const real *R, const real *x)
{
  for (int i = 0; i < 3; i++)
    out[i] = R[i] * x[0] + R[3 + i] * x[1] + R[6 + i] * x[2];
}

void shk_frame_compose(struct shk_frame *out, const struct shk_frame *a, const struct shk_frame *b)
{
  struct shk_frame result;
  shk_turn(result.place, a->axes, b->place);
  shk_vector_add(result.place, 1, a->place, 3);
  shk_rotation_multiply(result.axes, a->axes, b->axes);
  *out = result;
}

void shk_frame_invert(struct shk_frame *out, const struct shk_frame *frame)
{
  for (int i = 0; i < 9; i++)
    out->axes[i] = frame->axes[3 * (i % 3) + i / 3];
  shk_turn(out->place, out->axes, frame->place);
  shk_negate(out->place, 3);
}

/* R = 1 + sin(φ) n̂ + (1 - cos φ) n̂² (Rodrigues). */
void shk_rotation_about(real *R, const real *n, real angle)
{
  const real half = real_sin(angle / 2), versed = 2 * half * half, sine = real_sin(angle);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const int k = 3 - i - j;
      const real cross = i == j ? 0 : (j - i == 1 || j - i == -2 ? -n[k] : n[k]);
      R[3 * i + j] = (i == j ? 1 - versed : 0) + versed * n[i] * n[j] + sine * cross;
    }
}

/* ---- inertia ---- */

/* Replaces D and the principal axes with those about the pivot, which is at -s from the centre of
 * mass. */
static void move_to_pivot(struct shk_body *body)
{
  real s[3], along[3], matrix[9], vectors[9], turned[9];
  for (int j = 0; j < 3; j++)
    s[j] = body->centre[j] - body->pivot[j];
  shk_turn_back(along, body->principal.axes, s);
  for (int i = 0; i < 9; i++)
    matrix[i] = body->mass * along[i / 3] * along[i % 3] + (i % 4 == 0 ? body->second[i / 4] : 0);
  shk_eigen_symmetric(matrix, vectors, 3); /* the rows of `vectors` are the axes */
  real third[3];
  shk_cross(third, vectors, vectors + 3);
  shk_copy(vectors + 6, third, 3); /* right-handed */
  for (int k = 0; k < 9; k++)
    turned[k] = vectors[3 * (k % 3) + k / 3];
  shk_rotation_multiply(vectors, body->principal.axes, turned);
  shk_copy(body->principal.axes, vectors, 9);
  for (int k = 0; k < 3; k++)
    body->second[k] = matrix[4 * k];
}

/* In the plane, sets D_1 to the moment of inertia about r, because only d_1 is a coordinate. */
static void settle_in_plane(struct shk_body *body)
{
  real s[3];
  for (int j = 0; j < 3; j++)
    s[j] = body->centre[j] - body->pivot[j];
  body->second[0] = body->has_moments ? body->moments[0] : body->second[0] + body->second[1];
  body->second[0] += body->is_pivoted ? body->mass * real_dot(s, s, 3) : 0;
}

const char *shk_body_settle(struct shk_body *body, int dimension)
{
  const real *const I = body->moments;
  for (int k = 0; k < 3 && body->has_moments && dimension == 3; k++)
    body->second[k] = (I[(k + 1) % 3] + I[(k + 2) % 3] - I[k]) / 2;
  if (dimension == 2)
    settle_in_plane(body);
  else if (body->is_pivoted)
    move_to_pivot(body);
  shk_copy(body->principal.place, body->is_pivoted ? body->pivot : body->centre, 3);
  const int directors = dimension == 2 ? 1 : 3;
  const real most = real_max_norm(body->second, directors);
  int left = 0;
  for (int k = 0; k < directors; k++) {
    if (body->second[k] < -thin * most)
      return "no body has these moments: the largest must not exceed the sum of the other two";
    body->lacks[k] = body->second[k] <= thin * most;
    body->second[k] = body->lacks[k] ? 0 : body->second[k];
    left += !body->lacks[k];
  }
  return left > 0
             ? NULL
             : "it has no moment of inertia, expected a positive one: only particles have none";
}

/* ---- coordinates ---- */

/* Stores r and the directors, evaluated at the body's pose, as constants. */
static void pose_constants(struct shk_body *body)
{
  struct shk_frame directors;
  shk_frame_compose(&directors, &body->pose, &body->principal);
  shk_copy(body->constant[0], directors.place, 3);
  for (int k = 0; k < 3; k++)
    for (int j = 0; j < 3; j++)
      body->constant[k + 1][j] = directors.axes[3 * j + k];
}

struct shk_status shk_bodies_assign(struct shk_mechanism *s, struct shk_workspace *workspace)
{
  const int directors = s->dimension == 2 ? 1 : 3;
  for (int i = 0; i < s->body_count; i++) {
    struct shk_body *const body = &s->bodies[i];
    int present = 0;
    pose_constants(body);
    for (int k = 0; k < SHK_VECTORS; k++) {
      const bool moves =
          i > 0 && (k == 0 ? !body->is_pivoted : k <= directors && !body->lacks[k - 1]);
      present += moves && k > 0;
      body->at[k] = moves ? s->n : -1;
      s->n += moves ? s->dimension : 0;
      if (i > 0 && k > 0 && !moves)
        shk_fill(body->constant[k], 0, 3);
    }
    s->inner += present * (present + 1) / 2;
  }
  SHK_TRY(shk_reals(workspace, &s->mass, (size_t)s->n));
  SHK_TRY(shk_reals(workspace, &s->weight, (size_t)s->n));
  SHK_TRY(shk_reals(workspace, &s->q, (size_t)s->n));
  SHK_TRY(shk_reals(workspace, &s->p, (size_t)s->n));
  SHK_TRY(shk_integers(workspace, &s->units, (size_t)s->n));
  for (int i = 1; i < s->body_count; i++) {
    const struct shk_body *const body = &s->bodies[i];
    const struct shk_mark centre = shk_mark_of(s, i, body->centre, true);
    for (int k = 0; k < SHK_VECTORS; k++)
      for (int j = 0; j < s->dimension && body->at[k] >= 0; j++) {
        s->mass[body->at[k] + j] = k == 0 ? body->mass : body->second[k - 1];
        s->units[body->at[k] + j] = k > 0;
      }
    for (int k = 0; k < centre.count; k++) /* V = -Σ m a·x, where x are the centres of mass */
      s->weight[centre.parts[k].column] -=
          body->mass * s->gravity[centre.parts[k].component] * centre.parts[k].factor;
  }
  return shk_ok();
}

void shk_bodies_start(struct shk_mechanism *s)
{
  for (int i = 1; i < s->body_count; i++) {
    const struct shk_body *const body = &s->bodies[i];
    struct shk_frame directors;
    shk_frame_compose(&directors, &body->pose, &body->principal);
    for (int k = 0; k < SHK_VECTORS; k++) {
      real value[3], arm[3], speed[3];
      for (int j = 0; j < 3; j++) {
        value[j] = k == 0 ? directors.place[j] : directors.axes[3 * j + k - 1];
        arm[j] = value[j] - (k == 0 ? body->pose.place[j] : 0);
      }
      shk_cross(speed, body->rate, arm);
      for (int j = 0; j < s->dimension && body->at[k] >= 0; j++) {
        const int at = body->at[k] + j;
        s->q[at] = value[j];
        s->p[at] = s->mass[at] * (speed[j] + (k == 0 ? body->velocity[j] : 0));
      }
    }
  }
}

void shk_bodies_fastest(real *fastest, const struct shk_mechanism *s)
{
  for (int i = 0; i < s->n; i++)
    fastest[s->units[i]] = real_max(fastest[s->units[i]], real_fabs(s->p[i]) / s->mass[i]);
}

void shk_bodies_clean(struct shk_mechanism *s, const real *fastest)
{
  for (int i = 0; i < s->n; i++)
    if (real_fabs(s->p[i]) / s->mass[i] <= 8 * REAL_EPSILON * fastest[s->units[i]])
      s->p[i] = 0;
}

void shk_bodies_rows(const struct shk_mechanism *s, struct shk_form *rows)
{
  for (int i = 1; i < s->body_count; i++) {
    const struct shk_body *const body = &s->bodies[i];
    for (int k = 0; k < 6; k++) {
      const int *const pair = shk_rotation_pairs[k];
      if (body->at[pair[0] + 1] < 0 || body->at[pair[1] + 1] < 0)
        continue;
      const bool same = pair[0] == pair[1];
      struct shk_form *const form = rows++;
      *form = (struct shk_form){.factor = same ? R(0.5) : 1, .level = same ? R(0.5) : 0};
      for (int side = 0; side < 2; side++) {
        struct shk_mark *const mark = side == 0 ? &form->u : &form->w;
        for (int j = 0; j < s->dimension; j++)
          mark->parts[mark->count++] = (struct shk_part){j, body->at[pair[side] + 1] + j, -1, 1};
      }
      shk_form_close(form);
    }
  }
}
