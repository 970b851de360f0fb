/* The functions of a transformed system, which are composed of the functions of its parts. See
 * transform.h. */
#include "problems/kit/transform.h"

#include "problems/kit/distance.h"
#include "problems/kit/instance.h"

#include <string.h>

/* Calls a function of each part that provides the function, and stops when a call fails. */
#define EACH_PART(part)                                                                            \
  for (const struct shk_component *part = s->parts; part < s->parts + s->part_count; part++)
#define CALL_EACH(function, ...)                                                                   \
  EACH_PART(part)                                                                                  \
  if (code == 0 && part->inner.system.function)                                                    \
  code = part->inner.system.function(part->inner.system.context, __VA_ARGS__)
#define POINT time + part->later, s->q + part->q_at
#define STATE POINT, s->p + part->q_at

/* ---- coordinates ---- */

static real turned_number(const struct shk_axis *axis, const real *in)
{
  real sum = 0;
  for (int j = 0; j < axis->size; j++)
    sum += axis->turn[j] * in[axis->inner[j]];
  return sum;
}

/* out <- factor T in */
static void turn_transform(real *out, const struct shk_transform *s, const real *in, real factor)
{
  for (int i = 0; i < s->n; i++)
    out[s->axes[i].outer] = factor * turned_number(&s->axes[i], in);
}

/* out <- factor Tᵀ in */
static void turn_back(real *out, const struct shk_transform *s, const real *in, real factor)
{
  memset(out, 0, (size_t)s->n * sizeof *out);
  for (int i = 0; i < s->n; i++)
    for (int j = 0; j < s->axes[i].size; j++)
      out[s->axes[i].inner[j]] += s->axes[i].turn[j] * in[s->axes[i].outer];
  for (int i = 0; i < s->n; i++)
    out[i] = factor * out[i];
}

/* Returns the address of a part's matrices. The matrices of the preceding parts are at most
 * (2n)x(2n), where n is the number of their coordinates. */
static real *matrix_of(const struct shk_transform *s, const struct shk_component *part)
{
  return s->part_matrices + 4 * (size_t)part->q_at * (size_t)part->q_at;
}

/* Stores factor T A Tᵀ in out. The diagonal blocks of A are the parts' matrices, which begin at the
 * offset `skip` in the memory of each part. `wide` is 1, or 2 if the matrices consist of two by two
 * blocks for q and p. In the latter case, each block is divided by its units. */
static void turn_matrix(real *out, const struct shk_transform *s, size_t skip, size_t wide,
                        real factor)
{
  const size_t n = (size_t)s->n;
  const real units[2] = {s->length, s->momentum};
  for (size_t block = 0; block < wide * wide; block++) {
    const size_t a = block / wide, b = block % wide;
    memset(s->matrix, 0, n * n * sizeof(real));
    EACH_PART(part)
    {
      const size_t own = (size_t)part->inner.system.n, at = (size_t)part->q_at;
      for (size_t i = 0; i < own; i++)
        memcpy(s->matrix + (at + i) * n + at,
               matrix_of(s, part) + skip + ((a * own + i) * wide + b) * own, own * sizeof(real));
    }
    for (int k = 0; k < s->n; k++) {
      const struct shk_axis *const axis = &s->axes[k];
      memset(s->x, 0, n * sizeof(real));
      for (int j = 0; j < axis->size; j++)
        for (size_t l = 0; l < n; l++)
          s->x[l] += axis->turn[j] * s->matrix[(size_t)axis->inner[j] * n + l];
      turn_transform(out + ((a * n + (size_t)axis->outer) * wide + b) * n, s, s->x,
                     wide == 1 ? factor : factor / (units[a] * units[b]));
    }
  }
}

/* Returns the time t of the first part. Stores the q of all parts in the work space and, if p and v
 * are not NULL, also their p and the direction v, which is not rescaled. */
static real state_inside(const struct shk_transform *s, real t, const real *q, const real *p,
                         const real *v)
{
  turn_back(s->q, s, q, 1 / s->length);
  if (p)
    turn_back(s->p, s, p, 1 / s->momentum);
  if (v)
    turn_back(s->v, s, v, 1);
  return (t - s->shift) / s->time;
}

