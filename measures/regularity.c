/*
 * Measures regularity along a run: rank, crossings, inertia and impasses. This is done only in
 * cells of type "regularity", because every step requires a decomposition of the constraint
 * Jacobian. Cells with more than SHK_RANK_LIMIT constraints fail. There is no search for crossings
 * in general DAEs or if constraints depend on momenta.
 */
#include "measures/crossing.h"
#include "measures/impasse.h"
#include "measures/joint_columns.h"
#include "measures/measure.h"
#include "mechanics/algebra/jacobi.h"
#include "mechanics/system/fibre.h"

#include "foundation/memory.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_CROSSINGS = 2000, REMEMBERED = 200000 };

struct end {
  struct shk_spectrum spectrum;
  struct shk_path_point point;
  real *q, *v, *a;
};

struct regularity {
  const struct shk_measured *run;
  bool follows;       /* true if this run is searched for crossings of singular values */
  bool general;       /* true if N (see inertia()) differs from G M⁻¹ Gᵀ */
  struct end ends[2]; /* ends[last] is the last observed regular state */
  int last;
  bool started, has_last;
  int rank_least, rank_most;
  bool sign_changed; /* true if the smallest singular value, followed continuously, is negative */
  real least, nondegeneracy;
  int negative;
  long crossings, near_misses, inertia_changes;
  struct shk_crossings *finder;
  struct shk_crossing *found;       /* m */
  double *times, *residuals;        /* MOST_CROSSINGS each */
  struct shk_joint_columns *joints; /* NULL if there are none */
  int placed;                       /* number of joint coordinates */
  /* the joint coordinates at the crossings (MOST_CROSSINGS rows) */
  double *places;
  /* q at a crossing (n numbers), and the joint coordinates there */
  real *at, *coordinates;
  struct shk_reduction singular, multiplier, nondegenerate;
  real *jacobian, *hessian, *product, *N, *lambda, *gradient;
  real *past_times, *past_sizes; /* a ring buffer of `room` elements */
  long past, room;
};

static struct shk_status prepare_end(struct end *end, const struct shk_measured *run)
{
  struct shk_workspace *const workspace = run->evaluator->workspace;
  const size_t n = (size_t)run->instance->system.n;
  SHK_TRY(shk_spectrum_init(&end->spectrum, run->evaluator));
  SHK_TRY(shk_reals(workspace, &end->q, n));
  SHK_TRY(shk_reals(workspace, &end->v, n));
  SHK_TRY(shk_reals(workspace, &end->a, n));
  end->point =
      (struct shk_path_point){.q = end->q, .v = end->v, .a = end->a, .spectrum = &end->spectrum};
  return shk_ok();
}

static struct shk_status prepare_joints(struct regularity *regularity,
                                        const struct shk_measured *run)
{
  struct shk_workspace *const workspace = run->evaluator->workspace;
  SHK_TRY(
      shk_joint_columns_create(&regularity->joints, run->instance, run->evaluator, run->manifold));
  if (!regularity->joints)
    return shk_ok();
  regularity->placed = run->instance->joints->coordinate_count;
  const size_t placed = (size_t)regularity->placed;
  regularity->places = shk_memory(workspace, MOST_CROSSINGS * placed * sizeof(double) + 1);
  SHK_TRY(shk_allocated(regularity->places));
  SHK_TRY(shk_reals(workspace, &regularity->at, (size_t)run->instance->system.n));
  return shk_reals(workspace, &regularity->coordinates, placed);
}

static bool regularity_applies(const struct shk_measured *run)
{
  return run->regularity;
}

