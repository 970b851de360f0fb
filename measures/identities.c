/*
 * Identities of a step of the Störmer-Verlet family, on separable systems with g(q), from (q0,v0)
 * to (q1,v1). With F = -V_q and the predicted positions q* = q0 + h v0 + ½h² M⁻¹F(q0), let
 *
 *     w = M (q1 - q0 - h v0) - ½h² F(q0)                    the correction of the positions
 *     r = M (v1 - v0) - w/h - ½h F(q0) - ½h F(q1)           the correction of the velocities
 *
 * SHAKE and RATTLE have w in the range of G(q0)ᵀ, and r in the range of G(q1)ᵀ. Each common mistake
 * keeps another identity to round-off, which a correct step misses by O(h). Residuals of identities
 * are identities-NAME; those of w are divided by |w| + ½h²|F(q0)|, those of r by |w|/h + h|F(q0)|:
 *
 *   uncorrected                          |w|
 *   defect, along-new, along-predicted   w off the range of G(q0)ᵀ, of G(q1)ᵀ, of G(q*)ᵀ
 *   without-masses                       M⁻¹w off the range of G(q0)ᵀ, over |M⁻¹w|
 *   force-new, -old, -predicted, -none   r off the range of G(q1)ᵀ, with F(q1) in it as it is,
 *                                        replaced by F(q0), by F(q*), by zero
 *   no-feedback                          r + w/h off the range of G(q1)ᵀ
 *   velocity-old                         r off the range of G(q0)ᵀ
 *   unprojected                          |r|
 *   hidden, hidden-old, hidden-middle    largest component of v1 along orthonormal rows of G(q1),
 *                                        G(q0), G(½(q0 + q1)), over |v1|
 *   symmetric, reversed                  distances of Ψ_{-h}Ψ_h and of ρΨ_hρΨ_h from the identity
 *   row-least, row-most                  the smallest and the largest |g_i(q1)|, unscaled
 *   single                               largest relative distance of q1, p1 or v1 from binary32
 *
 * Floors: identities-floor for w, -velocity-floor for r, -state-floor for the others; with the
 * rounding of binary32 if `single` is round-off. The step is the third of a run: the first ones may
 * be special.
 */
#include "measures/structure.h"

#include "mechanics/system/state.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum point { OLD, NEW, PREDICTED, MIDDLE, POINTS };
enum { STEPS = 3 };

struct work {
  struct shk_trial *trial;
  const struct shk_map *map;
  struct shk_evaluator *e;
  struct shk_state *from, *to, *back;
  int n, m;
  real *force[POINTS], *rows[POINTS]; /* F; the rows of G, orthonormal, one after the other */
  real *q, *v0, *v1, *w, *r, *x;      /* n each */
  real *G, *rates;                    /* entries of G; m */
};

static real length_of(const real *x, int n)
{
  return real_sqrt(real_dot(x, x, n));
}

static void add(const struct work *k, const char *what, real value)
{
  shk_trial_add(k->trial, what, value);
}

/* ---- ranges ---- */

/* Subtracts QᵀQ x from x, where the rows of Q, `rows` of them, are orthonormal. */
static void remove_range(real *x, const real *Q, int rows, int n)
{
  for (int j = 0; j < rows; j++) {
    const real part = real_dot(Q + (size_t)j * (size_t)n, x, n);
    for (int i = 0; i < n; i++)
      x[i] -= part * Q[(size_t)j * (size_t)n + (size_t)i];
  }
}

/* Stores F(q), and the rows of G(q) made orthonormal by Gram-Schmidt's process, applied twice. */
static struct shk_status visit(struct work *k, enum point at, real t, const real *q)
{
  struct shk_evaluator *const e = k->e;
  real *row = k->rows[at];
  SHK_TRY(shk_gradient(e, k->force[at], t, q, k->from->p));
  SHK_TRY(shk_jacobian(e, k->G, t, q));
  for (int j = 0; j < k->n; j++)
    k->force[at][j] = -k->force[at][j];
  memset(row, 0, (size_t)k->m * (size_t)k->n * sizeof *row);
  for (int j = 0; j < k->m; j++, row += k->n) {
    for (int i = e->row_start[j]; i < e->row_start[j + 1]; i++)
      row[e->columns[i]] = k->G[i];
    remove_range(row, k->rows[at], j, k->n);
    remove_range(row, k->rows[at], j, k->n);
    const real length = length_of(row, k->n);
    for (int i = 0; length > 0 && i < k->n; i++)
      row[i] /= length;
  }
  return shk_ok();
}