static void change_state(const void *context, bool back, real *q_out, real *p_out, const real *q,
                         const real *p)
{
  const struct shk_transform *s = context;
  if (back) {
    turn_back(q_out, s, q, 1 / s->length);
    turn_back(p_out, s, p, 1 / s->momentum);
  } else {
    turn_transform(q_out, s, q, s->length);
    turn_transform(p_out, s, p, s->momentum);
  }
}

static void change_multipliers(const void *context, real *out, const real *lambda)
{
  const struct shk_transform *s = context;
  for (int i = 0; i < s->rows; i++)
    out[s->row[i]] = s->factor[i] * lambda[i] / s->energy;
}

/* ---- H and forces ---- */

/* Defines a function with a single value, which is the sum over the parts. */
#define SCALAR(function, PARAMETERS, p, ...)                                                       \
  static int function PARAMETERS                                                                   \
  {                                                                                                \
    const struct shk_transform *s = context;                                                       \
    const real time = state_inside(s, t, q, p, NULL);                                              \
    real own[SHK_PARTS] = {0, 0};                                                                  \
    int code = 0;                                                                                  \
    CALL_EACH(function, &own[part - s->parts], __VA_ARGS__);                                       \
    *value = s->energy * (own[0] + own[1]);                                                        \
    return code;                                                                                   \
  }
SCALAR(potential, (const void *context, real *value, real t, const real *q), NULL, POINT)
SCALAR(hamiltonian, (const void *context, real *value, real t, const real *q, const real *p), p,
       STATE)

/* Defines a function whose n values are stored part by part. The values of a part that does not
 * provide the function are zero. */
#define VECTOR(function, unit, PARAMETERS, p, ...)                                                 \
  static int function PARAMETERS                                                                   \
  {                                                                                                \
    const struct shk_transform *s = context;                                                       \
    const real time = state_inside(s, t, q, p, NULL);                                              \
    int code = 0;                                                                                  \
    memset(s->x, 0, (size_t)s->n * sizeof(real));                                                  \
    CALL_EACH(function, s->x + part->q_at, __VA_ARGS__);                                           \
    turn_transform(out, s, s->x, unit);                                                            \
    return code;                                                                                   \
  }
#define OF_STATE (const void *context, real *out, real t, const real *q, const real *p)
VECTOR(gradient, s->force, (const void *context, real *out, real t, const real *q), NULL, POINT)
VECTOR(hamiltonian_q, s->force, OF_STATE, p, STATE)
VECTOR(hamiltonian_p, s->length / s->time, OF_STATE, p, STATE)
VECTOR(force, s->force, OF_STATE, p, STATE)

/* Defines a function with n x n values, or the Hessian of H(q,p). */
#define MATRIX(function, wide, unit, PARAMETERS, t, p, v, ...)                                     \
  static int function PARAMETERS                                                                   \
  {                                                                                                \
    const struct shk_transform *s = context;                                                       \
    const real time = state_inside(s, t, q, p, v);                                                 \
    int code = 0;                                                                                  \
    (void)time;                                                                                    \
    CALL_EACH(function, matrix_of(s, part), __VA_ARGS__);                                          \
    turn_matrix(out, s, 0, wide, unit);                                                            \
    return code;                                                                                   \
  }
#define ALONG (const void *context, real *out, const real *q, const real *v)
MATRIX(hessian, 2, s->energy, OF_STATE, t, p, NULL, STATE)
MATRIX(potential_hessian, 1, s->energy / (s->length * s->length),
       (const void *context, real *out, real t, const real *q), t, NULL, NULL, POINT)
MATRIX(mass_matrix, 1, s->mass, (const void *context, real *out, const real *q), 0, NULL, NULL,
       s->q + part->q_at)
MATRIX(mass_gradient, 1, s->mass / s->length, ALONG, 0, NULL, v, s->q + part->q_at,
       s->v + part->q_at)
MATRIX(mass_curvature, 1, s->mass / (s->length * s->length), ALONG, 0, NULL, v, s->q + part->q_at,
       s->v + part->q_at)

