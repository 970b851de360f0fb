/* The work of the integrator: evaluations of each kind, iterations, factorizations, steps. */
#include "measures/measure.h"

static struct shk_status work_create(void **state, const struct shk_measured *run)
{
  *state = (void *)run;
  return shk_ok();
}

static void work_finish(void *state, struct shk_outcome *outcome)
{
  const struct shk_work *w = ((const struct shk_measured *)state)->work;
  const struct {
    const char *name;
    long count;
  } counts[] = {{"work-hamiltonian", w->hamiltonian},
                {"work-gradient", w->gradient},
                {"work-velocity", w->velocity},
                {"work-hessian", w->hessian},
                {"work-constraint", w->constraint},
                {"work-jacobian", w->jacobian},
                {"work-curvature", w->curvature},
                {"work-iterations", w->iterations},
                {"work-factorizations", w->factorizations},
                {"work-steps", w->steps},
                {"work-rejected", w->rejected}};
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
    shk_outcome_add_count(outcome, counts[i].name, counts[i].count);
}

const struct shk_measure SHK_NAME(shk_measure_work) = {.create = work_create,
                                                       .finish = work_finish};
