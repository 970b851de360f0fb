/* What a problem is and whether it is what it says: sizes, consistency, rank, derivatives. */
#include "engine/bind.h"
#include "engine/run.h"
#include "mechanics/derivatives.h"
#include "mechanics/rank.h"

#include <shakedown/fibre.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fill_inspection(struct shk_inspection *inspection, const struct shk_instance *instance)
{
  *inspection = (struct shk_inspection){.n = instance->system.n,
                                        .m = instance->system.m,
                                        .features = instance->system.features,
                                        .undecidable = instance->undecidable,
                                        .initial_time = (double)instance->initial_time,
                                        .time_scale = (double)instance->time_scale,
                                        .horizon = (double)instance->horizon,
                                        .exact = instance->exact != NULL};
  const int limit = sizeof inspection->invariant_names / sizeof inspection->invariant_names[0];
  inspection->invariant_count =
      instance->invariant_count < limit ? instance->invariant_count : limit;
  for (int i = 0; i < inspection->invariant_count; i++)
    snprintf(inspection->invariant_names[i], sizeof inspection->invariant_names[i], "%s",
             instance->invariant_names[i]);
}

bool shk_inspect_problem(struct shk_inspection *inspection, const char *problem,
                         struct shk_message *error)
{
  struct shk_bound bound;
  const bool well = shk_bind_problem(&bound, problem, error) == SHK_OK;
  if (well)
    fill_inspection(inspection, &bound.instance);
  shk_unbind(&bound);
  return well;
}

/* Residuals, rank, derivatives and distance from the exact solution at the start. */
static struct shk_status examine(struct shk_diagnosis *d, struct shk_bound *bound)
{
  const struct shk_state *s = &bound->start;
  const int n = s->n, m = s->m;
  real *work = malloc((2 * (size_t)n + 3 * (size_t)m + 1) * sizeof *work);
  if (work == NULL)
    return shk_failure(SHK_NO_MEMORY, "no memory to diagnose %g coordinates", n, 0);
  struct shk_status status =
      shk_manifold_residuals(bound->manifold, work, work + m, s->t, s->q, s->p);
  if (status.code == SHK_OK) {
    d->constraint = (double)real_max_norm(work, m);
    d->hidden = (double)real_max_norm(work + m, m);
    d->rank = -1;
    d->sigma_max = d->sigma_min = NAN;
    if (m > 0 && m <= SHK_RANK_LIMIT) {
      status = shk_singular_values(work, &bound->observer, s->t, s->q, s->p);
      d->rank = 0;
      for (int i = 0; status.code == SHK_OK && i < m; i++)
        d->rank += work[i] > (n + m) * REAL_EPSILON * work[0];
      d->sigma_max = (double)work[0];
      d->sigma_min = (double)work[m - 1];
    }
  }
  d->nondegeneracy = d->coisotropy = NAN;
  if (status.code == SHK_OK && (bound->instance.system.features & SHK_MOMENTUM_CONSTRAINT)) {
    struct shk_regularity regularity;
    status = shk_manifold_regularity(bound->manifold, &regularity, s->t, s->q, s->p);
    d->nondegeneracy = (double)regularity.least;
    d->coisotropy = (double)regularity.bracket;
  }
  d->exact_error = NAN;
  if (status.code == SHK_OK && bound->instance.exact != NULL) {
    real *q = work, *p = q + n, *lambda = p + n;
    if (bound->instance.exact(bound->instance.system.context, q, p, lambda, s->t) != 0) {
      status = shk_failure(SHK_STOPPED, "the exact solution cannot be evaluated", 0, 0);
    } else {
      for (int i = 0; i < n; i++) {
        q[i] -= s->q[i];
        p[i] -= s->p[i];
      }
      d->exact_error = (double)real_max(real_max_norm(q, n), real_max_norm(p, n));
    }
  }
  free(work);
  if (status.code == SHK_OK)
    status = shk_check_derivatives(d->checks, &d->check_count, &bound->observer, s->t, s->q, s->p);
  return status;
}

bool shk_diagnose_problem(struct shk_diagnosis *diagnosis, const char *problem, const char *q,
                          const char *p, bool project, struct shk_message *error)
{
  struct shk_bound bound;
  *diagnosis = (struct shk_diagnosis){0};
  bool well = shk_bind_problem(&bound, problem, error) == SHK_OK &&
              shk_bind_start(&bound, q, p, project, error) == SHK_OK;
  if (well) {
    fill_inspection(&diagnosis->inspection, &bound.instance);
    const struct shk_status status = examine(diagnosis, &bound);
    if (status.code != SHK_OK) {
      char text[256];
      shk_message_set(error, "%s", shk_status_text(text, sizeof text, status));
      well = false;
    }
  }
  shk_unbind(&bound);
  return well;
}
