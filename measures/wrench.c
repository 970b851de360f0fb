/*
 * Records the wrenches in the joints of a mechanism as blocks at the sample times. For each joint
 * in turn, a block contains the force and the torque about the joint's point on its second body,
 * both along the spatial axes. The wrenches are computed from the multipliers recorded by
 * multiplier.c:
 *     wrench         from lambda          wrench-mean    from lambda-mean
 *     wrench-state   from lambda-state; its last values are also recorded as scalars
 *
 * If G_i = Σ_j c_ij G_j for each dependent row i, the vectors y_i = e_i - Σ_j c_ij e_j span the
 * null space of Gᵀ. A wrench is linear in lambda, so a component is determinate if and only if it
 * vanishes for every y_i (M. Wojtyra, Multibody Syst. Dyn. 14 (2005) 1). All other components are
 * NaN and are not recorded as scalars.
 */
#include "measures/wrench.h"

#include "foundation/memory.h"
#include "measures/block.h"
#include "measures/measure.h"
#include "mechanics/diagnosis/rank.h"
#include "mechanics/system/manifold.h"

#include <stdlib.h>

/* A component of a null vector's wrench counts as round-off from the relations if it is smaller
 * than this fraction of the largest component. */
static const real rounding = R(1e-9);

struct wrench {
  const struct shk_measured *run;
  int count; /* number of components: 6 for each joint */
  real *values, *lambda, *scratch;
  bool *open;
  /* Linear relations between the rows, which are used if there are at most SHK_RANK_LIMIT rows. */
  struct shk_spectrum spectrum;
  real *coefficients;
  bool *depends;
};

/* Replaces the force and torque with their components along the axes e (3 × 3). */
static void turn_wrench(real *wrench, const real *e)
{
  for (int part = 0; part < 6; part += 3) {
    const real along[3] = {real_dot(e, wrench + part, 3), real_dot(e + 3, wrench + part, 3),
                           real_dot(e + 6, wrench + part, 3)};
    shk_copy(wrench + part, along, 3);
  }
}

struct shk_status shk_wrenches(real *wrenches, const struct shk_instance *instance,
                               enum shk_wrench_axes along, real t, const real *q,
                               const real *lambda)
{
  const struct shk_joints *const joints = instance->joints;
  const void *const context = instance->system.context;
  for (int k = 0; k < joints->count; k++) {
    real *const wrench = wrenches + 6 * (size_t)k, e[9];
    const bool own = along == SHK_AXES_OF_JOINTS && joints->axes;
    if (joints->wrench(context, wrench, k, t, q, lambda) != 0 ||
        (own && joints->axes(context, e, k, t, q) != 0))
      return shk_failure(SHK_STOPPED, "a joint's wrench cannot be evaluated", 0, 0);
    if (own)
      turn_wrench(wrench, e);
  }
  return shk_ok();
}

struct shk_status shk_wrenches_open(bool *open, real *scratch, const struct shk_instance *instance,
                                    enum shk_wrench_axes along, const real *coefficients,
                                    const bool *depends, real t, const real *q)
{
  const int m = instance->system.m, count = 6 * instance->joints->count;
  real *const y = scratch, *const wrenches = scratch + m;
  for (int c = 0; c < count; c++)
    open[c] = false;
  for (int i = 0; i < m; i++) {
    if (!depends[i])
      continue;
    for (int j = 0; j < m; j++)
      y[j] = (i == j) - coefficients[(size_t)i * (size_t)m + (size_t)j];
    SHK_TRY(shk_wrenches(wrenches, instance, along, t, q, y));
    const real most = real_max_norm(wrenches, count);
    for (int c = 0; c < count; c++)
      open[c] = open[c] || real_fabs(wrenches[c]) > rounding * most;
  }
  return shk_ok();
}

static bool wrench_applies(const struct shk_measured *run)
{
  return run->instance->joints && run->instance->joints->count > 0;
}