static struct shk_status regularity_create(void *state, const struct shk_measured *run)
{
  struct regularity *const regularity = state;
  const struct shk_system *system = &run->instance->system;
  struct shk_workspace *const workspace = run->evaluator->workspace;
  const size_t n = (size_t)system->n, m = (size_t)system->m;
  const bool momenta = (system->features & SHK_MOMENTUM_CONSTRAINT) != 0;
  const bool dae = (system->features & SHK_GENERAL_DAE) != 0;
  regularity->run = run;
  regularity->follows = m > 0 && !momenta && !dae;
  regularity->general = m > 0 && (momenta || (system->features & SHK_GENERAL_HAMILTONIAN) != 0);
  regularity->room = run->observations < REMEMBERED ? run->observations + 1 : REMEMBERED;
  for (int i = 0; i < 2; i++)
    SHK_TRY(prepare_end(&regularity->ends[i], run));
  SHK_TRY(shk_crossings_create(&regularity->finder, run->evaluator));
  regularity->found = shk_memory(workspace, m * sizeof *regularity->found);
  regularity->times = shk_memory(workspace, 2 * MOST_CROSSINGS * sizeof *regularity->times);
  if (!regularity->found || !regularity->times)
    return shk_no_memory();
  regularity->residuals = regularity->times + MOST_CROSSINGS;
  if (regularity->follows)
    SHK_TRY(prepare_joints(regularity, run));
  SHK_TRY(shk_measure_series(run, &regularity->singular));
  SHK_TRY(shk_measure_series(run, &regularity->multiplier));
  SHK_TRY(shk_measure_series(run, &regularity->nondegenerate));
  SHK_TRY(shk_reals(workspace, &regularity->past_times, (size_t)regularity->room));
  SHK_TRY(shk_reals(workspace, &regularity->past_sizes, (size_t)regularity->room));
  SHK_TRY(shk_reals(workspace, &regularity->jacobian, (size_t)run->evaluator->row_start[m]));
  SHK_TRY(shk_reals(workspace, &regularity->product, m * n));
  SHK_TRY(shk_reals(workspace, &regularity->N, m * m));
  SHK_TRY(shk_reals(workspace, &regularity->lambda, m));
  SHK_TRY(shk_reals(workspace, &regularity->gradient, n));
  if (!dae && (shk_is_general(system) || momenta))
    return shk_reals(workspace, &regularity->hessian, 4 * n * n);
  return shk_ok();
}

/* Sets q and, if this run is searched for crossings, also v = H_p and a = d/dt H_p with the exact
 * multiplier. */
static struct shk_status fill_point(struct regularity *regularity, struct end *end,
                                    const struct shk_state *at)
{
  struct shk_evaluator *e = regularity->run->evaluator;
  const int n = at->n;
  end->point.t = at->t;
  memcpy(end->q, at->q, (size_t)n * sizeof(real));
  if (!regularity->follows)
    return shk_ok();
  SHK_TRY(shk_velocity(e, end->v, at->t, at->q, at->p));
  SHK_TRY(shk_gradient(e, regularity->gradient, at->t, at->q, at->p));
  SHK_TRY(shk_jacobian(e, regularity->jacobian, at->t, at->q));
  shk_jacobian_transposed_add(e, regularity->gradient, regularity->jacobian, 1, regularity->lambda);
  if (!regularity->hessian || !(e->system->features & SHK_GENERAL_HAMILTONIAN)) {
    for (int i = 0; i < n; i++)
      end->a[i] = shk_over_mass(e, -regularity->gradient[i], i);
    return shk_ok();
  }
  SHK_TRY(shk_hessian(e, regularity->hessian, at->t, at->q, at->p));
  for (int i = 0; i < n; i++) {
    const real *row = regularity->hessian + (size_t)(n + i) * 2 * n;
    end->a[i] = 0;
    for (int j = 0; j < n; j++)
      end->a[i] += row[j] * end->v[j] - row[n + j] * regularity->gradient[j];
  }
  return shk_ok();
}

/* Finds the smallest absolute eigenvalue of N, scaled by the gradient lengths, and the number of
 * negative eigenvalues. N is the matrix that determines the multipliers; for g(q) and g(q,t), it is
 * G H_pp Gᵀ. */
