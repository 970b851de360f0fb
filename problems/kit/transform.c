/* Functions of a transformed system, from the functions of its parts. See transform.h. */
#include "problems/kit/transform.h"

#include <shakedown/distance.h>

#include <string.h>

#define CALL(part, function, ...)                                                                  \
  ((part)->inner.system.function((part)->inner.system.context, __VA_ARGS__))

/* ---- coordinates ---- */

static void turn_block(real *out, const struct shk_turned *b, const real *in, real factor)
{
  for (int i = 0; i < b->size; i++) {
    real sum = 0;
    for (int j = 0; j < b->size; j++)
      sum += b->turn[i][j] * in[b->inner[j]];
    out[b->outer[i]] = factor * sum;
  }
}

/* out <- factor T in */
static void turn(real *out, const struct shk_transform *s, const real *in, real factor)
{
  for (int k = 0; k < s->block_count; k++)
    turn_block(out, &s->blocks[k], in, factor);
}

/* out <- factor Tᵀ in */
static void turn_back(real *out, const struct shk_transform *s, const real *in, real factor)
{
  for (int k = 0; k < s->block_count; k++) {
    const struct shk_turned *b = &s->blocks[k];
    for (int j = 0; j < b->size; j++) {
      real sum = 0;
      for (int i = 0; i < b->size; i++)
        sum += b->turn[i][j] * in[b->outer[i]];
      out[b->inner[j]] = factor * sum;
    }
  }
}

/* out <- factor T in Tᵀ; rows of both are `stride` apart. */
static void turn_matrix(real *out, int stride, const struct shk_transform *s, const real *in,
                        real factor)
{
  for (int k = 0; k < s->block_count; k++) {
    const struct shk_turned *b = &s->blocks[k];
    for (int i = 0; i < b->size; i++) {
      memset(s->x, 0, (size_t)s->n * sizeof(real));
      for (int j = 0; j < b->size; j++)
        for (int l = 0; l < s->n; l++)
          s->x[l] += b->turn[i][j] * in[(size_t)b->inner[j] * (size_t)stride + (size_t)l];
      turn(out + (size_t)b->outer[i] * (size_t)stride, s, s->x, factor);
    }
  }
}

static const struct shk_transform *of(const struct shk_instance *instance)
{
  return instance->system.context;
}

void shk_transform_state(const struct shk_instance *transformed, real *q_out, real *p_out,
                         const real *q, const real *p)
{
  const struct shk_transform *s = of(transformed);
  if (q_out)
    turn(q_out, s, q, s->length);
  if (p_out)
    turn(p_out, s, p, s->momentum);
}

void shk_transform_back(const struct shk_instance *transformed, real *q_out, real *p_out,
                        const real *q, const real *p)
{
  const struct shk_transform *s = of(transformed);
  if (q_out)
    turn_back(q_out, s, q, 1 / s->length);
  if (p_out)
    turn_back(p_out, s, p, 1 / s->momentum);
}

void shk_transform_multipliers(const struct shk_instance *transformed, real *lambda_out,
                               const real *lambda)
{
  const struct shk_transform *s = of(transformed);
  for (int i = 0; i < s->rows; i++)
    lambda_out[s->row[i]] = s->factor[i] * lambda[i] / s->energy;
}

real shk_transform_time(const struct shk_instance *transformed)
{
  return of(transformed)->time;
}

/* Returns the first part's t; leaves the parts' q and p (NULL: not needed) in the work space. */
static real inside(const struct shk_transform *s, real t, const real *q, const real *p)
{
  turn_back(s->q, s, q, 1 / s->length);
  if (p)
    turn_back(s->p, s, p, 1 / s->momentum);
  return (t - s->shift) / s->time;
}

/* Leaves the parts' q, and the direction of a velocity if there is one, in the work space. */
static const real *inside_at(const struct shk_transform *s, const real *q, const real *v)
{
  turn_back(s->q, s, q, 1 / s->length);
  if (v)
    turn_back(s->v, s, v, 1);
  return s->q;
}

/* ---- H and forces ---- */

