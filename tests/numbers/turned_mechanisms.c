/*
 * Random mechanisms turned in space as wholes: along the axes of their joints they have the same
 * wrenches, and the same components of these are determinate.
 *
 * Trees of hinges, slides, balls and welds hang on a loop, which is redundant in all kinds but one.
 * Every second mechanism is given by frames of its bodies, whose loops close only to the 17 digits that
 * are printed: in quad they are closed (kit/mechanism/decimals.c), or nothing here would hold.
 */
#include "measures/wrench.h"
#include "mechanics/algebra/qr.h"
#include "mechanics/diagnosis/rank.h"
#include "mechanics/system/manifold.h"
#include "problems/kit/draw.h"
#include "problems/kit/mechanism/mechanism.h"
#include "tests/kit/instance.h"
#include "tests/kit/scratch_file.h"

enum { MECHANISMS = 60, LOOPS = 6, BODIES = 6, JOINTS = 8, ROWS = 96 };
/* Wrenches differ by at most this times the rounding of the digits, the largest wrench and the condition
 * of G M^(-1/2). The file rounds each number once, and errors of the closed position count by the
 * condition again, so that a fixed factor is exceeded only by loops near a singular position. */
#define ROUNDINGS 1000

/* ---- a mechanism ---- */

enum kind { TREE, PLANAR, COAXIAL, CONCURRENT, TWO_BALLS, TWO_WELDS, SPATIAL, KINDS };
enum type { REVOLUTE, PRISMATIC, SPHERICAL, WELD, TYPES };
static const char *const types[] = {"revolute", "prismatic", "spherical", "weld"};

struct body {
  real mass, size[3], velocity[3], rate[3];
  struct shk_frame pose;
};

struct joint {
  int type, ends[2];
  struct shk_frame frame; /* in space */
};

struct mechanism {
  uint64_t random;
  int body_count, joint_count;
  real gravity[3];
  struct body bodies[BODIES + 1]; /* 0: the ground */
  struct joint joints[JOINTS];
};

/* Stores a rotation with this last column. */
static void axes_about(real *axes, uint64_t *random, const real *third)
{
  real first[3], second[3];
  shk_draw_direction(first, random, 3);
  shk_cross(second, third, first);
  const real length = shk_distance(NULL, second, 3);
  for (int j = 0; j < 3; j++)
    second[j] /= length;
  shk_cross(first, second, third);
  for (int j = 0; j < 3; j++) {
    axes[3 * j] = first[j];
    axes[3 * j + 1] = second[j];
    axes[3 * j + 2] = third[j];
  }
}

static void draw_point(real *out, uint64_t *random)
{
  for (int j = 0; j < 3; j++)
    out[j] = shk_draw_between(random, -1, 1);
}

static void add_body(struct mechanism *s)
{
  struct body *const body = &s->bodies[++s->body_count];
  real third[3];
  body->mass = shk_draw_between(&s->random, 1, 2);
  for (int j = 0; j < 3; j++)
    body->size[j] = shk_draw_between(&s->random, R(0.5), 1);
  draw_point(body->velocity, &s->random);
  draw_point(body->rate, &s->random);
  draw_point(body->pose.place, &s->random);
  shk_draw_direction(third, &s->random, 3);
  axes_about(body->pose.axes, &s->random, third);
}

/* Adds a joint at a point; axis NULL: in any direction. */
static void add_joint(struct mechanism *s, int type, int a, int b, const real *place,
                      const real *axis)
{
  struct joint *const joint = &s->joints[s->joint_count++];
  real any[3];
  *joint = (struct joint){.type = type, .ends = {a, b}};
  shk_copy(joint->frame.place, place, 3);
  shk_draw_direction(any, &s->random, 3);
  axes_about(joint->frame.axes, &s->random, axis ? axis : any);
}