static struct shk_status least_eigenvalue(struct regularity *regularity, real *least, int *negative,
                                          const struct shk_state *at)
{
  struct shk_evaluator *e = regularity->run->evaluator;
  const int n = at->n, m = at->m;
  if (e->system->features & SHK_MOMENTUM_CONSTRAINT) {
    struct shk_regularity found;
    SHK_TRY(shk_manifold_regularity(regularity->run->manifold, &found, at->t, at->q, at->p));
    *least = found.least;
    *negative = found.negative;
    return shk_ok();
  }
  SHK_TRY(shk_hessian(e, regularity->hessian, at->t, at->q, at->p));
  SHK_TRY(shk_jacobian(e, regularity->jacobian, at->t, at->q));
  for (int i = 0; i < m; i++) {
    real length = 0;
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++)
      length += regularity->jacobian[k] * regularity->jacobian[k];
    length = length > 0 ? real_sqrt(length) : 1;
    real *row = regularity->product + (size_t)i * n;
    memset(row, 0, (size_t)n * sizeof *row);
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++) {
      regularity->jacobian[k] /= length;
      for (int c = 0; c < n; c++)
        row[c] += regularity->jacobian[k] *
                  regularity->hessian[(size_t)(n + e->columns[k]) * 2 * n + n + c];
    }
  }
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++) {
      regularity->N[i * m + j] = 0;
      for (int k = e->row_start[j]; k < e->row_start[j + 1]; k++)
        regularity->N[i * m + j] +=
            regularity->product[(size_t)i * n + e->columns[k]] * regularity->jacobian[k];
    }
  shk_eigen_symmetric(regularity->N, NULL, m);
  *negative = 0;
  for (int i = 0; i < m; i++) {
    const real value = regularity->N[i * (m + 1)];
    *negative += value < 0;
    *least = i == 0 ? real_fabs(value) : real_min(*least, real_fabs(value));
  }
  return shk_ok();
}

static void note_regularity(struct shk_reduction *series, real t, real value)
{
  shk_reduction_note(series, (double)t, (double)value);
}

/* If crossings are closer together than this fraction of a step, several singular values cross zero
 * at once, for example because the loops of a linkage flatten simultaneously. The smallest value
 * then passes through zero only once. */
#define AT_ONCE R(0.001)

/* Appends the joint coordinates at the crossing at time t, which precedes `now`. */
static void place_crossing(struct regularity *regularity, const struct end *now, real t)
{
  if (regularity->placed == 0 || regularity->crossings >= MOST_CROSSINGS)
    return;
  shk_crossings_hermite(regularity->at, &regularity->ends[regularity->last].point, &now->point,
                        regularity->run->instance->system.n, t);
  shk_joint_columns_place(regularity->joints, regularity->coordinates, t, regularity->at, now->v);
  for (int i = 0; i < regularity->placed; i++)
    regularity->places[regularity->crossings * regularity->placed + i] =
        (double)regularity->coordinates[i];
}

/* Finds the crossings that occurred since the last regular state. */
static struct shk_status follow_regularity(struct regularity *regularity, struct end *now)
{
  const real apart = AT_ONCE * real_fabs(now->point.t - regularity->ends[regularity->last].point.t);
  int count = 0;
  bool any = false;
  real before = 0; /* time of the last crossing, if there is one */
  SHK_TRY(shk_crossings_find(
      regularity->finder, regularity->found, &count, regularity->run->instance->system.m,
      &regularity->ends[regularity->last].point, &now->point, regularity->rank_most));
  for (int i = 0; i < count; i++) {
    regularity->least = real_min(regularity->least, regularity->found[i].residual);
    if (!regularity->found[i].crossed) {
      regularity->near_misses++;
      continue;
    }
    if (!any || real_fabs(regularity->found[i].t - before) > apart)
      regularity->sign_changed = !regularity->sign_changed;
    any = true;
    before = regularity->found[i].t;
    place_crossing(regularity, now, regularity->found[i].t);
    if (regularity->crossings < MOST_CROSSINGS) {
      regularity->times[regularity->crossings] =
          (double)(regularity->found[i].t - regularity->run->instance->initial_time);
      regularity->residuals[regularity->crossings] = (double)regularity->found[i].residual;
    }
    regularity->crossings++;
  }
  return shk_ok();
}

