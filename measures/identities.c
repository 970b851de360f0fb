/*
 * Tests identities that a step from (q0,v0) to (q1,v1) satisfies on separable systems with
 * constraints g(q). For methods of the Störmer-Verlet family, let F = -V_q, and let q* = q0 + h v0
 * + ½h² M⁻¹F(q0) be the predicted positions. Let q** be the predicted positions of a step in which
 * the velocities v0 + ½h M⁻¹F(q0) are made tangent at q0 before the drift. With
 *
 *     w = M (q1 - q0 - h v0) - ½h² F(q0)                    the correction of the positions
 *     r = M (v1 - v0) - w/h - ½h F(q0) - ½h F(q1)           the correction of the velocities
 *
 * a correct step of SHAKE or RATTLE has w in the range of G(q0)ᵀ and r in the range of G(q1)ᵀ. A
 * step with a common mistake satisfies a different identity to round-off, which a correct step
 * violates by O(h). The residual of each identity is recorded as identities-NAME. Residuals of w
 * are divided by |w| + ½h²|F(q0)|, and residuals of r by |w|/h + h|F(q0)|:
 *
 *   uncorrected                          |w|
 *   defect, along-new, along-predicted   the component of w outside the range of G(q0)ᵀ, of G(q1)ᵀ
 *                                        or of G(q*)ᵀ
 *   along-drifted                        the component of M (q1 - q**) outside the range of G(q**)ᵀ
 *   without-masses                       the component of M⁻¹w outside the range of G(q0)ᵀ, divided
 *                                        by |M⁻¹w|
 *   force-new, -old, -predicted, -none   the component of r outside the range of G(q1)ᵀ, with the
 *                                        term F(q1) unchanged or replaced with F(q0), F(q*) or zero
 *   no-feedback                          the component of r + w/h outside the range of G(q1)ᵀ
 *   factor-misfit                        the component of r - (f - 1) w/h outside the range of
 *                                        G(q1)ᵀ, with f as below
 *   velocity-old                         the component of r outside the range of G(q0)ᵀ
 *   velocity-without-masses              the component of M⁻¹r outside the range of G(q1)ᵀ, divided
 *                                        by |M⁻¹r|
 *   unprojected                          |r|
 *   hidden, hidden-old, hidden-middle    the largest component of v1 along orthonormal rows of
 *                                        G(q1), G(q0) or G(½(q0 + q1)), divided by |v1|
 *   share-misfit                         the component of v1 - (1 - s) (v1 - M⁻¹r) along
 *                                        orthonormal rows of G(q1), divided by |v1|, with s as
 *                                        below
 *   symmetric, reversed                  the distances of Ψ_{-h}Ψ_h and of ρΨ_hρΨ_h from the
 *                                        identity
 *   repeated                             the distance of q1, p1 from the results of the same step
 *                                        when it is repeated after a step of ½h from q1, p1
 *   row-least, row-most, row-most-free   the smallest |g_i(q1)|, the largest, and the largest among
 *                                        rows without a fixed point, each divided by the rod's
 *                                        squared length (by |G_i||q1| for rows that are not rods)
 *   single                               the largest relative distance of q1, p1 or v1 from a
 *                                        binary32 number
 *
 * There are additional identities in identities_rods.c, identities_rate.c and identities_single.c.
 * The measure also records quantities that are determined by identities, with their floors:
 *
 *   factor                               f, the factor by which w/h is multiplied in the
 *                                        velocities: 1 if correct
 *   share                                s, the fraction of the velocity components off the hidden
 *                                        constraint that r removes: 1 if correct
 *
 * The floors are identities-floor for w, identities-velocity-floor for r, identities-row-floor for
 * rows, and identities-state-floor for the others. If `single` is at round-off, the floors are
 * computed with the round-off of binary32. The third step of a run is measured, because the first
 * two may be special.
 */
#include "measures/identities.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { STEPS = 3 };

void shk_identity_add(const struct shk_identities *k, const char *what, real value)
{
  shk_trial_add(k->trial, what, value);
}

/* ---- ranges ---- */

real shk_length_of(const real *x, int n)
{
  return real_sqrt(real_dot(x, x, n));
}

void shk_rows_remove(real *x, const real *rows, int count, int n)
{
  for (int j = 0; j < count; j++)
    shk_vector_add(x, -real_dot(rows + (size_t)j * (size_t)n, x, n), rows + (size_t)j * (size_t)n,
                   n);
}