/* Adds a loop of this kind on a body. */
static void draw_loop(struct mechanism *s, enum kind kind, int base)
{
  real axis[3], other[3], place[3], centre[3];
  shk_draw_direction(axis, &s->random, 3);
  draw_point(centre, &s->random);
  const int links = kind == TREE                           ? 0
                    : kind == PLANAR || kind == CONCURRENT ? 3
                    : kind == SPATIAL                      ? 3
                                                           : 1;
  for (int i = 0; i < links; i++)
    add_body(s);
  const int slide = kind == PLANAR ? shk_draw_index(&s->random, 6) : -1; /* 4, 5: none */
  for (int i = 0; i <= links && links > 0; i++) {
    const int a = base + i, b = i < links ? a + 1 : base;
    draw_point(place, &s->random);
    shk_draw_direction(other, &s->random, 3);
    if (kind == PLANAR && i == slide) {
      real across[3];
      shk_cross(across, axis, other);
      const real length = shk_distance(NULL, across, 3);
      for (int j = 0; j < 3; j++)
        across[j] /= length;
      add_joint(s, PRISMATIC, a, b, place, across);
    } else if (kind == PLANAR)
      add_joint(s, REVOLUTE, a, b, place, axis);
    else if (kind == CONCURRENT) {
      shk_copy(place, centre, 3);
      shk_vector_add(place, shk_draw_between(&s->random, R(0.3), 1), other, 3);
      add_joint(s, REVOLUTE, a, b, place, other);
    } else if (kind == COAXIAL) {
      shk_copy(place, centre, 3);
      shk_vector_add(place, (real)i, axis, 3);
      add_joint(s, REVOLUTE, a, b, place, axis);
    } else
      add_joint(s,
                kind == TWO_WELDS                       ? WELD
                : kind == TWO_BALLS || i == 1 || i == 2 ? SPHERICAL
                                                        : REVOLUTE,
                a, b, place, NULL);
  }
}