static int force_gradients(const void *context, real *Q_q, real *Q_p, real t, const real *q,
                           const real *p)
{
  const struct shk_transform *s = context;
  const size_t all = 4 * (size_t)s->n * (size_t)s->n;
  const real time = state_inside(s, t, q, p, NULL);
  int code = 0;
  /* parts without forces do not set their matrices */
  memset(s->part_matrices, 0, 2 * all * sizeof(real));
  CALL_EACH(force_gradients, matrix_of(s, part), matrix_of(s, part) + all, STATE);
  turn_matrix(Q_q, s, 0, 1, s->force / s->length);
  turn_matrix(Q_p, s, all, 1, s->force / s->momentum);
  return code;
}

/* ---- constraints ---- */

/* Evaluates g of all parts at the q stored in the work space, and also G and g_t if requested. */
static int find_constraints(const struct shk_transform *s, real time, bool jacobian, bool rate)
{
  int code = 0;
  memset(s->rate, 0, (size_t)s->m * sizeof(real));
  CALL_EACH(constraint, s->g + part->row_at, POINT);
  if (jacobian)
    CALL_EACH(jacobian, s->values + part->entry_at, POINT);
  if (rate)
    CALL_EACH(constraint_rate, s->rate + part->row_at, POINT);
  return code;
}

/* Returns the derivative with respect to g of c (g + a g²) for row i. */
static real slope_of(const struct shk_transform *s, int i)
{
  return s->factor[i] * (1 + 2 * s->bend[i] * s->g[s->row[i]]);
}

static int constraint(const void *context, real *g, real t, const real *q)
{
  const struct shk_transform *s = context;
  const int code = find_constraints(s, state_inside(s, t, q, NULL, NULL), false, false);
  for (int i = 0; i < s->rows; i++) {
    const real own = s->g[s->row[i]];
    g[i] = s->factor[i] * (own + s->bend[i] * own * own);
  }
  return code;
}

static int jacobian(const void *context, real *values, real t, const real *q)
{
  const struct shk_transform *s = context;
  const int code = find_constraints(s, state_inside(s, t, q, NULL, NULL), true, false);
  memset(s->x, 0, (size_t)s->n * sizeof(real));
  for (int i = 0; i < s->rows; i++) {
    const int from = s->inner_start[s->row[i]], to = s->inner_start[s->row[i] + 1];
    for (int k = from; k < to; k++)
      s->x[s->inner_columns[k]] = s->values[k];
    for (int k = s->row_start[i]; k < s->row_start[i + 1]; k++)
      values[k] =
          slope_of(s, i) / s->length * turned_number(&s->axes[s->axis[s->columns[k]]], s->x);
    for (int k = from; k < to; k++)
      s->x[s->inner_columns[k]] = 0;
  }
  return code;
}

/* Stores c ((1 + 2 a g) g'' + 2 a g'²), where g' is `rate`, divided by the square of the time
 * unit. */
static int curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  const struct shk_transform *s = context;
  const real time = state_inside(s, t, q, NULL, NULL), unit = s->time * s->time;
  turn_back(s->v, s, v, s->time / s->length);
  int code = find_constraints(s, time, true, true);
  for (int i = 0; i < s->m; i++)
    for (int k = s->inner_start[i]; k < s->inner_start[i + 1]; k++)
      s->rate[i] += s->values[k] * s->v[s->inner_columns[k]];
  CALL_EACH(curvature, s->values + part->row_at, POINT, s->v + part->q_at);
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
  const int code = find_constraints(s, state_inside(s, t, q, NULL, NULL), false, true);
  for (int i = 0; i < s->rows; i++)
    g_t[i] = slope_of(s, i) * s->rate[s->row[i]] / s->time;
  return code;
}

/* ---- initial state and exact solution; for a single part also invariants, branches and picture
 * ---- */

static int start_transform(const void *context, real *q, real *p)
{
  const struct shk_transform *s = context;
  int code = 0;
  EACH_PART(part)
  if (code == 0)
    code = part->inner.start(part->inner.system.context, s->q + part->q_at, s->p + part->q_at);
  change_state(s, false, q, p, s->q, s->p);
  return code;
}

