/*
 * A random mechanism in space (kit/mechanism). It consists of a tree of rigid bodies that joints of
 * all types connect to the ground, loops that are closed by additional joints, springs, and, in one
 * of two cases, gravity. It is generated in the format of a `mechanism` file, with integers and
 * hundredths, so that it is the same in all precisions.
 *
 * Poses are drawn first, and the joints are then placed to match the bodies, so all joints close to
 * round-off. Loops have no joints in common. A joint with c rows, of which o are orientation rows,
 * closes a loop of at least three bodies whose other joints leave at least c + 1 degrees of
 * freedom, at least o of them rotations. In generic positions, Grübler's count then gives the rank.
 * If a mechanism has fewer than two degrees of freedom, another one is drawn.
 *
 * Two shapes have a fixed set of joints, of types that most simulators support. One is a pendulum,
 * which is a single body on a ball joint under gravity. The other is the spatial four-bar linkage
 * RSSR, in which two hinges and two ball joints connect three bodies and the ground. It has no
 * redundant rows, so its reactions are unique. Everything else about the two shapes is random; no
 * direction and no moment of inertia is special.
 */
#include "problems/kit/draw.h"
#include "problems/kit/mechanism/mechanism.h"
#include "problems/kit/problem.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Joint types, which come first in joints.c. Gears and drives do not count as joints. */
enum {
  SPHERICAL,
  REVOLUTE,
  TYPES = 9,
  BODIES = 12,
  LOOPS = 6,
  JOINTS = BODIES + LOOPS,
  DRAWS = 20000
};

/* The joints of a shape, starting with the tree joints: their types and bodies, and the points, in
 * hundredths, near which the joints and the bodies are placed. */
struct shape {
  int bodies, loops;
  struct {
    int type, ends[2], place[2];
  } joints[4];
  int places[3][2];
};
static const struct shape shapes[] = {{1, 0, {{SPHERICAL, {0, 1}, {0, 0}}}, {{70, -50}}},
                                      {3,
                                       1,
                                       {{REVOLUTE, {0, 1}, {0, 0}},
                                        {SPHERICAL, {1, 2}, {0, 120}},
                                        {SPHERICAL, {2, 3}, {150, 150}},
                                        {REVOLUTE, {0, 3}, {170, 0}}},
                                       {{0, 60}, {75, 135}, {160, 75}}}};
enum { ANY_SHAPE = sizeof shapes / sizeof shapes[0] };

struct random_mechanism {
  /* must come first because its functions use it as their context */
  struct shk_mechanism mechanism;
  long seed, bodies, loops;
  int shape;
  uint64_t random;
  struct drawn {
    int type, rows, turns; /* turns: number of orientation rows */
    int ends[2];
    unsigned path;  /* bodies whose tree joints belong to the loop */
  } joints[JOINTS]; /* the tree joint of body i has the index i - 1 */
  char names[BODIES + 1][8];
  int places[BODIES + 1][3]; /* points near which bodies are placed, in hundredths */
  unsigned up[BODIES + 1];   /* bodies on the path to the ground */
};

/* ---- joints ---- */

static void draw_joint(struct random_mechanism *s, struct drawn *joint, int a, int b)
{
  *joint = (struct drawn){.type = shk_draw_index(&s->random, TYPES), .ends = {a, b}};
  for (const char *code = shk_joint_types[joint->type].rows[0]; *code; code++) {
    joint->rows += isalpha((unsigned char)*code) != 0;
    joint->turns += *code == 'o';
  }
  joint->path = s->up[a] ^ s->up[b];
}

/* Returns true if the last of the `count` joints closes a separate loop that can still move. */
static bool closes_own_loop(const struct random_mechanism *s, const struct drawn *joint, int count)
{
  int freedoms = 0, rotations = 0, length = 0;
  for (int i = 0; i < count; i++) {
    const struct drawn *const other = &s->joints[i];
    if (i >= s->bodies && joint->path & other->path)
      return false;
    if (i < s->bodies && joint->path & 1u << (i + 1)) {
      freedoms += 6 - other->rows;
      rotations += 3 - other->turns;
      length++;
    }
  }
  return length > 1 && joint->rows < freedoms && joint->turns <= rotations;
}

