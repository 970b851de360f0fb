/*
 * Any problem with constraints g(q,t), with one row repeated: redundant wherever the problem is
 * regular. The motion and Gᵀλ are those of the problem itself; of all multipliers with that force
 * the shortest, in any scale, divides the row's own equally between the two copies,
 *
 *     λ_row = λ_last = ½ λ_row of the problem,
 *
 * as long as the other rows are independent; only then is an exact solution passed on. A copy of a
 * momentum constraint would make {{H,g_i},g_j} singular everywhere, and there is no rank-revealing
 * solver for general DAEs here: both are refused.
 */
#include <shakedown/plugin.h>
#include <shakedown/rank.h>

#include <string.h>

struct duplicate {
  long from_one; /* the row, from 1 */
  struct shk_instance inner;
  struct shk_evaluator pattern; /* of inner: its row_start and columns, dense or not */
  int row;                      /* from 0 */
  int *row_start, *columns;
  real *scale;
  struct shk_picture picture;
};

/* ---- functions passed on, with the problem's own context ---- */

#define INNER(name) (((const struct duplicate *)context)->inner.name)
#define ARGUMENTS(...) (INNER(system).context, __VA_ARGS__)
#define HAND_ON(name, member, parameters, arguments)                                               \
  static int name parameters                                                                       \
  {                                                                                                \
    return INNER(member) arguments;                                                                \
  }

HAND_ON(potential, system.potential, (const void *context, real *value, real t, const real *q),
        ARGUMENTS(value, t, q))
HAND_ON(gradient, system.gradient, (const void *context, real *out, real t, const real *q),
        ARGUMENTS(out, t, q))
HAND_ON(hamiltonian, system.hamiltonian,
        (const void *context, real *value, real t, const real *q, const real *p),
        ARGUMENTS(value, t, q, p))
HAND_ON(hamiltonian_q, system.hamiltonian_q,
        (const void *context, real *out, real t, const real *q, const real *p),
        ARGUMENTS(out, t, q, p))
HAND_ON(hamiltonian_p, system.hamiltonian_p,
        (const void *context, real *out, real t, const real *q, const real *p),
        ARGUMENTS(out, t, q, p))
HAND_ON(hessian, system.hessian,
        (const void *context, real *out, real t, const real *q, const real *p),
        ARGUMENTS(out, t, q, p))
HAND_ON(force, system.force, (const void *context, real *Q, real t, const real *q, const real *p),
        ARGUMENTS(Q, t, q, p))
HAND_ON(force_gradients, system.force_gradients,
        (const void *context, real *Q_q, real *Q_p, real t, const real *q, const real *p),
        ARGUMENTS(Q_q, Q_p, t, q, p))
HAND_ON(mass_matrix, system.mass_matrix, (const void *context, real *M, const real *q),
        ARGUMENTS(M, q))
HAND_ON(mass_gradient, system.mass_gradient,
        (const void *context, real *out, const real *q, const real *v), ARGUMENTS(out, q, v))
HAND_ON(mass_curvature, system.mass_curvature,
        (const void *context, real *out, const real *q, const real *v), ARGUMENTS(out, q, v))
HAND_ON(potential_hessian, system.potential_hessian,
        (const void *context, real *out, real t, const real *q), ARGUMENTS(out, t, q))
HAND_ON(start, start, (const void *context, real *q, real *p), ARGUMENTS(q, p))
HAND_ON(invariants, invariants,
        (const void *context, real *values, real t, const real *q, const real *p),
        ARGUMENTS(values, t, q, p))
HAND_ON(branch, branch, (const void *context, real *values, real t, const real *q, const real *p),
        ARGUMENTS(values, t, q, p))
HAND_ON(crossings, crossings, (const void *context, real *times, int limit, real until),
        ARGUMENTS(times, limit, until))

static void adopt(struct shk_instance *instance, const real *q, const real *p)
{
  struct duplicate *s = (struct duplicate *)instance->system.context;
  s->inner.adopt(&s->inner, q, p);
}

