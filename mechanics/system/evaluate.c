/*
 * Evaluation of separable and general systems with counters, and products with the sparse Jacobian.
 */
#include "mechanics/algebra/inlined.h"
#include "mechanics/binding/binding.h"
#include "mechanics/system/callback.h"
#include "mechanics/system/inertia.h"

#include <string.h>

/* Takes the system's pattern, or makes the pattern of a dense matrix. */
static struct shk_status find_pattern(struct shk_evaluator *e)
{
  const size_t n = (size_t)e->system->n, m = (size_t)e->system->m;
  e->row_start = e->system->row_start;
  e->columns = e->system->columns;
  if (e->row_start)
    return shk_ok();
  int *row_start, *columns;
  SHK_TRY(shk_integers(e->workspace, &row_start, m + 1));
  SHK_TRY(shk_integers(e->workspace, &columns, m * n));
  for (size_t i = 0; i <= m; i++)
    row_start[i] = (int)(i * n);
  for (size_t i = 0; i < m * n; i++)
    columns[i] = (int)(i % n);
  e->row_start = row_start;
  e->columns = columns;
  return shk_ok();
}

/* True if the columns of every row come in runs of `run` consecutive coordinates, each starting at
 * a multiple of `run`. */
static bool comes_in_runs(const struct shk_evaluator *e, int run)
{
  for (int i = 0; i < e->system->m; i++) {
    const int first = e->row_start[i], length = e->row_start[i + 1] - first;
    if (length % run != 0)
      return false;
    for (int k = 0; k < length; k++)
      if (k % run == 0 ? e->columns[first + k] % run != 0
                       : e->columns[first + k] != e->columns[first + k - 1] + 1)
        return false;
  }
  return true;
}

static bool is_power_of_two(real x)
{
  if (!(x > 0) || !real_isfinite(x) || !real_isfinite(1 / x))
    return false;
  for (; x >= 2; x /= 2) {
  }
  for (; x < 1; x *= 2) {
  }
  return x == 1;
}

static struct shk_status invert_masses(struct shk_evaluator *e)
{
  const real *mass = e->system->mass;
  const int n = e->system->n;
  real *inverse;
  bool exact = mass != NULL;
  for (int i = 0; i < n && exact; i++)
    exact = is_power_of_two(mass[i]);
  if (!exact)
    return shk_ok();
  SHK_TRY(shk_reals(e->workspace, &inverse, (size_t)n));
  for (int i = 0; i < n; i++)
    inverse[i] = 1 / mass[i];
  e->inverse_mass = inverse;
  return shk_ok();
}

/* ---- cached values of the last point ---- */

/* The cached values, in the order of the array. */
enum { GRADIENT, JACOBIAN, CONSTRAINT, REMEMBERED };

struct shk_remembered {
  bool held, timed, of_p; /* there are values; they depend on t; on p */
  int count;
  real t, *q, *p, *values; /* q (n), p (n; NULL if of_p is false), values (count) */
};

static struct shk_status prepare_memory(struct shk_evaluator *e)
{
  const struct shk_system *s = e->system;
  const bool general = shk_is_general(s), timed = (s->features & SHK_RHEONOMIC) != 0;
  const struct shk_remembered kinds[REMEMBERED] = {
      [GRADIENT] = {.count = s->n, .timed = general || !s->autonomous, .of_p = general},
      [JACOBIAN] = {.count = e->row_start[s->m], .timed = timed},
      [CONSTRAINT] = {.count = s->m, .timed = timed}};
  struct shk_remembered *const all = shk_memory(e->workspace, sizeof kinds);
  SHK_TRY(shk_allocated(all));
  memcpy(all, kinds, sizeof kinds);
  for (int i = 0; i < REMEMBERED; i++) {
    SHK_TRY(shk_reals(e->workspace, &all[i].q, (size_t)s->n));
    if (all[i].of_p)
      SHK_TRY(shk_reals(e->workspace, &all[i].p, (size_t)s->n));
    SHK_TRY(shk_reals(e->workspace, &all[i].values, (size_t)all[i].count));
  }
  e->remembered = all;
  return shk_ok();
}