static int exact(const void *context, real *q, real *p, real *lambda, real t)
{
  const struct shk_transform *s = context;
  const real time = (t - s->shift) / s->time;
  int code = 0;
  EACH_PART(part)
  if (code == 0)
    code = part->inner.exact(part->inner.system.context, s->q + part->q_at, s->p + part->q_at,
                             s->g + part->row_at, time + part->later);
  change_state(s, false, q, p, s->q, s->p);
  for (int i = 0; i < s->rows; i++)
    lambda[i] = s->share[i] * (s->energy * s->g[s->row[i]] / s->factor[i]);
  return code;
}

#define ALONE(s) (&(s)->parts[0].inner)
#define OF_PART(function)                                                                          \
  static int function(const void *context, real *values, real t, const real *q, const real *p)     \
  {                                                                                                \
    const struct shk_transform *s = context;                                                       \
    const real time = state_inside(s, t, q, p, NULL);                                              \
    return ALONE(s)->function(ALONE(s)->system.context, values, time, s->q, s->p);                 \
  }
OF_PART(invariants)
OF_PART(branch)

static int crossings(const void *context, real *times, int limit, real until)
{
  const struct shk_transform *s = context;
  const int count =
      ALONE(s)->crossings(ALONE(s)->system.context, times, limit, (until - s->shift) / s->time);
  for (int i = 0; i < count && i < limit; i++)
    times[i] = s->time * times[i] + s->shift;
  return count;
}

static void adopt_transform(struct shk_instance *instance, const real *q, const real *p)
{
  struct shk_transform *const s = (struct shk_transform *)instance->system.context;
  change_state(s, true, s->q, s->p, q, p);
  ALONE(s)->adopt(ALONE(s), s->q, s->p);
}

static int place_transform(const void *context, real *positions, real t, const real *q)
{
  const struct shk_transform *s = context;
  const struct shk_picture *picture = ALONE(s)->picture;
  const real time = state_inside(s, t, q, NULL, NULL);
  if (picture->place)
    return picture->place(ALONE(s)->system.context, positions, time, s->q);
  memcpy(positions, s->q, (size_t)(picture->point_count * picture->dimension) * sizeof(real));
  return 0;
}

/* ---- creation ---- */

/* Returns the first entry of a row of G, which is dense if there is no pattern. */
static int entry_of(const struct shk_system *system, int row)
{
  return system->row_start ? system->row_start[row] : row * system->n;
}

static void destroy_inner(void *inner)
{
  shk_instance_destroy(inner);
}

struct shk_status shk_transform_part(struct shk_transform *s, struct shk_instance *instance,
                                     const char *option)
{
  const struct shk_problem *problem = shk_values_part(instance->parameters, option);
  struct shk_component *const part = &s->parts[s->part_count];
  struct shk_instance *const inner = &part->inner;
  if (!problem)
    return shk_failure(SHK_BAD_INPUT, "there is no problem with the given name", 0, 0);
  SHK_TRY(shk_instance_create(inner, problem, shk_values_nested(instance->parameters, option)));
  SHK_TRY(shk_keep(instance->workspace, inner, destroy_inner));
  if (inner->system.features &
      (SHK_MOMENTUM_CONSTRAINT | SHK_VELOCITY_CONSTRAINT | SHK_GENERAL_DAE))
    return shk_refused("the given problem must have constraints g(q) or g(q,t)");
  part->q_at = s->n;
  part->row_at = s->m;
  part->entry_at = s->entries;
  part->later = inner->initial_time - s->parts[0].inner.initial_time;
  s->part_count++;
  s->n += inner->system.n;
  s->m += inner->system.m;
  s->entries += entry_of(&inner->system, inner->system.m);
  return shk_ok();
}

