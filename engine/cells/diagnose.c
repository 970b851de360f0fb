/* Diagnoses a problem at its start: sizes, consistency, rank, index, errors in the derivatives that
 * the problem supplies, and distance from the exact solution. */
#include "engine/bind.h"
#include "engine/cells/cells.h"
#include "foundation/specifications/spec.h"
#include "mechanics/algebra/difference.h"
#include "mechanics/diagnosis/differentiation_index.h"
#include "mechanics/diagnosis/frobenius.h"
#include "mechanics/diagnosis/rank.h"
#include "mechanics/diagnosis/velocity_rows.h"
#include "mechanics/system/derivatives.h"
#include "mechanics/system/evaluate.h"
#include "mechanics/system/fibre.h"
#include "mechanics/system/manifold.h"
#include "mechanics/system/rods.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns true if the third difference of g along a line through the start exceeds round-off. For
 * constraints that are written in another form, f(g) = 0, the answer would apply to the original
 * constraints g, which are unknown, so it is false. */
static bool is_beyond_quadratic(const struct shk_instance *instance)
{
  static const real coefficients[] = {R(-1.0), R(3.0), R(-3.0), R(1.0)};
  const struct shk_system *const system = &instance->system;
  const size_t n = (size_t)system->n, m = (size_t)system->m;
  real *const room = instance->change || !system->constraint || !instance->start
                         ? NULL
                         : calloc(3 * n + 3 * m + 1, sizeof *room);
  bool beyond = false;
  if (!room)
    return false;
  real *const q = room, *const p = q + n, *const at = p + n, *const g = at + n, *const sum = g + m,
              *const size = sum + m;
  bool ok = instance->start(system->context, q, p) == 0;
  const real length = real_max_norm(q, (int)n) / 8;
  for (int k = 0; ok && k < 4; k++) {
    for (size_t i = 0; i < n; i++)
      at[i] = q[i] + k * length * (R(1.0) + (real)(i % 5) / 7);
    ok = system->constraint(system->context, g, instance->initial_time, at) == 0;
    for (size_t i = 0; ok && i < m; i++) {
      sum[i] += coefficients[k] * g[i];
      size[i] += real_fabs(g[i]);
    }
  }
  for (size_t i = 0; ok && i < m; i++)
    beyond = beyond || real_fabs(sum[i]) > R(1e-6) * size[i];
  free(room);
  return beyond;
}

static bool has_unequal_masses(const struct shk_system *system)
{
  bool differ = false;
  for (int i = 1; system->mass && i < system->n; i++)
    differ = differ || system->mass[i] != system->mass[0];
  return differ;
}

/* ---- rest ----
 *
 * A system does not move from its start if the changes in q and p over a time scale τ, computed
 * from the slopes q' and p' with Q and the exact multiplier, are at most 1000 round-off floors
 * (mechanics/diagnosis/floors.h),
 *
 *     τ |q'_i| <= 1000 eps q^_i,     τ |p'_i| <= 1000 eps p^_i,
 *
 * both at the start and at another time, because V and Q may depend on t. Systems with constraints
 * g(q,t) and general differential-algebraic equations are not tested. */

#define ROUNDINGS 1000
/* The second time at which rest is tested, in time scales. The value is not a simple fraction of a
 * period. */
#define LATER R(0.7548776662)

/* Stores the slopes q' and p' (n each) at the start's q and p at this time. `force` (n) and
 * `jacobian` are scratch space. */
static struct shk_status find_slope(struct shk_bound *bound, real *slope, real *force,
                                    real *jacobian, real t)
{
  const struct shk_state *const s = &bound->start;
  struct shk_evaluator *const e = &bound->observer;
  struct shk_status status = shk_exact_multiplier(bound->manifold, s->lambda, t, s->q, s->p);
  if (status.code == SHK_SINGULAR && shk_manifold_take_redundant(bound->manifold).code == SHK_OK)
    status = shk_exact_multiplier(bound->manifold, s->lambda, t, s->q, s->p);
  SHK_TRY(status);
  SHK_TRY(shk_constrained_slope(e, slope, NULL, jacobian, t, s->q, s->p, s->lambda));
  SHK_TRY(shk_force(e, force, t, s->q, s->p));
  shk_vector_add(slope + s->n, 1, force, s->n);
  return shk_ok();
}