/* Draws the tree and the joints that close loops. Returns false if a joint does not close a loop,
 * or if too few degrees of freedom are left. */
static bool draw_joints(struct random_mechanism *s)
{
  int freedoms = 6 * (int)s->bodies;
  for (int i = 0; i < s->bodies + s->loops; i++) {
    struct drawn *const joint = &s->joints[i];
    const bool loop = i >= s->bodies;
    const int b = loop ? 1 + shk_draw_index(&s->random, (int)s->bodies) : i + 1;
    const int a = shk_draw_index(&s->random, b);
    if (!loop)
      s->up[b] = s->up[a] | 1u << b;
    draw_joint(s, joint, a, b);
    freedoms -= joint->rows;
    if (loop && !closes_own_loop(s, joint, i))
      return false;
  }
  return freedoms >= 2;
}

/* NULL: any. */
static const struct shape *shape_of(const struct random_mechanism *s)
{
  return s->shape == ANY_SHAPE ? NULL : &shapes[s->shape];
}

static void take_shape(struct random_mechanism *s, const struct shape *shape)
{
  s->bodies = shape->bodies;
  s->loops = shape->loops;
  for (int i = 0; i < s->bodies + s->loops; i++) {
    s->joints[i].type = shape->joints[i].type;
    memcpy(s->joints[i].ends, shape->joints[i].ends, sizeof s->joints[i].ends);
  }
}

/* ---- text ---- */

#define VECTOR(range) "[<" range ">, <" range ">, <" range ">]"
#define NEAR(centre, reach)                                                                        \
  (centre)[0] - (reach), (centre)[0] + (reach), (centre)[1] - (reach), (centre)[1] + (reach),      \
      (centre)[2] - (reach), (centre)[2] + (reach)