void shk_evaluator_forget(struct shk_evaluator *e)
{
  for (int i = 0; e->remembered && i < REMEMBERED; i++)
    e->remembered[i].held = false;
}

/* True if a and b are equal to the bit. */
static inline bool is_same(const real *a, const real *b, int n)
{
  return memcmp(a, b, sizeof *a) == 0 && memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

/* Copies few numbers in a loop: a call of memcpy costs as much as a step of few coordinates. */
static inline void copy(real *to, const real *from, int count)
{
  enum { FEW = 8 };
  if (count > FEW)
    memcpy(to, from, (size_t)count * sizeof *to);
  else
    for (int i = 0; i < count; i++)
      to[i] = from[i];
}

/* True if the values at (t,q,p) are cached. Values of the constraints do not depend on p. */
static inline bool is_known(const struct shk_evaluator *e, int which, real t, const real *q,
                            const real *p)
{
  const struct shk_remembered *const r = e->remembered ? &e->remembered[which] : NULL;
  const int n = e->system->n;
  return r && r->held && (!r->timed || r->t == t) && is_same(r->q, q, n) &&
         (!r->of_p || (p && is_same(r->p, p, n)));
}

/* Copies the values to `out` if they are cached, else returns false. */
static inline bool recall(const struct shk_evaluator *e, int which, real *out, real t,
                          const real *q, const real *p)
{
  if (!is_known(e, which, t, q, p))
    return false;
  copy(out, e->remembered[which].values, e->remembered[which].count);
  return true;
}

/* Stores the values in the cache, unless the call failed. */
static inline struct shk_status remember(const struct shk_evaluator *e, int which,
                                         const real *values, real t, const real *q, const real *p,
                                         struct shk_status status)
{
  struct shk_remembered *const r = e->remembered ? &e->remembered[which] : NULL;
  if (!r)
    return status;
  r->held = status.code == SHK_OK;
  r->t = t;
  copy(r->q, q, e->system->n);
  if (r->of_p && p)
    copy(r->p, p, e->system->n);
  copy(r->values, values, r->count);
  return status;
}

static struct shk_status prepare(struct shk_evaluator *e)
{
  const size_t n = (size_t)e->system->n;
  const unsigned others = SHK_GENERAL_HAMILTONIAN | SHK_GENERAL_DAE;
  if ((e->system->features & others) == 0 && (!e->system->potential) != (!e->system->gradient))
    return shk_failure(SHK_STOPPED,
                       !e->system->gradient ? "the system has a potential, but no gradient"
                                            : "the system has a gradient, but no potential",
                       0, 0);
  SHK_TRY(find_pattern(e));
  e->run = comes_in_runs(e, 3) ? 3 : comes_in_runs(e, 2) ? 2 : 1;
  SHK_TRY(invert_masses(e));
  SHK_TRY(prepare_memory(e));
  if (e->system->features & SHK_FORCES)
    SHK_TRY(shk_reals(e->workspace, &e->force, n + 2 * n * n));
  return e->system->mass_matrix ? shk_inertia_create(&e->inertia, e->workspace, e) : shk_ok();
}

struct shk_status shk_evaluator_init(struct shk_evaluator *evaluator,
                                     const struct shk_system *system)
{
  *evaluator = (struct shk_evaluator){.system = system, .workspace = shk_workspace_create(NULL, 0)};
  const struct shk_status status = evaluator->workspace ? prepare(evaluator) : shk_no_memory();
  if (status.code != SHK_OK)
    shk_evaluator_clear(evaluator);
  return status;
}

void shk_evaluator_clear(struct shk_evaluator *evaluator)
{
  shk_workspace_destroy(evaluator->workspace);
  *evaluator = (struct shk_evaluator){0};
}

/* Counts and makes a call of a function of the system. */
#define CALL(counter, function, ...)                                                               \
  (e->work.counter++, shk_callback_status(e->system->function(e->system->context, __VA_ARGS__)))

static bool has_general_hamiltonian(const struct shk_evaluator *e)
{
  return (e->system->features & SHK_GENERAL_HAMILTONIAN) != 0;
}

struct shk_status shk_hamiltonian(struct shk_evaluator *e, real *value, real t, const real *q,
                                  const real *p)
{
  const struct shk_system *s = e->system;
  e->work.hamiltonian++;
  if (e->inertia)
    return shk_inertia_hamiltonian(e->inertia, value, t, q, p);
  if (has_general_hamiltonian(e))
    return shk_callback_status(s->hamiltonian(s->context, value, t, q, p));
  *value = 0;
  const struct shk_status status =
      s->potential ? shk_callback_status(s->potential(s->context, value, t, q)) : shk_ok();
  real kinetic = 0;
  for (int i = 0; i < s->n; i++)
    kinetic += shk_over_mass(e, p[i] * p[i], i);
  *value += kinetic / 2;
  return status;
}

static struct shk_status hamiltonian_q(struct shk_evaluator *e, real *H_q, real t, const real *q,
                                       const real *p)
{
  const struct shk_system *s = e->system;
  if (has_general_hamiltonian(e) && !e->inertia)
    return shk_callback_status(s->hamiltonian_q(s->context, H_q, t, q, p));
  if (s->gradient)
    SHK_TRY(shk_callback_status(s->gradient(s->context, H_q, t, q)));
  else
    memset(H_q, 0, (size_t)s->n * sizeof *H_q);
  return e->inertia ? shk_inertia_add_kinetic(e->inertia, H_q, q, p) : shk_ok();
}

struct shk_status shk_force(struct shk_evaluator *e, real *Q, real t, const real *q, const real *p)
{
  const struct shk_system *s = e->system;
  if (e->force)
    return shk_callback_status(s->force(s->context, Q, t, q, p));
  memset(Q, 0, (size_t)s->n * sizeof *Q);
  return shk_ok();
}

static inline struct shk_status subtract_force(struct shk_evaluator *e, real *H_q, real t,
                                               const real *q, const real *p)
{
  if (!e->force)
    return shk_ok();
  SHK_TRY(shk_force(e, e->force, t, q, p));
  for (int i = 0; i < e->system->n; i++)
    H_q[i] -= e->force[i];
  return shk_ok();
}

struct shk_status shk_gradient(struct shk_evaluator *e, real *H_q, real t, const real *q,
                               const real *p)
{
  const struct shk_system *s = e->system;
  if (recall(e, GRADIENT, H_q, t, q, p))
    return shk_ok();
  e->work.gradient += s->gradient || shk_is_general(s);
  const struct shk_status status = hamiltonian_q(e, H_q, t, q, p);
  return remember(e, GRADIENT, H_q, t, q, p,
                  status.code == SHK_OK ? subtract_force(e, H_q, t, q, p) : status);
}

struct shk_status shk_forces_and_constraints(struct shk_evaluator *e, real *H_q, real *values,
                                             real *curvature, real t, const real *q, const real *p,
                                             const real *v)
{
  SHK_TRY(shk_gradient(e, H_q, t, q, p));
  SHK_TRY(shk_jacobian(e, values, t, q));
  return curvature ? shk_curvature(e, curvature, t, q, v) : shk_ok();
}

struct shk_status shk_velocity(struct shk_evaluator *e, real *H_p, real t, const real *q,
                               const real *p)
{
  const struct shk_system *s = e->system;
  if (has_general_hamiltonian(e)) {
    e->work.velocity++;
    return e->inertia ? shk_inertia_p(e->inertia, H_p, q, p)
                      : shk_callback_status(s->hamiltonian_p(s->context, H_p, t, q, p));
  }
  for (int i = 0; i < s->n; i++)
    H_p[i] = shk_over_mass(e, p[i], i);
  return shk_ok();
}

struct shk_status shk_hessian(struct shk_evaluator *e, real *out, real t, const real *q,
                              const real *p)
{
  const struct shk_system *s = e->system;
  const size_t n = (size_t)s->n;
  e->work.hessian++;
  SHK_TRY(e->inertia ? shk_inertia_hessian(e->inertia, out, t, q, p)
                     : shk_callback_status(s->hessian(s->context, out, t, q, p)));
  if (!e->force)
    return shk_ok();
  real *Q_q = e->force + n, *Q_p = Q_q + n * n;
  SHK_TRY(shk_callback_status(s->force_gradients(s->context, Q_q, Q_p, t, q, p)));
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      out[i * 2 * n + j] -= Q_q[i * n + j];
      out[i * 2 * n + n + j] -= Q_p[i * n + j];
    }
  return shk_ok();
}

