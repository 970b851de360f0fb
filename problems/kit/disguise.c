/* A problem in disguise; see disguise.h. */
#include "problems/kit/disguise.h"

#include <shakedown/distance.h>
#include <shakedown/random.h>

#include <string.h>

enum { MOST = 3 };

/* Coordinates that are turned together: outer_i = Σ_j turn_ij inner_j. */
struct block {
  int size, inner[MOST], outer[MOST];
  real turn[MOST][MOST];
};

struct shk_disguise {
  const struct shk_instance *inner;
  struct shk_evaluator pattern; /* of inner: its row_start and columns, dense or not */
  real length, momentum, energy, force, mass_unit, time, shift;
  int block_count;
  struct block *blocks;
  int *block_of;               /* of each inner coordinate */
  int *row;                    /* m: the inner row of each */
  real *factor, *bend;         /* m: c and a */
  int *touched_from, *touched; /* m + 1: the blocks that each row has to do with */
  int *row_start, *columns;
  real *mass, *scale;
  /* Scratch of the callbacks. */
  real *q, *p, *v, *x, *y, *g, *rate, *values, *matrix;
  struct shk_picture picture;
};

/* ---- coordinates ---- */

static void turn_block(real *out, const struct block *b, const real *in, real factor)
{
  for (int i = 0; i < b->size; i++) {
    real sum = 0;
    for (int j = 0; j < b->size; j++)
      sum += b->turn[i][j] * in[b->inner[j]];
    out[b->outer[i]] = factor * sum;
  }
}

/* out <- factor T in */
static void turn(real *out, const struct shk_disguise *s, const real *in, real factor)
{
  for (int k = 0; k < s->block_count; k++)
    turn_block(out, &s->blocks[k], in, factor);
}

/* out <- factor Tᵀ in */
static void turn_back(real *out, const struct shk_disguise *s, const real *in, real factor)
{
  for (int k = 0; k < s->block_count; k++) {
    const struct block *b = &s->blocks[k];
    for (int j = 0; j < b->size; j++) {
      real sum = 0;
      for (int i = 0; i < b->size; i++)
        sum += b->turn[i][j] * in[b->outer[i]];
      out[b->inner[j]] = factor * sum;
    }
  }
}

/* out (rows `stride` apart) <- factor T in Tᵀ, in with rows `in_stride` apart. */
static void turn_matrix(real *out, int stride, const struct shk_disguise *s, const real *in,
                        int in_stride, real factor)
{
  const int n = s->inner->system.n;
  for (int k = 0; k < s->block_count; k++) {
    const struct block *b = &s->blocks[k];
    for (int i = 0; i < b->size; i++) {
      memset(s->x, 0, (size_t)n * sizeof(real));
      for (int j = 0; j < b->size; j++)
        for (int l = 0; l < n; l++)
          s->x[l] += b->turn[i][j] * in[(size_t)b->inner[j] * (size_t)in_stride + (size_t)l];
      turn(out + (size_t)b->outer[i] * (size_t)stride, s, s->x, factor);
    }
  }
}

static const struct shk_disguise *worn(const struct shk_instance *instance)
{
  return instance->system.context;
}

void shk_disguise_put_on(const struct shk_instance *disguised, real *q_out, real *p_out,
                         const real *q, const real *p)
{
  const struct shk_disguise *s = worn(disguised);
  if (q_out)
    turn(q_out, s, q, s->length);
  if (p_out)
    turn(p_out, s, p, s->momentum);
}

void shk_disguise_take_off(const struct shk_instance *disguised, real *q_out, real *p_out,
                           const real *q, const real *p)
{
  const struct shk_disguise *s = worn(disguised);
  if (q_out)
    turn_back(q_out, s, q, 1 / s->length);
  if (p_out)
    turn_back(p_out, s, p, 1 / s->momentum);
}

real shk_disguise_time(const struct shk_instance *disguised)
{
  return worn(disguised)->time;
}