/* Prints a string in which each <least:most> is replaced with a random number of hundredths. */
static void print_random_mechanism(struct random_mechanism *s, FILE *out, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void print_random_mechanism(struct random_mechanism *s, FILE *out, const char *format, ...)
{
  char text[512];
  int least, most;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  for (const char *at = text; *at; at++)
    if (sscanf(at, "<%d:%d>", &least, &most) == 2) {
      const int drawn = least + shk_draw_index(&s->random, most - least + 1);
      fprintf(out, "%.2f", drawn / (double)100);
      at = strchr(at, '>');
    } else
      fputc(*at, out);
}

/* A distance joint connects the tips of the bodies; other joints are placed near the midpoint
 * between them. */
static void print_joint(struct random_mechanism *s, FILE *out, int index)
{
  const struct drawn *const joint = &s->joints[index];
  const struct shk_joint_type *const type = &shk_joint_types[joint->type];
  const int a = joint->ends[0], b = joint->ends[1];
  const bool placed = type->motions[0] != NULL;
  const struct shape *const shape = shape_of(s);
  const int reach = shape ? 20 : 40;
  int middle[3] = {0};
  for (int j = 0; j < 3 && !shape; j++)
    middle[j] = (s->places[a][j] + s->places[b][j]) / 2;
  if (shape)
    memcpy(middle, shape->joints[index].place, sizeof shape->joints[index].place);
  print_random_mechanism(s, out, "  - {name: j%d, type: %s, between: [%s%s, %s%s]", index + 1,
                         type->name, s->names[a], placed ? "" : ".tip", s->names[b],
                         placed ? "" : ".tip");
  if (placed)
    print_random_mechanism(
        s, out, ", at: " VECTOR("%d:%d") ", axis: [<-%d:%d>, <-%d:%d>, <%d:100>]",
        NEAR(middle, shape ? 15 : 40), reach, reach, reach, reach, shape ? 80 : 20);
  if (placed && strlen(type->motions[0]) == 2)
    print_random_mechanism(s, out, ", stiffness: <50:200>");
  print_random_mechanism(s, out, "}\n");
}

static void print_mechanism(struct random_mechanism *s, FILE *out)
{
  strcpy(s->names[0], "ground");
  const struct shape *const shape = shape_of(s);
  if (shk_draw_index(&s->random, 2) == 0 || shape)
    print_random_mechanism(s, out, "gravity: " VECTOR("-80:80") "\n");
  print_random_mechanism(
      s, out, "frames:\n  - {name: tip, position: [<-50:50>, <-50:50>, <100:200>]}\nbodies:\n");
  for (int i = 1; i <= s->bodies; i++) {
    snprintf(s->names[i], sizeof s->names[i], "b%d", i);
    memcpy(s->places[i], s->places[s->joints[i - 1].ends[0]], sizeof s->places[i]);
    s->places[i][shk_draw_index(&s->random, 3)] += shk_draw_index(&s->random, 2) ? 120 : -120;
    if (shape) {
      memcpy(s->places[i], shape->places[i - 1], sizeof shape->places[i - 1]);
      s->places[i][2] = 0;
    }
    print_random_mechanism(
        s, out,
        "  - {name: b%d, mass: <50:300>, shape: {box: " VECTOR("50:150") "}, position: " VECTOR(
            "%d:%d") ", orientation: [<10:50>, <-50:50>, <-50:50>, <-50:50>]",
        i, NEAR(s->places[i], 60));
    if (shape)
      print_random_mechanism(
          s, out, ", centre: " VECTOR("-20:20") ", axes: [<10:50>, <-50:50>, <-50:50>, <-50:50>]");
    print_random_mechanism(
        s, out,
        ", velocity: " VECTOR("-50:50") ", rate: " VECTOR(
            "-80:80") ", frames: [{name: tip, position: " VECTOR("20:50") "}]}\n");
  }
  print_random_mechanism(s, out, "joints:\n");
  for (int i = 0; i < s->bodies + s->loops; i++)
    print_joint(s, out, i);
  print_random_mechanism(s, out, "springs:\n");
  for (int i = 1; i <= s->bodies; i++)
    print_random_mechanism(s, out,
                           "  - {between: [%s.tip, b%d], stiffness: <50:300>, length: <50:200>}\n",
                           s->names[shk_draw_index(&s->random, i)], i);
}

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct random_mechanism *s = context;
  const struct shape *const shape = shape_of(s);
  char *text = NULL;
  size_t length = 0;
  int draws = 0;
  s->random = (uint64_t)s->seed;
  if (shape && (s->bodies != 3 || s->loops != 1))
    return shk_failure(SHK_BAD_INPUT,
                       "the option shape requires the default values of bodies and loops", 0, 0);
  if (shape)
    take_shape(s, shape);
  while (!shape && !draw_joints(s))
    if (++draws == DRAWS)
      return shk_failure(SHK_BAD_INPUT, "%g bodies cannot close %g loops", (double)s->bodies,
                         (double)s->loops);
  FILE *const out = open_memstream(&text, &length);
  if (!out)
    return shk_no_memory();
  print_mechanism(s, out);
  struct shk_status status = fclose(out) == 0 ? shk_ok() : shk_no_memory();
  if (status.code == SHK_OK)
    status = shk_mechanism_read(&s->mechanism, instance, "random-mechanism", text, length);
  free(text);
  return status.code == SHK_OK ? shk_mechanism_set_up(instance, &s->mechanism) : status;
}

static const struct shk_choice shape_names[] = {
    {"pendulum", "one body on a ball joint", NULL},
    {"four-bar", "three bodies and the ground, connected by a hinge, two ball joints and a hinge",
     NULL},
    {"any", "random joints, with `bodies` bodies and `loops` loops", NULL},
    {0}};

static const struct shk_option options[] = {
    SHK_INTEGER(random_mechanism, seed, "seed", "1", "seed of the random numbers", .minimum = "0"),
    SHK_INTEGER(random_mechanism, bodies, "bodies", "3", "number of bodies", .minimum = "1",
                .maximum = "12"),
    SHK_INTEGER(random_mechanism, loops, "loops", "1", "number of joints that close loops",
                .minimum = "0", .maximum = "6"),
    SHK_CHOICE(random_mechanism, shape, "shape", shape_names, "any",
               "a fixed set of joints, or random ones"),
    {0}};

SHK_PROVIDE_PROBLEM(
    random_mechanism, random_mechanism, NULL, .name = "random-mechanism",
    .family = "random or derived",
    .summary = "random rigid bodies and joints of all types, with loops, generated from a seed",
    .equations = "H and g as for `mechanism`; `describe … --yaml` prints the file",
    .citation = "ours", .units = "dimensionless",
    .coordinates = "q = (r, d_1, d_2, d_3) for every body");
