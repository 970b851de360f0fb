/*
 * At each sample time, records a block that identifies the branch of the constraint set to which
 * the state belongs:
 *     branch         the values of the problem's branch functions (problem.h)
 * The block is recorded only if the problem declares branch functions. The analysis compares its
 * values with those of the known solution at the same time.
 */
#include "measures/block.h"
#include "measures/measure.h"

struct branch {
  const struct shk_instance *instance;
  real *values;
};

static bool branch_applies(const struct shk_measured *run)
{
  return run->instance->branch && run->instance->branch_count > 0;
}

static struct shk_status branch_create(void *state, const struct shk_measured *run)
{
  struct branch *const branch = state;
  branch->instance = run->instance;
  return shk_reals(run->evaluator->workspace, &branch->values,
                   (size_t)branch->instance->branch_count);
}

static struct shk_status branch_sample(void *state, struct shk_sample *sample,
                                       const struct shk_state *at, const struct shk_state *next,
                                       bool is_start)
{
  struct branch *branch = state;
  if (branch->instance->branch(branch->instance->system.context, branch->values, at->t, at->q,
                               at->p) != 0)
    return shk_failure(SHK_STOPPED, "the problem's branch functions could not be evaluated", 0, 0);
  shk_block_add(sample, "branch", branch->values, branch->instance->branch_count);
  return shk_ok();
}

const struct shk_measure shk_measure_branch = {.size = sizeof(struct branch),
                                               .applies = branch_applies,
                                               .create = branch_create,
                                               .sample = branch_sample};