/* The problem's own t, q and p (NULL: not needed), in the scratch. */
static real inside(const struct shk_disguise *s, real t, const real *q, const real *p)
{
  turn_back(s->q, s, q, 1 / s->length);
  if (p)
    turn_back(s->p, s, p, 1 / s->momentum);
  return (t - s->shift) / s->time;
}

#define SYSTEM (s->inner->system)
#define CONTEXT (SYSTEM.context)

/* ---- H and forces ---- */

static int potential(const void *context, real *value, real t, const real *q)
{
  const struct shk_disguise *s = context;
  const int code = SYSTEM.potential(CONTEXT, value, inside(s, t, q, NULL), s->q);
  *value *= s->energy;
  return code;
}

static int gradient(const void *context, real *out, real t, const real *q)
{
  const struct shk_disguise *s = context;
  const int code = SYSTEM.gradient(CONTEXT, s->x, inside(s, t, q, NULL), s->q);
  turn(out, s, s->x, s->force);
  return code;
}

static int hamiltonian(const void *context, real *value, real t, const real *q, const real *p)
{
  const struct shk_disguise *s = context;
  const int code = SYSTEM.hamiltonian(CONTEXT, value, inside(s, t, q, p), s->q, s->p);
  *value *= s->energy;
  return code;
}

static int hamiltonian_q(const void *context, real *out, real t, const real *q, const real *p)
{
  const struct shk_disguise *s = context;
  const int code = SYSTEM.hamiltonian_q(CONTEXT, s->x, inside(s, t, q, p), s->q, s->p);
  turn(out, s, s->x, s->force);
  return code;
}

static int hamiltonian_p(const void *context, real *out, real t, const real *q, const real *p)
{
  const struct shk_disguise *s = context;
  const int code = SYSTEM.hamiltonian_p(CONTEXT, s->x, inside(s, t, q, p), s->q, s->p);
  turn(out, s, s->x, s->length / s->time);
  return code;
}

static int hessian(const void *context, real *out, real t, const real *q, const real *p)
{
  const struct shk_disguise *s = context;
  const int n = SYSTEM.n;
  const int code = SYSTEM.hessian(CONTEXT, s->matrix, inside(s, t, q, p), s->q, s->p);
  const real unit[2] = {s->length, s->momentum};
  for (int a = 0; a < 2; a++)
    for (int b = 0; b < 2; b++) {
      const size_t corner = (size_t)a * (size_t)n * 2 * (size_t)n + (size_t)b * (size_t)n;
      turn_matrix(out + corner, 2 * n, s, s->matrix + corner, 2 * n,
                  s->energy / (unit[a] * unit[b]));
    }
  return code;
}

static int force(const void *context, real *Q, real t, const real *q, const real *p)
{
  const struct shk_disguise *s = context;
  const int code = SYSTEM.force(CONTEXT, s->x, inside(s, t, q, p), s->q, s->p);
  turn(Q, s, s->x, s->force);
  return code;
}

static int force_gradients(const void *context, real *Q_q, real *Q_p, real t, const real *q,
                           const real *p)
{
  const struct shk_disguise *s = context;
  const int n = SYSTEM.n;
  real *const second = s->matrix + (size_t)n * (size_t)n;
  const int code =
      SYSTEM.force_gradients(CONTEXT, s->matrix, second, inside(s, t, q, p), s->q, s->p);
  turn_matrix(Q_q, n, s, s->matrix, n, s->force / s->length);
  turn_matrix(Q_p, n, s, second, n, s->force / s->momentum);
  return code;
}

static int mass_matrix(const void *context, real *M, const real *q)
{
  const struct shk_disguise *s = context;
  inside(s, 0, q, NULL);
  const int code = SYSTEM.mass_matrix(CONTEXT, s->matrix, s->q);
  turn_matrix(M, SYSTEM.n, s, s->matrix, SYSTEM.n, s->mass_unit);
  return code;
}

static int mass_gradient(const void *context, real *out, const real *q, const real *v)
{
  const struct shk_disguise *s = context;
  inside(s, 0, q, NULL);
  turn_back(s->v, s, v, 1);
  const int code = SYSTEM.mass_gradient(CONTEXT, s->matrix, s->q, s->v);
  turn_matrix(out, SYSTEM.n, s, s->matrix, SYSTEM.n, s->mass_unit / s->length);
  return code;
}