/* Returns true if the velocities are zero. If they are not, the system is not at rest, so nothing
 * else needs to be evaluated. */
static bool stands(struct shk_bound *bound, real *velocity)
{
  const struct shk_state *const s = &bound->start;
  const real most = ROUNDINGS * REAL_EPSILON / bound->instance.time_scale;
  if (shk_velocity(&bound->observer, velocity, s->t, s->q, s->p).code != SHK_OK)
    return false;
  for (int i = 0; i < s->n; i++)
    if (!(real_fabs(velocity[i]) <= most * bound->floors.q[i]))
      return false;
  return true;
}

static bool is_at_rest(struct shk_bound *bound)
{
  const struct shk_state *const s = &bound->start;
  const struct shk_system *const system = &bound->instance.system;
  const size_t n = (size_t)s->n;
  const real scale = bound->instance.time_scale, most = ROUNDINGS * REAL_EPSILON / scale;
  const size_t entries = system->features & SHK_MOMENTUM_CONSTRAINT
                             ? 2 * n * (size_t)s->m
                             : (size_t)bound->observer.row_start[s->m];
  real *slope, *jacobian;
  if (system->features & (SHK_RHEONOMIC | SHK_GENERAL_DAE) || !(scale > 0) ||
      shk_reals(bound->instance.workspace, &slope, 3 * n).code != SHK_OK || !stands(bound, slope) ||
      shk_reals(bound->instance.workspace, &jacobian, entries).code != SHK_OK)
    return false;
  bool rests = true;
  for (int k = 0; rests && k < 2; k++) {
    rests =
        find_slope(bound, slope, slope + 2 * n, jacobian, s->t + k * LATER * scale).code == SHK_OK;
    for (size_t i = 0; rests && i < n; i++)
      rests = real_fabs(slope[i]) <= most * bound->floors.q[i] &&
              real_fabs(slope[n + i]) <= most * bound->floors.p[i];
  }
  return rests;
}

/* ---- inspection and diagnosis ---- */

/* `started` is true if the start has been bound. */
static void fill_inspection(struct shk_inspection *inspection, struct shk_bound *bound,
                            bool started)
{
  const struct shk_instance *const instance = &bound->instance;
  *inspection = (struct shk_inspection){.n = instance->system.n,
                                        .m = instance->system.m,
                                        .features = instance->system.features,
                                        .undecidable = instance->undecidable,
                                        .initial_time = (double)instance->initial_time,
                                        .time_scale = (double)instance->time_scale,
                                        .horizon = (double)instance->horizon,
                                        .exact = instance->exact != NULL,
                                        .beyond_quadratic = is_beyond_quadratic(instance),
                                        .unequal_masses = has_unequal_masses(&instance->system)};
  const int limit = sizeof inspection->invariant_names / sizeof inspection->invariant_names[0];
  inspection->invariant_count =
      instance->invariant_count < limit ? instance->invariant_count : limit;
  for (int i = 0; i < inspection->invariant_count; i++)
    shk_text_fit(inspection->invariant_names[i], sizeof inspection->invariant_names[i],
                 instance->invariant_names[i]);
  if (started && is_at_rest(bound))
    inspection->undecidable |= SHK_AT_REST;
  shk_text_fit(inspection->note, sizeof inspection->note, shk_values_note(instance->parameters));
}

bool shk_inspect_problem(const struct shk_context *context, struct shk_inspection *inspection,
                         const char *problem, struct shk_message *error)
{
  struct shk_bound bound;
  const bool ok = shk_bind_problem(context, &bound, problem, error) == SHK_OK;
  struct shk_message unused = {.text = ""};
  if (ok)
    fill_inspection(inspection, &bound,
                    shk_bind_point(&bound, NULL, NULL, false, &unused) == SHK_OK);
  shk_unbind(&bound);
  return ok;
}