/* Function with one value: the sum over the parts that have it. */
#define SUM(function, PARAMETERS, t, p, ...)                                                       \
  static int function PARAMETERS                                                                   \
  {                                                                                                \
    const struct shk_transform *s = context;                                                       \
    const real time = inside(s, t, q, p);                                                          \
    int code = 0;                                                                                  \
    *value = 0;                                                                                    \
    SHK_EACH_PART(s, part)                                                                         \
    {                                                                                              \
      real own = 0;                                                                                \
      if (code == 0 && part->inner.system.function)                                                \
        code = CALL(part, function, &own, time + part->later, s->q + part->q_at, ##__VA_ARGS__);   \
      *value += own;                                                                               \
    }                                                                                              \
    *value *= s->energy;                                                                           \
    return code;                                                                                   \
  }
SUM(potential, (const void *context, real *value, real t, const real *q), t, NULL)
SUM(hamiltonian, (const void *context, real *value, real t, const real *q, const real *p), t, p,
    s->p + part->q_at)

/* Function with n values: part by part, zeros where a part does not have it. */
#define VECTOR(function, unit, PARAMETERS, p, ...)                                                 \
  static int function PARAMETERS                                                                   \
  {                                                                                                \
    const struct shk_transform *s = context;                                                       \
    const real time = inside(s, t, q, p);                                                          \
    int code = 0;                                                                                  \
    memset(s->x, 0, (size_t)s->n * sizeof(real));                                                  \
    SHK_EACH_PART(s, part)                                                                         \
    if (code == 0 && part->inner.system.function)                                                  \
      code = CALL(part, function, s->x + part->q_at, time + part->later, s->q + part->q_at,        \
                  ##__VA_ARGS__);                                                                  \
    turn(out, s, s->x, unit);                                                                      \
    return code;                                                                                   \
  }
#define OF_STATE (const void *context, real *out, real t, const real *q, const real *p)
VECTOR(gradient, s->force, (const void *context, real *out, real t, const real *q), NULL)
VECTOR(hamiltonian_q, s->force, OF_STATE, p, s->p + part->q_at)
VECTOR(hamiltonian_p, s->length / s->time, OF_STATE, p, s->p + part->q_at)
VECTOR(force, s->force, OF_STATE, p, s->p + part->q_at)

/* Copies a part's matrix, with rows `own_stride` apart, to its block of a matrix
 * with rows `stride` apart. */
static void put_block(real *out, int stride, const struct shk_component *part, const real *own,
                      int own_stride)
{
  const int n = part->inner.system.n;
  for (int i = 0; i < n; i++)
    memcpy(out + (size_t)(part->q_at + i) * (size_t)stride + part->q_at,
           own + (size_t)i * (size_t)own_stride, (size_t)n * sizeof(real));
}

static int hessian(const void *context, real *out, real t, const real *q, const real *p)
{
  const struct shk_transform *s = context;
  const size_t n = (size_t)s->n;
  const real time = inside(s, t, q, p), unit[2] = {s->length, s->momentum};
  int code = 0;
  memset(s->matrix, 0, 4 * n * n * sizeof(real));
  SHK_EACH_PART(s, part)
  {
    const size_t own = (size_t)part->inner.system.n;
    if (code == 0)
      code = CALL(part, hessian, s->part_matrix, time + part->later, s->q + part->q_at,
                  s->p + part->q_at);
    for (size_t a = 0; a < 2; a++)
      for (size_t b = 0; b < 2; b++)
        put_block(s->matrix + a * n * 2 * n + b * n, 2 * s->n, part,
                  s->part_matrix + a * own * 2 * own + b * own, 2 * (int)own);
  }
  for (size_t a = 0; a < 2; a++)
    for (size_t b = 0; b < 2; b++) {
      const size_t corner = a * n * 2 * n + b * n;
      turn_matrix(out + corner, 2 * s->n, s, s->matrix + corner, s->energy / (unit[a] * unit[b]));
    }
  return code;
}

static int force_gradients(const void *context, real *Q_q, real *Q_p, real t, const real *q,
                           const real *p)
{
  const struct shk_transform *s = context;
  const size_t square = (size_t)s->n * (size_t)s->n;
  const real time = inside(s, t, q, p);
  int code = 0;
  memset(s->matrix, 0, 2 * square * sizeof(real));
  SHK_EACH_PART(s, part)
  {
    const int own = part->inner.system.n;
    if (code != 0 || !part->inner.system.force_gradients)
      continue;
    code = CALL(part, force_gradients, s->part_matrix, s->part_matrix + square, time + part->later,
                s->q + part->q_at, s->p + part->q_at);
    put_block(s->matrix, s->n, part, s->part_matrix, own);
    put_block(s->matrix + square, s->n, part, s->part_matrix + square, own);
  }
  turn_matrix(Q_q, s->n, s, s->matrix, s->force / s->length);
  turn_matrix(Q_p, s->n, s, s->matrix + square, s->force / s->momentum);
  return code;
}

static int potential_hessian(const void *context, real *out, real t, const real *q)
{
  const struct shk_transform *s = context;
  const real time = inside(s, t, q, NULL);
  int code = 0;
  memset(s->matrix, 0, (size_t)s->n * (size_t)s->n * sizeof(real));
  SHK_EACH_PART(s, part)
  {
    if (code == 0)
      code = CALL(part, potential_hessian, s->part_matrix, time + part->later, s->q + part->q_at);
    put_block(s->matrix, s->n, part, s->part_matrix, part->inner.system.n);
  }
  turn_matrix(out, s->n, s, s->matrix, s->energy / (s->length * s->length));
  return code;
}

/* M, or the product of its derivatives with a vector. */
#define MASS(function, unit, PARAMETERS, ...)                                                      \
  static int function PARAMETERS                                                                   \
  {                                                                                                \
    const struct shk_transform *s = context;                                                       \
    int code = 0;                                                                                  \
    memset(s->matrix, 0, (size_t)s->n *(size_t)s->n * sizeof(real));                               \
    SHK_EACH_PART(s, part)                                                                         \
    {                                                                                              \
      if (code == 0)                                                                               \
        code = CALL(part, function, s->part_matrix, __VA_ARGS__);                                  \
      put_block(s->matrix, s->n, part, s->part_matrix, part->inner.system.n);                      \
    }                                                                                              \
    turn_matrix(out, s->n, s, s->matrix, unit);                                                    \
    return code;                                                                                   \
  }
#define ALONG (const void *context, real *out, const real *q, const real *v)
MASS(mass_matrix, s->mass, (const void *context, real *out, const real *q),
     inside_at(s, q, NULL) + part->q_at)
MASS(mass_gradient, s->mass / s->length, ALONG, inside_at(s, q, v) + part->q_at, s->v + part->q_at)
MASS(mass_curvature, s->mass / (s->length * s->length), ALONG, inside_at(s, q, v) + part->q_at,
     s->v + part->q_at)

/* ---- constraints ---- */

/* Evaluates g of all parts, and G if `jacobian`, at the q in the work space. */
static int find_constraints(const struct shk_transform *s, real time, bool jacobian)
{
  int code = 0;
  SHK_EACH_PART(s, part)
  {
    if (code == 0)
      code = CALL(part, constraint, s->g + part->row_at, time + part->later, s->q + part->q_at);
    if (code == 0 && jacobian)
      code =
          CALL(part, jacobian, s->values + part->entry_at, time + part->later, s->q + part->q_at);
  }
  return code;
}

/* Returns the derivative of c (g + a g²) of row i with respect to g. */
static real slope_of(const struct shk_transform *s, int i)
{
  return s->factor[i] * (1 + 2 * s->bend[i] * s->g[s->row[i]]);
}

static int constraint(const void *context, real *g, real t, const real *q)
{
  const struct shk_transform *s = context;
  const int code = find_constraints(s, inside(s, t, q, NULL), false);
  for (int i = 0; i < s->rows; i++) {
    const real own = s->g[s->row[i]];
    g[i] = s->factor[i] * (own + s->bend[i] * own * own);
  }
  return code;
}

static int jacobian(const void *context, real *values, real t, const real *q)
{
  const struct shk_transform *s = context;
  const int code = find_constraints(s, inside(s, t, q, NULL), true);
  for (int i = 0; i < s->rows; i++) {
    const int row = s->row[i];
    for (int k = s->touched_from[i]; k < s->touched_from[i + 1]; k++)
      for (int j = 0; j < s->blocks[s->touched[k]].size; j++)
        s->x[s->blocks[s->touched[k]].inner[j]] = 0;
    for (int k = s->inner_start[row]; k < s->inner_start[row + 1]; k++)
      s->x[s->inner_columns[k]] = s->values[k];
    for (int k = s->touched_from[i]; k < s->touched_from[i + 1]; k++)
      turn_block(s->y, &s->blocks[s->touched[k]], s->x, slope_of(s, i) / s->length);
    for (int k = s->row_start[i]; k < s->row_start[i + 1]; k++)
      values[k] = s->y[s->columns[k]];
  }
  return code;
}

/* Stores g_t of all parts in `rate`. */
static int find_rate(const struct shk_transform *s, real time)
{
  int code = 0;
  memset(s->rate, 0, (size_t)s->m * sizeof(real));
  SHK_EACH_PART(s, part)
  if (code == 0 && part->inner.system.constraint_rate)
    code =
        CALL(part, constraint_rate, s->rate + part->row_at, time + part->later, s->q + part->q_at);
  return code;
}

/* With g' the rate: c ((1 + 2 a g) g'' + 2 a g'²), times the square of the unit of time. */
static int curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  const struct shk_transform *s = context;
  const real time = inside(s, t, q, NULL), unit = s->time * s->time;
  turn_back(s->v, s, v, s->time / s->length);
  int code = find_constraints(s, time, true);
  if (code == 0)
    code = find_rate(s, time);
  for (int i = 0; i < s->m; i++)
    for (int k = s->inner_start[i]; k < s->inner_start[i + 1]; k++)
      s->rate[i] += s->values[k] * s->v[s->inner_columns[k]];
  SHK_EACH_PART(s, part)
  if (code == 0)
    code = CALL(part, curvature, s->values + part->row_at, time + part->later, s->q + part->q_at,
                s->v + part->q_at);
  for (int i = 0; i < s->rows; i++) {
    const real rate = s->rate[s->row[i]];
    out[i] = (slope_of(s, i) * s->values[s->row[i]] + 2 * s->factor[i] * s->bend[i] * rate * rate) /
             unit;
  }
  return code;
}

static int constraint_rate(const void *context, real *g_t, real t, const real *q)
{
  const struct shk_transform *s = context;
  const real time = inside(s, t, q, NULL);
  int code = find_constraints(s, time, false);
  if (code == 0)
    code = find_rate(s, time);
  for (int i = 0; i < s->rows; i++)
    g_t[i] = slope_of(s, i) * s->rate[s->row[i]] / s->time;
  return code;
}

/* ---- start, exact solution, invariants ---- */

static int start(const void *context, real *q, real *p)
{
  const struct shk_transform *s = context;
  int code = 0;
  SHK_EACH_PART(s, part)
  if (code == 0)
    code = part->inner.start(part->inner.system.context, s->q + part->q_at, s->p + part->q_at);
  turn(q, s, s->q, s->length);
  turn(p, s, s->p, s->momentum);
  return code;
}

static int exact(const void *context, real *q, real *p, real *lambda, real t)
{
  const struct shk_transform *s = context;
  const real time = (t - s->shift) / s->time;
  int code = 0;
  SHK_EACH_PART(s, part)
  if (code == 0)
    code = part->inner.exact(part->inner.system.context, s->q + part->q_at, s->p + part->q_at,
                             s->g + part->row_at, time + part->later);
  turn(q, s, s->q, s->length);
  turn(p, s, s->p, s->momentum);
  for (int i = 0; i < s->rows; i++)
    lambda[i] = s->share[i] * (s->energy * s->g[s->row[i]] / s->factor[i]);
  return code;
}

/* Instance of a transform of one part. */
#define ALONE(s) (&(s)->parts[0].inner)

static int invariants(const void *context, real *values, real t, const real *q, const real *p)
{
  const struct shk_transform *s = context;
  const real time = inside(s, t, q, p);
  return ALONE(s)->invariants(ALONE(s)->system.context, values, time, s->q, s->p);
}

static int branch(const void *context, real *values, real t, const real *q, const real *p)
{
  const struct shk_transform *s = context;
  const real time = inside(s, t, q, p);
  return ALONE(s)->branch(ALONE(s)->system.context, values, time, s->q, s->p);
}

static int crossings(const void *context, real *times, int limit, real until)
{
  const struct shk_transform *s = context;
  const int count =
      ALONE(s)->crossings(ALONE(s)->system.context, times, limit, (until - s->shift) / s->time);
  for (int i = 0; i < count && i < limit; i++)
    times[i] = s->time * times[i] + s->shift;
  return count;
}

static void adopt(struct shk_instance *instance, const real *q, const real *p)
{
  struct shk_transform *const s = (struct shk_transform *)of(instance);
  shk_transform_back(instance, s->q, s->p, q, p);
  ALONE(s)->adopt(ALONE(s), s->q, s->p);
}

static int place(const void *context, real *positions, real t, const real *q)
{
  const struct shk_transform *s = context;
  const struct shk_picture *picture = ALONE(s)->picture;
  const real time = inside(s, t, q, NULL);
  if (picture->place)
    return picture->place(ALONE(s)->system.context, positions, time, s->q);
  memcpy(positions, s->q, (size_t)(picture->point_count * picture->dimension) * sizeof(real));
  return 0;
}

/* ---- creation ---- */

static void fill_system(struct shk_transform *s, struct shk_system *system)
{
  const struct shk_system *const a = &s->parts[0].inner.system, *const b =
                                                                    &s->parts[s->part_count - 1]
                                                                         .inner.system;
#define EITHER(name) .name = a->name || b->name ? name : NULL
#define BOTH(name) .name = a->name && b->name ? name : NULL
  *system = (struct shk_system){.struct_size = sizeof *system,
                                .n = s->n,
                                .m = s->rows,
                                .features = a->features | b->features,
                                .context = s,
                                .mass = a->mass ? s->masses : NULL,
                                .row_start = s->row_start,
                                .columns = s->columns,
                                .constraint_scale = s->scale,
                                .autonomous = a->autonomous && b->autonomous,
                                BOTH(constraint),
                                BOTH(jacobian),
                                BOTH(curvature),
                                EITHER(potential),
                                EITHER(gradient),
                                BOTH(hamiltonian),
                                BOTH(hamiltonian_q),
                                BOTH(hamiltonian_p),
                                BOTH(hessian),
                                EITHER(constraint_rate),
                                EITHER(force),
                                EITHER(force_gradients),
                                BOTH(mass_matrix),
                                BOTH(mass_gradient),
                                BOTH(mass_curvature),
                                BOTH(potential_hessian)};
#undef EITHER
#undef BOTH
}

/* Passes on the exact solution, invariants and branches of a single part. */
static void hand_on(struct shk_transform *s, struct shk_instance *instance)
{
  const struct shk_instance *const inner = ALONE(s);
#define HANDED_ON(name) instance->name = inner->name ? name : NULL
  HANDED_ON(invariants);
  HANDED_ON(branch);
  HANDED_ON(crossings);
  HANDED_ON(adopt);
#undef HANDED_ON
  instance->invariant_count = inner->invariant_count;
  instance->invariant_names = inner->invariant_names;
  instance->branch_count = inner->branch_count;
  instance->branch_names = inner->branch_names;
  instance->undecidable = inner->undecidable;
  if (inner->picture) {
    s->picture = *inner->picture;
    s->picture.place = place;
    instance->picture = &s->picture;
  }
}

struct shk_status shk_transform_end(struct shk_transform *s, struct shk_instance *instance)
{
  const struct shk_instance *const a = ALONE(s), *const b = &s->parts[s->part_count - 1].inner;
  const real horizon = real_min(a->horizon, b->horizon);
  SHK_TRY(shk_transform_lay_out(s, instance->workspace));
  fill_system(s, &instance->system);
  instance->start = start;
  instance->exact = a->exact && b->exact ? exact : NULL;
  instance->initial_time = s->time * a->initial_time + s->shift;
  instance->time_scale = s->time * real_min(a->time_scale, b->time_scale);
  instance->horizon = s->time == 1 ? horizon : shk_short_decimal(s->time * horizon);
  if (s->part_count == 1)
    hand_on(s, instance);
  return shk_ok();
}