/* Returns the length of x + factor y (NULL: zero) off the range of Gᵀ at a point, over `size`. */
static real off_range(const struct work *k, enum point at, const real *x, real factor,
                      const real *y, real size)
{
  for (int i = 0; i < k->n; i++)
    k->x[i] = x[i] + (y ? factor * y[i] : 0);
  remove_range(k->x, k->rows[at], k->m, k->n);
  return length_of(k->x, k->n) / size;
}

/* Adds the largest component of v1 along the orthonormal rows of G, over |v1|. */
static void add_hidden(const struct work *k, const char *what, enum point at)
{
  real most = 0;
  for (int j = 0; j < k->m; j++)
    most = real_max(most, real_fabs(real_dot(k->rows[at] + (size_t)j * (size_t)k->n, k->v1, k->n)));
  add(k, what, most / length_of(k->v1, k->n));
}

/* ---- numbers of single precision ---- */

static real off_single(real x)
{
  return x == 0 ? 0 : real_fabs(x - (real)(float)x) / real_fabs(x);
}

static real distance_from_single(const struct work *k)
{
  real most = 0;
  for (int i = 0; i < k->n; i++) {
    most = real_max(most, off_single(k->to->q[i]));
    most = real_max(most, real_min(off_single(k->to->p[i]), off_single(k->v1[i])));
  }
  return most;
}

/* ---- the step ---- */

static void add_positions(const struct work *k, real size, real floor)
{
  const real *const mass = k->map->instance->system.mass;
  add(k, "uncorrected", length_of(k->w, k->n) / size);
  add(k, "defect", off_range(k, OLD, k->w, 0, NULL, size));
  add(k, "along-new", off_range(k, NEW, k->w, 0, NULL, size));
  add(k, "along-predicted", off_range(k, PREDICTED, k->w, 0, NULL, size));
  for (int i = 0; i < k->n; i++)
    k->q[i] = k->w[i] / mass[i];
  add(k, "without-masses", off_range(k, OLD, k->q, 0, NULL, length_of(k->q, k->n)));
  add(k, "floor", floor / size);
}

/* Adds the residuals of r. On entry k->r lacks its last term, -½h F(q1). */
static void add_velocities(const struct work *k, real size, real floor)
{
  const real h = k->map->step;
  const real *const last = k->force[NEW];
  add(k, "force-new", off_range(k, NEW, k->r, -h / 2, last, size));
  add(k, "force-old", off_range(k, NEW, k->r, -h / 2, k->force[OLD], size));
  add(k, "force-predicted", off_range(k, NEW, k->r, -h / 2, k->force[PREDICTED], size));
  add(k, "force-none", off_range(k, NEW, k->r, 0, NULL, size));
  add(k, "velocity-old", off_range(k, OLD, k->r, -h / 2, last, size));
  for (int i = 0; i < k->n; i++)
    k->r[i] -= h / 2 * last[i];
  add(k, "unprojected", length_of(k->r, k->n) / size);
  add(k, "no-feedback", off_range(k, NEW, k->r, 1 / h, k->w, size));
  add(k, "velocity-floor", floor / size);
}

/* Returns the distance between k->from and a step back from k->to; NaN if the step fails. */
static real way_back(struct work *k, bool reversed)
{
  const real h = reversed ? k->map->step : -k->map->step;
  return shk_map_step(k->map, k->back, k->to, h).code == SHK_OK
             ? shk_map_distance(k->map, k->from, k->back, reversed)
             : NAN;
}

static void reverse(struct shk_state *s)
{
  for (int i = 0; i < s->n; i++) {
    s->p[i] = -s->p[i];
    s->p_carry[i] = -s->p_carry[i];
  }
}

/* Adds the sizes of the rows of g at q1, and the distances after a step back. The step with -h is
 * taken twice and the smaller distance kept, since a first step with -h may be special. */
static struct shk_status add_states(struct work *k)
{
  real least = INFINITY, most = 0;
  SHK_TRY(shk_constraint(k->e, k->rates, k->to->t, k->to->q));
  for (int j = 0; j < k->m; j++) {
    least = real_min(least, real_fabs(k->rates[j]));
    most = real_max(most, real_fabs(k->rates[j]));
  }
  add(k, "row-least", least);
  add(k, "row-most", most);
  const real first = way_back(k, false);
  reverse(k->to);
  add(k, "reversed", way_back(k, true));
  reverse(k->to);
  add(k, "symmetric", real_min(first, way_back(k, false)));
  return shk_ok();
}

