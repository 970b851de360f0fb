/*
 * Solves for systems of rods whose connected components are all small, of at most SHK_CLUSTER_RODS
 * rods: molecules. Components of one shape are solved SIMD_LANES at a time (cluster.h), each as if
 * it were alone, so that its motion does not depend on the others or their order. A constraint of
 * rigid water costs 73 ns a step, without the special case of triangles (cluster_triangle.h), and
 * 150 by linear=block (shakedown-bench water-box).
 *
 * A component that the plain solve leaves is solved again by itself; if that fails, the failure and
 * the history of residuals are its own. A successful solve leaves the history of the last component
 * solved by itself, or none. Iterations are counted once for all components: the most that any of
 * them took.
 *
 * A single component that is a tree is not taken: shk_chains_create takes chains and trees.
 */
#include "mechanics/algebra/graph.h"
#include "mechanics/solvers/rods/cluster.h"
#include "mechanics/solvers/rods/cluster_triangle.h"
#include "mechanics/solvers/rods/special.h"

/* The most shapes of components that a system may have: with more, batches would be too small. */
enum { SHAPES = 64 };

struct group {
  struct shk_cluster_shape shape;
  bool triangles;                 /* of cluster_triangle.h */
  bool following;                 /* the coordinates of its components are one block of q */
  int count;                      /* components */
  int *point, *row;               /* of its batches, one after the other */
  real *inverse_mass, *square;    /* the same; of one batch if all components are alike */
  size_t mass_stride, rod_stride; /* from batch to batch; 0: all alike */
};

struct clusters {
  struct shk_evaluator *evaluator;
  struct group groups[SHAPES];
  int group_count;
  int *free_points; /* first coordinates of points without rods */
  int free_count;
};

/* ---- creation ---- */

/* A component: its shape, and its points and rods in the system. */
struct component {
  struct shk_cluster_shape shape;
  int point[SHK_CLUSTER_POINTS]; /* first coordinates, in q or `fixed` */
  int row[SHK_CLUSTER_RODS];
};

/* The number of a moving point among those met so far, to which it is added. */
static int point_number(struct component *c, int point)
{
  const int first = point * c->shape.dimension;
  int i = 0;
  while (i < c->shape.moving && c->point[i] != first)
    i++;
  if (i == c->shape.moving)
    c->point[c->shape.moving++] = first;
  return i;
}

static void describe(struct component *c, const struct shk_rods *rods, const int *rows, int count)
{
  *c = (struct component){.shape = {.dimension = rods->dimension, .rods = count}};
  struct shk_cluster_shape *s = &c->shape;
  for (int i = 0; i < count; i++) {
    const struct shk_rod *rod = &rods->rod[rows[i]];
    c->row[i] = rows[i];
    s->a[i] = rod->a >= 0 ? point_number(c, rod->a) : 0;
    s->b[i] = point_number(c, rod->b);
  }
  s->points = s->moving;
  s->contiguous = 1;
  for (int i = 1; i < s->moving; i++)
    s->contiguous &= c->point[i] == c->point[0] + i * s->dimension;
  for (int i = 0; i < count; i++) {
    const int a = rods->rod[rows[i]].a;
    if (a >= 0)
      continue;
    s->a[i] = s->points;
    c->point[s->points++] = (-1 - a) * s->dimension;
  }
}

/* The group of this shape, a new one if there is none; NULL if there are too many. */
static struct group *group_of(struct clusters *k, const struct shk_cluster_shape *shape)
{
  for (int i = 0; i < k->group_count; i++)
    if (memcmp(&k->groups[i].shape, shape, sizeof *shape) == 0)
      return &k->groups[i];
  if (k->group_count == SHAPES)
    return NULL;
  struct group *group = &k->groups[k->group_count++];
  group->shape = *shape;
  group->triangles = memcmp(shape, &shk_triangle, sizeof *shape) == 0;
  return group;
}