/* ---- with one more row ---- */

#define REPEATED(name, parameters, arguments)                                                      \
  static int name parameters                                                                       \
  {                                                                                                \
    const struct duplicate *s = context;                                                           \
    const int code = s->inner.system.name arguments;                                               \
    out[s->inner.system.m] = out[s->row];                                                          \
    return code;                                                                                   \
  }

REPEATED(constraint, (const void *context, real *out, real t, const real *q), ARGUMENTS(out, t, q))
REPEATED(constraint_rate, (const void *context, real *out, real t, const real *q),
         ARGUMENTS(out, t, q))
REPEATED(curvature, (const void *context, real *out, real t, const real *q, const real *v),
         ARGUMENTS(out, t, q, v))

static int jacobian(const void *context, real *values, real t, const real *q)
{
  const struct duplicate *s = context;
  const int from = s->row_start[s->row], count = s->row_start[s->row + 1] - from;
  const int code = s->inner.system.jacobian ARGUMENTS(values, t, q);
  memcpy(values + s->row_start[s->inner.system.m], values + from, (size_t)count * sizeof *values);
  return code;
}

static int exact(const void *context, real *q, real *p, real *lambda, real t)
{
  const struct duplicate *s = context;
  const int code = s->inner.exact ARGUMENTS(q, p, lambda, t);
  lambda[s->row] /= 2;
  lambda[s->inner.system.m] = lambda[s->row];
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

/* Whether the problem's own rows are independent at its start, so that its multipliers are unique.
 * Beyond the number of rows for which that is computed: no. */
static struct shk_status find_unique(bool *unique, struct duplicate *s,
                                     struct shk_workspace *workspace)
{
  const struct shk_system *system = &s->inner.system;
  real *q, *p, *values;
  *unique = false;
  if (!s->inner.exact || system->m > SHK_RANK_LIMIT)
    return shk_ok();
  SHK_TRY(shk_reals(workspace, &q, (size_t)system->n));
  SHK_TRY(shk_reals(workspace, &p, (size_t)system->n));
  SHK_TRY(shk_reals(workspace, &values, (size_t)system->m));
  if (s->inner.start(system->context, q, p) != 0)
    return shk_failure(SHK_STOPPED, "the problem cannot compute its start", 0, 0);
  SHK_TRY(shk_singular_values(values, &s->pattern, s->inner.initial_time, q, p));
  *unique = values[system->m - 1] > shk_rank_tolerance(system) * values[0];
  return shk_ok();
}

/* The pattern and the scale with the repeated row. */
static struct shk_status extend(struct duplicate *s, struct shk_workspace *workspace)
{
  const struct shk_system *system = &s->inner.system;
  const int m = system->m, from = s->pattern.row_start[s->row];
  const int count = s->pattern.row_start[s->row + 1] - from, entries = s->pattern.row_start[m];
  SHK_TRY(shk_integers(workspace, &s->row_start, (size_t)m + 2));
  SHK_TRY(shk_integers(workspace, &s->columns, (size_t)(entries + count)));
  SHK_TRY(shk_reals(workspace, &s->scale, (size_t)m + 1));
  memcpy(s->row_start, s->pattern.row_start, ((size_t)m + 1) * sizeof *s->row_start);
  memcpy(s->columns, s->pattern.columns, (size_t)entries * sizeof *s->columns);
  s->row_start[m + 1] = entries + count;
  memcpy(s->columns + entries, s->columns + from, (size_t)count * sizeof *s->columns);
  for (int i = 0; i <= m; i++)
    s->scale[i] = !system->constraint_scale ? 1 : system->constraint_scale[i < m ? i : s->row];
  return shk_ok();
}

/* The problem that the option names, with its options. */
static struct shk_status create_inner(struct duplicate *s, struct shk_instance *instance)
{
  const struct shk_values *values = instance->parameters;
  const struct shk_problem *problem = shk_values_part(values, "problem");
  if (!problem)
    return shk_failure(SHK_BAD_INPUT, "there is no problem of that name to duplicate", 0, 0);
  SHK_TRY(shk_instance_create(&s->inner, problem, shk_values_nested(values, "problem")));
  SHK_TRY(shk_keep(instance->workspace, &s->inner, destroy_inner));
  const struct shk_system *system = &s->inner.system;
  if (system->features & (SHK_MOMENTUM_CONSTRAINT | SHK_VELOCITY_CONSTRAINT | SHK_GENERAL_DAE))
    return shk_failure(SHK_BAD_INPUT,
                       "duplicate takes problems whose constraints are g(q) or g(q,t)", 0, 0);
  if (s->from_one > system->m)
    return shk_failure(SHK_BAD_INPUT, "duplicate: row is %g, the problem has %g constraints",
                       (double)s->from_one, system->m);
  s->row = (int)s->from_one - 1;
  SHK_TRY(shk_evaluator_init(&s->pattern, system));
  return shk_keep(instance->workspace, &s->pattern, clear_pattern);
}

static int draw_points(const void *context, real *positions, real t, const real *q)
{
  const struct duplicate *s = context;
  return s->inner.picture->place(s->inner.system.context, positions, t, q);
}

/* Our functions where the problem has its own, else NULL. */
static void wrap(struct shk_instance *instance, struct duplicate *s, bool unique)
{
  const struct shk_system *inner = &s->inner.system;
  struct shk_system *system = &instance->system;
#define IF_THERE(name) .name = inner->name ? name : NULL
  *system = (struct shk_system){.struct_size = sizeof *system,
                                .n = inner->n,
                                .m = inner->m + 1,
                                .features = inner->features,
                                .context = s,
                                .mass = inner->mass,
                                .row_start = s->row_start,
                                .columns = s->columns,
                                .constraint_scale = s->scale,
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
  instance->initial_time = s->inner.initial_time;
  instance->time_scale = s->inner.time_scale;
  instance->horizon = s->inner.horizon;
  instance->undecidable = s->inner.undecidable;
  instance->start = start;
  instance->exact = unique ? exact : NULL;
  instance->invariant_count = s->inner.invariant_count;
  instance->invariant_names = s->inner.invariant_names;
  instance->invariants = s->inner.invariants ? invariants : NULL;
  instance->adopt = s->inner.adopt ? adopt : NULL;
  instance->branch_count = s->inner.branch_count;
  instance->branch_names = s->inner.branch_names;
  instance->branch = s->inner.branch ? branch : NULL;
  if (s->inner.picture) {
    s->picture = *s->inner.picture;
    s->picture.place = s->inner.picture->place ? draw_points : NULL;
    instance->picture = &s->picture;
  }
  instance->crossings = s->inner.crossings ? crossings : NULL;
}

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct duplicate *s = context;
  bool unique;
  SHK_TRY(create_inner(s, instance));
  SHK_TRY(extend(s, instance->workspace));
  SHK_TRY(find_unique(&unique, s, instance->workspace));
  wrap(instance, s, unique);
  return shk_ok();
}

static const struct shk_option options[] = {{.name = "problem",
                                             .kind = SHK_OPTION_PROBLEM,
                                             .fallback = "pendulum",
                                             .positional = true,
                                             .meaning = "the problem, with its options"},
                                            SHK_INTEGER(duplicate, from_one, "row", "1",
                                                        "the constraint that is repeated, from 1",
                                                        .minimum = "1"),
                                            {0}};

static const struct shk_problem duplicate = {
    .struct_size = sizeof duplicate,
    .info = {.name = "duplicate",
             .summary = "another problem with one of its constraints there twice: redundant",
             .equations = "the problem's, with g_(m+1) = g_row",
             .citation = "ours",
             .units = "the problem's",
             .coordinates = "the problem's",
             .options = options},
    SHK_CONTEXT(duplicate),
    .set_up = set_up,
};

SHK_PROVIDE(duplicate, .problems = SHK_PROBLEMS(&duplicate));