struct shk_status shk_hessian_p(struct shk_evaluator *e, real *out, real t, const real *q,
                                const real *p)
{
  const struct shk_system *s = e->system;
  e->work.hessian++;
  return e->inertia ? shk_inertia_hessian_p(e->inertia, out, q, p)
                    : shk_callback_status(s->hessian(s->context, out, t, q, p));
}

static struct shk_status needs_momenta(void)
{
  return shk_refused("the constraints depend on momenta");
}

/* Evaluates a function of the constraints at (t,q), unless the cache has its value. Refused if
 * `function` is NULL: the constraints depend on momenta. */
INLINED struct shk_status of_constraints(struct shk_evaluator *e, int which, long *counter,
                                         int (*function)(const void *context, real *out, real t,
                                                         const real *q),
                                         real *out, real t, const real *q)
{
  if (!function)
    return needs_momenta();
  if (recall(e, which, out, t, q, NULL))
    return shk_ok();
  ++*counter;
  return remember(e, which, out, t, q, NULL,
                  shk_callback_status(function(e->system->context, out, t, q)));
}

struct shk_status shk_constraint(struct shk_evaluator *e, real *g, real t, const real *q)
{
  return of_constraints(e, CONSTRAINT, &e->work.constraint, e->system->constraint, g, t, q);
}

