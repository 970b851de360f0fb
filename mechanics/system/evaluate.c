/*
 * Evaluates separable and general systems, counts the evaluations, and computes products with the
 * sparse Jacobian.
 */
#include "mechanics/system/evaluate.h"
#include "mechanics/algebra/inlined.h"
#include "mechanics/binding/binding.h"
#include "mechanics/system/callback.h"
#include "mechanics/system/inertia.h"

#include <string.h>

/* Uses the system's pattern if it has one, and creates the pattern of a dense matrix otherwise. */
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

/* Returns true if the columns of every row consist of runs of `run` consecutive coordinates, and
 * every run starts at a multiple of `run`. */
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

/* ---- values at the last two points ---- */

enum { GRADIENT, JACOBIAN, CONSTRAINT, KINDS, MOST_POINTS = 2 };

/* A point, together with a bit set (1 << kind) that indicates which kinds of values are known
 * there. p is NULL except for the gradient of a general system. */
struct point {
  real t, *q, *p;
  unsigned known;
  real *values[KINDS];
};

struct shk_remembered {
  /* number of points, and the most recently used one; a new point replaces the other one */
  int count, last;
  unsigned timed; /* bit set that indicates which kinds of values depend on t */
  struct point point[MOST_POINTS];
};

static struct shk_status prepare_memory(struct shk_evaluator *e, int points)
{
  const struct shk_system *s = e->system;
  const bool general = shk_is_general(s), timed = (s->features & SHK_RHEONOMIC) != 0;
  const size_t n = (size_t)s->n;
  const size_t counts[KINDS] = {n, (size_t)e->row_start[s->m], (size_t)s->m};
  struct shk_remembered *const r = e->remembered = shk_memory(e->workspace, sizeof *r);
  SHK_TRY(shk_allocated(r));
  r->count = points;
  r->timed = (unsigned)(general || !s->autonomous) << GRADIENT | (unsigned)timed << JACOBIAN |
             (unsigned)timed << CONSTRAINT;
  for (struct point *at = r->point; at < r->point + points; at++) {
    SHK_TRY(shk_reals(e->workspace, &at->q, n));
    if (general)
      SHK_TRY(shk_reals(e->workspace, &at->p, n));
    for (int i = 0; i < KINDS; i++)
      SHK_TRY(shk_reals(e->workspace, &at->values[i], counts[i]));
  }
  return shk_ok();
}

void shk_evaluator_forget(struct shk_evaluator *e)
{
  for (int i = 0; e->remembered && i < e->remembered->count; i++)
    e->remembered->point[i].known = 0;
}

/* Up to this many numbers are compared and copied in a loop. For a system with few coordinates, a
 * call to memcmp or memcpy would cost as much as a step. */
enum { FEW = 8 };

/* Returns true if a and b are equal bit for bit. */
static inline bool is_same(const real *a, const real *b, int n)
{
  for (int i = 0; i < n && i < FEW; i++)
    if (memcmp(&a[i], &b[i], sizeof *a) != 0)
      return false;
  return n <= FEW || memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

static inline void copy_numbers(real *to, const real *from, int count)
{
  if (count > FEW)
    memcpy(to, from, (size_t)count * sizeof *to);
  else
    for (int i = 0; i < count; i++)
      to[i] = from[i];
}

/* Returns the point at which the values are known, or NULL if there is none. If p is NULL, the
 * values do not depend on p. */
static inline struct point *known_at(const struct shk_evaluator *e, int kind, real t, const real *q,
                                     const real *p)
{
  struct shk_remembered *const r = e->remembered;
  for (int i = 0; i < r->count && !e->asks_again; i++) {
    struct point *const at = &r->point[r->last ^ i];
    if ((at->known >> kind & 1) && (!(r->timed >> kind & 1) || at->t == t) &&
        is_same(at->q, q, e->system->n) && (!p || is_same(at->p, p, e->system->n))) {
      r->last ^= i;
      return at;
    }
  }
  return NULL;
}

/* Returns a point at (t,q) at which the values of this kind are not yet known. */
static inline struct point *new_at(const struct shk_evaluator *e, int kind, real t, const real *q,
                                   const real *p)
{
  struct shk_remembered *const r = e->remembered;
  const int n = e->system->n;
  struct point *at = &r->point[r->last];
  if (!is_same(at->q, q, n)) {
    r->last = r->count - 1 - r->last;
    at = &r->point[r->last];
    copy_numbers(at->q, q, n);
    at->known = 0;
  } else if (at->t != t) {
    at->known &= ~r->timed;
  }
  at->t = t;
  if (p)
    copy_numbers(at->p, p, n);
  at->known &= ~(1u << kind);
  return at;
}

static struct shk_status prepare_evaluate(struct shk_evaluator *e, int points)
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
  SHK_TRY(prepare_memory(e, points));
  if (e->system->features & SHK_FORCES)
    SHK_TRY(shk_reals(e->workspace, &e->force, n + 2 * n * n));
  return e->system->mass_matrix ? shk_inertia_create(&e->inertia, e->workspace, e) : shk_ok();
}

