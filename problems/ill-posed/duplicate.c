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
#include "problems/kit/wrapped.h"
#include <shakedown/plugin.h>
#include <shakedown/solve.h>

#include <string.h>

struct duplicate {
  long from_one; /* the row, from 1 */
  struct shk_wrapped wrapped;
  int row; /* from 0 */
  int *row_start, *columns;
  real *scale;
};

/* ---- functions passed on, with the problem's own context ---- */

#define INNER(name) (((const struct duplicate *)context)->wrapped.inner.name)
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
  const struct duplicate *s = instance->system.context;
  shk_wrapped_adopt(&s->wrapped, q, p);
}

static int draw_points(const void *context, real *positions, real t, const real *q)
{
  const struct duplicate *s = context;
  return shk_wrapped_place(&s->wrapped, positions, t, q);
}

/* ---- with one more row ---- */

#define REPEATED(name, parameters, arguments)                                                      \
  static int name parameters                                                                       \
  {                                                                                                \
    const struct duplicate *s = context;                                                           \
    const int code = s->wrapped.inner.system.name arguments;                                       \
    out[s->wrapped.inner.system.m] = out[s->row];                                                  \
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
  const int code = s->wrapped.inner.system.jacobian ARGUMENTS(values, t, q);
  memcpy(values + s->row_start[s->wrapped.inner.system.m], values + from,
         (size_t)count * sizeof *values);
  return code;
}

static int exact(const void *context, real *q, real *p, real *lambda, real t)
{
  const struct duplicate *s = context;
  const int code = s->wrapped.inner.exact ARGUMENTS(q, p, lambda, t);
  lambda[s->row] /= 2;
  lambda[s->wrapped.inner.system.m] = lambda[s->row];
  return code;
}

/* ---- creation ---- */

/* Whether the problem's own rows are independent at its start, so that its multipliers are unique.
 * Beyond the number of rows for which that is computed: no. */
static struct shk_status find_unique(bool *unique, struct duplicate *s,
                                     struct shk_workspace *workspace)
{
  const struct shk_system *system = &s->wrapped.inner.system;
  real *q, *p, *values;
  *unique = false;
  if (!s->wrapped.inner.exact || system->m > SHK_RANK_LIMIT)
    return shk_ok();
  SHK_TRY(shk_reals(workspace, &q, (size_t)system->n));
  SHK_TRY(shk_reals(workspace, &p, (size_t)system->n));
  SHK_TRY(shk_reals(workspace, &values, (size_t)system->m));
  if (s->wrapped.inner.start(system->context, q, p) != 0)
    return shk_failure(SHK_STOPPED, "the problem cannot compute its start", 0, 0);
  SHK_TRY(shk_singular_values(values, &s->wrapped.pattern, s->wrapped.inner.initial_time, q, p));
  *unique = values[system->m - 1] > shk_rank_tolerance(system) * values[0];
  return shk_ok();
}

/* The pattern and the scale with the repeated row. */
static struct shk_status extend(struct duplicate *s, struct shk_workspace *workspace)
{
  const struct shk_system *system = &s->wrapped.inner.system;
  const int m = system->m, from = s->wrapped.pattern.row_start[s->row];
  const int count = s->wrapped.pattern.row_start[s->row + 1] - from,
            entries = s->wrapped.pattern.row_start[m];
  SHK_TRY(shk_integers(workspace, &s->row_start, (size_t)m + 2));
  SHK_TRY(shk_integers(workspace, &s->columns, (size_t)(entries + count)));
  SHK_TRY(shk_reals(workspace, &s->scale, (size_t)m + 1));
  memcpy(s->row_start, s->wrapped.pattern.row_start, ((size_t)m + 1) * sizeof *s->row_start);
  memcpy(s->columns, s->wrapped.pattern.columns, (size_t)entries * sizeof *s->columns);
  s->row_start[m + 1] = entries + count;
  memcpy(s->columns + entries, s->columns + from, (size_t)count * sizeof *s->columns);
  for (int i = 0; i <= m; i++)
    s->scale[i] = !system->constraint_scale ? 1 : system->constraint_scale[i < m ? i : s->row];
  return shk_ok();
}

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct duplicate *s = context;
  bool unique;
  SHK_TRY(shk_wrapped_create(&s->wrapped, instance));
  const struct shk_system *inner = &s->wrapped.inner.system;
  if (s->from_one > inner->m)
    return shk_failure(SHK_BAD_INPUT, "duplicate: row is %g, the problem has %g constraints",
                       (double)s->from_one, inner->m);
  s->row = (int)s->from_one - 1;
  SHK_TRY(extend(s, instance->workspace));
  SHK_TRY(find_unique(&unique, s, instance->workspace));
  static const struct shk_instance ours = {.system = {SHK_WRAPPED_SYSTEM(SHK_WRAPPED_OWN)},
                                           SHK_WRAPPED_INSTANCE(SHK_WRAPPED_OWN)};
  shk_wrap(instance, &s->wrapped, &ours, s, draw_points);
  struct shk_system *system = &instance->system;
  system->m++;
  system->mass = inner->mass;
  system->row_start = s->row_start;
  system->columns = s->columns;
  system->constraint_scale = s->scale;
  instance->undecidable |= SHK_REDUNDANT_ROWS;
  if (!unique)
    instance->exact = NULL;
  return shk_ok();
}

static const struct shk_option options[] = {SHK_WRAPPED_OPTION("pendulum"),
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
