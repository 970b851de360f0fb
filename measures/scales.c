/*
 * Estimates how large the blocks of a state typically are in a motion of this problem, even if they
 * are zero in this run, for example at rest. Let τ be the time scale, and let |q|, |p| and F_0 =
 * |H_q| be the largest values over the sample times and over coordinates with the same unit. Let v
 * be H_p at |p_i| = max(|p_i|, τ |H_q,i|). Then
 *
 *     scale-q  = τ |v|             scale-lambda = F^/|G_k|,  F^ = max(F_0, |p|/τ), largest row k
 *     scale-p  = τ F_0             scale-wrench: of joints, with every λ_k = ± F^/|G_k|
 *
 * The rest-… scalars are the same, except that |p| is replaced with m |q|/τ, the rounding error of
 * q over a time scale, if this is larger. A block smaller than these sizes is zero up to round-off.
 * Multipliers that are solved for contain the rounding error of g(q) = 0, which is corrected by an
 * impulse over h:
 *
 *     solved-lambda = 2 | |A⁻¹| |G| |q| |,  times eps/h²;  solved-wrench: the wrench that these
 *                                           multipliers cause
 *
 * where the largest value over random signs of the components of |G| |q| is used. These two scalars
 * are evaluated at the start and at the last sample time, and only for constraints g(q,t).
 */
#include "measures/measure.h"
#include "measures/wrench.h"

#include "mechanics/algebra/random.h"
#include "mechanics/diagnosis/floors.h"
#include "mechanics/system/manifold.h"
#include "mechanics/system/state.h"

enum { SIGNS = 8 };

struct scales {
  const struct shk_measured *run;
  struct shk_floors floors;
  struct shk_state at;
  /* the entries of G, vectors of m numbers each, and 6 numbers per joint */
  real *G, *lambda, *resting, *rows, *wrenches;
  real of_lambda, of_wrench, rest_lambda, rest_wrench, solved_lambda, solved_wrench;
};

static int wrench_count(const struct shk_measured *run)
{
  return run->instance->joints ? 6 * run->instance->joints->count : 0;
}

static struct shk_status scales_create(void *state, const struct shk_measured *run)
{
  struct scales *const scales = state;
  struct shk_workspace *const workspace = run->evaluator->workspace;
  const struct shk_system *const system = &run->instance->system;
  const size_t m = (size_t)system->m;
  scales->run = run;
  SHK_TRY(shk_floors_create(&scales->floors, run->evaluator, run->instance->time_scale));
  if (!shk_state_init(&scales->at, system->n, system->m))
    return shk_no_memory();
  if (!system->jacobian || m == 0)
    return shk_ok();
  SHK_TRY(shk_reals(workspace, &scales->G, (size_t)run->evaluator->row_start[m]));
  SHK_TRY(shk_reals(workspace, &scales->lambda, m));
  SHK_TRY(shk_reals(workspace, &scales->resting, m));
  SHK_TRY(shk_reals(workspace, &scales->rows, m));
  return shk_reals(workspace, &scales->wrenches, (size_t)wrench_count(run));
}

/* Increases *largest to the largest component of the wrenches caused by lambda, if this is
 * larger. */
static void raise_wrench(struct scales *scales, real *largest, const real *lambda)
{
  const struct shk_instance *const instance = scales->run->instance;
  if (wrench_count(scales->run) > 0 && shk_wrenches(scales->wrenches, instance, SHK_AXES_OF_SPACE,
                                                    scales->at.t, scales->at.q, lambda)
                                               .code == SHK_OK)
    *largest = real_max(*largest, real_max_norm(scales->wrenches, wrench_count(scales->run)));
}

/* Stores F^/|G_k| for each row k, using the coordinate with the strictest bound. */
static void of_rows(struct scales *scales, real *lambda, bool at_rest)
{
  const struct shk_evaluator *const e = scales->run->evaluator;
  const real scale = scales->run->instance->time_scale;
  for (int k = 0; k < scales->at.m; k++) {
    lambda[k] = INFINITY;
    for (int j = e->row_start[k]; j < e->row_start[k + 1]; j++) {
      const int i = e->columns[j];
      const real momentum = at_rest ? scales->floors.p[i] : scales->floors.reached_p[i];
      if (scales->G[j] != 0)
        lambda[k] = real_min(lambda[k], real_max(scales->floors.force[i], momentum / scale) /
                                            real_fabs(scales->G[j]));
    }
    lambda[k] = lambda[k] < INFINITY ? lambda[k] : 0;
  }
}