static struct shk_status init_evaluate(struct shk_evaluator *evaluator,
                                       const struct shk_system *system, int points)
{
  *evaluator = (struct shk_evaluator){.system = system, .workspace = shk_workspace_create(NULL, 0)};
  const struct shk_status status =
      evaluator->workspace ? prepare_evaluate(evaluator, points) : shk_no_memory();
  if (status.code != SHK_OK)
    shk_evaluator_clear(evaluator);
  return status;
}

struct shk_status shk_evaluator_init(struct shk_evaluator *evaluator,
                                     const struct shk_system *system)
{
  return init_evaluate(evaluator, system, MOST_POINTS);
}

struct shk_status shk_evaluator_init_observer(struct shk_evaluator *evaluator,
                                              const struct shk_system *system)
{
  return init_evaluate(evaluator, system, 1);
}

void shk_evaluator_clear(struct shk_evaluator *evaluator)
{
  shk_workspace_destroy(evaluator->workspace);
  *evaluator = (struct shk_evaluator){0};
}

static bool is_counter_name(const char *name)
{
  static const char *const taken[] = {
#define COUNTER(id, name, ...) #name,
#include <shakedown/counters.def>
#undef COUNTER
  };
  const size_t length = strlen(name);
  for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
    if (strcmp(name, taken[i]) == 0)
      return false;
  return length > 0 && length < SHK_OWN_NAME &&
         strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == length;
}

struct shk_status shk_own_work(struct shk_evaluator *evaluator, long **counter, const char *name)
{
  int i = 0;
  if (!is_counter_name(name))
    return shk_failure(SHK_BAD_INPUT,
                       "the name of a counter must have at most 31 characters from a-z, 0-9 and -, "
                       "and must not be in <shakedown/counters.def>",
                       0, 0);
  while (i < SHK_OWN_COUNTERS && evaluator->own_work[i][0] != '\0' &&
         strcmp(evaluator->own_work[i], name) != 0)
    i++;
  if (i == SHK_OWN_COUNTERS)
    return shk_failure(SHK_BAD_INPUT, "a method can have at most four counters of its own", 0, 0);
  strcpy(evaluator->own_work[i], name);
  *counter = &evaluator->counters.own[i];
  return shk_ok();
}

/* Calls a function of the system and counts the call. */
#define CALL(counter, function, ...)                                                               \
  (e->counters.counter++,                                                                          \
   shk_callback_status(e->system, e->system->function(e->system->context, __VA_ARGS__)))

static bool has_general_hamiltonian(const struct shk_evaluator *e)
{
  return (e->system->features & SHK_GENERAL_HAMILTONIAN) != 0;
}