static void draw_mechanism(struct mechanism *s, uint64_t seed, enum kind kind)
{
  *s = (struct mechanism){.random = seed};
  s->bodies[0].pose = (struct shk_frame){{0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  draw_point(s->gravity, &s->random);
  real place[3];
  const int base = shk_draw_index(&s->random, 2); /* on the ground, or on a body that turns */
  if (base > 0) {
    add_body(s);
    draw_point(place, &s->random);
    add_joint(s, REVOLUTE, 0, 1, place, NULL);
  }
  draw_loop(s, kind, base);
  const int more = kind == TREE ? 1 + shk_draw_index(&s->random, 3) : 1;
  for (int i = 0; i < more; i++) {
    const int parent = shk_draw_index(&s->random, s->body_count + 1);
    const int type = shk_draw_index(&s->random, TYPES);
    add_body(s);
    draw_point(place, &s->random);
    add_joint(s, type, parent, s->body_count, place, NULL);
  }
}

/* Turns all of it, and moves it. */
static void turn_mechanism(struct mechanism *s)
{
  struct shk_frame by;
  real third[3];
  shk_draw_direction(third, &s->random, 3);
  axes_about(by.axes, &s->random, third);
  draw_point(by.place, &s->random);
  const struct mechanism old = *s;
  shk_turn(s->gravity, by.axes, old.gravity);
  for (int i = 1; i <= s->body_count; i++) {
    shk_turn(s->bodies[i].velocity, by.axes, old.bodies[i].velocity);
    shk_turn(s->bodies[i].rate, by.axes, old.bodies[i].rate);
    shk_frame_compose(&s->bodies[i].pose, &by, &old.bodies[i].pose);
  }
  for (int i = 0; i < s->joint_count; i++)
    shk_frame_compose(&s->joints[i].frame, &by, &old.joints[i].frame);
}

/* ---- its file ---- */

static void print_vector(FILE *out, const char *key, const real *x, int stride)
{
  fprintf(out, "%s: [%.17g, %.17g, %.17g]", key, (double)x[0], (double)x[stride],
          (double)x[2 * stride]);
}

/* Prints the joints' frames in a body. */
static void print_frames(FILE *out, const struct mechanism *s, int body)
{
  struct shk_frame back, frame;
  shk_frame_invert(&back, &s->bodies[body].pose);
  for (int i = 0; i < s->joint_count; i++)
    if (s->joints[i].ends[0] == body || s->joints[i].ends[1] == body) {
      shk_frame_compose(&frame, &back, &s->joints[i].frame);
      fprintf(out, "%s  - {name: j%d, ", body == 0 ? "" : "  ", i);
      print_vector(out, "position", frame.place, 1);
      print_vector(out, ", axis", frame.axes + 2, 3);
      print_vector(out, ", across", frame.axes, 3);
      fputs("}\n", out);
    }
}

/* Prints a rotation as a quaternion [w, x, y, z], by its largest component. */
static void print_rotation(FILE *out, const real *R)
{
  real e[4], trace = R[0] + R[4] + R[8];
  int most = 0;
  for (int k = 0; k < 3; k++)
    if (R[4 * k] > (most == 0 ? trace : R[4 * (most - 1)]))
      most = k + 1;
  if (most == 0) {
    e[0] = 1 + trace;
    for (int k = 0; k < 3; k++)
      e[k + 1] = R[3 * ((k + 2) % 3) + (k + 1) % 3] - R[3 * ((k + 1) % 3) + (k + 2) % 3];
  } else {
    const int k = most - 1, i = (k + 1) % 3, j = (k + 2) % 3;
    e[0] = R[3 * j + i] - R[3 * i + j];
    e[k + 1] = 1 + 2 * R[4 * k] - trace;
    e[i + 1] = R[3 * k + i] + R[3 * i + k];
    e[j + 1] = R[3 * k + j] + R[3 * j + k];
  }
  const real length = shk_distance(NULL, e, 4);
  fprintf(out, "orientation: [%.17g, %.17g, %.17g, %.17g]", (double)(e[0] / length),
          (double)(e[1] / length), (double)(e[2] / length), (double)(e[3] / length));
}

static void print_body_name(FILE *out, int body)
{
  if (body == 0)
    fputs("ground", out);
  else
    fprintf(out, "b%d", body);
}

static void print_mechanism(FILE *out, const struct mechanism *s, bool by_frames)
{
  print_vector(out, "gravity", s->gravity, 1);
  if (by_frames) {
    fputs("\nframes:\n", out);
    print_frames(out, s, 0);
  }
  fputs("\nbodies:\n", out);
  for (int i = 1; i <= s->body_count; i++) {
    const struct body *const body = &s->bodies[i];
    fprintf(out, "  - name: b%d\n    mass: %.17g\n    ", i, (double)body->mass);
    print_vector(out, "shape: {box", body->size, 1);
    print_vector(out, "}\n    position", body->pose.place, 1);
    fputs("\n    ", out);
    print_rotation(out, body->pose.axes);
    print_vector(out, "\n    velocity", body->velocity, 1);
    print_vector(out, "\n    rate", body->rate, 1);
    fputs("\n", out);
    if (by_frames) {
      fputs("    frames:\n", out);
      print_frames(out, s, i);
    }
  }
  fputs("joints:\n", out);
  for (int i = 0; i < s->joint_count; i++) {
    const struct joint *const joint = &s->joints[i];
    fprintf(out, "  - {name: j%d, type: %s, between: [", i, types[joint->type]);
    for (int side = 0; side < 2; side++) {
      print_body_name(out, joint->ends[side]);
      if (by_frames)
        fprintf(out, ".j%d", i);
      fputs(side == 0 ? ", " : "]", out);
    }
    if (!by_frames) {
      print_vector(out, ", at", joint->frame.place, 1);
      print_vector(out, ", axis", joint->frame.axes + 2, 3);
      print_vector(out, ", across", joint->frame.axes, 3);
    }
    fputs("}\n", out);
  }
}

/* ---- wrenches ---- */

struct found {
  int joints, rows, rank;
  real wrenches[6 * JOINTS], condition;
  bool open[6 * JOINTS];
};

static struct shk_status find_wrenches(struct found *found, struct bound_problem *b)
{
  const int n = b->instance.system.n, m = b->instance.system.m;
  static real coefficients[ROWS * ROWS], scratch[ROWS + 6 * JOINTS], tau[ROWS], diagonal[ROWS];
  static bool depends[ROWS];
  struct shk_manifold *manifold;
  struct shk_spectrum spectrum;
  if (m > ROWS)
    return shk_failure(SHK_BAD_INPUT, "%g rows", m, 0);
  SHK_TRY(shk_bind_manifold(&manifold, BINDING_OF(&b->evaluator)));
  SHK_TRY(shk_spectrum_init(&spectrum, &b->evaluator));
  SHK_TRY(shk_rank_rows(spectrum.products, spectrum.lengths, false, spectrum.scratch, &b->evaluator,
                        0, b->q, b->p));
  found->rank = shk_qr_factor(spectrum.products, tau, diagonal, spectrum.order, m, n,
                              shk_rank_tolerance(&b->instance.system));
  found->condition = real_fabs(diagonal[0] / diagonal[found->rank - 1]);
  SHK_TRY(shk_rank_relations(coefficients, depends, &spectrum, &b->evaluator, 0, b->q, b->p));
  if (found->rank < m)
    SHK_TRY(shk_manifold_take_redundant(manifold));
  SHK_TRY(shk_exact_multiplier(manifold, b->lambda, 0, b->q, b->p));
  SHK_TRY(shk_wrenches(found->wrenches, &b->instance, SHK_AXES_OF_JOINTS, 0, b->q, b->lambda));
  return shk_wrenches_open(found->open, scratch, &b->instance, SHK_AXES_OF_JOINTS, coefficients,
                           depends, 0, b->q);
}

/* How a mechanism is given, and where. */
struct form {
  bool by_frames;
  const char *path, *options;
};

/* Reads a mechanism from its file and finds its wrenches. False, with the reason. */
static bool find(struct found *found, const struct mechanism *s, const struct form *form,
                 struct shk_message *error)
{
  const char *const path = form->path;
  char spec[128];
  FILE *const out = fopen(path, "w");
  if (!out)
    return shk_message_set(error, "%s cannot be written", path);
  print_mechanism(out, s, form->by_frames);
  fclose(out);
  snprintf(spec, sizeof spec, "mechanism(file=\"%s\"%s)", strrchr(path, '/') + 1, form->options);
  PROBLEM b = bind_problem(spec, NULL, error);
  if (!b)
    return false;
  const struct shk_status status = find_wrenches(found, b);
  found->joints = s->joint_count;
  found->rows = b->instance.system.m;
  shk_status_text(error->text, sizeof error->text, status);
  return status.code == SHK_OK;
}

/* Returns the largest difference of determinate wrenches, in units of rounding; infinite if other
 * components are determinate. */
static real compare(const struct found *a, const struct found *b, int *determinate)
{
  real most = 0, worst = 0;
  for (int c = 0; c < 6 * a->joints; c++) {
    if (a->open[c] != b->open[c])
      return INFINITY;
    *determinate += !a->open[c];
    if (a->open[c])
      continue;
    most = real_max(most, real_fabs(a->wrenches[c]));
    worst = real_max(worst, real_fabs(a->wrenches[c] - b->wrenches[c]));
  }
  return worst / (R(0x1p-52) * a->condition * real_max(most, 1));
}

static void check_turned(uint64_t seed, const char *path)
{
  static const char *const names[] = {"trees",           "planar loops", "two coaxial hinges",
                                      "spherical loops", "two balls",    "two welds",
                                      "spatial loops"};
  real worst[KINDS] = {0};
  int determinate[KINDS] = {0}, components[KINDS] = {0}, good[KINDS] = {0}, all[KINDS] = {0};
  for (int i = 0; i < MECHANISMS; i++) {
    const enum kind kind = (enum kind)(i % KINDS);
    const struct form form = {i / KINDS % 2 == 1, path, ""};
    struct mechanism s;
    struct found straight, turned;
    struct shk_message error = {"another rank"};
    draw_mechanism(&s, seed + (uint64_t)i, kind);
    bool ok = find(&straight, &s, &form, &error);
    turn_mechanism(&s);
    ok = ok && find(&turned, &s, &form, &error) && straight.rank == turned.rank;
    const real apart = ok ? compare(&straight, &turned, &determinate[kind]) : (real)INFINITY;
    all[kind]++;
    good[kind] += apart <= ROUNDINGS;
    components[kind] += ok ? 6 * straight.joints : 0;
    worst[kind] = real_max(worst[kind], apart);
    if (!(apart <= ROUNDINGS))
      tap_diag("mechanism %d, %s: %.3g roundings, condition %.3g; %s", i, names[kind],
               (double)apart, ok ? (double)straight.condition : NAN, error.text);
  }
  for (int k = 0; k < KINDS; k++) {
    tap_ok(good[k] == all[k], "%d of %d %s have the same wrenches when turned, to %.3g roundings",
           good[k], all[k], names[k], (double)worst[k]);
    tap_ok(k == TREE || k == SPATIAL ? determinate[k] == components[k]
                                     : determinate[k] > 0 && determinate[k] < components[k],
           "... of which %d of %d components are determinate", determinate[k], components[k]);
  }
}

/* ---- redundant=no ---- */

/* Planar loops lose the rows that they imply in whatever order the joints stand. */
static void check_orders(uint64_t seed, const char *path)
{
  int good = 0;
  for (int i = 0; i < LOOPS; i++) {
    const struct form form = {i % 2 == 1, path, ",redundant=no"};
    struct mechanism s;
    int rows = 0;
    bool ok = true;
    draw_mechanism(&s, seed + (uint64_t)i, PLANAR);
    for (int order = 0; order < 3 && ok; order++) {
      struct found found;
      struct shk_message error = {"rows are redundant"};
      ok = find(&found, &s, &form, &error) && found.rank == found.rows &&
           (order == 0 || found.rows == rows);
      rows = found.rows;
      if (!ok)
        tap_diag("loop %d: %s", i, error.text);
      for (int k = s.joint_count - 1; k > 0; k--) {
        const int other = shk_draw_index(&s.random, k + 1);
        const struct joint joint = s.joints[k];
        s.joints[k] = s.joints[other];
        s.joints[other] = joint;
      }
    }
    good += ok;
  }
  tap_is_int(good, LOOPS,
             "planar loops that redundant=no makes regular, in three orders of their joints");
}

int main(void)
{
  char path[] = "/tmp/turned-XXXXXX";
  const uint64_t seed = tap_seed(20261130);
  if (!make_scratch_file(path))
    return tap_done();
  test_context.access.folder = "/tmp";
  check_turned(seed, path);
  check_orders(seed + MECHANISMS, path);
  remove(path);
  return tap_done();
}