void shk_rows_orthonormalize(real *rows, real *triangle, int count, int n)
{
  for (int j = 0; j < count; j++) {
    real *const row = rows + (size_t)j * (size_t)n;
    const real before = shk_length_of(row, n);
    for (int i = 0; triangle && i < count; i++)
      triangle[i * count + j] = 0;
    for (int pass = 0; pass < 2; pass++)
      for (int i = 0; i < j; i++) {
        const real *const other = rows + (size_t)i * (size_t)n;
        const real part = real_dot(other, row, n);
        shk_vector_add(row, -part, other, n);
        if (triangle)
          triangle[i * count + j] += part;
      }
    real length = shk_length_of(row, n);
    /* a shorter remainder is only a rounding error and means that the rows are dependent */
    length = length > 64 * REAL_EPSILON * before ? length : 0;
    for (int i = 0; i < n; i++)
      row[i] = length > 0 ? row[i] / length : 0;
    if (triangle)
      triangle[j * count + j] = length;
  }
}

/* Stores F(q) and orthonormal rows that span the range of G(q)ᵀ. The point's q must already be
 * set. */
static struct shk_status visit_point(struct shk_identities *k, enum shk_identity_point at, real t)
{
  struct shk_evaluator *const e = k->e;
  real *const rows = k->rows[at];
  SHK_TRY(shk_gradient(e, k->force[at], t, k->q[at], k->from->p));
  SHK_TRY(shk_jacobian(e, k->G, t, k->q[at]));
  shk_negate(k->force[at], k->n);
  memset(rows, 0, (size_t)k->m * (size_t)k->n * sizeof *rows);
  for (int j = 0; j < k->m; j++)
    for (int i = e->row_start[j]; i < e->row_start[j + 1]; i++)
      rows[j * k->n + e->columns[i]] = k->G[i];
  shk_rows_orthonormalize(rows, NULL, k->m, k->n);
  return shk_ok();
}

/* Returns the length of the component of x + factor y outside the range of Gᵀ at a point, divided
 * by `size`. y can be NULL. */
static real off_range(const struct shk_identities *k, enum shk_identity_point at, const real *x,
                      real factor, const real *y, real size)
{
  for (int i = 0; i < k->n; i++)
    k->x[i] = x[i] + (y ? factor * y[i] : 0);
  shk_rows_remove(k->x, k->rows[at], k->m, k->n);
  return shk_length_of(k->x, k->n) / size;
}

/* Adds the largest component of v1 along the orthonormal rows of G, divided by |v1|. */
static void add_hidden(const struct shk_identities *k, const char *what, enum shk_identity_point at)
{
  real most = 0;
  for (int j = 0; j < k->m; j++)
    most = real_max(most, real_fabs(real_dot(k->rows[at] + (size_t)j * (size_t)k->n, k->v1, k->n)));
  shk_identity_add(k, what, most / shk_length_of(k->v1, k->n));
}

/* ---- single-precision numbers ---- */

static real off_single(real x)
{
  return x == 0 ? 0 : real_fabs(x - (real)(float)x) / real_fabs(x);
}

static real distance_from_single(const struct shk_identities *k)
{
  real most = 0;
  for (int i = 0; i < k->n; i++) {
    most = real_max(most, off_single(k->to->q[i]));
    most = real_max(most, real_min(off_single(k->to->p[i]), off_single(k->v1[i])));
  }
  return most;
}

/* ---- the step ---- */

static void add_positions(const struct shk_identities *k, real size, real floor)
{
  const real *const mass = k->map->instance->system.mass;
  real *const y = k->other;
  shk_identity_add(k, "uncorrected", shk_length_of(k->w, k->n) / size);
  shk_identity_add(k, "defect", off_range(k, SHK_AT_OLD, k->w, 0, NULL, size));
  shk_identity_add(k, "along-new", off_range(k, SHK_AT_NEW, k->w, 0, NULL, size));
  shk_identity_add(k, "along-predicted", off_range(k, SHK_AT_PREDICTED, k->w, 0, NULL, size));
  shk_identity_add(k, "along-drifted", off_range(k, SHK_AT_DRIFTED, k->w_drifted, 0, NULL, size));
  for (int i = 0; i < k->n; i++)
    y[i] = k->w[i] / mass[i];
  shk_identity_add(k, "without-masses",
                   off_range(k, SHK_AT_OLD, y, 0, NULL, shk_length_of(y, k->n)));
  shk_identity_add(k, "floor", floor / size);
}