/* Whether this solver applies; counts the components by shapes. */
static bool sort_shapes(struct clusters *k, const struct shk_partition *components)
{
  struct component c;
  for (int i = 0; i < components->count; i++) {
    const int size = components->start[i + 1] - components->start[i];
    if (size > SHK_CLUSTER_RODS)
      return false;
    describe(&c, k->evaluator->system->rods, components->rows + components->start[i], size);
    struct group *group = group_of(k, &c.shape);
    if (!group || (components->count == 1 && c.shape.points == c.shape.rods + 1))
      return false;
    group->count++;
  }
  return components->count > 0;
}

static struct shk_status allocate(struct group *g, struct shk_workspace *workspace)
{
  const size_t lanes_of_all = (size_t)(g->count + SIMD_LANES - 1) / SIMD_LANES * SIMD_LANES;
  const size_t points = (size_t)g->shape.points, rods = (size_t)g->shape.rods;
  SHK_TRY(shk_integers(workspace, &g->point, lanes_of_all * points));
  SHK_TRY(shk_integers(workspace, &g->row, lanes_of_all * rods));
  SHK_TRY(shk_reals(workspace, &g->inverse_mass, lanes_of_all * points));
  return shk_reals(workspace, &g->square, lanes_of_all * rods);
}

/* Puts a component into this lane of the group. */
static void put(struct group *g, int at, const struct component *c, const struct shk_system *system)
{
  const size_t batch = (size_t)(at / SIMD_LANES), lane = (size_t)(at % SIMD_LANES);
  for (size_t i = 0; i < (size_t)c->shape.points; i++) {
    const size_t place = (batch * (size_t)c->shape.points + i) * SIMD_LANES + lane;
    g->point[place] = c->point[i];
    if (i < (size_t)c->shape.moving)
      g->inverse_mass[(batch * (size_t)c->shape.moving + i) * SIMD_LANES + lane] =
          1 / system->mass[c->point[i]];
  }
  for (size_t i = 0; i < (size_t)c->shape.rods; i++) {
    const size_t place = (batch * (size_t)c->shape.rods + i) * SIMD_LANES + lane;
    g->row[place] = c->row[i];
    g->square[place] = system->rods->rod[c->row[i]].square;
  }
}

/* From batch to batch of `count` numbers; 0 where all lanes of all batches have the same. */
static size_t stride_of(const real *values, int count, int batches)
{
  const size_t size = (size_t)count * SIMD_LANES;
  for (size_t i = 0; i < (size_t)batches * size; i++)
    if (values[i] != values[i % size / SIMD_LANES * SIMD_LANES])
      return size;
  return 0;
}

/* Whether the coordinates of all components are one block of q. */
static bool follow(const struct group *g)
{
  const int size = g->shape.moving * g->shape.dimension;
  bool follow = g->shape.contiguous && g->shape.moving == g->shape.points;
  for (int i = 1; follow && i < g->count; i++)
    follow = g->point[i / SIMD_LANES * g->shape.points * SIMD_LANES + i % SIMD_LANES] ==
             g->point[0] + i * size;
  return follow;
}

static struct shk_status fill(struct clusters *k, struct shk_workspace *workspace,
                              const struct shk_partition *components)
{
  const struct shk_system *system = k->evaluator->system;
  struct component c;
  for (int i = 0; i < k->group_count; i++) {
    SHK_TRY(allocate(&k->groups[i], workspace));
    k->groups[i].count = 0;
  }
  for (int i = 0; i < components->count; i++) {
    describe(&c, system->rods, components->rows + components->start[i],
             components->start[i + 1] - components->start[i]);
    struct group *group = group_of(k, &c.shape);
    put(group, group->count++, &c, system);
    /* The last batch is filled up with its last component. */
    for (int at = group->count; at % SIMD_LANES != 0; at++)
      put(group, at, &c, system);
  }
  for (int i = 0; i < k->group_count; i++) {
    struct group *g = &k->groups[i];
    const int batches = (g->count + SIMD_LANES - 1) / SIMD_LANES;
    g->mass_stride = stride_of(g->inverse_mass, g->shape.moving, batches);
    g->following = follow(g);
    g->rod_stride = stride_of(g->square, g->shape.rods, batches);
  }
  return shk_ok();
}