static int mass_curvature(const void *context, real *out, const real *q, const real *v)
{
  const struct shk_disguise *s = context;
  inside(s, 0, q, NULL);
  turn_back(s->v, s, v, 1);
  const int code = SYSTEM.mass_curvature(CONTEXT, s->matrix, s->q, s->v);
  turn_matrix(out, SYSTEM.n, s, s->matrix, SYSTEM.n, s->mass_unit / (s->length * s->length));
  return code;
}

static int potential_hessian(const void *context, real *out, real t, const real *q)
{
  const struct shk_disguise *s = context;
  const int code = SYSTEM.potential_hessian(CONTEXT, s->matrix, inside(s, t, q, NULL), s->q);
  turn_matrix(out, SYSTEM.n, s, s->matrix, SYSTEM.n, s->energy / (s->length * s->length));
  return code;
}

/* ---- constraints ---- */

/* The derivative of row i's c (g + a g²). */
static real slope_of(const struct shk_disguise *s, int i)
{
  return s->factor[i] * (1 + 2 * s->bend[i] * s->g[s->row[i]]);
}

static int constraint(const void *context, real *g, real t, const real *q)
{
  const struct shk_disguise *s = context;
  const int code = SYSTEM.constraint(CONTEXT, s->g, inside(s, t, q, NULL), s->q);
  for (int i = 0; i < SYSTEM.m; i++) {
    const real own = s->g[s->row[i]];
    g[i] = s->factor[i] * (own + s->bend[i] * own * own);
  }
  return code;
}

static int jacobian(const void *context, real *values, real t, const real *q)
{
  const struct shk_disguise *s = context;
  const real own = inside(s, t, q, NULL);
  int code = SYSTEM.jacobian(CONTEXT, s->values, own, s->q);
  if (code == 0)
    code = SYSTEM.constraint(CONTEXT, s->g, own, s->q);
  for (int i = 0; i < SYSTEM.m; i++) {
    const int row = s->row[i];
    for (int k = s->touched_from[i]; k < s->touched_from[i + 1]; k++)
      for (int j = 0; j < s->blocks[s->touched[k]].size; j++)
        s->x[s->blocks[s->touched[k]].inner[j]] = 0;
    for (int k = s->pattern.row_start[row]; k < s->pattern.row_start[row + 1]; k++)
      s->x[s->pattern.columns[k]] = s->values[k];
    for (int k = s->touched_from[i]; k < s->touched_from[i + 1]; k++)
      turn_block(s->y, &s->blocks[s->touched[k]], s->x, slope_of(s, i) / s->length);
    for (int k = s->row_start[i]; k < s->row_start[i + 1]; k++)
      values[k] = s->y[s->columns[k]];
  }
  return code;
}

/* g' along v (n) and time, into the scratch `rate`; g is there, too. */
static int find_rates(const struct shk_disguise *s, real t, const real *v)
{
  int code = SYSTEM.constraint(CONTEXT, s->g, t, s->q);
  if (code == 0)
    code = SYSTEM.jacobian(CONTEXT, s->values, t, s->q);
  if (code == 0 && SYSTEM.constraint_rate)
    code = SYSTEM.constraint_rate(CONTEXT, s->rate, t, s->q);
  for (int i = 0; i < SYSTEM.m; i++) {
    if (!SYSTEM.constraint_rate)
      s->rate[i] = 0;
    for (int k = s->pattern.row_start[i]; k < s->pattern.row_start[i + 1]; k++)
      s->rate[i] += s->values[k] * v[s->pattern.columns[k]];
  }
  return code;
}

/* With g' the rate: c ((1 + 2 a g) g'' + 2 a g'²), all of it in the unit of time. */
static int curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  const struct shk_disguise *s = context;
  const real own = inside(s, t, q, NULL), unit = s->time * s->time;
  turn_back(s->v, s, v, s->time / s->length);
  int code = find_rates(s, own, s->v);
  if (code == 0)
    code = SYSTEM.curvature(CONTEXT, s->values, own, s->q, s->v);
  for (int i = 0; i < SYSTEM.m; i++) {
    const real rate = s->rate[s->row[i]];
    out[i] = (slope_of(s, i) * s->values[s->row[i]] + 2 * s->factor[i] * s->bend[i] * rate * rate) /
             unit;
  }
  return code;
}

