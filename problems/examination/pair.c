/*
 * Two problems side by side, of which neither knows of the other: q = (q', q"), g = (g', g"),
 * H = H' + H". It makes large systems of every kind that there is in small ones, M(q), H(q,p), forces
 * and constraints that move with time, for what is right up to some size alone; in disguise (disguised)
 * their coordinates and rows are mixed.
 *
 * Both are separable, or both have M(q), or both H(q,p); with forces a separable one gives its Hessian,
 * as any. The second begins at its own time when the first does. What only one has is zero for the
 * other. Exact where both are; invariants are not handed on.
 */
#include <shakedown/plugin.h>

#include <string.h>

enum { PARTS = 2 };

struct part {
  struct shk_instance inner;
  struct shk_evaluator pattern; /* its row_start and columns, dense or not */
  int n, m;
  int q_at, row_at, entry_at; /* where its coordinates, rows and entries of G begin */
  real later;                 /* its time less that of the pair */
};

struct pair {
  struct part part[PARTS];
  int n;
  real *matrix, *second; /* scratch: (2n)x(2n), n x n */
  int *row_start, *columns;
  real *mass, *scale;
};

#define EACH_PART(s, i) for (const struct part *i = (s)->part; i < (s)->part + PARTS; i++)
#define CALL(part, function, ...)                                                                  \
  (part)->inner.system.function((part)->inner.system.context, __VA_ARGS__)

/* A block of `size` columns (rows `size` long) on the diagonal of out, rows `stride` apart. */
static void put_block(real *out, int stride, int at_row, int at_column, const real *block, int rows,
                      int columns, int block_stride)
{
  for (int i = 0; i < rows; i++)
    memcpy(out + (size_t)(at_row + i) * (size_t)stride + at_column,
           block + (size_t)i * (size_t)block_stride, (size_t)columns * sizeof(real));
}

/* ---- H and forces ---- */

static int potential(const void *context, real *value, real t, const real *q)
{
  const struct pair *s = context;
  *value = 0;
  EACH_PART(s, part)
  {
    real own = 0;
    const int code = part->inner.system.potential
                         ? CALL(part, potential, &own, t + part->later, q + part->q_at)
                         : 0;
    if (code != 0)
      return code;
    *value += own;
  }
  return 0;
}

static int hamiltonian(const void *context, real *value, real t, const real *q, const real *p)
{
  const struct pair *s = context;
  *value = 0;
  EACH_PART(s, part)
  {
    real own;
    const int code = CALL(part, hamiltonian, &own, t + part->later, q + part->q_at, p + part->q_at);
    if (code != 0)
      return code;
    *value += own;
  }
  return 0;
}

/* A function of (t,q,p) to n numbers, or of (t,q): part by part, zeros where it has none. */
#define BY_PARTS(function, PARAMETERS, ...)                                                        \
  static int function PARAMETERS                                                                   \
  {                                                                                                \
    const struct pair *s = context;                                                                \
    EACH_PART(s, part)                                                                             \
    {                                                                                              \
      real *const to = out + part->q_at;                                                           \
      int code = 0;                                                                                \
      if (part->inner.system.function)                                                             \
        code = CALL(part, function, to, __VA_ARGS__);                                              \
      else                                                                                         \
        memset(to, 0, (size_t)part->n * sizeof *to);                                               \
      if (code != 0)                                                                               \
        return code;                                                                               \
    }                                                                                              \
    return 0;                                                                                      \
  }
BY_PARTS(gradient, (const void *context, real *out, real t, const real *q), t + part->later,
         q + part->q_at)
BY_PARTS(hamiltonian_q, (const void *context, real *out, real t, const real *q, const real *p),
         t + part->later, q + part->q_at, p + part->q_at)
BY_PARTS(hamiltonian_p, (const void *context, real *out, real t, const real *q, const real *p),
         t + part->later, q + part->q_at, p + part->q_at)
BY_PARTS(force, (const void *context, real *out, real t, const real *q, const real *p),
         t + part->later, q + part->q_at, p + part->q_at)