static struct shk_status allocate_transform(struct shk_transform *s,
                                            struct shk_workspace *workspace)
{
  const size_t n = (size_t)s->n, rows = (size_t)s->rows, entries = (size_t)s->entries;
  real **const reals[] = {&s->q,    &s->p,     &s->v,      &s->x,    &s->masses, &s->g,
                          &s->rate, &s->scale, &s->factor, &s->bend, &s->share};
  int **const integers[] = {&s->row,         &s->axis,      &s->block,
                            &s->inner_start, &s->row_start, &s->units};
  bool square = false;
  EACH_PART(part)
  square = square || part->inner.system.hessian || part->inner.system.mass_matrix;
  for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
    SHK_TRY(shk_reals(workspace, reals[i], n + rows));
  for (size_t i = 0; i < sizeof integers / sizeof *integers; i++)
    SHK_TRY(shk_integers(workspace, integers[i], n + rows + 1));
  SHK_TRY(shk_reals(workspace, &s->values, entries + rows));
  SHK_TRY(shk_integers(workspace, &s->inner_columns, entries));
  if (square) {
    SHK_TRY(shk_reals(workspace, &s->matrix, n * n));
    SHK_TRY(shk_reals(workspace, &s->part_matrices, 8 * n * n));
  }
  s->axes = shk_memory(workspace, n * sizeof *s->axes);
  return shk_allocated(s->axes);
}

struct shk_status shk_transform_begin(struct shk_transform *s, struct shk_workspace *workspace,
                                      int rows)
{
  s->rows = rows;
  if (s->length == 0) /* no units have been chosen */
    s->length = s->mass = s->time = 1;
  SHK_TRY(allocate_transform(s, workspace));
  for (int i = 0; i < s->n; i++)
    s->axes[i] = (struct shk_axis){.outer = i, .size = 1, .inner = {i}, .turn = {1}};
  for (int i = 0; i < rows; i++) {
    s->row[i] = i < s->m ? i : 0;
    s->factor[i] = s->share[i] = 1;
  }
  EACH_PART(part)
  {
    const struct shk_system *const own = &part->inner.system;
    for (int i = 0; i <= own->m; i++)
      s->inner_start[part->row_at + i] = part->entry_at + entry_of(own, i);
    for (int k = 0; k < entry_of(own, own->m); k++)
      s->inner_columns[part->entry_at + k] =
          part->q_at + (own->columns ? own->columns[k] : k % own->n);
  }
  return shk_ok();
}

/* Determines the columns of each row in ascending order. A row has the columns of all blocks on
 * which it depends. */
static struct shk_status find_pattern(struct shk_transform *s, struct shk_workspace *workspace)
{
  int next = 0, entries = 0, *seen; /* the last row, counted from 1, that contains each block */
  for (int i = 0; i < s->rows; i++)
    entries += s->inner_start[s->row[i] + 1] - s->inner_start[s->row[i]];
  SHK_TRY(shk_integers(workspace, &s->columns, SHK_BLOCK * (size_t)entries));
  SHK_TRY(shk_integers(workspace, &seen, (size_t)s->n));
  for (int i = 0; i < s->rows; i++) {
    for (int k = s->inner_start[s->row[i]]; k < s->inner_start[s->row[i] + 1]; k++) {
      const int block = s->block[s->inner_columns[k]];
      for (int a = 0; a < s->axes[block].size && seen[block] != i + 1; a++) {
        int at = next++;
        for (; at > s->row_start[i] && s->columns[at - 1] > s->axes[block + a].outer; at--)
          s->columns[at] = s->columns[at - 1];
        s->columns[at] = s->axes[block + a].outer;
      }
      seen[block] = i + 1;
    }
    s->row_start[i + 1] = next;
  }
  return shk_ok();
}

/* Returns the unit group of an inner coordinate. Coordinates of different parts never share a
 * group. */
static int unit_of(const struct shk_transform *s, int inner)
{
  const struct shk_component *part = s->parts + s->part_count - 1;
  while (part->q_at > inner)
    part--;
  const int *const units = part->inner.system.units;
  return part->q_at + (units ? units[inner - part->q_at] : 0);
}