static struct shk_status wrench_create(void *state, const struct shk_measured *run)
{
  struct shk_workspace *const workspace = run->evaluator->workspace;
  struct wrench *const wrench = state;
  const size_t m = (size_t)run->instance->system.m;
  wrench->run = run;
  wrench->count = 6 * run->instance->joints->count;
  SHK_TRY(shk_reals(workspace, &wrench->values, (size_t)wrench->count));
  SHK_TRY(shk_reals(workspace, &wrench->lambda, m));
  SHK_TRY(shk_reals(workspace, &wrench->scratch, m + (size_t)wrench->count));
  wrench->open = shk_memory(workspace, (size_t)wrench->count);
  wrench->depends = shk_memory(workspace, m + 1);
  SHK_TRY(shk_allocated(wrench->open));
  SHK_TRY(shk_allocated(wrench->depends));
  if (m > SHK_RANK_LIMIT)
    return shk_ok();
  SHK_TRY(shk_spectrum_init(&wrench->spectrum, run->evaluator));
  return shk_reals(workspace, &wrench->coefficients, m * m);
}

/* Finds the components that remain indeterminate if the exact multiplier is not unique. If this
 * cannot be determined, all components count as indeterminate. */
static struct shk_status find_open(struct wrench *wrench, const struct shk_sample *sample,
                                   const struct shk_state *at)
{
  const bool singular =
      shk_manifold_met_singular(wrench->run->manifold) || !shk_sample_block(sample, "lambda-state");
  for (int c = 0; c < wrench->count; c++)
    wrench->open[c] = singular;
  if (!singular || !wrench->coefficients)
    return shk_ok();
  SHK_TRY(shk_rank_relations(wrench->coefficients, wrench->depends, &wrench->spectrum,
                             wrench->run->evaluator, at->t, at->q, at->p));
  return shk_wrenches_open(wrench->open, wrench->scratch, wrench->run->instance, SHK_AXES_OF_SPACE,
                           wrench->coefficients, wrench->depends, at->t, at->q);
}

static struct shk_status wrench_sample(void *state, struct shk_sample *sample,
                                       const struct shk_state *at, const struct shk_state *next,
                                       bool is_start)
{
  static const char *const names[][2] = {
      {"lambda", "wrench"}, {"lambda-mean", "wrench-mean"}, {"lambda-state", "wrench-state"}};
  struct wrench *const wrench = state;
  if (!shk_sample_block(sample, "q"))
    return shk_ok();
  SHK_TRY(find_open(wrench, sample, at));
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    const struct shk_vector *const lambda = shk_sample_block(sample, names[k][0]);
    if (!lambda)
      continue;
    for (int i = 0; i < at->m; i++)
      wrench->lambda[i] = shk_vector_at(lambda, i);
    SHK_TRY(shk_wrenches(wrench->values, wrench->run->instance, SHK_AXES_OF_SPACE, at->t, at->q,
                         wrench->lambda));
    for (int c = 0; c < wrench->count; c++)
      wrench->values[c] = wrench->open[c] ? (real)NAN : wrench->values[c];
    shk_block_add(sample, names[k][1], wrench->values, wrench->count);
  }
  return shk_ok();
}

static void wrench_finish(void *state, struct shk_outcome *outcome)
{
  const struct wrench *const wrench = state;
  const int last = outcome->sample_count - 1;
  const struct shk_vector *const values =
      last < 0 ? NULL : shk_sample_block(&outcome->samples[last], "wrench-state");
  for (int c = 0; values && c < wrench->count; c++) {
    const double value = shk_vector_double(values, c);
    if (isnan(value))
      continue;
    char *const name =
        shk_print_text("wrench-%s %s-%c", wrench->run->instance->joints->list[c / 6].name,
                       c % 6 < 3 ? "force" : "torque", 'x' + c % 3);
    shk_outcome_add_scalar(outcome, name, value);
    free(name);
  }
}

const struct shk_measure shk_measure_wrench = {.size = sizeof(struct wrench),
                                               .applies = wrench_applies,
                                               .create = wrench_create,
                                               .sample = wrench_sample,
                                               .finish = wrench_finish};