static int hessian(const void *context, real *out, real t, const real *q, const real *p)
{
  const struct pair *s = context;
  const int n = s->n;
  memset(out, 0, 4 * (size_t)n * (size_t)n * sizeof *out);
  EACH_PART(s, part)
  {
    const int own = part->n;
    const int code =
        CALL(part, hessian, s->matrix, t + part->later, q + part->q_at, p + part->q_at);
    if (code != 0)
      return code;
    for (int a = 0; a < 2; a++)
      for (int b = 0; b < 2; b++)
        put_block(out, 2 * n, a * n + part->q_at, b * n + part->q_at,
                  s->matrix + (size_t)(a * own) * 2 * (size_t)own + b * own, own, own, 2 * own);
  }
  return 0;
}

static int force_gradients(const void *context, real *Q_q, real *Q_p, real t, const real *q,
                           const real *p)
{
  const struct pair *s = context;
  const size_t square = (size_t)s->n * (size_t)s->n * sizeof(real);
  memset(Q_q, 0, square);
  memset(Q_p, 0, square);
  EACH_PART(s, part)
  {
    const int own = part->n;
    if (!part->inner.system.force_gradients)
      continue;
    const int code = CALL(part, force_gradients, s->matrix, s->second, t + part->later,
                          q + part->q_at, p + part->q_at);
    if (code != 0)
      return code;
    put_block(Q_q, s->n, part->q_at, part->q_at, s->matrix, own, own, own);
    put_block(Q_p, s->n, part->q_at, part->q_at, s->second, own, own, own);
  }
  return 0;
}

/* A square matrix of blocks. */
#define BLOCKS(function, PARAMETERS, ...)                                                          \
  static int function PARAMETERS                                                                   \
  {                                                                                                \
    const struct pair *s = context;                                                                \
    memset(out, 0, (size_t)s->n *(size_t)s->n * sizeof *out);                                      \
    EACH_PART(s, part)                                                                             \
    {                                                                                              \
      const int code = CALL(part, function, s->matrix, __VA_ARGS__);                               \
      if (code != 0)                                                                               \
        return code;                                                                               \
      put_block(out, s->n, part->q_at, part->q_at, s->matrix, part->n, part->n, part->n);          \
    }                                                                                              \
    return 0;                                                                                      \
  }
BLOCKS(mass_matrix, (const void *context, real *out, const real *q), q + part->q_at)
BLOCKS(mass_gradient, (const void *context, real *out, const real *q, const real *v),
       q + part->q_at, v + part->q_at)
BLOCKS(mass_curvature, (const void *context, real *out, const real *q, const real *v),
       q + part->q_at, v + part->q_at)
BLOCKS(potential_hessian, (const void *context, real *out, real t, const real *q), t + part->later,
       q + part->q_at)

/* ---- constraints ---- */

static int constraint(const void *context, real *g, real t, const real *q)
{
  const struct pair *s = context;
  int code = 0;
  EACH_PART(s, part)
  if (code == 0)
    code = CALL(part, constraint, g + part->row_at, t + part->later, q + part->q_at);
  return code;
}

static int jacobian(const void *context, real *values, real t, const real *q)
{
  const struct pair *s = context;
  int code = 0;
  EACH_PART(s, part)
  if (code == 0)
    code = CALL(part, jacobian, values + part->entry_at, t + part->later, q + part->q_at);
  return code;
}

static int curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  const struct pair *s = context;
  int code = 0;
  EACH_PART(s, part)
  if (code == 0)
    code =
        CALL(part, curvature, out + part->row_at, t + part->later, q + part->q_at, v + part->q_at);
  return code;
}

static int constraint_rate(const void *context, real *g_t, real t, const real *q)
{
  const struct pair *s = context;
  int code = 0;
  EACH_PART(s, part)
  {
    memset(g_t + part->row_at, 0, (size_t)part->m * sizeof *g_t);
    if (code == 0 && part->inner.system.constraint_rate)
      code = CALL(part, constraint_rate, g_t + part->row_at, t + part->later, q + part->q_at);
  }
  return code;
}