/* Adds the factor f by which w/h is multiplied in the velocities. f minimizes the component of r -
 * (f - 1) w/h outside the range of G(q1)ᵀ. */
static void add_factor(const struct shk_identities *k, real size, real floor)
{
  const real h = k->map->step;
  real *const a = k->other, *const b = k->x;
  shk_copy(a, k->r, k->n);
  shk_vector_scaled(b, 1 / h, k->w, k->n);
  shk_rows_remove(a, k->rows[SHK_AT_NEW], k->m, k->n);
  shk_rows_remove(b, k->rows[SHK_AT_NEW], k->m, k->n);
  const real length = shk_length_of(b, k->n), part = real_dot(a, b, k->n) / (length * length);
  shk_vector_add(a, -part, b, k->n);
  shk_identity_add(k, "factor", 1 + part);
  shk_identity_add(k, "factor-floor", floor / length);
  shk_identity_add(k, "factor-misfit", shk_length_of(a, k->n) / size);
}

/* Adds s, the fraction of the velocity components along the rows of G(q1) that r removes. */
static void add_share(const struct shk_identities *k, real floor)
{
  const real *const mass = k->map->instance->system.mass;
  real *const before = k->other, off = 0, ab = 0, bb = 0;
  for (int i = 0; i < k->n; i++)
    before[i] = k->v1[i] - k->r[i] / mass[i];
  for (int pass = 0; pass < 2; pass++)
    for (int j = 0; j < k->m; j++) {
      const real *const row = k->rows[SHK_AT_NEW] + (size_t)j * (size_t)k->n;
      const real a = real_dot(row, k->v1, k->n), b = real_dot(row, before, k->n);
      if (pass == 1)
        off = real_max(off, real_fabs(a - ab / bb * b));
      ab += pass == 0 ? a * b : 0;
      bb += pass == 0 ? b * b : 0;
    }
  const real speed = shk_length_of(k->v1, k->n);
  shk_identity_add(k, "share", 1 - ab / bb);
  shk_identity_add(k, "share-floor", floor * speed / real_sqrt(bb));
  shk_identity_add(k, "share-misfit", off / speed);
}

/* Adds the residuals of r. On entry, k->r does not yet contain its last term, -½h F(q1). */
static void add_velocities(const struct shk_identities *k, real size, real floor)
{
  const real h = k->map->step, *const mass = k->map->instance->system.mass;
  const real *const last = k->force[SHK_AT_NEW];
  real *const y = k->other;
  const struct {
    const char *name;
    enum shk_identity_point range;
    const real *force;
  } all[] = {{"force-new", SHK_AT_NEW, last},
             {"force-old", SHK_AT_NEW, k->force[SHK_AT_OLD]},
             {"force-predicted", SHK_AT_NEW, k->force[SHK_AT_PREDICTED]},
             {"force-none", SHK_AT_NEW, NULL},
             {"velocity-old", SHK_AT_OLD, last}};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    shk_identity_add(k, all[i].name, off_range(k, all[i].range, k->r, -h / 2, all[i].force, size));
  shk_vector_add(k->r, -h / 2, last, k->n);
  shk_identity_add(k, "unprojected", shk_length_of(k->r, k->n) / size);
  shk_identity_add(k, "no-feedback", off_range(k, SHK_AT_NEW, k->r, 1 / h, k->w, size));
  for (int i = 0; i < k->n; i++)
    y[i] = k->r[i] / mass[i];
  shk_identity_add(k, "velocity-without-masses",
                   off_range(k, SHK_AT_NEW, y, 0, NULL, shk_length_of(y, k->n)));
  shk_identity_add(k, "velocity-floor", floor / size);
  add_factor(k, size, floor);
}

/* Returns the distance between k->from and the result of a step back from k->to, or NaN if the step
 * fails. */
static real way_back(struct shk_identities *k, bool reversed)
{
  const real h = reversed ? k->map->step : -k->map->step;
  return shk_map_step(k->map, k->back, k->to, h).code == SHK_OK
             ? shk_map_distance(k->map, k->from, k->back, reversed)
             : NAN;
}

static void reverse_identities(struct shk_state *s)
{
  for (int i = 0; i < s->n; i++) {
    s->p[i] = -s->p[i];
    s->p_carry[i] = -s->p_carry[i];
  }
}