static int constraint_rate(const void *context, real *g_t, real t, const real *q)
{
  const struct shk_disguise *s = context;
  const real own = inside(s, t, q, NULL);
  int code = SYSTEM.constraint(CONTEXT, s->g, own, s->q);
  if (code == 0)
    code = SYSTEM.constraint_rate(CONTEXT, s->rate, own, s->q);
  for (int i = 0; i < SYSTEM.m; i++)
    g_t[i] = slope_of(s, i) * s->rate[s->row[i]] / s->time;
  return code;
}

/* ---- what is known ---- */

static int start(const void *context, real *q, real *p)
{
  const struct shk_disguise *s = context;
  const int code = s->inner->start(CONTEXT, s->q, s->p);
  turn(q, s, s->q, s->length);
  turn(p, s, s->p, s->momentum);
  return code;
}

static int exact(const void *context, real *q, real *p, real *lambda, real t)
{
  const struct shk_disguise *s = context;
  const int code = s->inner->exact(CONTEXT, s->q, s->p, s->g, (t - s->shift) / s->time);
  turn(q, s, s->q, s->length);
  turn(p, s, s->p, s->momentum);
  for (int i = 0; i < SYSTEM.m; i++)
    lambda[i] = s->energy * s->g[s->row[i]] / s->factor[i];
  return code;
}

static int invariants(const void *context, real *values, real t, const real *q, const real *p)
{
  const struct shk_disguise *s = context;
  const real own = inside(s, t, q, p);
  return s->inner->invariants(CONTEXT, values, own, s->q, s->p);
}

static int branch(const void *context, real *values, real t, const real *q, const real *p)
{
  const struct shk_disguise *s = context;
  const real own = inside(s, t, q, p);
  return s->inner->branch(CONTEXT, values, own, s->q, s->p);
}

static int crossings(const void *context, real *times, int limit, real until)
{
  const struct shk_disguise *s = context;
  const int count = s->inner->crossings(CONTEXT, times, limit, (until - s->shift) / s->time);
  for (int i = 0; i < count && i < limit; i++)
    times[i] = s->time * times[i] + s->shift;
  return count;
}

static int draw_points(const void *context, real *positions, real t, const real *q)
{
  const struct shk_disguise *s = context;
  const struct shk_picture *picture = s->inner->picture;
  const real own = inside(s, t, q, NULL);
  if (picture->place)
    return picture->place(CONTEXT, positions, own, s->q);
  for (int i = 0; i < picture->point_count * picture->dimension; i++)
    positions[i] = s->q[i];
  return 0;
}

/* ---- creation ---- */

static int choose(uint64_t *random, int count)
{
  return (int)(shk_random_next(random) % (uint64_t)count);
}

/* 0 … count - 1 in an order that is drawn, or in their own. */
static void shuffle(int *order, int count, bool reorder, uint64_t *random)
{
  for (int i = 0; i < count; i++)
    order[i] = i;
  for (int i = count - 1; i > 0; i--) {
    const int other = choose(random, i + 1), kept = order[i];
    if (reorder) {
      order[i] = order[other];
      order[other] = kept;
    }
  }
}

/* An orthogonal matrix: rows drawn and made orthonormal, reflections included. */
static void draw_turn(real turn[MOST][MOST], int size, bool turned, uint64_t *random)
{
  for (int i = 0; i < size; i++) {
    real length = 0;
    do {
      for (int j = 0; j < size; j++)
        turn[i][j] = turned ? 2 * shk_random_uniform(random) - 1 : i == j;
      for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < i; k++) {
          const real part = real_dot(turn[i], turn[k], size);
          for (int j = 0; j < size; j++)
            turn[i][j] -= part * turn[k][j];
        }
      length = real_sqrt(real_dot(turn[i], turn[i], size));
    } while (length < R(0.25));
    for (int j = 0; j < size; j++)
      turn[i][j] /= length;
  }
}

