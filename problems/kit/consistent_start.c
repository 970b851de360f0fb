/* Makes initial states consistent. See problem.h. */
#include "mechanics/system/manifold.h"
#include "problems/kit/problem.h"

#include <shakedown/bind.h>

struct shk_status shk_make_consistent(struct shk_instance *instance, real *q, real *p)
{
  struct shk_evaluator evaluator;
  struct shk_manifold *manifold;
  SHK_TRY(shk_evaluator_init(&evaluator, &instance->system));
  struct shk_status status = shk_bind_manifold(
      &manifold, &(struct shk_binding){.workspace = evaluator.workspace, .evaluator = &evaluator});
  /* The projection is applied twice because the second pass corrects the round-off of the first. */
  for (int pass = 0; pass < 2 && status.code == SHK_OK; pass++)
    status = shk_manifold_project_start(manifold, q, p, instance->initial_time);
  shk_evaluator_clear(&evaluator);
  return status;
}