/* Adds the distance after a step back and the distance after repeating the same step. The step of
 * -h is taken twice and the smaller of the two distances is used, because the first step of -h may
 * be special. */
static void add_states(struct shk_identities *k)
{
  const real first = way_back(k, false);
  reverse_identities(k->to);
  shk_identity_add(k, "reversed", way_back(k, true));
  reverse_identities(k->to);
  shk_identity_add(k, "symmetric", real_min(first, way_back(k, false)));
  const bool again = shk_map_step(k->map, k->back, k->to, k->map->step / 2).code == SHK_OK &&
                     shk_map_step(k->map, k->back, k->from, k->map->step).code == SHK_OK;
  shk_identity_add(k, "repeated", again ? shk_map_distance(k->map, k->to, k->back, false) : NAN);
}

/* Adds the constraint residuals, that is, |g| at q1. */
static struct shk_status add_rows(const struct shk_identities *k, real noise)
{
  const struct shk_rods *const rods = k->map->instance->system.rods;
  const real reach = real_max_norm(k->to->q, k->n);
  real least = INFINITY, most = 0, most_free = 0, floor = 0;
  SHK_TRY(shk_constraint(k->e, k->rates, k->to->t, k->to->q));
  SHK_TRY(shk_jacobian(k->e, k->G, k->to->t, k->to->q));
  for (int j = 0; j < k->m; j++) {
    const int at = k->e->row_start[j];
    const real slope = shk_length_of(k->G + at, k->e->row_start[j + 1] - at),
               unit = rods ? rods->rod[j].square : slope * reach,
               size = real_fabs(k->rates[j]) / unit;
    least = real_min(least, size);
    most = real_max(most, size);
    if (!rods || rods->rod[j].a >= 0)
      most_free = real_max(most_free, size);
    floor = real_max(floor, noise * slope * reach / unit);
  }
  shk_identity_add(k, "row-least", least);
  shk_identity_add(k, "row-most", most);
  shk_identity_add(k, "row-most-free", most_free);
  shk_identity_add(k, "row-floor", 4 * floor);
  return shk_ok();
}

/* Stores q** in k->q, using drift velocities without their components along the rows of G(q0), in
 * the mass metric. */
static void drift_identities(struct shk_identities *k)
{
  const real h = k->map->step, *const mass = k->map->instance->system.mass;
  real *const rows = k->other, *const y = k->x;
  for (int j = 0; j < k->m; j++)
    for (int i = 0; i < k->n; i++)
      rows[j * k->n + i] = k->rows[SHK_AT_OLD][j * k->n + i] / real_sqrt(mass[i]);
  shk_rows_orthonormalize(rows, NULL, k->m, k->n);
  for (int i = 0; i < k->n; i++)
    y[i] = (k->v0[i] + h / 2 * k->force[SHK_AT_OLD][i] / mass[i]) * real_sqrt(mass[i]);
  shk_rows_remove(y, rows, k->m, k->n);
  for (int i = 0; i < k->n; i++)
    k->q[SHK_AT_DRIFTED][i] = k->from->q[i] + h * y[i] / real_sqrt(mass[i]);
}

/* Stores the velocities, w, r without the term -½h F(q1), and F and G at all points. */
static struct shk_status examine_identities(struct shk_identities *k)
{
  const real h = k->map->step, *const mass = k->map->instance->system.mass;
  const struct shk_state *const a = k->from, *const b = k->to;
  shk_copy(k->q[SHK_AT_OLD], a->q, k->n);
  shk_copy(k->q[SHK_AT_NEW], b->q, k->n);
  SHK_TRY(visit_point(k, SHK_AT_OLD, a->t));
  SHK_TRY(visit_point(k, SHK_AT_NEW, b->t));
  for (int i = 0; i < k->n; i++) {
    k->v0[i] = a->p[i] / mass[i];
    k->v1[i] = b->p[i] / mass[i];
    const real kick = h * k->force[SHK_AT_OLD][i] / 2;
    const real moved = (b->q[i] - a->q[i]) + (b->q_carry[i] - a->q_carry[i]);
    k->w[i] = mass[i] * (moved - h * k->v0[i]) - h * kick;
    k->r[i] = (b->p[i] - a->p[i]) + (b->p_carry[i] - a->p_carry[i]) - k->w[i] / h - kick;
    k->q[SHK_AT_PREDICTED][i] = a->q[i] + h * (k->v0[i] + kick / mass[i]);
    k->q[SHK_AT_MIDDLE][i] = (a->q[i] + b->q[i]) / 2;
  }
  drift_identities(k);
  for (int i = 0; i < k->n; i++)
    k->w_drifted[i] = k->w[i] - mass[i] * (k->q[SHK_AT_DRIFTED][i] - k->q[SHK_AT_PREDICTED][i]);
  for (int at = SHK_AT_PREDICTED; at < SHK_IDENTITY_POINTS; at++)
    SHK_TRY(visit_point(k, at, b->t));
  return shk_ok();
}