static struct shk_status find_free_points(struct clusters *k, struct shk_workspace *workspace)
{
  const struct shk_system *s = k->evaluator->system;
  const int dimension = s->rods->dimension, points = s->n / dimension;
  bool *held = shk_memory(workspace, (size_t)points * sizeof *held);
  if (!held)
    return shk_no_memory();
  SHK_TRY(shk_integers(workspace, &k->free_points, (size_t)points));
  for (int i = 0; i < s->m; i++) {
    held[s->rods->rod[i].b] = true;
    if (s->rods->rod[i].a >= 0)
      held[s->rods->rod[i].a] = true;
  }
  for (int i = 0; i < points; i++)
    if (!held[i])
      k->free_points[k->free_count++] = i * dimension;
  shk_give_back(held);
  return shk_ok();
}

/* ---- solves ---- */

/* A position or a hidden solve: the one that is not NULL. */
struct task {
  const struct shk_position_solve *position;
  const struct shk_hidden_solve *hidden;
};

static inline struct shk_cluster_end solve(const struct shk_cluster_run *run, const struct group *g,
                                           const struct shk_cluster_batch *batch,
                                           const struct task *task)
{
  return task->position ? shk_cluster_position(run, &g->shape, batch, task->position)
                        : shk_cluster_hidden(run, &g->shape, batch, task->hidden);
}

/* A batch of different clusters. */
static inline struct shk_triangles_end solve_plainly(const struct shk_cluster_run *run,
                                                     const struct group *g,
                                                     const struct shk_cluster_batch *batch,
                                                     const struct task *task)
{
  const struct shk_position_solve *position = task->position;
  if (g->triangles && position && !position->G_b && !position->G1)
    return shk_triangle_position(run, batch, position);
  if (g->triangles && !position && !task->hidden->G1)
    return shk_triangle_hidden(run, batch, task->hidden);
  const struct shk_cluster_end end = solve(run, g, batch, task);
  return (struct shk_triangles_end){end.iterations, end.solved};
}

/* One lane of a batch by itself. */
static struct shk_cluster_end solve_one(const struct shk_cluster_run *run, const struct group *g,
                                        const struct shk_cluster_batch *batch, int lane,
                                        const struct task *task)
{
  int point[SHK_CLUSTER_POINTS * SIMD_LANES], row[SHK_CLUSTER_RODS * SIMD_LANES];
  real inverse_mass[SHK_CLUSTER_POINTS * SIMD_LANES], square[SHK_CLUSTER_RODS * SIMD_LANES];
  for (int i = 0; i < g->shape.points * SIMD_LANES; i++)
    point[i] = batch->point[i / SIMD_LANES * SIMD_LANES + lane];
  for (int i = 0; i < g->shape.moving * SIMD_LANES; i++)
    inverse_mass[i] = batch->inverse_mass[i / SIMD_LANES * SIMD_LANES + lane];
  for (int i = 0; i < g->shape.rods * SIMD_LANES; i++) {
    row[i] = batch->row[i / SIMD_LANES * SIMD_LANES + lane];
    square[i] = batch->square[i / SIMD_LANES * SIMD_LANES + lane];
  }
  const struct shk_cluster_batch alone = {point, row, inverse_mass, square, false};
  return solve(run, g, &alone, task);
}