static struct shk_status regularity_observe(void *state, const struct shk_state *at)
{
  struct regularity *regularity = state;
  if (at->m == 0)
    return shk_ok();
  const real since = at->t - regularity->run->instance->initial_time;
  struct end *now = &regularity->ends[regularity->has_last ? 1 - regularity->last : 0];
  const struct shk_spectrum *before =
      regularity->has_last ? &regularity->ends[regularity->last].spectrum : NULL;
  SHK_TRY(
      shk_spectrum_find(&now->spectrum, before, regularity->run->evaluator, at->t, at->q, at->p));
  const struct shk_status solved =
      shk_exact_multiplier(regularity->run->manifold, regularity->lambda, at->t, at->q, at->p);
  if (solved.code == SHK_OK) {
    const real size = real_max_norm(regularity->lambda, at->m);
    note_regularity(&regularity->multiplier, since, size);
    regularity->past_times[regularity->past % regularity->room] = at->t;
    regularity->past_sizes[regularity->past++ % regularity->room] = size;
  } else if (solved.code != SHK_SINGULAR) {
    return solved;
  }
  const int rank = now->spectrum.rank;
  regularity->rank_least =
      regularity->started && regularity->rank_least < rank ? regularity->rank_least : rank;
  const bool grown = rank > regularity->rank_most;
  regularity->rank_most = grown ? rank : regularity->rank_most;
  const real smallest =
      regularity->rank_most > 0
          ? now->spectrum.values[now->spectrum.order[at->m - regularity->rank_most]]
          : 0;
  regularity->least =
      !regularity->started || grown ? smallest : real_min(regularity->least, smallest);
  if (regularity->general) {
    real least = 0;
    int negative = 0;
    SHK_TRY(least_eigenvalue(regularity, &least, &negative, at));
    note_regularity(&regularity->nondegenerate, since, least);
    regularity->nondegeneracy =
        regularity->started ? real_min(regularity->nondegeneracy, least) : least;
    regularity->inertia_changes += regularity->started && negative != regularity->negative;
    regularity->negative = negative;
  }
  /* crossings are searched for between states of full rank, because the singular vectors are
   * defined there */
  if (rank == regularity->rank_most && solved.code == SHK_OK) {
    SHK_TRY(fill_point(regularity, now, at));
    if (regularity->follows && regularity->has_last && !grown)
      SHK_TRY(follow_regularity(regularity, now));
    regularity->last = (int)(now - regularity->ends);
    regularity->has_last = true;
  }
  note_regularity(&regularity->singular, since, regularity->sign_changed ? -smallest : smallest);
  regularity->started = true;
  return regularity->joints ? shk_joint_columns_follow(regularity->joints, at) : shk_ok();
}

static void add_regularity(struct shk_outcome *outcome, const char *name, real value)
{
  shk_outcome_add_scalar(outcome, name, (double)value);
}

static void finish_impasse(struct regularity *regularity, struct shk_outcome *outcome)
{
  struct shk_impasse impasse;
  const long count = regularity->past < regularity->room ? regularity->past : regularity->room;
  real *t = malloc(2 * (size_t)(count + 1) * sizeof *t), *size = t + count;
  if (!t)
    return;
  for (long i = 0; i < count; i++) {
    const long at = (regularity->past - count + i) % regularity->room;
    t[i] = regularity->past_times[at];
    size[i] = regularity->past_sizes[at];
  }
  if (shk_impasse_fit(&impasse, t, size, (int)count).code == SHK_OK) {
    add_regularity(outcome, "impasse-time", impasse.time - regularity->run->instance->initial_time);
    add_regularity(outcome, "impasse-doubt", impasse.doubt);
    add_regularity(outcome, "impasse-exponent", impasse.exponent);
  }
  free(t);
}

/* Returns the largest distance of any crossing from the nearest exact crossing, or of any exact
 * crossing from the nearest one found, whichever is larger. */
static real distance_from_exact(const struct regularity *regularity, const real *exact,
                                int expected, int found)
{
  real worst = 0;
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < (pass == 0 ? found : expected); i++) {
      real least = 1 / REAL_SMALLEST;
      for (int j = 0; j < (pass == 0 ? expected : found); j++)
        least = real_min(least, real_fabs(pass == 0 ? (real)regularity->times[i] - exact[j]
                                                    : (real)regularity->times[j] - exact[i]));
      worst = real_max(worst, least);
    }
  return worst;
}

/* If the exact crossings are known, compares the crossings found with the exact ones up to the time
 * that the run reached. */
static void compare_exact(const struct regularity *regularity, struct shk_outcome *outcome,
                          int found)
{
  const struct shk_instance *instance = regularity->run->instance;
  if (!instance->crossings || !instance->exact || regularity->crossings > found)
    return;
  real *exact = malloc(MOST_CROSSINGS * sizeof *exact);
  if (!exact)
    return;
  const int expected = instance->crossings(instance->system.context, exact, MOST_CROSSINGS,
                                           instance->initial_time + (real)outcome->reached);
  if (expected <= MOST_CROSSINGS && (expected > 0) == (found > 0)) {
    for (int i = 0; i < expected; i++)
      exact[i] -= instance->initial_time;
    add_regularity(outcome, "crossing-error",
                   distance_from_exact(regularity, exact, expected, found));
  }
  free(exact);
}