struct shk_status shk_jacobian(struct shk_evaluator *e, real *values, real t, const real *q)
{
  return of_constraints(e, JACOBIAN, &e->work.jacobian, e->system->jacobian, values, t, q);
}

struct shk_status shk_curvature(struct shk_evaluator *e, real *out, real t, const real *q,
                                const real *v)
{
  const struct shk_system *s = e->system;
  e->work.curvature++;
  if (!s->curvature)
    return needs_momenta();
  return shk_callback_status(s->curvature(s->context, out, t, q, v));
}

struct shk_status shk_constraint_rate(struct shk_evaluator *e, real *g_t, real t, const real *q)
{
  const struct shk_system *s = e->system;
  if (s->constraint_rate)
    return shk_callback_status(s->constraint_rate(s->context, g_t, t, q));
  shk_fill(g_t, 0, s->m);
  return shk_ok();
}

/* ---- products with the Jacobian, each compiled for its runs ---- */

#define FOR_RUNS(e, product, ...)                                                                  \
  ((e)->run == 3   ? product(e, 3, __VA_ARGS__)                                                    \
   : (e)->run == 2 ? product(e, 2, __VA_ARGS__)                                                    \
                   : product(e, 1, __VA_ARGS__))

INLINED void times(const struct shk_evaluator *e, int run, real *out, const real *values,
                   const real *x, bool add)
{
  for (int i = 0; i < e->system->m; i++) {
    real sum = 0;
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k += run) {
      const real *const part = x + e->columns[k];
      for (int j = 0; j < run; j++)
        sum += values[k + j] * part[j];
    }
    out[i] = add ? out[i] + sum : sum;
  }
}