/* Points, each with all of its coordinates, turned alike. */
static void group_points(struct shk_disguise *s, const struct shk_disguise_choice *choice,
                         int *order, uint64_t *random)
{
  const int size = SYSTEM.rods->dimension;
  s->block_count = SYSTEM.n / size;
  shuffle(order, s->block_count, choice->reorder, random);
  draw_turn(s->blocks[0].turn, size, choice->turn, random);
  for (int k = 0; k < s->block_count; k++) {
    struct block *b = &s->blocks[k];
    memcpy(b->turn, s->blocks[0].turn, sizeof b->turn);
    b->size = size;
    for (int j = 0; j < size; j++) {
      b->inner[j] = k * size + j;
      b->outer[j] = order[k] * size + j;
    }
  }
}

static bool go_together(const struct shk_system *system, int a, int b)
{
  return !system->mass || (system->features & SHK_GENERAL_HAMILTONIAN) != 0 ||
         system->mass[a] == system->mass[b];
}

/* Coordinates in threes, or fewer, wherever they are. */
static void group_coordinates(struct shk_disguise *s, const struct shk_disguise_choice *choice,
                              int *order, uint64_t *random)
{
  const int most = choice->turn ? MOST : 1;
  shuffle(order, SYSTEM.n, choice->reorder, random);
  for (int i = 0; i < SYSTEM.n; i++) {
    int k = 0;
    while (k < s->block_count &&
           (s->blocks[k].size == most || !go_together(&SYSTEM, s->blocks[k].inner[0], i)))
      k++;
    struct block *b = &s->blocks[k];
    s->block_count += k == s->block_count;
    b->inner[b->size] = i;
    b->outer[b->size++] = order[i];
  }
  for (int k = 0; k < s->block_count; k++)
    draw_turn(s->blocks[k].turn, s->blocks[k].size, choice->turn, random);
}

static struct shk_status draw_coordinates(struct shk_disguise *s, struct shk_workspace *workspace,
                                          const struct shk_disguise_choice *choice,
                                          uint64_t *random)
{
  int *order;
  s->blocks = shk_memory(workspace, (size_t)SYSTEM.n * sizeof *s->blocks);
  if (!s->blocks)
    return shk_no_memory();
  SHK_TRY(shk_integers(workspace, &order, (size_t)SYSTEM.n));
  SHK_TRY(shk_integers(workspace, &s->block_of, (size_t)SYSTEM.n));
  SHK_TRY(shk_reals(workspace, &s->mass, (size_t)SYSTEM.n));
  if (SYSTEM.rods)
    group_points(s, choice, order, random);
  else
    group_coordinates(s, choice, order, random);
  for (int k = 0; k < s->block_count; k++)
    for (int j = 0; j < s->blocks[k].size; j++) {
      s->block_of[s->blocks[k].inner[j]] = k;
      if (SYSTEM.mass)
        s->mass[s->blocks[k].outer[j]] = s->mass_unit * SYSTEM.mass[s->blocks[k].inner[j]];
    }
  return shk_ok();
}

/* The size of each row of G at the start times that of q: what g changes by. */
static struct shk_status draw_bends(struct shk_disguise *s, uint64_t *random)
{
  if (s->inner->start(CONTEXT, s->q, s->p) != 0 ||
      SYSTEM.jacobian(CONTEXT, s->values, s->inner->initial_time, s->q) != 0)
    return shk_failure(SHK_STOPPED, "the problem cannot compute its start", 0, 0);
  const real size = real_max_norm(s->q, SYSTEM.n);
  for (int i = 0; i < SYSTEM.m; i++) {
    const int from = s->pattern.row_start[s->row[i]];
    const real change =
        size * real_max_norm(s->values + from, s->pattern.row_start[s->row[i] + 1] - from);
    const real share = R(0.3) + R(0.7) * shk_random_uniform(random);
    if (change > 0)
      s->bend[i] = (choose(random, 2) == 0 ? share : -share) / change;
  }
  return shk_ok();
}