static struct shk_status measure_step(struct shk_identities *k)
{
  const real h = real_fabs(k->map->step), *const mass = k->map->instance->system.mass;
  shk_state_copy(k->from, k->map->start);
  for (int i = 0; i < STEPS; i++) {
    if (i > 0)
      shk_state_copy(k->from, k->to);
    SHK_TRY(shk_map_step(k->map, k->to, k->from, k->map->step));
  }
  SHK_TRY(examine_identities(k));
  const real single = distance_from_single(k);
  const bool is_single = single <= 8 * REAL_EPSILON;
  const real eps = is_single ? (real)FLT_EPSILON : REAL_EPSILON,
             rounding = eps / REAL_EPSILON * shk_map_rounding(k->map, h);
  real reach = 0;
  for (int i = 0; i < k->n; i++)
    reach = real_max(reach, mass[i] * real_fabs(k->to->q[i]) + h * real_fabs(k->to->p[i]));
  const real correction = shk_length_of(k->w, k->n),
             impulse = h * shk_length_of(k->force[SHK_AT_OLD], k->n),
             size = correction + h * impulse / 2, velocity_size = correction / h + impulse;
  shk_identity_add(k, "single", single);
  add_positions(k, size, eps * reach);
  add_velocities(k, velocity_size, eps * reach / h);
  add_hidden(k, "hidden", SHK_AT_NEW);
  add_hidden(k, "hidden-old", SHK_AT_OLD);
  add_hidden(k, "hidden-middle", SHK_AT_MIDDLE);
  add_share(k, rounding);
  shk_identity_add(k, "state-floor", rounding);
  SHK_TRY(add_rows(k, eps));
  SHK_TRY(shk_identities_of_rods(k, size, velocity_size, eps));
  add_states(k);
  SHK_TRY(shk_identities_of_rate(k));
  return is_single ? shk_identities_of_single(k, eps) : shk_ok();
}

static struct shk_status begin_identities(struct shk_identities *k)
{
  struct shk_workspace *const workspace = k->e->workspace;
  const size_t n = (size_t)k->n, m = (size_t)k->m;
  real **const arrays[] = {&k->v0, &k->v1, &k->w, &k->w_drifted, &k->r, &k->x};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
    SHK_TRY(shk_reals(workspace, arrays[i], n));
  for (int at = 0; at < SHK_IDENTITY_POINTS; at++) {
    SHK_TRY(shk_reals(workspace, &k->q[at], n));
    SHK_TRY(shk_reals(workspace, &k->force[at], n));
    SHK_TRY(shk_reals(workspace, &k->rows[at], m * n));
  }
  SHK_TRY(shk_reals(workspace, &k->other, m * n + n));
  SHK_TRY(shk_reals(workspace, &k->triangle, m * m));
  SHK_TRY(shk_reals(workspace, &k->rates, m));
  return shk_reals(workspace, &k->G, (size_t)k->e->row_start[m]);
}

static struct shk_status measure_identities(struct shk_trial *trial)
{
  const struct shk_state *const start = trial->map->start;
  struct shk_identities k = {.trial = trial,
                             .map = trial->map,
                             .e = &trial->evaluator,
                             .from = trial->state,
                             .to = trial->state + 1,
                             .back = trial->state + 2,
                             .n = start->n,
                             .m = start->m};
  SHK_TRY(begin_identities(&k));
  return measure_step(&k);
}

const struct shk_structure shk_structure_identities = {
    .asks = {.meaningless = {{SHK_GENERAL_HAMILTONIAN | SHK_FORCES | SHK_MOMENTUM_CONSTRAINT |
                                  SHK_GENERAL_DAE | SHK_RHEONOMIC,
                              0, "step identities exist only for H = ½pᵀM⁻¹p + V(q) and g(q)"}}},
    .states = 3,
    .measure = measure_identities};