/* Computes the derived units, the masses, the row scales, and the indices of axes. */
static void derive_transform(struct shk_transform *s)
{
  s->momentum = s->mass * s->length / s->time;
  s->force = s->momentum / s->time;
  s->energy = s->force * s->length;
  EACH_PART(part)
  {
    const struct shk_system *const own = &part->inner.system;
    for (int i = 0; own->mass && i < own->n; i++)
      s->x[part->q_at + i] = own->mass[i];
    for (int i = 0; i < own->m; i++)
      s->g[part->row_at + i] = own->constraint_scale ? own->constraint_scale[i] : 1;
  }
  for (int i = 0; i < s->n; i++) {
    const struct shk_axis *const axis = &s->axes[i];
    /* all coordinates of a block have the same unit */
    s->units[axis->outer] = unit_of(s, axis->inner[0]);
    const bool first = i == 0 || axis->inner[0] != s->axes[i - 1].inner[0];
    for (int j = 0; j < axis->size && first; j++)
      s->block[axis->inner[j]] = i;
    s->axis[axis->outer] = i;
    /* all coordinates of a block have the same mass */
    s->masses[axis->outer] = s->mass * s->x[axis->inner[0]];
  }
  for (int i = 0; i < s->rows; i++)
    s->scale[i] = real_fabs(s->factor[i]) * s->g[s->row[i]];
}

/* Functions that a system provides only if both parts do (OF_BOTH), and functions that it provides
 * if either part does. */
#define OF_BOTH(X)                                                                                 \
  X(constraint)                                                                                    \
  X(jacobian)                                                                                      \
  X(curvature)                                                                                     \
  X(hamiltonian)                                                                                   \
  X(hamiltonian_q)                                                                                 \
  X(hamiltonian_p) X(hessian) X(mass_matrix) X(mass_gradient) X(mass_curvature) X(potential_hessian)
#define OF_EITHER(X) X(potential) X(gradient) X(force) X(force_gradients) X(constraint_rate)

static struct shk_system system_of(struct shk_transform *s)
{
  const struct shk_system *const a = &s->parts[0].inner.system;
  const struct shk_system *const b = &s->parts[s->part_count - 1].inner.system;
  struct shk_system system = {.struct_size = sizeof system,
                              .n = s->n,
                              .m = s->rows,
                              .features = a->features | b->features,
                              .context = s,
                              .mass = a->mass ? s->masses : NULL,
                              .units = a->units || b->units ? s->units : NULL,
                              .row_start = s->row_start,
                              .columns = s->columns,
                              .constraint_scale = s->scale,
                              .autonomous = a->autonomous && b->autonomous};
#define SET_IF_BOTH(name) system.name = a->name && b->name ? name : NULL;
#define SET_IF_EITHER(name) system.name = a->name || b->name ? name : NULL;
  OF_BOTH(SET_IF_BOTH)
  OF_EITHER(SET_IF_EITHER)
  return system;
}

struct shk_status shk_transform_end(struct shk_transform *s, struct shk_instance *instance)
{
  const struct shk_instance *const a = ALONE(s), *const b = &s->parts[s->part_count - 1].inner;
  const real horizon = real_min(a->horizon, b->horizon);
  derive_transform(s);
  SHK_TRY(find_pattern(s, instance->workspace));
  s->change = (struct shk_change){s->time, change_state, change_multipliers};
  struct shk_instance made = s->part_count == 1 ? *a : (struct shk_instance){0};
  made.struct_size = sizeof made;
  made.parameters = instance->parameters;
  made.workspace = instance->workspace;
  made.system = system_of(s);
  made.initial_time = s->time * a->initial_time + s->shift;
  made.time_scale = s->time * real_min(a->time_scale, b->time_scale);
  made.horizon = s->time == 1 ? horizon : shk_short_decimal(s->time * horizon);
  made.start = start_transform;
  made.exact = a->exact && b->exact ? exact : NULL;
  made.invariants = made.invariants ? invariants : NULL;
  made.branch = made.branch ? branch : NULL;
  made.crossings = made.crossings ? crossings : NULL;
  made.adopt = made.adopt ? adopt_transform : NULL;
  /* the joints' wrenches are functions of the problem's context and coordinates */
  made.joints = NULL;
  made.change = &s->change;
  if (made.picture) {
    s->picture = *made.picture;
    s->picture.place = place_transform;
    made.picture = &s->picture;
  }
  *instance = made;
  return shk_ok();
}