static struct shk_status examine_rank(struct shk_diagnosis *d, struct shk_bound *bound)
{
  const struct shk_state *s = &bound->start;
  const int m = s->m;
  d->rank = d->rank_near = -1;
  d->sigma_max = d->sigma_min = NAN;
  if (m == 0 || m > SHK_RANK_LIMIT)
    return shk_ok();
  struct shk_spectrum spectrum;
  SHK_TRY(shk_spectrum_init(&spectrum, &bound->observer));
  SHK_TRY(shk_spectrum_find(&spectrum, NULL, &bound->observer, s->t, s->q, s->p));
  d->rank = spectrum.rank;
  d->sigma_max = (double)spectrum.values[spectrum.order[m - 1]];
  d->sigma_min = (double)spectrum.values[spectrum.order[0]];
  d->value_count = m < SHK_DIAGNOSIS_VALUES ? m : SHK_DIAGNOSIS_VALUES;
  for (int i = 0; i < d->value_count; i++)
    d->values[i] = (double)spectrum.values[spectrum.order[m - 1 - i]];
  SHK_TRY(shk_deficient_rows(d->relations, SHK_DIAGNOSIS_ROWS, &d->relation_count, bound));
  struct shk_generic_rank *const ranks = &d->start.ranks;
  SHK_TRY(shk_generic_rank_find(ranks, bound->manifold, &bound->floors, s->t, s->q, s->p));
  d->start.m = m;
  d->rank_near = ranks->near;
  d->is_degenerate = ranks->degenerate;
  d->vanishing = ranks->vanishing;
  return shk_ok();
}

static void examine_chain(struct shk_diagnosis *d, struct shk_bound *bound)
{
  const struct shk_state *s = &bound->start;
  d->chain.index = -1;
  if (d->is_degenerate || d->rank_near > d->rank) { /* the ranks are lower than at nearby points */
    snprintf(d->chain_reason, sizeof d->chain_reason,
             d->is_degenerate ? "the constraints lose rank in all of their solutions"
                              : "the constraints lose rank at the start but not near it");
    return;
  }
  /* Velocity constraints that are derivatives of g add nothing to the chain of g, and no other
   * velocity constraints are part of it. */
  if (d->velocity_rank > 0 && !(d->integrable && d->velocity_rank == d->inspection.m)) {
    snprintf(d->chain_reason, sizeof d->chain_reason,
             "there are velocity constraints that do not follow from g");
    return;
  }
  const struct shk_status status = shk_chain_find(&d->chain, &bound->floors, s->t, s->q, s->p);
  if (status.code != SHK_OK)
    shk_status_text(d->chain_reason, sizeof d->chain_reason, status);
  else if (d->chain.index < 0)
    snprintf(
        d->chain_reason, sizeof d->chain_reason,
        "%d differentiations are not enough to decide: ranks are unclear, or the index is above %d",
        SHK_CHAIN_LEVELS, SHK_CHAIN_LEVELS + 1);
}

/* Lists the rows of g(q,p) that have the form of velocity constraints. */
static struct shk_status examine_momenta(struct shk_diagnosis *d, struct shk_bound *bound)
{
  const struct shk_state *s = &bound->start;
  const size_t room = sizeof d->velocity_rows;
  struct shk_regularity regularity;
  size_t used = 0;
  if (!(bound->instance.system.features & SHK_MOMENTUM_CONSTRAINT))
    return shk_ok();
  SHK_TRY(shk_manifold_regularity(bound->manifold, &regularity, s->t, s->q, s->p));
  d->nondegeneracy = (double)regularity.least;
  d->coisotropy = (double)regularity.bracket;
  bool *const found = shk_memory(bound->instance.workspace, (size_t)s->m + 1);
  SHK_TRY(shk_allocated(found));
  SHK_TRY(shk_velocity_rows_find(found, &bound->observer, s->t, s->q, s->p));
  for (int i = 0; i < s->m && used < room; i++)
    if (found[i])
      used += (size_t)snprintf(d->velocity_rows + used, room - used, "%s%d", used > 0 ? ", " : "",
                               i + 1);
  return shk_ok();
}