struct shk_status shk_hamiltonian(struct shk_evaluator *e, real *value, real t, const real *q,
                                  const real *p)
{
  const struct shk_system *s = e->system;
  e->counters.hamiltonian++;
  if (e->inertia)
    return shk_inertia_hamiltonian(e->inertia, value, t, q, p);
  if (has_general_hamiltonian(e))
    return shk_callback_status(s, s->hamiltonian(s->context, value, t, q, p));
  *value = 0;
  const struct shk_status status =
      s->potential ? shk_callback_status(s, s->potential(s->context, value, t, q)) : shk_ok();
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
    return shk_callback_status(s, s->hamiltonian_q(s->context, H_q, t, q, p));
  if (s->gradient)
    SHK_TRY(shk_callback_status(s, s->gradient(s->context, H_q, t, q)));
  else
    memset(H_q, 0, (size_t)s->n * sizeof *H_q);
  return e->inertia ? shk_inertia_add_kinetic(e->inertia, H_q, q, p) : shk_ok();
}

struct shk_status shk_force(struct shk_evaluator *e, real *Q, real t, const real *q, const real *p)
{
  const struct shk_system *s = e->system;
  if (e->force)
    return shk_callback_status(s, s->force(s->context, Q, t, q, p));
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

struct shk_status shk_gradient_at(struct shk_evaluator *e, const real **H_q, real t, const real *q,
                                  const real *p)
{
  const struct shk_system *s = e->system;
  const real *const of_p = shk_is_general(s) ? p : NULL;
  struct point *at = known_at(e, GRADIENT, t, q, of_p);
  if (!at) {
    at = new_at(e, GRADIENT, t, q, of_p);
    e->counters.gradient += s->gradient || shk_is_general(s);
    SHK_TRY(hamiltonian_q(e, at->values[GRADIENT], t, q, p));
    SHK_TRY(subtract_force(e, at->values[GRADIENT], t, q, p));
    at->known |= 1u << GRADIENT;
  }
  *H_q = at->values[GRADIENT];
  return shk_ok();
}

struct shk_status shk_gradient(struct shk_evaluator *e, real *H_q, real t, const real *q,
                               const real *p)
{
  const real *values;
  SHK_TRY(shk_gradient_at(e, &values, t, q, p));
  copy_numbers(H_q, values, e->system->n);
  return shk_ok();
}

struct shk_status shk_forces_and_constraints(struct shk_evaluator *e, real *H_q, real *values,
                                             real *curvature, real t, const real *q, const real *p,
                                             const real *v)
{
  SHK_TRY(shk_gradient(e, H_q, t, q, p));
  SHK_TRY(shk_jacobian(e, values, t, q));
  return curvature ? shk_curvature(e, curvature, t, q, v) : shk_ok();
}

/* Divides x by the masses, or multiplies it by their inverses. */
SHK_CLONES static void over_masses(real *restrict out, const real *restrict x,
                                   const real *restrict mass, bool inverse, int n)
{
  for (int i = 0; i < n; i++)
    out[i] = inverse ? x[i] * mass[i] : x[i] / mass[i];
}

struct shk_status shk_velocity(struct shk_evaluator *e, real *H_p, real t, const real *q,
                               const real *p)
{
  const struct shk_system *s = e->system;
  if (has_general_hamiltonian(e)) {
    e->counters.velocity++;
    return e->inertia ? shk_inertia_p(e->inertia, H_p, q, p)
                      : shk_callback_status(s, s->hamiltonian_p(s->context, H_p, t, q, p));
  }
  over_masses(H_p, p, e->inverse_mass ? e->inverse_mass : s->mass, e->inverse_mass != NULL, s->n);
  return shk_ok();
}

struct shk_status shk_hessian(struct shk_evaluator *e, real *out, real t, const real *q,
                              const real *p)
{
  const struct shk_system *s = e->system;
  const size_t n = (size_t)s->n;
  e->counters.hessian++;
  SHK_TRY(e->inertia ? shk_inertia_hessian(e->inertia, out, t, q, p)
                     : shk_callback_status(s, s->hessian(s->context, out, t, q, p)));
  if (!e->force)
    return shk_ok();
  real *Q_q = e->force + n, *Q_p = Q_q + n * n;
  SHK_TRY(shk_callback_status(s, s->force_gradients(s->context, Q_q, Q_p, t, q, p)));
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
  e->counters.hessian++;
  return e->inertia ? shk_inertia_hessian_p(e->inertia, out, q, p)
                    : shk_callback_status(s, s->hessian(s->context, out, t, q, p));
}

static struct shk_status needs_momenta(void)
{
  return shk_refused("the constraints depend on momenta");
}

typedef int constraint_function(const void *context, real *out, real t, const real *q);

/* Finds the values of the constraints at (t,q). Returns SHK_REFUSED if `function` is NULL, which
 * means that the constraints depend on momenta. */
INLINED struct shk_status of_constraints(struct shk_evaluator *e, const real **values, int kind,
                                         long *counter, constraint_function *function, real t,
                                         const real *q)
{
  if (!function)
    return needs_momenta();
  struct point *at = known_at(e, kind, t, q, NULL);
  if (!at) {
    at = new_at(e, kind, t, q, NULL);
    ++*counter;
    SHK_TRY(shk_callback_status(e->system, function(e->system->context, at->values[kind], t, q)));
    at->known |= 1u << kind;
  }
  *values = at->values[kind];
  return shk_ok();
}

struct shk_status shk_jacobian_at(struct shk_evaluator *e, const real **G, real t, const real *q)
{
  return of_constraints(e, G, JACOBIAN, &e->counters.jacobian, e->system->jacobian, t, q);
}

struct shk_status shk_constraint(struct shk_evaluator *e, real *g, real t, const real *q)
{
  const real *values;
  SHK_TRY(
      of_constraints(e, &values, CONSTRAINT, &e->counters.constraint, e->system->constraint, t, q));
  copy_numbers(g, values, e->system->m);
  return shk_ok();
}

struct shk_status shk_jacobian(struct shk_evaluator *e, real *values, real t, const real *q)
{
  const real *at;
  SHK_TRY(shk_jacobian_at(e, &at, t, q));
  copy_numbers(values, at, e->row_start[e->system->m]);
  return shk_ok();
}

struct shk_status shk_iterate_constraint(struct shk_evaluator *e, real *g, real t, const real *q)
{
  return e->system->constraint ? CALL(constraint, constraint, g, t, q) : needs_momenta();
}

struct shk_status shk_iterate_jacobian(struct shk_evaluator *e, real *values, real t, const real *q)
{
  return e->system->jacobian ? CALL(jacobian, jacobian, values, t, q) : needs_momenta();
}

struct shk_status shk_curvature(struct shk_evaluator *e, real *out, real t, const real *q,
                                const real *v)
{
  const struct shk_system *s = e->system;
  e->counters.curvature++;
  if (!s->curvature)
    return needs_momenta();
  return shk_callback_status(s, s->curvature(s->context, out, t, q, v));
}

struct shk_status shk_constraint_rate(struct shk_evaluator *e, real *g_t, real t, const real *q)
{
  const struct shk_system *s = e->system;
  if (s->constraint_rate)
    return shk_callback_status(s, s->constraint_rate(s->context, g_t, t, q));
  shk_fill(g_t, 0, s->m);
  return shk_ok();
}

/* ---- products with the Jacobian, compiled for each run length ---- */

#define FOR_RUNS(e, product, ...)                                                                  \
  ((e)->run == 3   ? product(e, 3, __VA_ARGS__)                                                    \
   : (e)->run == 2 ? product(e, 2, __VA_ARGS__)                                                    \
                   : product(e, 1, __VA_ARGS__))

INLINED void multiply_by_jacobian(const struct shk_evaluator *e, int run, real *out,
                                  const real *values, const real *x, bool add)
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
  FOR_RUNS(e, multiply_by_jacobian, out, values, x, false);
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
  FOR_RUNS(e, multiply_by_jacobian, out, values, v, moving);
  return shk_ok();
}

real shk_constraint_norm(const struct shk_system *system, const real *g)
{
  if (!system->constraint_scale)
    return real_max_norm(g, system->m);
  real norm = 0;
  for (int i = 0; i < system->m; i++) {
    const real size = real_fabs(g[i]) / system->constraint_scale[i];
    if (!(size <= norm)) /* also true if the value is NaN, so that NaN is retained */
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