/* Stores the velocities, w, and r without -½h F(q1), and F and G at all points. */
static struct shk_status examine(struct work *k)
{
  const real h = k->map->step, *const mass = k->map->instance->system.mass;
  const struct shk_state *const a = k->from, *const b = k->to;
  SHK_TRY(visit(k, OLD, a->t, a->q));
  SHK_TRY(visit(k, NEW, b->t, b->q));
  for (int i = 0; i < k->n; i++) {
    k->v0[i] = a->p[i] / mass[i];
    k->v1[i] = b->p[i] / mass[i];
    const real kick = h * k->force[OLD][i] / 2;
    const real moved = (b->q[i] - a->q[i]) + (b->q_carry[i] - a->q_carry[i]);
    k->w[i] = mass[i] * (moved - h * k->v0[i]) - h * kick;
    k->r[i] = (b->p[i] - a->p[i]) + (b->p_carry[i] - a->p_carry[i]) - k->w[i] / h - kick;
    k->q[i] = a->q[i] + h * (k->v0[i] + kick / mass[i]);
  }
  SHK_TRY(visit(k, PREDICTED, b->t, k->q));
  for (int i = 0; i < k->n; i++)
    k->q[i] = (a->q[i] + b->q[i]) / 2;
  return visit(k, MIDDLE, b->t, k->q);
}

static struct shk_status measure_step(struct work *k)
{
  const real h = real_fabs(k->map->step), *const mass = k->map->instance->system.mass;
  shk_state_copy(k->from, k->map->start);
  for (int i = 0; i < STEPS; i++) {
    if (i > 0)
      shk_state_copy(k->from, k->to);
    SHK_TRY(shk_map_step(k->map, k->to, k->from, k->map->step));
  }
  SHK_TRY(examine(k));
  const real single = distance_from_single(k),
             eps = single <= 8 * REAL_EPSILON ? (real)FLT_EPSILON : REAL_EPSILON;
  real reach = 0;
  for (int i = 0; i < k->n; i++)
    reach = real_max(reach, mass[i] * real_fabs(k->to->q[i]) + h * real_fabs(k->to->p[i]));
  const real correction = length_of(k->w, k->n), impulse = h * length_of(k->force[OLD], k->n);
  add(k, "single", single);
  add_positions(k, correction + h * impulse / 2, eps * reach);
  add_velocities(k, correction / h + impulse, eps * reach / h);
  add_hidden(k, "hidden", NEW);
  add_hidden(k, "hidden-old", OLD);
  add_hidden(k, "hidden-middle", MIDDLE);
  add(k, "state-floor", eps / REAL_EPSILON * shk_map_rounding(k->map, h));
  return add_states(k);
}

static struct shk_status begin(struct work *k)
{
  struct shk_workspace *const workspace = k->e->workspace;
  const size_t n = (size_t)k->n, m = (size_t)k->m;
  real **const arrays[] = {&k->q, &k->v0, &k->v1, &k->w, &k->r, &k->x};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
    SHK_TRY(shk_reals(workspace, arrays[i], n));
  for (int at = 0; at < POINTS; at++) {
    SHK_TRY(shk_reals(workspace, &k->force[at], n));
    SHK_TRY(shk_reals(workspace, &k->rows[at], m * n));
  }
  SHK_TRY(shk_reals(workspace, &k->rates, m));
  return shk_reals(workspace, &k->G, (size_t)k->e->row_start[m]);
}

static struct shk_status measure(struct shk_trial *trial)
{
  const struct shk_state *const start = trial->map->start;
  struct work k = {.trial = trial,
                   .map = trial->map,
                   .e = &trial->evaluator,
                   .from = trial->state,
                   .to = trial->state + 1,
                   .back = trial->state + 2,
                   .n = start->n,
                   .m = start->m};
  SHK_TRY(begin(&k));
  return measure_step(&k);
}

const struct shk_structure shk_structure_identities = {
    .asks = {.meaningless = {{SHK_GENERAL_HAMILTONIAN | SHK_FORCES | SHK_MOMENTUM_CONSTRAINT |
                                  SHK_GENERAL_DAE | SHK_RHEONOMIC,
                              0, "identities of steps are those of H = ½pᵀM⁻¹p + V(q) and g(q)"}}},
    .states = 3,
    .measure = measure};