/* ---- what is known ---- */

static int start(const void *context, real *q, real *p)
{
  const struct pair *s = context;
  int code = 0;
  EACH_PART(s, part)
  if (code == 0)
    code = part->inner.start(part->inner.system.context, q + part->q_at, p + part->q_at);
  return code;
}

static int exact(const void *context, real *q, real *p, real *lambda, real t)
{
  const struct pair *s = context;
  int code = 0;
  EACH_PART(s, part)
  if (code == 0)
    code = part->inner.exact(part->inner.system.context, q + part->q_at, p + part->q_at,
                             lambda + part->row_at, t + part->later);
  return code;
}

/* ---- creation ---- */

static void destroy_inner(void *inner)
{
  shk_instance_destroy(inner);
}

static void clear_pattern(void *pattern)
{
  shk_evaluator_clear(pattern);
}

static struct shk_status create_part(struct part *part, struct shk_instance *instance,
                                     const char *option)
{
  const struct shk_values *values = instance->parameters;
  const struct shk_problem *problem = shk_values_part(values, option);
  if (!problem)
    return shk_failure(SHK_BAD_INPUT, "there is no problem of the name that is given", 0, 0);
  SHK_TRY(shk_instance_create(&part->inner, problem, shk_values_nested(values, option)));
  SHK_TRY(shk_keep(instance->workspace, &part->inner, destroy_inner));
  SHK_TRY(shk_evaluator_init(&part->pattern, &part->inner.system));
  SHK_TRY(shk_keep(instance->workspace, &part->pattern, clear_pattern));
  part->n = part->inner.system.n;
  part->m = part->inner.system.m;
  return shk_ok();
}

static bool are_alike(const struct shk_system *a, const struct shk_system *b)
{
  const unsigned others = SHK_MOMENTUM_CONSTRAINT | SHK_VELOCITY_CONSTRAINT | SHK_GENERAL_DAE;
  const unsigned all = a->features | b->features;
  return !(all & others) && !a->mass == !b->mass && !a->mass_matrix == !b->mass_matrix &&
         !a->hamiltonian == !b->hamiltonian &&
         (!(all & SHK_FORCES) || a->mass_matrix || (a->hessian && b->hessian));
}

static struct shk_status allocate(struct pair *s, struct shk_workspace *workspace, int m,
                                  int entries)
{
  const size_t n = (size_t)s->n;
  SHK_TRY(shk_integers(workspace, &s->row_start, (size_t)m + 1));
  SHK_TRY(shk_integers(workspace, &s->columns, (size_t)entries));
  SHK_TRY(shk_reals(workspace, &s->mass, n));
  SHK_TRY(shk_reals(workspace, &s->scale, (size_t)m));
  SHK_TRY(shk_reals(workspace, &s->matrix, 4 * n * n));
  return shk_reals(workspace, &s->second, n * n);
}

static void fill(struct pair *s)
{
  EACH_PART(s, part)
  {
    const struct shk_system *const own = &part->inner.system;
    for (int i = 0; own->mass && i < part->n; i++)
      s->mass[part->q_at + i] = own->mass[i];
    for (int i = 0; i <= part->m; i++)
      s->row_start[part->row_at + i] = part->entry_at + part->pattern.row_start[i];
    for (int i = 0; i < part->m; i++)
      s->scale[part->row_at + i] = own->constraint_scale ? own->constraint_scale[i] : 1;
    for (int k = 0; k < part->pattern.row_start[part->m]; k++)
      s->columns[part->entry_at + k] = part->q_at + part->pattern.columns[k];
  }
}

/* What neither can decide; that there is one degree of freedom in each is no objection. */
static unsigned undecidable_of(const struct shk_instance *a, const struct shk_instance *b)
{
  const unsigned both = SHK_LINEAR_CONSTRAINTS | SHK_LINEAR_POTENTIAL | SHK_FREE_MOTION;
  return ((a->undecidable & b->undecidable) & both) |
         ((a->undecidable | b->undecidable) & ~(both | SHK_ONE_DEGREE_OF_FREEDOM));
}