static struct shk_status draw_rows(struct shk_disguise *s, struct shk_workspace *workspace,
                                   const struct shk_disguise_choice *choice, uint64_t *random)
{
  const size_t m = (size_t)SYSTEM.m;
  SHK_TRY(shk_integers(workspace, &s->row, m));
  SHK_TRY(shk_reals(workspace, &s->factor, m));
  SHK_TRY(shk_reals(workspace, &s->bend, m));
  SHK_TRY(shk_reals(workspace, &s->scale, m));
  shuffle(s->row, SYSTEM.m, choice->reorder, random);
  for (int i = 0; i < SYSTEM.m; i++) {
    /* One in each m-th of the range: rows are never alike. */
    const real share = ((real)i + shk_random_uniform(random)) / (real)SYSTEM.m;
    const real size = real_exp(real_log(16) * (2 * share - 1));
    s->factor[i] = !choice->scale ? 1 : choose(random, 2) == 0 ? size : -size;
    s->scale[i] = real_fabs(s->factor[i]) *
                  (!SYSTEM.constraint_scale ? 1 : SYSTEM.constraint_scale[s->row[i]]);
  }
  return choice->rewrite ? draw_bends(s, random) : shk_ok();
}

/* Adds the columns of a block in ascending order. */
static void add_columns(int *columns, int *count, const struct block *b)
{
  for (int j = 0; j < b->size; j++) {
    int at = (*count)++;
    for (; at > 0 && columns[at - 1] > b->outer[j]; at--)
      columns[at] = columns[at - 1];
    columns[at] = b->outer[j];
  }
}

static bool touches(const struct shk_disguise *s, int from, int count, int block)
{
  for (int k = from; k < count; k++)
    if (s->touched[k] == block)
      return true;
  return false;
}

static struct shk_status find_pattern(struct shk_disguise *s, struct shk_workspace *workspace)
{
  const int entries = s->pattern.row_start[SYSTEM.m];
  int touched = 0, next = 0;
  SHK_TRY(shk_integers(workspace, &s->touched_from, (size_t)SYSTEM.m + 1));
  SHK_TRY(shk_integers(workspace, &s->touched, (size_t)entries));
  SHK_TRY(shk_integers(workspace, &s->row_start, (size_t)SYSTEM.m + 1));
  SHK_TRY(shk_integers(workspace, &s->columns, MOST * (size_t)entries));
  for (int i = 0; i < SYSTEM.m; i++) {
    const int row = s->row[i], first = next;
    s->touched_from[i] = touched;
    s->row_start[i] = first;
    for (int k = s->pattern.row_start[row]; k < s->pattern.row_start[row + 1]; k++) {
      const int block = s->block_of[s->pattern.columns[k]];
      if (touches(s, s->touched_from[i], touched, block))
        continue;
      int count = next - first;
      s->touched[touched++] = block;
      add_columns(s->columns + first, &count, &s->blocks[block]);
      next = first + count;
    }
  }
  s->touched_from[SYSTEM.m] = touched;
  s->row_start[SYSTEM.m] = next;
  return shk_ok();
}

static struct shk_status allocate_scratch(struct shk_disguise *s, struct shk_workspace *workspace)
{
  const size_t n = (size_t)SYSTEM.n, m = (size_t)SYSTEM.m;
  const size_t entries = (size_t)s->pattern.row_start[SYSTEM.m];
  const bool squares = SYSTEM.hessian != NULL || SYSTEM.mass_matrix || SYSTEM.potential_hessian ||
                       SYSTEM.force_gradients;
  real **const vectors[] = {&s->q, &s->p, &s->v, &s->x, &s->y};
  for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
    SHK_TRY(shk_reals(workspace, vectors[i], n));
  SHK_TRY(shk_reals(workspace, &s->g, m));
  SHK_TRY(shk_reals(workspace, &s->rate, m));
  SHK_TRY(shk_reals(workspace, &s->values, entries > m ? entries : m));
  return squares ? shk_reals(workspace, &s->matrix, 4 * n * n) : shk_ok();
}