static struct shk_status examine_velocities(struct shk_diagnosis *d, struct shk_bound *bound)
{
  const struct shk_state *s = &bound->start;
  struct shk_frobenius test;
  if (!(bound->instance.system.features & SHK_VELOCITY_CONSTRAINT))
    return shk_ok();
  SHK_TRY(shk_frobenius_test(&test, &bound->observer, s->t, s->q, s->p));
  d->velocity_rank = test.rank;
  d->twist = (double)test.twist;
  d->velocity_violation = (double)test.violation;
  d->integrable = test.integrable;
  return shk_ok();
}

static struct shk_status examine_exact(struct shk_diagnosis *d, struct shk_bound *bound)
{
  const struct shk_state *s = &bound->start;
  const int n = s->n;
  real *q;
  d->exact_error = NAN;
  if (!bound->instance.exact)
    return shk_ok();
  SHK_TRY(shk_reals(bound->instance.workspace, &q, 2 * (size_t)n + (size_t)s->m));
  if (bound->instance.exact(bound->instance.system.context, q, q + n, q + 2 * n, s->t) != 0)
    return shk_failure(SHK_STOPPED, "the exact solution fails at t = %g", (double)s->t, 0);
  /* the array contains q followed by p */
  d->exact_error = (double)shk_largest_difference(q, s->q, 2 * n);
  return shk_ok();
}

/* Stores residuals, rank, index, derivatives and the distance from the exact solution at the
 * start. */
static struct shk_status examine_diagnose(struct shk_diagnosis *d, struct shk_bound *bound)
{
  const struct shk_state *s = &bound->start;
  const int m = s->m;
  real *g;
  SHK_TRY(shk_reals(bound->instance.workspace, &g, 2 * (size_t)m));
  SHK_TRY(shk_manifold_residuals(bound->manifold, g, g + m, s->t, s->q, s->p));
  d->constraint = (double)real_max_norm(g, m);
  d->hidden = (double)real_max_norm(g + m, m);
  SHK_TRY(examine_rank(d, bound));
  d->nondegeneracy = d->coisotropy = NAN;
  SHK_TRY(examine_momenta(d, bound));
  SHK_TRY(examine_velocities(d, bound));
  SHK_TRY(shk_diagnose_joints(d, bound));
  examine_chain(d, bound);
  SHK_TRY(examine_exact(d, bound));
  d->has_rods = bound->instance.system.rods != NULL;
  SHK_TRY(shk_rods_check(&bound->instance.system, d->rods, sizeof d->rods, s->t, s->q));
  return shk_check_derivatives(d->checks, &d->check_count, &bound->observer, s->t, s->q, s->p);
}

bool shk_diagnose_problem(const struct shk_context *context, struct shk_diagnosis *diagnosis,
                          const char *problem, const char *q, const char *p, bool project,
                          struct shk_message *error)
{
  struct shk_bound bound;
  *diagnosis = (struct shk_diagnosis){0};
  bool ok = shk_bind_problem(context, &bound, problem, error) == SHK_OK &&
            shk_bind_point(&bound, q, p, project, error) == SHK_OK;
  if (ok) {
    fill_inspection(&diagnosis->inspection, &bound, true);
    const struct shk_status status = examine_diagnose(diagnosis, &bound);
    struct shk_message fault = {.text = ""};
    struct shk_context knowing = *context; /* a context in which the ranks are known */
    knowing.known = &diagnosis->start;
    bound.context = &knowing;
    if (shk_bind_check_start(&bound, &fault) == SHK_OK)
      shk_deficient_give(&diagnosis->start, &bound);
    else
      shk_text_fit(diagnosis->ill_posed, sizeof diagnosis->ill_posed, fault.text);
    ok = shk_bind_fail(error, status) == SHK_OK;
  }
  shk_unbind(&bound);
  return ok;
}