static void describe(struct shk_instance *instance, struct pair *s, int m)
{
  const struct shk_instance *const a = &s->part[0].inner, *const b = &s->part[1].inner;
#define IF_EITHER(name) .name = a->system.name || b->system.name ? name : NULL
#define IF_BOTH(name) .name = a->system.name && b->system.name ? name : NULL
  instance->system = (struct shk_system){.struct_size = sizeof instance->system,
                                         .n = s->n,
                                         .m = m,
                                         .features = a->system.features | b->system.features,
                                         .context = s,
                                         .mass = a->system.mass ? s->mass : NULL,
                                         .row_start = s->row_start,
                                         .columns = s->columns,
                                         .constraint_scale = s->scale,
                                         .constraint = constraint,
                                         .jacobian = jacobian,
                                         .curvature = curvature,
                                         IF_EITHER(potential),
                                         IF_EITHER(gradient),
                                         IF_BOTH(hamiltonian),
                                         IF_BOTH(hamiltonian_q),
                                         IF_BOTH(hamiltonian_p),
                                         IF_BOTH(hessian),
                                         IF_EITHER(constraint_rate),
                                         IF_EITHER(force),
                                         IF_EITHER(force_gradients),
                                         IF_BOTH(mass_matrix),
                                         IF_BOTH(mass_gradient),
                                         IF_BOTH(mass_curvature),
                                         IF_BOTH(potential_hessian)};
#undef IF_EITHER
#undef IF_BOTH
  instance->initial_time = a->initial_time;
  instance->time_scale = real_min(a->time_scale, b->time_scale);
  instance->horizon = real_min(a->horizon, b->horizon);
  instance->undecidable = undecidable_of(a, b);
  instance->start = start;
  instance->exact = a->exact && b->exact ? exact : NULL;
}

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct pair *s = context;
  int m = 0, entries = 0;
  SHK_TRY(create_part(&s->part[0], instance, "problem"));
  SHK_TRY(create_part(&s->part[1], instance, "other"));
  if (!are_alike(&s->part[0].inner.system, &s->part[1].inner.system))
    return shk_failure(SHK_BAD_INPUT,
                       "a pair is of two separable systems, with Hessians if there are forces, or "
                       "of two that have M(q), or two H(q,p), with constraints g(q) or g(q,t)",
                       0, 0);
  for (int i = 0; i < PARTS; i++) {
    struct part *const part = &s->part[i];
    part->q_at = s->n;
    part->row_at = m;
    part->entry_at = entries;
    part->later = part->inner.initial_time - s->part[0].inner.initial_time;
    s->n += part->n;
    m += part->m;
    entries += part->pattern.row_start[part->m];
  }
  SHK_TRY(allocate(s, instance->workspace, m, entries));
  fill(s);
  describe(instance, s, m);
  return shk_ok();
}

#define PART(word, known, what)                                                                    \
  {                                                                                                \
    .name = word, .kind = SHK_OPTION_PROBLEM, .fallback = known, .positional = true,               \
    .meaning = what " problem, with its options"                                                   \
  }

static const struct shk_option options[] = {PART("problem", "sprung-pendulum", "the first"),
                                            PART("other", "driven-pendulum", "the second"),
                                            {0}};

static const struct shk_problem pair = {
    .struct_size = sizeof pair,
    .info = {.name = "pair",
             .summary = "two problems side by side, of which neither knows of the other",
             .equations = "H = H' + H\", 0 = (g', g\") of the two problems",
             .citation = "ours",
             .units = "those of both",
             .coordinates = "q = (q', q\")",
             .options = options},
    SHK_CONTEXT(pair),
    .set_up = set_up,
};

SHK_PROVIDE(pair, .problems = SHK_PROBLEMS(&pair));