/* Increases the sizes of multipliers and wrenches if they are larger at the current state. The
 * sizes do not change if a function cannot be evaluated or if A is singular. */
static void raise_multipliers(struct scales *scales)
{
  struct shk_evaluator *const e = scales->run->evaluator;
  const int m = scales->at.m;
  uint64_t random = 1;
  if (!scales->G || shk_jacobian(e, scales->G, scales->at.t, scales->at.q).code != SHK_OK)
    return;
  of_rows(scales, scales->lambda, false);
  of_rows(scales, scales->resting, true);
  scales->of_lambda = real_max(scales->of_lambda, real_max_norm(scales->lambda, m));
  scales->rest_lambda = real_max(scales->rest_lambda, real_max_norm(scales->resting, m));
  for (int s = 0; s < SIGNS; s++) {
    for (int k = 0; k < m; k++) {
      const real sign = shk_random_next(&random) & 1 ? 1 : -1;
      real sum = 0;
      for (int j = e->row_start[k]; j < e->row_start[k + 1]; j++)
        sum += real_fabs(scales->G[j] * scales->at.q[e->columns[j]]);
      scales->rows[k] = 2 * sign * sum;
      scales->lambda[k] *= sign;
      scales->resting[k] *= sign;
    }
    raise_wrench(scales, &scales->of_wrench, scales->lambda);
    raise_wrench(scales, &scales->rest_wrench, scales->resting);
    if (shk_manifold_solve(scales->run->manifold, scales->rows, scales->at.t, scales->at.q,
                           scales->at.p)
            .code != SHK_OK)
      continue;
    scales->solved_lambda = real_max(scales->solved_lambda, real_max_norm(scales->rows, m));
    raise_wrench(scales, &scales->solved_wrench, scales->rows);
  }
}

static struct shk_status scales_observe(void *state, const struct shk_state *at)
{
  struct scales *const scales = state;
  shk_floors_reach(&scales->floors, at->t, at->q, at->p);
  return shk_ok();
}

static struct shk_status scales_sample(void *state, struct shk_sample *sample,
                                       const struct shk_state *at, const struct shk_state *next,
                                       bool is_start)
{
  struct scales *const scales = state;
  /* the status is ignored because the sizes do not depend on the forces */
  shk_floors_note(&scales->floors, at->t, at->q, at->p);
  scales->at.t = at->t;
  shk_copy(scales->at.q, at->q, at->n);
  shk_copy(scales->at.p, at->p, at->n);
  if (is_start)
    raise_multipliers(scales);
  return shk_ok();
}

static void scales_finish(void *state, struct shk_outcome *outcome)
{
  struct scales *const scales = state;
  const int n = scales->at.n;
  const real scale = scales->run->instance->time_scale;
  raise_multipliers(scales);
  shk_outcome_add_scalar(outcome, "scale-q", (double)real_max_norm(scales->floors.q, n));
  shk_outcome_add_scalar(outcome, "scale-p",
                         (double)(scale * real_max_norm(scales->floors.force, n)));
  shk_outcome_add_scalar(outcome, "rest-p", (double)real_max_norm(scales->floors.p, n));
  if (!scales->G)
    return;
  shk_outcome_add_scalar(outcome, "scale-lambda", (double)scales->of_lambda);
  shk_outcome_add_scalar(outcome, "rest-lambda", (double)scales->rest_lambda);
  shk_outcome_add_scalar(outcome, "solved-lambda", (double)scales->solved_lambda);
  if (wrench_count(scales->run) == 0)
    return;
  shk_outcome_add_scalar(outcome, "scale-wrench", (double)scales->of_wrench);
  shk_outcome_add_scalar(outcome, "rest-wrench", (double)scales->rest_wrench);
  shk_outcome_add_scalar(outcome, "solved-wrench", (double)scales->solved_wrench);
}

static void scales_destroy(void *state)
{
  struct scales *const scales = state;
  shk_state_clear(&scales->at);
}

const struct shk_measure shk_measure_scales = {.size = sizeof(struct scales),
                                               .create = scales_create,
                                               .observe = scales_observe,
                                               .sample = scales_sample,
                                               .finish = scales_finish,
                                               .destroy = scales_destroy};