/* Ours for what the problem has, NULL for what it has not. */
static void wrap(struct shk_instance *instance, struct shk_disguise *s)
{
  const struct shk_instance *inner = s->inner;
#define IF_THERE(name) .name = SYSTEM.name ? name : NULL
  instance->system = (struct shk_system){.struct_size = sizeof instance->system,
                                         .n = SYSTEM.n,
                                         .m = SYSTEM.m,
                                         .features = SYSTEM.features,
                                         .context = s,
                                         .mass = SYSTEM.mass ? s->mass : NULL,
                                         .row_start = s->row_start,
                                         .columns = s->columns,
                                         .constraint_scale = s->scale,
                                         .autonomous = SYSTEM.autonomous,
                                         IF_THERE(potential),
                                         IF_THERE(gradient),
                                         IF_THERE(hamiltonian),
                                         IF_THERE(hamiltonian_q),
                                         IF_THERE(hamiltonian_p),
                                         IF_THERE(hessian),
                                         IF_THERE(constraint),
                                         IF_THERE(jacobian),
                                         IF_THERE(curvature),
                                         IF_THERE(constraint_rate),
                                         IF_THERE(force),
                                         IF_THERE(force_gradients),
                                         IF_THERE(mass_matrix),
                                         IF_THERE(mass_gradient),
                                         IF_THERE(mass_curvature),
                                         IF_THERE(potential_hessian)};
#undef IF_THERE
  instance->initial_time = s->time * inner->initial_time + s->shift;
  instance->time_scale = s->time * inner->time_scale;
  instance->horizon = s->time == 1 ? inner->horizon : shk_short_decimal(s->time * inner->horizon);
  instance->undecidable = inner->undecidable;
  instance->start = start;
  instance->exact = inner->exact ? exact : NULL;
  instance->invariant_count = inner->invariant_count;
  instance->invariant_names = inner->invariant_names;
  instance->invariants = inner->invariants ? invariants : NULL;
  instance->branch_count = inner->branch_count;
  instance->branch_names = inner->branch_names;
  instance->branch = inner->branch ? branch : NULL;
  instance->crossings = inner->crossings ? crossings : NULL;
  if (inner->picture) {
    s->picture = *inner->picture;
    s->picture.place = draw_points;
    instance->picture = &s->picture;
  }
}

static void take_units(struct shk_disguise *s, const struct shk_disguise_choice *choice)
{
  s->length = choice->length;
  s->time = choice->time;
  s->shift = choice->shift;
  s->mass_unit = choice->mass;
  s->momentum = choice->mass * choice->length / choice->time;
  s->force = s->momentum / choice->time;
  s->energy = s->force * choice->length;
}

static void clear_pattern(void *pattern)
{
  shk_evaluator_clear(pattern);
}

struct shk_status shk_disguise_make(struct shk_instance *instance, const struct shk_instance *inner,
                                    const struct shk_disguise_choice *choice)
{
  struct shk_workspace *const workspace = instance->workspace;
  uint64_t random = (uint64_t)choice->seed;
  if (inner->system.features &
      (SHK_MOMENTUM_CONSTRAINT | SHK_VELOCITY_CONSTRAINT | SHK_GENERAL_DAE))
    return shk_failure(SHK_BAD_INPUT, "a disguise is for constraints that are g(q) or g(q,t)", 0,
                       0);
  struct shk_disguise *const s = shk_memory(workspace, sizeof *s);
  if (!s)
    return shk_no_memory();
  s->inner = inner;
  take_units(s, choice);
  SHK_TRY(shk_evaluator_init(&s->pattern, &inner->system));
  SHK_TRY(shk_keep(workspace, &s->pattern, clear_pattern));
  SHK_TRY(allocate_scratch(s, workspace));
  SHK_TRY(draw_coordinates(s, workspace, choice, &random));
  SHK_TRY(draw_rows(s, workspace, choice, &random));
  SHK_TRY(find_pattern(s, workspace));
  wrap(instance, s);
  return shk_ok();
}
