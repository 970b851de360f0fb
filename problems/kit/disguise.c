/* A problem seen through a disguise; see disguise.h. */
#include "problems/kit/disguise.h"
#include "problems/kit/disguise_drawn.h"

#include <shakedown/distance.h>

#include <string.h>

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
static void turn(real *out, const struct shk_disguise *s, const real *in, real factor)
{
  for (int k = 0; k < s->block_count; k++)
    turn_block(out, &s->blocks[k], in, factor);
}

/* out <- factor Tᵀ in */
static void turn_back(real *out, const struct shk_disguise *s, const real *in, real factor)
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

/* out (rows `stride` apart) <- factor T in Tᵀ, in with rows `in_stride` apart. */
static void turn_matrix(real *out, int stride, const struct shk_disguise *s, const real *in,
                        int in_stride, real factor)
{
  const int n = SYSTEM.n;
  for (int k = 0; k < s->block_count; k++) {
    const struct shk_turned *b = &s->blocks[k];
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

void shk_disguise_multipliers(const struct shk_instance *disguised, real *lambda_out,
                              const real *lambda)
{
  const struct shk_disguise *s = worn(disguised);
  for (int i = 0; i < SYSTEM.m; i++)
    lambda_out[s->row[i]] = s->factor[i] * lambda[i] / s->energy;
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
    for (int k = s->wrapped->pattern.row_start[row]; k < s->wrapped->pattern.row_start[row + 1];
         k++)
      s->x[s->wrapped->pattern.columns[k]] = s->values[k];
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
    for (int k = s->wrapped->pattern.row_start[i]; k < s->wrapped->pattern.row_start[i + 1]; k++)
      s->rate[i] += s->values[k] * v[s->wrapped->pattern.columns[k]];
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
  const int code = s->wrapped->inner.start(CONTEXT, s->q, s->p);
  turn(q, s, s->q, s->length);
  turn(p, s, s->p, s->momentum);
  return code;
}

static int exact(const void *context, real *q, real *p, real *lambda, real t)
{
  const struct shk_disguise *s = context;
  const int code = s->wrapped->inner.exact(CONTEXT, s->q, s->p, s->g, (t - s->shift) / s->time);
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
  return s->wrapped->inner.invariants(CONTEXT, values, own, s->q, s->p);
}

static int branch(const void *context, real *values, real t, const real *q, const real *p)
{
  const struct shk_disguise *s = context;
  const real own = inside(s, t, q, p);
  return s->wrapped->inner.branch(CONTEXT, values, own, s->q, s->p);
}

static int crossings(const void *context, real *times, int limit, real until)
{
  const struct shk_disguise *s = context;
  const int count =
      s->wrapped->inner.crossings(CONTEXT, times, limit, (until - s->shift) / s->time);
  for (int i = 0; i < count && i < limit; i++)
    times[i] = s->time * times[i] + s->shift;
  return count;
}

static void adopt(struct shk_instance *instance, const real *q, const real *p)
{
  const struct shk_disguise *s = worn(instance);
  shk_disguise_take_off(instance, s->q, s->p, q, p);
  shk_wrapped_adopt(s->wrapped, s->q, s->p);
}

static int draw_points(const void *context, real *positions, real t, const real *q)
{
  const struct shk_disguise *s = context;
  return shk_wrapped_place(s->wrapped, positions, inside(s, t, q, NULL), s->q);
}

/* ---- creation ---- */

static struct shk_status allocate_scratch(struct shk_disguise *s, struct shk_workspace *workspace)
{
  const size_t n = (size_t)SYSTEM.n, m = (size_t)SYSTEM.m;
  const size_t entries = (size_t)s->wrapped->pattern.row_start[SYSTEM.m];
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

struct shk_status shk_disguise_make(struct shk_instance *instance, struct shk_wrapped *wrapped,
                                    const struct shk_disguise_choice *choice)
{
  struct shk_workspace *const workspace = instance->workspace;
  const struct shk_instance *const inner = &wrapped->inner;
  struct shk_disguise *const s = shk_memory(workspace, sizeof *s);
  if (!s)
    return shk_no_memory();
  s->wrapped = wrapped;
  take_units(s, choice);
  SHK_TRY(allocate_scratch(s, workspace));
  SHK_TRY(shk_disguise_draw(s, workspace, choice));
  static const struct shk_instance ours = {.system = {SHK_WRAPPED_SYSTEM(SHK_WRAPPED_OWN)},
                                           SHK_WRAPPED_INSTANCE(SHK_WRAPPED_OWN)};
  shk_wrap(instance, wrapped, &ours, s, draw_points);
  struct shk_system *const system = &instance->system;
  system->mass = SYSTEM.mass ? s->mass : NULL;
  system->row_start = s->row_start;
  system->columns = s->columns;
  system->constraint_scale = s->scale;
  system->autonomous = SYSTEM.autonomous;
  instance->initial_time = s->time * inner->initial_time + s->shift;
  instance->time_scale = s->time * inner->time_scale;
  instance->horizon = s->time == 1 ? inner->horizon : shk_short_decimal(s->time * inner->horizon);
  return shk_ok();
}