/* Adds a series for each joint coordinate, containing its values at the crossings. */
static void add_places(const struct regularity *regularity, struct shk_outcome *outcome, int count)
{
  for (int k = 0; regularity->placed > 0 && count > 0 && k < regularity->joints->count; k++) {
    const int coordinate = regularity->joints->list[k].coordinate;
    if (coordinate < 0)
      continue;
    char *const joint = shk_joint_column_name(regularity->joints, k);
    char *const name = shk_print_text("crossing %s", joint);
    struct shk_series *const series = shk_outcome_add_series(outcome, name, count);
    for (int i = 0; i < count; i++) {
      series->time[i] = regularity->times[i];
      series->minimum[i] = series->mean[i] = series->maximum[i] =
          regularity->places[i * regularity->placed + coordinate];
    }
    free(name);
    free(joint);
  }
}

static void finish_crossings(const struct regularity *regularity, struct shk_outcome *outcome)
{
  const int count =
      regularity->crossings < MOST_CROSSINGS ? (int)regularity->crossings : MOST_CROSSINGS;
  add_regularity(outcome, "regularity-crossings", regularity->crossings);
  add_regularity(outcome, "regularity-near-misses", regularity->near_misses);
  struct shk_series *series = shk_outcome_add_series(outcome, "crossing", count);
  for (int i = 0; i < count; i++) {
    series->time[i] = regularity->times[i];
    series->minimum[i] = series->mean[i] = series->maximum[i] = regularity->residuals[i];
  }
  add_places(regularity, outcome, count);
  compare_exact(regularity, outcome, count);
}

/* Adds the scalars and series:
 *
 *   regularity-rank-least, -most           rank of B (mechanics/diagnosis/rank.h), whose rows are
 *                                          scaled as at the start
 *   regularity-least                       smallest singular value, among those that are not always
 *                                          zero, over the run and at its crossings
 *   regularity-crossings, -near-misses     number of sign changes of singular values (crossing.h),
 *                                          and number of near misses; two values that cross at the
 *                                          same time count as two
 *   crossing-error                         the largest distance between the crossings found and the
 *                                          exact ones, in both directions; absent if the problem
 *                                          does not provide the exact ones or if only one of the
 *                                          two lists is empty
 *   series "crossing"                      the times of the first 2,000 crossings; its minimum,
 *                                          mean and maximum are the singular value there
 *   series "crossing elbow.angle"          for mechanisms: a joint coordinate at the crossings
 *   series "singular-value"                the smallest singular value, with a sign that changes at
 *                                          a crossing, and only once if several values cross at
 *                                          once
 *   series "multiplier"                    max|lambda| by the exact formula at (q,p)
 *   nondegeneracy-least, regularity-inertia-changes, series "nondegeneracy" if H is not separable
 *                                          or constraints depend on momenta: the smallest modulus
 *                                          of the eigenvalues of N, scaled by the gradient lengths,
 *                                          and the number of steps that changed the number of
 *                                          negative eigenvalues, which happens when a step passes
 *                                          over a fold
 *   impasse-time, impasse-doubt, impasse-exponent
 *                                          time since t0, its uncertainty and the exponent, for a
 *                                          run that ended early while lambda grew (impasse.h) */
static void regularity_finish(void *state, struct shk_outcome *outcome)
{
  struct regularity *regularity = state;
  if (!regularity->started)
    return;
  add_regularity(outcome, "regularity-rank-least", regularity->rank_least);
  add_regularity(outcome, "regularity-rank-most", regularity->rank_most);
  add_regularity(outcome, "regularity-least", regularity->least);
  shk_reduction_finish(&regularity->singular, outcome, "singular-value");
  shk_reduction_finish(&regularity->multiplier, outcome, "multiplier");
  if (regularity->follows)
    finish_crossings(regularity, outcome);
  if (regularity->general) {
    add_regularity(outcome, "nondegeneracy-least", regularity->nondegeneracy);
    add_regularity(outcome, "regularity-inertia-changes", regularity->inertia_changes);
    shk_reduction_finish(&regularity->nondegenerate, outcome, "nondegeneracy");
  }
  if (outcome->code != SHK_OK)
    finish_impasse(regularity, outcome);
}

const struct shk_measure shk_measure_regularity = {.size = sizeof(struct regularity),
                                                   .applies = regularity_applies,
                                                   .create = regularity_create,
                                                   .observe = regularity_observe,
                                                   .finish = regularity_finish};