INLINED void transposed_add(const struct shk_evaluator *e, int run, real *out, const real *values,
                            real factor, const real *y)
{
  for (int i = 0; i < e->system->m; i++) {
    const real scaled = factor * y[i];
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k += run) {
      real *const part = out + e->columns[k];
      for (int j = 0; j < run; j++)
        part[j] += values[k + j] * scaled;
    }
  }
}

INLINED real largest_sum(const struct shk_evaluator *e, int run, const real *values, const real *x)
{
  real largest = REAL_SMALLEST / REAL_EPSILON;
  for (int i = 0; i < e->system->m; i++) {
    real sum = 0;
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k += run)
      for (int j = 0; j < run; j++)
        sum += real_fabs(values[k + j] * x[e->columns[k] + j]);
    largest = real_max(largest, sum);
  }
  return largest;
}

real shk_jacobian_size(const struct shk_evaluator *e, const real *values, const real *x)
{
  return FOR_RUNS(e, largest_sum, values, x);
}

void shk_jacobian_times(const struct shk_evaluator *e, real *out, const real *values, const real *x)
{
  FOR_RUNS(e, times, out, values, x, false);
}

void shk_jacobian_transposed_add(const struct shk_evaluator *e, real *out, const real *values,
                                 real factor, const real *y)
{
  FOR_RUNS(e, transposed_add, out, values, factor, y);
}

struct shk_status shk_hidden_residual(struct shk_evaluator *e, real *out, const real *values,
                                      real t, const real *q, const real *v)
{
  const bool moving = e->system->constraint_rate != NULL;
  if (moving)
    SHK_TRY(shk_constraint_rate(e, out, t, q));
  FOR_RUNS(e, times, out, values, v, moving);
  return shk_ok();
}

real shk_constraint_norm(const struct shk_system *system, const real *g)
{
  if (!system->constraint_scale)
    return real_max_norm(g, system->m);
  real norm = 0;
  for (int i = 0; i < system->m; i++) {
    const real size = real_fabs(g[i]) / system->constraint_scale[i];
    if (!(size <= norm)) /* keeps a NaN */
      norm = size;
  }
  return norm;
}

struct shk_status shk_dae_slope(struct shk_evaluator *e, real *dq, real *dp, real t, const real *q,
                                const real *p, const real *lambda)
{
  return CALL(gradient, dae_slope, dq, dp, t, q, p, lambda);
}

struct shk_status shk_dae_constraint(struct shk_evaluator *e, real *g, real t, const real *q,
                                     const real *p)
{
  return CALL(constraint, dae_constraint, g, t, q, p);
}

struct shk_status shk_dae_derivatives(struct shk_evaluator *e, real *f_x, real *f_lambda, real *g_x,
                                      real t, const real *q, const real *p, const real *lambda)
{
  return CALL(hessian, dae_derivatives, f_x, f_lambda, g_x, t, q, p, lambda);
}

struct shk_status shk_constraint_qp(struct shk_evaluator *e, real *g, real t, const real *q,
                                    const real *p)
{
  if (e->system->features & SHK_GENERAL_DAE)
    return shk_dae_constraint(e, g, t, q, p);
  return e->system->features & SHK_MOMENTUM_CONSTRAINT ? CALL(constraint, constraint_qp, g, t, q, p)
                                                       : shk_constraint(e, g, t, q);
}

struct shk_status shk_constraint_gradients(struct shk_evaluator *e, real *g_q, real *g_p, real t,
                                           const real *q, const real *p)
{
  return CALL(jacobian, constraint_gradients, g_q, g_p, t, q, p);
}

struct shk_status shk_constraint_second(struct shk_evaluator *e, real *out, real t, const real *q,
                                        const real *p, const real *w)
{
  return CALL(curvature, constraint_second, out, t, q, p, w);
}