/* All batches of a group; *iterations: the most of any. */
static struct shk_status solve_group(const struct shk_cluster_run *run, const struct group *g,
                                     const struct task *task, long *iterations)
{
  const struct shk_cluster_run alone = {run->evaluator, run->iteration, true};
  struct shk_cluster_batch batch = {g->point, g->row, g->inverse_mass, g->square, false};
  for (int at = 0; at < g->count; at += SIMD_LANES) {
    batch.following = g->following && at + SIMD_LANES <= g->count;
    const struct shk_triangles_end end = solve_plainly(run, g, &batch, task);
    if (end.iterations > *iterations)
      *iterations = end.iterations;
    for (int lane = 0; end.solved != SIMD_ALL && lane < SIMD_LANES && at + lane < g->count;
         lane++) {
      if (end.solved >> lane & 1)
        continue;
      const struct shk_cluster_end one = solve_one(&alone, g, &batch, lane, task);
      if (one.iterations > *iterations)
        *iterations = one.iterations;
      if (one.status.code != SHK_OK)
        return one.status;
    }
    batch.point += g->shape.points * SIMD_LANES;
    batch.row += g->shape.rods * SIMD_LANES;
    batch.inverse_mass += g->mass_stride;
    batch.square += g->rod_stride;
  }
  return shk_ok();
}

static struct shk_status solve_all(struct clusters *k, struct shk_iteration *iteration,
                                   const struct task *task, long *iterations)
{
  const struct shk_cluster_run run = {k->evaluator, iteration, false};
  *iterations = 0;
  shk_iteration_begin(iteration, NULL, 0);
  for (int i = 0; i < k->group_count; i++)
    SHK_TRY(solve_group(&run, &k->groups[i], task, iterations));
  return shk_ok();
}

static struct shk_status position(void *self, struct shk_iteration *iteration,
                                  const struct shk_position_solve *task)
{
  struct clusters *k = self;
  const struct shk_system *system = k->evaluator->system;
  long iterations;
  for (int i = 0; i < k->free_count; i++)
    for (int c = k->free_points[i]; c < k->free_points[i] + system->rods->dimension; c++) {
      task->dp[c] = task->dp_free ? task->dp_free[c] : 0;
      const real p1 = task->p[c] + (task->dp[c] + task->p_carry[c]);
      if (task->p1)
        task->p1[c] = p1;
      task->q1[c] = task->q[c];
      task->q1_carry[c] = task->q_carry[c];
      real_accumulate(&task->q1[c], &task->q1_carry[c], task->drift * (p1 / system->mass[c]));
    }
  const struct shk_status status =
      solve_all(k, iteration, &(struct task){.position = task}, &iterations);
  struct shk_work *work = &k->evaluator->work;
  work->iterations += iterations;
  work->factorizations += iterations;
  work->constraint += iterations + 1;
  work->jacobian += iterations + 1;
  return status;
}

static struct shk_status hidden(void *self, struct shk_iteration *iteration,
                                const struct shk_hidden_solve *task)
{
  struct clusters *k = self;
  long iterations;
  for (int i = 0; i < k->free_count; i++)
    for (int c = k->free_points[i]; c < k->free_points[i] + k->evaluator->system->rods->dimension;
         c++) {
      task->p1[c] = task->p[c];
      task->p1_carry[c] = task->p_carry[c];
      real_accumulate(&task->p1[c], &task->p1_carry[c], task->dp[c]);
    }
  const struct shk_status status =
      solve_all(k, iteration, &(struct task){.hidden = task}, &iterations);
  k->evaluator->work.iterations += iterations;
  k->evaluator->work.factorizations += iterations > 0;
  return status;
}

struct shk_status shk_clusters_create(struct shk_solver *solver, struct shk_workspace *workspace,
                                      struct shk_evaluator *e, const struct shk_values *options)
{
  (void)options;
  struct shk_partition components;
  *solver = (struct shk_solver){0};
  SHK_TRY(shk_components(&components, workspace, e));
  struct clusters *k = shk_memory(workspace, sizeof *k);
  if (!k)
    return shk_no_memory();
  k->evaluator = e;
  if (sort_shapes(k, &components)) {
    SHK_TRY(fill(k, workspace, &components));
    SHK_TRY(find_free_points(k, workspace));
    *solver = (struct shk_solver){k, position, hidden, .forms_jacobians = true};
  } else {
    shk_give_back(k);
  }
  shk_partition_clear(&components);
  return shk_ok();
}
